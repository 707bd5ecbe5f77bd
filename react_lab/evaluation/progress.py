"""What a waiting person sees: done, correct so far, errors, tokens, cost, calls a second."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..index import FAULTS
from ..score import correct
from ..types import Trajectory
from .plan import Episode
from .spending import Spending

__all__ = ["Bar", "Tally"]


@dataclass
class Tally:
    """Episodes that are on the disk, those of earlier calls among them."""

    stored: set[str] = field(default_factory=set)  # ids
    done: set[str] = field(default_factory=set)  # without those that a fault ended
    correct: int = 0

    def left(self, plan: Mapping[str, Episode]) -> deque[Episode]:
        return deque(plan[id] for id in plan if id not in self.done)

    def add(self, run: Trajectory) -> None:
        self.stored.add(run.id)
        if run.end not in FAULTS:
            self.done.add(run.id)
            self.correct += correct(run) is True


class Bar:
    """A line in a terminal or a widget in a notebook; nothing where nobody looks on."""

    def __init__(self, tally: Tally, spending: Spending, total: int, shown: bool):
        from tqdm.auto import tqdm

        quiet: Any = type("Bar", (tqdm,), {"monitor_interval": 0})  # tqdm's monitor is a thread
        self.tally, self.spending, self.at = tally, spending, 0.0
        before = len(tally.stored)
        self.bar = quiet(total=total, initial=before, unit="run", disable=None if shown else True)

    def show(self, every: float = 0.2) -> None:
        now = time.monotonic()
        if not self.bar.disable and now - self.at >= every:
            self.at, self.bar.n = now, len(self.tally.stored)
            self.bar.set_postfix_str(words(self.tally, self.spending))

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.show(every=0)
        self.bar.close()


def words(tally: Tally, spent: Spending) -> str:
    """The figures beside the bar; what is not known is called unknown.

    >>> words(Tally({"a", "b"}, {"a"}, correct=1), Spending({}))
    'correct 1, errors 1, tokens 0, cost unknown, 0.0 calls/s'
    """
    tokens = "unknown" if spent.tokens is None else f"{spent.tokens:,}"
    cost = "unknown" if spent.cost is None else f"{spent.cost:,.4f}"
    errors = len(tally.stored) - len(tally.done)
    told = f"correct {tally.correct}, errors {errors}, tokens {tokens}"
    return f"{told}, cost {cost}, {spent.calls / max(spent.seconds, 0.01):.1f} calls/s"
