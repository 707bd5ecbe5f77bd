"""Which runs go on from which, and where they part: a run and what people made of it (Figure 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from .types import Step, Trajectory

__all__ = ["Branch", "families", "same_steps"]


@dataclass(frozen=True)
class Branch:
    """A run among others: its place in their list, and how far it is as another one."""

    at: int
    run: Trajectory
    parent: int | None = None  # the place of the run that it goes on from
    upto: int = 0  # the steps that it shares with its parent


def families(runs: Sequence[Trajectory]) -> list[list[Branch]]:
    """The runs in groups: all of a group go on from one another. A stranger is alone in its own."""
    place: dict[str, int] = {}
    for at, run in enumerate(runs):
        place.setdefault(run.id, at)
    group = [[at] for at in range(len(runs))]  # of each run, the places of its whole group
    found = []
    for at, run in enumerate(runs):
        parent = place.get(run.parent or "")
        if parent is None or not follows(run, runs[parent]) or group[parent] is group[at]:
            found.append(Branch(at, run))
            continue
        joined = sorted(group[parent] + group[at])
        for other in joined:
            group[other] = joined
        found.append(Branch(at, run, parent, same_steps(run, runs[parent])))
    groups = {id(places): places for places in group}
    return [[found[at] for at in places] for places in groups.values()]


def follows(run: Trajectory, parent: Trajectory) -> bool:
    """Are they of one task? An id alone proves nothing."""
    return (run.task.kind, run.task.text) == (parent.task.kind, parent.task.text)


def same_steps(one: Trajectory, other: Trajectory) -> int:
    """How many steps at the beginning of two runs are the same."""
    pairs = zip(one.steps, other.steps, strict=False)
    return sum(1 for _ in takewhile(lambda pair: seen(pair[0]) == seen(pair[1]), pairs))


def seen(step: Step) -> tuple[object, ...]:
    return step.thought, step.action, step.observation, step.human
