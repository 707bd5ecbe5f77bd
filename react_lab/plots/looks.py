"""How a method looks, everywhere the same, and what panels share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..methods import METHODS

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["above", "look_of", "whiskers"]

OTHER = ("#000000", "*", "-")


def look_of(method: str) -> tuple[str, str, str]:
    """A method's colour, mark and line: the same in every picture."""
    known = METHODS.get(method)
    return (known.colour, known.mark, known.line) if known else OTHER


def above(figure: Figure, axes: Sequence[Axes], columns: int = 5) -> None:
    """One legend for all panels."""
    marks: dict[str, Artist] = {}
    for ax in axes:
        handles, names = ax.get_legend_handles_labels()
        marks.update(zip(names, handles, strict=True))
    figure.legend(marks.values(), marks.keys(), loc="outside upper left", ncols=columns)


def whiskers(ax: Axes, rows: pd.DataFrame, x: str, colour: str, aside: float = 0) -> None:
    ax.vlines(rows[x] + aside, 100 * rows["low"], 100 * rows["high"], color=colour, lw=1.5)
