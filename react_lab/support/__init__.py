"""The lowest floor: files, text, a terminal, the network. Imports nothing of ours."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def names_of(
    package: str, names: list[str], rooms: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package: a name comes from its room, or is a room itself.

    rooms: what is in each, one name after the other.
    """
    room_of = {name: room for room, inside in rooms.items() for name in inside.split()}

    def fetch(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"{package} has no {name!r}; it has: {', '.join(names)}")
        found = importlib.import_module(f".{room_of.get(name, name)}", package)
        return getattr(found, name) if name in room_of else found

    return fetch, lambda: names


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
