"""The budget of an evaluation: what it may spend, and what it has spent."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Real
from typing import NoReturn

from ..types import BudgetSpent, Cancelled, Reply

LIMITS = ("calls", "tokens", "cost", "seconds")
Prices = Mapping[str, tuple[float, float]]  # model -> price of a million tokens read, and written


class Budget:
    """Counts calls and tokens. What the server does not count is unknown (None), never 0."""

    def __init__(self, limits: Mapping[str, float], price: tuple[float, float] | None = None):
        if unknown := limits.keys() - set(LIMITS):
            raise ValueError(f"no budget in {', '.join(unknown)}; there are: {', '.join(LIMITS)}")
        if "cost" in limits and price is None:
            raise ValueError("a budget in cost needs prices={model: (read, written)} of its model")
        prices = {f"price {k}": number for k, number in enumerate(price or (), 1)}
        for what, number in (dict(limits) | prices).items():
            if not is_amount(number):
                wanted = "a budget or a price is a number, 0 or more"
                raise ValueError(f"{wanted}: {what} is {number!r}")
        self.limits, self.price = dict(limits), price
        self.calls = self.asked = 0  # come back; asked for and not yet back
        self.tokens_in: int | None = 0
        self.tokens_out: int | None = 0
        self.began = time.monotonic()
        self.changed = threading.Condition(threading.RLock())

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    @property
    def tokens(self) -> int | None:
        if self.tokens_in is None or self.tokens_out is None:
            return None
        return self.tokens_in + self.tokens_out

    @property
    def cost(self) -> float | None:
        if self.price is None or self.tokens_in is None or self.tokens_out is None:
            return None
        return (self.tokens_in * self.price[0] + self.tokens_out * self.price[1]) / 1e6

    @contextmanager
    def share(self, samples: int) -> Iterator[int]:
        """How many of these samples may be asked for; held until their replies are counted."""
        with self.changed:
            self.changed.wait_for(lambda: self.room > 0 or self.asked == 0)
            self.check()
            samples = int(min(samples, self.room)) or self.refuse("calls")
            self.asked += samples
        try:
            yield samples
        finally:
            with self.changed:
                self.asked -= samples
                self.changed.notify_all()

    @property
    def room(self) -> float:
        """Calls that are neither spent nor under way."""
        if "calls" not in self.limits:
            return math.inf
        return max(0, math.floor(self.limits["calls"]) - self.calls - self.asked)

    def check(self) -> None:
        """Raise if tokens, cost or time are spent, or nobody can tell whether they are."""
        for what in ("tokens", "cost", "seconds"):
            spent = getattr(self, what) if what in self.limits else 0.0
            if spent is None:
                raise BudgetSpent(
                    f"the server does not count tokens, so a budget in {what} cannot be kept: give "
                    "it in calls or seconds"
                )
            if what in self.limits and spent >= self.limits[what]:
                self.refuse(what)

    def refuse(self, what: str) -> NoReturn:
        raise BudgetSpent(
            f"the budget of {self.limits[what]:g} {what} is spent: run the same call again with "
            "more to go on"
        )

    def add(self, reply: Reply) -> None:
        with self.changed:
            self.calls += 1
            self.tokens_in = plus(self.tokens_in, reply.tokens_in)
            self.tokens_out = plus(self.tokens_out, reply.tokens_out)

    @property
    def left(self) -> dict[str, float]:
        return {what: of - (getattr(self, what) or 0) for what, of in self.limits.items()}


def is_amount(number: object) -> bool:
    """A number of calls, tokens, seconds or money. No end is none of them: leave the limit out."""
    real = isinstance(number, Real) and not isinstance(number, bool)
    return real and 0 <= float(number) < math.inf  # type: ignore[arg-type]


def plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


# ------------------------------------------------------------------ throttle


@dataclass
class Slot:
    """One call under way: how often the limit had been cut when it began, or last failed."""

    cuts: int
    overloaded: bool = False


class Throttle:
    """Begins at `limit` calls at a time and never goes beyond `most`."""

    def __init__(self, most: int, limit: int | None = None):
        self.most, self.limit = most, float(min(most, limit or most))
        self.under_way = self.cuts = 0
        self.stopped = threading.Event()
        self.changed = threading.Condition()

    @contextmanager
    def slot(self) -> Iterator[Slot]:
        """Wait for a slot; hold it during a call."""
        with self.changed:
            self.changed.wait_for(lambda: self.under_way < int(self.limit) or self.stopped.is_set())
            self.check()
            self.under_way += 1
            slot = Slot(self.cuts)
        try:
            yield slot
        finally:
            with self.changed:
                self.under_way -= 1
                if not slot.overloaded:
                    self.faster()
                self.changed.notify_all()

    def faster(self) -> None:
        """One more per round, that is 1/limit per call; until the first cut, one more per call."""
        self.limit = min(self.most, self.limit + (1 / self.limit if self.cuts else 1))

    def slower(self, slot: Slot) -> None:
        """Half, once for all the calls that met the same overload."""
        with self.changed:
            if slot.cuts == self.cuts:
                self.limit, self.cuts = max(1.0, self.limit / 2), self.cuts + 1
            slot.cuts, slot.overloaded = self.cuts, True

    def wait(self, slot: Slot, seconds: float) -> None:
        """A request failed and will be repeated: ask more slowly; wait; raise if stopped."""
        self.slower(slot)
        self.stopped.wait(seconds)
        self.check()

    def check(self) -> None:
        """Raise if the evaluation was stopped."""
        if self.stopped.is_set():
            raise Cancelled("the evaluation was stopped: run the same call again to go on")

    def stop(self) -> None:
        """No call begins any more; those under way end by themselves."""
        with self.changed:
            self.stopped.set()
            self.changed.notify_all()
