"""The oracle of the household: what a good player would write next, after any transcript.

It reads what the player has seen, so it answers whoever played: also in the states that a model
gets into.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal

from rollout import run_of

from house.player import Player
from house.thoughts import feedback, sparse
from react_lab.analysis.household import Move, kind_of, number
from react_lab.envs.household.rules import NOTHING
from react_lab.types import Env, Step, Task, Trajectory

__all__ = ["Leg", "Oracle", "play"]

Leg = Literal["act", "react", "react-im"]
SEED = 20230501
STEPS = 50  # section 4


class Oracle:
    """`next` is the step to take, a thought or an act; `see` takes in what was done instead."""

    def __init__(self, opening: str, leg: Leg = "react", seed: int = SEED) -> None:
        self.player, self.leg = Player.begin(opening), leg
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
            self.player.see(step.action, seen)


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
    """The oracle's run of a game, see `run_of`. beyond: a slip may also count on from the last
    place of a kind, to one that is not there.
    """
    opening = env.reset(task)
    oracle, pick = Oracle(opening, leg, seed), random.Random(f"{seed} stray {opening}")

    def slip(pick: random.Random) -> str:
        return wrong(env, oracle, pick, beyond)

    return run_of(oracle, task, env, slip, pick, stray=stray, so_far=so_far, max_steps=max_steps)


def wrong(env: Env, oracle: Oracle, pick: random.Random, beyond: bool) -> str:
    """A slip: something that can be done but leads away, or that cannot be done here."""
    know = oracle.player
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
