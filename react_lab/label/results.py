"""What labels show: Table 2 with intervals beside the paper's, where it first goes wrong, files."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import data, display, stats
from ..analysis import paper
from ..languages import say
from ..methods import METHODS
from ..score import to_csv
from ..support.files import write
from ..support.text import inline
from .events import Mark
from .failure_modes import (
    FAILURE,
    QUESTIONS,
    SUCCESS,
    TABLE_2,
    TABLE_2_MODES,
    Modes,
    methods_of,
    modes_of,
    nouns,
    one_kind,
)

if TYPE_CHECKING:
    import pandas as pd

PAUSE = 10 * 60_000  # ms: somebody who takes longer over a run has had a break


@dataclass(frozen=True)
class Share:
    """One cell of Table 2: how many of its group's labels are of this mode, beside the paper."""

    method: str
    mode: str
    right: int
    n: int
    low: float
    high: float
    paper: float | None

    @property
    def rate(self) -> float | None:
        return self.right / self.n if self.n else None


def shares(marks: Iterable[Mark], kind: str | None = None) -> list[Share]:
    """Table 2: one Share per method and mode, with Wilson's interval. Nothing is weighted.

    kind: of the tasks ("household"), where the labels are of several. Of modes of one's own, a
    share is of all labels of its method, and the paper has none.
    """
    marks = list(marks)
    modes, kinds = modes_of(mark.modes for mark in marks), [mark.kind for mark in marks]
    if kind is None:
        kind = one_kind(kinds, "these labels", "shares(marks, kind='household') counts one kind")
    labels = ((mark.method, mark.label) for mark in marks if (mark.kind or QUESTIONS) == kind)
    return shares_of(labels, kind, modes)


def shares_of(
    labels: Iterable[tuple[str, str | None]],
    kind: str = QUESTIONS,
    modes: Modes = TABLE_2_MODES,
) -> list[Share]:
    """Table 2 from pairs of method and mode: shares of the successes and of the failures apart.

    Of games, the methods are those that have labels; the paper's numbers are of questions.
    """
    labels, found = list(labels), list[Share]()
    there = Counter(method for method, _ in labels)
    if modes.own:  # of all labels of a method, how many are of each mode
        said = Counter((method, mode) for method, label in labels for mode in modes.split(label))
        for (method, n), mode in product(there.items(), modes.names):
            right = said[method, mode]
            found.append(Share(method, mode, right, n, *stats.wilson(right, n), None))
        return found
    counts, rows = Counter(labels), paper.read("table2")["rows"]
    methods = methods_of(kind)
    if methods != TABLE_2:
        methods = tuple(method for method in methods if method in there) or methods[1:2]
    for method, row in product(methods, rows):
        mode = row["name"]
        group = SUCCESS if mode in SUCCESS else FAILURE
        n, right = sum(counts[method, m] for m in group), counts[method, mode]
        theirs = row[method] if kind == QUESTIONS else None
        found.append(Share(method, mode, right, n, *stats.wilson(right, n), theirs))
    return found


class Table(NamedTuple):
    """Table 2 of one kind of task, or the same of modes of one's own."""

    name: str
    of: str  # what its caption adds: of questions alone nothing
    shares: list[Share]
    wrong: dict[int, int]


def tables_of(marks: Iterable[Mark]) -> list[Table]:
    """A Table 2 for each kind of task and each taxonomy."""
    groups: dict[tuple[str, str], list[Mark]] = {}
    for mark in marks:
        groups.setdefault((mark.modes, mark.kind or QUESTIONS), []).append(mark)
    groups = groups or {("", QUESTIONS): []}
    plain = {kind for _, kind in groups} == {QUESTIONS}
    return [
        Table(
            say("label.own_table" if modes else "label.table_2"),
            "" if plain else f", {nouns([kind])}",
            shares(mine, kind),
            first_wrong(mine),
        )
        for (modes, kind), mine in groups.items()
    ]


def first_wrong(marks: Iterable[Mark]) -> dict[int, int]:
    """At which step it first goes wrong: step -> how many runs."""
    return dict(sorted(Counter(mark.step for mark in marks if mark.step).items()))


def per_hour(marks: Sequence[Mark]) -> float | None:
    """Labels per hour, by the median time per run; longer than ten minutes is a break."""
    spent = [min(mark.ms, PAUSE) for mark in marks if mark.ms]
    return 3_600_000 / median(spent) if spent and median(spent) else None


def frame(marks: Iterable[Mark], dtype: Any = None) -> pd.DataFrame:
    """A DataFrame, one row per label: what `rl.plots.table2` draws. dtype: of all its columns."""
    import pandas as pd

    return pd.DataFrame(map(asdict, marks), columns=list(Mark.__annotations__), dtype=dtype)


# ---------------------------------------------------------------------- files


def export(marks: Iterable[Mark], path: str | os.PathLike[str]) -> Path:
    """Labels as a file; its ending says which: .csv, .jsonl, or .html (a report).

    Their Table 2 for a paper: `rl.plots.table2(rl.label.frame(marks)).save("table2.tex")`.
    """
    path, marks = data.resolve(path), list(marks)
    match path.suffix:
        case ".csv":
            return to_csv(frame(marks, object), path)
        case ".html":
            head = '<!DOCTYPE html><html><head><meta charset="utf-8"><title>Labels</title></head>'
            return write(path, f"{head}<body>{report(marks).html}</body></html>\n")
        case ".jsonl" if path.exists():
            raise FileExistsError(f"{path} may hold somebody's labels: choose another name")
        case ".jsonl":
            return write(path, "".join(json.dumps(asdict(mark)) + "\n" for mark in marks))
    raise ValueError(
        f"{path.name}: labels go to a file that ends in .csv, .jsonl, .html; their Table 2 is "
        "rl.plots.table2(rl.label.frame(labels)), which has .save"
    )


def title_of(method: str) -> str:
    return METHODS[method].title if method in METHODS else inline(method)


def report(marks: Iterable[Mark]) -> display.Page:
    """A page to print: what somebody labelled, how fast, Table 2 from it, and every label."""
    marks = list(marks)
    people = ", ".join(dict.fromkeys(mark.by for mark in marks)) or "nobody"
    speed = per_hour(marks)
    counts = [f"{len(marks)} labels", f"{speed:.0f} labels an hour" if speed else "no times"]
    counts += [f"{sum(mark.blind for mark in marks)} judged blind"]
    counts += [f"{sum(mark.override for mark in marks)} against the grade"]
    pages = [(f"Labels by {people}", "\n".join(counts))]
    for table in tables_of(marks):
        pages += [(f"{table.name}{table.of}", "\n".join(map(line, table.shares)))]
        bars = [f"step {step}: {'█' * n} {n}" for step, n in table.wrong.items()]
        pages += [(f"First wrong step{table.of}", "\n".join(bars) or "none marked")]
    judged = {None: "not judged blind", True: "judged sound", False: "judged unsound"}
    for mark in marks:
        step = f", first wrong at step {mark.step}" if mark.step else ""
        told = f"{mark.method}, {judged[mark.sound]}{step}\n{mark.note}".strip()
        pages += [(f"{mark.label} ({mark.id})", told)]
    return display.together(display.note(*page) for page in pages)


def line(share: Share) -> str:
    """`ReAct, hallucination: 3 of 20, 15% (95%: 5% to 36%); the paper 0%`"""
    text = f"{title_of(share.method)}, {share.mode}: {share.right} of {share.n}"
    if share.rate is not None:
        text += f", {share.rate:.0%} (95%: {share.low:.0%} to {share.high:.0%})"
    return text if share.paper is None else f"{text}; the paper {share.paper}%"
