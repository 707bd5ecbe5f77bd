"""Lesson 06b: what rules are worth beside readers; and does repetition come from greedy decoding?

A run has a loop when one of its acts brings, once more, what it has brought before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from math import nan
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from .. import data, label, stats, store, tasks
from ..decoding import AGAIN, CONSTRAINED
from ..label.merging import matches
from ..plots.picture import Picture, canvas, drawing, written
from ..plots.rates import FILLED, HOLLOW, in_lines, key, mark, name_of
from ..score import correct
from ..types import Task, Trajectory
from . import riddles
from .lesson_06 import Suggested, rate

if TYPE_CHECKING:
    import pandas as pd

METHODS = ("react", "cot")
SEED = 0
SETS = {"multihop": ("multihop", "dev", 60), "household": ("household", "old", 24)}
NOUNS = {"multihop": "Questions", "household": "Household games"}
STORED = {"multihop": "decoding/multihop-greedy.jsonl", "household": "table3/unseen.jsonl"}
WAYS = {  # in the order of the table
    "sampled": "every step at temperature 0.7",
    "best-of-n": "a stuck step: the act that most of 5 draws give",
    "resample": "a stuck step: drawn, at most 5 times, until its act is new",
    "formed": "an act that is none: written by a grammar of the acts",
    "admissible": "an act that does nothing now: by a grammar of those that do",
}


# ---------------------------------------------------------------------- rules, and modes


def worth(found: Iterable[Suggested]) -> pd.DataFrame:
    """What the rules of `rl.label.suggest` are worth: precision and recall of each mode."""
    import pandas as pd

    pairs = [(str(mark.label), rule.mode) for _, mark, rule in found]
    rows = {
        m.mode: {"precision": rate(m.right, m.suggested), "recall": rate(m.right, m.agreed)}
        for m in matches([a for a, _ in pairs], [b for _, b in pairs])
    }
    return pd.DataFrame(rows).T.rename_axis("mode")


def failures(marks: Iterable[label.Mark]) -> Picture:
    """The failures of ReAct and of CoT by mode, beside the paper's."""
    import pandas as pd

    found = [share for share in label.shares(marks) if share.mode in label.FAILURE and share.n]
    counts = {name_of(share.method): share.n for share in found}
    caption = (
        f"The failures by mode ({', '.join(f'{n} of {name}' for name, n in counts.items())}). "
        "Lines: 95% Wilson intervals. Diamonds: the paper, PaLM-540B on HotpotQA. "
        "CoT has no search that could fail."
    )
    with drawing():
        figure, axes = canvas(len(METHODS), 8.2, 3.3, sharey=True)
        for ax, method in zip(axes, METHODS, strict=True):
            mine = [share for share in found if share.method == method]
            for y, share in enumerate(mine):
                if share.right or share.paper is not None:
                    ends = (100 * share.low, 100 * share.high)
                    mark(ax, y - 0.15, 100 * share.right / share.n, *ends)
                mark(ax, y + 0.15, nan if share.paper is None else share.paper, look=HOLLOW)
            in_lines(ax, [share.mode for share in mine])
            ax.set(title=name_of(method), xlabel="% of its failures", xlim=(-2, 102))
        key(figure, {"ours, 95% interval": FILLED, "the paper: PaLM-540B": HOLLOW})
        written(figure, caption)
    return Picture(figure, caption, {"failures": pd.DataFrame([vars(share) for share in found])})


# ---------------------------------------------------------------------- loops


def folder() -> Path:
    return data.folder("runs", "decoding")


def tasks_of(set: str) -> list[Task]:
    """The tasks of a table: drawn by a seed, so that the first ones are a sample too."""
    kind, split, n = SETS[set]
    there = riddles(kind, split) if split == "dev" else tasks.load(kind, split)
    return tasks.draw(there, n, SEED)


def greedy(set: str) -> list[Trajectory]:
    """The greedy ReAct runs of these tasks, which are stored already."""
    ids = {task.id for task in tasks_of(set)}
    found = store.open(data.folder("runs", STORED[set]))
    return [run for run in found if run.method == "react" and run.task.id in ids]


def runs(set: str, name: str) -> list[Trajectory]:
    """The runs of one way of decoding, as far as they have been played."""
    if name == "greedy":
        return greedy(set)
    path = folder() / f"{set}-{name}.jsonl"
    return [*store.open(path)] if path.exists() else []


def loops(run: Trajectory) -> bool:
    """Did an act bring, once more, what it had brought before?"""
    acts = [(step.action, step.observation) for step in run.steps if step.action]
    return len(acts) > len({*acts})


def table(set: str) -> pd.DataFrame:
    """A column per way of decoding; in brackets, greedy decoding on the tasks that it played."""
    import pandas as pd

    base, spent = by_task(greedy(set)), measured("cost")
    columns = {"greedy": column(base, base, {})}
    for name in WAYS:
        if mine := by_task(runs(set, name)):
            columns[name] = column(mine, base, spent.get(f"{set}-{name}", {}))
    return pd.DataFrame(columns)


def by_task(runs: Iterable[Trajectory]) -> dict[str, Trajectory]:
    return {run.task.id: run for run in runs}


def column(
    mine: Mapping[str, Trajectory], base: Mapping[str, Trajectory], spent: Mapping[str, float]
) -> dict[str, str]:
    """One way of decoding, beside the greedy runs of the tasks that it has played."""
    n, twins = len(mine), {id: base[id] for id in mine}
    right, before = ({id for id, run in each.items() if correct(run)} for each in (mine, twins))
    gained, lost = len(right - before), len(before - right)

    def beside(count: Callable[[Trajectory], int], form: Callable[[int], str]) -> str:
        ours, theirs = (sum(map(count, each.values())) for each in (mine, twins))
        return form(ours) if mine is base else f"{form(ours)} [{form(theirs)}]"

    def per_run(total: int) -> str:
        return f"{total / n:.1f}"

    steps = (step for run in mine.values() for step in run.steps)
    redrawn = sum(bool({AGAIN, CONSTRAINED} & {*step.repairs}) for step in steps)
    cpu = f"{spent['cpu'] / spent['calls']:.1f}" if spent.get("calls") else "–"
    return {
        "tasks": str(n),
        "runs with a loop": beside(loops, str),
        "share (95% interval)": share(sum(map(loops, mine.values())), n),
        "right answers": beside(lambda run: bool(correct(run)), str),
        "share (95% interval) ": share(len(right), n),
        "gained / lost against greedy": f"{gained} / {lost}",
        "exact McNemar": f"p = {stats.mcnemar(gained, lost):.2f}" if mine is not base else "–",
        "steps changed, per run": per_run(redrawn),
        "calls per run": beside(lambda run: run.calls, per_run),
        "tokens written per run": beside(lambda run: run.tokens_out or 0, per_run),
        "CPU seconds per call that was new": cpu,
    }


def share(count: int, n: int) -> str:
    return f"{count / n:.0%} ({stats.interval(count, n)})"


def measured(name: str) -> Any:
    """What was measured besides, where it was: the cost; how sure the model was of a step."""
    path = folder() / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def certain() -> str:
    """How likely the model found the step with which a greedy run began to loop: what that says of
    a beam search, which looks for the likeliest whole step.
    """
    lines = []
    for set in SETS:
        chances = [row["chance"] for row in measured("sure") if row["task"].startswith(f"{set}-")]
        over = sum(chance > 0.5 for chance in chances)
        lines.append(
            f"{NOUNS[set]}: of {len(chances)} steps with which a greedy run begins to "
            f"repeat itself, {over} have more than half of all probability; the median is "
            f"{median(chances):.0%}."
        )
    return "\n".join(lines)


def said(set: str) -> str:
    """What became of the loops: a heading, and a sentence per way of decoding."""
    base, lines = by_task(greedy(set)), [f"{NOUNS[set]}:"]
    for name, what in WAYS.items():
        mine = by_task(runs(set, name))
        looped = [run for id, run in mine.items() if loops(base[id])]
        others = [run for id, run in mine.items() if not loops(base[id])]
        if looped:
            broken = [run for run in looped if not loops(run)]
            right = sum(bool(correct(run)) for run in broken)
            lines.append(
                f"{name} ({what}): of {len(looped)} greedy runs with a loop {len(broken)} have "
                f"none now, and {right} of these have the right answer; of {len(others)} without "
                f"a loop {sum(map(loops, others))} have one now."
            )
    return "\n".join(lines)
