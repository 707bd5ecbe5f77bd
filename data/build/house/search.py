"""The shortest way through a household game, found by search: it proves that the game can be won."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from react_lab.analysis.household import APPLIANCES
from react_lab.envs.household.game import Game, State
from react_lab.envs.household.rules import acts, do

__all__ = ["walkthrough"]

IDLE = ("examine", "look", "inventory", "help", "close", "slice")
MOST = 200_000  # states looked at


def walkthrough(game: Game) -> list[str]:
    """The fewest acts that win the game, or a ValueError."""
    useful = concerned(game)
    came: dict[State, tuple[State, str] | None] = {game.start: None}
    waiting = deque([game.start])
    while waiting and len(came) < MOST:
        state = waiting.popleft()
        for command, after in steps(game, state, useful):
            if after in came:
                continue
            came[after] = state, command
            if game.won(after):
                return way(came, after)
            waiting.append(after)
    raise ValueError(f"no way was found to {game.task}")


def steps(game: Game, state: State, useful: set[str]) -> Iterator[tuple[str, State]]:
    for command, (name, *things) in acts(game, state).items():
        if name not in IDLE and useful.issuperset(things):
            yield command, do(game, state, (name, *things))[0]


def concerned(game: Game) -> set[str]:
    """The things of the goal, and the receptacles one has to go to."""
    goal = game.goal
    things = [name for name, kind in game.kinds.items() if kind in (goal.object, goal.target)]
    held = {where for thing, where in game.start.inside if thing in things}
    tools = [r for r in game.spots if game.kinds[r] in APPLIANCES.values()]
    return {*things, *held, *tools}


def way(came: dict[State, tuple[State, str] | None], state: State) -> list[str]:
    found: list[str] = []
    while step := came[state]:
        state, command = step
        found.append(command)
    return found[::-1]
