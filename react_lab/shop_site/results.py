"""What came of it: a player's scores beside those of all players, and of agents."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean
from typing import NamedTuple

from ..methods import METHODS
from ..score import correct
from ..types import Trajectory
from .players import Player, Players

__all__ = ["Row", "against", "goal_number", "table_of"]


class Row(NamedTuple):
    """A line of the table: score and success in percent."""

    name: str
    n: int
    score: float
    success: float


def goal_number(players: Players, run: Trajectory) -> int:
    return 1 + [task.id for task in players.tasks].index(run.task.id)


def table_of(players: Players, player: Player) -> list[Row]:
    """A player, all players, and the agents, on the goals that the player has ended."""
    mine = players.book.runs_of(player.name)
    ids = {run.task.id for run in mine}
    everybody = [run for run in players.book.runs_of() if run.task.id in ids]
    others = [run for run in players.others if run.task.id in ids]
    names = {run.settings["player"] for run in everybody}
    rows = rows_of("You", mine)
    if len(names) > 1:
        rows += rows_of(f"All {len(names)} players", everybody)
    return rows + [row for agent in agents(others) for row in rows_of(*agent)]


def rows_of(name: str, runs: list[Trajectory]) -> list[Row]:
    """As Table 4 counts them: without a purchase nothing is earned."""
    if not runs:
        return []
    earned = fmean(run.reward or 0.0 for run in runs)
    success = fmean(correct(run) is True for run in runs)
    return [Row(name, len(runs), 100 * earned, 100 * success)]


def agents(runs: Iterable[Trajectory]) -> list[tuple[str, list[Trajectory]]]:
    found: dict[str, list[Trajectory]] = {}
    for run in runs:
        title = METHODS[run.method].title if run.method in METHODS else run.method
        found.setdefault(f"{title} ({run.model})", []).append(run)
    return sorted(found.items())


def against(players: Players, goal: str) -> list[tuple[str, str]]:
    """What agents earned on a goal."""
    runs = [run for run in players.others if run.task.id == goal]
    rewards = ((name, [run.reward or 0.0 for run in of]) for name, of in agents(runs))
    return [(name, f"{sum(of) / len(of):.2f}".removesuffix(".00")) for name, of in rewards]
