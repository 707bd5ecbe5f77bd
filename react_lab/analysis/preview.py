"""What the whole will cost and how long it will take, from the episodes that are there.

Each method on each set has its own mean: what was run is paid, what is left costs the mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .. import score
from ..kinds import kind_of
from ..support import pd
from ..types import Trajectory

WIDE = 2.26  # Student's t for 95% and ten episodes
COUNTED = {  # what an episode takes: its name in the table, and how it is written there
    "calls": ("calls", ",.1f"), "tokens_in": ("tokens read", ",.0f"),
    "tokens_out": ("written", ",.0f"), "cost": ("cost", ",.6f"), "seconds": ("seconds", ",.1f"),
}  # fmt: skip
Price = tuple[float, float]


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


@dataclass(frozen=True)
class Preview:
    """What is known of the whole. What the server does not count is unknown (None), never 0."""

    df: pd.DataFrame  # a row per episode
    sizes: Mapping[str, int]  # how many tasks of a kind there are
    methods: Sequence[str]
    price: Price | None
    at_a_time: int

    def amount(self, of: str) -> Amount | None:
        """The whole costs each group's mean. The tasks are the sample of what is uncertain in it: a
        hard one is so for all methods."""
        spent = whole = uncertain = 0.0
        for kind, size in self.sizes.items():
            rows = self.df[self.df["kind"] == kind]
            each = rows.groupby("method")[of].agg(["size", "mean"]).reindex([*self.methods])
            if rows[of].isna().any() or each["mean"].isna().any():
                return None
            spent, whole = spent + rows[of].sum(), whole + size * each["mean"].sum()
            by_task, left = rows.groupby("task")[of].sum(), size - each["size"].min()
            if len(by_task) > 1:
                uncertain += by_task.var() * left * (1 + left / len(by_task))
        give = WIDE * math.sqrt(uncertain)
        return Amount(whole, max(spent, whole - give), whole + give, spent)

    def groups(self) -> list[tuple[str, str, pd.DataFrame]]:
        df = self.df
        return [
            (kind, method, df[(df["kind"] == kind) & (df["method"] == method)])
            for kind in self.sizes for method in self.methods
        ]  # fmt: skip

    @property
    def left(self) -> int:
        return sum(self.sizes.values()) * len(self.methods) - len(self.df)

    @property
    def replies(self) -> tuple[int, int]:
        """How many there are, and how many of them were cut in the middle."""
        return int(self.df["calls"].sum()), int(self.df["cut"].sum())

    @property
    def spent(self) -> float:
        """The cost so far of what is stored and can be counted."""
        return float(self.df["cost"].sum())

    @property
    def seconds(self) -> float:
        """That the rest will take, with as many calls at a time as at the beginning."""
        rest = (
            (self.sizes[kind] - len(rows)) * rows["seconds"].mean()
            for kind, _, rows in self.groups() if len(rows)
        )  # fmt: skip
        return float(sum(rest)) / self.at_a_time

    def table(self) -> pd.DataFrame:
        """One row per method and set: what one episode takes."""
        found = []
        for kind, method, rows in self.groups():
            row = {"of": kind_of(kind).noun, "method": method, "episodes": len(rows)}
            for of, (name, form) in COUNTED.items():
                mean = rows[of].mean(skipna=False)
                row[name] = "unknown" if math.isnan(mean) else f"{mean:{form}}"
            replies = rows["calls"].sum()
            row["cut"] = f"{rows['cut'].sum() / replies:.0%}" if replies else "unknown"
            found.append(row)
        return pd.DataFrame(found)

    def words(self) -> str:
        parts = []
        named = {"tokens read": "tokens_in", "tokens written": "tokens_out", "cost": "cost"}
        for what, of in named.items():
            amount, form = self.amount(of), ",.4f" if of == "cost" else ",.0f"
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
    rows = [
        (run.task.kind, run.method, run.task.id, cut(run), run.calls, run.tokens_in,
         run.tokens_out, score.cost_of(run, price), run.seconds) for run in runs
    ]  # fmt: skip
    df = pd.DataFrame(rows, columns=["kind", "method", "task", "cut", *COUNTED])
    return Preview(df.astype(dict.fromkeys(COUNTED, float)), sizes, methods, price, at_a_time)


def duration(seconds: float) -> str:
    """A time in the units that people plan with.

    >>> duration(20), duration(600), duration(9000)
    ('a minute', '10 minutes', '2 h 30 min')
    """
    minutes = math.ceil(seconds / 60)
    if minutes < 2:
        return "a minute"
    return f"{minutes} minutes" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
