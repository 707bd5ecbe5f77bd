"""Table 4 with our runs: what the shop's adapters are worth, from data/runs/table4.

df = table4.measured(); rl.plots.table4(df); rl.plots.failures(df)
python data/build/table4_runs.py      runs what is missing there
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .. import data, store
from ..types import Trajectory
from .shop import causes

if TYPE_CHECKING:
    import pandas as pd


RUNS = "test.jsonl"


def folder() -> Path:
    return data.folder("runs", "table4")


def runs(path: Path | None = None) -> list[Trajectory]:
    """The runs of the bundled model that are kept in a folder (None: ours)."""
    file = (path or folder()) / RUNS
    if not file.exists():
        raise ValueError(f"no runs are kept in {file}: python data/build/table4_runs.py makes them")
    return list(store.open(file))


def programs() -> list[Trajectory]:
    """The runs of the shoppers without a model: two silly ones, and our oracle."""
    return list(store.open(data.folder("runs", "programs", "shop.jsonl")))


def measured(path: Path | None = None) -> pd.DataFrame:
    """A frame of all these runs, with what each that did not earn everything lacked."""
    return causes([*runs(path), *programs()])
