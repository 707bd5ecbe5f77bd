"""The worlds an agent acts in, and where their pages come from."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import live, pages, wiki
from .live import LiveWikipedia
from .wiki import Wiki, WikiEnv

if TYPE_CHECKING:
    from . import household
    from .household import Household

__all__ = ["Household", "LiveWikipedia", "Wiki", "WikiEnv", "household", "live", "pages", "wiki"]


def __getattr__(name: str) -> Any:
    if name not in ("Household", "household"):
        raise AttributeError(f"react_lab.envs has no {name!r}; it has: {', '.join(__all__)}")
    module = importlib.import_module(".household", __name__)
    return module if name == "household" else module.Household
