"""What a waiting person sees: done, correct so far, errors, tokens, cost, calls per second."""

from __future__ import annotations

import sys
import time
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..characters import inline
from ..score import correct
from ..streams import line
from ..types import FAULTS, Trajectory
from .budget import Budget
from .plan import Episode

__all__ = ["Bar", "Tally"]


@dataclass
class Tally:
    """Episodes that are on the disk, those of earlier calls among them."""

    done: set[str] = field(default_factory=set)  # ids, without those that a fault ended
    correct: int = 0
    ends: Counter[str] = field(default_factory=Counter)  # of this call's runs
    errors: dict[str, str | None] = field(default_factory=dict)  # the first of each end

    def left(self, plan: Mapping[str, Episode]) -> deque[Episode]:
        return deque(plan[id] for id in plan if id not in self.done)

    def count(self, run: Trajectory) -> None:
        self.done.add(run.id)
        self.correct += correct(run) is True

    def ended(self, run: Trajectory) -> None:
        """A run of this call is on the disk."""
        self.ends[run.end] += 1
        self.errors.setdefault(run.end, run.error)
        if run.end not in FAULTS:
            self.count(run)

    @property
    def faults(self) -> int:
        return sum(self.ends[end] for end in FAULTS)

    def common_fault(self) -> str:
        """One sentence when most runs of this call ended in the same fault, else ""."""
        end, total = max(FAULTS, key=self.ends.__getitem__), self.ends.total()
        if self.ends[end] <= total / 2:
            return ""
        first = inline(self.errors[end])
        return (
            f"{self.ends[end]} of {total} runs ended in {end!r} (the first: {first}): "
            "mend that and run the same call again, which tries those runs again"
        )


class Bar:
    """A line in a terminal or a widget in a notebook; nothing where nobody looks on."""

    def __init__(self, tally: Tally, budget: Budget, total: int, shown: bool):
        self.tally, self.budget, self.at = tally, budget, 0.0
        before, hidden = len(tally.done), not shown or getattr(sys.stderr, "closed", True)
        self.bar = line()(total=total, initial=before, unit="run", disable=hidden or None)

    def show(self, every: float = 0.2) -> None:
        now = time.monotonic()
        if not self.bar.disable and now - self.at >= every:
            self.at, self.bar.n = now, len(self.tally.done) + self.tally.faults
            self.bar.set_postfix_str(words(self.tally, self.budget))

    def close(self) -> None:
        self.show(every=0)
        self.bar.close()


def words(tally: Tally, budget: Budget) -> str:
    """The figures beside the bar; what is not known is called unknown.

    >>> words(Tally({"a"}, 1, Counter(error=1)), Budget({}))
    'correct 1, errors 1, tokens 0, cost unknown, 0.0 calls/s'
    """
    tokens = "unknown" if budget.tokens is None else f"{budget.tokens:,}"
    cost = "unknown" if budget.cost is None else f"{budget.cost:,.4f}"
    rate = budget.calls / max(budget.seconds, 0.01)
    found = f"correct {tally.correct}, errors {tally.faults}"
    return f"{found}, tokens {tokens}, cost {cost}, {rate:.1f} calls/s"
