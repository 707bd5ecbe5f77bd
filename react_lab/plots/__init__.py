"""Figures and tables of runs beside the paper's. Each takes one run, many, or a frame of them.

    picture = rl.plots.table1(df)     # in a notebook: the picture, its caption below
    picture.table, picture.latex(), picture.markdown(), picture.save("table1.pdf")

Rates carry 95% intervals, and prompted and fine-tuned runs never share a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names_of

if TYPE_CHECKING:
    from .backoff import Rule, by_samples, combined, cost, exemplars, figure2, samples_curve
    from .by_hand import table2
    from .compared import differences, figure3
    from .house_map import house
    from .household import table3
    from .lost import failures, grid, steps
    from .picture import Picture
    from .shopping import table4
    from .tables import table1, table5
    from .timelines import subgoals

__all__ = [
    "Picture", "Rule", "by_samples", "combined", "cost", "differences", "exemplars", "failures",
    "figure2", "figure3", "grid", "house", "samples_curve", "steps", "subgoals", "table1",
    "table2", "table3", "table4", "table5",
]  # fmt: skip

ROOMS = {
    "Picture": "picture",
    "Rule": "backoff",
    "by_samples": "backoff",
    "combined": "backoff",
    "cost": "backoff",
    "differences": "compared",
    "exemplars": "backoff",
    "failures": "lost",
    "figure2": "backoff",
    "figure3": "compared",
    "grid": "lost",
    "house": "house_map",
    "samples_curve": "backoff",
    "steps": "lost",
    "subgoals": "timelines",
    "table1": "tables",
    "table2": "by_hand",
    "table3": "household",
    "table4": "shopping",
    "table5": "tables",
}

__getattr__ = names_of(__name__, __all__, ROOMS)
