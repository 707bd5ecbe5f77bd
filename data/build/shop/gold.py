"""Gold runs of shopping goals, for adapters to learn from: the oracle's, some with slips in them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from react_lab import tasks
from react_lab.envs.shop import Shop
from react_lab.types import Trajectory
from shop.oracle import SEED, Leg, play

__all__ = ["first_thoughts", "gold_runs", "taken_over"]

SLIPS = (0.0, 0.0, 0.0, 0.15)  # how often an act goes astray, of one goal in four each
BOUND = re.compile(r"lower than (\d+)\.00 dollars")
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


def first_thoughts(n: int) -> Iterator[Trajectory]:
    """A search and the thought after it, of train goals whose price limit is drawn anew.

    Near what the hits cost, so that nearly half of them are too dear.
    """
    pick, world = random.Random(SEED), Shop()
    todo = [task for task in tasks.load("shop", "train") if BOUND.search(task.text)]
    pick.shuffle(todo)
    for task in todo[:n]:
        seen = play(task, world(task), max_steps=1).steps[0].observation or ""
        near = float(pick.choice(re.findall(r"\$(\d+\.\d\d)", seen)))
        limit = max(5, round(near * pick.choice((0.6, 0.75, 0.9, 1.1, 1.3, 1.6))))
        limit = limit if pick.random() < 0.3 else max(5, 5 * round(limit / 5))
        other = replace(task, text=BOUND.sub(f"lower than {limit}.00 dollars", task.text))
        yield play(other, world(other), max_steps=2)
