"""Learning on one's own states (dataset aggregation, Ross, Gordon and Bagnell 2011).

    python -m react_lab.authoring.own_states               all rounds of all legs; a killed one goes on
    python -m react_lab.authoring.own_states react 1       one leg, as far as round 1
    python -m react_lab.authoring.own_states plain react   the same number of lines, all the oracle's own
    python -m react_lab.authoring.own_states look react 1  ten lines of a round, to be read

Correct runs show good days alone. So the adapter of the round before does train tasks by itself,
and at the states that it gets into the oracle says what should be done there; nothing else of such
a run is learned. A round begins with the adapter of the round before, which has read its lines, and
learns from new states and as many whole runs of the oracle. Its thoughts are worded plainly: from
600 lines in free words a model this small learned neither words nor acts. CoT and Standard visit no
states: they get as many lines.

Tried three times on 2026-11-23 and not shipped; the cards of ReAct and Act, and notebook 09, say what
came of it. The rounds below are the third try: one of Act, two of ReAct.
"""

from __future__ import annotations

import functools
import itertools
import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast, get_args

from .. import data, models, tasks
from ..envs.pages import bundled
from ..evaluation import evaluate
from ..finetune import Line
from ..finetune.lines import training_line
from ..finetune.training import Recipe
from ..kinds import LEGS, kind_of
from ..models import weights
from ..score import correct
from ..types import Model, Task, Trajectory
from ..world.gold import LABELS, gold_run, rationale
from ..world.oracle import Lost
from ..world.reader.oracle import Leg, play
from ..world.reader.plans import plan_of
from .rounds import place, trained

__all__ = [
    "ROUNDS",
    "Answered",
    "Round",
    "answered",
    "lines_of",
    "main",
    "own",
    "rolled",
    "train_tasks",
]

Runs = Sequence[Trajectory]
SEED = 20110411  # the month of the paper's conference
SLIPS = 2 / 3  # of them, at most, where the adapter would have done something else
VAGUE = re.compile(r"need the answer|what is said of|whether that is so|not tell me the answer")
SPLITS = ("train", "written", "natural")
Settled = tuple[list[Task], list[Task], list[Task]]


@dataclass(frozen=True)
class Round:
    """How many train tasks the adapter does by itself, and what is learned after that."""

    tasks: int
    lines: int  # from states that it got into, and as many whole runs of the oracle
    claims: float  # share of what it does by itself
    shown: float  # share of claims among the oracle's runs
    rate: float


ROUNDS = (Round(160, 150, 0, 1 / 5, 3e-4),) * 2


@dataclass(frozen=True)
class Answered:
    """A state that an adapter got into, and from there on what the oracle does to the end."""

    run: Trajectory
    slip: bool  # the adapter did something else

    def line(self, leg: str) -> Line:
        return training_line(self.run, leg)


# ---------------------------------------------------------------------- tasks


def train_tasks(n: int, claims: float = 1 / 3, after: tuple[int, int] = (0, 0)) -> list[Task]:
    """n train tasks in an order drawn once, a share of them claims.

    after: how many questions and claims of that order are passed over.
    """
    counts = numbers(n, claims)
    mixed = [
        task
        for kind, skip, some in zip(("multihop", "claims"), after, counts, strict=True)
        for task in ordered(kind)[skip : skip + some]
    ]
    if len(mixed) < n:
        raise ValueError(f"there are {len(mixed)} train tasks left after {after}, not {n}")
    random.Random(f"{SEED} {after}").shuffle(mixed)
    return mixed


def numbers(n: int, claims: float) -> tuple[int, int]:
    """How many questions and how many claims n tasks are."""
    return n - round(n * claims), round(n * claims)


@functools.cache
def ordered(kind: str) -> list[Task]:
    """Two hand-written tasks for each generated one, as long as there are both."""
    found = {split: tasks.load(kind, split) for split in SPLITS if split in tasks.names()[kind]}
    for split, some in found.items():
        random.Random(f"{SEED} {split}").shuffle(some)
    made = found.pop("train")
    by_hand = list(itertools.chain.from_iterable(found.values()))
    random.Random(SEED).shuffle(by_hand)
    rows = itertools.zip_longest(by_hand[::2], by_hand[1::2], made)
    return [task for row in rows for task in row if task and settled(task)]


def settled(task: Task) -> bool:
    """Is it no claim that one page alone leaves open? Giving up after one page is not taught."""
    if task.gold != LABELS[2]:
        return True
    try:
        plan_of(task, bundled())
    except Lost:
        return False
    return True


def tasks_of(number: int) -> Settled:
    """The tasks of a round: those that the adapter does, those that the oracle does, and more of
    these where there are fewer of the first than states to be learned."""
    questions = claims = 0
    for now in ROUNDS[:number]:
        parts = []
        spares = max(now.lines - now.tasks, 0)
        shares = ((now.tasks, now.claims), (now.lines, now.shown), (spares, now.claims))
        for n, share in shares:
            parts.append(train_tasks(n, share, (questions, claims)))
            more = numbers(n, share)
            questions, claims = questions + more[0], claims + more[1]
    mine, oracles, spare = parts
    return mine, oracles, spare


# ---------------------------------------------------------------------- states


def rolled(leg: str, asked: Sequence[Task], model: Model, path: Path) -> Runs:
    """What a model does by itself. Called again, it goes on."""
    return evaluate(leg, asked, model, path, workers=8)


def answered(run: Trajectory, leg: Leg) -> Iterator[Answered]:
    """Each state of a run, with what the oracle does from there on; not where nothing leads to the
    answer any more, or a thought would not name what it seeks. What the model did before is shown
    and not learned.
    """
    limit = kind_of(run.task.kind).max_steps
    for at in range(min(len(run.steps), limit)):
        try:
            whole = play(run.task, leg, so_far=run.steps[:at], max_steps=limit, seed=None)
        except Lost:
            continue
        if any(VAGUE.search(step.thought or "") for step in whole.steps[at:]):
            continue
        did, better = ((some[at].action or "").casefold() for some in (run.steps, whole.steps))
        yield Answered(replace(run, steps=whole.steps), did != better)


def own(runs: Runs, leg: Leg, n: int) -> list[Answered]:
    """n of the states of these runs, drawn by a seed: most where the model did something else."""
    found = [state for run in runs for state in answered(run, leg)]
    if len(found) < n:
        raise ValueError(f"{len(found)} states can be learned from, not {n}: let it do more tasks")
    random.Random(f"{SEED} {leg} {len(runs)}").shuffle(found)
    slips = [state for state in found if state.slip][: round(n * SLIPS)]
    agreed = [state for state in found if not state.slip][: n - len(slips)]
    rest = [state for state in found if state.slip][len(slips) :]
    return [*slips, *agreed, *rest][:n]


# ---------------------------------------------------------------------- lines


def whole(asked: Sequence[Task], leg: str) -> list[Line]:
    """Lines of the oracle's whole runs; of CoT and Standard what is left when they are ablated."""
    return [training_line(with_rationale(task), leg) for task in asked]


def with_rationale(task: Task) -> Trajectory:
    """The oracle's run; where it is Lost, the one that the task came with."""
    try:
        run = play(task, seed=None)
    except Lost:
        return gold_run(task)
    if "rationale" in task.extra:
        return run
    return replace(run, task=replace(task, extra={**task.extra, "rationale": rationale(task)}))


def lines_of(
    leg: str, number: int, *, plain: bool = False, runs: Callable[..., Runs] | None = None
) -> list[Line]:
    """What a round learns from: for every leg the same number of lines.

    runs: a leg and a round -> what was done there by itself; None is what the adapters do.
    """
    mine, oracles, spare = tasks_of(number)
    n = ROUNDS[number - 1].lines
    if plain or leg not in get_args(Leg):
        found = whole((mine + spare)[:n], leg)
    else:
        did = (runs or own_runs)(leg, number)
        found = [state.line(leg) for state in own(did, cast(Leg, leg), n)]
    found += whole(oracles, leg)
    random.Random(f"{SEED} {number}").shuffle(found)
    return found


def own_runs(leg: str, number: int) -> Runs:
    """What the adapter of the round before does by itself, and its figures beside it."""
    before, path = adapter(leg, number - 1), place(f"{leg}-own-{number}.jsonl")
    runs = rolled(leg, tasks_of(number)[0], models.local(adapter={leg: before}), path)
    facts = {
        "round": number,
        "tasks": len(runs),
        "right": sum(map(bool, map(correct, runs))),
        "gave up": sum(run.answer == LABELS[2] and run.task.gold != LABELS[2] for run in runs),
        "states": sum(len(run.steps) for run in runs),
    }
    data.write(path.with_suffix(".json"), json.dumps(facts))
    return runs


# ---------------------------------------------------------------------- training


def adapter(leg: str, number: int, *, plain: bool = False) -> Path:
    """The adapter after a round, trained unless that is done; before the first the shipped one."""
    if number == 0:
        return data.folder("adapters", f"{leg}.gguf")
    plain = plain or leg not in get_args(Leg)
    name = f"{leg}-{'plain' if plain else 'own'}-{number}"
    if (done := place(name, f"{name}.gguf")).exists():
        return done
    before = adapter(leg, number - 1, plain=plain)
    recipe = Recipe(rate=ROUNDS[number - 1].rate, seed=10 + number)
    return trained(leg, place(name), lines_of(leg, number, plain=plain), recipe, before)


def look(leg: str, number: int) -> Iterator[str]:
    """Ten lines of a round, as they are learned: >>> marks what is, and what is merely shown not."""
    for line in lines_of(leg, number)[:10]:
        turns = ((turn.shown, turn.learned, turn.written + turn.mark) for turn in line)
        yield "".join(f"{s}{'>>>' if learned else ''}{wrote}" for s, learned, wrote in turns)


def main() -> None:
    words = sys.argv[1:]
    number = next((int(word) for word in words if word.isdecimal()), len(ROUNDS))
    legs = [leg for leg in LEGS if leg in words] or LEGS
    weights.path()  # or a sentence that says how to get them
    for leg in legs:
        if "look" in words:
            print(*look(leg, number), sep="\n\n")
        else:
            print(adapter(leg, number, plain="plain" in words), flush=True)


if __name__ == "__main__":
    main()
