"""Lesson 05: both combinations under every rule, as a picture with three sliders; no call is made.

`plots.by_samples` draws the samples again for every rule: too slow under a slider. Here they are
drawn once. Of a draw it is enough to know how many votes its majority has, and whether it is
right: whatever the rule, CoT-SC is kept or handed over by this number alone (section 3.2).
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import display, teach
from ..methods import stays
from ..plots.backoff import (
    METHODS,
    PAPERS,
    Rule,
    by_task,
    cut,
    election,
    number_of_samples,
    per_task,
    same_answers,
)
from ..plots.picture import DARK, Picture, drawing, few_colours, written
from ..plots.rates import about, graded, in_kinds, look_of, name_of, one_setting, task_word
from ..stats import wilson

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DPI = 90  # of the picture behind the sliders


@dataclass(frozen=True, eq=False, repr=False)
class Combinations:
    """ReAct, CoT-SC and both combinations on the same tasks, whatever the rule.

    often, right: of a task's draws, the share in which the majority has so many votes (and is
    right), as arrays of tasks x number of samples x votes. acted: ReAct under each step limit, as
    limits x tasks x (right, gave up, calls).
    """

    kind: str
    setting: str
    about: str
    n: int  # samples
    often: Any
    right: Any
    acted: Any
    fault: Any  # after one, no combination goes on to ReAct

    @property
    def limit(self) -> int:
        """The step limit that ReAct was run with."""
        return len(self.acted)

    @property
    def tasks(self) -> int:
        return len(self.often)

    @property
    def name(self) -> str:
        return f"{task_word(self.kind)}, {self.setting}"

    def __repr__(self) -> str:
        return f"<Combinations on {self.tasks} {self.name}: {self.n} samples, {self.limit} steps>"

    def curve(self, rule: Rule = PAPERS) -> pd.DataFrame:
        """What `plots.by_samples` gives, in milliseconds: one row per size and method."""
        import pandas as pd

        *means, sure = self.means(rule)
        rows = [
            {"method": method, "samples": k, **rated(rate[k - 1], self.tasks),
             "calls": float(calls[k - 1]), "sure": float(sure[k - 1])}
            for k in range(1, self.n + 1)
            for method, rate, calls in zip(METHODS, means[:3], means[3:], strict=True)
        ]  # fmt: skip
        return pd.DataFrame(rows)

    def means(self, rule: Rule) -> Any:
        """By number of samples: three rates, three costs, and how often the majority is sure."""
        import numpy as np

        k = np.arange(1, self.n + 1)
        sure = rule.sure(np.arange(self.n + 1), k[:, None])  # number of samples x votes
        kept = sure | self.fault[:, None, None]
        right, gave_up, calls = self.limited(rule)[..., None]
        alone, goes_on = self.right.sum(axis=2), (self.often * ~kept).sum(axis=2)
        each = np.broadcast_to(k, alone.shape)
        return np.stack([
            alone,
            np.where(gave_up, alone, right),
            (self.right * kept).sum(axis=2) + goes_on * right,
            each,
            calls + each * gave_up,
            each + goes_on * calls,
            (self.often * sure).sum(axis=2),
        ]).mean(axis=1)  # fmt: skip

    def limited(self, rule: Rule) -> Any:
        """ReAct under the rule's step limit: of each task right, gave up, calls."""
        steps = self.limit if rule.max_steps is None else rule.max_steps
        if not 1 <= steps <= self.limit:
            raise ValueError(f"ReAct was run with {self.limit} steps: take 1 to {self.limit}")
        return self.acted[steps - 1].T

    def react(self, rule: Rule = PAPERS) -> dict[str, Any]:
        """ReAct alone: its rate, calls per task, and how often it gives no answer."""
        right, gave_up, calls = self.limited(rule).mean(axis=1)
        return {"method": "react", **rated(right, self.tasks), "calls": calls, "gave_up": gave_up}

    def best(self) -> float:
        """More than any rule can reach: the axis then stands still under the sliders."""
        import numpy as np

        acted = self.acted[:, :, 0].any(axis=0)
        better = np.maximum(self.right.sum(axis=2), acted[:, None])  # tasks x number of samples
        return float(rated(better.mean(axis=0).max(), self.tasks)["high"])

    def at(
        self, samples: int | None = None, share: float = 0.5, max_steps: int | None = None
    ) -> Picture:
        """What the sliders show, as a picture with its table: accuracy and cost at these numbers.

        share: the back-off threshold. CoT-SC is kept where its majority has this share.
        """
        figure, table, setting = self.drawn(samples or self.n, Rule(share, max_steps=max_steps))
        caption = f"{self.about} {setting} Bars: 95% Wilson intervals."
        with drawing():
            written(figure, caption)
        return Picture(figure, caption, {self.name: table})

    def drawn(self, samples: int, rule: Rule) -> tuple[Figure, pd.DataFrame, str]:
        """Two panels: accuracy at every number of samples, and accuracy against calls at one."""
        import pandas as pd

        if not 1 <= samples <= self.n:
            raise ValueError(f"each run has {self.n} samples: take 1 to {self.n}, not {samples}")
        curve = self.curve(rule)
        here = curve[curve["samples"] == samples].to_dict("records")
        rows: list[dict[str, Any]] = [self.react(rule), *here]  # type: ignore[list-item]
        setting = f"With {samples} of the {self.n} samples; {rule}."
        with drawing():
            figure, (left, right) = panels()
            draw_curves(left, curve, rows[0], samples)
            draw_costs(right, rows, per_task(self.kind))
            right.set_xlim(0.85, 1.2 * (self.n + self.react()["calls"]))
            left.set_ylim(0, 105 * self.best())
            figure.legend(loc="upper left", ncols=2, bbox_to_anchor=(0.06, 1.0))
            figure.text(0.085, 0.77, textwrap.fill(setting, 76), fontsize=11.5, linespacing=1.3)
        return figure, table_of(pd.DataFrame(rows)), setting

    def sliders(self) -> teach.Interactive:
        """Number of samples, back-off threshold, step limit: each move redraws one picture."""
        import ipywidgets

        slider = teach.exercises.slider
        samples = slider("samples", self.n, 1, self.n)
        share = slider("back-off below, in %", 50, 0, 100, 5)
        steps = slider("ReAct's step limit", self.limit, 1, self.limit)
        words = "Figure 2 and what it costs, as the sliders say"
        shown = teach.exercises.image(words, layout={"align_self": "flex-start"})

        def draw(_: Any = None) -> None:
            rule = Rule(share.value / 100, max_steps=steps.value)
            shown.png = png(self.drawn(samples.value, rule)[0])

        for control in (samples, share, steps):
            control.observe(draw, names="value")
        draw()
        start = self.at()
        twin = display.Page(
            f"<div>{display.inert(start.caption)}</div>{start.table.to_html(index=False)}",
            f"{start.caption}\n{start.table.to_string(index=False)}",
        )
        below = [shown, ipywidgets.HTML(DARK)]
        return teach.Interactive(ipywidgets.VBox([samples, share, steps, *below]), twin)


def combinations(data: Any, draws: int = 200, seed: int = 0) -> Combinations:
    """Draw the stored samples of one kind of task once; takes the runs or their frame."""
    import numpy as np

    df = graded(data, "votes", "votes_right", "steps", "step_calls", "max_steps", "answer", "end")
    [(kind, df)] = in_kinds(df)  # the kinds have step limits of their own: one at a time
    acted, voted = by_task(df, "react"), by_task(df, "cot-sc")
    shared = sorted(acted.keys() & voted.keys())
    if not shared:
        raise ValueError("this takes a react run and a cot-sc run of the same tasks")
    n, pick = number_of_samples(voted.values()), np.random.default_rng(seed)
    often, right = zip(*(ballots(voted[task], n, draws, pick) for task in shared), strict=True)
    limits = [*range(1, int(df["max_steps"].max())), None]  # None: as it was run
    cuts = [[cut(acted[task], limit) for task in shared] for limit in limits]
    setting = one_setting(df)
    both = df[df["method"].isin(("react", "cot-sc")) & df["task"].isin(shared)]
    return Combinations(
        kind, setting, about(both, setting), n, np.stack(often), np.stack(right),
        np.array([[(run.right, run.gave_up, run.calls) for run in runs] for runs in cuts], float),
        np.array([stays(voted[task].end, sure=False) for task in shared]),
    )  # fmt: skip


def ballots(voted: Any, n: int, draws: int, pick: Any) -> tuple[Any, Any]:
    """One task at each number of samples: how often the majority has so many votes, and is right.

    Drawn as in `plots.backoff.outcome`, so that the two agree to the last digit.
    """
    import numpy as np

    k = np.arange(1, n + 1)
    rank = pick.random((draws, n)).argsort(axis=1).argsort(axis=1)
    winner, count, _ = election(same_answers(voted.votes, n), rank[None] < k[:, None, None])
    good = np.asarray([*voted.votes_right, *[False] * n][:n])[winner] & (count > 0)
    has = count[..., None] == np.arange(n + 1)
    return has.mean(axis=1), (has & good[..., None]).mean(axis=1)


def rated(rate: Any, n: int) -> dict[str, Any]:
    rate = round(
        float(rate), 12
    )  # so that equal rates are equal, in whatever order they were added
    low, high = wilson(rate * n, n)
    return {"n": n, "rate": rate, "low": low, "high": high}


def table_of(rows: pd.DataFrame) -> pd.DataFrame:
    percent = {name: (100 * rows[key]).round(1) for name, key in SHARES.items()}
    table = rows[["n"]].assign(**percent, calls=rows["calls"].round(1))
    table.insert(0, "method", rows["method"].map(name_of))
    return table


SHARES = {"%": "rate", "from": "low", "to": "high"}


# ---------------------------------------------------------------------- the picture


def panels() -> tuple[Figure, Any]:
    """Laid out by hand: with an engine everything would be drawn twice."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.2, 5.4), dpi=DPI, layout="none")  # type: ignore[arg-type]
    edges = {"left": 0.085, "right": 0.985, "top": 0.74, "bottom": 0.14, "wspace": 0.07}
    return figure, figure.subplots(1, 2, sharey=True, gridspec_kw=edges)


def draw_curves(ax: Axes, curve: pd.DataFrame, react: dict[str, Any], samples: int) -> None:
    for method in METHODS:
        colour, mark, _ = look_of(method)
        rows = curve[curve["method"] == method]
        ax.plot(rows["samples"], 100 * rows["rate"], "-", color=colour, marker=mark, ms=6)
    colour, _, dashes = look_of("react")
    ax.axhline(100 * react["rate"], color=colour, ls=dashes)
    ax.axvline(samples, color="#222222", lw=1)
    last = int(curve["samples"].max())
    ax.set_xticks([k for k in (1, 5, 10, 15, last) if k <= last])
    ax.set(xlabel="CoT-SC samples", ylabel="% correct")


def draw_costs(ax: Axes, rows: list[dict[str, Any]], name: str) -> None:
    """The legend says the numbers too."""
    for row in rows:
        colour, mark, _ = look_of(row["method"])
        words = f"{name_of(row['method'])}: {row['rate']:.1%}, {row['calls']:.1f} calls"
        ax.vlines([row["calls"]], 100 * row["low"], 100 * row["high"], color=colour, lw=2)
        ax.plot(
            [row["calls"]],
            [100 * row["rate"]],
            mark,
            color=colour,
            ms=12,
            label=words,
            clip_on=False,
        )
    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_formatter("{x:g}")
    ax.set_xlabel(name)


def png(figure: Figure) -> bytes:
    """For a slider: drawn as large as it is, in few colours. A picture for print is `at(...)`."""
    with drawing():
        return few_colours(figure, 32, "FASTOCTREE", bbox_inches=figure.bbox_inches, dpi=DPI)
