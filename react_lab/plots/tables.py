"""Tables 1 and 5: our rates with their intervals, the paper's numbers beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis import paper
from ..score import FINE_TUNED, PROMPTED
from .backoff import combined
from .picture import Picture, plain
from .rates import (
    RunsOrFrame,
    about,
    beside,
    caution,
    graded,
    in_kinds,
    in_setting,
    panels,
    rates,
    source_names,
    task_word,
)

if TYPE_CHECKING:
    import pandas as pd

BARS = "Bars: 95% Wilson intervals."
OTHERS = "Other tasks and another model than the paper's: compare the order, not the height."
ANOTHER = "Another model than the paper's: compare the order, not the height."
PUBLISHED = ("hotpotqa", "fever")  # how the source of the paper's own tasks begins


def prompted(data: RunsOrFrame, kinds: tuple[str, ...], number: int, *needs: str) -> pd.DataFrame:
    """The prompted runs of these kinds of task: what the paper's tables are about."""
    df = graded(data, "model", "source", "end", "calls", *needs)
    df = in_setting(df, PROMPTED, f"Table {number} is of prompting; figure3 shows fine-tuned runs")
    return of_kinds(df, kinds, number)


def of_kinds(df: pd.DataFrame, kinds: tuple[str, ...], number: int) -> pd.DataFrame:
    kept = df[df["kind"].isin(kinds)]
    if kept.empty:
        words = " and ".join(map(task_word, kinds))
        raise ValueError(f"Table {number} is about {words}, and none of these runs is")
    return kept


def table1(data: RunsOrFrame) -> Picture:
    """Table 1: prompting, on questions and on claims. Beside prompted runs, others are left out.

    Where none is prompted, the fine-tuned ones are shown, and the caption says so.
    """
    kinds, setting, words = ("multihop", "claims"), PROMPTED, ""
    df = graded(data, "model", "source", "end", "calls")
    if not (df["setting"] == PROMPTED).any() and (df["setting"] == FINE_TUNED).any():
        df, setting = of_kinds(df[df["setting"] == FINE_TUNED], kinds, 1), FINE_TUNED
        words = " CAREFUL: the paper's Table 1 is of prompting, and none of these runs is prompted."
    else:
        df = prompted(df, kinds, 1)
    ran, theirs, settings = set(df["method"]), paper.table(1), paper.settings()
    warning, df = caution(df), combined(df)
    made = set(df["method"]) - ran
    words += " The combinations are computed from the runs of ReAct and CoT-SC." if made else ""
    parts = {
        f"{task_word(kind)}\n{source_names(rows)}": beside(rates(rows, "method"), theirs, kind)
        for kind, rows in in_kinds(df)
    }
    on = " and ".join(settings[kind]["benchmark"] for kind, _ in in_kinds(df))
    caption = (
        f"{warning}Table 1 with our runs: {about(df, setting)}{words} {BARS} Diamonds: "
        f"PaLM-540B on {on}. {ANOTHER if same_tasks(df) else OTHERS}"
    )
    return panels(parts, caption, paper.notes("table1"))


def same_tasks(df: pd.DataFrame) -> bool:
    """Are these tasks of the benchmarks that the paper has?"""
    return bool(df["source"].astype(str).str.startswith(PUBLISHED).all())


def table5(data: RunsOrFrame) -> Picture:
    """Table 5: ReAct prompting, one row per model: only here may several models stand."""
    df = prompted(data, ("multihop", "household"), 5)
    df = df[df["method"] == "react"]
    if df.empty:
        raise ValueError("Table 5 compares models by ReAct, and none of these runs is of react")
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
