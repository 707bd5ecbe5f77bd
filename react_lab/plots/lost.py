"""Why games are lost and purchases fall short: the share of each cause, by method."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap

from .. import stats
from ..analysis import paper
from ..kinds import KINDS, load
from ..score import NO_MODEL
from ..types import Trajectory, World
from . import rates
from .backoff import combined
from .picture import Picture, plain, sheet
from .rates import RunsOrFrame, name_of, task_word

WON, UNKNOWN = "won", "no cause known"


def failures(data: RunsOrFrame, world: World | None = None) -> Picture:
    """What became of household games, or of shopping goals: won, or the one main cause why not.

    data: runs, whose acts are done again in their world; or a frame that has their causes already.
    world: where the tasks of runs are found; None is the bundled world.
    """
    if framed := isinstance(data, pd.DataFrame):
        there = set(data["kind"]) if "kind" in data else set()
    else:
        data = [data] if isinstance(data, Trajectory) else list(data)
        there = {run.task.kind for run in data}
    known = [name for name, kind in KINDS.items() if kind.causes]
    found, nouns = [name for name in known if name in there], " and ".join(map(task_word, known))
    if len(found) > 1:
        raise ValueError(f"{nouns} are lost for different causes: draw one kind at a time")
    if not found:
        raise ValueError(f"these causes are of {nouns}, and none of these runs is of one")
    kind, of = found[0], load(KINDS[found[0]].causes)
    df = data if framed else of.causes([run for run in data if run.task.kind == kind], world)
    df = rates.graded(df, "model", "source", "end", "cause", "steps")
    df = df[df["kind"] == kind]
    setting = rates.one_setting(df)
    if setting != NO_MODEL:
        df = df[df["setting"] != NO_MODEL]
    df = df.assign(became=df["cause"].where(df["correct"] < 1, WON).fillna(UNKNOWN))
    names = [name for name in (WON, *of.CAUSES, UNKNOWN) if (df["became"] == name).any()]
    one = task_word(kind).rpartition(" ")[2].removesuffix("s")  # games: a game
    meanings = "\n".join(f"{name}: {of.CAUSES[name]}" for name in names if name in of.CAUSES)
    caption = (
        f"{rates.caution(df)}What became of {task_word(kind)}: {rates.about(df, setting)} "
        f"Shares are of all {one}s of a method, with 95% Wilson intervals; n: how many they are. "
        f"Every lost {one} has one cause, the first of this list that fits what was done:\n"
        f"{meanings}"
    )
    forests = {}
    for source, rows in rates.in_sources(df):
        for method in rates.in_order(set(rows["method"])):
            mine = rows[rows["method"] == method]
            hits = [(mine["became"] == name).astype(float) for name in names]
            shares = pd.concat([rates.of_methods(mine.assign(correct=hit)) for hit in hits])
            counts = [int(hit.sum()) for hit in hits]
            told = shares[["rate", "low", "high"]].assign(label=names, n=counts, paper=math.nan)
            forests[f"{name_of(method)}\n{source}"] = told
    return rates.panels(forests, caption, unit=f"% of its {one}s", down=len(forests) > 2)


# ------------------------------------------------------------------ outcomes

RIGHT, WRONG, SILENT, FAULT = "right", "wrong", "no answer", "fault"
COLOURS = {RIGHT: "#0072B2", WRONG: "#C9CED3", SILENT: "#FFFFFF", FAULT: "#D55E00"}
IN_GRID = {**COLOURS, SILENT: "#F7E8C8"}  # without a frame white would be the page
UNASKED: dict[str, Any] = {"hatch": "////", "edgecolor": "#B8BEC4"}
FINE = 60  # columns: gaps between more of them would be a bar code
ENDS = {"finished": "", "env_error": FAULT, "error": FAULT, "budget": FAULT, "cancelled": FAULT}


def what_became(df: pd.DataFrame) -> list[str]:
    ends = zip(df["correct"], df["end"], strict=True)
    return [RIGHT if right else ENDS.get(end, SILENT) or WRONG for right, end in ends]


def boxes(there: Iterable[str], colours: dict[str, str]) -> dict[str, dict[str, Any]]:
    return {name: {"fc": colours[name], "ec": "#555555"} for name in colours if name in set(there)}


def steps(data: RunsOrFrame) -> Picture:
    """Steps to the answer of the methods that act, and the share of right runs at the limit."""
    df = rates.graded(data, "model", "source", "end", "steps", "max_steps")
    none = "steps are of the methods that act, and none of these runs is of one"
    setting = rates.one_setting(df)
    df = rates.only(df, df["method"].isin(("act", "react", "react-im")), none)
    df = df.assign(outcome=what_became(df))
    parts = [
        (kind, method, rows[rows["method"] == method])
        for kind, rows in rates.in_kinds(df) for method in rates.in_order(set(rows["method"]))
    ]  # fmt: skip
    limits = pd.DataFrame([at_the_limit(*part) for part in parts])
    words = []
    for row in limits.to_dict("records"):
        theirs = f"; the paper {row['paper %']:.2f}%" if (row["paper %"] or 0) > 0 else ""
        words.append(f"{row['method']} on {row['tasks']}: {row['at the limit']} of {row['right']} "
                     f"({row['from']:.0f} to {row['to']:.0f}%{theirs})")  # fmt: skip
    caption = (
        f"{rates.caution(df)}Steps to the answer: {rates.about(df, setting)} Dashed: the step "
        "limit. Thin bars: 95% Wilson intervals of all runs with that many steps. Of the right "
        f"runs, those that took every step allowed: {', '.join(words)}."
    )
    counts = []
    with sheet(caption, len(parts), 1.2 + 3.9 * len(parts), 4.8, sharey=True) as (figure, axes):
        for ax, (kind, method, rows) in zip(axes, parts, strict=True):
            counted = pd.crosstab(rows["steps"], rows["outcome"])
            counted = counted.reindex(columns=[*COLOURS], fill_value=0)
            draw_steps(ax, counted, rows["max_steps"].max())
            ax.set_title(f"{name_of(method)}\n{task_word(kind)}")
            names = {"tasks": task_word(kind), "method": name_of(method)}
            counts.append(pd.DataFrame(names, counted.index).join(counted).reset_index())
        axes[0].set_ylabel("% of the runs")
        rates.key(figure, boxes(df["outcome"], COLOURS))
    tables = {"correct at the limit": limits, "steps": pd.concat(counts, ignore_index=True)}
    return Picture(figure, caption, tables)


def at_the_limit(kind: str, method: str, runs: pd.DataFrame) -> dict[str, Any]:
    """Of the right runs, the share that took every step they had: would more steps help?"""
    right = runs[runs["correct"] == 1]
    last = int((right["steps"] == right["max_steps"]).sum())
    low, high = stats.wilson(last, len(right))
    share = last / len(right) if len(right) else float("nan")
    theirs = paper.settings().get(kind, {}).get("correct_at_the_limit")
    return {
        "tasks": task_word(kind), "method": name_of(method), "right": len(right),
        "at the limit": last, "%": round(100 * share, 1), "from": round(100 * low, 1),
        "to": round(100 * high, 1), "paper %": theirs if method == "react" else None,
    }  # fmt: skip


def draw_steps(ax: Axes, counted: pd.DataFrame, limit: float) -> None:
    """One bar per number of steps, stacked by what became of the runs; the limit is a line."""
    n, base = counted.to_numpy().sum(), 0.0 * counted.iloc[:, 0]
    for name, colour in COLOURS.items():
        share = 100 * counted[name] / n
        ax.bar(counted.index, share, 0.8, base, color=colour, edgecolor="#555555", lw=0.8)
        base = base + share
    for step, hits in zip(counted.index, counted.sum(axis=1), strict=True):
        low, high = stats.wilson(hits, n)
        ax.vlines(step, 100 * low, 100 * high, color="#222222", lw=1.5)
    if limit == limit:
        ax.axvline(limit + 0.5, color="#222222", lw=1, ls="--")
        ax.set_xlim(0.4, limit + 0.7)
        ax.set_xticks(range(1, int(limit) + 1))
    ax.set_xlabel("steps to the end")
    ax.grid(axis="x", visible=False)


def grid(data: RunsOrFrame) -> Picture:
    """Which method got what: one column per task, the ones that most methods got at the left."""
    df = rates.graded(data, "model", "source", "end")
    setting, warning, df = rates.one_setting(df), rates.caution(df), combined(df)
    parts = {kind: wide(rows) for kind, rows in rates.in_kinds(df)}
    gaps = any(part.isna().to_numpy().any() for part in parts.values())
    caption = (
        f"{warning}Which method got what: {rates.about(df, setting)} A column is a question, those "
        "that most methods have right at the left; at the right end of a row its % right, with the "
        f"95% Wilson interval.{' Hatched: not asked.' if gaps else ''}"
    )
    heights = [len(part) for part in parts.values()]
    tall = 1.6 + 0.9 * len(parts) + 0.5 * sum(heights)
    with sheet(caption, 1, 9.5, tall, len(parts), height_ratios=heights) as (figure, axes):
        for ax, (kind, part) in zip(axes, parts.items(), strict=True):
            draw_grid(ax, part)
            ax.set_title(f"{task_word(kind)}, {rates.source_names(df[df['kind'] == kind])}")
        unasked = {"not asked": {"fc": "#FFFFFF", **UNASKED}} if gaps else {}
        rates.key(figure, boxes(what_became(df), IN_GRID) | unasked)
    tables = {task_word(kind): part.T.reset_index() for kind, part in parts.items()}
    return Picture(figure, caption, tables)


def wide(df: pd.DataFrame) -> pd.DataFrame:
    """Methods down, tasks across, easiest first; of repeats, the first run."""
    df = df.assign(outcome=what_became(df)).drop_duplicates(["method", "task"])
    part = df.pivot(index="method", columns="task", values="outcome")
    part = part.loc[rates.in_order(part.index)]
    right = part == RIGHT
    order = sorted(part.columns, key=lambda task: (-right[task].sum(), *~right[task], task))
    part = part[order]
    part.index = part.index.map(name_of)
    return part


def draw_grid(ax: Axes, part: pd.DataFrame) -> None:
    names, tasks = list(IN_GRID), list(part.columns)
    codes = part.map(lambda name: names.index(name) if name in names else float("nan"))
    colours = ListedColormap(list(IN_GRID.values()))
    ax.patch.set(**UNASKED)  # seen where a method was not asked
    gaps: dict[str, Any] = {"edgecolors": "#FFFFFF", "lw": 0.4} if len(tasks) <= FINE else {}
    ax.pcolormesh(codes.to_numpy(float), cmap=colours, vmin=-0.5, vmax=3.5, **gaps)
    ax.hlines(range(1, len(part)), 0, len(tasks), color="#FFFFFF", lw=2)
    how: dict[str, Any] = {"va": "center", "transform": ax.get_yaxis_transform()}
    for y, row in enumerate(part.to_numpy(), 1):
        outcomes = [name for name in row if name in names]
        right, n = outcomes.count(RIGHT), len(outcomes)
        low, high = stats.wilson(right, n)
        ax.text(1.01, y - 0.5, f"{right / n:.0%}", size=13, **how)
        interval = f"({100 * low:.0f}–{100 * high:.0f})"
        ax.text(1.1, y - 0.5, interval, size=12, color="#666666", **how)
    named = tasks if len(tasks) <= 24 else []  # more would not be read
    ax.set_xticks([x + 0.5 for x in range(len(named))])
    ax.set_xticklabels([plain(task, 20) for task in named], rotation=60, ha="right", size=11)
    ax.set_yticks([y + 0.5 for y in range(len(part))], list(part.index))
    ax.invert_yaxis()
    ax.grid(visible=False)
    ax.spines[:].set_visible(True)
    ax.tick_params(length=0)
