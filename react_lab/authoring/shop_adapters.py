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
WORDS = """It is asked bare: from `Webshop` on, without instruction or exemplar. Of round 1 only runs with the
full reward were learned, of rounds 2 and 3 those with at least half of it, for both legs alike.

Rounds 2 and 3 are train goals in other words (`world/shop/chatty.py`), shopped for in a plain way:
one search with the whole instruction, each option of the page named (wanted, not there, any), what
is wanted clicked, then bought; in round 3 with clicks on what is no button in three acts of ten,
which are not learned. They were chosen on the 44 dev goals: after round 2 alone ReAct still ended
6 of its first 22 without a purchase, because it clicked what was no button again and again.

Tried before, and left out: two rounds in which the oracle also went back for a better product. Act
had the same score on dev (62.2), ReAct 33.3 on 22 of the goals: it went back without end, from
products that lacked nothing. And a round on the adapter's own states, 44 lines, after which both
clicked fewer options.

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
