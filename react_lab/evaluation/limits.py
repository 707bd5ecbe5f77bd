"""The budget of an evaluation: what it may spend, and what it has spent."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Real
from typing import NamedTuple, NoReturn

from ..score import Prices as Prices
from ..support.text import tokens
from ..types import Ask, BudgetSpent, Cancelled, Reply

LIMITS = ("calls", "tokens", "cost", "seconds")
HELD = ("tokens", "cost")  # of a call under way nobody knows yet what it takes of these


class Spent(NamedTuple):
    """What calls have cost; were tokens counted by characters?"""

    calls: int
    tokens_in: int | None
    tokens_out: int | None
    guessed: bool


class Budget:
    """Counts calls and tokens, and keeps them below its limits: a call begins only where the most
    that it can cost fits beside those under way, or alone. What the server does not count is
    unknown (None), never 0; where a limit hangs on it, it is counted by characters.
    """

    def __init__(self, limits: Mapping[str, float], price: tuple[float, float] | None = None):
        if not isinstance(limits, Mapping):
            raise TypeError(f'budget takes limits by name, {{"calls": 1000}}, not {limits!r}')
        if not isinstance(price, tuple | list | None) or (price is not None and len(price) != 2):
            raise ValueError(f"a price is two numbers, (read, written), not {price!r}")
        if unknown := limits.keys() - set(LIMITS):
            names = ", ".join(map(str, unknown))
            raise ValueError(f"no budget in {names}; there are: {', '.join(LIMITS)}")
        if "cost" in limits and price is None:
            raise ValueError("a budget in cost needs prices={model: (read, written)} of its model")
        prices = {f"price {k}": number for k, number in enumerate(price or (), 1)}
        for what, number in (dict(limits) | prices).items():
            if not is_amount(number):
                wanted = "a budget or a price is a number, 0 or more"
                raise ValueError(f"{wanted}: {what} is {number!r}")
        self.limits = {what: float(most) for what, most in limits.items()}  # no fraction
        self.told = self.limits  # elsewhere a share of them is what counts
        self.price = price
        self.calls = self.asked = 0  # come back; asked for and not yet back
        self.held: dict[str, float] = dict.fromkeys(HELD, 0.0)  # the most that those can cost
        self.guessed = False  # were tokens counted by characters?
        self.tokens_in: int | None = 0
        self.tokens_out: int | None = 0
        self.began = time.monotonic()
        self.changed = threading.Condition(threading.RLock())

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    @property
    def tokens(self) -> int | None:
        return plus(self.tokens_in, self.tokens_out)

    @property
    def cost(self) -> float | None:
        return self.cost_of(self.tokens_in, self.tokens_out)

    def cost_of(self, read: int | None, written: int | None) -> float | None:
        if self.price is None or read is None or written is None:
            return None
        return (read * self.price[0] + written * self.price[1]) / 1e6

    @contextmanager
    def share(self, ask: Ask) -> Iterator[int]:
        """How many of its samples may be asked for; held until their replies are counted."""
        read = tokens(str(ask.prompt)) if self.limits.keys() & {*HELD} else 0
        most = {"tokens": read + ask.max_tokens, "cost": self.cost_of(read, ask.max_tokens) or 0}
        with self.changed:
            self.changed.wait_for(lambda: self.room(most) > 0 or self.asked == 0)
            self.check()
            samples = int(min(len(ask.samples), self.room(most))) or self.refuse("calls")
            self.hold(samples, most)
        try:
            yield samples
        finally:
            with self.changed:
                self.hold(-samples, most)
                self.changed.notify_all()

    def hold(self, samples: int, most: Mapping[str, float]) -> None:
        self.asked += samples
        self.held = {what: self.held[what] + samples * most[what] for what in HELD}

    def room(self, most: Mapping[str, float]) -> float:
        """Samples, each of which costs so much at most, that are neither spent nor under way."""
        left = self.left
        rooms = [math.floor(left["calls"]) - self.asked if "calls" in left else math.inf]
        for what in HELD:
            if what in left and most[what]:
                free = left[what] - self.held[what]
                fits = math.floor(free / most[what])
                rooms.append(fits if self.asked or free <= 0 else max(1, fits))
        return max(0, min(rooms))

    def check(self) -> None:
        for what in ("tokens", "cost", "seconds"):
            if self.left.get(what, 1) <= 0:
                self.refuse(what)

    def refuse(self, what: str) -> NoReturn:
        spent = f"the budget of {self.told[what]:g} {what} is spent"
        raise BudgetSpent(f"{spent}: run the same call again with more to go on")

    def add(self, reply: Reply, ask: Ask) -> None:
        """Count a reply; of one whose server tells no counts, or 0, the characters."""
        read, written = reply.tokens_in, reply.tokens_out
        untold = None in (read, written) or (reply.text and not read and not written)
        guess = bool(untold and self.limits.keys() & {*HELD})
        if guess:
            read, written = tokens(str(ask.prompt)), tokens(reply.text)
        self.take(Spent(1, read, written, guess))

    def take(self, spent: Spent) -> None:
        with self.changed:
            self.calls += spent.calls
            self.tokens_in = plus(self.tokens_in, spent.tokens_in)
            self.tokens_out = plus(self.tokens_out, spent.tokens_out)
            self.guessed |= spent.guessed

    @property
    def spent(self) -> Spent:
        return Spent(self.calls, self.tokens_in, self.tokens_out, self.guessed)

    @property
    def left(self) -> dict[str, float]:
        return {what: of - (getattr(self, what) or 0) for what, of in self.limits.items()}


def is_amount(number: object) -> bool:
    """A number of calls, tokens, seconds or money. No end is none of them: leave the limit out."""
    real = isinstance(number, Real) and not isinstance(number, bool)
    return real and 0 <= number < 1e300  # type: ignore[operator]


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
                    # one more per round, that is 1/limit per call; one per call until the first cut
                    self.limit = min(self.most, self.limit + (1 / self.limit if self.cuts else 1))
                self.changed.notify_all()

    def wait(self, slot: Slot, seconds: float) -> None:
        """A request failed and will be repeated: ask more slowly; wait; raise if stopped."""
        with self.changed:
            if slot.cuts == self.cuts:  # half, once for all the calls that met the same overload
                self.limit, self.cuts = max(1.0, self.limit / 2), self.cuts + 1
            slot.cuts, slot.overloaded = self.cuts, True
        self.stopped.wait(seconds)
        self.check()

    def check(self) -> None:
        if self.stopped.is_set():
            raise Cancelled("the evaluation was stopped: run the same call again to go on")

    def stop(self) -> None:
        with self.changed:
            self.stopped.set()
            self.changed.notify_all()
