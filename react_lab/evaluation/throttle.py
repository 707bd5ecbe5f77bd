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

__all__ = ["Slot", "Throttle"]


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
