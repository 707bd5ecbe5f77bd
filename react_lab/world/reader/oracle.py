"""The oracle of questions and claims: what a good reader would think and do next, in any state.

It knows which sentences settle a task. It does only what a person could do who does not: names that
stand in the task or on the screen, words that come to mind. Where no act leads to the answer in the
steps that are left, it is Lost.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from ...envs.pages import Encyclopedia, bundled
from ...kinds import kind_of
from ...types import Step, Task, Trajectory, split_act
from ..oracle import Lost
from .moves import Move
from .names import name_for
from .needs import Need, Plan
from .plans import plan_of
from .reading import Reading, begin, title_of
from .thoughts import Plainly, next_by_hand, thought_of
from .words import MOST, away, best_word

__all__ = ["Leg", "answer", "next_act", "play", "step_after"]

Leg = Literal["react", "act"]
Way = Literal["in order", "what is open", "the last alone"]
SEED = 20231006
PLANS = 4096  # tasks whose plans are kept


def step_after(
    task: Task,
    steps: Iterable[Step] = (),
    left: int | None = None,
    *,
    book: Encyclopedia | None = None,
    seed: int | None = SEED,
) -> Step:
    """The best next step after these, thought and act, with what the world answers to it.

    left: how many steps may still be taken; None is the kind's limit. Lost, if they do not suffice.
    seed: by which thoughts are worded; None is plainly.
    """
    book = book or bundled()
    plan, reading = planned(task, book), begin(task.text, book, steps)
    if left is None:
        left = kind_of(task.kind).max_steps - reading.steps
    move = next_act(plan, reading, left)
    drawn = f"{seed} {task.id} {reading.steps} {move.act}"
    pick = Plainly() if seed is None else random.Random(drawn)
    thought = thought_of(plan, reading, move, pick)
    seen = reading.fork().take(move.act)
    return Step(thought, move.act, seen.text or None)


def answer(
    task: Task,
    steps: Iterable[Step] = (),
    leg: Leg = "react",
    left: int | None = None,
    *,
    book: Encyclopedia | None = None,
    seed: int | None = SEED,
) -> Step:
    """What the oracle would write in a leg after these steps; of act no thought."""
    step = step_after(task, steps, left, book=book, seed=seed)
    return step if leg == "react" else replace(step, thought=None)


def play(
    task: Task,
    leg: Leg = "react",
    *,
    so_far: Sequence[Step] = (),
    max_steps: int | None = None,
    book: Encyclopedia | None = None,
    seed: int | None = SEED,
) -> Trajectory:
    """The oracle's run of a task, from its beginning or after what somebody else has done.

    Such steps are marked as failed, so that they are not taught.
    """
    steps = [replace(step, outcome="failed") for step in so_far]
    limit = max_steps or kind_of(task.kind).max_steps
    run = Trajectory(f"reader-{leg}-{task.id}", task, leg, "oracle")
    while len(steps) < limit:
        steps.append(answer(task, steps, leg, limit - len(steps), book=book, seed=seed))
        if steps[-1].action == f"Finish[{task.gold}]":
            return replace(run, steps=tuple(steps), answer=task.gold, end="finished")
    raise Lost(f"{task.id} cannot be won in {limit} steps")


def planned(task: Task, book: Encyclopedia) -> Plan:
    return plan_by_id(Key(task), book)


class Key:
    """A task as a key of a cache: its `extra` has no hash."""

    def __init__(self, task: Task) -> None:
        self.task = task

    def __hash__(self) -> int:
        return hash((self.task.id, self.task.text))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and self.task == other.task


@functools.lru_cache(maxsize=PLANS)
def plan_by_id(key: Key, book: Encyclopedia) -> Plan:
    return plan_of(key.task, book)


# ---------------------------------------------------------------------- acts


def next_act(plan: Plan, reading: Reading, left: int) -> Move:
    """The next act of the best way that ends in the answer in time."""
    faults = []
    if move := as_written(plan, reading, left):
        return move
    for way in ways(plan, reading):
        try:
            return first_of(plan, reading, left, way)
        except Lost as lost:
            faults.append(str(lost))
    raise Lost(faults[0])


def as_written(plan: Plan, reading: Reading, left: int) -> Move | None:
    """The next act of the task's own solution, where it stands there and may be followed."""
    _, act = next_by_hand(plan, reading)
    name, words = split_act(act) or ("", "")
    behind = len(plan.own) - len(reading.acts)
    unknown = name == "Search" and not reading.knows(words)
    if not act or behind > left or unknown or plan.open:
        return None
    need = wanted(plan, reading, "in order") or plan.needs[-1]
    if name == "Finish":
        return Move(act, "finish", need) if words == plan.task.gold else None
    if name == "Search":
        return Move(act, "search", need)
    return Move(act, "look", need, words)


def ways(plan: Plan, reading: Reading) -> Iterator[Way]:
    """How a task can be done: with all that it takes, or, where time is short, in haste."""
    if plan.free:
        yield "what is open"
    else:
        yield "in order"
        yield "what is open"
    last = plan.needs[-1]
    if plan.open or (not plan.free and (reading.page == last.page or reading.met(last))):
        yield "the last alone"  # nobody leaps to a page that nothing led to


def first_of(plan: Plan, reading: Reading, left: int, way: Way) -> Move:
    """The first act of a way, tried out to its end."""
    first: Move | None = None
    reading = reading.fork()
    for _ in range(left):
        move = step_of(plan, reading, way)
        first = first or move
        if move.kind == "finish":
            return first
        reading.take(move.act)
    raise Lost(f"{left} steps do not suffice for {plan.task.id}")


def step_of(plan: Plan, reading: Reading, way: Way) -> Move:
    """What to do now on a way."""
    need = wanted(plan, reading, way)
    if need is None:
        return Move(f"Finish[{plan.task.gold}]", "finish", plan.needs[-1])
    if reading.page == need.page:
        return look_for(plan, need, reading)
    name = name_for(plan, need, reading)
    if name is None:
        raise Lost(f"no known name leads to {need.page}")
    if need.page in reading.listed and name == need.page:
        return Move(f"Search[{name}]", "similar", need)
    if title_of(name, reading.book) != need.page and name not in need.page:
        return Move(f"Search[{name}]", "try", need)
    return Move(f"Search[{name}]", "back" if need.page in reading.opened else "search", need)


def wanted(plan: Plan, reading: Reading, way: Way) -> Need | None:
    """What is to be read next; None if all is known that this way asks for."""
    hurried = plan.open and way == "the last alone"
    unmet = [need for need in plan.needs if not reading.met(need, hurried=hurried)]
    if way == "the last alone" and not plan.open:
        unmet = [need for need in unmet if need == plan.needs[-1]]
    if not unmet:
        return None
    open_ones = [need for need in unmet if need.page == reading.page]
    return open_ones[0] if way == "what is open" and open_ones else unmet[0]


def look_for(plan: Plan, need: Need, reading: Reading) -> Move:
    """On the right page: the next result, if it says it, else another word."""
    word, behind = reading.env.keyword, reading.env.results
    times = away(behind, need) if word else 0  # a new page forgets the word, not its results
    fresh = best_word(plan, need, reading)
    if times and times <= MOST:
        return Move(f"Lookup[{typed(word, reading)}]", "again", need, typed(word, reading))
    if fresh is None:
        raise Lost(f"no word that comes to mind leads to {need.seek} on {need.page}")
    return Move(f"Lookup[{fresh}]", "look", need, fresh)


def typed(word: str, reading: Reading) -> str:
    """The word as it was last looked up: the page keeps it in lower case."""
    acts = (act[7:-1] for act in reversed(reading.acts) if act.lower().startswith("lookup["))
    return next((a for a in acts if a.casefold() == word), word)
