"""A game or a shopping goal by hand in the tab: the console of the notebooks without its kernel."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

from react_lab.widgets.by_hand import Console


class InPage(Console):
    """See `Console`. Its browser's side is the page, and it draws no map."""

    def make_front(self, **state: Any) -> Any:
        return SimpleNamespace(**state, hold_sync=nullcontext, on_msg=lambda _: None)

    def show(self, ack: object = None, alarm: str = "") -> None:
        said = {"said": alarm or self.said, "ack": ack, "reward": self.run.reward}
        self.front.view = self.view() | said
