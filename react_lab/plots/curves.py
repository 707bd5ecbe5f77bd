"""Figure 2: accuracy against the number of CoT-SC samples."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .. import paper
from .backoff import METHODS, PAPERS, Rule, by_samples, limited
from .looks import above, look_of, whiskers
from .picture import Picture, canvas, drawing, written
from .rows import (
    RunsOrFrame,
    about,
    caution,
    graded,
    in_kinds,
    name_of,
    one_setting,
    rates,
    source_names,
    task_word,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["figure2", "samples_curve"]

# So narrow, and with letters so large, that two panels can still be read in a notebook at 1,000 px.
WIDE, LETTERS = 4.55, 15


def samples_curve(
    data: RunsOrFrame,
    *,
    samples: Iterable[int] | None = None,
    at: int | None = None,
    rule: Rule = PAPERS,
    draws: int = 200,
    seed: int = 0,
) -> Picture:
    """Figure 2: accuracy against the number of CoT-SC samples, from the stored votes, with no call.

    data: react and cot-sc runs of the same tasks, or a frame of them. samples: the numbers to draw
    (None: 1 to all). at: one of them to mark. rule: when a combination hands over (back-off share,
    who answers at exactly that share, ReAct's step limit). draws, seed: a point is the mean of so
    many draws of the samples.
    """
    df = same_tasks(graded(data, "model", "source", "votes"))
    setting, parts = one_setting(df), in_kinds(df)
    drawn = None if samples is None else list(samples)
    curves = {kind: by_samples(rows, drawn, rule, draws, seed) for kind, rows in parts}
    agreement = [words(kind, curve, at) for kind, curve in curves.items()]
    caption = (
        f"{caution(df)}Figure 2 with our runs: {about(df, setting)} A point is the mean of {draws} "
        f"draws of that many of the stored samples; {rule}. Bars: 95% Wilson intervals. Hollow: "
        f"the paper, PaLM-540B with 21 samples. {' '.join(agreement)}"
    )
    with drawing():
        figure, axes = canvas(len(parts), max(7.2, WIDE * len(parts)), 5.6)
        for ax, (kind, rows) in zip(axes, parts, strict=True):
            draw_curve(ax, curves[kind], paper.figure(2)["ends"].get(kind, {}))
            draw_lines(ax, rates(limited(rows[rows["method"] != "cot-sc"], rule), "method"))
            ax.set_title(f"{task_word(kind)}\n{textwrap.fill(source_names(rows), 32)}")
            in_large(ax)
            if at is not None:
                ax.axvline(at, color="#222222", lw=1)
        axes[0].set_ylabel("% correct", size=LETTERS)
        above(figure, axes, 3)
        written(figure, caption)
    tables = {task_word(kind): curve_table(curve) for kind, curve in curves.items()}
    return Picture(figure, caption, tables, tuple(paper.notes("figure2")))


figure2 = samples_curve  # the paper's name of it


def in_large(ax: Axes) -> None:
    """Letters of the axes that can be read when the picture is shown narrow."""
    ax.tick_params(labelsize=LETTERS)
    ax.xaxis.label.set_fontsize(LETTERS)


def same_tasks(df: pd.DataFrame) -> pd.DataFrame:
    """The runs of ReAct, CoT-SC and CoT on the tasks that the first two both have."""
    acted, voted = (set(df.loc[df["method"] == method, "task"]) for method in ("react", "cot-sc"))
    kept = df[df["method"].isin(("react", "cot-sc", "cot")) & df["task"].isin(acted & voted)]
    if kept.empty:
        raise ValueError("Figure 2 takes a react run and a cot-sc run of the same tasks")
    return kept


def draw_curve(ax: Axes, curve: pd.DataFrame, ends: Mapping[str, float]) -> None:
    """The three curves, and beside them where the paper's end."""
    last = int(curve["samples"].max())
    ticks = [k for k in (1, 3, 5, 10, 15, last) if k in set(curve["samples"])]
    for i, method in enumerate(METHODS):
        colour, mark, _ = look_of(method)
        rows, aside = curve[curve["method"] == method], 0.22 * (i - 1)
        x, y = rows["samples"] + aside, 100 * rows["rate"]
        ax.plot(x, y, "-", color=colour, marker=mark, ms=5.5, label=name_of(method))
        whiskers(ax, rows[rows["samples"].isin(ticks)], "samples", colour, aside)
        if method in ends:
            spot = last + 2.8 + 1.2 * i, ends[method]
            ax.plot(*spot, mark, color=colour, mfc="white", mew=2, ms=10)
    ax.set_xticks([*ticks, last + 4], [*map(str, ticks), "paper"])
    ax.set_xlabel("CoT-SC samples")
    ax.set_ylim(bottom=0)


def draw_lines(ax: Axes, rows: pd.DataFrame) -> None:
    """What does not depend on samples: CoT and ReAct, their intervals at the left."""
    for i, row in enumerate(rows.to_dict("records")):
        colour, _, dashes = look_of(row["method"])
        ax.axhline(100 * row["rate"], color=colour, ls=dashes, label=name_of(row["method"]))
        ax.plot([-0.8 * i] * 2, [100 * row["low"], 100 * row["high"]], color=colour, lw=1.5)


def words(kind: str, curve: pd.DataFrame, at: int | None) -> str:
    """How often the samples agree: where they hardly ever do, a combination adds nothing."""
    k = int(curve["samples"].max()) if at is None else at
    rows = curve[curve["samples"] == k].to_dict("records")
    if not rows:
        raise ValueError(f"at={at} is not among the numbers of samples that are drawn")
    sure, tied = rows[0]["sure"], rows[0]["tied"]
    text = f"With {k} samples the majority reaches its share on {sure:.0%} of the {task_word(kind)}"
    text += f" (a tie on {tied:.0%})"
    if sure < 0.1:
        text += ": here CoT-SC → ReAct can hardly differ from ReAct"
    if at is None:
        return f"{text}."
    each = (f"{name_of(r['method'])} {r['rate']:.1%} for {r['calls']:.1f} calls" for r in rows)
    return f"{text}: {', '.join(each)}."


def curve_table(curve: pd.DataFrame) -> pd.DataFrame:
    percent = {"%": "rate", "from": "low", "to": "high", "majority %": "sure", "tied %": "tied"}
    shown = {name: (100 * curve[key]).round(1) for name, key in percent.items()}
    kept = curve[["samples", "n"]].assign(**shown, calls=curve["calls"].round(1))
    kept.insert(1, "method", curve["method"].map(name_of))
    return kept
