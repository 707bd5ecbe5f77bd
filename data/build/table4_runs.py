"""The runs of Table 4, data/runs/table4: Act and ReAct with the adapters of the shop, 86 test goals.

    python data/build/table4_runs.py

What is there is not run again. A run is not ended when it repeats itself: the paper's limit of 15
steps is the only one.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from react_lab import data, models, plots, tasks
from react_lab.analysis import table4
from react_lab.evaluation import evaluate
from react_lab.kinds import KINDS
from react_lab.plots.picture import markdown_of
from react_lab.types import Model

__all__ = ["main", "measure"]

METHODS = ("act", "react")


def measure(model: Model, folder: Path, n: int | None = None) -> None:
    """Run what is missing. n: so many goals, for a try."""
    evaluate(METHODS, tasks.load("shop", "old")[:n], model, folder / table4.RUNS, workers=8)


def card(model: Model, folder: Path) -> str:
    """The README of the folder: model, adapters, settings, date, rates, what was lacking."""
    df, kind = table4.measured(folder), KINDS["shop"]
    table, lost = plots.table4(df), plots.failures(df)
    adapters = [f"* {method}: `{model.identity(kind.adapter(method))}`" for method in METHODS]
    how = (
        f"Made by `python data/build/table4_runs.py`, last on {datetime.now(UTC).date()}. "
        f"Greedy decoding, {kind.max_steps} steps at most, asked without an exemplar."
    )
    parts = ["# The runs of Table 4", how, "\n".join(adapters)]
    parts += [f"## {name}\n\n{markdown_of(each)}" for name, each in table.tables.items()]
    parts += [table.caption]
    parts += [f"## {name}\n\n{markdown_of(each)}" for name, each in lost.tables.items()]
    return "\n\n".join([*parts, lost.caption]) + "\n"


def main() -> None:
    model, folder = models.local(), table4.folder()
    runs, readme = folder / table4.RUNS, folder / "README.md"
    before = data.digest_of(runs) if runs.exists() and readme.exists() else ""
    measure(model, folder)
    if data.digest_of(runs) != before:
        data.write(readme, card(model, folder))
    print(plots.table4(table4.measured(folder)).caption)


if __name__ == "__main__":
    main()
