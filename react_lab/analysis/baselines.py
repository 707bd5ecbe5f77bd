"""Programs without a model and without reasoning: what methods have to be measured against.

`by_words` reads only the claim and knows which words the train claims of each label have (naive
Bayes). `one_search` puts the whole question into the search box, opens the first page that comes,
and takes a name from the sentence that is most like the question. In the household `in_order` looks
into one place after the other, and `at_random` draws among the acts that do something.
"""

from __future__ import annotations

import functools
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from .. import tasks
from ..envs.household.world import HouseholdEnv
from ..envs.pages import Encyclopedia, bundled
from ..envs.wiki import Wiki, sentences
from ..score import NO_MODEL
from ..types import Env, Seen, Step, Task, Trajectory, normalise
from .household import Belief, Player

BY_WORDS, ONE_SEARCH = "the claim's words", "one search"
NAME = re.compile(r"\b[A-Z][\w'.-]*(?: (?:(?:of|the|de|von|van|and) )?[A-Z][\w'.-]*)*")
NUMBER = re.compile(r"\b\d[\d,.]*\d|\b\d")
OF_NUMBERS = re.compile(r"\b(when|year|how (?:many|much|high|long|old|tall|large|far|deep|big))\b")
EITHER = re.compile(r"(?:[:,]|\bis|\bwas|\bdid) (?:the )?([^,:]+?) or (?:the )?([^,?]+)\?")
YES_NO = re.compile(r"(?:is|are|was|were|do|does|did|has|have|would)\b", re.I)


@dataclass(frozen=True)
class Words:
    """How many claims of each label there are, and in how many of these a word stands."""

    claims: Mapping[str, int]
    holding: Mapping[str, Mapping[str, int]]

    def label(self, text: str) -> str:
        """The likeliest label, as if words came one by one, whatever the others are."""
        known = set(normalise(text).split())

        def likely(label: str) -> float:
            n, holding = self.claims[label], self.holding[label]
            return math.log(n) + sum(math.log((holding[w] + 1) / (n + 2)) for w in known)

        return max(sorted(self.claims), key=likely)


@functools.cache
def learned() -> Words:
    """From all claims of the train split, the written and the generated ones."""
    rows = [task for split in ("train", "written") for task in tasks.load("claims", split)]
    holding = {str(task.gold): Counter[str]() for task in rows}
    for task in rows:
        holding[str(task.gold)].update(set(normalise(task.text).split()))
    return Words(Counter(str(task.gold) for task in rows), holding)


def by_words(task: Task) -> Trajectory:
    """The label of a claim by its words alone. No page is opened."""
    return run_of(task, BY_WORDS, (), learned().label(task.text))


def one_search(task: Task, book: Encyclopedia | None = None) -> Trajectory:
    """The whole question into the search box; a name from the first page that this brings."""
    book = book or bundled()
    title = next(iter(book.search(task.text, 1)), "")
    acts = [f"Search[{task.text}]", *([f"Search[{title}]"] if title else [])]
    env = Wiki(book)(task)
    env.reset(task)
    steps = tuple(Step(None, act, env.step(act).text or None) for act in acts)
    return run_of(task, ONE_SEARCH, steps, guess(task.text, book.row(title).get("text", "")))


def guess(question: str, page: str) -> str:
    """The first name, or number, that is new in the sentence most like the question."""
    if either := EITHER.search(question):
        return either[1]
    if YES_NO.match(question):
        return "yes"
    asked = set(normalise(question).split())
    for sentence in sorted(sentences(page), key=lambda one: -len(asked & words_of(one))):
        shape = NUMBER if OF_NUMBERS.search(question.lower()) else NAME
        found = (each for each in shape.findall(sentence) if not words_of(each) <= asked)
        if answer := next(found, ""):
            return answer.rstrip(".")
    return ""


def words_of(text: str) -> set[str]:
    return set(normalise(text).split())


def run_of(task: Task, method: str, steps: tuple[Step, ...], answer: str) -> Trajectory:
    run_id = f"{method} {task.id}"
    return Trajectory(run_id, task, method, NO_MODEL, {}, steps, answer=answer, end="finished")


# ------------------------------------------------------------------ of the household

IN_ORDER, AT_RANDOM = "in listed order", "random acts"
MOST = 50  # acts (section 4)


def in_order(task: Task, env: HouseholdEnv, max_steps: int = MOST) -> Trajectory:
    """It knows the rules and looks into one place after the other, as they are listed."""
    player = Player(Belief.begin(env.reset(task)), in_order=True)

    def next_act(last: Step | None) -> str:
        if last is not None:
            player.belief.see(last.action or "", last.observation or "")
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


def tried(env: Env, step: Step, astray: bool = False) -> tuple[Step, Seen]:
    """A step with what the world says to it."""
    seen = Seen("OK.") if step.action is None else env.step(step.action)
    outcome = "failed" if astray else seen.outcome
    return replace(step, observation=seen.text, outcome=outcome), seen
