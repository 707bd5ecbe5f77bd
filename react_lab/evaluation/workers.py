"""The workers: as many episodes at a time as the throttle allows."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field

from ..characters import inline
from ..lab import OnError
from ..types import FAULTS, Trajectory
from .files import Paid, Writer
from .plan import Episode
from .progress import Bar
from .runners import Runner
from .throttle import Throttle

__all__ = ["Workers"]


@dataclass
class Workers:
    """Threads, each of which runs episode after episode and gives the runs to the writer."""

    pool: Executor  # of threads
    runner: Runner
    throttle: Throttle
    paid: dict[str, Paid]  # by earlier calls of `evaluate`, for episodes that have not ended
    writer: Writer
    on_error: OnError
    todo: deque[Episode]
    futures: set[Future[None]] = field(default_factory=set)  # one per worker
    working: int = 0
    spent: str = ""  # why the budget ended the work
    lock: threading.Lock = field(default_factory=threading.Lock)
    at_work: int = 0  # a stop may come before a worker's future is known
    left_work: threading.Condition = field(default_factory=threading.Condition)

    def run(self, bar: Bar) -> None:
        """Until every run is on the disk, or the budget is spent."""
        while self.todo or self.futures:
            self.add()
            ended, self.futures = wait(self.futures, 0.2, FIRST_COMPLETED)
            for future in ended:
                future.result()  # what our own code raised is raised
            self.writer.check()
            bar.show()
        self.writer.finish()
        self.writer.check()

    def add(self) -> None:
        """As many workers more as there is room for."""
        with self.lock:
            more = min(len(self.todo), int(self.throttle.limit) - self.working)
            self.working += max(0, more)
        self.futures |= {self.pool.submit(self.work) for _ in range(more)}

    def work(self) -> None:
        """One worker, in its thread."""
        with self.left_work:
            self.at_work += 1
        try:
            self.play()
        finally:
            with self.left_work:
                self.at_work -= 1
                self.left_work.notify_all()

    def play(self) -> None:
        """Episode after episode: a future for each would cost more."""
        while episode := self.next():
            try:
                run = self.runner.play(episode, self.paid.get(episode.id, {}))
            except Exception as error:
                error.add_note(f"(in {inline(episode.name)} on task {inline(episode.task.id)})")
                raise
            with self.lock:
                self.settle(run)

    def next(self) -> Episode | None:
        """What to run now; none when all is done, or the throttle has fallen."""
        with self.lock:
            room = self.working <= int(self.throttle.limit)
            if self.todo and room and not self.throttle.stopped.is_set():
                return self.todo.popleft()
            self.working -= 1
            return None

    def settle(self, run: Trajectory) -> None:
        """Store what has ended; a run that was stopped, or met the budget, goes on next time."""
        if run.end == "budget":
            self.spent = run.error or ""
            self.todo.clear()
        elif run.end in FAULTS and self.on_error == "raise":
            fault = FAULTS[run.end](run.error)
            fault.run = run
            raise fault
        elif run.end != "cancelled":
            self.writer.put(run)

    def stop(self) -> None:
        """No call begins any more."""
        self.throttle.stop()
        self.runner.stop()

    def drain(self) -> None:
        """What is under way at the end ends by itself, and is kept."""
        wait(self.futures)
        with self.left_work:
            self.left_work.wait_for(lambda: not self.at_work)
