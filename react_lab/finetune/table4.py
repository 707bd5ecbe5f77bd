"""Table 4 with our runs: what the shop's adapters are worth, from data/runs/table4.

df = table4.measured(); rl.plots.table4(df); rl.plots.failures(df)
python -m react_lab.authoring.table4      runs what is missing there
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .. import data, store, tasks
from ..envs.shop import Shop
from ..types import Trajectory
from ..world.shop.failures import causes
from ..world.shop.programs import by_oracle, first_hit, first_hit_named

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RUNS", "folder", "measured", "programs", "runs"]

RUNS = "test.jsonl"


def folder() -> Path:
    return data.folder("runs", "table4")


def runs(path: Path | None = None) -> list[Trajectory]:
    """The runs of the bundled model that are kept in a folder (None: ours)."""
    file = (path or folder()) / RUNS
    if not file.exists():
        raise ValueError(
            f"no runs are kept in {file}: python -m react_lab.authoring.table4 makes them"
        )
    return list(store.open(file))


def programs() -> Iterator[Trajectory]:
    """The runs of the shoppers without a model: so fast that they are not kept."""
    world = Shop()
    for task in tasks.load("shop", "test"):
        yield from (
            shopper(task, world(task)) for shopper in (first_hit, first_hit_named, by_oracle)
        )


def measured(path: Path | None = None) -> pd.DataFrame:
    """A frame of all these runs, with what each that did not earn everything lacked."""
    return causes([*runs(path), *programs()])
