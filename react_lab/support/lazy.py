"""Libraries that take a while to load: each is imported when something of it is first used.

    from ..support.lazy import pd

So a module that draws tables can be imported where there is no pandas.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["gguf", "ipywidgets", "np", "pd", "torch"]


class Lazy:
    def __init__(self, library: str) -> None:
        self._library = library

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked by whatever looks a module's names over
            raise AttributeError(name)
        return getattr(import_module(self._library), name)


if TYPE_CHECKING:
    import gguf
    import ipywidgets
    import numpy as np
    import pandas as pd
    import torch
else:
    gguf, ipywidgets, np = map(Lazy, ("gguf", "ipywidgets", "numpy"))
    pd, torch = map(Lazy, ("pandas", "torch"))
