"""The lowest floor: files, text, a terminal, the network. Imports nothing of ours."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def names_of(
    package: str, names: list[str], rooms: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package: a name comes from its room, or is a room itself."""

    def fetch(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"{package} has no {name!r}; it has: {', '.join(names)}")
        if name in rooms:
            return getattr(importlib.import_module(f".{rooms[name]}", package), name)
        return importlib.import_module(f".{name}", package)

    return fetch, lambda: names


def in_rooms(rooms: Mapping[str, str]) -> dict[str, str]:
    """Each name and its room, from the rooms and the names in each."""
    return {name: room for room, names in rooms.items() for name in names.split()}


class Stopped(KeyboardInterrupt):
    """Somebody pressed stop: a notebook shows one line, and no traceback through libraries.

    steps: those that a run had by then.
    """

    def __init__(self, said: str, steps: Sequence[Any] = ()) -> None:
        super().__init__(said)
        self.steps = steps

    def _render_traceback_(self) -> list[str]:  # IPython asks for it
        return [str(self)]


Stopped.__name__ = Stopped.__qualname__ = "KeyboardInterrupt"  # the name that everybody knows
