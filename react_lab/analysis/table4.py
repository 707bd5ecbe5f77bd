"""Table 4 with our runs: what the shop's adapters are worth, from data/runs/0.5b.

df = table4.measured(); rl.plots.table4(df); rl.plots.failures(df)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import data, store
from ..types import Trajectory
from .shop import causes

if TYPE_CHECKING:
    import pandas as pd


def runs() -> list[Trajectory]:
    """The runs of the bundled model on the 86 test goals."""
    kept = store.open(data.folder("runs", "0.5b", "shop.jsonl"))
    return [run for run in kept if run.task.id.startswith("shop-test-")]


def programs() -> list[Trajectory]:
    """The runs of the shoppers without a model: two silly ones, and our oracle."""
    return list(store.open(data.folder("runs", "programs", "shop.jsonl")))


def measured() -> pd.DataFrame:
    """A frame of all these runs, with what each that did not earn everything lacked."""
    return causes([*runs(), *programs()])
