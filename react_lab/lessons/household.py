"""Lesson 07: decisions in a household. Its games, and how far its runs came."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

from .. import data, display, running, store, tasks, teach
from ..analysis.household import Belief
from ..analysis.household import kind_of as sort_of
from ..editing import rethink
from ..envs.household import Household
from ..envs.household.rules import NOTHING
from ..kinds import kind_named
from ..plots.rates import name_of
from ..types import Model, Step, Task, Trajectory
from . import words
from .baselines import best_columns, by_chance
from .boundaries import rounded

if TYPE_CHECKING:
    import pandas as pd

NAME = "07_household"
FAR = ("never took it", "took it", "did a part", "won")  # how far a player came
Edit = tuple[int, str]  # the number of a step, and the thought to be there


# ---------------------------------------------------------------------- the scenes


@dataclass(frozen=True)
class Scenes:
    """The games that this lesson shows: chosen by `python data/build/scenes.py`."""

    play: str = "household-unseen-0009"  # to be played by hand
    apart: str = "household-unseen-0003"  # lost by Act, won by ReAct
    thoughts: str = "household-unseen-0002"  # won by ReAct, with something to be done on the way
    rescue: str = "household-unseen-0004"  # lost by ReAct, and won after the edits below
    edits: tuple[Edit, ...] = ()


def scenes() -> Scenes:
    """What was chosen for the adapters that come with the package; without them, any games."""
    path = data.folder("recordings") / f"{NAME}.scenes.json"
    if not path.exists():
        return Scenes()
    found = json.loads(path.read_text(encoding="utf-8"))
    edits = tuple((int(at), str(thought)) for at, thought in found.pop("edits"))
    return Scenes(**found, edits=edits)


def task(name: str) -> Task:
    """The game of a scene: play, apart, thoughts or rescue."""
    return game(str(getattr(scenes(), name)))


def game(name: str) -> Task:
    """The bundled game with this id."""
    return next(each for each in tasks.load("household", "unseen") if each.id == name)


# ---------------------------------------------------------------------- whose runs these are


def ready(model: Model, *methods: str) -> bool:
    """Has this model an adapter for each of these methods?"""
    household = kind_named("household")
    return {household.adapter(method) for method in methods} <= model.tuned


def sensible() -> Sequence[Trajectory]:
    """Our oracle on the unseen games: it looks first where such a thing is likely to be."""
    return store.open(data.folder("runs", "programs", "household.jsonl"))


def whose(runs: Iterable[Trajectory]) -> str:
    """Who played, in a sentence."""
    return f"Played by {' and '.join(sorted({run.model for run in runs}))}, a real model."


def recorded() -> Sequence[Trajectory]:
    """The recorded runs of Table 3: each method once on each of our unseen games."""
    files = sorted(data.folder("runs").glob("table3/**/*.jsonl"))
    return [run for file in files for run in store.open(file)]


# ---------------------------------------------------------------------- how far a run came


def how_far(run: Trajectory) -> str:
    """The last part of the task that was reached, as one of `FAR`."""
    if run.reward == 1.0:
        return FAR[3]
    know, reached = Belief.begin(Household()(run.task).reset(run.task)), 0
    goal = know.goal
    for step in run.steps:
        if step.action is None:
            continue
        know.see(step.action, step.observation or "")
        right = bool(know.held) and sort_of(know.held) == goal.object
        there = [place for _, place in know.where(goal.object) if sort_of(place) == goal.target]
        half = goal.count > 1 and bool(there)
        made = bool(goal.need) and right and know.ready(know.held)
        reached = max(reached, 2 if half or made else 1 if right else 0)
    return FAR[reached]


def far(runs: Iterable[Trajectory]) -> pd.DataFrame:
    """How far the runs of each method came, and how many of its acts led to nothing."""
    import pandas as pd

    counts: dict[str, dict[str, int]] = {}
    for run in runs:
        row = counts.setdefault(name_of(run.method), dict.fromkeys([*FAR, "acts", "in vain"], 0))
        row[how_far(run)] += 1
        row["acts"] += sum(step.action is not None for step in run.steps)
        row["in vain"] += sum(NOTHING in (step.observation or "") for step in run.steps)
    return pd.DataFrame(counts).T


def stuck(runs: Iterable[Trajectory]) -> str:
    """Where most of the lost runs stopped, in words."""
    lost = [how_far(run) for run in runs if run.reward != 1.0]
    if not lost:
        return "none of these runs was lost"
    most = max(FAR, key=lost.count)
    return f"{most}: {lost.count(most)} of {len(lost)} lost runs"


# ---------------------------------------------------------------------- edits


def without(run: Trajectory, at: int) -> Trajectory:
    """A new, unfinished run that goes on after step `at` as before, but without its thought."""
    act = run.steps[at].action if 1 <= at < len(run.steps) else None
    if act is None or run.steps[at - 1].action is not None:
        raise ValueError(f"step {at} of this run is no thought with an act after it")
    return rethink(run, at, thought="", action=act)


def mended(lost: Trajectory, edits: Iterable[Edit], model: Model) -> list[Trajectory]:
    """The lost run, and the run after each edit: another thought, and the model goes on."""
    runs = [lost]
    for at, thought in edits:
        runs.append(running.resume(rethink(runs[-1], at, thought=thought), model=model))
    return runs


def for_labels(runs: Iterable[Trajectory], n: int = 3) -> list[Trajectory]:
    """Lost runs to label, each once; where there are too few, some by chance fill up."""
    lost = {run.id: run for run in runs if run.reward != 1.0 and run.steps}
    games = tasks.load("household", "unseen", n=n, seed=7)
    more = {run.id: run for run in map(by_chance, games)} if len(lost) < n else {}
    return list((lost | more).values())[:n]


# ---------------------------------------------------------------------- exercises and questions


def lesson() -> teach.Lesson:
    """The exercises and the questions, made afresh."""
    return words.lesson_of("07", CHECKS)


def check_orders(answer: Any) -> str | None:
    """The check of 7.3: in which order the six stand is up to the student."""
    if not callable(answer):
        return "This exercise asks for a function."
    for numbers in ([1, 2, 3], [1, 2]):
        got = answer(list(numbers))
        right = {f"ours {a}+{b}" for a, b in permutations(numbers, 2)}
        if got is ...:
            return teach.UNDONE
        if not isinstance(got, list | tuple) or not all(isinstance(one, str) for one in got):
            return f"For {numbers} it gave {teach.short(got)}, which is no list of texts."
        if missing := sorted(right - set(got)):
            return f"For {numbers} it lacks {missing[0]!r}."
        if more := [one for one in got if one not in right]:
            return (
                f"For {numbers} it has {teach.short(more[0])}, which is no pair of two exemplars."
            )
        if len(got) > len(right):
            return f"For {numbers} a prompt stands twice in it."
    return None


def cases(lesson: str = "07") -> display.Page:
    """The thoughts of exercise 7.2, or of another lesson's."""
    found = words.read(lesson)["cases"]
    return display.together(display.note(f"Thought {n}", c["text"]) for n, c in found.items())


def run_of(*lines: str) -> Trajectory:
    """A run of `think: ...` and of acts."""
    steps = tuple(
        Step(line.removeprefix("think: "), None, "OK.")
        if line.startswith("think: ")
        else Step(None, line, "Nothing happens.")
        for line in lines
    )
    return Trajectory("", Task("", "household", ""), "react", "nobody", steps=steps)


TRIALS = (
    [{"Pick": 50, "Clean": 70, "All": 60}, {"Pick": 80, "Clean": 30, "All": 55}],
    [{"Heat": 10}, {"Heat": 40}, {"Heat": 20}],
)
CHECKS: Mapping[str, teach.Check] = {
    "7.1": rounded(
        teach.cases(
            ((run_of("think: a", "look", "look", "look"),), 3.0),
            ((run_of("think: a", "look", "think: b", "look", "look"),), 1.5),
            ((run_of("look", "look"),), None),
        )
    ),
    "7.2": words.keys_of("07", "Thought {} does"),
    "7.3": check_orders,
    "7.4": teach.cases(*(((trials,), best_columns(trials)) for trials in TRIALS)),
}
