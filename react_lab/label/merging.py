"""Many annotators' files together: nothing overwritten, conflicts listed, hostile files refused."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from pathlib import Path

from .. import data, store
from ..records import Record
from ..support.text import inline
from .events import Entry, Ledger, Mark, read
from .modes import QUESTIONS, nouns
from .raters import MarksByRun, confusion
from .sampling import Sample

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
Story = tuple[Entry, ...]  # one annotator's events in one file


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
    for path in found(paths):
        entries, why = taken(path)
        stories += [tuple(story) for _, story in groupby(entries, key=lambda e: e.by)]
        if why:
            refused[str(path)] = why
    own = without_copies(stories)
    given: dict[tuple[str, str, str], list[Mark]] = {}
    for story in own:
        for mark in Ledger(story).labelled():
            given.setdefault((mark.by, mark.id, mark.digest), []).append(mark)
    clear = {key: marks[0] for key, marks in given.items() if len({m.label for m in marks}) == 1}
    conflicts = tuple(conflict(given[key]) for key in given if key not in clear)
    return Merged(tuple(clear.values()), conflicts, refused, len(stories) - len(own))


def found(paths: Paths) -> list[Path]:
    """The files, each once. A pattern starts at the project root, as every path of labels."""
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


def taken(path: Path) -> tuple[Sequence[Entry], str]:
    """A file's events, or why it is refused as a whole."""
    try:
        return read(path), ""
    except (OSError, ValueError) as error:
        return (), str(error)


def without_copies(stories: Iterable[Story]) -> list[Story]:
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


# ------------------------------------------------------------------ shipped

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


def agreed(folder: Path) -> list[Mark]:
    """One mark per run: what all readers said, else what was adjudicated; of one reader, all."""
    third, merged = folder / f"{ADJUDICATOR}.jsonl", merge(readers(folder))
    if len({mark.by for mark in merged.marks}) == 1:
        return list(merged.marks)
    return settled(merged.runs, merge(third).marks if third.exists() else ())
