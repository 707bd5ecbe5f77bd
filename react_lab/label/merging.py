"""Many annotators' files together, and how far they agree: kappa, alpha, who confuses what.

Merging overwrites nothing, lists conflicts and refuses hostile files. The grade alone settles which
two or which four modes are offered, so a kappa over all six is flattered. The two that count are
the one within successes and the one within failures.

>>> kappa(["a", "b", "a", "b"], ["a", "b", "b", "b"])
0.5
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, combinations, groupby
from math import isnan, nan
from pathlib import Path
from typing import TypeVar

from .. import data, store
from ..records import Record
from ..support.text import inline
from .events import Entry, Ledger, Mark, read
from .failure_modes import MODES, QUESTIONS, Sample, nouns, one_kind

L = TypeVar("L", bound=Hashable)
Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
Story = tuple[Entry, ...]  # one annotator's events in one file
MarksByRun = Mapping[tuple[str, str], Mapping[str, Mark]]  # (id, digest) -> annotator -> mark
MOST_LABELS, MOST_PEOPLE = 50, 200  # each is compared with each
SCOPES = {
    "within success": ("success",), "within failure": ("failure",),
    "over all six modes (too high: right or wrong was known to both)": ("success", "failure", None),
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class Merged:
    """What the files say together."""

    marks: tuple[Mark, ...]  # everybody's standing labels
    conflicts: tuple[str, ...]  # where files of one annotator differ: neither label counts
    refused: Mapping[str, str]  # a file -> why it was not taken
    copies: int  # stories that another file tells as well, and perhaps goes on with

    @property
    def runs(self) -> MarksByRun:
        """(id, digest) of a run -> annotator -> what stands."""
        found: dict[tuple[str, str], dict[str, Mark]] = {}
        for mark in self.marks:
            found.setdefault((mark.id, mark.digest), {})[mark.by] = mark
        return found

    def of(self, kind: str) -> Merged:
        """Only the labels of tasks of a kind: "multihop" for questions, "household" for games."""
        return replace(self, marks=tuple(m for m in self.marks if (m.kind or QUESTIONS) == kind))

    def __repr__(self) -> str:
        kinds = {mark.kind or QUESTIONS for mark in self.marks}
        people = Counter((mark.by, mark.kind or QUESTIONS) for mark in self.marks)
        many = len(kinds) > 1 or bool(kinds - {QUESTIONS})
        lines = [
            f"{by}: {count} labels" + f" of {nouns([kind])}" * many
            for (by, kind), count in sorted(people.items())
        ]
        lines += [f"{self.copies} copies of files that are here anyway"] if self.copies else []
        lines += [f"conflict: {what}" for what in self.conflicts]
        lines += [f"refused: {why}" for why in self.refused.values()]
        return "\n".join(map(inline, lines)) or "no labels"


def merge(paths: Paths) -> Merged:
    """Label files, or the folders or patterns (`labels/*.jsonl`) that hold them, as one."""
    stories, refused = list[Story](), {}
    for path in find_files(paths):
        try:
            entries = read(path)
        except (OSError, ValueError) as error:
            refused[str(path)] = str(error)
            continue
        stories += [tuple(story) for _, story in groupby(entries, key=lambda e: e.by)]
    own = leave_out_copies(stories)
    given: dict[tuple[str, str, str], list[Mark]] = {}
    for story in own:
        for mark in Ledger(story).labelled():
            given.setdefault((mark.by, mark.id, mark.digest), []).append(mark)
    clear = {key: marks[0] for key, marks in given.items() if len({m.label for m in marks}) == 1}
    conflicts = tuple(conflict(given[key]) for key in given if key not in clear)
    return Merged(tuple(clear.values()), conflicts, refused, len(stories) - len(own))


def find_files(paths: Paths) -> list[Path]:
    """The files, each once; of a folder all of its label files, of a pattern what it fits."""
    several = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    files: dict[Path, None] = {}
    for path in map(data.resolve, several):
        if path.is_dir():
            files |= dict.fromkeys(sorted(path.rglob("*.jsonl")))
        elif any(c in path.name for c in "*?"):
            files |= dict.fromkeys(sorted(path.parent.glob(path.name)))
        else:
            files[path] = None
    return list(files)


def leave_out_copies(stories: Iterable[Story]) -> list[Story]:
    """Without the stories that begin another one: older copies of a file, or the file twice."""
    own, known = list[Story](), set[int]()
    for story in sorted(stories, key=len, reverse=True):
        beginnings = list(accumulate(story, lambda *both: hash(both), initial=0))
        if beginnings[-1] not in known:
            own.append(story)
        known.update(beginnings)
    return own


def conflict(marks: Sequence[Mark]) -> str:
    labels = " and ".join(dict.fromkeys(str(mark.label) for mark in marks))
    return f"run {marks[0].id}: {marks[0].by!r} says {labels} in different files, so neither counts"


def disagreements(runs: MarksByRun) -> dict[tuple[str, str], Mapping[str, Mark]]:
    """The runs that two or more annotators labelled, and not all alike: what to adjudicate."""
    return {key: m for key, m in runs.items() if len({mark.label for mark in m.values()}) > 1}


def settled(runs: MarksByRun, agreed: Iterable[Mark] = ()) -> list[Mark]:
    """One mark per run: what all said, else what was `agreed` on. The rest stays open."""
    third = {(mark.id, mark.digest): mark for mark in agreed}
    differ = disagreements(runs)
    alike = [next(iter(m.values())) for key, m in runs.items() if len(m) > 1 and key not in differ]
    return alike + [third[key] for key in differ if key in third]


# ---------------------------------------------------------------------- agreement


def kappa(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """Cohen's kappa of two annotators; nan where only one label was ever given."""
    n = len(a)
    same = sum(x == y for x, y in zip(a, b, strict=True))
    left, right = Counter(a), Counter(b)
    chance = sum(left[label] * right[label] for label in left)
    return (n * same - chance) / (n * n - chance) if n * n > chance else nan


def interval(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    level: float = 0.95,
    draws: int = 2000,
    seed: int = 0,
) -> tuple[float, float]:
    """Percentile bootstrap of kappa: the runs are drawn again, `draws` times, by a seed."""
    import numpy as np

    names, n = check_labels(a, b), len(a)
    pairs = Counter(zip(a, b, strict=True))
    shares = [pairs[x, y] / n for x in names for y in names] if n else [1.0]
    tables = np.random.default_rng(seed).multinomial(n, shares, size=draws)
    tables = tables.reshape(draws, len(names) or 1, len(names) or 1)
    same = np.trace(tables, axis1=1, axis2=2)
    chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
    defined = n * n > chance  # kappa is not, where one label only was drawn
    if not defined.any():
        return nan, nan
    found = (n * same[defined] - chance[defined]) / (n * n - chance[defined])
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def check_labels(a: Sequence[L], b: Sequence[L]) -> list[L]:
    """The labels that were given: each is compared with each."""
    names = list(dict.fromkeys([*a, *b]))
    if len(names) > MOST_LABELS:
        raise ValueError(f"{len(names)} different labels: {MOST_LABELS} at most can be compared")
    return names


def alpha(table: Sequence[Sequence[Hashable | None]]) -> float:
    """Krippendorff's alpha: one row per annotator, one column per run, None where unlabelled."""
    columns = ([v for v in column if v is not None] for column in zip(*table, strict=True))
    units = [Counter(values) for values in columns if len(values) > 1]
    sizes = [unit.total() for unit in units]
    seen = Counter(label for unit in units for label in unit.elements())
    n = seen.total()
    differ = sum(
        (size * size - sum(c * c for c in unit.values())) / (size - 1)
        for unit, size in zip(units, sizes, strict=True)
    )
    chance = n * n - sum(c * c for c in seen.values())
    return 1 - (n - 1) * differ / chance if chance else nan


def confusion(a: Sequence[str], b: Sequence[str]) -> dict[str, dict[str, int]]:
    """How often b said what where a said a mode: rows a, columns b, in the order of Table 2."""
    pairs, used = Counter(zip(a, b, strict=True)), set(check_labels(a, b))
    modes = [mode for mode in MODES if mode in used] + sorted(used - set(MODES))
    return {x: {y: pairs[x, y] for y in modes} for x in modes}


@dataclass(frozen=True)
class Kappa:
    """A kappa with its interval, and of how many runs."""

    n: int
    same: int
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        if self.n == 0:
            return "no run labelled by both"
        if isnan(self.value):
            return f"not defined: one and the same label for all {self.n} runs"
        between = f"(95%: {self.low:.2f} to {self.high:.2f})"
        return f"{self.value:.2f} {between}, the same on {self.same} of {self.n}"


@dataclass(frozen=True, repr=False)
class Agreement:
    """Annotators on the runs that they share."""

    pairs: Mapping[tuple[str, str], Mapping[str, Kappa]]  # pair -> success, failure, all six
    confusions: Mapping[tuple[str, str], Mapping[str, Mapping[str, int]]]
    alphas: Mapping[str, float]  # of all annotators: success, failure, all six

    def __repr__(self) -> str:
        lines = []
        for pair, found in self.pairs.items():
            a, b = map(inline, pair)
            lines += [f"{a} and {b}", *(f"  kappa, {name}: {k}" for name, k in found.items())]
            for mode, row in self.confusions[pair].items():
                answers = ", ".join(f"{other} {n}" for other, n in row.items() if n)
                lines += [f"  where {a} said {mode}, {b} said: {answers or 'nothing'}"]
        lines += [f"alpha of all, {name}: {value:.2f}" for name, value in self.alphas.items()]
        return "\n".join(lines) or "fewer than two annotators share a run"


def agreement(runs: MarksByRun) -> Agreement:
    """Every pair's kappa within success, within failure and over all six modes; alpha for more.

    Of one kind of task: `merge(paths).of("household").runs` are the games alone.
    """
    kinds = {mark.kind for marks in runs.values() for mark in marks.values()}
    one_kind(kinds, "these labels", "take one kind, merge(paths).of('household').runs")
    people = sorted({by for marks in runs.values() for by in marks})
    if len(people) > MOST_PEOPLE:
        raise ValueError(f"{len(people)} annotators: {MOST_PEOPLE} at most can be compared")
    shared: dict[tuple[str, str], list[tuple[Mark, Mark]]] = {}
    for marks in runs.values():
        for a, b in combinations(sorted(marks), 2):
            shared.setdefault((a, b), []).append((marks[a], marks[b]))
    pairs, confusions = {}, {}
    for pair, both in sorted(shared.items()):
        pairs[pair] = {name: compare(both, grades) for name, grades in SCOPES.items()}
        confusions[pair] = confusion(*label_pairs(both, SCOPES[list(SCOPES)[2]]))
    many = len(people) > 2
    alphas = {name: alpha(table(runs, people, grades)) for name, grades in SCOPES.items() if many}
    return Agreement(pairs, confusions, alphas)


def label_pairs(
    both: Sequence[tuple[Mark, Mark]], grades: Sequence[str | None]
) -> tuple[list[str], list[str]]:
    kept = [(x.label or "", y.label or "") for x, y in both if x.grade in grades]
    return [x for x, _ in kept], [y for _, y in kept]


def compare(both: Sequence[tuple[Mark, Mark]], grades: Sequence[str | None]) -> Kappa:
    a, b = label_pairs(both, grades)
    same = sum(x == y for x, y in zip(a, b, strict=True))
    return Kappa(len(a), same, kappa(a, b), *interval(a, b))


def table(
    runs: MarksByRun, people: Sequence[str], grades: Sequence[str | None]
) -> list[list[str | None]]:
    kept = [m for m in runs.values() if next(iter(m.values())).grade in grades]
    return [[m[by].label if by in m else None for m in kept] for by in people]


@dataclass(frozen=True)
class Match:
    """How far a rule's suggestions of a mode meet the agreed labels."""

    mode: str
    right: int
    suggested: int  # right of suggested: the precision
    agreed: int  # right of agreed: the recall


def matches(agreed: Sequence[str], suggested: Sequence[str]) -> list[Match]:
    """One row per mode that was agreed on or suggested, in the order of Table 2."""
    table = confusion(agreed, suggested)
    return [
        Match(mode, row[mode], sum(counts[mode] for counts in table.values()), sum(row.values()))
        for mode, row in table.items()
    ]


# ---------------------------------------------------------------------- the labelled set

ADJUDICATOR, RUNS, HOW = "adjudicator", "runs", "sample.json"


@dataclass(frozen=True)
class Drawn:
    """Which runs a sample holds, and how they were drawn."""

    ids: list[str]
    seed: int
    strata: dict[str, tuple[int, int]]


DRAWN = Record(Drawn, lambda _: "")


def drawn(folder: Path) -> Sample:
    """The sample as it was drawn: item 1 is its first run."""
    try:
        how = DRAWN.read((folder / HOW).read_bytes())
    except ValueError as error:
        raise ValueError(f"{HOW} does not say how a sample was drawn: {error}") from None
    runs = tuple(store.open(folder / f"{RUNS}.jsonl"))
    if [run.id for run in runs] != how.ids:
        raise ValueError(f"{RUNS}.jsonl holds other runs than {HOW} names: draw again")
    return Sample(runs, how.seed, how.strata)


def readers(folder: Path) -> list[Path]:
    """The files of those who labelled, without the adjudicator's."""
    return [p for p in sorted(folder.glob("*.jsonl")) if p.stem not in (RUNS, ADJUDICATOR)]


def agreed(folder: Path) -> list[Mark]:
    """One mark per run: what all readers said, else what was adjudicated; of one reader, all."""
    third, merged = folder / f"{ADJUDICATOR}.jsonl", merge(readers(folder))
    if len({mark.by for mark in merged.marks}) == 1:
        return list(merged.marks)
    return settled(merged.runs, merge(third).marks if third.exists() else ())
