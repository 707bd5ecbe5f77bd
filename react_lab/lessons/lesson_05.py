"""Lesson 05: the majority of 21 samples, and when to ask ReAct instead (section 3.2, Figure 2).

`plots.backoff` draws the samples once; under the sliders only the rule changes.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import react_lab as rl

from .. import display
from ..analysis import paper
from ..methods import majority_of
from ..plots import backoff
from ..plots.backoff import PAPERS, Rule, draw_samples, rated
from ..plots.curves import draw_cost, draw_curve, draw_lines, per_task
from ..plots.picture import DARK, Picture, drawing, few_colours, plain, sheet
from ..plots.rates import about, graded, in_kinds, name_of, one_setting, table_of, task_word
from ..support import ipywidgets, pd
from ..types import Trajectory
from . import words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RIGHT, WRONG, SHOWN = "#0072B2", "#C9CED3", 7  # colours, and bars of a vote
DPI = 90  # of the picture behind the sliders


# ---------------------------------------------------------------------- one vote, and all of them


def by_agreement(runs: Iterable[Trajectory]) -> list[Trajectory]:
    """The CoT-SC runs, from the most divided vote to the most united."""
    votes = [run for run in runs if run.votes]
    return sorted(votes, key=lambda run: (majority_of(run.votes, run.task.kind)[1], run.task.id))


def counted(run: Trajectory) -> list[tuple[str, int, bool]]:
    """Each answer as it was first spelled, its votes, and whether it is right; the rest in one."""
    normalise = rl.kinds.kind_of(run.task.kind).language.normalise
    alike: dict[str, list[str]] = {}
    for vote in run.votes:
        key = normalise(vote) or vote.strip().lower() if vote else ""
        alike.setdefault(key, []).append(vote or "no answer")
    ranked = sorted(alike.values(), key=len, reverse=True)
    rows = [(votes[0], len(votes), rl.score.reward(run.task, votes[0]) == 1.0) for votes in ranked]
    if len(rows) <= SHOWN:
        return rows
    rest = rows[SHOWN - 1 :]
    other = f"{len(rest)} other answers", sum(n for _, n, _ in rest), any(ok for *_, ok in rest)
    return [*rows[: SHOWN - 1], other]


def vote_chart(runs: Sequence[Trajectory]) -> Picture:
    """The samples of each run as a vote, and the n/2 that the back-off rule asks for."""
    parts = {run.task.id: counted(run) for run in runs}
    named = ["answer", "votes", "right"]
    tables = {task: pd.DataFrame(rows, columns=named) for task, rows in parts.items()}
    caption = (
        f"{runs[0].model}: {len(runs[0].votes)} samples a task at temperature "
        f"{runs[0].settings['temperature']}. Dashed: half of them. Blue: the right answer."
    )
    with sheet(caption, len(runs), 0.4 + 4.8 * len(runs), 3.2) as (figure, axes):
        for ax, run in zip(axes, runs, strict=True):
            rows, n = parts[run.task.id], len(run.votes)
            for y, (_, votes, right) in enumerate(rows):
                ax.barh(y, votes, 0.65, color=RIGHT if right else WRONG)
                words = f"{votes}, right" if right else str(votes)
                ax.text(n + 0.6, y, words, va="center", size=13)  # clear of the line
            ax.axvline(n / 2, color="#222222", ls="--", lw=1.5)
            ax.set_yticks(range(len(rows)), [plain(answer, 22) for answer, *_ in rows])
            ax.set_ylim(max(len(rows), 3) - 0.4, -0.6)
            ax.set(xlim=(0, n + 0.3), xlabel="votes")
            ax.set_title(textwrap.fill(plain(run.task.text, 150), 42), fontsize=12.5)
        figure.set_layout_engine("constrained", wspace=0.12)  # two charts, not one line of words
    return Picture(figure, caption, tables)


def trust(runs: Iterable[Trajectory]) -> pd.DataFrame:
    """Is an answer right more often when more samples agree on it? By the majority's votes."""
    votes = by_agreement(runs)
    n = len(votes[0].votes)
    third = sorted({-(-n // 3), -(-n // 2), -(-3 * n // 4)})
    edges = zip([0, *third], [*(each - 1 for each in third), n], strict=True)
    size = {run.id: majority_of(run.votes, run.task.kind)[1] for run in votes}
    rows = {}
    for low, high in edges:
        graded = [bool(rl.score.correct(r)) for r in votes if low <= size[r.id] <= high]
        if n := len(graded):
            right = sum(graded)
            rows[f"{low} to {high}"] = (n, f"{right / n:.0%}", rl.stats.interval(right, n))
    return pd.DataFrame(rows, index=["tasks", "right", "95% interval"]).T


# ---------------------------------------------------------------------- every rule, without a call


@dataclass(frozen=True, eq=False, repr=False)
class Combinations(backoff.Combinations):
    """ReAct, CoT-SC and both combinations on the same tasks, whatever the rule."""

    kind: str
    setting: str
    about: str
    limit: int  # the steps that ReAct was run with

    def react(self, rule: Rule = PAPERS) -> dict[str, Any]:
        """ReAct alone: its rate, calls per task, and how often it gives no answer."""
        right, gave_up, calls = self.cut(rule.max_steps).mean(axis=1).tolist()
        return {"method": "react", **rated(right, self.tasks), "calls": calls, "gave_up": gave_up}

    def drawn(self, samples: int, rule: Rule) -> tuple[Figure, pd.DataFrame, str]:
        """Two panels: accuracy at every number of samples, and accuracy against calls at one."""
        from matplotlib.figure import Figure

        curve = self.curve(rule)
        here = curve[curve["samples"] == samples].to_dict("records")
        table = pd.DataFrame([self.react(rule), *here])
        setting = f"With {samples} of the {self.n} samples; {rule}."
        with drawing():
            # laid out by hand: with an engine everything would be drawn twice
            figure = Figure(figsize=(8.2, 5.4), dpi=DPI, layout="none")  # type: ignore[arg-type]
            edges = {"left": 0.1, "right": 0.985, "top": 0.74, "bottom": 0.14, "wspace": 0.07}
            left, right = figure.subplots(1, 2, sharey=True, gridspec_kw=edges)
            draw_curve(left, curve, {})
            draw_lines(left, table[:1])
            left.axvline(samples, color="#222222", lw=1)
            left.set_ylabel("% correct")
            draw_cost(right, table, "calls", lambda row: (
                f"{name_of(row['method'])}: {row['rate']:.1%}, {row['calls']:.1f} calls"
            ))  # fmt: skip
            right.set_xlabel(per_task(self.kind))
            right.set_xlim(0.85, 1.2 * (self.n + self.react()["calls"]))
            left.set_ylim(0, 100)
            named = right.get_legend_handles_labels()
            figure.legend(*named, loc="upper left", ncols=2, bbox_to_anchor=(0.06, 1.0))
            figure.text(0.1, 0.77, textwrap.fill(setting, 76), fontsize=11.5, linespacing=1.3)
        return figure, table_of(table, method=table["method"].map(name_of)), setting

    def sliders(self) -> rl.teach.Interactive:
        """Number of samples, back-off threshold, step limit: each move redraws one picture."""
        slider = rl.teach.exercises.slider
        samples = slider("samples", self.n, 1, self.n)
        share = slider("back-off below, in %", 50, 0, 100, 5)
        steps = slider("ReAct's step limit", self.limit, 1, self.limit)
        words = "Figure 2 and what it costs, as the sliders say"
        shown = rl.teach.exercises.image(words, layout={"align_self": "flex-start"})

        def draw(_: Any = None) -> None:
            rule = Rule(share.value / 100, max_steps=steps.value)
            shown.png = png(self.drawn(samples.value, rule)[0])

        for control in (samples, share, steps):
            control.observe(draw, names="value")
        draw()
        _, table, setting = self.drawn(self.n, PAPERS)
        caption = f"{self.about} {setting} Bars: 95% Wilson intervals."
        twin = display.Page(
            f"<div>{display.inert(caption)}</div>{table.to_html(index=False)}",
            f"{caption}\n{table.to_string(index=False)}",
        )
        below = [shown, ipywidgets.HTML(DARK)]
        return rl.teach.Interactive(ipywidgets.VBox([samples, share, steps, *below]), twin)


def combinations(data: Any, draws: int = 200, seed: int = 0) -> Combinations:
    """Draw the stored samples of one kind of task once; takes the runs or their frame."""
    df = graded(data, "votes", "max_steps")
    [(kind, df)] = in_kinds(df)  # the kinds have step limits of their own: one at a time
    drawn, setting = draw_samples(df, draws=draws, seed=seed), one_setting(df)
    tasks = {str(run.task) for run in drawn.acted}
    both = df[df["method"].isin(("react", "cot-sc")) & df["task"].isin(tasks)]
    limit = int(df["max_steps"].max())
    return Combinations(**vars(drawn), kind=kind, setting=setting, about=about(both, setting),
                        limit=limit)  # fmt: skip


def png(figure: Figure) -> bytes:
    """For a slider: drawn as large as it is, in few colours."""
    with drawing():
        return few_colours(figure, 32, "FASTOCTREE", bbox_inches=figure.bbox_inches, dpi=DPI)


# ---------------------------------------------------------------------- tables


def hand_overs(several: Iterable[Combinations]) -> pd.DataFrame:
    """How often each combination can hand over; elsewhere it says what its first part says."""
    rows = {
        f"{task_word(each.kind)}, {each.setting}": {
            "tasks": each.tasks, "samples": each.n, "ReAct's step limit": each.limit,
            "majority reaches n/2": f"{each.curve()['sure'].iloc[-1]:.0%}",
            "ReAct gives no answer": f"{each.react()['gave_up']:.0%}",
        }
        for each in several
    }  # fmt: skip
    return pd.DataFrame(rows).T


def beside_paper(both: Combinations) -> pd.DataFrame:
    """The rows of Table 1 that this lesson is about, ours beside the paper's."""
    theirs = paper.table(1).set_index("method")[both.kind]
    last = both.curve().groupby("method").last().T.to_dict()
    ours = {"react": both.react()} | {str(method): row for method, row in last.items()}
    rows = {
        name_of(method): {
            f"{paper.settings()[both.kind]['benchmark']}, paper": theirs[method],
            f"{task_word(both.kind)}, here": round(100 * row["rate"], 1),
            "95% interval": f"{100 * row['low']:.0f} to {100 * row['high']:.0f}",
        }
        for method in ("cot-sc", "react", "react->cot-sc", "cot-sc->react")
        for row in [ours[method]]
    }
    return pd.DataFrame(rows).T


check = rl.teach.cases(
    (("cot-sc->react", ["Ulm", "Ulm", "Bern"], "Rome"), "Ulm"),
    (("cot-sc->react", ["Ulm", "Bern", "Wien"], "Rome"), "Rome"),
    (("cot-sc->react", ["Ulm", "Ulm", "Bern", "Wien"], "Rome"), "Ulm"),
    (("cot-sc->react", ["Ulm", None, None], "Rome"), "Rome"),
    (("cot-sc->react", [None, None], "Rome"), "Rome"),
    (("cot-sc->react", ["Ulm", "Bern", "Wien"], None), None),
    (("react->cot-sc", ["Ulm", "Ulm", "Bern"], "Rome"), "Rome"),
    (("react->cot-sc", ["Ulm", "Bern", "Bern"], None), "Bern"),
    (("react->cot-sc", [None, None], None), None),
)
lesson = partial(words.lesson_of, "05", {"5.1": check})
