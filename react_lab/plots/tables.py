"""Tables 1 to 5: the user's rates with their intervals, the paper's numbers beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import paper, stats
from .backoff import combined
from .forest import panels
from .picture import Picture, plain
from .rows import (
    PROMPTED,
    Data,
    about,
    beside,
    caution,
    graded,
    in_kinds,
    in_setting,
    name_of,
    rates,
    source_names,
    task_word,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["table1", "table2", "table3", "table4", "table5"]

BARS = "Bars: 95% Wilson intervals."
OTHERS = "Other tasks and another model than the paper's: compare the order, not the height."


def prompted(data: Data, kinds: tuple[str, ...], number: int, *needs: str) -> pd.DataFrame:
    """The prompted runs of these kinds of task: what the paper's tables are about."""
    df = graded(data, "model", "source", "end", "calls", *needs)
    df = in_setting(df, PROMPTED, f"Table {number} is of prompting; figure3 shows fine-tuned runs")
    kept = df[df["kind"].isin(kinds)]
    if kept.empty:
        words = " and ".join(map(task_word, kinds))
        raise ValueError(f"Table {number} is about {words}, and none of these runs is")
    return kept


def table1(data: Data) -> Picture:
    """Table 1: prompting, on questions and on claims. Fine-tuned runs are left out: see figure3."""
    df = prompted(data, ("multihop", "claims"), 1)
    ran, theirs, told = set(df["method"]), paper.table(1), paper.settings()
    warning, df = caution(df), combined(df)
    made = set(df["method"]) - ran
    words = " The combinations are computed from the runs of ReAct and CoT-SC." if made else ""
    parts = {
        f"{task_word(kind)}\n{source_names(rows)}": beside(rates(rows, "method"), theirs, kind)
        for kind, rows in in_kinds(df)
    }
    on = " and ".join(told[kind]["benchmark"] for kind, _ in in_kinds(df))
    caption = (
        f"{warning}Table 1 with our runs: {about(df, PROMPTED)}{words} {BARS} Diamonds: "
        f"PaLM-540B on {on}. {OTHERS}"
    )
    return panels(parts, caption, paper.notes("table1"))


def table2(labels: pd.DataFrame, of: str = "") -> Picture:
    """Table 2: labels given by hand, a row a label: columns method (react, cot) and label.

    Shares of the successes and of the failures apart. of: for the caption, whose trajectories they
    are (model, setting, data set).
    """
    theirs = paper.table(2)
    given = labels.assign(label=labels["label"].map(as_mode))
    parts, counts = {}, []
    for method in ("react", "cot"):
        mine = given[given["method"] == method]
        parts[name_of(method)] = shares(mine, theirs, method)
        counts.append(f"{len(mine)} trajectories of {name_of(method)}")
    caption = (
        f"Table 2 with our labels: {' and '.join(counts)}{f', {of}' * bool(of)}, labelled by hand. "
        f"Shares are of the successes and of the failures apart. {BARS} Diamonds: the paper's 200 "
        "trajectories (50 right and 50 wrong of each method)."
    )
    return panels(parts, caption, paper.notes("table2"), unit="% of its group")


def as_mode(label: str) -> str:
    """`True_positive` -> `true positive`; a stranger's word is refused."""
    mode = str(label).strip().lower().replace("_", " ").replace("-", " ")
    known = list(paper.table(2).index)
    if mode not in known:
        raise ValueError(f"no label {plain(label)!r} in Table 2; there are: {', '.join(known)}")
    return mode


def shares(mine: pd.DataFrame, theirs: pd.DataFrame, method: str) -> pd.DataFrame:
    """A row a mode: its share of the labels of its group, success or failure."""
    import pandas as pd

    rows = []
    sizes = mine["label"].map(theirs["group"]).value_counts()
    for mode, line in theirs.iterrows():
        n, right = int(sizes.get(line["group"], 0)), int((mine["label"] == mode).sum())
        low, high = stats.wilson(right, n)
        rate = right / n if n else None
        rows.append({
            "label": f"{line['group']}: {mode}", "n": n, "right": right, "rate": rate,
            "low": low if n else None, "high": high if n else None, "paper": line[method],
        })  # fmt: skip
    return pd.DataFrame(rows).astype({"rate": float, "low": float, "high": float})


def table3(data: Data) -> Picture:
    """Table 3: household games by type. Best-of rows stand apart: no one trial had those types."""
    df = prompted(data, ("household",), 3, "type")
    told, theirs = paper.read("table3"), paper.table(3)
    types = told["types"]
    df = df.assign(game=[types.get(str(name).lower(), name) for name in df["type"]])
    average = theirs["best_of"].isna()
    theirs = theirs.assign(method=theirs["method"].where(average))  # ours is no best of several
    parts = {}
    for name in told["columns"]:
        rows = df if name == "All" else df[df["game"] == name]
        parts[name] = beside(rates(rows, "method"), theirs, name, also=df["method"])
    caption = caution(df) + (
        f"Table 3 with our runs: {about(df, PROMPTED)} {BARS} Diamonds: the paper, percent of 134 "
        "ALFWorld games; of its best-of rows every type is a best of its own."
    )
    return panels(parts, caption, paper.notes("table3"), numbers=False)


def table4(data: Data) -> Picture:
    """Table 4: shopping. The score is the mean reward; success is a reward of 1."""
    df = prompted(data, ("shop",), 4, "reward")
    theirs = paper.table(4)
    score = df.assign(correct=df["reward"].fillna(0).astype(float))  # without a purchase: nothing
    means = rates(score, "method", interval=stats.bootstrap)
    parts = {
        "Score": beside(means, theirs, "score"),
        "Success rate": beside(rates(df, "method"), theirs, "success"),
    }
    caption = caution(df) + (
        f"Table 4 with our runs: {about(df, PROMPTED)} Bars: 95% intervals, of the score by "
        f"bootstrap, of the success rate Wilson's. Diamonds: the paper, on WebShop. {OTHERS}"
    )
    return panels(parts, caption, paper.notes("table4"), unit="%")


def table5(data: Data) -> Picture:
    """Table 5: ReAct prompting, a row a model: the one picture where several models may stand."""
    df = prompted(data, ("multihop", "household"), 5)
    df = in_react(df)
    theirs = paper.table(5).assign(method=None)
    parts = {}
    for kind, rows in in_kinds(df):
        ours = rates(rows.assign(method=rows["model"].map(plain)), "method")
        parts[f"{task_word(kind)}\n{source_names(rows)}"] = beside(ours, theirs, kind)
    each = " ".join(about(rows, PROMPTED) for _, rows in df.groupby("model"))
    caption = (
        caution(df)
        + f"Table 5 with our runs, ReAct alone: {each} {BARS} Diamonds: the paper. {OTHERS}"
    )
    return panels(parts, caption, paper.notes("table5"), paper="the paper")


def in_react(df: pd.DataFrame) -> pd.DataFrame:
    kept = df[df["method"] == "react"]
    if kept.empty:
        raise ValueError("Table 5 compares models by ReAct, and none of these runs is of react")
    return kept
