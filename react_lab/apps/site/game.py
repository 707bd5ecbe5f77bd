"""A game or a shopping goal by hand in the tab: the console of the notebooks without its kernel."""

from __future__ import annotations

import threading
from types import SimpleNamespace

from ...kinds import kind_of, world_of
from ...types import Task
from ...widgets.console import Console, thought_in


class Game(Console):
    """See `Console`. Its browser's side is the page, and it draws no map."""

    def __init__(self, task: Task) -> None:
        self.kind, self.task = kind_of(task.kind), task
        self.world, self.lock = world_of(self.kind, None), threading.RLock()
        limit, thought = self.kind.max_steps, thought_in(self.kind)
        self.still = {"task": task.text, "limit": limit, "thought": thought}
        self.front = SimpleNamespace(view={})
        self.begin()
        self.show()

    def show(self, said: str = "", ack: object = None) -> None:
        self.front.view = self.view() | {"said": said, "ack": ack, "reward": self.run.reward}
