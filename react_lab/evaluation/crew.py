"""The episodes under way: as many at a time as the pace allows."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field

from .. import lab
from ..types import Trajectory
from .hands import Hands, Outcome
from .journal import Paid
from .pace import Pace
from .plan import Episode
from .progress import Bar
from .writer import Writer

__all__ = ["Crew"]


@dataclass
class Crew:
    """Threads, each of which plays episode after episode and gives their runs to the writer."""

    pool: Executor  # of threads
    hands: Hands
    pace: Pace
    paid: dict[str, Paid]  # by earlier calls of `evaluate`, for episodes that have not ended
    writer: Writer
    on_error: lab.OnError
    todo: deque[Episode]
    shifts: set[Future[None]] = field(default_factory=set)
    at_work: int = 0
    spent: str = ""  # why the budget ended the work
    lock: threading.Lock = field(default_factory=threading.Lock)

    def work(self, bar: Bar) -> None:
        """Until every run is on the disk, or the budget is spent."""
        while self.todo or self.shifts:
            self.call()
            ended, self.shifts = wait(self.shifts, 0.2, FIRST_COMPLETED)
            for shift in ended:
                shift.result()  # what our own code raised is raised
            self.writer.check()
            bar.show()
        self.writer.finish()

    def call(self) -> None:
        """As many to work as there is room for."""
        with self.lock:
            more = min(len(self.todo), int(self.pace.limit) - self.at_work)
            self.at_work += max(0, more)
        self.shifts |= {self.pool.submit(self.shift) for _ in range(more)}

    def shift(self) -> None:
        """In a thread, episode after episode: to be told of each one would cost more."""
        while episode := self.next():
            try:
                outcome = self.hands.play(episode, self.paid.get(episode.id, {}))
            except Exception as error:
                error.add_note(f"(in {episode.name} on task {episode.task.id})")
                raise
            with self.lock:
                self.settle(episode, outcome)

    def next(self) -> Episode | None:
        """What to play now; none when all is done, or the pace has fallen."""
        with self.lock:
            room = self.at_work <= int(self.pace.limit)
            if self.todo and room and not self.pace.stopped.is_set():
                return self.todo.popleft()
            self.at_work -= 1
            return None

    def settle(self, episode: Episode, outcome: Outcome) -> None:
        """An episode has ended."""
        if self.hands.account(episode, outcome):
            self.paid[episode.id] = self.paid.get(episode.id, {}) | outcome.fresh
            self.todo.append(episode)
        elif outcome.run.end == "budget":
            self.spent = outcome.run.error or ""
            self.todo.clear()
        else:
            self.put(outcome.run)

    def put(self, run: Trajectory) -> None:
        """A run that was stopped is not stored: it goes on next time."""
        if run.end in lab.FAULTS and self.on_error == "raise":
            fault = lab.FAULTS[run.end](run.error)
            fault.run = run
            raise fault
        if run.end != "cancelled":
            self.writer.put(run)

    def stop(self) -> None:
        """No call begins any more."""
        self.pace.stop()
        self.hands.stop()

    def drain(self) -> None:
        """What is under way at the end ends by itself, and is kept."""
        wait(self.shifts)
