"""CoT-SC and both combinations at any number of samples, from stored runs: no new call.

One react run and one cot-sc run per task say what either combination would have answered (section
3.2), with k of the stored samples, with fewer steps, or with another back-off. A point at k is the
mean over seeded draws of k of the samples. Those drawn keep the order they were sampled in, so
with all of them it is the stored run itself.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..analysis import paper
from ..kinds import kind_of
from ..methods import gave_up, majority_of, stays
from ..score import PROMPTED
from ..stats import wilson
from ..types import normalise
from .picture import Picture, canvas, drawing, written
from .rates import (
    RunsOrFrame,
    about,
    above,
    caution,
    frame_of,
    graded,
    in_kinds,
    in_order,
    in_setting,
    look_of,
    name_of,
    one_model,
    one_setting,
    rates,
    source_names,
    table_of,
    task_word,
    whiskers,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


METHODS = ("cot-sc", "react->cot-sc", "cot-sc->react")


@dataclass(frozen=True)
class Rule:
    """When a combination hands over.

    share: CoT-SC is kept when the majority has this share of the samples. at_exactly: who answers
    when it has just that share; the paper's "fewer than half" keeps CoT-SC, its author's "more
    than half" asks ReAct. max_steps: ReAct gives up after so many (None: as it was run).
    """

    share: float = 0.5
    at_exactly: Literal["cot-sc", "react"] = "cot-sc"
    max_steps: int | None = None

    def __str__(self) -> str:
        bar = "at least" if self.at_exactly == "cot-sc" else "more than"
        plural = "" if self.max_steps == 1 else "s"
        steps = "" if self.max_steps is None else f"; ReAct has {self.max_steps} step{plural}"
        return f"CoT-SC is kept where {bar} {self.share:.0%} of the samples agree{steps}"

    def sure(self, count: Any, k: Any) -> Any:
        bar = self.share * k
        return (count > 0) & ((count >= bar) if self.at_exactly == "cot-sc" else (count > bar))


PAPERS = Rule()
MOST_SAMPLES = 200  # each is compared with each, at every number of samples
COSTS = ("calls", "tokens_in", "tokens_out", "seconds", "cost", "retries")


@dataclass(frozen=True, eq=False, repr=False)
class Combinations:
    """CoT-SC and both combinations on the same tasks, drawn once and counted by any rule.

    Whatever the rule, CoT-SC is kept or handed over by the number of its majority's votes. So of a
    task's draws this keeps how `often` the majority has so many votes, and is `right` with them
    (tasks x sizes x votes); and how often two answers are `tied` (tasks x sizes).
    """

    sizes: Any  # numbers of samples
    n: int  # samples of a run
    often: Any
    right: Any
    tied: Any
    acted: list[Any]  # the ReAct run of each task, a row
    fault: Any  # after one, no combination goes on to ReAct

    @property
    def tasks(self) -> int:
        return len(self.acted)

    def curve(self, rule: Rule = PAPERS) -> pd.DataFrame:
        """What `by_samples` gives: a row per number of samples and method."""
        import numpy as np
        import pandas as pd

        k = self.sizes
        sure = rule.sure(np.arange(self.n + 1), k[:, None])  # sizes x votes
        kept = sure | self.fault[:, None, None]
        right, gave_up, calls = self.cut(rule.max_steps)[..., None]
        alone, goes_on = self.right.sum(axis=2), (self.often * ~kept).sum(axis=2)
        each = np.broadcast_to(k, alone.shape)
        means = np.stack([
            alone,
            np.where(gave_up, alone, right),
            (self.right * kept).sum(axis=2) + goes_on * right,
            each,
            calls + each * gave_up,
            each + goes_on * calls,
            (self.often * sure).sum(axis=2),
            self.tied,
        ]).mean(axis=1).T.tolist()  # fmt: skip
        return pd.DataFrame([
            {"method": method, "samples": int(size), **rated(mean[i], self.tasks),
             "calls": mean[i + 3], "sure": mean[6], "tied": mean[7]}
            for size, mean in zip(k, means, strict=True) for i, method in enumerate(METHODS)
        ])  # fmt: skip

    def cut(self, max_steps: int | None) -> Any:
        """ReAct under a step limit: of each task right, gave up, calls."""
        import numpy as np

        return np.array([cut(run, max_steps) for run in self.acted], float).T


def by_samples(
    data: RunsOrFrame,
    samples: Iterable[int] | None = None,
    rule: Rule = PAPERS,
    draws: int = 200,
    seed: int = 0,
) -> pd.DataFrame:
    """One row per number of samples and method: rate, interval, calls per task, sure, tied.

    data: with react and cot-sc runs of the same tasks. samples: which numbers (None: 1 to all).
    rule: when a combination hands over. draws, seed: a rate is the mean of so many draws. In a row,
    sure: how often the majority reaches its share; tied: how often two answers have as many votes
    (then the one sampled first wins, as in the run).
    """
    return draw_samples(data, samples, draws, seed).curve(rule)


def draw_samples(
    data: RunsOrFrame, samples: Iterable[int] | None = None, draws: int = 200, seed: int = 0
) -> Combinations:
    """Draw the stored samples of every task once."""
    import numpy as np

    df = graded(data, "votes", "votes_right", "steps", "step_calls", "max_steps", "answer", "end")
    one_model(df)
    acted, voted = by_task(df, "react"), by_task(df, "cot-sc")
    shared = sorted(acted.keys() & voted.keys())
    if not shared:
        raise ValueError("this takes a react run and a cot-sc run of the same tasks")
    n = number_of_samples(voted.values())
    sizes = list(range(1, n + 1)) if samples is None else sorted(set(samples))
    if not sizes or not 1 <= sizes[0] <= sizes[-1] <= n:
        raise ValueError(f"each run has {n} samples: ask for 1 to {n} of them, not for {sizes}")
    k, pick = np.asarray(sizes), np.random.default_rng(seed)
    counted = [count_draws(voted[task], k, n, draws, pick) for task in shared]
    often, right, tied = map(np.stack, zip(*counted, strict=True))
    fault = np.array([stays(voted[task].end, sure=False) for task in shared])
    return Combinations(k, n, often, right, tied, [acted[task] for task in shared], fault)


def count_draws(voted: Any, sizes: Any, n: int, draws: int, pick: Any) -> tuple[Any, Any, Any]:
    """One task at each size: how often so many votes win, how often rightly, how often tied."""
    import numpy as np

    rank = pick.random((draws, n)).argsort(axis=1).argsort(axis=1)
    keep = rank[None] < sizes[:, None, None]  # size, draw, sample
    winner, count, tied = election(same_answers(voted.votes, n), keep)
    good = np.asarray([*voted.votes_right, *[False] * n][:n])[winner] & (count > 0)
    has = count[..., None] == np.arange(n + 1)
    return has.mean(axis=1), (has & good[..., None]).mean(axis=1), tied.mean(axis=1)


def rated(rate: float, n: int) -> dict[str, Any]:
    """A rate and its interval; rounded, so that in whatever order it was added it is the same."""
    rate = round(rate, 12)
    low, high = wilson(rate * n, n)
    return {"n": n, "rate": rate, "low": low, "high": high}


def combined(data: RunsOrFrame) -> pd.DataFrame:
    """A frame of the runs, with a row for every combination that react and cot-sc imply.

    Only those that were not run themselves; answer, end and cost are as `methods` would give them.
    """
    import pandas as pd

    df = frame_of(data)
    if not {"votes", "votes_right", "step_calls"} <= set(df.columns):
        return df
    ran = set(zip(df["kind"], df["method"], strict=True))
    acted, voted = by_task(df, "react"), by_task(df, "cot-sc")
    rows = [
        row
        for task in sorted(acted.keys() & voted.keys())
        for row in both_ways(acted[task], voted[task])
        if (row["kind"], row["method"]) not in ran
    ]
    return pd.concat([df, pd.DataFrame(rows)], ignore_index=True) if rows else df


def both_ways(acted: Any, voted: Any) -> Iterator[dict[str, Any]]:
    """What both combinations would have answered on a task, and what they would have cost."""
    _, goes_on, _ = cut(acted, None)
    last, cost = (voted, summed(acted, voted)) if goes_on else (acted, {})
    branch = "cot-sc" if goes_on else "react"
    yield {**last._asdict(), **cost, "method": "react->cot-sc", "branch": branch}
    n = len(voted.votes)
    _, count, _ = majority_of(voted.votes, voted.kind)
    kept = stays(voted.end, bool(n and PAPERS.sure(count, n)))
    last, cost = (voted, {}) if kept else (acted, summed(acted, voted))
    branch = "cot-sc" if kept else "react"
    yield {**last._asdict(), **cost, "method": "cot-sc->react", "branch": branch}


def summed(acted: Any, voted: Any) -> dict[str, Any]:
    """The cost of both parts; what one of them does not tell is unknown."""
    parts = {name: (getattr(acted, name, None), getattr(voted, name, None)) for name in COSTS}
    return {name: None if None in pair else sum(pair) for name, pair in parts.items()}


def limited(df: pd.DataFrame, rule: Rule) -> pd.DataFrame:
    """The frame with ReAct graded as under the rule's step limit."""
    if rule.max_steps is None:
        return df
    late = (df["method"] == "react") & (df["steps"] > rule.max_steps)
    return df.assign(correct=df["correct"].mask(late, 0.0))


def by_task(df: pd.DataFrame, method: str) -> dict[str, Any]:
    """The one run of each task; of repeats, the first."""
    rows = df[df["method"] == method].drop_duplicates("task")
    return {str(row.task): row for row in rows.itertuples(index=False)}


def number_of_samples(voted: Iterable[Any]) -> int:
    lengths = {len(row.votes) for row in voted if len(row.votes)}
    if len(lengths) != 1:
        raise ValueError(f"these cot-sc runs have {sorted(lengths)} votes: all must have as many")
    n = int(lengths.pop())
    if n > MOST_SAMPLES:
        raise ValueError(
            f"these cot-sc runs have {n} votes: {MOST_SAMPLES} at most can be drawn from"
        )
    return n


def cut(row: Any, max_steps: int | None) -> tuple[float, bool, int]:
    """Right, gave up, calls of a ReAct run under a lower limit: it is greedy, so its beginning."""
    if max_steps is not None and row.max_steps == row.max_steps and max_steps > row.max_steps:
        raise ValueError(
            f"ReAct was run with {row.max_steps} steps: nobody knows what {max_steps} would bring"
        )
    if max_steps is not None and row.steps > max_steps:
        return 0.0, True, sum(row.step_calls[:max_steps])
    answer = row.answer if isinstance(row.answer, str) else None  # a frame has NaN for none
    return row.correct, gave_up(row.end, answer), int(row.calls)


def same_answers(votes: tuple[str | None, ...], n: int) -> Any:
    """Which samples agree, as `methods.majority` compares them; an empty one agrees with none."""
    import numpy as np

    words = [normalise(vote) or vote.strip().lower() if vote else "" for vote in votes]
    answers = np.asarray([*words, *[""] * n][:n])
    return ((answers[:, None] == answers[None]) & (answers != "")).astype(np.float32)


def election(same: Any, keep: Any) -> tuple[Any, Any, Any]:
    """`methods.majority` for many draws at once: the winning sample, its count, and was it tied.

    argmax takes the first of equals: of tied answers the one sampled first wins.
    """
    import numpy as np

    agree = (keep.astype(np.float32) @ same) * keep  # for each drawn sample, how many agree with it
    winner = agree.argmax(axis=-1)
    count = agree.max(axis=-1)
    rivals = (agree == count[..., None]) & (same[winner] == 0)
    return winner, count, rivals.any(axis=-1) & (count > 0)


# ------------------------------------------------------------------ curves

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


# ------------------------------------------------------------------ costs

SPENT = {"calls": "model calls", "tokens": "tokens", "seconds": "seconds"}


def cost(data: RunsOrFrame, by: str = "calls") -> Picture:
    """Accuracy against what a task costs: by="calls", "tokens" or "seconds"."""
    if by not in SPENT:
        raise ValueError(f"by={by!r}: what a task costs is counted in calls, tokens or seconds")
    df = graded(data, "model", "source", "end", "calls")
    setting, warning, df = one_setting(df), caution(df), combined(df)
    if by == "tokens":
        df = df.assign(tokens=df["tokens_in"].astype(float) + df["tokens_out"].astype(float))
    parts = {kind: with_cost(rows, by) for kind, rows in in_kinds(df)}
    names = " and ".join(per_task(kind, by) for kind in parts)
    caption = (
        f"{warning}Accuracy against cost: {about(df, setting)} Cost: {names}, the mean; "
        "every line to the right doubles it, and equal costs stand side by side. "
        "Bars: 95% Wilson intervals."
    )
    tables = {task_word(k): cost_table(rows, by, per_task(k, by)) for k, rows in parts.items()}
    picture = side_by_side(parts, caption, tables, lambda ax, rows: draw_cost(ax, rows, by))
    for ax, kind in zip(picture.figure.axes, parts, strict=True):
        ax.set_xlabel(per_task(kind, by))
    return picture


def per_task(kind: str, by: str = "calls") -> str:
    """`model calls per question`: what a cost is called."""
    opener = kind_of(kind).opener
    return f"{SPENT[by]} per {opener.lower() if opener.isascii() else 'question'}"


def side_by_side(
    parts: dict[str, pd.DataFrame],
    caption: str,
    tables: dict[str, pd.DataFrame],
    draw: Callable[[Axes, pd.DataFrame], Any],
) -> Picture:
    """One panel per kind of task, on one scale."""
    with drawing():
        figure, axes = canvas(len(parts), 2 + 5.4 * len(parts), 5.2, sharey=True)
        for ax, (kind, rows) in zip(axes, parts.items(), strict=True):
            draw(ax, rows)
            ax.set_title(task_word(kind))
        axes[0].set_ylim(bottom=0)  # after all panels: it fixes the scale that they share
        axes[0].set_ylabel("% correct")
        above(figure, axes, 4)
        written(figure, caption)
    return Picture(figure, caption, tables)


def with_cost(df: pd.DataFrame, by: str) -> pd.DataFrame:
    """Rates in the paper's order with the mean cost: missing as soon as one run's is unknown."""
    spent = df.groupby("method")[by].agg(lambda costs: costs.astype(float).mean(skipna=False))
    rows = rates(df, "method").set_index("method").loc[in_order(set(df["method"]))].reset_index()
    return rows.assign(**{by: rows["method"].map(spent)})


def cost_table(rows: pd.DataFrame, by: str, name: str) -> pd.DataFrame:
    table = table_of(rows.drop(columns="calls"), method=rows["method"].map(name_of))
    return table.assign(**{name: rows[by].round(1)})


def draw_cost(ax: Axes, rows: pd.DataFrame, by: str) -> None:
    last = 0.0
    for row in rows[rows[by] > 0].sort_values(by).to_dict("records"):
        colour, mark, _ = look_of(row["method"])
        last = x = max(row[by], last * 1.1)  # two of one cost stand side by side
        ax.vlines([x], 100 * row["low"], 100 * row["high"], color=colour, lw=2)
        ax.plot([x], [100 * row["rate"]], mark, color=colour, ms=12, label=name_of(row["method"]))
    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_formatter("{x:g}")


ALL = "all"  # of the exemplar file, however many it has


def exemplars(data: RunsOrFrame) -> Picture:
    """A sweep of `shots`: accuracy against exemplars in the prompt, one line per method."""
    df = graded(data, "model", "source", "end", "calls", "shots")
    df = in_setting(df, PROMPTED, "a fine-tuned model is asked without exemplars")
    df = df.assign(
        shots=[ALL if shots != shots else int(shots) for shots in df["shots"].astype(float)]
    )
    parts = {kind: swept(rows) for kind, rows in in_kinds(df)}
    caption = (
        f"{caution(df)}A sweep over the number of exemplars: {about(df, PROMPTED)} "
        "Bars: 95% Wilson intervals."
    )
    tables = {
        task_word(kind): table_of(rows, method=rows["method"].map(name_of), exemplars=rows["shots"])
        for kind, rows in parts.items()
    }
    return side_by_side(parts, caption, tables, draw_sweep)


def swept(df: pd.DataFrame) -> pd.DataFrame:
    """Rates by method and number of exemplars, from few to all."""
    import pandas as pd

    found = sorted(set(df["shots"]), key=lambda shots: (shots == ALL, shots))
    parts = [
        rates(df[df["method"] == method], "shots").assign(method=method)
        for method in in_order(df["method"])
    ]
    whole = pd.concat(parts).assign(at=lambda rows: rows["shots"].map(found.index))
    return whole.sort_values("at", kind="stable").reset_index(drop=True)


def draw_sweep(ax: Axes, rows: pd.DataFrame) -> None:
    for i, (method, line) in enumerate(rows.groupby("method", sort=False)):
        colour, mark, dashes = look_of(str(method))
        aside, name = 0.06 * i, name_of(str(method))
        x, y = line["at"] + aside, 100 * line["rate"]
        ax.plot(x, y, dashes, color=colour, marker=mark, label=name)
        whiskers(ax, line, "at", colour, aside)
    ticks = rows.drop_duplicates("at").sort_values("at")
    ax.set_xticks(ticks["at"], ticks["shots"].map(str))
    ax.set_xlabel("exemplars in the prompt")
