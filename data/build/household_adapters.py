"""How the shipped adapters for the household were trained (section 3.3, for games).

python data/build/household_adapters.py           trains all; a killed one goes on where it was
python data/build/household_adapters.py react     one leg; two side by side: OMP_NUM_THREADS=1 each
python data/build/household_adapters.py cards     copies the adapters and writes their cards

The shipped ones are of the first two rounds, as their cards say; the third is not measured yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast, get_args

from course import Course, Round
from house.games import Generated, games, task_of
from house.gold import gold_runs, taken_over
from house.oracle import Leg

from react_lab.envs.household.game import LOOK, TWO, TYPES
from react_lab.types import Task, Trajectory

__all__ = ["COURSE", "own", "runs"]

ROUNDS = (
    Round(1, 1e-3, gold=600),
    Round(601, 5e-4, own=48, gold=102, early=25),
    Round(751, 7e-4, gold=60, hard=60),
)
WORDS = """It is asked bare: from `You are in the middle of a room.` on, without instruction or exemplars.
Rounds 1 and 2 were trained before the oracle's sparse thoughts noted a lamp, or told the second of
two things from the first; a training from the start on has these thoughts from round 1 on.

How well it does: `../../runs/table3/README.md`."""


def own(now: Round) -> list[Task]:
    return [task_of(row) for row in games("train", now.own, now.first)]


def runs(leg: str, now: Round, later: bool) -> Iterator[Trajectory]:
    """The oracle's runs of games of all types in turn, then of the two that take two trips."""
    last = now.first + now.own + now.gold
    yield from gold_runs(now.gold, cast(Leg, leg), now.first + now.own, beyond=later)
    for i in range(last, last + now.hard * len(TYPES) // 2):
        if TYPES[(i - 1) % len(TYPES)] in (LOOK, TWO):
            yield from gold_runs(1, cast(Leg, leg), i, beyond=later)


COURSE = Course(
    "household", get_args(Leg), ROUNDS, Generated(), own, runs,
    lambda run, at, leg: taken_over(run, at, cast(Leg, leg)),
    "data/build/household_adapters.py", WORDS,
)  # fmt: skip

if __name__ == "__main__":
    COURSE.main()
