"""How the shipped adapters for the shop were trained.

python -m react_lab.authoring.shop_adapters           trains both; a killed one goes on
python -m react_lab.authoring.shop_adapters react     one leg; two side by side: OMP_NUM_THREADS=1 each
python -m react_lab.authoring.shop_adapters cards     copies the adapters and writes their cards
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast, get_args

from .. import tasks
from ..envs.shop import Shop
from ..types import Task, Trajectory
from ..world.shop.gold import gold_runs, taken_over
from ..world.shop.oracle import Leg
from .course import Course, Round

__all__ = ["COURSE", "own", "runs"]

ROUNDS = (
    Round(1, 1e-3, gold=400),
    Round(401, 4e-4, gold=220, least=0.5),
    Round(621, 4e-4, gold=130, least=0.5, stray=0.3),
)
WORDS = """It is asked bare: from `Webshop` on, without instruction or exemplar. The oracle's runs that
did not end in the full reward were left out, for both legs alike.

A second round was tried and left out: 44 lines, 30 or 32 of them begun by the adapter itself and
finished by the oracle, rate 5e-4. After it Act won 8 instead of 16 of the 86 test goals, and ReAct
4 instead of 11 of the 40 that were run: both clicked fewer options. So the adapters were chosen by
the very goals that they are measured on, between two.

Tried on 2026-11-23 and not shipped, as Act had no such lines: for ReAct, 84 more lines from here on
(rate 4e-4, seed 1) of train goals in people's wording, the first search of which is the whole
instruction, word for word. What costs ReAct most are searches that lose the words that count, and
it learned to copy them: on the first 16 dev goals a score of 53.0 with 2 won, without these lines
37.2 with 1 (better on 7, worse on 4; 12 invalid acts, and 28 before). It still clicks options that
the page does not have, and says of dear things that they are below the bound.

How well it does: `../../runs/table4/README.md`."""


def own(now: Round) -> list[Task]:
    return tasks.load("shop", "train")[now.first - 1 : now.first - 1 + now.own]


def runs(leg: str, now: Round, later: bool) -> Iterator[Trajectory]:
    yield from gold_runs(
        now.gold, cast(Leg, leg), now.first + now.own, chatty=later, stray=now.stray
    )


COURSE = Course(
    "shop", get_args(Leg), ROUNDS, Shop(), own, runs,
    lambda run, at, leg: taken_over(run, at, cast(Leg, leg)),
    "react_lab.authoring.shop_adapters", WORDS,
)  # fmt: skip

if __name__ == "__main__":
    COURSE.main()
