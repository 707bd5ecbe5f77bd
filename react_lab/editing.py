"""The human in the loop (Figure 5): change a thought or an act, and let the model go on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from .kinds import kind_of
from .methods import leg_of
from .records import whole
from .types import Part, Step, Trajectory


def rethink(
    run: Trajectory, at: int, thought: str | None = None, action: str | None = None
) -> Trajectory:
    """Change step `at` by hand: a NEW, unfinished trajectory whose parent is `run` (Figure 5).

    What follows the edit is dropped. With a new thought and no act, the model chooses the act:
    `rl.resume(rl.rethink(run, at=2, thought="..."), model=model)`. An empty thought takes the
    thought out. In a game a thought is a step of its own: yours takes the place of the thought at
    `at`, or comes before the act there, and an act that you give with it is the step after it.
    """
    if not 1 <= at <= len(run.steps):
        raise ValueError(f"step {at} is not in this run: it has steps 1 to {len(run.steps)}")
    if thought is None and action is None:
        raise ValueError("say what changes: thought=..., action=..., or both")
    if not {type(thought), type(action)} <= {str, type(None)}:
        raise ValueError("a thought and an action are texts")
    thought, action = (text and whole(text) for text in (thought, action))
    alone = kind_of(run.task.kind).layout.sparse
    if thought is not None and not thought.strip():
        if not run.steps[at - 1].thought:
            raise ValueError(f"there is no thought at step {at} that could be taken out")
        if alone and action is None:
            raise ValueError(
                "without this thought the model would only write it again: say which act stands "
                "in its place, thought='', action='...'"
            )
    edited = changed(run.steps[at - 1], thought, action)
    edit = json.dumps([run.id, at, thought, action])
    id = hashlib.sha256(edit.encode()).hexdigest()[:16]
    steps = (*run.steps[: at - 1], *(apart(edited) if alone else [edited]))
    return Trajectory(id, run.task, leg_of(run), run.model, run.settings, steps, parent=run.id)


def changed(step: Step, thought: str | None, action: str | None) -> Step:
    """The step as a person wants it, without what the world said. What was theirs stays theirs."""
    human: list[Part] = ["action"] if action is not None else []
    if thought is not None or "thought" in step.human:
        human = ["thought", *human]
    kept = step.thought if thought is None else thought if thought.strip() else None
    return Step(kept, action, human=tuple(human))


def apart(step: Step) -> list[Step]:
    """A thought and an act as the two steps that they are in a game, each on one line."""
    thought, action = (text and " ".join(text.split()) for text in (step.thought, step.action))
    mine, done = ("thought" in step.human, "action" in step.human)
    if thought is None:
        return [Step(None, action, human=step.human)]
    found = [Step(thought, human=("thought",) if mine else ())]
    return found + [Step(None, action, human=("action",) if done else ())] * (action is not None)


# ------------------------------------------------------------------ forks


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
        parent, task = place.get(run.parent or ""), (run.task.kind, run.task.text)
        if parent is not None:  # an id alone proves nothing: they are of one task
            before = runs[parent].task
            parent = parent if task == (before.kind, before.text) else None
        if parent is None or group[parent] is group[at]:
            found.append(Branch(at, run))
            continue
        joined = sorted(group[parent] + group[at])
        for other in joined:
            group[other] = joined
        found.append(Branch(at, run, parent, same_steps(run, runs[parent])))
    groups = {id(places): places for places in group}
    return [[found[at] for at in places] for places in groups.values()]


def same_steps(one: Trajectory, other: Trajectory) -> int:
    def seen(step: Step) -> tuple[object, ...]:
        return step.thought, step.action, step.observation, step.human

    pairs = zip(map(seen, one.steps), map(seen, other.steps), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
