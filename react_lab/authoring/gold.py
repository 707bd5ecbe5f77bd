"""Gold trajectories: those an oracle made of generated tasks, and those written by hand."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .. import tasks
from ..envs.pages import Encyclopedia, bundled
from ..envs.wiki import Wiki
from ..types import Step, Task, Trajectory
from .make import SEED, gold_steps, rationale

__all__ = ["draw_gold", "gold_run", "replay"]

SHARE = 2 / 3  # of questions among the trajectories; the others are claims


def draw_gold(n: int, seed: int = SEED) -> list[Trajectory]:
    """n gold trajectories of the train split: two questions for a claim, half of each written by
    hand (while they last), in an order of their own. A smaller draw is the start of a larger one.
    """
    questions = round(n * SHARE)
    runs = [gold_run(task) for task in half_written("multihop", questions, seed)]
    runs += [gold_run(task) for task in half_written("claims", n - questions, seed)]
    random.Random(seed).shuffle(runs)
    return runs


def half_written(kind: str, n: int, seed: int) -> list[Task]:
    written, made = tasks.load(kind, "written"), tasks.load(kind, "train")
    pick = random.Random(seed)
    pick.shuffle(written)
    pick.shuffle(made)
    written = written[: round(n / 2)]
    if n - len(written) > len(made):
        raise ValueError(f"there are {len(written) + len(made)} tasks of {kind}, not {n}")
    return written + made[: n - len(written)]


def gold_run(task: Task, book: Encyclopedia | None = None) -> Trajectory:
    """The gold trajectory of a task, with the thoughts that CoT has instead."""
    book = book or bundled()
    if "steps" in task.extra:
        steps = replay(task, book)
    else:
        steps = gold_steps(task, book)
        task = replace(task, extra={**task.extra, "rationale": rationale(task)})
    answer = (steps[-1].action or "").partition("[")[2].removesuffix("]")
    return Trajectory(
        f"gold-{task.id}", task, "react", "gold", {}, steps, answer=answer, end="finished"
    )


def replay(task: Task, book: Encyclopedia) -> tuple[Step, ...]:
    """Hand-written thoughts and acts, with what the world answers today."""
    env = Wiki(book)(task)
    env.reset(task)
    written: Mapping[str, Any] = task.extra
    return tuple(
        Step(thought, action, env.step(action).text or None) for thought, action in written["steps"]
    )
