"""Gold runs of shopping goals, for adapters to learn from: the oracle's, some with slips in them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from react_lab import tasks
from react_lab.envs.shop import Shop
from react_lab.types import Trajectory
from shop.oracle import SEED, Leg, play

__all__ = ["gold_runs", "taken_over"]

SLIPS = (0.0, 0.0, 0.0, 0.15)  # how often an act goes astray, of one goal in four each
LONGEST = 30  # steps: slips cost some, and every run has to come to its end


def gold_runs(n: int, leg: Leg, first: int = 1, stray: float = 0.0) -> Iterator[Trajectory]:
    """n runs of train goals from number `first` on, with the same acts and slips of every leg.

    stray: how often every run goes astray; 0 is one run in four, at times.
    """
    world = Shop()
    for task in islice(tasks.load("shop", "train"), first - 1, first - 1 + n):
        slips = stray or random.Random(f"{SEED} {task.id}").choice(SLIPS)
        yield play(task, world(task), leg, max_steps=LONGEST, stray=slips)


def taken_over(run: Trajectory, at: int, leg: Leg) -> Trajectory:
    """A model's run of a goal up to step `at`, from which on the oracle shops.

    The model's steps are shown and not taught.
    """
    env = Shop()(run.task)
    return play(run.task, env, leg, max_steps=at - 1 + LONGEST, so_far=run.steps[: at - 1])
