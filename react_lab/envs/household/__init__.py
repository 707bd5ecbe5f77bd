"""ALFWorld's game of the household in plain Python: no planner, no compiler, word for word.

To read it: game (what a game is, and its words), rules (what acts do), world (an episode, and why
nothing happened); alfworld reads ALFWorld's files and our own.
"""

from __future__ import annotations

from .alfworld import Authored, Row, problem_of, source
from .game import TYPES, Game, Goal, State, read_game
from .rules import acts, do, intro, play
from .world import Household, HouseholdEnv

__all__ = [
    "TYPES", "Authored", "Game", "Goal", "Household", "HouseholdEnv", "Row", "State", "acts", "do",
    "intro", "play", "problem_of", "read_game", "source",
]  # fmt: skip
