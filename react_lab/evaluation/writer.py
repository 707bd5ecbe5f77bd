"""Stores runs from one thread: as many as have come by one write and one fsync."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from .. import store
from ..types import Trajectory

__all__ = ["Writer"]


class Writer:
    """`stored` hears of a run when it is on the disk, not before."""

    def __init__(self, path: Path, stored: Callable[[Trajectory], None]):
        self.path, self.stored = path, stored
        self.waiting: list[Trajectory] = []
        self.lock = threading.Lock()
        self.thread = ThreadPoolExecutor(1, "react_lab-writer")

    def put(self, run: Trajectory) -> Future[None]:
        with self.lock:
            self.waiting.append(run)
        return self.thread.submit(self.flush)

    def flush(self) -> None:
        """While one fsync is under way others gather, and go together."""
        with self.lock:
            runs, self.waiting = self.waiting, []
        if runs:
            store.add(self.path, runs)
            for run in runs:
                self.stored(run)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self.thread.shutdown()
