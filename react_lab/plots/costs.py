"""Accuracy against what it takes: calls, tokens, seconds; exemplars."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..kinds import kind_of
from .backoff import combined
from .looks import above, look_of, whiskers
from .picture import Picture, canvas, drawing, written
from .rows import (
    PROMPTED,
    RunsOrFrame,
    about,
    caution,
    graded,
    in_kinds,
    in_order,
    in_setting,
    name_of,
    one_setting,
    rates,
    table_of,
    task_word,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["cost", "exemplars", "per_task"]

SPENT = {"calls": "model calls", "tokens": "tokens", "seconds": "seconds"}


def cost(data: RunsOrFrame, by: str = "calls") -> Picture:
    """Accuracy against what a task costs: by="calls", "tokens" or "seconds"."""
    if by not in SPENT:
        raise ValueError(f"by={by!r}: what a task costs is counted in calls, tokens or seconds")
    df = graded(data, "model", "source", "end", "calls")
    setting, warning, df = one_setting(df), caution(df), combined(df)
    if by == "tokens":
        df = df.assign(tokens=df["tokens_in"].astype(float) + df["tokens_out"].astype(float))
    parts = {kind: with_cost(rows, by) for kind, rows in in_kinds(df)}
    names = " and ".join(per_task(kind, by) for kind in parts)
    caption = (
        f"{warning}Accuracy against cost: {about(df, setting)} Cost: {names}, the mean; "
        "every line to the right doubles it, and equal costs stand side by side. "
        "Bars: 95% Wilson intervals."
    )
    tables = {task_word(k): cost_table(rows, by, per_task(k, by)) for k, rows in parts.items()}
    picture = side_by_side(parts, caption, tables, lambda ax, rows: draw_cost(ax, rows, by))
    for ax, kind in zip(picture.figure.axes, parts, strict=True):
        ax.set_xlabel(per_task(kind, by))
    return picture


def per_task(kind: str, by: str = "calls") -> str:
    """`model calls per question`: what a cost is called."""
    opener = kind_of(kind).opener
    return f"{SPENT[by]} per {opener.lower() if opener.isascii() else 'question'}"


def side_by_side(
    parts: dict[str, pd.DataFrame],
    caption: str,
    tables: dict[str, pd.DataFrame],
    draw: Callable[[Axes, pd.DataFrame], Any],
) -> Picture:
    """One panel per kind of task, on one scale."""
    with drawing():
        figure, axes = canvas(len(parts), 2 + 5.4 * len(parts), 5.2, sharey=True)
        for ax, (kind, rows) in zip(axes, parts.items(), strict=True):
            draw(ax, rows)
            ax.set_title(task_word(kind))
        axes[0].set_ylim(bottom=0)  # after all panels: it fixes the scale that they share
        axes[0].set_ylabel("% correct")
        above(figure, axes, 4)
        written(figure, caption)
    return Picture(figure, caption, tables)


def with_cost(df: pd.DataFrame, by: str) -> pd.DataFrame:
    """Rates in the paper's order with the mean cost: missing as soon as one run's is unknown."""
    spent = df.groupby("method")[by].agg(lambda costs: costs.astype(float).mean(skipna=False))
    rows = rates(df, "method").set_index("method").loc[in_order(set(df["method"]))].reset_index()
    return rows.assign(**{by: rows["method"].map(spent)})


def cost_table(rows: pd.DataFrame, by: str, name: str) -> pd.DataFrame:
    table = table_of(rows.drop(columns="calls"), method=rows["method"].map(name_of))
    return table.assign(**{name: rows[by].round(1)})


def draw_cost(ax: Axes, rows: pd.DataFrame, by: str) -> None:
    last = 0.0
    for row in rows[rows[by] > 0].sort_values(by).to_dict("records"):
        colour, mark, _ = look_of(row["method"])
        last = x = max(row[by], last * 1.1)  # two of one cost stand side by side
        ax.vlines([x], 100 * row["low"], 100 * row["high"], color=colour, lw=2)
        ax.plot([x], [100 * row["rate"]], mark, color=colour, ms=12, label=name_of(row["method"]))
    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_formatter("{x:g}")


ALL = "all"  # of the exemplar file, however many it has


def exemplars(data: RunsOrFrame) -> Picture:
    """A sweep of `shots`: accuracy against exemplars in the prompt, one line per method."""
    df = graded(data, "model", "source", "end", "calls", "shots")
    df = in_setting(df, PROMPTED, "a fine-tuned model is asked without exemplars")
    df = df.assign(
        shots=[ALL if shots != shots else int(shots) for shots in df["shots"].astype(float)]
    )
    parts = {kind: swept(rows) for kind, rows in in_kinds(df)}
    caption = (
        f"{caution(df)}A sweep over the number of exemplars: {about(df, PROMPTED)} "
        "Bars: 95% Wilson intervals."
    )
    tables = {
        task_word(kind): table_of(rows, method=rows["method"].map(name_of), exemplars=rows["shots"])
        for kind, rows in parts.items()
    }
    return side_by_side(parts, caption, tables, draw_sweep)


def swept(df: pd.DataFrame) -> pd.DataFrame:
    """Rates by method and number of exemplars, from few to all."""
    import pandas as pd

    found = sorted(set(df["shots"]), key=lambda shots: (shots == ALL, shots))
    parts = [
        rates(df[df["method"] == method], "shots").assign(method=method)
        for method in in_order(df["method"])
    ]
    whole = pd.concat(parts).assign(at=lambda rows: rows["shots"].map(found.index))
    return whole.sort_values("at", kind="stable").reset_index(drop=True)


def draw_sweep(ax: Axes, rows: pd.DataFrame) -> None:
    for i, (method, line) in enumerate(rows.groupby("method", sort=False)):
        colour, mark, dashes = look_of(str(method))
        aside, name = 0.06 * i, name_of(str(method))
        x, y = line["at"] + aside, 100 * line["rate"]
        ax.plot(x, y, dashes, color=colour, marker=mark, label=name)
        whiskers(ax, line, "at", colour, aside)
    ticks = rows.drop_duplicates("at").sort_values("at")
    ax.set_xticks(ticks["at"], ticks["shots"].map(str))
    ax.set_xlabel("exemplars in the prompt")
