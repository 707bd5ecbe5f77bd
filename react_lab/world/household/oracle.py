"""The oracle of the household: what a good player would write next, after any transcript.

It reads what the player has seen, so it answers whoever played: also in the states that a model
gets into.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from ...envs.household.rules import NOTHING
from ...types import Env, Seen, Step, Task, Trajectory
from .belief import Belief, kind_of, number
from .player import Move, Player
from .thoughts import feedback, sparse

__all__ = ["Leg", "Oracle", "answer", "play"]

Leg = Literal["act", "react", "react-im"]
SEED = 20230501
STEPS = 50  # section 4


class Oracle:
    """`next` is the step to take, a thought or an act; `see` takes in what was done instead."""

    def __init__(self, opening: str, leg: Leg = "react", seed: int = SEED) -> None:
        self.player, self.leg = Player(Belief.begin(opening)), leg
        self.opening, self.seed, self.count = opening, seed, 0
        self.before: Move | None = None
        self.thought = self.astray = False
        self.failed = ""  # the act that led nowhere just now

    def next(self) -> Step:
        move = self.player.next()
        thought = None if self.thought or self.leg == "act" else self.think(move)
        return Step(thought) if thought else Step(None, move.act)

    def think(self, move: Move) -> str | None:
        """No two thoughts in a row: what is to be done next is an act."""
        pick = random.Random(f"{self.seed} {self.count} {self.opening}")
        if self.leg == "react":
            return sparse(self.player, move, self.before, pick, self.failed, self.astray)
        last = self.before
        if last is None or move.act.startswith("go to ") or move.aim != last.aim or self.failed:
            return feedback(self.player, move, pick, first=last is None)
        return None

    def see(self, step: Step) -> None:
        self.count += 1
        self.thought = step.action is None
        if step.action is not None:
            self.before = self.player.next()
            self.astray = step.action != self.before.act
            seen = step.observation or ""
            self.failed = step.action if NOTHING in seen else ""
            self.player.belief.see(step.action, seen)


def answer(opening: str, steps: Iterable[Step], leg: Leg = "react", seed: int = SEED) -> Step:
    """What the oracle would write after these steps: a thought alone, or an act alone."""
    oracle = Oracle(opening, leg, seed)
    for step in steps:
        oracle.see(step)
    return oracle.next()


def play(
    task: Task,
    env: Env,
    leg: Leg = "react",
    *,
    max_steps: int = STEPS,
    so_far: Sequence[Step] = (),
    stray: float = 0.0,
    beyond: bool = False,
    seed: int = SEED,
) -> Trajectory:
    """The oracle's run of a game.

    so_far: what somebody else has done before. stray: how often, instead of the oracle's act, one
    is done that any player may do by mistake. Such steps are marked as failed, so that they are
    not taught; what follows shows how to recover. beyond: such an act may also count on from the
    last place of a kind, to one that is not there.
    """
    opening = env.reset(task)
    oracle, pick = Oracle(opening, leg, seed), random.Random(f"{seed} stray {opening}")
    steps: list[Step] = []
    run = Trajectory(f"oracle-{leg}-{task.id}", task, leg, "oracle")
    while len(steps) < max_steps:
        if astray := len(steps) < len(so_far):
            step = so_far[len(steps)]
        else:
            step = oracle.next()
            if step.action is not None and (astray := pick.random() < stray):
                step = Step(None, wrong(env, oracle, pick, beyond))
        step, done = tried(env, step, astray)
        oracle.see(step)
        steps.append(step)
        if done:
            return replace(run, steps=tuple(steps), reward=1.0, end="finished")
    return replace(run, steps=tuple(steps), end="step_limit")


def tried(env: Env, step: Step, astray: bool) -> tuple[Step, bool]:
    """A step with what the game says to it, and whether the game is over."""
    seen = Seen("OK.") if step.action is None else env.step(step.action)
    outcome = "failed" if astray else seen.outcome
    return replace(step, observation=seen.text, outcome=outcome), seen.done


def wrong(env: Env, oracle: Oracle, pick: random.Random, beyond: bool) -> str:
    """A slip: something that can be done but leads away, or that cannot be done here."""
    know = oracle.player.belief
    seen = [thing for things in know.inside.values() for thing in things]
    one, other = pick.choice(seen or [f"{know.goal.object} 1"]), pick.choice(know.places)
    slips = [
        f"open {other}",
        f"go to {other}",
        f"take {one} from {other}",
        f"examine {one}",
    ]
    if know.held:
        slips += [f"put {know.held} in/on {other}", f"take {one} from {know.at or other}"]
    if beyond and pick.random() < 0.5:
        *_, last = know.numbered(kind_of(other))
        return f"go to {kind_of(other)} {number(last) + 1}"
    can: list[str] = [*getattr(env, "admissible", list)()]
    kept = [act for act in can if act.startswith(("take ", "put ", "close ", "open ", "go to "))]
    return pick.choice(pick.choice([slips, kept or slips]))
