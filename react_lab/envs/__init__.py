"""The worlds an agent acts in."""

from __future__ import annotations

from . import pages, wiki
from .wiki import Wiki, WikiEnv

__all__ = ["Wiki", "WikiEnv", "pages", "wiki"]
