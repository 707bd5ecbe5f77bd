"""An act of the oracle, and what it is for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .needs import Need

__all__ = ["Kind", "Move"]

Kind = Literal["search", "try", "similar", "back", "look", "again", "finish"]


@dataclass(frozen=True)
class Move:
    """What to do next.

    search: a page by its name. try: words that may bring its title. similar: the right one of the titles that a failed search gave.
    back: a page that was open before. look: a word. again: its next result. finish: the answer.
    """

    act: str
    kind: Kind
    need: Need
    word: str = ""

    @property
    def name(self) -> str:
        """What is searched."""
        return self.act.partition("[")[2][:-1]
