"""How many calls are under way at a time: ever more while all is well, half of it after overload.

Additive increase, multiplicative decrease: what keeps the internet from choking keeps a server
that limits its rate busy, and no busier, whoever else is asking it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ..types import Cancelled

__all__ = ["Pace", "Turn"]


@dataclass
class Turn:
    """One call under way: how often the pace had been cut when it began, or was last repeated."""

    cuts: int
    waited: bool = False


class Pace:
    """Begins at `limit` calls at a time and never goes beyond `most`."""

    def __init__(self, most: int, limit: int | None = None):
        self.most, self.limit = most, float(min(most, limit or most))
        self.under_way = self.cuts = 0
        self.stopped = threading.Event()
        self.changed = threading.Condition()

    @contextmanager
    def turn(self) -> Iterator[Turn]:
        """Wait for a place; hold it during a call."""
        with self.changed:
            self.changed.wait_for(lambda: self.under_way < int(self.limit) or self.stopped.is_set())
            self.go_on()
            self.under_way += 1
            turn = Turn(self.cuts)
        try:
            yield turn
        finally:
            with self.changed:
                self.under_way -= 1
                if not turn.waited:
                    self.faster()
                self.changed.notify_all()

    def faster(self) -> None:
        """One more a round, that is 1/limit a call; until the first cut, one more a call."""
        self.limit = min(self.most, self.limit + (1 / self.limit if self.cuts else 1))

    def slower(self, turn: Turn) -> None:
        """Half, once for all the calls that met the same overload."""
        with self.changed:
            if turn.cuts == self.cuts:
                self.limit, self.cuts = max(1.0, self.limit / 2), self.cuts + 1
            turn.cuts, turn.waited = self.cuts, True

    def rest(self, turn: Turn, seconds: float) -> None:
        """A request failed and will be repeated: ask more slowly; wait; go on unless stopped."""
        self.slower(turn)
        self.stopped.wait(seconds)
        self.go_on()

    def go_on(self) -> None:
        if self.stopped.is_set():
            raise Cancelled("the evaluation was stopped: run the same call again to go on")

    def stop(self) -> None:
        """No call begins any more; those under way end by themselves."""
        with self.changed:
            self.stopped.set()
            self.changed.notify_all()
