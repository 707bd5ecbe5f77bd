"""The two files of an evaluation: its runs, and beside them the replies to runs not yet ended."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ..records import Record, encode, wrong_reply
from ..store.runs import add_lines
from ..support.files import add_line, content, put_in_place
from ..types import Reply, Trajectory

Paid = dict[str, Reply]  # an episode's replies by their key


@dataclass(frozen=True)
class PaidFor:
    """A line of the log: a reply, its key, and the run it was for."""

    run: str
    key: str
    reply: Reply


PAID = Record(PaidFor, lambda one: wrong_reply(one.reply))


@dataclass(frozen=True)
class ReplyLog:
    """The replies to episodes that have not ended, one per line: a kill pays for none twice.

    Threads and processes may share the file.
    """

    runs: Path  # the file itself: by a symlink the log would lie elsewhere

    @property
    def path(self) -> Path:
        return self.runs.with_name(f"{self.runs.name}.calls")

    def keep(self, run: str, key: str, reply: Reply) -> None:
        """One write, and no wait for the disk: that survives a kill of ours, if not of the power.

        A worker on a machine that does not see the file leaves it out.
        """
        if self.path.exists():
            add_line(self.path, PAID.write(PaidFor(run, key, reply)))

    def begin(self, done: Collection[str]) -> dict[str, Paid]:
        """What was paid for by runs that are not done, by run; the file is left with just that."""
        live, paid = list[bytes](), dict[str, Paid]()
        for line in content(self.path).split(b"\n"):
            with contextlib.suppress(ValueError):  # a crash tore it: its call is made again
                if (one := PAID.read(line)).run not in done:
                    live.append(line + b"\n")
                    paid.setdefault(one.run, {})[one.key] = one.reply
        # who may go on with the runs may read what was paid for
        put_in_place(self.path, b"".join(live), like=self.runs)
        return paid

    def end(self, done: Collection[str]) -> None:
        """Nothing is left of it when every run is done; on a full disk it stays as it was."""
        with contextlib.suppress(OSError):
            if not self.begin(done):
                self.path.unlink()


class Writer:
    """Stores runs from one thread: those that came during a write and its fsync by the next one.

    `stored` is called with a run when it is on the disk, not before.
    """

    def __init__(self, path: Path, stored: Callable[[Trajectory], None]):
        self.path, self.stored = path, stored
        self.waiting: deque[tuple[Trajectory, bytes]] = deque()
        self.flushes: list[Future[None]] = []
        self.thread = ThreadPoolExecutor(1, "react_lab-writer")

    def put(self, run: Trajectory) -> None:
        self.waiting.append((run, encode(run)))  # it was seen to read back
        self.flushes.append(self.thread.submit(self.flush))

    def flush(self) -> None:
        runs = [self.waiting.popleft() for _ in range(len(self.waiting))]
        if runs:
            add_lines(self.path, [line for _, line in runs])
        for run, _ in runs:
            self.stored(run)

    def check(self) -> None:
        """Raise what kept runs from the disk."""
        while self.flushes and self.flushes[0].done():
            self.flushes.pop(0).result()

    def finish(self) -> None:
        """Wait until all runs are on the disk, or cannot be."""
        self.thread.shutdown()
