"""The numbers of Table 3: household games by type, each setting and each source for itself."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .. import paper, score, stats
from .picture import plain
from .rows import FINE_TUNED, NO_MODEL, PROMPTED, RATE, in_order, name_of, rates, table_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Block", "blocks_of", "table"]

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
    return Block(setting, source, df, parts, pairs_of(df), several)


def prompts_of(df: pd.DataFrame) -> int:
    """By how many prompts each method was run, at most."""
    if "prompts" not in df:
        return 1
    prompted = df[df["setting"] == PROMPTED]
    return max(map(int, prompted.groupby("method")["prompts"].nunique()), default=1)


def check_adapters(df: pd.DataFrame) -> None:
    """The runs of a method are of one adapter: two trainings are two models."""
    for method, rows in df.groupby("method") if "adapter" in df else ():
        names = sorted(set(map(str, rows["adapter"].dropna())))
        if len(names) > 1:
            raise ValueError(
                f"the runs of {plain(method)} are of {len(names)} adapters ({', '.join(names)}): "
                f"choose one, as in df[df['adapter'] != {names[0]!r}]"
            )


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


def pairs_of(df: pd.DataFrame) -> list[stats.Pair]:
    """Every two methods, of which one asks a model, on the games that both played."""
    asked = set(df[df["setting"] != NO_MODEL]["method"])
    tasks = {str(method): set(rows["task"]) for method, rows in df.groupby("method")}
    order = sorted(in_order(tasks), key=lambda method: method != "react")
    return [
        stats.paired(df, other, one)
        for one, other in itertools.combinations(order, 2)
        if asked & {one, other} and tasks[one] & tasks[other]
    ]


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
