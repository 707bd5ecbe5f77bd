"""Tables 1 to 5, Figure 3 and paired differences: ours with intervals, the paper beside."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .. import score, stats
from ..analysis import paper
from ..kinds import LEGS
from ..score import FINE_TUNED, NO_MODEL, PROMPTED
from ..types import FAULTS
from .backoff import combined
from .picture import Picture, canvas, cell_text, drawing, plain, written
from .rates import (
    FILLED,
    HOLLOW,
    OURS,
    PAPER,
    QUIET,
    RATE,
    RunsOrFrame,
    about,
    beside,
    caution,
    graded,
    in_columns,
    in_kinds,
    in_lines,
    in_order,
    in_sources,
    key,
    mark,
    name_of,
    one_model,
    one_setting,
    only,
    panels,
    rates,
    source_names,
    table_of,
    task_word,
)

BARS = "Bars: 95% Wilson intervals."
ANOTHER = "Another model than the paper's: compare the order, not the height."
OTHERS = "Other tasks and another model than the paper's: compare the order, not the height."
PUBLISHED = ("hotpotqa", "fever")  # how the source of the paper's own tasks begins
ALONE = "none of these runs is {}: Table {} is of prompting; figure3 shows fine-tuned runs"


def of_kinds(df: pd.DataFrame, kinds: tuple[str, ...], number: int) -> pd.DataFrame:
    """The rows of these kinds of task: what a table of the paper is about."""
    words = " and ".join(map(task_word, kinds))
    none = f"Table {number} is about {words}, and none of these runs is"
    return only(df, df["kind"].isin(kinds), none)


def table1(data: RunsOrFrame) -> Picture:
    """Table 1: prompting, on questions and on claims. Beside prompted runs, others are left out.

    Where none is prompted, the fine-tuned ones are shown, and the caption says so. A method without
    runs stands empty beside the paper's number.
    """
    df, setting, words = graded(data, "model", "source", "end", "calls"), PROMPTED, ""
    if not (df["setting"] == PROMPTED).any() and (df["setting"] == FINE_TUNED).any():
        setting = FINE_TUNED
        words = " CAREFUL: the paper's Table 1 is of prompting, and none of these runs is prompted."
    df = only(df, df["setting"] == setting, ALONE.format(setting, 1))
    df = of_kinds(df, ("multihop", "claims"), 1)
    theirs, settings = paper.table(1), paper.settings()
    ran, warning, df = set(df["method"]), caution(df), combined(df)
    if set(df["method"]) - ran:
        words += " The combinations are computed from the runs of ReAct and CoT-SC."
    parts = {
        f"{task_word(kind)}\n{source_names(rows)}": beside(rates(rows), theirs, kind)
        for kind, rows in in_kinds(df)
    }
    on = " and ".join(settings[kind]["benchmark"] for kind, _ in in_kinds(df))
    same = df["source"].astype(str).str.startswith(PUBLISHED).all()  # the paper's own tasks
    caption = (
        f"{warning}Table 1 with our runs: {about(df, setting)}{words} {BARS} Diamonds: "
        f"PaLM-540B on {on}. {ANOTHER if same else OTHERS}"
    )
    return panels(parts, caption, paper.notes("table1"))


def table2(labels: pd.DataFrame, of: str = "") -> Picture:
    """Table 2: labels given by hand, one row per label: columns method (react, cot) and label.

    Shares are of the successes and of the failures apart; of modes of one's own (column modes) of
    all labels. labels: a frame of `rl.label.frame`, or your own. of: for the caption, whose
    trajectories they are (model, setting, data set).
    """
    from ..label.failure_modes import QUESTIONS, SUCCESS, modes_of, nouns, one_kind
    from ..label.results import shares_of

    taxonomy = modes_of(labels["modes"].fillna("") if "modes" in labels else ())
    modes = labels["label"] if taxonomy.own else labels["label"].map(taxonomy.find)
    kinds = list(labels["kind"].fillna("")) if "kind" in labels else []
    kind = one_kind(kinds, "these labels", "a table is of one kind, labels[labels['kind'] == ...]")
    found = shares_of(zip(labels["method"], modes, strict=True), kind, taxonomy)
    rows = pd.DataFrame([{**vars(share), "rate": share.rate} for share in found])
    group = rows["mode"].isin(SUCCESS).map({True: "success", False: "failure"})
    rows["label"] = rows["mode"] if taxonomy.own else group + ": " + rows["mode"]
    rows[["low", "high"]] = rows[["low", "high"]].where(rows["n"] > 0)
    rows = rows.astype({"rate": float, "paper": float})
    parts = {name_of(str(method)): mine for method, mine in rows.groupby("method", sort=False)}
    sizes = labels["method"].value_counts()
    counts = [f"{sizes.get(m, 0)} trajectories of {name_of(m)}" for m in rows["method"].unique()]
    about = f", {of}" * bool(of)
    theirs = "Diamonds: the paper's 200 trajectories (50 right and 50 wrong of each method)."
    if kind != QUESTIONS:
        about, theirs = f", {plain(nouns([kind]))}{about}", "The paper's Table 2 is of questions."
    if taxonomy.own:
        caption = f"How often each mode: {' and '.join(counts)}{about}, labelled by hand. {BARS}"
        return panels(parts, caption, unit="% of the trajectories")
    caption = (
        f"Table 2 with our labels: {' and '.join(counts)}{about}, labelled by hand. "
        f"Shares are of the successes and of the failures apart. {BARS} {theirs}"
    )
    return panels(parts, caption, paper.notes("table2"), unit="% of its group")


COUNTED = {
    "score": "it earned more on {wins} goals, the other on {losses}",
    "success rate": "{wins} goals only it won, {losses} only the other",
}


def table4(data: RunsOrFrame) -> Picture:
    """Table 4: shopping. The score is the mean reward; success is a reward of 1.

    Programs, and people who shopped for the same goals by hand, are lines too.
    """
    df = graded(data, "model", "source", "end", "calls", "reward")
    df = only(df, df["kind"] == "shop", "Table 4 is about shopping, and none of these runs is")
    one_model(df, "source", "sets")  # the score depends on the shop
    check_adapters(df)
    setting, theirs = one_setting(df), paper.table(4)
    score = df.assign(correct=df["reward"].fillna(0).astype(float))  # without a purchase: nothing
    means = rates(score, stats.bootstrap)
    parts = {
        "Score": beside(means, theirs, "score"),
        "Success rate": beside(rates(df), theirs, "success"),
    }
    caption = (
        f"{caution(df)}Table 4 with our runs: {about(df, setting)} Bars: 95% intervals, of the "
        "score by bootstrap, of the success rate Wilson's. Diamonds: the paper, on WebShop. Other "
        "goals and another model than the paper's: compare the order, not the height."
    )
    asked = set(df[df["setting"] != NO_MODEL]["method"])
    same = {}
    for (name, counted), rows in zip(COUNTED.items(), (score, df), strict=True):
        if pairs := all_pairs(rows):
            same[f"same goals, {name}"] = table_of_pairs(pairs)
        if words := describe_pairs(pairs, asked, counted):
            caption += f"\nThe {name} on the same goals, with 95% intervals (paired bootstrap) and "
            caption += f"exact sign tests: {words}."
    picture = panels(parts, caption, paper.notes("table4"), unit="%", down=True)
    return replace(picture, tables={**picture.tables, **same})


def table5(data: RunsOrFrame) -> Picture:
    """Table 5: ReAct prompting, one row per model: only here may several models stand."""
    df = graded(data, "model", "source", "end", "calls")
    df = only(df, df["setting"] == PROMPTED, ALONE.format(PROMPTED, 5))
    df = of_kinds(df, ("multihop", "household"), 5)
    none = "Table 5 compares models by ReAct, and none of these runs is of react"
    df = only(df, df["method"] == "react", none)
    theirs, parts = paper.table(5).assign(method=None), {}
    for kind, rows in in_kinds(df):
        ours = rates(rows.assign(method=rows["model"].map(plain)))
        parts[f"{task_word(kind)}\n{source_names(rows)}"] = beside(ours, theirs, kind)
    each = " ".join(about(rows, PROMPTED) for _, rows in df.groupby("model"))
    words = f"Table 5 with our runs, ReAct alone: {each} {BARS} Diamonds: the paper. {OTHERS}"
    return panels(parts, caution(df) + words, paper.notes("table5"), paper="the paper")


# ------------------------------------------------------------------ figure 3

VERDICTS = {1: "supported", -1: "contradicted", 0: "not decided"}


SIZES = (("#D55E00", "^"), ("#0072B2", "o"), ("#009E73", "s"), ("#555555", "D"))


def figure3(data: RunsOrFrame, kind: str = "multihop") -> Picture:
    """Figure 3: prompted and fine-tuned, two panels and two tables, and the paper's claims.

    A claim is supported where every comparison it makes is beyond chance on the same tasks
    (exact McNemar), contradicted where one is the other way round, else not decided.
    kind: the kind of task; the paper's is multihop. Of several models each has a mark on every
    method's line, in the order in which they come; the claim that compares a fine-tuned model with
    a prompted one takes the next model for that.
    """
    df = graded(data, "model", "source", "end", "calls")
    df = df[df["method"].isin(LEGS) & (df["kind"] == kind)]
    parts = {how: rows for how in (PROMPTED, FINE_TUNED) if len(rows := df[df["setting"] == how])}
    if FINE_TUNED not in parts:
        raise ValueError(f"Figure 3 wants fine-tuned runs on {task_word(kind)}: none is here")
    models = list(map(str, dict.fromkeys(df["model"])))
    if len(models) > len(SIZES):
        raise ValueError(f"Figure 3 holds {len(SIZES)} models, not {len(models)}: choose some")
    several = any(rows["model"].nunique() > 1 for rows in parts.values())
    claims = pd.DataFrame([
        {"model": " and ".join(map(plain, dict.fromkeys(each["model"]))), **judged(claim, each)}
        for claim in paper.figure(3)["claims"]
        for each in (compared(claim, df, models) if several else [df])
    ])  # fmt: skip
    told = claims.groupby("claim", sort=False)[["model", "verdict"]].apply(
        lambda rows: "; ".join(map(": ".join, rows.to_numpy()))
    )
    who = ", ".join(map(plain, models))
    each = " ".join(about(rows, how, who) for how, rows in parts.items())
    caption = (
        f"{caution(df)}Figure 3 with our runs: {each} {BARS} The paper's "
        "claims (PaLM-8B and 62B on HotpotQA, fine-tuned on 3,000 trajectories), here by exact "
        "McNemar tests on the same tasks:\n"
        + "\n".join(f"{claim}? {words}." for claim, words in told.items())
    )
    forests = {
        how: {
            plain(model): rates(mine).set_index("method").reindex(LEGS)
            for model in models if len(mine := rows[rows["model"] == model])
        }
        for how, rows in parts.items()
    }  # fmt: skip
    tables = {
        how: pd.concat([
            table_of(rows, model=name, row=rows.index.map(name_of))[rows["rate"].notna()]
            for name, rows in each.items()
        ], ignore_index=True)
        for how, each in reversed(forests.items())
    }  # fmt: skip
    if len(models) == 1:
        lone: dict[str, Any] = {"label": list(map(name_of, LEGS)), "paper": float("nan")}
        alone = {how: each[plain(models[0])].assign(**lone) for how, each in forests.items()}
        figure = panels(alone, caption, down=True).figure
    else:
        figure = draw_models(forests, list(map(plain, models)), caption)
    return Picture(figure, caption, {**tables, "claims": claims}, tuple(paper.notes("figure3")))


def draw_models(
    forests: dict[str, dict[str, pd.DataFrame]], models: list[str], caption: str
) -> Figure:
    """A panel per setting: on each method's line a mark per model, its rates in a column."""
    looks = {
        model: {"color": colour, "marker": form, "ms": 9, "lw": 0}
        for model, (colour, form) in zip(models, SIZES, strict=False)
    }
    places = {
        model: ((k + 1) / len(models), str(look["color"]))
        for k, (model, look) in enumerate(looks.items())
    }
    most = 100 * max(rows["high"].max() for each in forests.values() for rows in each.values())
    wide, tall = 1.6 + 0.9 * len(models), 0.8 + 4.4 * len(forests)
    with drawing():
        figure, axes = canvas(2, 6.5 + wide, tall, rows=len(forests), width_ratios=(4.6, wide))
        for ax, numbers, (how, each) in zip(axes[::2], axes[1::2], forests.items(), strict=True):
            for k, (name, rows) in enumerate(each.items()):
                aside = 0.25 * (k - (len(each) - 1) / 2)
                shares = 100 * rows[["rate", "low", "high"]].to_numpy()
                for y, (rate, low, high) in enumerate(shares):
                    mark(ax, y + aside, rate, low, high, looks[name])
            ax.set(title=how, xlabel="% correct", xlim=(0, most))
            in_lines(ax, [name_of(leg) for leg in LEGS])
            columns = {n: [cell_text(100 * rate, 1) for rate in each[n]["rate"]] for n in each}
            in_columns(numbers, columns, places)
        key(figure, looks)
        written(figure, caption)
    return figure


def compared(claim: dict[str, Any], df: pd.DataFrame, models: list[str]) -> Iterator[pd.DataFrame]:
    """What a claim is judged by: each model's runs; or one's fine-tuned, the next's prompted."""
    (better,), (worse,) = ({how for _, how in claim[side]} for side in ("better", "worse"))
    for model, other in zip(models, [*models[1:], ""], strict=True):
        if better == worse:
            yield df[df["model"] == model]
        elif other:
            sides = {model: better, other: worse}
            yield pd.concat(
                df[(df["model"] == m) & (df["setting"] == how)] for m, how in sides.items()
            )


def judged(claim: dict[str, Any], df: pd.DataFrame) -> dict[str, str]:
    """A claim of the paper against these runs, in a word."""
    row, df = {"claim": str(claim["text"])}, df.assign(arm=df["method"] + " " + df["setting"])
    better, worse = ([" ".join(arm) for arm in claim[side]] for side in ("better", "worse"))
    if lacking := sorted({*better, *worse} - set(df["arm"])):
        return row | {"verdict": "not run", "comparisons": f"no runs of {', '.join(lacking)}"}
    arms = itertools.product(better, worse)
    pairs = [stats.paired(df, one, other, by="arm") for one, other in arms]
    signs = [(1 if pair.difference > 0 else -1) if pair.separated else 0 for pair in pairs]
    row["verdict"] = VERDICTS[-1 if -1 in signs else min(signs)]
    told = f"{signs.count(1)} of {len(signs)} comparisons beyond chance"
    other = f", {signs.count(-1)} the other way" if -1 in signs else ""
    return row | {"comparisons": told + other}


# ------------------------------------------------------------------ paired differences


def differences(data: RunsOrFrame, than: str = "react") -> Picture:
    """Every method against one (`than`) on the same tasks, and how many tasks it would take."""
    df = graded(data, "model", "source", "end", "calls")
    setting, warning, df = one_setting(df), caution(df), combined(df)
    parts = {}
    for title, rows in in_sources(df):
        others = [method for method in in_order(set(rows["method"])) if method != than]
        if not others:
            raise ValueError(f"these runs are all of {than}: a difference wants another method's")
        parts[title] = [stats.paired(rows, method, than) for method in others]
    caption = (
        f"{warning}Differences from {name_of(than)} on the same tasks: {about(df, setting)} "
        "Bars: 95% intervals by paired bootstrap. Filled: beyond chance (exact McNemar, p < 0.05). "
        f"{' '.join(filter(None, (too_few(title, pairs) for title, pairs in parts.items())))}"
    )
    with drawing():
        tall = 1.8 + 0.55 * max(map(len, parts.values()))
        figure, axes = canvas(len(parts), 2.7 + 5.2 * len(parts), tall)
        for ax, (title, pairs) in zip(axes, parts.items(), strict=True):
            for y, pair in enumerate(pairs):
                look = FILLED if pair.separated else FILLED | {"mfc": "white", "mew": 2}
                mark(ax, y, 100 * pair.difference, 100 * pair.low, 100 * pair.high, look)
                text = f"{100 * pair.difference:+.1f}   {pair.chance}"
                ax.text(1.03, y, text, transform=ax.get_yaxis_transform(), va="center", size=13)
            ax.axvline(0, color="#222222", lw=1)
            in_lines(ax, [name_of(pair.a) for pair in pairs])
            ax.set(title=title, xlabel=f"points above {name_of(than)}")
        written(figure, caption)
    return Picture(figure, caption, {title: table_of_pairs(p) for title, p in parts.items()})


def all_pairs(df: pd.DataFrame) -> list[stats.Pair]:
    """Every two methods, of which one asks a model, on the tasks that both were run on."""
    asked = set(df[df["setting"] != NO_MODEL]["method"])
    tasks = {str(method): set(rows["task"]) for method, rows in df.groupby("method")}
    order = sorted(in_order(tasks), key=lambda method: method != "react")
    return [
        stats.paired(df, other, one)
        for one, other in itertools.combinations(order, 2)
        if asked & {one, other} and tasks[one] & tasks[other]
    ]


def check_adapters(df: pd.DataFrame) -> None:
    """The runs of a method are of one adapter: two trainings are two models."""
    for method, rows in df.groupby("method") if "adapter" in df else ():
        names = sorted(set(map(str, rows["adapter"].dropna())))
        if len(names) > 1:
            raise ValueError(
                f"the runs of {plain(method)} are of {len(names)} adapters ({', '.join(names)}): "
                f"choose one, as in df[df['adapter'] != {names[0]!r}]"
            )


def too_few(tasks: str, pairs: list[stats.Pair]) -> str:
    """Which differences these tasks are too few to see, and how many would be enough."""
    unsure = [
        f"{name_of(pair.a)} ({f'about {pair.roughly}' if pair.needed else 'even'})"
        for pair in pairs if not pair.separated
    ]  # fmt: skip
    if not unsure:
        return ""
    return (
        f"Too few {tasks} to tell apart, with the number that would show a difference "
        f"of this size 4 times in 5: {', '.join(unsure)}."
    )


def table_of_pairs(pairs: list[stats.Pair]) -> pd.DataFrame:
    rows = [
        {
            "method": name_of(pair.a), "against": name_of(pair.b), "n": pair.n,
            "points": round(100 * pair.difference, 1), "from": round(100 * pair.low, 1),
            "to": round(100 * pair.high, 1), "only it": pair.wins, "only the other": pair.losses,
            "p": pair.chance.removeprefix("p ").removeprefix("= "), "tasks needed": pair.needed,
        }
        for pair in pairs
    ]  # fmt: skip
    return pd.DataFrame(rows).astype({"tasks needed": "Int64"})


def describe_pairs(pairs: Iterable[stats.Pair], among: Collection[str], counted: str) -> str:
    """The differences between these methods, for the reader of a caption.

    counted: what is said of the tasks on which one of them did better, `{wins}` and `{losses}`.
    """
    return "; ".join(
        f"{name_of(pair.a)} against {name_of(pair.b)} {100 * pair.difference:+.1f} points "
        f"({100 * pair.low:+.0f} to {100 * pair.high:+.0f}; "
        f"{counted.format(wins=pair.wins, losses=pair.losses)}; {pair.chance})"
        for pair in pairs if {pair.a, pair.b} <= {*among}
    )  # fmt: skip


# ------------------------------------------------------------------ table 3: games by type

COLUMNS = {  # of the numbers: where each stands, and its colour
    "ours": (0.16, OURS), "n": (0.28, QUIET), "paper": (0.46, PAPER), "best": (0.61, PAPER),
    "against ReAct": (1.0, "#222222"),
}  # fmt: skip
THEIR_BEST, OUR_BEST = HOLLOW | {"marker": "^"}, FILLED | {"marker": "^", "lw": 0}
RULE = FILLED | {"color": QUIET, "marker": "s"}
TYPE, WIDTHS = 1.4, (3.2, 4.6)  # of a type; of all games and their numbers, below the types
ACTING = ("act", "react", "react-im")  # the methods of the paper's table
SAME = ("accepted %", "finished %", "% of finished", "calls")  # a finished game is a won one


def table3(data: RunsOrFrame) -> Picture:
    """Table 3: household games by type, prompted and fine-tuned apart, and each source apart.

    Best-of rows are each type's best trial, so no one trial had all of them. Programs without a
    model stand below, to compare with.
    """
    df = graded(data, "model", "source", "end", "calls", "type", "steps")
    df = of_kinds(df, ("household",), 3)
    blocks = list(blocks_of(df))
    if not blocks:
        raise ValueError("Table 3 wants runs of a model, and these are of programs alone")
    many = max(block.prompts for block in blocks)
    avg = f"the mean of our prompts (up to {many})" if many > 1 else "one trial of each game"
    best = "filled, the best of ours" if many > 1 else "we have none"
    faults = int(df["end"].isin(FAULTS).sum())
    none = sum(int((block.df["game"] == "").sum()) for block in blocks)
    caption = " ".join(filter(None, [
        f"{caution(df)}Table 3 with our runs: {' '.join(block.about() for block in blocks)}",
        f"{faults} of these runs were ended by a fault and count as lost." if faults else "",
        f"{none} runs are of none of the six types: they count under All alone." if none else "",
        f"{BARS} Hollow marks: the paper (PaLM-540B, prompted; percent of 134 "
        f"ALFWorld games). Diamonds: the mean of its six prompts; ours beside them, {avg}. "
        "Triangles: the best of six prompts (BUTLER: of eight trainings), for every type its own; "
        f"{best}. "
        "Other games and another model than the paper's: compare the order, not the height.",
        *(block.differences() for block in blocks),
    ]))  # fmt: skip
    with drawing():
        figure = drawn(blocks)
        written(figure, caption)
    tables = {block.title: block.table() for block in blocks}
    pairs = {f"same games, {b.title}": table_of_pairs(b.pairs) for b in blocks if b.pairs}
    return Picture(figure, caption, tables | pairs, tuple(paper.notes("table3")))


def drawn(blocks: Sequence[Block]) -> Figure:
    """Per block a row of panels, one per type; below it all games, and the numbers of that."""
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
            block.draw(ax, name, named=ax in (above[0], whole))
        in_columns(numbers, block.numbers(), COLUMNS)
    rules = any((block.df["setting"] == NO_MODEL).any() for block in blocks)
    several = any(block.prompts > 1 for block in blocks)
    key(figure, {
        "ours, 95% interval": FILLED, "the paper": HOLLOW, "best of several, by type": THEIR_BEST,
        **({"a program, no model": RULE} if rules else {}),
        **({"our best, by type": OUR_BEST} if several else {}),
    })  # fmt: skip
    return figure


@dataclass(frozen=True)
class Block:
    """Games of one source, in one setting: rates by type, and differences on the same games."""

    setting: str
    source: str
    df: pd.DataFrame
    parts: dict[str, pd.DataFrame]  # a column of the paper's table -> its lines
    pairs: list[stats.Pair]
    prompts: int  # by how many each method was run, at most

    @property
    def title(self) -> str:
        return f"{self.setting}: {plain(self.source)}"

    @cached_property
    def asked(self) -> pd.DataFrame:
        """The runs of a model."""
        return self.df[self.df["setting"] != NO_MODEL]

    @cached_property
    def shown(self) -> list[Any]:
        """The lines of the picture: best-of rows are marks on their method's line."""
        whole = self.parts["All"]
        return list(whole[~whole["best"] | whole["method"].isna()].itertuples())

    def about(self) -> str:
        text, known = about(self.asked, self.setting), []
        if "adapter" in self.asked and self.setting == FINE_TUNED:
            named = self.asked.groupby("method")["adapter"].first()
            known = [f"{name_of(m)} {named[m]}" for m in in_order(named.index) if named[m]]
        return f"{text} Adapters: {', '.join(known)}." if known else text

    def differences(self) -> str:
        """Between the methods of a model, for the reader of the caption."""
        counted = "{wins} games only it won, {losses} only the other"
        words = describe_pairs(self.pairs, set(self.asked["method"]), counted)
        head = f"\n{self.title}, on the same games, with 95% intervals (paired bootstrap) and "
        return f"{head}exact McNemar tests: {words}." if words else ""

    def draw(self, ax: Axes, name: str, named: bool) -> None:
        """Ours above the line, the paper's below it: circle and diamond, triangles for the best."""
        part = self.parts[name]
        for y, line in enumerate(self.shown):
            best = part["best"] & (part["method"] == line.method)
            for row in (part.loc[line.Index], *part[best].to_dict("records")):
                mark(ax, y + 0.17, row["paper"], look=THEIR_BEST if row["best"] else HOLLOW)
                ours = RULE if row["rule"] else OUR_BEST if row["best"] else FILLED
                mark(ax, y - 0.17, 100 * row["rate"], 100 * row["low"], 100 * row["high"], ours)
        in_lines(ax, [str(line.label).partition(" (")[0] if named else "" for line in self.shown])
        played = self.df if name == "All" else self.df[self.df["game"] == name]
        n = played["task"].nunique()
        unit = f"% of {n}" if n else "no games"
        ax.set(title=name, xlabel=unit, xlim=(-4, 104), xticks=[0, 50, 100])
        if name != "All":  # the next panel's 0 is near
            ax.get_xticklabels()[-1].set_horizontalalignment("right")

    def numbers(self) -> dict[str, list[str]]:
        """All games in numbers; beside them how far each method is from ReAct."""
        whole, missing = self.parts["All"], float("nan")
        from_react = {
            pair.a: f"{100 * pair.difference:+.1f}, {pair.chance}"
            for pair in self.pairs if pair.b == "react"
        }  # fmt: skip
        best = whole[whole["best"]].groupby("method")["paper"].max()
        columns: dict[str, list[str]] = {"ours": [], "n": [], "paper": [], "best": []}
        for line in self.shown:
            alone = not isinstance(line.method, str)  # BUTLER: best of eight
            top = line.paper if alone else best.get(line.method, missing)
            columns["ours"].append(cell_text(100 * line.rate, 1))
            columns["n"].append(cell_text(line.n, 0))
            columns["paper"].append(cell_text(missing if alone else line.paper, 0))
            columns["best"].append(cell_text(top, 0))
        against = [from_react.get(line.method, "") for line in self.shown]
        return columns | ({"against ReAct": against} if self.pairs else {})

    def table(self) -> pd.DataFrame:
        """The table twin: a row per column of the paper and line of it."""
        each = [
            table_of(rows, of=name, row=rows["label"]).assign(steps=rows["steps"].round(1))
            for name, rows in self.parts.items()
        ]
        whole = pd.concat(each, ignore_index=True).drop(columns=list(SAME), errors="ignore")
        return whole.rename(columns={"steps": "steps when won"}).dropna(axis="columns", how="all")


def blocks_of(df: pd.DataFrame) -> Iterator[Block]:
    """Each setting and source that has runs of a model; the programs stand in every one."""
    known, theirs = paper.read("table3"), paper.table(3)
    games = [known["types"].get(str(name).lower(), "") for name in df["type"]]
    df = df.assign(game=games, source=df["source"].astype(str))
    for setting in (FINE_TUNED, PROMPTED):
        for source in sorted(set(df.loc[df["setting"] == setting, "source"])):
            here = df[df["setting"].isin((setting, NO_MODEL)) & (df["source"] == source)]
            check_adapters(here)
            asked, several, best = here[here["setting"] == PROMPTED], 1, None
            if "prompts" in here and len(asked):
                several = int(asked.groupby("method")["prompts"].nunique().max())
            if several > 1:
                best = score.over_prompts(asked.assign(type=asked["game"]))
            parts = {
                name: lines(here if name == "All" else here[here["game"] == name], here, best,
                            name, theirs)
                for name in known["columns"]
            }  # fmt: skip
            yield Block(setting, source, here, parts, all_pairs(here), several)


def lines(
    rows: pd.DataFrame, df: pd.DataFrame, best: Any, column: str, theirs: pd.DataFrame
) -> pd.DataFrame:
    """The lines of a column: each method with ours and the paper's, its best-of line below."""
    rules = set(df[df["setting"] == NO_MODEL]["method"])
    ours: dict[Any, dict[Any, Any]] = rates(rows).set_index("method").to_dict("index")
    steps = rows[rows["correct"] == 1].groupby("method")["steps"].mean().to_dict()
    tops = {}  # of our prompts the best one, of this type alone, where there were several
    if best is not None and column in best:
        several = best[best["prompts"] > 1].xs("best", level="of")[column]
        tops = dict(zip(several.index.get_level_values("method"), several / 100, strict=True))
    found: list[dict[Any, Any]] = []
    for method in dict.fromkeys((*ACTING, *in_order(set(df["method"])))):
        mine = {"label": name_of(method), "method": method, "best": False, "rule": method in rules}
        found.append({**mine, "steps": steps.get(method), **ours.get(method, {})})
        for name, line in theirs[theirs["method"] == method].iterrows():
            if line["best_of"] == line["best_of"]:
                top = {"label": name, "method": method, "best": True, "rule": False}
                found.append({**top, "rate": tops.get(method), "paper": line[column]})
            else:
                found[-1] |= {"label": name, "paper": line[column]}
    for name, line in theirs[theirs["method"].isna()].iterrows():
        found.append({"label": name, "best": True, "rule": False, "paper": line[column]})
    numbers = dict.fromkeys((*RATE, "steps", "paper"), "float")
    columns = ["label", "method", "best", "rule", *numbers]
    return pd.DataFrame(found, columns=columns).astype(numbers)
