"""Lesson 03: questions over several pages, and what a table of rates can tell (Table 1)."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from .. import display, score, teach
from ..methods import METHODS
from ..plots.picture import DARK
from ..stats import wilson
from ..types import Trajectory
from . import words
from .compared import kept

if TYPE_CHECKING:
    import pandas as pd

COLOURS = ("#D55E00", "#0072B2", "#555555")  # of Okabe and Ito, who chose them for the colour-blind


def nearly(runs: Iterable[Trajectory], most: int = 8) -> pd.DataFrame:
    """Answers that share words with the gold answer and are not it: EM says 0, F1 more."""
    import pandas as pd

    rows = {
        (run.answer, run.task.gold): score.f1(run.answer, run.task.gold)
        for run in runs
        if run.answer and run.task.gold and not score.correct(run)
    }
    found = [(answer, gold, 0, round(f1, 2)) for (answer, gold), f1 in rows.items() if f1 > 0]
    found.sort(key=lambda row: -row[-1])
    return pd.DataFrame(found[:most], columns=["answer", "gold answer", "EM", "F1"])


def by_type(df: pd.DataFrame) -> pd.DataFrame:
    """How many questions of each type each method has right, of those that it was asked."""
    right = df["correct"].astype(int).groupby([df["type"], df["method"]])
    told = right.sum().astype(str) + " of " + right.count().astype(str)
    table = told.unstack("method", fill_value="–").rename_axis(index=None, columns=None)
    return table[[method for method in METHODS if method in table]]


def walk(right: Sequence[bool]) -> list[tuple[int, float, float, float]]:
    """After each task: how many were tried, the rate so far, and the ends of its 95% interval."""
    counts = enumerate(accumulate(map(int, right)), 1)
    return [(n, count / n, *wilson(count, n)) for n, count in counts]


def settling(df: pd.DataFrame, methods: Sequence[str] = ("react", "cot")) -> teach.Interactive:
    """The rates after 1, 2, 3 ... tasks with their intervals; a slider shuffles the tasks."""
    import ipywidgets

    wide = df[df["method"].isin(methods)].pivot(index="task", columns="method", values="correct")
    wide = wide.dropna().astype(bool)
    picture = teach.exercises.image(
        "The rates after each task, with intervals", layout={"max_width": "660px"}
    )
    slider = teach.exercises.slider("shuffle", 1, 1, 20)

    def walks(seed: int = 0) -> dict[str, list[tuple[int, float, float, float]]]:
        order = random.Random(seed or slider.value).sample(range(len(wide)), len(wide))
        return {method: walk(wide[method].iloc[order].tolist()) for method in methods}

    top = highest(walks(seed) for seed in range(1, 21))  # it stands still under the slider

    def draw(_: Any = None) -> None:
        picture.png = drawn(walks(), top)

    slider.observe(draw, names="value")
    draw()
    box = ipywidgets.VBox([slider, picture, ipywidgets.HTML(DARK)])
    return teach.Interactive(box, in_words(walks()))


def highest(shuffles: Iterable[Mapping[str, list[tuple[int, float, float, float]]]]) -> int:
    """Where the axis ends, in %: the first ten tasks, whose bands reach far, may leave it."""
    found = (each[-1] for walks in shuffles for points in walks.values() for each in points[9:])
    return min(100, 10 * math.ceil(10 * max(found, default=1)))


def drawn(walks: Mapping[str, list[tuple[int, float, float, float]]], top: int) -> bytes:
    """One line per method, its interval a band."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.3), layout="constrained")
    ax = figure.subplots()
    for (method, points), colour in zip(walks.items(), COLOURS, strict=False):
        tried, *rates = zip(*points, strict=True)
        rate, low, high = ([100 * each for each in column] for column in rates)
        ax.fill_between(tried, low, high, color=colour, alpha=0.2, lw=0)
        ax.plot(tried, rate, color=colour, label=method)
    ax.set(xlabel="tasks so far", ylabel="% correct", ylim=(0, top), xlim=(1, len(points)))
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    return kept(figure)


def in_words(walks: Mapping[str, list[tuple[int, float, float, float]]]) -> display.Page:
    """The rates after 10, 30, 100 and all tasks, for where no slider moves."""
    rows = [
        f"{method}, {n} tasks: {rate:.0%} ({low:.0%} to {high:.0%})"
        for method, points in walks.items()
        for n, rate, low, high in points
        if n in (10, 30, 100, len(points))
    ]
    return display.note("Rates so far, with 95% intervals", "\n".join(rows))


def lesson() -> teach.Lesson:
    """The exercises and the questions, made afresh."""
    return words.lesson_of("03", CHECKS)


ANSWERS = (
    ("vitus bering", "vitus bering"),
    ("bering", "vitus bering"),
    ("captain vitus bering of denmark", "vitus bering"),
    ("the isle of man man", "isle of man"),
    ("sitka", "vitus bering"),
    ("", "sitka"),
)


def overlap(answer: Any) -> str | None:
    """The check of 3.1: F1 to a thousandth."""
    if not callable(answer):
        return "This exercise asks for a function."
    for ours, gold in ANSWERS:
        got, wanted = answer(ours, gold), plain_f1(ours, gold)
        if got is ...:
            return teach.UNDONE
        if not isinstance(got, int | float) or abs(got - wanted) > 1e-3:
            return f"For {ours!r} and {gold!r} it gave {teach.short(got)}, not {wanted:.3f}."
    return None


def plain_f1(answer: str, gold: str) -> float:
    """By words as they stand: `score.f1` would drop articles first."""
    ours, theirs = answer.split(), gold.split()
    same = sum(min(ours.count(word), theirs.count(word)) for word in set(ours))
    return 2 * same / (len(ours) + len(theirs)) if same else 0.0


CHECKS: Mapping[str, teach.Check] = {
    "3.1": overlap,
    "3.2": teach.cases(((0.3, 0.4), 20), ((0.3, 0.2), 80), ((0.3, 0.1), 320), ((0.05, 0.1), 90)),
    "3.3": teach.cases(
        (({"t1": True, "t2": True, "t3": False}, {"t1": True, "t2": False, "t3": False}), (1, 0)),
        (({"t1": False, "t2": True}, {"t1": True, "t2": False}), (1, 1)),
        (({"t1": True, "t2": True, "t9": True}, {"t1": False, "t2": False}), (2, 0)),
        (({"t1": False}, {"t1": True, "t9": True}), (0, 1)),
        (({}, {"t1": True}), (0, 0)),
    ),
}
