"""The lowest floor: files, text, a terminal, the network. Imports nothing of ours.

Libraries that take a while to load are named here, and imported when something of them is first
used: a module that draws tables can be imported where there is no pandas.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

__all__ = ["Stopped", "gguf", "ipywidgets", "names_of", "np", "pd", "torch"]


class Lazy:
    def __init__(self, library: str) -> None:
        self._library = library

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked by whatever looks a module's names over
            raise AttributeError(name)
        return getattr(importlib.import_module(self._library), name)


if TYPE_CHECKING:
    import gguf
    import ipywidgets
    import numpy as np
    import pandas as pd
    import torch
else:
    gguf, ipywidgets, np = map(Lazy, ("gguf", "ipywidgets", "numpy"))
    pd, torch = map(Lazy, ("pandas", "torch"))


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
