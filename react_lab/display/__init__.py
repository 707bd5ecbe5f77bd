"""Runs to look at: one from top to bottom, several side by side, an edit beside its run."""

from .html import COLOURS, LONG, Page, inert, note, together
from .runs import ended, show

__all__ = ["COLOURS", "LONG", "Page", "ended", "inert", "note", "show", "together"]
