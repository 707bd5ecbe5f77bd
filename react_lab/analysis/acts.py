"""The acts of a run, done again in its world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..types import Env, Seen, Trajectory


@dataclass(frozen=True)
class Again:
    """The acts of a run, done again in its world.

    views: how the world looks before the first step and after each. seen: what it says to each
    step's act. drifted: the first step to which it says something else than the run has.
    """

    opening: str
    views: tuple[Any, ...]
    seen: tuple[Seen | None, ...]
    drifted: int | None


def act_again(run: Trajectory, env: Env, look: Callable[[Env], Any]) -> Again:
    """Do the acts of a run again. look: what is to be known of the world after each."""
    opening, seen = env.reset(run.task), list[Seen | None]()
    views, drifted = [look(env)], None
    for i, step in enumerate(run.steps, 1):
        said = None if step.action is None else env.step(step.action)
        stored = step.observation  # a step that a person has written has none yet
        if said and stored and drifted is None and stored.split() != said.text.split():
            drifted = i
        seen.append(said)
        views.append(look(env))
    return Again(opening, tuple(views), tuple(seen), drifted)
