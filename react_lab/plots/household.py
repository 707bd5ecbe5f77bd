"""Table 3: household games by type, each setting and each source in a row of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .. import score, stats
from ..analysis import paper
from ..score import FINE_TUNED, NO_MODEL, PROMPTED
from ..types import FAULTS
from .picture import Picture, cell_text, drawing, plain, written
from .rates import (
    FILLED,
    HOLLOW,
    OURS,
    PAPER,
    QUIET,
    RATE,
    RunsOrFrame,
    about,
    caution,
    graded,
    in_columns,
    in_lines,
    in_order,
    key,
    mark,
    name_of,
    rates,
    table_of,
)
from .tables import all_pairs, check_adapters, describe_pairs, table_of_pairs

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


COLUMNS = {  # of the numbers: where each stands, and its colour
    "ours": (0.16, OURS), "n": (0.28, QUIET), "paper": (0.46, PAPER), "best": (0.61, PAPER),
    "against ReAct": (1.0, "#222222"),
}  # fmt: skip
THEIR_BEST, OUR_BEST = HOLLOW | {"marker": "^"}, FILLED | {"marker": "^", "lw": 0}
RULE = FILLED | {"color": QUIET, "marker": "s"}
TYPE, WIDTHS = 1.4, (3.2, 4.6)  # of a type; of all games and their numbers, below the types


def table3(data: RunsOrFrame) -> Picture:
    """Table 3: household games by type, prompted and fine-tuned apart, and each source apart.

    Best-of rows are each type's best trial, so no one trial had all of them. Programs without a
    model stand below, to compare with.
    """
    df = graded(data, "model", "source", "end", "calls", "type", "steps")
    df = df[df["kind"] == "household"]
    if df.empty:
        raise ValueError("Table 3 is about household games, and none of these runs is")
    blocks = list(blocks_of(df))
    if not blocks:
        raise ValueError("Table 3 wants runs of a model, and these are of programs alone")
    caption = words(df, blocks)
    with drawing():
        figure = drawn(blocks)
        written(figure, caption)
    tables = {block.title: table(block) for block in blocks}
    pairs = {f"same games, {b.title}": table_of_pairs(b.pairs) for b in blocks if b.pairs}
    return Picture(figure, caption, tables | pairs, tuple(paper.notes("table3")))


# ---------------------------------------------------------------------- the words


def words(df: pd.DataFrame, blocks: Sequence[Block]) -> str:
    """Model, adapters, n, intervals, and what stands where."""
    each = " ".join(about_block(block) for block in blocks)
    many = max(block.prompts for block in blocks)
    avg = f"the mean of our prompts (up to {many})" if many > 1 else "one trial of each game"
    best = "filled, the best of ours" if many > 1 else "we have none"
    faults = int(df["end"].isin(FAULTS).sum())
    none = sum(int((block.df["game"] == "").sum()) for block in blocks)
    return " ".join(filter(None, [
        f"{caution(df)}Table 3 with our runs: {each}",
        f"{faults} of these runs were ended by a fault and count as lost." if faults else "",
        f"{none} runs are of none of the six types: they count under All alone." if none else "",
        "Bars: 95% Wilson intervals. Hollow marks: the paper (PaLM-540B, prompted; percent of 134 "
        f"ALFWorld games). Diamonds: the mean of its six prompts; ours beside them, {avg}. "
        "Triangles: the best of six prompts (BUTLER: of eight trainings), for every type its own; "
        f"{best}. "
        "Other games and another model than the paper's: compare the order, not the height.",
        *map(in_words, blocks),
    ]))  # fmt: skip


def about_block(block: Block) -> str:
    asked = block.df[block.df["setting"] != NO_MODEL]
    text = about(asked, block.setting)
    if "adapter" not in asked or block.setting != FINE_TUNED:
        return text
    named = asked.groupby("method")["adapter"].first()
    known = [f"{name_of(m)} {named[m]}" for m in in_order(set(named.index)) if named[m]]
    return f"{text} Adapters: {', '.join(known)}." if known else text


def in_words(block: Block) -> str:
    """The differences between methods of a model, for the reader of the caption."""
    asked = set(block.df[block.df["setting"] != NO_MODEL]["method"])
    words = describe_pairs(block.pairs, asked, "{wins} games only it won, {losses} only the other")
    head = f"\n{block.title}, on the same games, with 95% intervals (paired bootstrap) and exact "
    return f"{head}McNemar tests: {words}." if words else ""


# ---------------------------------------------------------------------- the picture


def drawn(blocks: Sequence[Block]) -> Figure:
    """Per block a row of panels, one per type; below it all games, and the numbers of that."""
    from matplotlib.figure import Figure

    types = len(blocks[0].parts) - 1
    tall = [h for b in blocks for h in (0.35, *[1.3 + 0.5 * len(b.shown)] * 2)]
    figure = Figure(figsize=(2.2 + TYPE * types, 0.5 + sum(tall)))
    cells = figure.add_gridspec(len(tall), 1, height_ratios=tall)
    for i, block in enumerate(blocks):
        head = figure.add_subplot(cells[3 * i])
        head.text(0, 0, block.title, weight="bold", size=16)
        head.set_axis_off()
        upper = cells[3 * i + 1].subgridspec(1, types)
        lower = cells[3 * i + 2].subgridspec(1, 2, width_ratios=WIDTHS)
        above = [figure.add_subplot(upper[j]) for j in range(types)]
        whole, numbers = (figure.add_subplot(lower[j]) for j in range(2))
        for ax, name in zip([*above, whole], block.parts, strict=True):
            draw_panel(ax, block, name, named=ax in (above[0], whole))
        in_columns(numbers, columns_of(block), COLUMNS)
    rules = any((block.df["setting"] == NO_MODEL).any() for block in blocks)
    several = any(block.prompts > 1 for block in blocks)
    key(figure, {
        "ours, 95% interval": FILLED, "the paper": HOLLOW, "best of several, by type": THEIR_BEST,
        **({"a program, no model": RULE} if rules else {}),
        **({"our best, by type": OUR_BEST} if several else {}),
    })  # fmt: skip
    return figure


def draw_panel(ax: Axes, block: Block, name: str, named: bool) -> None:
    """Ours above the line, the paper's below it: circle and diamond, triangles for the best."""
    part = block.parts[name]
    for y, line in enumerate(block.shown):
        best = part["best"] & (part["method"] == line.method)
        for row in (part.loc[line.Index], *part[best].to_dict("records")):
            mark(ax, y + 0.17, row["paper"], look=THEIR_BEST if row["best"] else HOLLOW)
            ours = RULE if row["rule"] else OUR_BEST if row["best"] else FILLED
            mark(ax, y - 0.17, 100 * row["rate"], 100 * row["low"], 100 * row["high"], ours)
    in_lines(ax, [str(line.label).partition(" (")[0] if named else "" for line in block.shown])
    played = block.df if name == "All" else block.df[block.df["game"] == name]
    n = played["task"].nunique()
    ax.set(title=name, xlabel=f"% of {n}" if n else "no games", xlim=(-4, 104), xticks=[0, 50, 100])
    if name != "All":  # the next panel's 0 is near
        ax.get_xticklabels()[-1].set_horizontalalignment("right")


def columns_of(block: Block) -> dict[str, list[str]]:
    """All games in numbers; beside them how far each method is from ReAct."""
    whole, missing = block.parts["All"], float("nan")
    from_react = {
        pair.a: f"{100 * pair.difference:+.1f}, {pair.chance}"
        for pair in block.pairs if pair.b == "react"
    }  # fmt: skip
    best = whole[whole["best"]].groupby("method")["paper"].max()
    alone = [not isinstance(line.method, str) for line in block.shown]  # BUTLER: best of eight
    lines = [*zip(block.shown, alone, strict=True)]
    columns = {
        "ours": [cell_text(100 * line.rate, 1) for line in block.shown],
        "n": [cell_text(line.n, 0) for line in block.shown],
        "paper": [cell_text(missing if one else line.paper, 0) for line, one in lines],
        "best": [cell_text(line.paper if one else best.get(line.method, missing), 0)
                 for line, one in lines],
    }  # fmt: skip
    against = [from_react.get(line.method, "") for line in block.shown]
    return columns | ({"against ReAct": against} if block.pairs else {})


# ------------------------------------------------------------------ trials

METHODS = ("act", "react", "react-im")  # of the paper's table
SAME = ("accepted %", "finished %", "% of finished", "calls")  # a finished game is a won one


@dataclass(frozen=True)
class Block:
    """Games of one source, in one setting: rates by type, and differences on the same games."""

    setting: str
    source: str
    df: pd.DataFrame
    parts: dict[str, pd.DataFrame]  # a column of the paper's table -> its lines
    pairs: list[stats.Pair]
    prompts: int

    @property
    def title(self) -> str:
        return f"{self.setting}: {plain(self.source)}"

    @cached_property
    def shown(self) -> list[Any]:
        """The lines of the picture: best-of rows are marks on their method's line."""
        whole = self.parts["All"]
        return list(whole[~whole["best"] | whole["method"].isna()].itertuples())


def blocks_of(df: pd.DataFrame) -> Iterator[Block]:
    """Each setting and source that has runs of a model; the programs stand in every one."""
    types = paper.read("table3")["types"]
    df = df.assign(
        game=[types.get(str(name).lower(), "") for name in df["type"]],
        source=df["source"].astype(str),
    )
    for setting in (FINE_TUNED, PROMPTED):
        mine = df[df["setting"] == setting]
        for source in sorted(set(mine["source"])):
            here = df["setting"].isin((setting, NO_MODEL)) & (df["source"] == source)
            yield block_of(setting, source, df[here])


def block_of(setting: str, source: str, df: pd.DataFrame) -> Block:
    check_adapters(df)
    several = prompts_of(df)
    asked = df[df["setting"] == PROMPTED]
    best = score.over_prompts(asked.assign(type=asked["game"])) if several > 1 else None
    theirs = paper.table(3)
    parts = {
        name: lines(df if name == "All" else df[df["game"] == name], df, best, name, theirs)
        for name in paper.read("table3")["columns"]
    }
    return Block(setting, source, df, parts, all_pairs(df), several)


def prompts_of(df: pd.DataFrame) -> int:
    """By how many prompts each method was run, at most."""
    if "prompts" not in df:
        return 1
    prompted = df[df["setting"] == PROMPTED]
    return max(map(int, prompted.groupby("method")["prompts"].nunique()), default=1)


def lines(
    rows: pd.DataFrame, df: pd.DataFrame, best: Any, column: str, theirs: pd.DataFrame
) -> pd.DataFrame:
    """The lines of a column: each method with ours and the paper's, its best-of line below."""
    import pandas as pd

    rules = set(df[df["setting"] == NO_MODEL]["method"])
    ours: dict[str, dict[Any, Any]] = {}
    ours |= {row["method"]: row for row in rates(rows, "method").to_dict("records")}
    steps = rows[rows["correct"] == 1].groupby("method")["steps"].mean().to_dict()
    found: list[dict[Any, Any]] = []
    for method in dict.fromkeys((*METHODS, *in_order(set(df["method"])))):
        mine = {"label": name_of(method), "method": method, "rule": method in rules}
        found.append({**mine, "steps": steps.get(method), **ours.get(method, {})})
        for name, line in theirs[theirs["method"] == method].iterrows():
            if line["best_of"] == line["best_of"]:
                top = {"label": name, "method": method, "rate": best_of(best, method, column)}
                found.append({**top, "best": True, "paper": line[column]})
            else:
                found[-1] |= {"label": name, "paper": line[column]}
    for name, line in theirs[theirs["method"].isna()].iterrows():
        found.append({"label": name, "best": True, "paper": line[column]})
    numbers = dict.fromkeys((*RATE, "steps", "paper"), "float")
    made = pd.DataFrame(found, columns=["label", "method", "best", "rule", *numbers])
    made = made.astype(numbers)
    return made.assign(best=made["best"].eq(True), rule=made["rule"].eq(True))


def best_of(best: Any, method: str, column: str) -> float:
    """Of our prompts the best one, of this type alone; missing where there was only one prompt."""
    if best is None or column not in best:
        return float("nan")
    rows = best.xs("best", level="of")
    rows = rows[rows.index.get_level_values("method") == method]
    several = rows[rows["prompts"] > 1]
    return float(several[column].iloc[0]) / 100 if len(several) else float("nan")


def table(block: Block) -> pd.DataFrame:
    """The table twin of a block: a row per column of the paper and line of it."""
    import pandas as pd

    won = "steps when won"
    each = [
        table_of(part, of=name, row=part["label"]).assign(**{won: part["steps"].round(1)})
        for name, part in block.parts.items()
    ]
    whole = pd.concat(each, ignore_index=True).drop(columns=list(SAME), errors="ignore")
    return whole.dropna(axis="columns", how="all")
