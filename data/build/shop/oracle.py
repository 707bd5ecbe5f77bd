"""The oracle of the shop: what a good shopper would write next, after any transcript.

It reads what the shopper has seen, so it answers whoever shopped: also in the states that a model
gets into.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal

from rollout import run_of

from react_lab.envs.shop.world import INVALID
from react_lab.types import Env, Step, Task, Trajectory
from shop.belief import Belief
from shop.shopper import STEPS, Move, Shopper
from shop.thoughts import sparse

__all__ = ["SEED", "Leg", "Oracle", "play"]

Leg = Literal["act", "react"]
SEED = 20220701


class Oracle:
    """`next` is the step to take, a thought or an act; `see` takes in what was done instead."""

    def __init__(self, opening: str, leg: Leg = "react", seed: int = SEED) -> None:
        self.shopper, self.leg = Shopper(Belief.begin(opening)), leg
        self.opening, self.seed, self.acts = opening, seed, 0
        self.left, self.failed = STEPS, ""  # the act that led nowhere just now
        self.move = Move("", "")
        self.plan()

    def plan(self) -> None:
        """What to do now, and what to think before. Of every leg a thought costs a step."""
        pick = random.Random(f"{self.seed} {self.acts} {self.opening}")
        before, self.move = self.move, self.shopper.next(self.left)
        self.thought = sparse(self.shopper, self.move, before, pick, self.failed)
        self.left -= self.leg == "act" and self.thought is not None

    def next(self) -> Step:
        if self.thought and self.leg == "react":
            return Step(self.thought)
        return Step(None, self.move.act)

    def see(self, step: Step) -> None:
        self.left -= 1
        if step.action is None:
            self.thought = None  # no two in a row: what is to be done next is an act
            return
        seen = step.observation or ""
        self.failed = step.action if seen.strip() == INVALID else ""
        self.acts += 1
        self.shopper.belief.see(step.action, seen)
        self.plan()


def play(
    task: Task,
    env: Env,
    leg: Leg = "react",
    *,
    max_steps: int = STEPS,
    so_far: Sequence[Step] = (),
    stray: float = 0.0,
    seed: int = SEED,
) -> Trajectory:
    """The oracle's run of a shopping goal, see `run_of`."""
    opening = env.reset(task)
    oracle, pick = Oracle(opening, leg, seed), random.Random(f"{seed} stray {opening}")

    def slip(pick: random.Random) -> str:
        return wrong(env, oracle, pick)

    return run_of(oracle, task, env, slip, pick, stray=stray, so_far=so_far, max_steps=max_steps)


def wrong(env: Env, oracle: Oracle, pick: random.Random) -> str:
    """A slip: a click that leads away, or one that cannot be done here; never a purchase."""
    know = oracle.shopper.belief
    words = " ".join(know.wish.words)
    slips = [f"click[{value}]" for value in know.wish.options or ("Buy",)]
    slips += ["click[Next >]" if know.page == "item" else "click[Buy Now]", f"search[{words}]"]
    if know.page == "search":
        slips = slips[:-1]
    elif know.page != "item":
        slips.append("click[Features]")
    can: list[str] = [*getattr(env, "admissible", list)()]
    kept = [act for act in can if act not in ("click[Buy Now]", oracle.move.act)]
    return pick.choice(pick.choice([slips, kept or slips, kept or slips]))
