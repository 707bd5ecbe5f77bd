"""The episodes under way: as many at a time as the pace allows."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

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
    """Hands out episodes, takes their runs in, and gives them to the writer."""

    hands: Hands
    pace: Pace
    paid: Mapping[str, Paid]  # by earlier calls of `evaluate`, for episodes that have not ended
    writer: Writer
    on_error: lab.OnError
    under_way: dict[Future[Outcome], Episode] = field(default_factory=dict)
    writes: set[Future[None]] = field(default_factory=set)
    over: SimpleQueue[Future[Any]] = field(default_factory=SimpleQueue)
    spent: str = ""  # why the budget ended the work

    def work(self, todo: deque[Episode], bar: Bar) -> None:
        """Until every run is on the disk, or the budget is spent."""
        while todo or self.under_way or self.writes:
            while todo and len(self.under_way) < int(self.pace.limit):
                self.start(todo.popleft())
            with contextlib.suppress(Empty):  # now and then, to show that calls go on
                self.settle(self.over.get(timeout=0.2), todo)
            bar.show()

    def start(self, episode: Episode) -> None:
        future = self.hands.take(episode, self.paid.get(episode.id, {}))
        self.under_way[future] = episode
        future.add_done_callback(self.over.put)

    def settle(self, future: Future[Any], todo: deque[Episode]) -> None:
        """An episode has ended, or a run is on the disk. What our own code raised is raised."""
        if future in self.writes:
            self.writes.remove(future)
            future.result()
            return
        episode = self.under_way.pop(future)
        if error := future.exception():
            error.add_note(f"(in {episode.name} on task {episode.task.id})")
            raise error
        outcome = future.result()
        if self.hands.account(episode, outcome):
            self.paid = {**self.paid, episode.id: self.paid.get(episode.id, {}) | outcome.fresh}
            todo.append(episode)
        elif outcome.run.end == "budget":
            self.spent = outcome.run.error or ""
            todo.clear()
        else:
            self.put(outcome.run)

    def put(self, run: Trajectory) -> None:
        """A run that was stopped is not stored: it goes on next time."""
        if run.end in lab.FAULTS and self.on_error == "raise":
            fault = lab.FAULTS[run.end](run.error)
            fault.run = run
            raise fault
        if run.end != "cancelled":
            write = self.writer.put(run)
            self.writes.add(write)
            write.add_done_callback(self.over.put)

    def drain(self) -> None:
        """What is under way at the end: unless it has not begun, it ends by itself and is kept."""
        wait([future for future in self.under_way if not future.cancel()])
        for future in self.under_way:
            if not future.cancelled() and not future.exception():
                run = future.result().run
                if run.end not in lab.FAULTS:
                    self.writer.put(run)
