"""Runs to look at: one from top to bottom, several side by side, an edit beside its run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..support import names_of

if TYPE_CHECKING:
    from .html import COLOURS, LONG, Page, inert, note, together
    from .runs import ended, show

__all__ = [
    "COLOURS", "LONG", "Page", "ended", "inert", "note", "show", "together",
]  # fmt: skip

ROOMS = {"html": "COLOURS LONG Page inert note together", "runs": "ended show"}

__getattr__, __dir__ = names_of(__name__, __all__, ROOMS)
