"""Table 3 with our runs: what the household adapters are worth, from data/runs/0.5b.

    df = table3.measured(); rl.plots.table3(df); rl.plots.failures(df)
    table3.measured(table3.folder())      the 135M, on the games of `old` and on ALFWorld's

Runs of our own games are kept whole. Of ALFWorld's games, and of the programs that play without a
model, only what became of each run is kept: a summary, as `table3_runs.py` writes it.
"""

from __future__ import annotations

import json
from pathlib import Path

from .. import data, store
from ..support import pd
from ..types import Trajectory
from .household import causes

COLUMNS = (
    "id", "task", "kind", "type", "method", "model", "setting", "adapter", "source", "prompts",
    "correct", "reward", "end", "run_flags", "steps", "calls", "max_steps", "cause",
)  # fmt: skip
PROGRAMS = "programs-unseen.json"


def folder() -> Path:
    return data.folder("runs", "table3")


def runs() -> list[Trajectory]:
    """The runs of the bundled model on our unseen games."""
    kept = store.open(data.folder("runs", "0.5b", "household.jsonl"))
    return [run for run in kept if run.task.id.startswith("household-unseen-")]


def measured(path: Path | None = None) -> pd.DataFrame:
    """A frame of all runs that are kept in a folder, with the causes of lost ones.

    None: `runs`, and those of the programs on the same games.
    """
    if path is None:
        whole, summaries = [causes(runs())], [data.folder("runs", "0.5b", PROGRAMS)]
    else:
        whole = [causes(store.open(file)) for file in sorted(path.glob("*.jsonl"))]
        summaries = sorted(path.glob("*.json"))
    told = (json.loads(file.read_text(encoding="utf-8")) for file in summaries)
    read = [pd.DataFrame(each["rows"], columns=each["columns"]) for each in told]
    kept = [df for df in (*whole, *read) if len(df)]
    if not kept:
        raise ValueError(f"no runs are kept in {path}: python data/build/table3_runs.py makes them")
    return pd.concat([df[list(COLUMNS)] for df in kept], ignore_index=True)
