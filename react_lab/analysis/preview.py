"""What the whole will cost and how long it will take, from the episodes that are there.

Each method on each set has its own mean: what was run is paid, what is left costs the mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import mean, variance
from typing import TYPE_CHECKING

from .. import score
from ..kinds import kind_of
from ..types import Trajectory

if TYPE_CHECKING:
    import pandas as pd

WIDE = 2.26  # Student's t for 95% and ten episodes
Price = tuple[float, float]
calls, seconds = attrgetter("calls"), attrgetter("seconds")
tokens_in, tokens_out = attrgetter("tokens_in"), attrgetter("tokens_out")


def cut(run: Trajectory) -> int:
    """How many of its replies ended in the middle."""
    count = run.settings.get("cut", 0)
    return count if isinstance(count, int) else 0


@dataclass(frozen=True)
class Amount:
    """How much of something: so much is spent, so much in all, give or take."""

    spent: float
    whole: float
    give: float

    @property
    def range(self) -> tuple[float, float]:
        return max(self.spent, self.whole - self.give), self.whole + self.give


@dataclass(frozen=True)
class Group:
    """The runs of one method on one set, and how many there will be."""

    kind: str
    method: str
    runs: tuple[Trajectory, ...]
    n: int

    @property
    def left(self) -> int:
        return self.n - len(self.runs)

    def means(self, of: Callable[[Trajectory], float | None]) -> float | None:
        known = [value for value in map(of, self.runs) if value is not None]
        return mean(known) if len(known) == len(self.runs) else None

    def share(self, of: Callable[[Trajectory], int]) -> float | None:
        """Of the replies."""
        replies = sum(map(calls, self.runs))
        return sum(map(of, self.runs)) / replies if replies else None


@dataclass(frozen=True)
class Preview:
    """What is known of the whole. What the server does not count is unknown (None), never 0."""

    groups: tuple[Group, ...]
    price: Price | None
    at_a_time: int

    def amount(self, of: Callable[[Trajectory], float | None]) -> Amount | None:
        spent = whole = 0.0
        by_task: dict[tuple[str, str], float] = {}
        for group in self.groups:
            known = [value for value in map(of, group.runs) if value is not None]
            if len(known) < len(group.runs) or not known:
                return None
            spent += sum(known)
            whole += sum(known) + group.left * mean(known)
            for run, value in zip(group.runs, known, strict=True):
                name = (group.kind, run.task.id)
                by_task[name] = by_task.get(name, 0.0) + value
        return Amount(spent, whole, WIDE * math.sqrt(self.spread(by_task)))

    def spread(self, by_task: Mapping[tuple[str, str], float]) -> float:
        """How uncertain the rest is. The tasks are the sample: a hard one is so for all methods."""
        found = 0.0
        for kind in {group.kind for group in self.groups}:
            sums = [value for (of, _), value in by_task.items() if of == kind]
            left = max(group.left for group in self.groups if group.kind == kind)
            if len(sums) > 1:
                found += variance(sums) * left * (1 + left / len(sums))
        return found

    @property
    def left(self) -> int:
        return sum(group.left for group in self.groups)

    @property
    def replies(self) -> tuple[int, int]:
        """How many there are, and how many of them were cut in the middle."""
        runs = [run for group in self.groups for run in group.runs]
        return sum(map(calls, runs)), sum(map(cut, runs))

    @property
    def cost(self) -> Amount | None:
        return self.amount(self.cost_of)

    @property
    def spent(self) -> float:
        """The cost so far of what is stored and can be counted."""
        known = (self.cost_of(run) for group in self.groups for run in group.runs)
        return sum(cost for cost in known if cost is not None)

    def cost_of(self, run: Trajectory) -> float | None:
        return score.cost_of(run, self.price)

    @property
    def seconds(self) -> float:
        """That the rest will take, with as many calls at a time as at the beginning."""
        each = (group.left * (group.means(seconds) or 0.0) for group in self.groups)
        return sum(each) / self.at_a_time

    def table(self) -> pd.DataFrame:
        """One row per method and set: what one episode takes."""
        import pandas as pd

        return pd.DataFrame([self.row(group) for group in self.groups])

    def row(self, group: Group) -> dict[str, object]:
        known = {
            "calls": (group.means(calls), ",.1f"), "tokens read": (group.means(tokens_in), ",.0f"),
            "written": (group.means(tokens_out), ",.0f"),
            "cost": (group.means(self.cost_of), ",.6f"),
            "seconds": (group.means(seconds), ",.1f"), "cut": (group.share(cut), ".0%"),
        }  # fmt: skip
        shown = {
            name: "unknown" if value is None else f"{value:{form}}"
            for name, (value, form) in known.items()
        }
        of = kind_of(group.kind).noun
        return {"of": of, "method": group.method, "episodes": len(group.runs), **shown}

    def words(self) -> str:
        """The whole, in sentences."""
        parts = [
            say_amount("tokens read", self.amount(tokens_in), 0),
            say_amount("tokens written", self.amount(tokens_out), 0),
            say_amount("cost", self.cost, 4),
        ]
        if self.price:
            unit = "The cost is at {:g} and {:g} per million tokens.".format(*self.price)
        else:
            unit = "Give --price READ WRITTEN, per million tokens, to see the cost."
        time = f"{duration(self.seconds)} with {self.at_a_time} calls at a time"
        rest = f"The rest ({self.left:,} episodes) takes about {time}." if self.left else ""
        return "\n".join([*parts, f"{unit} {rest}".rstrip()])


def say_amount(what: str, amount: Amount | None, digits: int) -> str:
    """One line.

    >>> say_amount("cost", Amount(0.5, 12.25, 1.5), 2)
    'cost: about 12.25 in all (10.75 to 13.75), 0.50 of it spent already'
    """
    if amount is None:
        return f"{what}: unknown"
    low, high = amount.range
    numbers = [f"{value:,.{digits}f}" for value in (amount.whole, low, high, amount.spent)]
    return "{}: about {} in all ({} to {}), {} of it spent already".format(what, *numbers)


def preview_of(
    runs: Iterable[Trajectory], sizes: Mapping[str, int], methods: Sequence[str],
    price: Price | None, at_a_time: int,
) -> Preview:  # fmt: skip
    """From runs of every method on every set; sizes: how many tasks a set has, by their kind."""
    by: dict[tuple[str, str], list[Trajectory]] = {
        (kind, method): [] for kind in sizes for method in methods
    }
    for run in runs:
        by[run.task.kind, run.method].append(run)
    groups = (Group(kind, of, tuple(ran), sizes[kind]) for (kind, of), ran in by.items())
    return Preview(tuple(groups), price, at_a_time)


def duration(seconds: float) -> str:
    """A time in the units that people plan with.

    >>> duration(20), duration(600), duration(9000)
    ('a minute', '10 minutes', '2 h 30 min')
    """
    minutes = math.ceil(seconds / 60)
    if minutes < 2:
        return "a minute"
    return f"{minutes} minutes" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
