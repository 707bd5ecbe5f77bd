"""Lesson 05: the majority of 21 samples, and when to ask ReAct instead (section 3.2, Figure 2)."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import score, teach
from ..kinds import kind_of
from ..methods import majority_of
from ..plots.picture import Picture, canvas, drawing, plain, written
from ..stats import wilson
from ..types import Trajectory
from . import words

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

RIGHT, WRONG, SHOWN = "#0072B2", "#C9CED3", 7  # colours, and bars of a vote


# ---------------------------------------------------------------------- one vote, and all of them


def by_agreement(runs: Iterable[Trajectory]) -> list[Trajectory]:
    """The CoT-SC runs, from the most divided vote to the most united."""
    votes = [run for run in runs if run.votes]
    return sorted(votes, key=lambda run: (majority_of(run.votes, run.task.kind)[1], run.task.id))


def counted(run: Trajectory) -> list[tuple[str, int, bool]]:
    """Each answer as it was first spelled, its votes, and whether it is right; the rest in one."""
    normalise = kind_of(run.task.kind).language.normalise
    same = [normalise(vote) or vote.strip().lower() if vote else "" for vote in run.votes]
    first = {
        key: vote or "no answer" for key, vote in reversed([*zip(same, run.votes, strict=True)])
    }
    ranked = Counter(same).most_common()
    rows = [(first[key], n, score.reward(run.task, first[key]) == 1.0) for key, n in ranked]
    if len(rows) <= SHOWN:
        return rows
    rest = rows[SHOWN - 1 :]
    other = f"{len(rest)} other answers", sum(n for _, n, _ in rest), any(ok for *_, ok in rest)
    return [*rows[: SHOWN - 1], other]


def vote_chart(runs: Sequence[Trajectory]) -> Picture:
    """The samples of each run as a vote, and the n/2 that the back-off rule asks for."""
    import pandas as pd

    parts = {run.task.id: counted(run) for run in runs}
    named = ["answer", "votes", "right"]
    tables = {task: pd.DataFrame(rows, columns=named) for task, rows in parts.items()}
    caption = (
        f"{runs[0].model}: {len(runs[0].votes)} samples a task at temperature "
        f"{runs[0].settings['temperature']}. Dashed: half of them. Blue: the right answer."
    )
    with drawing():
        figure, axes = canvas(len(runs), 0.4 + 4.8 * len(runs), 3.2)
        for ax, run in zip(axes, runs, strict=True):
            draw_vote(ax, parts[run.task.id], len(run.votes))
            ax.set_title(textwrap.fill(plain(run.task.text, 150), 42), fontsize=12.5)
        figure.set_layout_engine("constrained", wspace=0.12)  # two charts, not one line of words
        written(figure, caption)
    return Picture(figure, caption, tables)


def draw_vote(ax: Axes, rows: list[tuple[str, int, bool]], n: int) -> None:
    for y, (_, votes, right) in enumerate(rows):
        ax.barh(y, votes, 0.65, color=RIGHT if right else WRONG)
        words = f"{votes}, right" if right else str(votes)
        ax.text(n + 0.6, y, words, va="center", size=13)  # clear of the line
    ax.axvline(n / 2, color="#222222", ls="--", lw=1.5)
    ax.set_yticks(range(len(rows)), [plain(answer, 22) for answer, *_ in rows])
    ax.set_ylim(max(len(rows), 3) - 0.4, -0.6)
    ax.set(xlim=(0, n + 0.3), xlabel="votes")


def trust(runs: Iterable[Trajectory]) -> pd.DataFrame:
    """Is an answer right more often when more samples agree on it? By the majority's votes."""
    import pandas as pd

    votes = by_agreement(runs)
    n = len(votes[0].votes)
    third = sorted({-(-n // 3), -(-n // 2), -(-3 * n // 4)})
    edges = list(zip([0, *third], [*(each - 1 for each in third), n], strict=True))
    rows = {f"{low} to {high}": rate_of(votes, low, high) for low, high in edges}
    table = pd.DataFrame(rows, index=["tasks", "right", "95% interval"]).T
    return table[table["tasks"] > 0]


def rate_of(votes: Sequence[Trajectory], low: int, high: int) -> tuple[int, str, str]:
    graded = [
        bool(score.correct(r)) for r in votes if low <= majority_of(r.votes, r.task.kind)[1] <= high
    ]
    if not graded:
        return 0, "–", "–"
    ends = wilson(sum(graded), len(graded))
    return len(graded), f"{sum(graded) / len(graded):.0%}", f"{ends[0]:.0%} to {ends[1]:.0%}"


# ---------------------------------------------------------------------- exercises and questions


def lesson() -> teach.Lesson:
    """The exercises and the questions, made afresh."""
    return words.lesson_of("05", CHECKS)


def curves(ours: Mapping[int, float], theirs: Mapping[int, float]) -> pd.DataFrame:
    """A small table as `Combinations.curve` gives it: a combination's rates, and CoT-SC's."""
    import pandas as pd

    parts = {"cot-sc->react": ours, "cot-sc": theirs}
    rows = [(m, k, rate) for m, rates in parts.items() for k, rate in rates.items()]
    return pd.DataFrame(rows, columns=["method", "samples", "rate"])


CURVES = (
    ({1: 0.2, 3: 0.4, 5: 0.5}, {1: 0.2, 3: 0.3, 5: 0.4}, 3),
    ({1: 0.1, 3: 0.4, 5: 0.3, 7: 0.5}, {1: 0.1, 3: 0.2, 5: 0.3, 7: 0.4}, 3),
    ({1: 0.1, 3: 0.2, 5: 0.3}, {1: 0.2, 3: 0.3, 5: 0.4}, None),
    ({1: 0.3, 3: 0.4, 5: 0.6}, {1: 0.2, 3: 0.5, 5: 0.4}, 3),
)


def check_reaches(answer: Any) -> str | None:
    """The check of 5.3: its tables are made when they are needed, for pandas takes a second."""
    cases = [((curves(ours, theirs), "cot-sc->react"), k) for ours, theirs, k in CURVES]
    fault = teach.cases(*cases)(answer)
    if fault and any(sign in fault for sign in ("IndexError", "empty", "KeyError")):
        names = "'cot-sc', 'react->cot-sc' and 'cot-sc->react'"
        return f"Your function found no row in the table. Its methods are spelled {names}."
    return fault


CHECKS: Mapping[str, teach.Check] = {
    "5.1": teach.cases(
        ((["Bern", "Ulm", "Ulm"],), "Ulm"),
        ((["Rhine", "The Danube", "danube."],), "The Danube"),
        ((["Ulm", "Bern", "Bern", "Ulm"],), "Ulm"),
        (([None, "", None, "Ulm"],), "Ulm"),
        (([None, ""],), None),
    ),
    "5.2": teach.cases(
        (("cot-sc->react", ["Ulm", "Ulm", "Bern"], "Rome"), "Ulm"),
        (("cot-sc->react", ["Ulm", "Bern", "Wien"], "Rome"), "Rome"),
        (("cot-sc->react", ["Ulm", "Ulm", "Bern", "Wien"], "Rome"), "Ulm"),
        (("cot-sc->react", ["Ulm", None, None], "Rome"), "Rome"),
        (("cot-sc->react", [None, None], "Rome"), "Rome"),
        (("cot-sc->react", ["Ulm", "Bern", "Wien"], None), None),
        (("react->cot-sc", ["Ulm", "Ulm", "Bern"], "Rome"), "Rome"),
        (("react->cot-sc", ["Ulm", "Bern", "Bern"], None), "Bern"),
        (("react->cot-sc", [None, None], None), None),
    ),
    "5.3": check_reaches,
}
