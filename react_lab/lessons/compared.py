"""The recorded comparison that lessons 03 to 05 draw from: one file a kind and a setting; and how
several lessons show a picture or a table of words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import react_lab as rl

from .. import display
from ..analysis import paper
from ..languages import say
from ..plots.picture import Picture, bare, drawing, few_colours, put
from ..plots.rates import name_of
from ..support import pd

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Kind = Literal["multihop", "claims"]
Setting = Literal["tuned", "prompted"]
METHODS = ("standard", "cot", "cot-sc", "act", "react")  # the paper's order


def runs(kind: Kind, how: Setting) -> rl.store.Runs:
    """The recorded runs of a kind: `tuned` by adapters, or `prompted` with exemplars alone."""
    return rl.store.open(rl.data.folder("runs", "comparison", f"{kind}-{how}.jsonl"))


def story(kind: Kind, df: pd.DataFrame) -> display.Page:
    """The rows of Table 1 beside ours: what the paper found, what we did, and whether it is luck.

    df: the fine-tuned runs. The paper's rates are of PaLM-540B, prompted.
    """
    theirs = paper.table(1).set_index("method")[kind]
    rows, asked = {}, df["task"].nunique()
    for method in (m for m in METHODS if m in set(df["method"])):
        mine = df[df["method"] == method]["correct"].astype(bool)
        low, high = rl.stats.wilson(int(mine.sum()), len(mine))
        against = "–"
        if method != "react":
            pair = rl.stats.paired(df, "react", method)
            sure = rl.stats.mcnemar(pair.wins, pair.losses) < 0.05
            points = f"{100 * pair.difference:+.0f}"
            against = say("story.beyond" if sure else "story.within", points=points)
            if pair.n < asked:
                against += say("story.shared", n=pair.n)
        rows[name_of(method)] = {
            say("story.paper"): f"{theirs[method]:.1f}",
            say("story.ours"): f"{100 * mine.mean():.1f}",
            say("story.interval"): say("story.range", low=round(100 * low), high=round(100 * high)),
            say("story.same_tasks"): against,
        }
    return left(pd.DataFrame(rows).T.rename_axis(say("story.method")))


@dataclass(frozen=True, repr=False)
class Small:
    """A picture as a notebook keeps it, and its caption in words."""

    png: bytes
    words: str
    below: str = ""

    def _ipython_display_(self) -> None:
        put(self.png, self.words, self.below)

    def __repr__(self) -> str:
        return self.words


def table_of(rows: Sequence[Sequence[str]]) -> display.Page:
    """Rows of words as a table; the first row is its head."""
    style = "text-align: left; vertical-align: top; padding: 2px 10px; white-space: normal"
    size = "font-size: var(--jp-content-font-size1, 1em); line-height: 1.45"
    lines = []
    for i, row in enumerate(rows):
        tag = "td" if i else "th"
        cells = "".join(f'<{tag} style="{style}">{display.inert(cell)}</{tag}>' for cell in row)
        lines.append(f"<tr>{cells}</tr>")
    text = "\n".join(" | ".join(row) for row in rows)
    return display.Page(f'<table style="{size}">{"".join(lines)}</table>', text)


def left(df: pd.DataFrame) -> display.Page:
    """A table whose cells are words: pandas would set them at the right."""
    rows = zip(df.index, df.to_numpy(), strict=True)
    head = [df.index.name or "", *df.columns]
    return table_of([head, *([str(name), *map(str, row)] for name, row in rows)])


def small(picture: Picture, dpi: int = 80) -> Small:
    """A picture of `rl.plots` in half the bytes, so that a notebook can hold six of them."""
    with drawing(), bare(picture.figure):
        return Small(kept(picture.figure, dpi), repr(picture))


def kept(figure: Figure, dpi: int = 80) -> bytes:
    """A figure in 48 colours, chosen so that thin coloured marks keep theirs."""
    return few_colours(figure, 48, "MAXCOVERAGE", small=True, dpi=dpi)
