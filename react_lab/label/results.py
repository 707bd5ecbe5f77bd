"""What labels show: Table 2 with intervals beside the paper's, where it first goes wrong, files."""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from .. import data, display, paper, stats
from ..methods import METHODS
from ..score import neutral
from .events import Mark
from .modes import FAILURE, MODES, SUCCESS

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Share", "export", "first_wrong", "frame", "per_hour", "report", "shares", "shares_of",
]  # fmt: skip

LABELLED = ("react", "cot")  # the methods of Table 2
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


def shares(marks: Iterable[Mark]) -> list[Share]:
    """Table 2: one Share per method and mode, with Wilson's interval. Nothing is weighted."""
    return shares_of((mark.method, mark.label) for mark in marks)


def shares_of(labels: Iterable[tuple[str, str | None]]) -> list[Share]:
    """Table 2 from pairs of method and mode: shares of the successes and of the failures apart."""
    counts, rows = Counter(labels), paper.read("table2")["rows"]
    found = []
    for method, row in product(LABELLED, rows):
        mode = row["name"]
        group = SUCCESS if mode in SUCCESS else FAILURE
        n, right = sum(counts[method, m] for m in group), counts[method, mode]
        found.append(Share(method, mode, right, n, *stats.wilson(right, n), row[method]))
    return found


def first_wrong(marks: Iterable[Mark]) -> dict[int, int]:
    """At which step it first goes wrong: step -> how many runs."""
    return dict(sorted(Counter(mark.step for mark in marks if mark.step).items()))


def per_hour(marks: Sequence[Mark]) -> float | None:
    """Labels per hour, by the median time per run; longer than ten minutes is a break."""
    spent = [min(mark.ms, PAUSE) for mark in marks if mark.ms]
    return 3_600_000 / median(spent) if spent and median(spent) else None


def frame(marks: Iterable[Mark]) -> pd.DataFrame:
    """A DataFrame, one row per label: what `rl.plots.table2` draws."""
    import pandas as pd

    return pd.DataFrame([asdict(mark) for mark in marks], columns=list(Mark.__annotations__))


# ---------------------------------------------------------------------- files


def export(marks: Iterable[Mark], path: str | os.PathLike[str]) -> Path:
    """Labels as a file; its ending says which: .csv, .jsonl, .tex (Table 2) or .html (a report)."""
    path, marks = data.resolve(path), list(marks)
    if path.suffix not in WRITERS:
        raise ValueError(f"{path.name}: labels go to a file that ends in {', '.join(WRITERS)}")
    if path.suffix == ".jsonl" and path.exists():
        raise FileExistsError(f"{path} may hold somebody's labels: choose another name")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(WRITERS[path.suffix](marks), encoding="utf-8", newline="\n")
    return path


def as_csv(marks: Sequence[Mark]) -> str:
    """For a spreadsheet: hidden characters shown, and no cell a formula."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(Mark.__annotations__), lineterminator="\n")
    writer.writeheader()
    for mark in marks:
        writer.writerow({name: neutral(value) for name, value in asdict(mark).items()})
    return text.getvalue()


def as_jsonl(marks: Sequence[Mark]) -> str:
    return "".join(json.dumps(asdict(mark)) + "\n" for mark in marks)


def as_latex(marks: Sequence[Mark]) -> str:
    """Table 2 as the paper sets it, ours beside theirs."""
    table = {(s.method, s.mode): s for s in shares(marks)}
    rows = []
    for mode in MODES:
        found = [table[method, mode] for method in LABELLED]
        cells = [cell for share in found for cell in (percent(share), theirs(share))]
        rows.append(f"{mode.capitalize()} & {' & '.join(cells)} \\\\")
    head = " & ".join(f"{METHODS[method].title} & (paper)" for method in LABELLED)
    return (
        "\\begin{tabular}{lrrrr}\n\\hline\n"
        f"Mode & {head} \\\\\n\\hline\n" + "\n".join(rows) + "\n\\hline\n\\end{tabular}\n"
    )


def percent(share: Share) -> str:
    if share.rate is None:
        return "--"
    return f"{100 * share.rate:.0f}\\% [{100 * share.low:.0f}, {100 * share.high:.0f}]"


def theirs(share: Share) -> str:
    return "--" if share.paper is None else f"{share.paper}\\%"


def as_html(marks: Sequence[Mark]) -> str:
    head = '<!DOCTYPE html><html><head><meta charset="utf-8"><title>Labels</title></head>'
    return f"{head}<body>{report(marks).html}</body></html>\n"


def report(marks: Iterable[Mark]) -> display.Page:
    """A page to print: what somebody labelled, how fast, Table 2 from it, and every label."""
    marks = list(marks)
    people = ", ".join(dict.fromkeys(mark.by for mark in marks)) or "nobody"
    speed = per_hour(marks)
    counts = [f"{len(marks)} labels", f"{speed:.0f} labels an hour" if speed else "no times"]
    counts += [f"{sum(mark.blind for mark in marks)} judged blind"]
    counts += [f"{sum(mark.override for mark in marks)} against the grade"]
    return display.together([
        display.note(f"Labels by {people}", "\n".join(counts)),
        display.note("Table 2", "\n".join(map(line, shares(marks)))),
        display.note("First wrong step", histogram(first_wrong(marks))),
        *(display.note(f"{mark.label} ({mark.id})", described(mark)) for mark in marks),
    ])  # fmt: skip


def line(share: Share) -> str:
    """`ReAct, hallucination: 3 of 20, 15% (95%: 5% to 36%); the paper 0%`"""
    text = f"{METHODS[share.method].title}, {share.mode}: {share.right} of {share.n}"
    if share.rate is not None:
        text += f", {share.rate:.0%} (95%: {share.low:.0%} to {share.high:.0%})"
    return text if share.paper is None else f"{text}; the paper {share.paper}%"


def histogram(counts: Mapping[int, int]) -> str:
    return "\n".join(f"step {step}: {'█' * n} {n}" for step, n in counts.items()) or "none marked"


def described(mark: Mark) -> str:
    judged = {None: "not judged blind", True: "judged sound", False: "judged unsound"}[mark.sound]
    step = f", first wrong at step {mark.step}" if mark.step else ""
    return f"{mark.method}, {judged}{step}\n{mark.note}".strip()


WRITERS: Mapping[str, Callable[[Sequence[Mark]], str]] = {
    ".csv": as_csv, ".jsonl": as_jsonl, ".tex": as_latex, ".html": as_html,
}  # fmt: skip
