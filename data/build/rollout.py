"""An oracle plays a world of many acts, the household or the shop: what it writes next, whole runs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from react_lab.types import Env, Seen, Step, Task, Trajectory

__all__ = ["Oracle", "run_of", "tried"]


class Oracle(Protocol):
    """`next` is the step to take, a thought or an act; `see` takes in what was done instead."""

    @property
    def leg(self) -> str: ...

    def next(self) -> Step: ...

    def see(self, step: Step) -> None: ...


def run_of(
    oracle: Oracle,
    task: Task,
    env: Env,
    slip: Callable[[random.Random], str],
    pick: random.Random,
    *,
    stray: float,
    so_far: Sequence[Step],
    max_steps: int,
) -> Trajectory:
    """The oracle's run of a task that the world has just been given.

    so_far: what somebody else has done before. stray: how often, instead of the oracle's act, a
    slip is made. Such steps are marked as failed, so that they are not taught; what follows shows
    how to recover.
    """
    steps: list[Step] = []
    run = Trajectory(f"oracle-{oracle.leg}-{task.id}", task, oracle.leg, "oracle")
    while len(steps) < max_steps:
        if astray := len(steps) < len(so_far):
            step = so_far[len(steps)]
        else:
            step = oracle.next()
            if step.action is not None and (astray := pick.random() < stray):
                step = Step(None, slip(pick))
        step, seen = tried(env, step, astray)
        oracle.see(step)
        steps.append(step)
        if seen.done:
            return replace(run, steps=tuple(steps), reward=seen.reward, end="finished")
    return replace(run, steps=tuple(steps), end="step_limit")


def tried(env: Env, step: Step, astray: bool = False) -> tuple[Step, Seen]:
    """A step with what the world says to it."""
    seen = Seen("OK.") if step.action is None else env.step(step.action)
    outcome = "failed" if astray else seen.outcome
    return replace(step, observation=seen.text, outcome=outcome), seen
