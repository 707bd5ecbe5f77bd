"""What the whole will cost and how long it will take, from the episodes that are there.

Each method on each set has its own mean: what was run is paid, what is left costs the mean.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import mean, variance
from typing import TYPE_CHECKING, NamedTuple

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


class Amount(NamedTuple):
    """How much of something: so much in all, from so much to so much, so much of it spent."""

    whole: float
    low: float
    high: float
    spent: float


def average(runs: Sequence[Trajectory], of: Callable[[Trajectory], float | None]) -> float | None:
    """Of all these runs; None where it is not known of one of them, or where there are none."""
    known = [value for value in map(of, runs) if value is not None]
    return mean(known) if known and len(known) == len(runs) else None


@dataclass(frozen=True)
class Preview:
    """What is known of the whole. What the server does not count is unknown (None), never 0."""

    groups: Mapping[tuple[str, str], Sequence[Trajectory]]  # the runs of a kind, by a method
    sizes: Mapping[str, int]  # how many tasks of a kind there are
    price: Price | None
    at_a_time: int

    def amount(self, of: Callable[[Trajectory], float | None]) -> Amount | None:
        """The whole costs each group's mean. The tasks are the sample of what is uncertain in it: a
        hard one is so for all methods."""
        spent = whole = uncertain = 0.0
        for kind, size in self.sizes.items():
            by_task, left = defaultdict[str, float](float), 0
            for runs in (runs for (name, _), runs in self.groups.items() if name == kind):
                if (each := average(runs, of)) is None:
                    return None
                for run in runs:
                    by_task[run.task.id] += of(run) or 0.0
                spent, whole = spent + each * len(runs), whole + each * size
                left = max(left, size - len(runs))
            if len(by_task) > 1:
                uncertain += variance(by_task.values()) * left * (1 + left / len(by_task))
        give = WIDE * math.sqrt(uncertain)
        return Amount(whole, max(spent, whole - give), whole + give, spent)

    @property
    def runs(self) -> list[Trajectory]:
        return [run for runs in self.groups.values() for run in runs]

    @property
    def left(self) -> int:
        return sum(self.sizes[kind] - len(runs) for (kind, _), runs in self.groups.items())

    @property
    def replies(self) -> tuple[int, int]:
        """How many there are, and how many of them were cut in the middle."""
        return sum(map(calls, self.runs)), sum(map(cut, self.runs))

    @property
    def cost(self) -> Amount | None:
        return self.amount(self.cost_of)

    @property
    def spent(self) -> float:
        """The cost so far of what is stored and can be counted."""
        return sum(cost for cost in map(self.cost_of, self.runs) if cost is not None)

    def cost_of(self, run: Trajectory) -> float | None:
        return score.cost_of(run, self.price)

    @property
    def seconds(self) -> float:
        """That the rest will take, with as many calls at a time as at the beginning."""
        each = (
            (self.sizes[kind] - len(runs)) * (average(runs, seconds) or 0.0)
            for (kind, _), runs in self.groups.items()
        )
        return sum(each) / self.at_a_time

    def table(self) -> pd.DataFrame:
        """One row per method and set: what one episode takes."""
        import pandas as pd

        means: dict[str, tuple[Callable[[Trajectory], float | None], str]] = {
            "calls": (calls, ",.1f"), "tokens read": (tokens_in, ",.0f"),
            "written": (tokens_out, ",.0f"), "cost": (self.cost_of, ",.6f"),
            "seconds": (seconds, ",.1f"),
        }  # fmt: skip
        rows = []
        for (kind, method), runs in self.groups.items():
            row = {"of": kind_of(kind).noun, "method": method, "episodes": len(runs)}
            for name, (of, form) in means.items():
                each = average(runs, of)
                row[name] = "unknown" if each is None else f"{each:{form}}"
            replies = sum(map(calls, runs))
            row["cut"] = f"{sum(map(cut, runs)) / replies:.0%}" if replies else "unknown"
            rows.append(row)
        return pd.DataFrame(rows)

    def words(self) -> str:
        """The whole, in sentences."""
        read, wrote = self.amount(tokens_in), self.amount(tokens_out)
        parts = []
        for what, amount, form in (("tokens read", read, ",.0f"), ("tokens written", wrote, ",.0f"),
                                   ("cost", self.cost, ",.4f")):  # fmt: skip
            numbers = [format(number, form) for number in amount or ()]
            told = "about {} in all ({} to {}), {} of it spent already" if amount else "unknown"
            parts.append(f"{what}: {told.format(*numbers)}")
        if self.price:
            unit = "The cost is at {:g} and {:g} per million tokens.".format(*self.price)
        else:
            unit = "Give --price READ WRITTEN, per million tokens, to see the cost."
        time = f"{duration(self.seconds)} with {self.at_a_time} calls at a time"
        rest = f"The rest ({self.left:,} episodes) takes about {time}." if self.left else ""
        return "\n".join([*parts, f"{unit} {rest}".rstrip()])


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
    return Preview(by, sizes, price, at_a_time)


def duration(seconds: float) -> str:
    """A time in the units that people plan with.

    >>> duration(20), duration(600), duration(9000)
    ('a minute', '10 minutes', '2 h 30 min')
    """
    minutes = math.ceil(seconds / 60)
    if minutes < 2:
        return "a minute"
    return f"{minutes} minutes" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
