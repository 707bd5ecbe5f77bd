"""Which subgoal each act of a run served, read from what the acts did and not from the thoughts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...envs.household.rules import NOTHING
from ...types import Step
from .belief import Belief, Goal, kind_of
from .player import VERBS, Move, Player

__all__ = ["DETOUR", "NOWHERE", "Served", "served", "subgoals_of"]

DETOUR, NOWHERE = "detour", "led nowhere"


@dataclass(frozen=True)
class Served:
    """What an act served. reached: the name of what was found, taken, put ... by it, else ""."""

    step: int
    act: str
    subgoal: str
    reached: str = ""


def subgoals_of(goal: Goal) -> list[str]:
    """The subgoals of a task, in their order."""
    made = [VERBS[goal.need]] if goal.need else []
    return ["find", "take", *made, "light" if goal.lamp else "put"]


def served(opening: str, steps: Iterable[Step]) -> list[Served]:
    """One for each act: a subgoal, a detour (it did something else), or it led nowhere."""
    player, found = Player(Belief.begin(opening)), list[Served]()
    for i, step in enumerate(steps, start=1):
        if step.action is None:
            continue
        act, text = step.action.strip(), step.observation or ""
        move, before = served_by(player, act), in_sight(player.belief)
        player.belief.see(act, text)
        if NOTHING in text:
            found.append(Served(i, act, NOWHERE))
        elif move is None:
            found.append(Served(i, act, DETOUR))
        else:
            name = VERBS[player.belief.goal.need] if move.aim == "make" else move.aim
            new = sorted(in_sight(player.belief) - before)
            found.append(Served(i, act, name, reached(move, act, new)))
    return found


def served_by(player: Player, act: str) -> Move | None:
    """The move of a sensible player that this act is, whether or not it is the best one."""
    for move in sensible(player):
        opens = (
            move.aim == "make" and act == f"open {move.place}" and player.belief.at == move.place
        )
        if act == move.act or opens:
            return move
    lamp = act.removeprefix("use ")
    if lamp != act and kind_of(lamp) == player.belief.goal.lamp:
        return Move(act, "light", lamp, lamp)  # before the thing is in hand it counts as well
    return None


def sensible(player: Player) -> Iterator[Move]:
    """All that brings the task nearer now, not only the best."""
    know, goal = player.belief, player.belief.goal
    holds_it = bool(know.held) and kind_of(know.held) == goal.object
    if holds_it:
        yield from player.use(know.held)
    elif not know.held:
        yield from player.take()
    if not holds_it or goal.count > 1:
        yield from player.search(goal.object)


def in_sight(belief: Belief) -> set[str]:
    """What the task is about, as far as it was seen and lies somewhere."""
    wanted = (belief.goal.object, belief.goal.lamp)
    return {thing for kind in wanted if kind for thing, _ in belief.where(kind)}


def reached(move: Move, act: str, new: list[str]) -> str:
    """What an act has brought, if it is not only on the way."""
    if move.aim == "find":
        return ", ".join(new)
    if act.startswith(("go to ", "open ")):
        return ""
    return move.place if move.aim in ("put", "light") else move.thing
