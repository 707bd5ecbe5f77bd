"""Lesson 03: questions over several pages, and what a table of rates can tell (Table 1)."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from .. import display, score, teach
from ..languages import spoken
from ..methods import METHODS
from ..plots.picture import DARK, Picture
from ..plots.rates import name_of, stacked
from ..stats import wilson
from ..types import Trajectory
from . import words
from .compared import kept, left

if TYPE_CHECKING:
    import pandas as pd

COLOURS = ("#D55E00", "#0072B2", "#555555")  # of Okabe and Ito, who chose them for the colour-blind
NOT_TOLD = "NOT ENOUGH INFO"
CHOSEN = "multihop-dev-321"  # two pages, read by ReAct; CoT makes both up
BECAME = {  # what becomes of a run: its colour, and its pattern for who sees no colours
    "right": {"color": "#0072B2"},
    "wrong": {"color": "#C9CED3"},
    "gave up": {"color": "#F2C46D", "hatch": "//"},
    "no answer": {"color": "#FFFFFF", "hatch": ".."},
}
Walk = list[tuple[int, float, float, float]]
said = partial(words.said, "03")


# ---------------------------------------------------------------------- what became of the runs


def became(answer: object, right: bool) -> str:
    if right or not isinstance(answer, str):
        return "right" if right else "no answer"
    return "gave up" if answer == NOT_TOLD else "wrong"


def outcomes(df: pd.DataFrame) -> Picture:
    """Each method's runs: right, wrong, given up, or out of steps."""
    import pandas as pd

    ends = [became(*row) for row in zip(df["answer"], df["correct"].astype(bool), strict=True)]
    counts = pd.crosstab(df["method"], pd.Series(ends, index=df.index))
    counts = counts.reindex(columns=[*BECAME], fill_value=0)
    counts = counts.loc[[method for method in METHODS if method in counts.index]]
    asked = counts.sum(axis=1)
    fewer = [
        said("fewer", method=name_of(str(m)), n=n) for m, n in asked.items() if n < asked.max()
    ]
    caption = "".join([said("became", n=asked.max()), *fewer])
    named = counts.set_axis([name_of(str(method)) for method in counts.index])
    figure, ax = stacked(named, BECAME, caption if spoken() == "en" else "", "questions")
    drawn: list[Any] = ax.containers
    for name, bars in zip(BECAME, drawn, strict=True):
        ax.bar_label(bars, [n if n > 2 else "" for n in counts[name]], label_type="center",
                     color="white" if name == "right" else "#222222")  # fmt: skip
    return Picture(figure, caption, {"outcomes": counts.reset_index()})


def causes(runs: Iterable[Trajectory]) -> display.Page:
    """How often Act and ReAct end without an answer, or give up, and after what."""
    import pandas as pd

    rows = {}
    for method in ("act", "react"):
        mine = [run for run in runs if run.method == method]
        endless = [run for run in mine if run.answer is None]
        silent = [run for run in mine if run.answer == NOT_TOLD]
        others = [run for run in mine if run not in endless and run not in silent]
        wrong = [run for run in others if not score.correct(run)]
        rows[name_of(method)] = {
            said("runs"): len(mine),
            said("no_answer"): len(endless),
            said("in_circles"): sum("repeated" in run.flags for run in endless),
            said("gave_up"): len(silent),
            said("after_nothing"): sum(map(found_nothing, silent)),
            said("right_of_others"): rate(others),
            said("had_read"): f"{sum(map(had_read, wrong))} / {len(wrong)}",
        }
    return left(pd.DataFrame(rows).astype(str).rename_axis(""))


def found_nothing(run: Trajectory) -> bool:
    """Did the last observation bring nothing?"""
    seen = [step.observation for step in run.steps if step.observation]
    return bool(seen) and seen[-1].startswith("No more results")


def had_read(run: Trajectory) -> bool:
    """Did the gold answer stand in what it saw? Yes and no stand nowhere."""
    gold = rf"\b{re.escape(run.task.gold or '')}\b"
    seen = "\n".join(step.observation or "" for step in run.steps)
    return run.task.gold not in ("yes", "no") and bool(re.search(gold, seen, re.IGNORECASE))


def rate(runs: Sequence[Trajectory]) -> str:
    right = sum(bool(score.correct(run)) for run in runs)
    return said("rate", right=right, n=len(runs), rate=f"{right / max(1, len(runs)):.0%}")


# ---------------------------------------------------------------------- how sure a rate is


def walk(right: Sequence[bool]) -> Walk:
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

    def walks(seed: int = 0) -> dict[str, Walk]:
        order = random.Random(seed or slider.value).sample(range(len(wide)), len(wide))
        return {method: walk(wide[method].iloc[order].tolist()) for method in methods}

    top = highest(walks(seed) for seed in range(1, 21))  # it stands still under the slider

    def draw(_: Any = None) -> None:
        picture.png = drawn(walks(), top)

    slider.observe(draw, names="value")
    draw()
    box = ipywidgets.VBox([slider, picture, ipywidgets.HTML(DARK)])
    return teach.Interactive(box, in_words(walks()))


def highest(shuffles: Iterable[Mapping[str, Walk]]) -> int:
    """Where the axis ends, in %: the first ten tasks, whose bands reach far, may leave it."""
    found = (each[-1] for walks in shuffles for points in walks.values() for each in points[9:])
    return min(100, 10 * math.ceil(10 * max(found, default=1)))


def drawn(walks: Mapping[str, Walk], top: int) -> bytes:
    """One line per method, its interval a band."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.3), layout="constrained")
    ax = figure.subplots()
    for (method, points), colour in zip(walks.items(), COLOURS, strict=False):
        tried, *rates = zip(*points, strict=True)
        rate, low, high = ([100 * each for each in column] for column in rates)
        ax.fill_between(tried, low, high, color=colour, alpha=0.2, lw=0)
        ax.plot(tried, rate, color=colour, label=method)
    ax.axvline(10, color="#777777", lw=1, ls=":")
    ax.set(xlabel="tasks so far", ylabel="% correct", ylim=(0, top), xlim=(1, len(points)),
           xticks=[10, *range(50, len(points) + 1, 50)])  # fmt: skip
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    return kept(figure)


def in_words(walks: Mapping[str, Walk]) -> display.Page:
    """The rates after 10, 30, 100 and all tasks, for where no slider moves."""
    rows = [
        f"{method}, {n} tasks: {rate:.0%} ({low:.0%} to {high:.0%})"
        for method, points in walks.items()
        for n, rate, low, high in points
        if n in (10, 30, 100, len(points))
    ]
    return display.note("Rates so far, with 95% intervals", "\n".join(rows))


check = teach.cases(
    (
        ({"t1": True, "t2": True, "t3": False}, {"t1": True, "t2": False, "t3": False}),
        (1, 0),
    ),
    (({"t1": False, "t2": True}, {"t1": True, "t2": False}), (1, 1)),
    (({"t1": True, "t2": True, "t9": True}, {"t1": False, "t2": False}), (2, 0)),
    (({"t1": False}, {"t1": True, "t9": True}), (0, 1)),
    (({}, {"t1": True}), (0, 0)),
)
lesson = partial(words.lesson_of, "03", {"3.1": check})
