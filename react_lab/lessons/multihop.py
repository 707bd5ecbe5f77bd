"""Lesson 03: questions over several pages, and what a table of rates can tell (Table 1)."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import page, score, teach
from ..stats import wilson
from ..types import Trajectory
from .compared import few_colours

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["lesson", "nearly", "settling", "walk"]

COLOURS = ("#D55E00", "#0072B2", "#555555")  # Okabe and Ito's, told apart by the colour-blind


def nearly(runs: Iterable[Trajectory], most: int = 8) -> pd.DataFrame:
    """Answers that share words with the gold answer and are not it: EM says 0, F1 more."""
    import pandas as pd

    rows = {
        (run.answer, run.task.gold): score.f1(run.answer, run.task.gold)
        for run in runs
        if run.answer and run.task.gold and not score.correct(run)
    }
    found = [(answer, gold, 0, round(f1, 2)) for (answer, gold), f1 in rows.items() if f1 > 0]
    found.sort(key=lambda row: -row[-1])
    return pd.DataFrame(found[:most], columns=["answer", "gold answer", "EM", "F1"])


def walk(right: Sequence[bool]) -> list[tuple[int, float, float, float]]:
    """After each task: how many were tried, the rate so far, and the ends of its 95% interval."""
    counts = [(n, sum(right[:n])) for n in range(1, len(right) + 1)]
    return [(n, count / n, *wilson(count, n)) for n, count in counts]


def settling(df: pd.DataFrame, methods: Sequence[str] = ("react", "cot")) -> teach.Interactive:
    """The rates after 1, 2, 3 ... tasks with their intervals; a slider shuffles the tasks."""
    import ipywidgets

    wide = df[df["method"].isin(methods)].pivot(index="task", columns="method", values="correct")
    wide = wide.dropna().astype(bool)
    picture = ipywidgets.Image(format="png", layout={"max_width": "660px"})
    slider = ipywidgets.IntSlider(min=1, max=20, description="shuffle", continuous_update=False)

    def walks() -> dict[str, list[tuple[int, float, float, float]]]:
        order = random.Random(slider.value).sample(range(len(wide)), len(wide))
        return {method: walk(wide[method].iloc[order].tolist()) for method in methods}

    def draw(_: Any = None) -> None:
        picture.value = drawn(walks())

    slider.observe(draw, names="value")
    draw()
    return teach.Interactive(ipywidgets.VBox([slider, picture]), told(walks()))


def drawn(walks: Mapping[str, list[tuple[int, float, float, float]]]) -> bytes:
    """A line a method, its interval a band."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.3), layout="constrained")
    ax = figure.subplots()
    for (method, points), colour in zip(walks.items(), COLOURS, strict=False):
        tried, *rates = zip(*points, strict=True)
        rate, low, high = ([100 * each for each in column] for column in rates)
        ax.fill_between(tried, low, high, color=colour, alpha=0.2, lw=0)
        ax.plot(tried, rate, color=colour, label=method)
    ax.set(xlabel="tasks so far", ylabel="% correct", ylim=(0, 100), xlim=(1, len(points)))
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=80)
    return few_colours(stream.getvalue())


def told(walks: Mapping[str, list[tuple[int, float, float, float]]]) -> page.Page:
    """The same in words, for where no slider moves."""
    rows = [
        f"{method}, {n} tasks: {rate:.0%} ({low:.0%} to {high:.0%})"
        for method, points in walks.items()
        for n, rate, low, high in points
        if n in (10, 30, 100, len(points))
    ]
    return page.note("Rates so far, with 95% intervals", "\n".join(rows))


def lesson() -> teach.Lesson:
    """The exercises and the questions, made afresh."""
    return teach.Lesson("03", {"3.1": OVERLAP, "3.2": ENOUGH, "3.3": PAIRED}, QUESTIONS)


ANSWERS = (
    ("vitus bering", "vitus bering"),
    ("bering", "vitus bering"),
    ("captain vitus bering of denmark", "vitus bering"),
    ("the isle of man man", "isle of man"),
    ("sitka", "vitus bering"),
    ("", "sitka"),
)


def overlap(answer: Any) -> str | None:
    """The check of 3.1: F1 to a thousandth."""
    if not callable(answer):
        return "This exercise asks for a function."
    for ours, gold in ANSWERS:
        got, wanted = answer(ours, gold), plain_f1(ours, gold)
        if not isinstance(got, int | float) or abs(got - wanted) > 1e-3:
            return f"For {ours!r} and {gold!r} it gave {teach.short(got)}, not {wanted:.3f}."
    return None


def plain_f1(answer: str, gold: str) -> float:
    """By words as they stand: `score.f1` would drop articles first."""
    ours, theirs = answer.split(), gold.split()
    same = sum(min(ours.count(word), theirs.count(word)) for word in set(ours))
    return 2 * same / (len(ours) + len(theirs)) if same else 0.0


OVERLAP = teach.Exercise(
    "Write f1(answer, gold) for two strings of small letters. Count the words that both share (a "
    "word that occurs twice in both counts twice). Precision: shared words by words of the "
    "answer. Recall: shared words by words of gold. F1 is 2 * precision * recall / (precision + "
    "recall), and 0 if no word is shared.",
    overlap,
    """from collections import Counter


def f1(answer, gold):
    ours, theirs = answer.split(), gold.split()
    same = sum((Counter(ours) & Counter(theirs)).values())
    if not same:
        return 0.0
    precision, recall = same / len(ours), same / len(theirs)
    return 2 * precision * recall / (precision + recall)""",
    (
        "answer.split() gives the words.",
        "Counter(ours) & Counter(theirs) keeps of each word the smaller count.",
        "Without a shared word precision + recall is 0: return 0 before you divide.",
    ),
    minutes=8,
    dots=3,
)

ENOUGH = teach.Exercise(
    "How many tasks are enough? Write tasks_for(rate, width): try n = 10, 20, 30 and so on, and "
    "return the first n for which the 95% interval of rate * n right of n is narrower than width. "
    "react_lab.stats.wilson(right, n) gives the two ends; right may be a fraction.",
    teach.cases(((0.3, 0.4), 20), ((0.3, 0.2), 80), ((0.3, 0.1), 320), ((0.05, 0.1), 90)),
    """from react_lab.stats import wilson


def tasks_for(rate, width):
    n = 10
    while True:
        low, high = wilson(rate * n, n)
        if high - low < width:
            return n
        n += 10""",
    (
        "A loop that ends with return: while True, and n += 10 at its end.",
        "low, high = wilson(rate * n, n); the interval is high - low wide.",
    ),
    minutes=8,
    dots=2,
)

PAIRED = teach.Exercise(
    "Two methods were tried. a and b are dicts: the task's id -> was it right? Write only_one(a, "
    "b): how many tasks only a has right, and how many only b. Count the tasks that stand in both.",
    teach.cases(
        (({"t1": True, "t2": True, "t3": False}, {"t1": True, "t2": False, "t3": False}), (1, 0)),
        (({"t1": False, "t2": True}, {"t1": True, "t2": False}), (1, 1)),
        (({"t1": True, "t2": True, "t9": True}, {"t1": False, "t2": False}), (2, 0)),
        (({"t1": False}, {"t1": True, "t9": True}), (0, 1)),
        (({}, {"t1": True}), (0, 0)),
    ),
    """def only_one(a, b):
    shared = a.keys() & b.keys()
    wins = sum(a[task] and not b[task] for task in shared)
    losses = sum(b[task] and not a[task] for task in shared)
    return wins, losses""",
    (
        "a.keys() & b.keys() are the tasks that stand in both.",
        "True counts as 1: sum(a[task] and not b[task] for task in ...).",
    ),
    minutes=6,
    dots=2,
)

QUESTIONS = (
    teach.Question(
        "The gold answer is Sitka and a run says: the town of Sitka. How is it scored?",
        (
            ("EM 1, F1 1", False, "EM drops articles and signs, but not the words town of."),
            ("EM 0, F1 above 0", True, "Not the same words, and one of them is shared."),
            ("EM 0, F1 0", False, "F1 counts the word that both have."),
        ),
    ),
    teach.Question(
        "The 95% intervals of two methods overlap. What follows?",
        (
            ("They are equally good", False, "No number of tasks shows that."),
            ("The higher one is better", False, "By chance alone it could be the other way round."),
            ("From this alone, nothing", True, "On the same tasks a paired test may still decide."),
        ),
    ),
    teach.Question(
        "An interval is 20 points wide. About how many tasks make it 10 points wide?",
        (
            ("Twice as many", False, "That makes it about 14 points wide."),
            ("Four times as many", True, "The width goes with one over the root of n."),
            ("Ten more", False, "Try tasks_for of exercise 3.2."),
        ),
    ),
    teach.Question(
        "Why do prompted and fine-tuned runs never stand in one table?",
        (
            ("They are two settings", True, "A row would compare methods and trainings at once."),
            ("One of them is always worse", False, "That would be a result, not a reason."),
            ("The model is not the same", False, "The weights below the adapter are the same."),
        ),
    ),
)
