"""The worlds an agent acts in, and where their pages come from."""

from __future__ import annotations

from . import live, pages, wiki
from .live import LiveWikipedia
from .wiki import Wiki, WikiEnv

__all__ = ["LiveWikipedia", "Wiki", "WikiEnv", "live", "pages", "wiki"]
