"""Runs for Figure 3 what data/runs/figure3 lacks: python data/build/figure3_runs.py."""

from __future__ import annotations

from react_lab import models
from react_lab.apps.figure3 import CELLS
from react_lab.evaluation import evaluate

__all__ = ["measure"]


def measure() -> None:
    """Run what is missing; `python -m react_lab figure3` prints the rates."""
    for cell in sorted(CELLS, key=lambda cell: not cell.tuned):
        model = models.local("135m", adapter="auto" if cell.tuned else None)
        evaluate(cell.method, cell.tasks, model, cell.path)


if __name__ == "__main__":
    measure()
