"""What can be pressed: small widgets over the package, in a notebook."""

from __future__ import annotations

from .by_hand import Console
from .explorer import Explorer, explorer
from .panels import Asker, Proposed, ask, prompt_switches
from .player import Player, player

__all__ = [
    "Asker", "Console", "Explorer", "Player", "Proposed", "ask", "explorer", "player",
    "prompt_switches",
]  # fmt: skip
