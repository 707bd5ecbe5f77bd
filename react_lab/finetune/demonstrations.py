"""Demonstrations: the thoughts and acts that a train task comes with, played in the world."""

from __future__ import annotations

import random

from .. import tasks
from ..envs.pages import Encyclopedia, bundled
from ..envs.wiki import Wiki
from ..kinds import kind_of
from ..types import Step, Task, Trajectory

SEED = 20230501  # the month of the paper's conference
SPLITS = {"multihop": ("train", "written", "natural"), "claims": ("train", "written")}
QUESTIONS = 2 / 3  # of the demonstrations; the others are claims


def demonstration(task: Task, book: Encyclopedia | None = None) -> Trajectory:
    """A train task's own solution, played today.

    An act that is marked as astray is shown and never taught. One that finds nothing is taught: to
    look twice before giving up is what a good agent does.
    """
    if "steps" not in task.extra:
        raise ValueError(f"{task.id} comes with no demonstration: those of train do")
    lang = kind_of(task.kind).language.code
    env = Wiki(book or bundled(lang), lang=lang)(task)
    env.reset(task)
    steps = tuple(
        Step(thought, action, seen.text or None, outcome="failed" if astray else None)
        for thought, action, *astray in task.extra["steps"]
        for seen in [env.step(action)]
    )
    answer = (steps[-1].action or "").partition("[")[2].removesuffix("]")
    return Trajectory(
        f"gold-{task.id}", task, "react", "gold", {}, steps, answer=answer, end="finished"
    )


def draw_gold(n: int, seed: int = SEED) -> list[Trajectory]:
    """n demonstrations, two questions per claim; a smaller draw is part of a larger one."""
    questions = round(n * QUESTIONS)
    runs = [demonstration(task) for task in drawn("multihop", questions, seed)]
    runs += [demonstration(task) for task in drawn("claims", n - questions, seed)]
    random.Random(seed).shuffle(runs)
    return runs


def drawn(kind: str, n: int, seed: int) -> list[Task]:
    """Generated ones, hand-written ones and those as students type them, in turn."""
    sets = [tasks.load(kind, split) for split in SPLITS[kind]]
    if n > sum(map(len, sets)):
        raise ValueError(f"there are {sum(map(len, sets))} tasks of {kind}, not {n}")
    pick = random.Random(seed)
    shuffled = [pick.sample(each, len(each)) for each in sets]
    places = [(k / len(each), task) for each in shuffled for k, task in enumerate(each)]
    return [task for _, task in sorted(places, key=lambda pair: pair[0])[:n]]
