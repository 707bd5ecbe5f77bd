"""Why games are lost and purchases fall short: the share of each cause, by method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..analysis import household, shop
from ..types import Trajectory, World
from .forest import OURS, QUIET
from .picture import Picture, canvas, drawing, written
from .rows import (
    NO_MODEL,
    RunsOrFrame,
    about,
    by_wilson,
    caution,
    graded,
    in_order,
    in_sources,
    name_of,
    one_model,
    one_setting,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["failures"]

WON = "won"


class Kind(NamedTuple):
    """How the tasks of a kind are accounted for, and what they are called."""

    of: ModuleType  # its CAUSES, its COUNTS, and `causes`
    plural: str
    one: str
    rest: str  # the cause of a lost run that no other is known of


KINDS = {
    "household": Kind(household, "household games", "game", "out of steps"),
    "shop": Kind(shop, "shopping goals", "goal", "no purchase"),
}
NONE = "these causes are of household games and shopping goals, and none of these runs is of one"
BOTH = "household games and shopping goals are lost for different causes: draw one kind at a time"


def failures(data: RunsOrFrame, world: World | None = None) -> Picture:
    """What became of household games, or of shopping goals: won, or the one main cause why not.

    data: runs, whose acts are done again in their world; or a frame that has their causes already.
    world: where the tasks of runs are found; None is the bundled world.
    """
    import pandas as pd

    if isinstance(data, pd.DataFrame):
        kind = kind_in(data["kind"].unique() if "kind" in data else ())
    else:
        data = [data] if isinstance(data, Trajectory) else list(data)
        kind = kind_in({run.task.kind for run in data})
        data = kind.of.causes([run for run in data if KINDS.get(run.task.kind) is kind], world)
    df = graded(data, "model", "source", "end", "cause", "steps", *kind.of.COUNTS)
    df = df[[KINDS.get(name) is kind for name in df["kind"]]]
    setting = one_setting(df)
    if setting != NO_MODEL:
        df = df[df["setting"] != NO_MODEL]
    one_model(df)
    df = df.assign(became=df["cause"].where(df["correct"] < 1, WON).fillna(kind.rest))
    parts = dict(in_sources(df))
    names = [name for name in (WON, *kind.of.CAUSES) if (df["became"] == name).any()]
    table = pd.DataFrame(list(rows_of(parts, names)))
    caption = (
        f"{caution(df)}What became of {kind.plural}: {about(df, setting)} Shares are of all "
        f"{kind.one}s of a method, with 95% Wilson intervals. Every lost {kind.one} has one cause, "
        f"the first of this list that fits what was done:\n{meanings(kind, names)}"
    )
    with drawing():
        figure = drawn(parts, names, table, kind)
        written(figure, caption)
    counted = pd.DataFrame(list(counts_of(parts, tuple(kind.of.COUNTS))))
    return Picture(figure, caption, {"causes": table, "counts": counted}, (counted_words(kind),))


def kind_in(names: Iterable[str]) -> Kind:
    """The one kind among these that causes are known of."""
    known = [KINDS[name] for name in names if name in KINDS]
    if len(known) != 1:
        raise ValueError(BOTH if known else NONE)
    return known[0]


def meanings(kind: Kind, names: Sequence[str]) -> str:
    return "\n".join(f"{n}: {kind.of.CAUSES[n]}" for n in names if n in kind.of.CAUSES)


def counted_words(kind: Kind) -> str:
    told = "; ".join(f"{name}: {what}" for name, what in kind.of.COUNTS.items())
    return f"The table `counts` has means per {kind.one}. {told}."


Parts = dict[str, "pd.DataFrame"]  # a source, its runs


def rows_of(parts: Parts, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """One row per source, method and cause; a game that was played often counts by its mean."""
    for source, rows in parts.items():
        for method in in_order(set(rows["method"])):
            mine = rows[rows["method"] == method]
            for name in names:
                hits = mine.assign(hit=(mine["became"] == name).astype(float))
                means = hits.groupby("task")["hit"].mean()
                low, high = by_wilson(means.tolist())
                lost = int((mine["became"] != WON).sum())
                share = 100 * int(hits["hit"].sum()) / lost if lost and name != WON else None
                yield {
                    "games": source, "method": name_of(method), "what became of it": name,
                    "runs": int(hits["hit"].sum()), "of": len(mine),
                    "%": round(100 * float(means.mean()), 1), "from": round(100 * low, 1),
                    "to": round(100 * high, 1),
                    "% of the lost": None if share is None else round(share, 1),
                }  # fmt: skip


def counts_of(parts: Parts, counts: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Means per run of what else was counted, of the won and of the lost."""
    for source, rows in parts.items():
        for method in in_order(set(rows["method"])):
            mine = rows[rows["method"] == method]
            won = mine["became"] == WON
            for name, some in ((WON, mine[won]), ("lost", mine[~won])):
                if len(some):
                    first = {"games": source, "method": name_of(method), "which": name}
                    means = {key: round(float(some[key].mean()), 1) for key in ("steps", *counts)}
                    yield {**first, "runs": len(some), **means}


def drawn(parts: Parts, names: Sequence[str], table: pd.DataFrame, kind: Kind) -> Any:
    """A row of panels per source, a panel per method."""
    methods = list(dict.fromkeys(table["method"]))
    figure, axes = canvas(
        len(methods), 2.6 + 3.7 * len(methods), 0.8 + len(parts) * (1.3 + 0.5 * len(names)),
        rows=len(parts), sharex=True,
    )  # fmt: skip
    most = min(100, 10 * (int(table["to"].max() / 10) + 1))
    grid = ((source, method) for source in parts for method in methods)
    for ax, (source, method) in zip(axes, grid, strict=True):
        rows = table[(table["games"] == source) & (table["method"] == method)]
        draw_panel(ax, rows, names)
        ax.set_xlim(0, most)
        ax.set_title(f"{method}\n{source}" if len(parts) > 1 else method)
        first = method == methods[0]
        ax.set_yticks(range(len(names)), names if first else [""] * len(names))
        if source == list(parts)[-1]:
            ax.set_xlabel(f"% of its {kind.one}s")
    return figure


def draw_panel(ax: Axes, rows: pd.DataFrame, names: Sequence[str]) -> None:
    for row in rows.to_dict("records"):
        y, won = names.index(row["what became of it"]), row["what became of it"] == WON
        colour, mark = (QUIET, "s") if won else (OURS, "o")
        ax.plot([row["from"], row["to"]], [y, y], "-", color=colour, lw=3.5, alpha=0.5)
        ax.plot([row["%"]], [y], mark, color=colour, ms=10, clip_on=False)
        weight = "normal" if won else "bold"
        ax.text(
            1.04, y, f"{row['%']:.0f}", color=colour, weight=weight, va="center", size=13,
            transform=ax.get_yaxis_transform(),
        )  # fmt: skip
    if rows.empty:
        ax.text(0.5, 0.5, "no runs", transform=ax.transAxes, ha="center", color=QUIET)
    if WON in names:
        ax.axhline(0.5, color="#BBBBBB", lw=1)
    ax.set_ylim(len(names) - 0.5, -0.6)
    ax.tick_params(axis="y", length=0, pad=8)
    ax.spines["left"].set_visible(False)
