"""Figures and tables of runs beside the paper's. Each takes one run, many, or a frame of them.

    picture = rl.plots.table1(df)     # in a notebook: the picture, its caption below
    picture.table, picture.latex(), picture.markdown(), picture.save("table1.pdf")
    rl.plots.table(df).save("frame.tex")  # any frame; .png .pdf .svg .csv .tex .md, both alike

Rates carry 95% intervals, and prompted and fine-tuned runs never share a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..support import names_of

if TYPE_CHECKING:
    from .backoff import Rule, by_samples, combined
    from .curves import cost, figure2, samples_curve
    from .house_map import house
    from .lost import failures, grid, steps
    from .picture import Picture, table
    from .tables import differences, figure3, table1, table2, table3, table4, table5
    from .timelines import subgoals

__all__ = [
    "Picture", "Rule", "by_samples", "combined", "cost", "differences", "failures",
    "figure2", "figure3", "grid", "house", "samples_curve", "steps", "subgoals", "table",
    "table1", "table2", "table3", "table4", "table5",
]  # fmt: skip

ROOMS = {
    "backoff": "Rule by_samples combined",
    "curves": "cost figure2 samples_curve",
    "house_map": "house",
    "lost": "failures grid steps",
    "picture": "Picture table",
    "tables": "differences figure3 table1 table2 table3 table4 table5",
    "timelines": "subgoals",
}

__getattr__, __dir__ = names_of(__name__, __all__, ROOMS)
