"""Players without a model, to measure others against: one knows the rules, one knows nothing."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from rollout import tried

from house.player import Player
from react_lab.envs.household import HouseholdEnv
from react_lab.score import NO_MODEL
from react_lab.types import Step, Task, Trajectory

__all__ = ["AT_RANDOM", "IN_ORDER", "at_random", "in_order"]

IN_ORDER, AT_RANDOM = "in listed order", "random acts"
MOST = 50  # acts (section 4)


class InOrder(Player):
    """Looks at the places as they are listed, without sense."""

    def ordered(self, kind: str) -> list[list[str]]:
        return [[place] for place in self.places]


def in_order(task: Task, env: HouseholdEnv, max_steps: int = MOST) -> Trajectory:
    """It knows the rules and looks into one place after the other, as they are listed."""
    player = InOrder.begin(env.reset(task))

    def next_act(last: Step | None) -> str:
        if last is not None:
            player.see(last.action or "", last.observation or "")
        return player.next().act

    return played(task, env, IN_ORDER, 0, next_act, max_steps)


def at_random(task: Task, env: HouseholdEnv, seed: int = 0, max_steps: int = MOST) -> Trajectory:
    """It draws among the acts that do something where it stands."""
    env.reset(task)
    pick = random.Random(f"{seed} {task.id}")
    return played(task, env, AT_RANDOM, seed, lambda last: pick.choice(env.admissible()), max_steps)


def played(
    task: Task,
    env: HouseholdEnv,
    method: str,
    seed: int,
    next_act: Callable[[Step | None], str],
    max_steps: int,
) -> Trajectory:
    """A run in which a rule chooses every act, given the step before it."""
    settings = {"seed": seed, "max_steps": max_steps}
    run = Trajectory(f"{method} {seed} {task.id}", task, method, NO_MODEL, settings)
    steps: list[Step] = []
    for _ in range(max_steps):
        step, seen = tried(env, Step(None, next_act(steps[-1] if steps else None)))
        steps.append(step)
        if seen.done:
            return replace(run, steps=tuple(steps), reward=seen.reward, end="finished")
    return replace(run, steps=tuple(steps), end="step_limit")
