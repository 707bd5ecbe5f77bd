"""The worlds an agent acts in, and where their pages come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..support import names_of

if TYPE_CHECKING:
    from . import household, live, pages, shop, toolbox, tools, wiki
    from .archive import zim
    from .household import Household
    from .live import LiveWikipedia
    from .pages import read_pages
    from .shop import Shop
    from .tools import Tools
    from .wiki import Wiki, WikiEnv

__all__ = [
    "Household", "LiveWikipedia", "Shop", "Tools", "Wiki", "WikiEnv", "household", "live", "pages",
    "read_pages", "shop", "toolbox", "tools", "wiki", "zim",
]  # fmt: skip

ROOMS = {
    "household": "Household", "live": "LiveWikipedia", "shop": "Shop", "tools": "Tools",
    "wiki": "Wiki WikiEnv", "pages": "read_pages", "archive": "zim",
}  # fmt: skip

__getattr__, __dir__ = names_of(__name__, __all__, ROOMS)
