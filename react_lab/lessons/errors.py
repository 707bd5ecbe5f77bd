"""Lesson 06: where runs fail, in the six modes of Table 2, and how far two readers agree.

The runs are recorded ones of the bundled model. The labels beside the class's own were given by AI
readers: two judged every run blind, and an adjudicator settled what they differed on.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import data, display, label, stats, teach
from ..label.failure_modes import tied
from ..label.merging import agreed, drawn, matches, readers
from ..label.results import Share
from ..plots.picture import Picture, canvas, drawing, written
from ..plots.rates import name_of
from ..types import Trajectory
from ..widgets.run_view import views_of
from . import words
from .boundaries import CHECKS

if TYPE_CHECKING:
    import pandas as pd

CLASS = "labels/06"  # where a class keeps its own labels
METHODS = ("react", "cot")
DOUBT = ("doubt", "likelier", "not seen", "not read", "not checked")  # in a reader's note
Place = str | PathLike[str]
Suggested = tuple[Trajectory, label.Mark, label.Suggestion]


# ---------------------------------------------------------------------- the labelled set


@dataclass(frozen=True)
class Labelled:
    """The labelled set: its runs, what each reader said of them, and what was settled."""

    runs: label.Sample
    merged: label.Merged
    agreed: tuple[label.Mark, ...]

    @cached_property
    def marks(self) -> Mapping[tuple[str, str], label.Mark]:
        """What was settled, by run; what is open has none."""
        return {(mark.id, mark.digest): mark for mark in self.agreed}

    @cached_property
    def for_calibration(self) -> tuple[Trajectory, ...]:
        """The first run of each method and mode that all readers labelled alike, if without doubt.

        A mode that no reader labelled without doubt has the first of those with one.
        """
        differ = label.disagreements(self.merged.runs)
        found: dict[tuple[str, str | None], Trajectory] = {}
        for run in sorted(self.runs, key=self.doubted):
            mark = self.marks.get(tied(run))
            if mark and tied(run) not in differ:
                found.setdefault((run.method, mark.label), run)
        return tuple(found.values())

    @cached_property
    def for_coding(self) -> tuple[Trajectory, ...]:
        """Three failures of ReAct and two of CoT: to say in one's own words what went wrong.

        First one that the pages still answer as they did then: the player shows its world.
        """
        left = self.without(self.for_calibration)
        failed = [run for run in left if label.grade(run) == "failure"]
        react, cot = ([run for run in failed if run.method == method] for method in METHODS)
        return (*sorted(react[:3], key=lambda run: views_of(run)[1] != ""), *cot[:2])

    @cached_property
    def for_class(self) -> label.Sample:
        """Twenty runs of the rest: five right and five wrong ones of each method."""
        return label.sample(self.without(self.for_calibration + self.for_coding), n=5, seed=6)

    def doubted(self, run: Trajectory) -> bool:
        """Does the note of a reader tell of a doubt?"""
        notes = [mark.note.lower() for mark in self.merged.runs.get(tied(run), {}).values()]
        return any(word in note for note in notes for word in DOUBT)

    def without(self, runs: Iterable[Trajectory]) -> list[Trajectory]:
        known = {run.id for run in runs}
        return [run for run in self.runs if run.id not in known]


def labelled(folder: Place | None = None) -> Labelled:
    """A labelled set; None is the one that comes with the package."""
    there = set_in(folder)
    return Labelled(drawn(there), label.merge(readers(there)), tuple(agreed(there)))


def set_in(folder: Place | None) -> Path:
    return data.folder("labels") if folder is None else data.resolve(folder)


def gold_file(ours: Labelled) -> Path:
    """The agreed labels of the calibration runs, as the file that `rl.Labeller` compares with."""
    path = Path(tempfile.mkdtemp()) / "agreed.jsonl"
    file = label.LabelFile(path, "the readers")
    for run in ours.for_calibration:
        mark = ours.marks[tied(run)]
        agreed = {"label": mark.label, "note": mark.note, "method": run.method}
        file.append("label", id=mark.id, digest=mark.digest, grade=mark.grade, **agreed)
    return path


def files(own: Place = CLASS, folder: Place | None = None) -> list[Path]:
    """The label files of the class; until two of it share a run, those of the AI readers too."""
    there = data.resolve(own)
    mine = sorted(there.glob("*.jsonl"))
    shared = any(len(marks) > 1 for marks in label.merge(mine).runs.values())
    return mine if shared else [*readers(set_in(folder)), *mine]


# ---------------------------------------------------------------------- in one's own words


def for_reading(runs: Iterable[Trajectory], first: int = 1) -> display.Page:
    """Runs to read one below the other, each with the answer that was wanted."""
    return display.together(
        display.together([
            display.note(f"Run {number}", f"{run.task.text}\nGold answer: {run.task.gold}"),
            *parts(run),
            display.note("Answer", run.answer or "none", "answer"),
        ])
        for number, run in enumerate(runs, first)
    )  # fmt: skip


def parts(run: Trajectory) -> Iterator[display.Page]:
    for i, step in enumerate(run.steps, 1):
        for kind in ("thought", "action", "observation"):
            if text := getattr(step, kind):
                yield display.note(f"{kind.capitalize()} {i}", text, kind)


def wall(words: Mapping[int, str]) -> display.Page:
    """Everybody's words, one below the other, before anybody has seen the paper's."""
    notes = [display.note(f"Run {i}", text, "thought") for i, text in sorted(words.items()) if text]
    return display.together(
        notes or [display.note("Your words", "None yet: write above, then run this again")]
    )


# ---------------------------------------------------------------------- the six modes


def guide() -> display.Page:
    """The six modes with their keys, examples, boundaries and near misses, from our guideline."""
    modes = label.guideline().modes
    pages = (
        display.together(mode_notes(f"{key} · {mode}", modes[mode], mode in label.SUCCESS))
        for key, mode in enumerate(label.MODES, 1)
    )
    return display.together(pages)


def mode_notes(name: str, text: str, success: bool) -> Iterator[display.Page]:
    """Two notes, so that neither is long enough to be folded: what it is, and where it ends."""
    kind, lines = "right" if success else "wrong", unbroken(text).split("\n")
    ends = [line for line in lines if line.startswith(("Boundary: ", "Near miss: "))]
    yield display.note(name, "\n".join(line for line in lines if line not in ends), kind)
    end = "\n".join(ends).removeprefix("Boundary: ")
    yield display.note("Boundary", end[:1].upper() + end[1:], kind)


def unbroken(text: str) -> str:
    """Markdown's lines are broken anywhere: here only where something in bold begins."""
    return re.sub(r"\n(?!\*\*)", " ", text).replace("*", "")


def cases() -> display.Page:
    """The eight cases of exercise 6.1."""
    found = words.read("06")["cases"]
    return display.together(display.note(f"Case {name}", c["text"]) for name, c in found.items())


# ---------------------------------------------------------------------- what the labels say


def beside(columns: Mapping[str, Iterable[label.Mark]]) -> pd.DataFrame:
    """Table 2 of each set of labels, with 95% intervals, and the paper's at the right."""
    import pandas as pd

    cells: dict[str, dict[tuple[str, str], str]] = {}
    for name, marks in columns.items():
        for share in label.shares(marks):
            at, theirs = (name_of(share.method), share.mode), share.paper
            none = theirs is None and not share.right  # CoT has no search that could fail
            cells.setdefault(name, {})[at] = "–" if none else rate(share.right, share.n)
            cells.setdefault("the paper", {})[at] = "–" if theirs is None else f"{theirs}%"
    names = [*(name for name in cells if name != "the paper"), "the paper"]
    return pd.DataFrame(cells)[names]


def rate(right: int, n: int) -> str:
    low, high = stats.wilson(right, n)
    return f"{right} of {n}: {right / n:.0%} ({low:.0%} to {high:.0%})" if n else "–"


def most(marks: Iterable[label.Mark], method: str) -> str:
    """The most frequent mode of a method's failures, in words."""
    found = [s for s in label.shares(marks) if s.method == method and s.mode in label.FAILURE]
    first = max(found, key=lambda share: share.right)
    return f"{first.mode}: {rate(first.right, first.n)}"


def suggested(ours: Labelled) -> list[Suggested]:
    """Every settled run, what was settled, and what the rules suggest."""
    settled = [(run, ours.marks[tied(run)]) for run in ours.runs if tied(run) in ours.marks]
    return [(run, mark, found) for run, mark in settled if (found := label.suggest(run))]


def worth(found: Iterable[Suggested]) -> pd.DataFrame:
    """What the rules of `rl.label.suggest` are worth: precision and recall of each mode."""
    import pandas as pd

    pairs = [(str(mark.label), rule.mode) for _, mark, rule in found]
    rows = {
        m.mode: {"precision": rate(m.right, m.suggested), "recall": rate(m.right, m.agreed)}
        for m in matches([a for a, _ in pairs], [b for _, b in pairs])
    }
    return pd.DataFrame(rows).T.rename_axis("mode")


# ---------------------------------------------------------------------- pictures


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
        figure, axes = canvas(len(METHODS), 8.2, 2.9, sharey=True)
        for ax, method in zip(axes, METHODS, strict=True):
            draw_modes(ax, [share for share in reversed(found) if share.method == method])
            ax.set(title=name_of(method), xlabel="% of its failures", xlim=(-2, 102))
        written(figure, caption)
    return Picture(figure, caption, {"failures": pd.DataFrame([vars(share) for share in found])})


def draw_modes(ax: Any, mine: Sequence[Share]) -> None:
    ax.barh(
        [share.mode for share in mine],
        [100 * share.right / share.n for share in mine],
        color=display.COLOURS["action"] + "66",
    )
    known = [share for share in mine if share.right or share.paper is not None]
    ends = [100 * share.low for share in known], [100 * share.high for share in known]
    ax.hlines([share.mode for share in known], *ends, color="#222222")
    theirs = [share for share in mine if share.paper is not None]
    ax.plot([share.paper for share in theirs], [share.mode for share in theirs], "kD")


def first_wrong(marks: Iterable[label.Mark]) -> Picture:
    """At which step wrong runs of ReAct go wrong for the first time."""
    import pandas as pd

    wrong = [mark for mark in marks if mark.method == "react" and mark.grade == "failure"]
    steps = label.first_wrong(wrong)
    caption = f"Where {sum(steps.values())} of {len(wrong)} wrong ReAct runs first go wrong."
    with drawing():
        figure, [ax] = canvas(1, 7.5, 3)
        ax.bar(list(steps), list(steps.values()), color=display.COLOURS["thought"])
        ax.set(xlabel="first wrong step", ylabel="runs", xticks=range(1, max(steps, default=1) + 1))
        ax.locator_params(axis="y", integer=True)
        written(figure, caption)
    table = pd.DataFrame({"step": list(steps), "runs": list(steps.values())})
    return Picture(figure, caption, {"first wrong step": table})


# ---------------------------------------------------------------------- the exercises


def lesson() -> teach.Lesson:
    """The exercises and the questions, made afresh."""
    return words.lesson_of("06", CHECKS)
