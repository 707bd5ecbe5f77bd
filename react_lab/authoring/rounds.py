"""How the shipped adapters were trained (section 3.3: bootstrapping from correct trajectories).

    python -m react_lab.authoring.rounds           trains all; a killed one goes on where it was

Round one learns from gold trajectories, the same number for every leg. For react and act a second
round follows: the adapter of round one runs on other train questions, and the runs that are
correct, and only those, train it further.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .. import data, lab, models, score, store, tasks
from ..adapter import write_gguf
from ..finetune import training_lines
from ..models import weights
from ..training import Recipe, train
from ..types import Model, Task, Trajectory
from .adapters import Bar
from .gold import draw_gold

__all__ = ["GOLD", "fill", "main", "others", "round_one", "round_two"]

GOLD = 1500  # 1,000 questions and 500 claims
BUDGETS = (150, 450)  # of the curve, beside GOLD: 100 and 300 questions
SECOND = 800  # train questions of round two
LEGS = ("react", "cot", "standard", "act")
FIRST, AGAIN = Recipe(), Recipe(rate=4e-4)
SNAPSHOTS = 5  # adapters kept on the way, to see how the score grows with the steps


def place(*parts: str) -> Path:
    return data.resolve("runs/adapters").joinpath(*parts)


def round_one(leg: str, n: int = GOLD) -> Path:
    """An adapter from gold trajectories, and what it was on the way there."""
    folder, base = place(f"{leg}-gold-{n}"), weights.path()
    done = folder / f"{leg}-gold-{n}.gguf"
    if done.exists():
        return done
    lines = training_lines(draw_gold(n), leg)
    steps = -(-len(lines) // FIRST.batch)
    marks = [steps * k // SNAPSHOTS for k in range(1, SNAPSHOTS)] if n == GOLD else []
    at = {step: folder / f"step-{step}" for step in marks}
    with Bar(f"{leg}, {n} gold") as bar:
        train(lines, folder, base, FIRST, on_step=bar, at=at)
    for step, snapshot in at.items():
        write_gguf(snapshot, folder / f"{leg}-step-{step}.gguf", base)
    return write_gguf(folder, done, base)


def round_two(leg: str) -> Path:
    """The adapter of round one, trained further on its own correct runs."""
    folder, base = place(f"{leg}-two"), weights.path()
    done = folder / f"{leg}-two.gguf"
    if done.exists():
        return done
    first = round_one(leg)
    path = place(f"{leg}-two.jsonl")
    fill(path, leg, others(SECOND), models.local(adapter={leg: first}), workers=8)
    lines = training_lines(store.open(path), leg)
    with Bar(f"{leg}, {len(lines)} own") as bar:
        train(lines, folder, base, AGAIN, start=first.parent, on_step=bar)
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


def fill(path: Path, method: str, asked: Iterable[Task], model: Model, workers: int = 1) -> None:
    """Run a method on the tasks that the file lacks."""
    done = {run.id for run in store.open(path)} if path.exists() else set[str]()
    missing = [task for task in asked if id_of(method, task, model) not in done]

    def keep(task: Task) -> bool | None:
        run = lab.run(method, task, model)
        store.append(path, run)
        return score.correct(run)

    with Bar(f"{path.stem}: {method}") as bar, ThreadPoolExecutor(workers) as pool:
        bar.count(pool.map(keep, missing), len(missing))


def id_of(method: str, task: Task, model: Model) -> str:
    return lab.kit_for(task, model).start(task, method, [method]).id


def right(runs: Sequence[Trajectory]) -> int:
    return sum(bool(score.correct(run)) for run in runs)


def main() -> None:
    for leg in LEGS:
        print(round_one(leg), flush=True)
    for leg in ("react", "act"):
        print(round_two(leg), flush=True)
    for n in BUDGETS:
        print(round_one("react", n), flush=True)


if __name__ == "__main__":
    main()
