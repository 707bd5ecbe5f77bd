"""What can be pressed: small widgets over the package, in a notebook."""

from __future__ import annotations

from .asker import Asker, Proposed, ask
from .by_step import house_by_step
from .console import Console
from .explorer import Explorer, explorer
from .player import Player, player
from .switches import prompt_switches

__all__ = [
    "Asker", "Console", "Explorer", "Player", "Proposed", "ask", "explorer", "house_by_step",
    "player", "prompt_switches",
]  # fmt: skip
