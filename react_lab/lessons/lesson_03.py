"""Lesson 03: questions over several pages, and what a table of rates can tell (Table 1). Then
questions whose answer has changed since it was written down (Figure 4).
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import react_lab as rl

from .. import display
from ..envs.pages import bundled
from ..envs.wiki import Wiki
from ..languages import spoken
from ..methods import METHODS
from ..plots.picture import DARK, Picture, sheet
from ..plots.rates import look_of, name_of, stacked
from ..prompts import parts_of
from ..support import ipywidgets, pd
from ..types import Task, Trajectory
from . import words
from .compared import kept, left, table_of

NOT_TOLD = "NOT ENOUGH INFO"
CHOSEN = "multihop-dev-321"  # two pages, read by ReAct; CoT makes both up
BECAME = {  # what becomes of a run: its colour, and its pattern for who sees no colours
    "right": {"color": "#0072B2"},
    "wrong": {"color": "#C9CED3"},
    "gave up": {"color": "#F2C46D", "hatch": "//"},
    "no answer": {"color": "#FFFFFF", "hatch": ".."},
}
said = partial(words.said, "03")


# ---------------------------------------------------------------------- what became of the runs


def became(answer: object, right: bool) -> str:
    if right or not isinstance(answer, str):
        return "right" if right else "no answer"
    return "gave up" if answer == NOT_TOLD else "wrong"


def outcomes(df: pd.DataFrame) -> Picture:
    """Each method's runs: right, wrong, given up, or out of steps."""
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
    rows = {}
    for method in ("act", "react"):
        mine = [run for run in runs if run.method == method]
        endless = [run for run in mine if run.answer is None]
        silent = [run for run in mine if run.answer == NOT_TOLD]
        looks = [[step.observation for step in run.steps if step.observation] for run in silent]
        others = [run for run in mine if run.answer not in (None, NOT_TOLD)]
        wrong = [run for run in others if not rl.score.correct(run)]
        right = len(others) - len(wrong)
        share = right / max(1, len(others))
        rows[name_of(method)] = {
            said("runs"): len(mine),
            said("no_answer"): len(endless),
            said("in_circles"): sum("repeated" in run.flags for run in endless),
            said("gave_up"): len(silent),
            said("after_nothing"): sum(seen[-1].startswith("No more") for seen in looks if seen),
            said("right_of_others"): said("rate", right=right, n=len(others), rate=f"{share:.0%}"),
            said("had_read"): f"{sum(map(had_read, wrong))} / {len(wrong)}",
        }
    return left(pd.DataFrame(rows).astype(str).rename_axis(""))


def had_read(run: Trajectory) -> bool:
    """Did the gold answer stand in what it saw? Yes and no stand nowhere."""
    gold = rf"\b{re.escape(run.task.gold or '')}\b"
    seen = "\n".join(step.observation or "" for step in run.steps)
    return run.task.gold not in ("yes", "no") and bool(re.search(gold, seen, re.IGNORECASE))


# ---------------------------------------------------------------------- how sure a rate is


def settling(df: pd.DataFrame, methods: Sequence[str] = ("react", "cot")) -> rl.teach.Interactive:
    """The rates after 1, 2, 3 ... tasks with their intervals; a slider shuffles the tasks."""
    wide = df[df["method"].isin(methods)].pivot(index="task", columns="method", values="correct")
    wide = wide.dropna().astype(bool)
    picture = rl.teach.exercises.image(
        "The rates after each task, with intervals", layout={"max_width": "660px"}
    )
    slider = rl.teach.exercises.slider("shuffle", 1, 1, 20)

    def walk(method: str) -> pd.DataFrame:
        """After each task: the rate so far, and the ends of its 95% interval."""
        order = random.Random(slider.value).sample(range(len(wide)), len(wide))
        counts = enumerate(wide[method].iloc[order].cumsum(), 1)
        rows = {n: (count / n, *rl.stats.wilson(count, n)) for n, count in counts}
        return pd.DataFrame.from_dict(rows, orient="index", columns=["rate", "low", "high"])

    def draw(_: Any = None) -> None:
        """One line per method, its interval a band; the axis stands still under the slider."""
        with sheet("", 1, 8, 4) as (figure, [ax]):
            for method in methods:
                points, (colour, _, line) = 100 * walk(method), look_of(method)
                ax.fill_between(points.index, points["low"], points["high"], color=colour,
                                alpha=0.2, lw=0)  # fmt: skip
                ax.plot(points.index, points["rate"], line, color=colour, label=method)
            ax.set(xlabel="tasks so far", ylabel="% correct", ylim=(0, 100), xlim=(1, len(wide)),
                   xticks=[10, *range(50, len(wide) + 1, 50)])  # fmt: skip
            ax.legend()
            picture.png = kept(figure)

    slider.observe(draw, names="value")
    draw()
    rows = [
        f"{method}, {n} tasks: {found['rate']:.0%} ({found['low']:.0%} to {found['high']:.0%})"
        for method in methods
        for n, found in walk(method).iterrows()
        if n in (10, 30, 100, len(wide))
    ]
    twin = display.note("Rates so far, with 95% intervals", "\n".join(rows))
    return rl.teach.Interactive(ipywidgets.VBox([slider, picture, ipywidgets.HTML(DARK)]), twin)


check = rl.teach.cases(
    (({"t1": True, "t2": True, "t3": False}, {"t1": True, "t2": False, "t3": False}), (1, 0)),
    (({"t1": False, "t2": True}, {"t1": True, "t2": False}), (1, 1)),
    (({"t1": True, "t2": True, "t9": True}, {"t1": False, "t2": False}), (2, 0)),
    (({"t1": False}, {"t1": True, "t9": True}), (0, 1)),
    (({}, {"t1": True}), (0, 0)),
)
lesson = partial(words.lesson_of, "03", {"3.1": check})


# ---------------------------------------------------------------------- an ageing benchmark

When = Literal["old", "new"]
KEYS = {"old": "right by the old label", "new": "right by the new one"}
OF_THE_PAGE = "right by the page's own time"


def dated() -> list[Task]:
    """The eight questions. Their `gold` is the old answer, as in a benchmark that has aged."""
    return rl.tasks.load("multihop", "dated")


def world(when: When) -> Wiki:
    """The bundled encyclopedia with the eight pages as they were then, or as they are now."""
    return Wiki(bundled().edited({t.extra["pages"][0]: t.extra[when]["text"] for t in dated()}))


def pages(task: Task) -> display.Page:
    title, editions = task.extra["pages"][0], [task.extra[when] for when in KEYS]
    heads = [f"{when}, {task.extra[when]['year']}" for when in KEYS]
    texts = [f"{title}\n{each['text']}" for each in editions]
    return table_of([heads, texts])


def runs(when: When) -> rl.store.Runs:
    """The recorded runs: four methods over the old pages; over the new ones those that look."""
    return rl.store.open(rl.data.folder("runs", "dated", f"{when}.jsonl"))


def answers(old: Iterable[Trajectory], new: Iterable[Trajectory]) -> pd.DataFrame:
    """Per question the label, and what each method answered: `old → new`, of label and pages."""
    rows = {t.text: {"the label": [t.gold, t.extra["now"]]} for t in dated()}
    for name, run in by_sight(old, new):
        rows[run.task.text].setdefault(name.partition(",")[0], []).append(run.answer or "–")
    table = pd.DataFrame.from_dict(rows, orient="index")
    return table.map(lambda said: " → ".join(said) if isinstance(said, list) else "–")


def by_sight(
    old: Iterable[Trajectory], new: Iterable[Trajectory]
) -> Iterator[tuple[str, Trajectory]]:
    """Each run, and the words for its method and the pages that it could look into, if any."""
    for when, found in (("old", old), ("new", new)):
        for run in found:
            looks = "observation" in parts_of(run.method)
            yield (f"{run.method}, {when} pages" if looks else run.method), run


def scored(old: Iterable[Trajectory], new: Iterable[Trajectory]) -> pd.DataFrame:
    """How many are right by the old label, by the new one, and by that of the page's own time:
    the last only where a page was there to look into.
    """
    counts: dict[str, Counter[str]] = {}
    for name, run in by_sight(old, new):
        row = counts.setdefault(name, Counter())
        row["questions"] += 1
        golds = {"old": run.task.gold, "new": str(run.task.extra["now"])}
        for when, label in KEYS.items():
            right = rl.score.reward(replace(run.task, gold=golds[when]), run.answer) == 1.0
            row[label] += right
            if name.endswith(f"{when} pages"):
                row[OF_THE_PAGE] += right
    columns = ["questions", *KEYS.values(), OF_THE_PAGE]
    rows = {name: [row.get(column, "–") for column in columns] for name, row in counts.items()}
    return pd.DataFrame(rows, index=columns).T
