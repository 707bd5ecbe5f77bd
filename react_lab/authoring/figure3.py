"""Figure 3 for real: the bundled model, prompted and fine-tuned, by the four methods.

python -m react_lab.authoring.figure3      runs what data/runs/figure3 lacks, one worker
python -m react_lab figure3                prints the tables of what is there
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from .. import data, models, score, store, tasks
from ..stats import mcnemar, wilson
from ..types import Task, Trajectory
from .rounds import fill

__all__ = ["CELLS", "Cell", "claims", "measure", "report"]

LEGS = ("standard", "cot", "act", "react")
RUNGS = {  # never merged: each is harder than the one before
    "generated": "generated questions over dev pages",
    "reworded": "forty of them, re-worded by hand",
    "test": "hand-written questions over test pages",
}


@dataclass(frozen=True)
class Cell:
    """One rate of the report: which tasks, which method, prompted or fine-tuned."""

    rung: str
    kind: str
    method: str
    tuned: bool

    @property
    def path(self) -> Path:
        how = "tuned" if self.tuned else "prompted"
        name = f"{self.rung}-{self.kind}-{self.method}-{how}.jsonl"
        return data.folder("runs", "figure3", name)

    @property
    def tasks(self) -> list[Task]:
        split, n = {"generated": ("pool", 150)}.get(self.rung, (self.rung, None))
        return tasks.load(self.kind, split, n=n, by_type=n is not None)

    @property
    def runs(self) -> list[Trajectory]:
        return list(store.open(self.path)) if self.path.exists() else []


CELLS = (
    Cell("generated", "multihop", "react", True),
    Cell("reworded", "multihop", "react", True),
    *(Cell("test", "multihop", leg, tuned) for tuned in (False, True) for leg in LEGS),
    *(Cell("test", "claims", leg, tuned) for tuned in (False, True) for leg in LEGS),
)


def measure() -> None:
    """Run what is missing. One worker: what a batch says may differ in a letter."""
    for cell in sorted(CELLS, key=lambda cell: not cell.tuned):
        cell.path.parent.mkdir(parents=True, exist_ok=True)
        fill(
            cell.path, cell.method, cell.tasks, models.local(adapter="auto" if cell.tuned else None)
        )


def report() -> str:
    """Every rate with its interval, and what the data say of the paper's claims."""
    blocks = [block(title, cells) for title, cells in groups()]
    return "\n\n".join([*filter(None, blocks), "\n".join(claims())])


def groups() -> Iterator[tuple[str, list[Cell]]]:
    for rung, what in RUNGS.items():
        for kind, how in itertools.product(("multihop", "claims"), (False, True)):
            cells = [c for c in CELLS if (c.rung, c.kind, c.tuned) == (rung, kind, how)]
            where = what if kind == "multihop" else "hand-written claims (guessing: 33%)"
            yield f"{where}, {'fine-tuned' if how else 'prompted'}", cells


def block(title: str, cells: list[Cell]) -> str:
    rows = []
    for cell in cells:
        for name, runs in parts(cell):
            right = sum(bool(score.correct(run)) for run in runs)
            low, high = wilson(right, len(runs))
            rate = f"{right / len(runs):6.1%}   95% {low:5.1%} to {high:5.1%}"
            rows.append(f"  {cell.method:9}{name:12}{right:4} of {len(runs):4} {rate}")
    return "\n".join([title, *rows]) if rows else ""


def parts(cell: Cell) -> Iterator[tuple[str, list[Trajectory]]]:
    """All runs of a cell; of hand-written questions also those that need a second page."""
    if runs := cell.runs:
        yield "all", runs
    bridge = [run for run in runs if run.task.extra.get("type") == "bridge"]
    if cell.rung == "test" and bridge:
        yield "bridge", bridge


def claims() -> Iterator[str]:
    """The ordinal claims of the paper's Figure 3, each against the same questions."""
    told = {
        (c.method, c.tuned): grades(c) for c in CELLS if (c.rung, c.kind) == ("test", "multihop")
    }
    if not all(told.values()):
        return
    yield "The paper's claims of Figure 3 (exact McNemar test on the same questions)"
    others = [(leg, False) for leg in LEGS if leg != "react"]
    yield verdict("prompted, ReAct is the worst of the four", told, others, [("react", False)])
    rest = [(leg, True) for leg in LEGS if leg != "react"]
    yield verdict("fine-tuned, ReAct is the best of the four", told, [("react", True)], rest)
    prompted = [(leg, False) for leg in LEGS]
    yield verdict("fine-tuned ReAct beats all that is prompted", told, [("react", True)], prompted)
    acting, knowing = [("act", True), ("react", True)], [("standard", True), ("cot", True)]
    yield verdict("fine-tuned, Standard and CoT are below Act and ReAct", told, acting, knowing)


def grades(cell: Cell) -> dict[str, bool]:
    return {run.task.id: bool(score.correct(run)) for run in cell.runs}


Grades = Mapping[tuple[str, bool], Mapping[str, bool]]


def verdict(
    claim: str, told: Grades, better: list[tuple[str, bool]], worse: list[tuple[str, bool]]
) -> str:
    """Supported where every pair differs beyond chance the right way; contradicted where one does
    the wrong way; else these questions cannot tell."""
    signs = []
    for one, other in itertools.product(better, worse):
        a, b = told[one], told[other]
        wins = sum(a[k] and not b[k] for k in a.keys() & b.keys())
        losses = sum(b[k] and not a[k] for k in a.keys() & b.keys())
        sure = mcnemar(wins, losses) < 0.05
        signs.append(0 if not sure else 1 if wins > losses else -1)
    word = "contradicted" if -1 in signs else "supported" if all(signs) else "not decided"
    return f"  {word:13}{claim} ({signs.count(1)} of {len(signs)} comparisons sure)"


if __name__ == "__main__":
    measure()
    print(report())
