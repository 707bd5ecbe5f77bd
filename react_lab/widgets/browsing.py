"""Which runs of many a table shows, and in which order: filter, search, sample, sort.

A `Row` is what the table tells of a run; a `Query` is what was asked of the table.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .. import score, store
from ..label.merging import merge
from ..label.modes import MODES
from ..store import Outline
from ..types import Step, Trajectory

__all__ = [
    "BY", "FACETS", "GRADES", "NONE", "Query", "Row", "chosen", "counts", "found", "rows_of",
]  # fmt: skip

FACETS = ("kind", "method", "model", "end", "grade", "flag", "label")
GRADES = {True: "right", False: "wrong", None: "not graded"}
UNFLAGGED, UNLABELLED = "no flag", "no label"
NONE = ((UNFLAGGED,), (UNLABELLED,))
BY = ("number", "question", "kind", "method", "model", "answer", "grade", "end", "steps",
      "tokens", "flag", "label")  # fmt: skip
CUT = 200  # characters of a text that a line of a table can show
Marks = Mapping[tuple[str, str], Sequence[str]]  # (id, digest) of a run -> its labels


class Row(NamedTuple):
    """What the table tells of one run. Flags and labels: several, or a word for none."""

    number: int
    id: str
    kind: str
    method: str
    model: str
    question: str
    answer: str
    grade: str
    end: str
    steps: int
    tokens: int | None
    flag: tuple[str, ...]
    label: tuple[str, ...]


@dataclass(frozen=True)
class Query:
    """What to show. only: a facet -> the one value of it; sample: how many, and the seed."""

    only: Mapping[str, str] = field(default_factory=dict, hash=False)
    text: str = ""
    sample: tuple[int, int] | None = None
    by: str = "number"
    down: bool = False


def rows_of(runs: Iterable[Trajectory], labels: Iterable[str] = ()) -> list[Row]:
    """A row per run that can be read, numbered from 1 by its place; labels: files, or patterns."""
    told = marks(labels)
    labelled = {id for id, _ in told}
    outlines = enumerate(store.outlines(runs), 1)
    return [row_of(number, one, told, labelled) for number, one in outlines if one is not None]


def row_of(number: int, one: Outline, told: Marks, labelled: set[str]) -> Row:
    tokens = (one.tokens_in, one.tokens_out)
    return Row(
        number, one.id, one.task.kind, one.method, one.model, one.task.text[:CUT],
        (one.answer or "")[:CUT], GRADES[score.correct(run_of(one))], one.end, len(one.steps),
        None if None in tokens else sum(filter(None, tokens)), one.flags or (UNFLAGGED,),
        labels_of(one, told) if one.id in labelled else (UNLABELLED,),
    )  # fmt: skip


def run_of(one: Outline, steps: tuple[Step, ...] = ()) -> Trajectory:
    """As much of a run as it takes to grade it; with its steps, to know it by its digest."""
    return Trajectory(
        one.id, one.task, one.method, one.model, steps=steps, answer=one.answer,
        reward=one.reward, end=one.end,
    )  # fmt: skip


def labels_of(one: Outline, told: Marks) -> tuple[str, ...]:
    steps = tuple(Step(said.thought, said.action, said.observation) for said in one.steps)
    return tuple(told.get((one.id, store.digest(run_of(one, steps))), ())) or (UNLABELLED,)


def marks(paths: Iterable[str]) -> Marks:
    """The modes that annotators gave, each once, in the order of Table 2."""
    merged = merge(paths)
    if merged.refused:
        raise ValueError("; ".join(merged.refused.values()))
    return {
        key: sorted({mark.label for mark in by.values() if mark.label}, key=MODES.index)
        for key, by in merged.runs.items()
    }


# ---------------------------------------------------------------------- what was asked of the table


def values(row: Row, facet: str) -> tuple[str, ...]:
    value = getattr(row, facet)
    return value if isinstance(value, tuple) else (value,)


def counts(rows: Iterable[Row]) -> dict[str, Counter[str]]:
    """Of each facet, the values there are, and how many runs have each."""
    told: dict[str, Counter[str]] = {facet: Counter() for facet in FACETS}
    for row in rows:
        for facet, count in told.items():
            count.update(values(row, facet))
    return told


def found(runs: Iterable[Trajectory], text: str) -> set[int]:
    """The numbers of the runs in which a text stands, in whatever case."""
    wanted = text.casefold()
    return {
        number
        for number, one in enumerate(store.outlines(runs), 1)
        if one is not None and any(wanted in part.casefold() for part in one.texts())
    }


def chosen(rows: Sequence[Row], query: Query, hits: set[int] | None = None) -> list[int]:
    """Places of the rows that a query asks for, in its order. hits: numbers that a search found."""
    places = [
        place
        for place, row in enumerate(rows)
        if (hits is None or row.number in hits)
        and all(value in values(row, facet) for facet, value in query.only.items())
    ]
    if query.sample is not None:
        n, seed = query.sample
        places = random.Random(seed).sample(places, min(n, len(places)))
    return sorted(places, key=lambda place: key(rows[place], query), reverse=query.down)


def key(row: Row, query: Query) -> tuple[bool, str | int, int]:
    """Texts as a reader sorts them; what is unknown, empty or none stands last, either way."""
    value = getattr(row, query.by)
    value = " ".join(value) if isinstance(value, tuple) else value
    none = value in (None, "", UNFLAGGED, UNLABELLED)
    number = -row.number if query.down else row.number  # of equals, the first stays the first
    told = "" if none else value.casefold() if isinstance(value, str) else value
    return none is not query.down, told, number
