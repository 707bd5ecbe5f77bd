"""Gold runs of household games, for adapters to learn from: the oracle's, some with slips in them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from house.games import Generated, games, task_of
from house.oracle import SEED, Leg, play
from react_lab.types import Trajectory

__all__ = ["gold_runs", "taken_over"]

SLIPS = (0.0, 0.0, 0.1, 0.25)  # how often an act goes astray, of one game in four each
LONGEST = 120  # steps: slips cost some, and every run has to come to its end


def gold_runs(n: int, leg: Leg, first: int = 1, beyond: bool = False) -> Iterator[Trajectory]:
    """n runs of train games from number `first` on, the types in turn.

    Of every leg they have the same games, acts and slips. beyond: slips also go to places that are
    not there.
    """
    world = Generated()
    for row in games("train", n, first):
        task = task_of(row)
        slips = random.Random(f"{SEED} {task.id}").choice(SLIPS)
        yield play(task, world(task), leg, max_steps=LONGEST, stray=slips, beyond=beyond)


def taken_over(run: Trajectory, at: int, leg: Leg) -> Trajectory:
    """A model's run of a generated game up to step `at`, from which on the oracle plays.

    The model's steps are shown and not taught.
    """
    env = Generated()(run.task)
    return play(run.task, env, leg, max_steps=at - 1 + LONGEST, so_far=run.steps[: at - 1])
