"""Lesson 06: where runs fail, in the six modes of Table 2, and how far two readers agree. Then what
rules are worth beside readers; and does repetition come from greedy decoding?

The runs are recorded ones of the bundled model. The labels beside the class's own were given by AI
readers: each judged every run blind, and an adjudicator settled what they differed on. A run has a
loop when one of its acts brings, once more, what it has brought before.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from statistics import median
from typing import Any

import react_lab as rl

from .. import display, label
from ..label.about_runs import tied
from ..label.merging import Kappa, agreed, drawn, matches, readers
from ..languages import say, word
from ..plots.picture import Picture
from ..plots.rates import name_of, panels
from ..support import pd
from ..types import Task, Trajectory
from ..widgets.run_view import views_of
from . import words
from .compared import left

DOUBT = ("doubt", "likelier", "not seen", "not read", "not checked")  # in a reader's note
RULES = "the rules"
ALIKE = 0.95  # of the runs: readers who agree on more have nothing to show
said = partial(words.said, "06")
WAYS = {  # in the order of the table
    "sampled": "every step at temperature 0.7",
    "best-of-n": "a stuck step: the act that most of 5 draws give",
    "resample": "a stuck step: drawn, at most 5 times, until its act is new",
    "formed": "an act that is none: written by a grammar of the acts",
}
Place = str | PathLike[str]
Suggested = tuple[Trajectory, label.Mark, label.Suggestion]
Pairs = Mapping[tuple[str, str], Mapping[str, Kappa]]


lesson = partial(words.lesson_of, "06", {"6.1": words.keys_of("06")})
cases = partial(words.cases, "06")  # the eight of exercise 6.1


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
        """Four runs that all readers labelled alike, of four modes, if without doubt."""
        differ = label.disagreements(self.merged.runs)
        found: dict[str | None, Trajectory] = {}
        for run in sorted(self.runs, key=self.doubted):
            mark = self.marks.get(tied(run))
            if mark and mark.note and tied(run) not in differ:  # who was wrong reads why
                found.setdefault(mark.label, run)
        return tuple(found.values())[:4]

    @cached_property
    def first(self) -> Trajectory:
        """A wrong ReAct run whose pages still answer as they did then: the player shows them."""
        left = self.without(self.for_calibration)
        wrong = [r for r in left if r.method == "react" and label.grade(r) == "failure"]
        return min(wrong[:9], key=lambda run: views_of(run)[1] != "")

    @cached_property
    def for_class(self) -> tuple[Trajectory, ...]:
        """Ten runs of the rest, right and wrong ones of both methods."""
        rest = self.without((*self.for_calibration, self.first))
        return label.sample(rest, n=3, seed=6).runs[:10]

    def doubted(self, run: Trajectory) -> bool:
        """Does the note of a reader tell of a doubt?"""
        notes = [mark.note.lower() for mark in self.merged.runs.get(tied(run), {}).values()]
        return any(word in note for note in notes for word in DOUBT)

    def without(self, runs: Iterable[Trajectory]) -> list[Trajectory]:
        known = {run.id for run in runs}
        return [run for run in self.runs if run.id not in known]


def labelled(folder: Place | None = None) -> Labelled:
    """A labelled set; None is the one that comes with the package."""
    there = rl.data.resolve(folder or rl.data.folder("labels"))
    return Labelled(drawn(there), label.merge(readers(there)), tuple(agreed(there)))


def gold_file(ours: Labelled) -> Path:
    """The agreed labels of the calibration runs, as the file that `rl.Labeller` compares with."""
    path = Path(tempfile.mkdtemp()) / "agreed.jsonl"
    file = label.LabelFile(path, "the readers")
    for run in ours.for_calibration:
        mark = ours.marks[tied(run)]
        agreed = {"label": mark.label, "note": mark.note, "method": run.method}
        file.append("label", id=mark.id, digest=mark.digest, grade=mark.grade, **agreed)
    return path


def files(own: Place, folder: Place | None = None) -> list[Path]:
    """The label files in a folder; until two of them share a run, those of the AI readers too."""
    mine = sorted(rl.data.resolve(own).glob("*.jsonl"))
    shared = any(len(marks) > 1 for marks in label.merge(mine).runs.values())
    others = rl.data.resolve(folder or rl.data.folder("labels"))
    return mine if shared else [*readers(others), *mine]


# ---------------------------------------------------------------------- what the labels say


def beside(columns: Mapping[str, Iterable[label.Mark]]) -> pd.DataFrame:
    """Table 2 of each set of labels, with 95% intervals, and the paper's at the right."""
    cells: dict[str, dict[tuple[str, str], str]] = {name: {} for name in (*columns, said("paper"))}
    for name, marks in columns.items():
        for share in label.shares(marks):
            at, theirs = (name_of(share.method), word("modes", share.mode)), share.paper
            none = theirs is None and not share.right  # CoT has no search that could fail
            cells[name][at] = "–" if none else rate(share.right, share.n)
            cells[said("paper")][at] = "–" if theirs is None else f"{theirs}%"
    return pd.DataFrame(cells)


def rate(right: int, n: int) -> str:
    if not n:
        return "–"
    mean, low, high = (f"{each:.0%}" for each in (right / n, *rl.stats.wilson(right, n)))
    return said("rate", right=right, n=n, rate=mean, low=low, high=high)


def most(marks: Iterable[label.Mark], method: str) -> str:
    """The most frequent mode of a method's failures, in words."""
    found = [s for s in label.shares(marks) if s.method == method and s.mode in label.FAILURE]
    first = max(found, key=lambda share: share.right)
    return say("parts.pair", name=word("modes", first.mode), value=rate(first.right, first.n))


def suggested(ours: Labelled) -> list[Suggested]:
    """Every settled run, what was settled, and what the rules suggest."""
    settled = [(run, ours.marks[tied(run)]) for run in ours.runs if tied(run) in ours.marks]
    return [(run, mark, found) for run, mark in settled if (found := label.suggest(run))]


# ---------------------------------------------------------------------- two readers


def with_rules(merged: label.Merged, found: Iterable[Suggested]) -> label.Merged:
    """The labels, and those of the rules as of one reader more."""
    marks = (replace(mark, by=RULES, label=rule.mode, note=rule.reason) for _, mark, rule in found)
    return replace(merged, marks=(*merged.marks, *marks))


def kappas(merged: label.Merged, found: Iterable[Suggested] = ()) -> display.Page:
    """How far each pair of readers agrees, as a table to read."""
    table = pairs(merged, found)
    names = table.index.str.replace(" and ", said("and")).str.replace(RULES, said("rules"))
    return left(table.set_axis(names.str.replace("-", "\u2011")))  # a name stays on one line


def pairs(merged: label.Merged, found: Iterable[Suggested] = ()) -> pd.DataFrame:
    """One row per pair of readers: within success, within failure, and over all six modes.

    found: what the rules say. They have one row more: opposite the reader who differs most.
    """
    two = dict(label.agreement(merged.runs).pairs)
    among = label.agreement(with_rules(merged, found).runs).pairs
    if theirs := {pair: of for pair, of in among.items() if RULES in pair}:
        most, _ = least_alike(theirs)
        two[most] = theirs[most]
    rows = {
        " and ".join(pair): {word("kappa.of", n): str(k) for n, k in of.items()}
        for pair, of in two.items()
    }
    table = pd.DataFrame.from_dict(rows, orient="index")
    # in two lines where a column is narrow: no number is parted from what it is of
    return table.map(lambda kappa: kappa.replace(" ", "\xa0").replace(",\xa0", ", "))


def board(merged: label.Merged, found: Iterable[Suggested] = ()) -> pd.DataFrame:
    """Who said what of failures, of the two who differ most: a row per label of the first reader.

    found: what the rules say. They sit down at the board where the readers hardly differ.
    """
    (a, b), same = least_alike(label.agreement(merged.runs).pairs)
    if same > ALIKE and (more := with_rules(merged, found)).marks != merged.marks:
        merged, ((a, b), _) = more, least_alike(label.agreement(more.runs).pairs)
    both = [(m[a], m[b]) for m in merged.runs.values() if {a, b} <= m.keys()]
    failed = [(str(x.label), str(y.label)) for x, y in both if x.grade == "failure"]
    named = partial(word, "modes")
    counts = label.confusion([x for x, _ in failed], [y for _, y in failed])
    table = pd.DataFrame(counts).T.rename(index=named, columns=named)
    one, other = (said("by", name=said("rules") if who == RULES else who) for who in (a, b))
    return table.rename_axis(index=one, columns=other)


def least_alike(pairs: Pairs) -> tuple[tuple[str, str], float]:
    """The two readers who differ most, and on which share of the failures they agree."""
    if not pairs:
        raise ValueError("no two readers have labelled the same run: merge two files at least")
    found = {pair: kappas["within failure"] for pair, kappas in pairs.items()}
    shares = {pair: kappa.same / kappa.n if kappa.n else 1.0 for pair, kappa in found.items()}
    return min(shares.items(), key=lambda each: each[1])


# ---------------------------------------------------------------------- rules, and modes


def worth(found: Iterable[Suggested]) -> pd.DataFrame:
    """What the rules of `rl.label.suggest` are worth: precision and recall of each mode."""
    pairs = [(str(mark.label), rule.mode) for _, mark, rule in found]
    told = matches([a for a, _ in pairs], [b for _, b in pairs])
    rows = {
        mode: {"precision": rate(right, of_rules), "recall": rate(right, of_readers)}
        for mode, (right, of_rules, of_readers) in told.items()
    }
    return pd.DataFrame(rows).T.rename_axis("mode")


def failures(marks: Iterable[label.Mark]) -> Picture:
    """The failures of ReAct and of CoT by mode, beside the paper's."""
    found = [share for share in label.shares(marks) if share.mode in label.FAILURE and share.n]
    counts = {name_of(share.method): share.n for share in found}
    caption = (
        f"The failures by mode ({', '.join(f'{n} of {name}' for name, n in counts.items())}). "
        "Lines: 95% Wilson intervals. Diamonds: the paper, PaLM-540B on HotpotQA. "
        "CoT has no search that could fail."
    )
    rows = pd.DataFrame([{**vars(each), "label": each.mode, "rate": each.rate} for each in found])
    rows = rows.astype({"rate": float, "paper": float})
    parts = {name_of(str(method)): mine for method, mine in rows.groupby("method", sort=False)}
    return panels(parts, caption, unit="% of its failures")


# ---------------------------------------------------------------------- loops


def folder() -> Path:
    return rl.data.folder("runs", "decoding")


def tasks() -> list[Task]:
    """Those of the table: drawn by a seed, so that the first ones are a sample too."""
    return rl.tasks.draw(rl.tasks.load("multihop", "dev"), 60, seed=0)


def by_task(way: str = "greedy") -> dict[str, Trajectory]:
    """The runs of one way of decoding, as far as they have been played."""
    path = folder() / f"{way}.jsonl"
    return {run.task.id: run for run in rl.store.open(path)} if path.exists() else {}


def loops(run: Trajectory) -> bool:
    """Did an act bring, once more, what it had brought before?"""
    acts = [(step.action, step.observation) for step in run.steps if step.action]
    return len(acts) > len({*acts})


def decoded() -> pd.DataFrame:
    """A column per way of decoding; in brackets, greedy decoding on the tasks that it played."""
    base, spent = by_task(), measured("cost")
    columns = {"greedy": column(base, base, {})}
    for name in WAYS:
        if mine := by_task(name):
            columns[name] = column(mine, base, spent.get(name, {}))
    return pd.DataFrame(columns)


def column(
    mine: Mapping[str, Trajectory], base: Mapping[str, Trajectory], spent: Mapping[str, float]
) -> dict[str, str]:
    """One way of decoding, beside the greedy runs of the tasks that it has played."""
    n, twins = len(mine), {id: base[id] for id in mine}
    right, before = ({id for id in mine if rl.score.correct(each[id])} for each in (mine, twins))
    gained, lost = len(right - before), len(before - right)

    def beside(count: Callable[[Trajectory], int], form: Callable[[int], str]) -> str:
        ours, theirs = (sum(map(count, each.values())) for each in (mine, twins))
        return form(ours) if mine is base else f"{form(ours)} [{form(theirs)}]"

    def per_run(total: int) -> str:
        return f"{total / n:.1f}"

    def share(count: int) -> str:
        return f"{count / n:.0%} ({rl.stats.interval(count, n)})"

    steps = (step for run in mine.values() for step in run.steps)
    marks = {rl.decoding.AGAIN, rl.decoding.CONSTRAINED}
    redrawn = sum(not marks.isdisjoint(step.repairs) for step in steps)
    cpu = f"{spent['cpu'] / spent['calls']:.1f}" if spent.get("calls") else "–"
    return {
        "tasks": str(n),
        "runs with a loop": beside(loops, str),
        "share (95% interval)": share(sum(map(loops, mine.values()))),
        "right answers": beside(lambda run: bool(rl.score.correct(run)), str),
        "share (95% interval) ": share(len(right)),
        "gained / lost against greedy": f"{gained} / {lost}",
        "exact McNemar": f"p = {rl.stats.mcnemar(gained, lost):.2f}" if mine is not base else "–",
        "steps changed, per run": per_run(redrawn),
        "calls per run": beside(lambda run: run.calls, per_run),
        "tokens written per run": beside(lambda run: run.tokens_out or 0, per_run),
        "CPU seconds per call that was new": cpu,
    }


def measured(name: str) -> Any:
    """What was measured besides, where it was: the cost; how sure the model was of a step."""
    path = folder() / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def certain() -> str:
    """How likely the model found the step with which a greedy run began to loop: what that says of
    a beam search, which looks for the likeliest whole step.
    """
    chances = [row["chance"] for row in measured("sure")]
    over = sum(chance > 0.5 for chance in chances)
    return (
        f"Of {len(chances)} steps with which a greedy run begins to repeat itself, {over} have "
        f"more than half of all probability; the median is {median(chances):.0%}."
    )


def became() -> str:
    """What became of the loops: a sentence per way of decoding."""
    base, lines = by_task(), []
    for name, what in WAYS.items():
        mine = by_task(name)
        looped = [run for id, run in mine.items() if loops(base[id])]
        others = [run for id, run in mine.items() if not loops(base[id])]
        if looped:
            broken = [run for run in looped if not loops(run)]
            right = sum(bool(rl.score.correct(run)) for run in broken)
            lines.append(
                f"{name} ({what}): of {len(looped)} greedy runs with a loop {len(broken)} have "
                f"none now, and {right} of these have the right answer; of {len(others)} without "
                f"a loop {sum(map(loops, others))} have one now."
            )
    return "\n".join(lines)
