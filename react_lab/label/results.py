"""What labels show: Table 2 with intervals beside the paper's, where it first goes wrong."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

from .. import data, stats
from ..analysis import paper
from ..languages import say
from ..methods import METHODS
from ..score import to_csv
from ..support import pd
from ..support.text import inline, visible
from .about_runs import QUESTIONS, TABLE_2, methods_of, nouns, one_kind
from .events import Mark
from .failure_modes import FAILURE, SUCCESS, TABLE_2_MODES, Modes, modes_of

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
    labels: Iterable[tuple[str, str | None]], kind: str = QUESTIONS, modes: Modes = TABLE_2_MODES
) -> list[Share]:
    """Table 2 from pairs of method and mode: shares of the successes and of the failures apart.

    Of games, the methods are those that have labels; the paper's numbers are of questions.
    """
    labels, found = list(labels), list[Share]()
    there = Counter(method for method, _ in labels)
    said = Counter((method, mode) for method, label in labels for mode in modes.split(label))
    rows = {row["name"]: row for row in paper.read("table2")["rows"]}
    methods = tuple(there) if modes.own else methods_of(kind)
    if not modes.own and methods != TABLE_2:
        methods = tuple(method for method in methods if method in there) or methods[1:2]
    for method, mode in product(methods, modes.names):
        group = SUCCESS if mode in SUCCESS else FAILURE
        n = there[method] if modes.own else sum(said[method, m] for m in group)
        right = said[method, mode]
        theirs = None if modes.own or kind != QUESTIONS else rows[mode][method]
        found.append(Share(method, mode, right, n, *stats.wilson(right, n), theirs))
    return found


def shown(marks: Sequence[Mark]) -> dict[str, Any]:
    """A Table 2 for each kind of task and taxonomy, where it first goes wrong, how fast it goes."""
    groups: dict[tuple[str, str], list[Mark]] = {}
    for mark in marks:
        groups.setdefault((mark.modes, mark.kind or QUESTIONS), []).append(mark)
    tables = []
    for (modes, kind), mine in (groups or {("", QUESTIONS): []}).items():
        name = say("label.own_table" if modes else "label.table_2")
        of = f", {nouns([kind])}" if {k for _, k in groups} - {QUESTIONS} else ""
        rows = [
            [METHODS[s.method].title if s.method in METHODS else inline(s.method), s.mode,
             s.right, s.n, round(s.low, 3), round(s.high, 3), s.paper]
            for s in shares(mine, kind)
        ]  # fmt: skip
        wrong = [list(pair) for pair in first_wrong(mine).items()]
        tables.append({"name": visible(f"{name}{of}"), "rows": rows, "wrong": wrong})
    speed = per_hour(marks)
    return {"tables": tables, "per_hour": round(speed) if speed else None}


def first_wrong(marks: Iterable[Mark]) -> dict[int, int]:
    """At which step it first goes wrong: step -> how many runs."""
    return dict(sorted(Counter(mark.step for mark in marks if mark.step).items()))


def per_hour(marks: Sequence[Mark]) -> float | None:
    """Labels per hour, by the median time per run; longer than ten minutes is a break."""
    spent = [min(mark.ms, PAUSE) for mark in marks if mark.ms]
    return 3_600_000 / median(spent) if spent and median(spent) else None


def frame(marks: Iterable[Mark], dtype: Any = None) -> pd.DataFrame:
    """A DataFrame, one row per label: what `rl.plots.table2` draws. dtype: of all its columns."""
    return pd.DataFrame(map(asdict, marks), columns=list(Mark.__annotations__), dtype=dtype)


def export(marks: Iterable[Mark], path: str | os.PathLike[str]) -> Path:
    """Labels as a .csv file, for a spreadsheet.

    Their Table 2 for a paper: `rl.plots.table2(rl.label.frame(marks)).save("table2.tex")`.
    """
    path = data.resolve(path)
    if path.suffix != ".csv":
        raise ValueError(
            f"{path.name}: labels go to a .csv file; their Table 2 is "
            "rl.plots.table2(rl.label.frame(labels)), which has .save"
        )
    return to_csv(frame(marks, object), path)
