"""Stores runs from one thread: as many as have come by one write and one fsync."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from .. import store
from ..types import Trajectory

__all__ = ["Writer"]

GATHER = 0.2  # seconds for which a run waits for others, to share their fsync


class Writer:
    """`stored` hears of a run when it is on the disk, not before."""

    def __init__(self, path: Path, stored: Callable[[Trajectory], None]):
        self.path, self.stored = path, stored
        self.waiting: list[Trajectory] = []
        self.flushes: list[Future[None]] = []
        self.lock = threading.Lock()
        self.last = threading.Event()  # no run will come any more
        self.thread = ThreadPoolExecutor(1, "react_lab-writer")

    def put(self, run: Trajectory) -> None:
        with self.lock:
            self.waiting.append(run)
            if len(self.waiting) == 1:  # the others go with it
                self.flushes.append(self.thread.submit(self.flush))

    def flush(self) -> None:
        self.last.wait(GATHER)
        with self.lock:
            runs, self.waiting = self.waiting, []
        store.add(self.path, runs)
        for run in runs:
            self.stored(run)

    def check(self) -> None:
        """Raise what kept runs from the disk."""
        while self.flushes and self.flushes[0].done():
            self.flushes.pop(0).result()

    def finish(self) -> None:
        """Wait until all runs are on the disk."""
        self.last.set()
        self.thread.shutdown()
        self.check()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self.last.set()
        self.thread.shutdown()
