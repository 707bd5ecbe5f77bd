"""The worlds an agent acts in, and where their pages come from."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import live, pages, toolbox, tools, wiki
from .archive import zim
from .live import LiveWikipedia
from .pages import read_pages
from .tools import Tools
from .wiki import Wiki, WikiEnv

if TYPE_CHECKING:
    from . import household, shop
    from .household import Household
    from .shop import Shop

__all__ = [
    "Household", "LiveWikipedia", "Shop", "Tools", "Wiki", "WikiEnv", "household", "live", "pages",
    "read_pages", "shop", "toolbox", "tools", "wiki", "zim",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in ("Household", "Shop", "household", "shop"):
        raise AttributeError(f"react_lab.envs has no {name!r}; it has: {', '.join(__all__)}")
    module = importlib.import_module(f".{name.lower()}", __name__)
    return module if name.islower() else getattr(module, name)
