"""How the shipped adapters were trained (section 3.3: bootstrapping from correct trajectories).

    python -m react_lab.authoring.rounds           trains all; a killed one goes on where it was
    python -m react_lab.authoring.rounds react     one leg; two side by side: OMP_NUM_THREADS=1 each

Round one learns from gold trajectories, the same for every leg, in two passes. For react and act a
second round follows: the adapter of round one runs on other train questions, and the runs that
are correct, and only those, train it further.

The shipped ones read the pages and open claims of 2026-11-22, which are others now. What was tried
after that is in `own_states`.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence
from pathlib import Path

from .. import data, models, score, tasks
from ..evaluation import evaluate
from ..finetune import Line, training_lines
from ..finetune.adapter import write_gguf
from ..finetune.gold import draw_gold
from ..finetune.terminal import Bar
from ..finetune.training import Recipe, train
from ..kinds import LEGS
from ..models import weights
from ..types import Task, Trajectory

__all__ = ["GOLD", "main", "first_pass", "others", "right", "round_two", "second_pass"]

GOLD = 1500  # 1,000 questions and 500 claims
BUDGETS = (150, 450)  # of the curve, beside GOLD: 100 and 300 questions
SECOND = 400  # train questions of round two
BOOTSTRAPPED = ("react", "act")  # the others are too seldom right to learn from themselves
SNAPSHOTS = 5  # adapters kept on the way, to see how the score grows with the steps


def place(*parts: str) -> Path:
    return data.resolve("runs/adapters").joinpath(*parts)


def first_pass(leg: str, n: int = GOLD) -> Path:
    """An adapter from gold trajectories, and what it was on the way there."""
    folder = place(f"{leg}-gold-{n}")
    lines = training_lines(draw_gold(n), leg)
    marks = [len(lines) * k // SNAPSHOTS for k in range(1, SNAPSHOTS)] if n == GOLD else []
    return trained(leg, folder, lines, Recipe(), marks=marks)


def second_pass(leg: str) -> Path:
    """Round one again: those lines in another order, at a lower rate."""
    lines = training_lines(draw_gold(GOLD), leg)
    again = Recipe(rate=7e-4, seed=1)
    return trained(leg, place(f"{leg}-again"), lines, again, first_pass(leg), [len(lines) // 2])


def round_two(leg: str) -> Path:
    """The adapter of round one, trained further on its own correct runs."""
    first = second_pass(leg)
    path = place(f"{leg}-two.jsonl")
    runs = evaluate(leg, others(SECOND), models.local(adapter={leg: first}), path, workers=8)
    lines = training_lines(runs, leg)
    return trained(leg, place(f"{leg}-two"), lines, Recipe(rate=4e-4, seed=2), first)


def trained(
    leg: str,
    folder: Path,
    lines: Sequence[Line],
    recipe: Recipe,
    start: Path | None = None,
    marks: Sequence[int] = (),
) -> Path:
    """Train, unless that is done; the adapters after the steps in `marks` are kept beside."""
    done, base = folder / f"{folder.name}.gguf", weights.path()
    if done.exists():
        return done
    at = {step: folder / f"step-{step}" for step in marks}
    with Bar(f"{folder.name}, {len(lines)} lines") as bar:
        train(lines, folder, base, recipe, start=start, on_step=bar, at=at)
    for step, snapshot in at.items():
        write_gguf(snapshot, folder / f"{folder.name}-step-{step}.gguf", base)
    return write_gguf(folder, done, base)


def others(n: int) -> list[Task]:
    """Train questions that round one did not learn from: written ones first."""
    known = {run.task.id for run in draw_gold(GOLD)}
    found = (
        task
        for split in ("written", "train")
        for task in tasks.load("multihop", split)
        if task.id not in known
    )
    return list(itertools.islice(found, n))


def right(runs: Sequence[Trajectory]) -> int:
    return sum(bool(score.correct(run)) for run in runs)


def main() -> None:
    for leg in sys.argv[1:] or LEGS:
        print(second_pass(leg), flush=True)
        if leg in BOOTSTRAPPED:
            print(round_two(leg), flush=True)
    if sys.argv[1:] in ([], ["react"]):
        for n in BUDGETS:
            print(first_pass("react", n), flush=True)


if __name__ == "__main__":
    main()
