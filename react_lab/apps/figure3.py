"""Figure 3 with our runs: what fine-tuning changed in a small model (135M), from data/runs/figure3.

python -m react_lab figure3                prints every rate with its interval
python data/build/figure3_runs.py      runs what is missing there
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from .. import data, plots, score, store, tasks
from ..kinds import LEGS
from ..stats import interval
from ..types import Task, Trajectory

GENERATED = 150  # of the pool's 1,000, drawn evenly by type
FEW = 40  # drawn in the same way, for what takes long and is almost never right
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
        if self.rung == "test":  # as they were asked: the riddles
            hard = tasks.load(self.kind, "hard")
            there = [task for task in hard if task.id.startswith(f"{self.kind}-test-")]
            return tasks.draw(there, FEW if self.slow else None, 0, self.slow)
        split = "pool" if self.rung == "generated" else self.rung
        n = GENERATED if split == "pool" else FEW if self.slow else None
        return tasks.load(self.kind, split, n=n, by_type=n is not None)

    @property
    def slow(self) -> bool:
        """Whether FEW are run: prompted, the small model talks until cut off, step by step."""
        return not self.tuned and self.method in ("act", "react")

    @property
    def runs(self) -> list[Trajectory]:
        """Those that are stored: none before somebody measured the cell."""
        return list(store.open(self.path)) if self.path.exists() else []


CELLS = (
    Cell("generated", "multihop", "react", True),
    Cell("reworded", "multihop", "react", True),
    *(Cell("test", "multihop", leg, tuned) for tuned in (False, True) for leg in LEGS),
    *(Cell("test", "claims", leg, tuned) for tuned in (False, True) for leg in LEGS),
)


def report() -> str:
    """Every rate with its interval, and what the data say of the paper's claims."""
    blocks = []
    for (rung, what), kind, tuned in product(RUNGS.items(), ("multihop", "claims"), (False, True)):
        cells = [c for c in CELLS if (c.rung, c.kind, c.tuned) == (rung, kind, tuned)]
        where = what if kind == "multihop" else "hand-written claims (guessing: 33%)"
        rows = [f"{where}, {'fine-tuned' if tuned else 'prompted'}"]
        for cell in cells:
            for name, runs in parts(cell):
                right, n = sum(bool(score.correct(run)) for run in runs), len(runs)
                rate = f"{right / n:6.1%}   95% {interval(right, n, '5.1%')}"
                rows.append(f"  {cell.method:9}{name:12}{right:4} of {n:4} {rate}")
        blocks += ["\n".join(rows)] if len(rows) > 1 else []
    return "\n\n".join([*blocks, "\n".join(claims())])


def parts(cell: Cell) -> Iterator[tuple[str, list[Trajectory]]]:
    """All runs of a cell; of hand-written questions also those that need a second page."""
    if runs := cell.runs:
        yield "all", runs
    bridge = [run for run in runs if run.task.extra.get("type") == "bridge"]
    if cell.rung == "test" and bridge:
        yield "bridge", bridge


def tested(kind: str) -> list[Trajectory]:
    """The runs on the test split: what Figure 3 draws."""
    cells = [cell for cell in CELLS if (cell.rung, cell.kind) == ("test", kind)]
    return [run for cell in cells for run in cell.runs]


def claims() -> Iterator[str]:
    """The ordinal claims of the paper's Figure 3, each tested on questions that both answered."""
    runs = tested("multihop")
    if any(run.settings["bare"] for run in runs):
        yield "The paper's claims of Figure 3 (exact McNemar tests on the same questions)"
        for row in plots.figure3(runs).tables["claims"].itertuples():
            yield f"  {row.verdict:13}{row.claim} ({row.comparisons})"
