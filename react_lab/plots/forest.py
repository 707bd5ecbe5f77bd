"""One dot per rate with its interval, the paper's beside it: the picture of every table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .picture import Picture, canvas, cell_text, decimals, drawing, written
from .rows import table_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["OURS", "PAPER", "Panels", "forest", "panels"]

# Okabe and Ito's colours, distinct to the colour-blind; form and fill say the same once more.
OURS, PAPER, QUIET = "#0072B2", "#A34700", "#777777"
COLUMNS = {"ours": (0.28, OURS), "n": (0.58, QUIET), "paper": (0.98, PAPER)}

Panels = Mapping[str, "pd.DataFrame"]  # title -> rows: label, rate, low, high, n, paper ...


def panels(
    parts: Panels, caption: str, notes: Sequence[str] = (), *,
    paper: str = "the paper: PaLM-540B", unit: str = "% correct", numbers: bool = True,
    down: bool = False,
) -> Picture:  # fmt: skip
    """One picture of several forests with the same scale, and one table of them all.

    down: below each other, so that a narrow page can show the letters at their size.
    """
    each = (3.6, 1.9) if numbers else (1.75,)  # a forest, and the columns of numbers beside it
    rows, most = max(map(len, parts.values())), widest(parts)
    wide, tall = (1, len(parts)) if down else (len(parts), 1)
    with drawing():
        figure, axes = canvas(
            len(each) * wide, 2.7 + sum(each) * wide, 0.6 + (1.3 + 0.55 * rows) * tall,
            rows=tall, width_ratios=each * wide,
        )  # fmt: skip
        before = None
        for ax, (title, part) in zip(axes[:: len(each)], parts.items(), strict=True):
            labels = list(part["label"])
            forest(ax, part, title, labels=down or labels != before, most=most)
            ax.set_xlabel(unit if numbers else "%")
            if not numbers:  # narrow: the last tick would run into the next panel's first
                ax.locator_params(axis="x", nbins=3, prune="upper")
            before = labels
        for ax, part in zip(axes[1::2] if numbers else (), parts.values(), strict=numbers):
            beside(ax, part)
        key(figure, paper if any(map(in_paper, parts.values())) else None)
        written(figure, caption)
    return Picture(figure, caption, {"table": joined(parts)}, tuple(filter(None, notes)))


def joined(parts: Panels) -> pd.DataFrame:
    import pandas as pd

    many = len(parts) > 1
    return pd.concat([
        table_of(part, **({"of": " ".join(title.split())} if many else {}), row=part["label"])
        for title, part in parts.items()
    ], ignore_index=True)  # fmt: skip


def widest(parts: Panels) -> float:
    """A scale that holds every number, in tens, so that small rates are not pressed to the left."""
    tops = [max(100 * part["high"].max(), part["paper"].max(), 0) for part in parts.values()]
    return min(100.0, 10.0 * (int(max(top for top in tops if top == top) / 10) + 1))


def forest(ax: Axes, part: pd.DataFrame, title: str, *, labels: bool, most: float) -> None:
    """Rows from top to bottom."""
    for y, row in enumerate(part.itertuples(index=False)):
        draw(ax, y, row)
    ax.set_title(title)
    ax.set_ylim(len(part) - 0.45, -0.6)
    ax.set_yticks(range(len(part)), part["label"] if labels else [""] * len(part))
    ax.tick_params(axis="y", length=0, pad=10)  # a mark at 0 needs room
    ax.spines["left"].set_visible(False)
    ax.set_xlim(0, most)


def draw(ax: Axes, y: int, row: Any) -> None:
    """Ours a filled dot on its interval, the paper's a hollow diamond a little lower."""
    both = row.rate == row.rate and row.paper == row.paper
    if row.paper == row.paper:
        spot = y + 0.18 * both
        ax.plot([row.paper], [spot], "D", color=PAPER, mfc="white", mew=2, ms=8, clip_on=False)
    if row.rate == row.rate:
        spot = y - 0.12 * both
        if row.low == row.low:
            ends = [100 * row.low, 100 * row.high]
            ax.plot(ends, [spot] * 2, "-", color=OURS, lw=3.5, alpha=0.5, solid_capstyle="butt")
        ax.plot([100 * row.rate], [spot], "o", color=OURS, ms=10, clip_on=False)


def beside(ax: Axes, part: pd.DataFrame) -> None:
    """The numbers themselves, in line with their rows."""
    digits = decimals(part["paper"])
    columns = {
        "ours": [cell_text(100 * rate, 1) for rate in part["rate"]],
        "n": [cell_text(n, 0) for n in part["n"]],
    }
    if in_paper(part):
        columns["paper"] = [cell_text(number, digits) for number in part["paper"]]
    for head, texts in columns.items():
        x, colour = COLUMNS[head]
        for y, text in enumerate([head, *texts], -1):
            weight = "bold" if head == "ours" and y >= 0 else "normal"
            ax.text(x, y, text, color=colour, weight=weight, ha="right", va="center", size=13)
    ax.set(xlim=(0, 1), ylim=(len(part) - 0.45, -0.6))
    ax.set_axis_off()


def in_paper(part: pd.DataFrame) -> bool:
    return bool(part["paper"].notna().any())


def key(figure: Figure, paper: str | None) -> None:
    """What the two marks are, once per figure, above it."""
    from matplotlib.lines import Line2D

    ours = Line2D([], [], color=OURS, marker="o", ms=10, lw=3.5, label="ours, 95% interval")
    theirs = Line2D([], [], color=PAPER, marker="D", mfc="white", mew=2, ms=8, lw=0, label=paper)
    figure.legend(handles=[ours, theirs] if paper else [ours], loc="outside upper left", ncols=2)
