"""Figure 2 and its kin: accuracy against samples, and against costs."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..analysis import paper
from ..kinds import kind_of
from ..support import pd
from . import rates
from .backoff import METHODS, PAPERS, Rule, by_samples, combined
from .picture import Picture, sheet
from .rates import RunsOrFrame, name_of, task_word

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# So narrow, and with letters so large, that two panels can still be read in a notebook at 1,000 px.
WIDE, LETTERS = 4.55, 15


def samples_curve(
    data: RunsOrFrame,
    *,
    samples: Iterable[int] | None = None,
    rule: Rule = PAPERS,
    draws: int = 200,
    seed: int = 0,
) -> Picture:
    """Figure 2: accuracy against the number of CoT-SC samples, from the stored votes, with no call.

    data: react and cot-sc runs of the same tasks, or a frame of them. samples: the numbers to draw
    (None: 1 to all). rule: when a combination hands over (back-off share, who answers at exactly
    that share, ReAct's step limit). draws, seed: a point is the mean of so many draws.
    """
    df = rates.graded(data, "model", "source", "votes")
    acted, voted = (set(df.loc[df["method"] == method, "task"]) for method in ("react", "cot-sc"))
    kept = df["method"].isin(("react", "cot-sc", "cot")) & df["task"].isin(acted & voted)
    df = rates.only(df, kept, "Figure 2 takes a react run and a cot-sc run of the same tasks")
    setting, parts = rates.one_setting(df), rates.in_kinds(df)
    drawn = None if samples is None else list(samples)
    curves = {kind: by_samples(rows, drawn, rule, draws, seed) for kind, rows in parts}
    agreement = [words(kind, curve) for kind, curve in curves.items()]
    caption = (
        f"{rates.caution(df)}Figure 2 with our runs: {rates.about(df, setting)} A point is the "
        f"mean of {draws} draws of that many of the stored samples; {rule}. Bars: 95% Wilson "
        f"intervals. Hollow: the paper, PaLM-540B with 21 samples. {' '.join(agreement)}"
    )
    with sheet(caption, len(parts), max(7.2, WIDE * len(parts)), 5.6) as (figure, axes):
        for ax, (kind, rows) in zip(axes, parts, strict=True):
            draw_curve(ax, curves[kind], paper.figure(2)["ends"].get(kind, {}))
            lines = rows[rows["method"] != "cot-sc"]
            if rule.max_steps is not None:
                late = (lines["method"] == "react") & (lines["steps"] > rule.max_steps)
                lines = lines.assign(correct=lines["correct"].mask(late, 0.0))
            draw_lines(ax, rates.of_methods(lines))
            ax.set_title(f"{task_word(kind)}\n{textwrap.fill(rates.source_names(rows), 32)}")
            ax.tick_params(labelsize=LETTERS)
            ax.xaxis.label.set_fontsize(LETTERS)
        axes[0].set_ylabel("% correct", size=LETTERS)
        rates.above(figure, axes, 3)
    tables = {}
    for kind, curve in curves.items():
        table = rates.table_of(curve, samples=curve["samples"], method=curve["method"].map(name_of))
        table["majority %"], table["tied %"] = (100 * curve[["sure", "tied"]]).round(1).T.to_numpy()
        tables[task_word(kind)] = table
    return Picture(figure, caption, tables, tuple(paper.notes("figure2")))


figure2 = samples_curve  # the paper's name of it


def draw_curve(ax: Axes, curve: pd.DataFrame, ends: Mapping[str, float]) -> None:
    """The three curves, and beside them where the paper's end."""
    last = int(curve["samples"].max())
    ticks = [k for k in (1, 3, 5, 10, 15, last) if k in set(curve["samples"])]
    for i, method in enumerate(METHODS):
        colour, mark, _ = rates.look_of(method)
        rows, aside = curve[curve["method"] == method], 0.22 * (i - 1)
        x, y = rows["samples"] + aside, 100 * rows["rate"]
        ax.plot(x, y, "-", color=colour, marker=mark, ms=5.5, label=name_of(method))
        some = rows[rows["samples"].isin(ticks)]
        ax.vlines(some["samples"] + aside, 100 * some["low"], 100 * some["high"], color=colour,
                  lw=1.5)  # fmt: skip
        if method in ends:
            spot = last + 2.8 + 1.2 * i, ends[method]
            ax.plot(*spot, mark, color=colour, mfc="white", mew=2, ms=10)
    theirs = {last + 4: "paper"} if ends else {}
    ax.set_xticks([*ticks, *theirs], [*map(str, ticks), *theirs.values()])
    ax.set_xlabel("CoT-SC samples")
    ax.set_ylim(bottom=0)


def draw_lines(ax: Axes, rows: pd.DataFrame) -> None:
    """What does not depend on samples: CoT and ReAct, their intervals at the left."""
    for i, row in enumerate(rows.to_dict("records")):
        colour, _, dashes = rates.look_of(row["method"])
        ax.axhline(100 * row["rate"], color=colour, ls=dashes, label=name_of(row["method"]))
        ax.plot([-0.8 * i] * 2, [100 * row["low"], 100 * row["high"]], color=colour, lw=1.5)


def words(kind: str, curve: pd.DataFrame) -> str:
    """How often the samples agree: where they hardly ever do, a combination adds nothing."""
    k, sure, tied = curve[["samples", "sure", "tied"]].iloc[-1]
    text = f"With {k:g} samples the majority reaches its share on {sure:.0%} of the "
    text += f"{task_word(kind)} (a tie on {tied:.0%})"
    return f"{text}{': here CoT-SC → ReAct can hardly differ from ReAct' * (sure < 0.1)}."


# ------------------------------------------------------------------ costs

SPENT = {"calls": "model calls", "tokens": "tokens", "seconds": "seconds"}


def cost(data: RunsOrFrame, by: str = "calls") -> Picture:
    """Accuracy against what a task costs: by="calls", "tokens" or "seconds"."""
    if by not in SPENT:
        raise ValueError(f"by={by!r}: what a task costs is counted in calls, tokens or seconds")
    df = rates.graded(data, "model", "source", "end", "calls")
    setting, warning, df = rates.one_setting(df), rates.caution(df), combined(df)
    if by == "tokens":
        df = df.assign(tokens=df["tokens_in"].astype(float) + df["tokens_out"].astype(float))
    parts, tables = {}, {}
    for kind, rows in rates.in_kinds(df):  # the mean cost: missing as soon as one run's is unknown
        found = rates.of_methods(rows).set_index("method").loc[rates.in_order(rows["method"])]
        spent = rows.groupby("method")[by].agg(lambda each: each.astype(float).mean(skipna=False))
        parts[kind] = part = found.assign(**{by: spent}).reset_index()
        table = rates.table_of(part.drop(columns="calls"), method=part["method"].map(name_of))
        tables[task_word(kind)] = table.assign(**{per_task(kind, by): part[by].round(1)})
    names = " and ".join(per_task(kind, by) for kind in parts)
    caption = (
        f"{warning}Accuracy against cost: {rates.about(df, setting)} Cost: {names}, the mean; "
        "every line to the right doubles it, and equal costs stand side by side. "
        "Bars: 95% Wilson intervals."
    )
    with sheet(caption, len(parts), 2 + 5.4 * len(parts), 5.2, sharey=True) as (figure, axes):
        for ax, (kind, rows) in zip(axes, parts.items(), strict=True):
            draw_cost(ax, rows, by)
            ax.set(title=task_word(kind), xlabel=per_task(kind, by))
        axes[0].set_ylim(bottom=0)  # after all panels: it fixes the scale that they share
        axes[0].set_ylabel("% correct")
        rates.above(figure, axes, 4)
    return Picture(figure, caption, tables)


def per_task(kind: str, by: str = "calls") -> str:
    """`model calls per question`: what a cost is called."""
    opener = kind_of(kind).opener
    return f"{SPENT[by]} per {opener.lower() if opener.isascii() else 'question'}"


def draw_cost(
    ax: Axes, rows: pd.DataFrame, by: str, words: Callable[[dict[Any, Any]], str] | None = None
) -> None:
    """Accuracy over cost. words: what the key says of a row (None: its method)."""
    spots, last = dict[str, float](), 0.0
    for row in rows[rows[by] > 0].sort_values(by).to_dict("records"):
        spots[row["method"]] = last = max(row[by], last * 1.1)  # two of one cost: side by side
    for row in rows[rows["method"].isin(spots)].to_dict("records"):
        colour, sign, _ = rates.look_of(row["method"])
        x, name = spots[row["method"]], words(row) if words else name_of(row["method"])
        ax.vlines([x], 100 * row["low"], 100 * row["high"], color=colour, lw=2)
        ax.plot([x], [100 * row["rate"]], sign, color=colour, ms=12, label=name, clip_on=False)
    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_formatter("{x:g}")
