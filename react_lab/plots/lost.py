"""Why games are lost and purchases fall short: the share of each cause, by method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap

from .. import stats
from ..analysis import paper
from ..kinds import KINDS, load
from ..score import NO_MODEL
from ..types import Trajectory, World
from .backoff import combined
from .picture import Picture, canvas, drawing, plain, written
from .rates import (
    RunsOrFrame,
    about,
    by_wilson,
    caution,
    graded,
    in_kinds,
    in_order,
    in_sources,
    key,
    name_of,
    one_setting,
    only,
    panels,
    source_names,
    task_word,
)

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
    df = graded(df, "model", "source", "end", "cause", "steps")
    df = df[df["kind"] == kind]
    setting = one_setting(df)
    if setting != NO_MODEL:
        df = df[df["setting"] != NO_MODEL]
    df = df.assign(became=df["cause"].where(df["correct"] < 1, WON).fillna(UNKNOWN))
    parts = by_method(in_sources(df))
    names = [name for name in (WON, *of.CAUSES, UNKNOWN) if (df["became"] == name).any()]
    table = pd.DataFrame(list(rows_of(parts, names)))
    one = task_word(kind).rpartition(" ")[2].removesuffix("s")  # games: a game
    meanings = "\n".join(f"{name}: {of.CAUSES[name]}" for name in names if name in of.CAUSES)
    caption = (
        f"{caution(df)}What became of {task_word(kind)}: {about(df, setting)} Shares are of all "
        f"{one}s of a method, with 95% Wilson intervals; n: how many they are. Every lost {one} "
        f"has one cause, the first of this list that fits what was done:\n{meanings}"
    )
    forests = {
        f"{method}\n{source}": pd.DataFrame({
            "label": rows["what became of it"], "rate": rows["%"] / 100, "low": rows["from"] / 100,
            "high": rows["to"] / 100, "n": rows["runs"], "paper": float("nan"),
        })
        for (source, method), rows in table.groupby(["games", "method"], sort=False)
    }  # fmt: skip
    drawn = panels(forests, caption, unit=f"% of its {one}s", down=len(forests) > 2)
    return replace(drawn, tables={"causes": table})


MethodParts = list[tuple[str, str, "pd.DataFrame"]]  # a source or a kind, a method, its runs


def by_method(parts: Iterable[tuple[str, pd.DataFrame]]) -> MethodParts:
    return [
        (name, method, rows[rows["method"] == method])
        for name, rows in parts for method in in_order(set(rows["method"]))
    ]  # fmt: skip


def rows_of(parts: MethodParts, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """One row per source, method and cause; a game that was played often counts by its mean."""
    for source, method, runs in parts:
        lost = int((runs["became"] != WON).sum())
        for name in names:
            hit = (runs["became"] == name).astype(float)
            means = hit.groupby(runs["task"]).mean()
            low, high = by_wilson(means.tolist())
            share = round(100 * hit.sum() / lost, 1) if lost and name != WON else None
            yield {
                "games": source, "method": name_of(method), "what became of it": name,
                "runs": int(hit.sum()), "of": len(runs), "%": round(100 * float(means.mean()), 1),
                "from": round(100 * low, 1), "to": round(100 * high, 1), "% of the lost": share,
            }  # fmt: skip


# ------------------------------------------------------------------ outcomes

RIGHT, WRONG, SILENT, FAULT = "right", "wrong", "no answer", "fault"
COLOURS = {RIGHT: "#0072B2", WRONG: "#C9CED3", SILENT: "#FFFFFF", FAULT: "#D55E00"}
IN_GRID = {**COLOURS, SILENT: "#F7E8C8"}  # without a frame white would be the page
UNASKED: dict[str, Any] = {"hatch": "////", "edgecolor": "#B8BEC4"}
FINE = 60  # columns: gaps between more of them would be a bar code
ENDS = {"finished": "", "env_error": FAULT, "error": FAULT, "budget": FAULT, "cancelled": FAULT}


def what_became(df: pd.DataFrame) -> list[str]:
    """What became of each run, in a word."""
    ends = zip(df["correct"], df["end"], strict=True)
    return [RIGHT if right else ENDS.get(end, SILENT) or WRONG for right, end in ends]


def boxes(there: Iterable[str], colours: dict[str, str]) -> dict[str, dict[str, Any]]:
    """What the colours that are there mean."""
    return {name: {"fc": colours[name], "ec": "#555555"} for name in colours if name in set(there)}


def steps(data: RunsOrFrame) -> Picture:
    """Steps to the answer of the methods that act, and the share of right runs at the limit."""
    df = graded(data, "model", "source", "end", "steps", "max_steps")
    none = "steps are of the methods that act, and none of these runs is of one"
    setting, df = one_setting(df), only(df, df["method"].isin(("act", "react", "react-im")), none)
    df = df.assign(outcome=what_became(df))
    parts = by_method(in_kinds(df))
    limits, words = at_the_limit(parts), []
    for row in limits.to_dict("records"):
        theirs = f"; the paper {row['paper %']:.2f}%" if (row["paper %"] or 0) > 0 else ""
        words.append(f"{row['method']} on {row['tasks']}: {row['at the limit']} of {row['right']} "
                     f"({row['from']:.0f} to {row['to']:.0f}%{theirs})")  # fmt: skip
    caption = (
        f"{caution(df)}Steps to the answer: {about(df, setting)} Dashed: the step limit. Thin "
        "bars: 95% Wilson intervals of all runs with that many steps. Of the right runs, those "
        f"that took every step allowed: {', '.join(words)}."
    )
    counts = [
        {"tasks": task_word(kind), "method": name_of(method), "steps": step,
         **{name: int((some["outcome"] == name).sum()) for name in COLOURS}}
        for kind, method, runs in parts for step, some in runs.groupby("steps")
    ]  # fmt: skip
    with drawing():
        figure, axes = canvas(len(parts), 1.2 + 3.9 * len(parts), 4.8, sharey=True)
        for ax, (kind, method, rows) in zip(axes, parts, strict=True):
            draw_steps(ax, rows)
            ax.set_title(f"{name_of(method)}\n{task_word(kind)}")
        axes[0].set_ylabel("% of the runs")
        key(figure, boxes(df["outcome"], COLOURS))
        written(figure, caption)
    return Picture(figure, caption, {"correct at the limit": limits, "steps": pd.DataFrame(counts)})


def at_the_limit(parts: MethodParts) -> pd.DataFrame:
    """Of the right runs, the share that took every step they had: would more steps help?"""
    settings, rows = paper.settings(), []
    for kind, method, runs in parts:
        right = runs[runs["correct"] == 1]
        last = int((right["steps"] == right["max_steps"]).sum())
        low, high = stats.wilson(last, len(right))
        share = last / len(right) if len(right) else float("nan")
        numbers = [round(100 * number, 1) for number in (share, low, high)]
        theirs = settings.get(kind, {}).get("correct_at_the_limit") if method == "react" else None
        rows.append([task_word(kind), name_of(method), len(right), last, *numbers, theirs])
    names = ["tasks", "method", "right", "at the limit", "%", "from", "to", "paper %"]
    return pd.DataFrame(rows, columns=names)


def draw_steps(ax: Axes, runs: pd.DataFrame) -> None:
    """One bar per number of steps, stacked by what became of the runs; the limit is a line."""
    n = len(runs)
    for step in sorted(set(map(int, runs["steps"]))):
        outcomes, base = list(runs.loc[runs["steps"] == step, "outcome"]), 0.0
        for name, colour in COLOURS.items():
            share = 100 * outcomes.count(name) / n
            ax.bar(step, share, bottom=base, color=colour, edgecolor="#555555", lw=0.8, width=0.8)
            base += share
        low, high = stats.wilson(len(outcomes), n)
        ax.vlines(step, 100 * low, 100 * high, color="#222222", lw=1.5)
    limit = runs["max_steps"].max()
    if limit == limit:
        ax.axvline(limit + 0.5, color="#222222", lw=1, ls="--")
        ax.set_xlim(0.4, limit + 0.7)
        ax.set_xticks(range(1, int(limit) + 1))
    ax.set_xlabel("steps to the end")
    ax.grid(axis="x", visible=False)


def grid(data: RunsOrFrame) -> Picture:
    """Which method got what: one column per task, the ones that most methods got at the left."""
    df = graded(data, "model", "source", "end")
    setting, warning, df = one_setting(df), caution(df), combined(df)
    parts = {kind: wide(rows) for kind, rows in in_kinds(df)}
    gaps = any(part.isna().to_numpy().any() for part in parts.values())
    caption = (
        f"{warning}Which method got what: {about(df, setting)} A column is a question, those "
        "that most methods have right at the left; at the right end of a row its % right, with the "
        f"95% Wilson interval.{' Hatched: not asked.' if gaps else ''}"
    )
    with drawing():
        heights = [len(part) for part in parts.values()]
        tall = 1.6 + 0.9 * len(parts) + 0.5 * sum(heights)
        figure, axes = canvas(1, 9.5, tall, rows=len(parts), height_ratios=heights)
        for ax, (kind, part) in zip(axes, parts.items(), strict=True):
            draw_grid(ax, part)
            ax.set_title(f"{task_word(kind)}, {source_names(df[df['kind'] == kind])}")
        unasked = {"not asked": {"fc": "#FFFFFF", **UNASKED}} if gaps else {}
        key(figure, boxes(what_became(df), IN_GRID) | unasked)
        written(figure, caption)
    tables = {task_word(kind): part.T.reset_index() for kind, part in parts.items()}
    return Picture(figure, caption, tables)


def wide(df: pd.DataFrame) -> pd.DataFrame:
    """Methods down, tasks across, easiest first; of repeats, the first run."""
    df = df.assign(outcome=what_became(df)).drop_duplicates(["method", "task"])
    part = df.pivot(index="method", columns="task", values="outcome")
    part = part.loc[in_order(part.index)]
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
