"""Table 3 with our runs: what the household adapters are worth, from data/runs/0.5b.

    df = table3.measured(); rl.plots.table3(df); rl.plots.failures(df)
    table3.measured(table3.folder())      the 135M, on the games of `old` and on ALFWorld's

Runs of our own games are kept whole. Of ALFWorld's games, and of the programs that play without a
model, only what became of each run is kept: a summary, as `table3_runs.py` writes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .. import data, store
from ..records import Record
from ..types import Trajectory
from .household import COUNTS, causes

if TYPE_CHECKING:
    import pandas as pd


COLUMNS = (
    "id", "task", "kind", "type", "method", "model", "setting", "adapter", "source", "prompts",
    "correct", "reward", "end", "run_flags", "steps", "calls", "max_steps", "cause", *COUNTS,
)  # fmt: skip
PROGRAMS = "programs-unseen.json"


@dataclass(frozen=True)
class Summary:
    """What became of some runs: columns of a frame, and a row per run."""

    about: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | bool | None, ...], ...]


def wrong_summary(summary: Summary) -> str:
    if summary.columns != COLUMNS:
        return f"its columns are not {', '.join(COLUMNS)}"
    if any(len(row) != len(COLUMNS) for row in summary.rows):
        return f"a row of it has not the {len(COLUMNS)} values that its columns name"
    return ""


SUMMARY = Record(Summary, wrong_summary)


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
    import pandas as pd

    if path is None:
        whole, summaries = [causes(runs())], [data.folder("runs", "0.5b", PROGRAMS)]
    else:
        whole = [causes(store.open(file)) for file in sorted(path.glob("*.jsonl"))]
        summaries = sorted(path.glob("*.json"))
    kept = [df for df in (*whole, *map(read_summary, summaries)) if len(df)]
    if not kept:
        raise ValueError(f"no runs are kept in {path}: python data/build/table3_runs.py makes them")
    return pd.concat([df[list(COLUMNS)] for df in kept], ignore_index=True)


def read_summary(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        found = SUMMARY.read(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path} is no summary of runs: {error}") from None
    return pd.DataFrame(list(found.rows), columns=list(COLUMNS))
