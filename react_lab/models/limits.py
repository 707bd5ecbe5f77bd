"""How long one request may wait, and how many bytes its answer may have."""

from __future__ import annotations

import time
from dataclasses import dataclass

from .faults import LATE, Fault

__all__ = ["LARGEST", "Failed", "Limits"]

LARGEST = 16_000_000  # bytes of one answer, with its headers, and again unpacked


class Failed(Exception):
    """A request that failed before its answer was whole."""

    def __init__(self, fault: Fault):
        super().__init__(fault.message)
        self.fault = fault


@dataclass
class Limits:
    """How long one request may still wait, and how much it may still read."""

    seconds: float
    end: float
    silence: float
    left: int = LARGEST

    def wait(self) -> float:
        """Seconds that the next wait may last."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise Failed(
                Fault(kind=LATE, message=f"it was not whole after {self.seconds:g} s", final=True)
            )
        return min(left, self.silence)

    def read(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            much = f"more than {LARGEST / 1e6:g} MB, where a reply has some kB"
            raise Failed(Fault(200, message=much))

    def hurry(self, seconds: float) -> None:
        """Wait no longer than this from now on."""
        self.end = min(self.end, time.monotonic() + seconds)
