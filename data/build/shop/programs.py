"""Shoppers without a model, to measure others against: two without sense, and our oracle."""

from __future__ import annotations

from dataclasses import replace

from rollout import tried

from react_lab.envs.shop.world import Part
from react_lab.score import NO_MODEL
from react_lab.types import Env, Step, Task, Trajectory
from shop.oracle import play
from shop.pages import read
from shop.shopper import STEPS
from shop.wishes import core, says

__all__ = ["FIRST", "NAMED", "ORACLE", "by_oracle", "first_hit", "first_hit_named"]

FIRST, NAMED, ORACLE = "first hit", "first hit, named options", "oracle"


def first_hit(task: Task, env: Env) -> Trajectory:
    """It searches for the instruction and buys whatever comes first."""
    return Buying(task, env, FIRST).run()


def first_hit_named(task: Task, env: Env) -> Trajectory:
    """The same, but it clicks each option that stands in the instruction, word for word."""
    return Buying(task, env, NAMED).run()


def by_oracle(task: Task, env: Env) -> Trajectory:
    """The shopper whose runs the adapters learned from: it reads the pages by rules."""
    run = play(task, env, "act", max_steps=STEPS)
    return replace(run, id=f"{ORACLE} {task.id}", method=ORACLE, model=NO_MODEL)


class Buying:
    """A run in which a rule chooses every act."""

    def __init__(self, task: Task, env: Env, method: str) -> None:
        self.task, self.env, self.method = task, env, method
        self.steps: list[Step] = []
        self.reward: float | None = None
        env.reset(task)

    def run(self) -> Trajectory:
        self.shop()
        found = Trajectory(
            f"{self.method} {self.task.id}", self.task, self.method, NO_MODEL, {"max_steps": STEPS}
        )
        return replace(found, steps=tuple(self.steps), reward=self.reward, end="finished")

    def shop(self) -> None:
        hits = [part for part in self.do(f"search[{self.task.text}]") if part.kind == "product"]
        if not hits:
            return
        page = self.do(f"click[{hits[0].text}]")
        for value in named(self.task.text, page) if self.method == NAMED else ():
            self.do(f"click[{value}]")
        self.do("click[Buy Now]")

    def do(self, act: str) -> tuple[Part, ...]:
        """What stands on the page that an act leads to."""
        step, seen = tried(self.env, Step(None, act))
        self.steps.append(step)
        self.reward = seen.reward
        return read(seen.text)


def named(text: str, page: tuple[Part, ...]) -> list[str]:
    """Of each option on a page the longest value that a text has, word for word."""
    found: dict[str, str] = {}
    name = ""
    for part in page:
        if part.kind == "name":
            name = part.text
        elif part.kind == "option" and says(text, core(part.text)):
            found[name] = max(found.get(name, ""), part.text, key=len)
    return list(found.values())
