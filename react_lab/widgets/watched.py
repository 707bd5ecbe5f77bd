"""One episode in a thread of its own: watched as it happens, paused between steps, stopped."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ..agent import Events, with_step, world_name
from ..methods import with_vote
from ..types import Ask, Cancelled, Env, Event, Model, Reply, Task, Trajectory, World
from .sight import first_view, view_of

__all__ = ["Episode", "WatchedModel", "WatchedWorld"]

MOMENT = 0.1  # seconds between two looks at a text that is being written
STOPPED = "a person stopped the run"
OnText = Callable[[str], None]
Hear = Callable[["Episode"], None]


class WatchedModel:
    """A model that says what it writes while it writes, and asks no more once it is stopped."""

    def __init__(self, model: Model, hear: OnText, stop: threading.Event) -> None:
        self.model, self.hear, self.stop = model, hear, stop

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)

    def complete(self, ask: Ask, on_text: OnText | None = None) -> Mapping[int, Reply]:
        written, last = "", -math.inf

        def said(piece: str) -> None:
            nonlocal written, last
            self.check()
            written += piece
            if time.monotonic() - last >= MOMENT:
                self.hear(written)
                last = time.monotonic()

        self.check()
        replies = self.model.complete(ask, said)
        self.hear(written)
        return replies

    def check(self) -> None:
        if self.stop.is_set():
            raise Cancelled(STOPPED)


class WatchedWorld:
    """A world that remembers the Env it made last."""

    def __init__(self, world: World) -> None:
        self.world, self.snapshot = world, world_name(world)
        self.env: Env | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.world, name)

    def __call__(self, task: Task) -> Env:
        self.env = self.world(task)
        return self.env


class Episode:
    """A run in the making. `hear` is called, in its thread, when it has more to show.

    model, world: what the events must be made with; then `begin` them. steps: how many it may make
    before it waits.
    """

    def __init__(self, model: Model, world: World, hear: Hear, steps: float = math.inf) -> None:
        self.stopped, self.gate, self.left = threading.Event(), threading.Condition(), steps
        self.model: Any = WatchedModel(model, self.heard_text, self.stopped)
        self.world = WatchedWorld(world)
        self.hear, self.text, self.done = hear, "", False
        self.views: list[Mapping[str, Any]] = []

    def begin(self, start: Trajectory, events: Events) -> None:
        """start: the run before its first step; the steps in it come again as events."""
        self.run, self.events = replace(start, steps=(), end="unfinished"), events
        self.given, self.over = len(start.steps), False
        self.views = first_view(start, self.world.world)
        self.thread = threading.Thread(target=self.work, daemon=True, name="react_lab player")
        self.hear(self)
        self.thread.start()

    # ------------------------------------------------------------------ in its thread

    def work(self) -> None:
        try:
            while True:
                self.wait_for_leave()
                if (event := self.next_event()) is None:
                    break
                self.take(event)
        finally:  # an error of ours is shown by the notebook; the player must not wait for it
            self.done, self.text = True, ""
            self.hear(self)

    def next_event(self) -> Event | None:
        """The next step; None at the end, when the run is whole."""
        try:
            return next(self.events)
        except StopIteration as stop:
            self.run = stop.value
            return None

    def wait_for_leave(self) -> None:
        with self.gate:
            if self.over or len(self.run.steps) < self.given:
                return  # it only ends, or the step was there before
            self.gate.wait_for(lambda: self.left > 0 or self.stopped.is_set())
            self.left -= 1

    def take(self, event: Event) -> None:
        vote = event.leg == "cot" and "cot-sc" in self.run.method
        run = (with_vote if vote else with_step)(self.run, event)
        self.run, self.text = replace(run, end="unfinished"), ""
        self.over = event.seen.done and not vote and "->" not in run.method
        if not vote and self.views and self.world.env:
            self.views.append(view_of(self.world.env))
        self.hear(self)

    def heard_text(self, text: str) -> None:
        self.text = text
        self.hear(self)

    # ------------------------------------------------------------------ from outside

    @property
    def drawn(self) -> list[Mapping[str, Any]] | None:
        """The world's views, before the first step and after each; None if they are not known."""
        return self.views if len(self.views) == len(self.run.steps) + 1 else None

    @property
    def playing(self) -> bool:
        return not self.done and self.left > 0

    def allow(self, steps: float) -> None:
        """So many steps from now on: none is a pause, `math.inf` plays to the end."""
        with self.gate:
            self.left = steps
            self.gate.notify_all()

    def stop(self) -> None:
        """No more is asked; what was paid for is kept, in a run that ends as cancelled."""
        self.stopped.set()
        self.allow(0)
