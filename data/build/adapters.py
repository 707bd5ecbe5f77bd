"""What the adapters learn from: the demonstrations of each leg (gpu.py trains them)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any, cast

import house.gold
import shop.gold
import tool_tasks

from react_lab.finetune import draw_gold
from react_lab.types import Trajectory

LEGS = (
    "standard", "cot", "act", "react", "household/act", "household/react", "household/react-im",
    "shop/act", "shop/react", "tools/react",
)  # fmt: skip
QUESTIONS = 7900  # and claims, whose demonstrations come in turn


def demonstrations(leg: str) -> Iterator[Trajectory]:
    """What a leg learns from, without an end."""
    kind, _, name = leg.rpartition("/")
    if kind == "household":
        yield from house.gold.gold_runs(1_000_000, cast(Any, name))
    for turn in count():
        if kind == "shop":
            yield from shop.gold.gold_runs(1_000, cast(Any, name))
        else:
            yield from tool_tasks.gold_runs() if kind else with_lookups(draw_gold(QUESTIONS), turn)


def with_lookups(runs: Iterable[Trajectory], turn: int) -> Iterator[Trajectory]:
    """All runs that look something up, and each third of the others, another third each turn.

    In dev 45% of the facts stand below the sentences that Search shows, in the demonstrations 27%:
    an adapter that had 823 of these quoted whatever it saw.
    """
    others = 0
    for run in runs:
        looks = any((step.action or "").startswith("Lookup[") for step in run.steps)
        others += not looks
        if looks or others % 3 == turn % 3:
            yield run
