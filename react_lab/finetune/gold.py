"""Which gold trajectories an adapter learns from: generated ones and those written by hand."""

from __future__ import annotations

import random

from .. import tasks
from ..types import Task, Trajectory
from ..world.gold import SEED, gold_run

__all__ = ["draw_gold"]

SHARE = 2 / 3  # of questions among the trajectories; the others are claims


def draw_gold(n: int, seed: int = SEED, natural: int = 0) -> list[Trajectory]:
    """n gold trajectories of the train split: two questions per claim, half of each hand-written.

    Where the hand-written ones run out, generated ones fill up. The order is drawn by the seed; a
    smaller draw is part of a larger one. natural: how many questions worded as students type them
    come on top; without them it is the draw from which the shipped adapters learned.
    """
    questions = round(n * SHARE)
    runs = [gold_run(task) for task in half_written("multihop", questions, seed)]
    runs += [gold_run(task) for task in half_written("claims", n - questions, seed)]
    runs += [gold_run(task) for task in tasks.load("multihop", "natural", natural, seed)]
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
