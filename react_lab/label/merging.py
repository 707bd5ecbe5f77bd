"""Many annotators' files together, and how far they agree: kappa, alpha, who confuses what.

Merging overwrites nothing, lists conflicts and refuses hostile files. The grade alone settles which
two or which four modes are offered, so a kappa over all six is flattered. The two that count are
the one within successes and the one within failures.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, combinations, groupby
from math import isnan
from pathlib import Path

from .. import data, store
from ..languages import say
from ..records import Record
from ..stats import alpha, kappa, kappa_interval
from ..support.text import inline
from .about_runs import QUESTIONS, nouns, one_kind
from .events import Entry, Ledger, Mark, read
from .failure_modes import BOTH, MODES, Modes, Sample, modes_of

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
Scope = Callable[[Mark], str | None]  # what of a label is compared; None: it does not count
Story = tuple[Entry, ...]  # one annotator's events in one file
MarksByRun = Mapping[tuple[str, str], Mapping[str, Mark]]  # (id, digest) -> annotator -> mark
MOST_PEOPLE = 200  # each is compared with each
FEW = 10  # runs: of fewer no kappa is told, for its interval would promise too much
OVER_ALL = "over all"
SCOPES: dict[str, Scope] = {
    "within success": lambda mark: mark.label if mark.grade == "success" else None,
    "within failure": lambda mark: mark.label if mark.grade == "failure" else None,
    f"{OVER_ALL} six modes (too high where right or wrong was known)": lambda mark: mark.label,
}


@dataclass(frozen=True, repr=False)
class Merged:
    """What the files say together."""

    marks: tuple[Mark, ...]  # everybody's standing labels
    conflicts: tuple[str, ...]  # where files of one annotator differ: neither label counts
    refused: Mapping[str, str]  # a file -> why it was not taken
    copies: int  # stories that another file tells as well, and perhaps goes on with

    @property
    def runs(self) -> MarksByRun:
        """(id, digest) of a run -> annotator -> what stands. All of one taxonomy."""
        modes_of(mark.modes for mark in self.marks)
        found: dict[tuple[str, str], dict[str, Mark]] = {}
        for mark in self.marks:
            found.setdefault((mark.id, mark.digest), {})[mark.by] = mark
        return found

    def of(self, kind: str | None = None, modes: Modes | None = None) -> Merged:
        """Only the labels of a kind of task ("multihop" for questions, "household" for games), or
        those of modes of one's own."""
        kept = (m for m in self.marks if kind in (None, m.kind or QUESTIONS))
        return replace(self, marks=tuple(m for m in kept if not modes or m.modes == modes.text))

    def __repr__(self) -> str:
        people = Counter((mark.by, mark.kind or QUESTIONS) for mark in self.marks)
        many = {kind for _, kind in people} - {QUESTIONS}
        lines = [
            f"{by}: {count} labels" + (f" of {nouns([kind])}" if many else "")
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
            stories += [tuple(story) for _, story in groupby(read(path), key=lambda e: e.by)]
        except (OSError, ValueError) as error:
            refused[str(path)] = str(error)
    own = leave_out_copies(stories)
    given: dict[tuple[str, ...], list[Mark]] = {}
    for story in own:
        for mark in Ledger(story).labelled():
            given.setdefault((mark.by, mark.id, mark.digest, mark.modes), []).append(mark)
    clear, conflicts = list[Mark](), list[str]()
    for (by, id, _, _), marks in given.items():
        if len(labels := dict.fromkeys(str(mark.label) for mark in marks)) == 1:
            clear.append(marks[0])
        else:
            said = " and ".join(labels)
            conflicts.append(f"run {id}: {by!r} says {said} in different files, so neither counts")
    return Merged(tuple(clear), tuple(conflicts), refused, len(stories) - len(own))


def find_files(paths: Paths) -> list[Path]:
    """The files, each once; of a folder all of its label files, of a pattern what it fits."""
    files: dict[Path, None] = {}
    for path in map(data.resolve, [paths] if isinstance(paths, str | os.PathLike) else paths):
        if path.is_dir():
            files |= dict.fromkeys(sorted(path.rglob("*.jsonl")))
        else:
            pattern = any(c in path.name for c in "*?")
            files |= dict.fromkeys(sorted(path.parent.glob(path.name)) if pattern else [path])
    return [*files]


def leave_out_copies(stories: Iterable[Story]) -> list[Story]:
    """Without the stories that begin another one: older copies of a file, or the file twice."""
    own, known = list[Story](), set[int]()
    for story in sorted(stories, key=len, reverse=True):
        beginnings = list(accumulate(story, lambda *both: hash(both), initial=0))
        if beginnings[-1] not in known:
            own.append(story)
        known.update(beginnings)
    return own


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


def confusion(a: Sequence[str], b: Sequence[str]) -> dict[str, dict[str, int]]:
    """How often b said what where a said a mode: rows a, columns b, in the order of Table 2."""
    pairs, used = Counter(zip(a, b, strict=True)), {*a, *b}
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
            return say("kappa.none")
        if self.n < FEW:
            return say("kappa.few", same=self.same, of=self.n)
        if isnan(self.value):
            return say("kappa.one_label", of=self.n)
        told = {name: f"{getattr(self, name):.2f}" for name in ("value", "low", "high")}
        return say("kappa.kappa", same=self.same, of=self.n, **told)


@dataclass(frozen=True, repr=False)
class Agreement:
    """Annotators on the runs that they share."""

    pairs: Mapping[tuple[str, str], Mapping[str, Kappa]]  # pair -> success, failure, all six
    confusions: Mapping[tuple[str, str], Mapping[str, Mapping[str, int]]]  # where a run has one
    alphas: Mapping[str, float]  # of all annotators: success, failure, all six

    def __repr__(self) -> str:
        lines = []
        for pair, found in self.pairs.items():
            a, b = map(inline, pair)
            lines += [f"{a} and {b}", *(f"  kappa, {name}: {k}" for name, k in found.items())]
            for mode, row in self.confusions.get(pair, {}).items():
                answers = ", ".join(f"{other} {n}" for other, n in row.items() if n)
                lines += [f"  where {a} said {mode}, {b} said: {answers or 'nothing'}"]
        lines += [f"alpha of all, {name}: {value:.2f}" for name, value in self.alphas.items()]
        return "\n".join(lines) or "fewer than two annotators share a run"


def agreement(runs: MarksByRun) -> Agreement:
    """Every pair's kappa within success, within failure and over all six modes; alpha for more.

    Of modes of one's own: over all of them; where runs have several, over each, is it there or not.
    Of one kind of task: `merge(paths).of("household").runs` are the games alone.
    """
    every = [mark for marks in runs.values() for mark in marks.values()]
    told = "take one kind, merge(paths).of('household').runs"
    one_kind({mark.kind for mark in every}, "these labels", told)
    people = sorted({by for marks in runs.values() for by in marks})
    if len(people) > MOST_PEOPLE:
        raise ValueError(f"{len(people)} annotators: {MOST_PEOPLE} at most can be compared")
    scopes = scopes_of(every)
    pairs: dict[tuple[str, str], dict[str, Kappa]] = {}
    confusions: dict[tuple[str, str], dict[str, dict[str, int]]] = {}
    for a, b in combinations(people, 2):
        both = [(marks[a], marks[b]) for marks in runs.values() if a in marks and b in marks]
        for name, scope in scopes.items() if both else ():
            said = [(m, n) for x, y in both if (m := scope(x)) and (n := scope(y))]
            one, other = [m for m, _ in said], [n for _, n in said]
            same = sum(m == n for m, n in said)
            found = Kappa(len(said), same, kappa(one, other), *kappa_interval(one, other))
            pairs.setdefault((a, b), {})[name] = found
            if name.startswith(OVER_ALL):
                confusions[a, b] = confusion(one, other)
    alphas = {
        name: alpha([[scope(m[by]) if by in m else None for m in runs.values()] for by in people])
        for name, scope in scopes.items()
        if len(people) > 2
    }
    return Agreement(pairs, confusions, alphas)


def scopes_of(marks: Sequence[Mark]) -> dict[str, Scope]:
    """What is compared of labels, by its name."""
    modes = modes_of(mark.modes for mark in marks)
    if not modes.own:
        return SCOPES
    if any(BOTH in (mark.label or "") for mark in marks):
        return {name: partial(has_mode, modes, name) for name in modes.names}
    return {f"{OVER_ALL} {len(modes.names)} modes": lambda mark: mark.label}


def has_mode(modes: Modes, name: str, mark: Mark) -> str:
    return name if name in modes.split(mark.label) else f"not {name}"


def matches(agreed: Sequence[str], suggested: Sequence[str]) -> dict[str, tuple[int, int, int]]:
    """How far suggestions meet the agreed labels: mode -> how many are right, were suggested, were
    agreed on. Right of suggested is the precision, right of agreed the recall.
    """
    table = confusion(agreed, suggested)
    return {
        mode: (row[mode], sum(counts[mode] for counts in table.values()), sum(row.values()))
        for mode, row in table.items()
    }


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
