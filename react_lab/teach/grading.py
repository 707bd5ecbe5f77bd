"""The reports of a class and its labels in one table. No code of a student is ever run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from react_lab import data, label
from react_lab.characters import inline

from .reports import Report, read

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Collected", "collect"]

COLUMNS = [
    "by", "lesson", "passed", "exercises", "tries", "hints", "right", "questions", "predictions",
    "labels",
]  # fmt: skip


@dataclass(frozen=True)
class Collected:
    """The table of a class, and a sentence for every file that was not taken."""

    table: pd.DataFrame
    refused: tuple[str, ...]


def collect(folder: str | PathLike[str]) -> Collected:
    """All reports (.json) and label files (.jsonl) in a folder and in those below it.

    A row per report; a person's labels stand in a row of their own. The numbers are what the
    students' own notebooks said: nothing is checked again.
    """
    import pandas as pd

    there = data.resolve(folder)
    if not there.is_dir():
        raise ValueError(f"{there} is no folder: give the one with the students' files")
    reports, refused = taken(there)
    rows = [row_of(report) for report in reports]
    labels = label.merge(path for path in sorted(there.rglob("*.jsonl")) if not path.is_symlink())
    counts = Counter(inline(mark.by) for mark in labels.marks)
    rows += [{"by": by, "lesson": "labels", "labels": n} for by, n in counts.items()]
    refused += [inline(why) for why in (*labels.conflicts, *labels.refused.values())]
    table = pd.DataFrame(rows, columns=COLUMNS).sort_values(["by", "lesson"], kind="stable")
    numbers = dict.fromkeys(COLUMNS[2:], "Int64")
    return Collected(table.astype(numbers).reset_index(drop=True), tuple(refused))


def taken(folder: Path) -> tuple[list[Report], list[str]]:
    """The reports that can be read, and why the others cannot."""
    reports, refused = [], []
    for path in sorted(folder.rglob("*.json")):
        try:
            reports.append(read(path))
        except (OSError, ValueError) as error:
            refused.append(inline(f"{path.relative_to(folder)}: refused, {error}"))
    return reports, refused


def row_of(report: Report) -> dict[str, Any]:
    done = report.exercises
    return {
        "by": inline(report.by),
        "lesson": inline(report.lesson),
        "passed": sum(each.passed for each in done),
        "exercises": len(done),
        "tries": sum(each.tries for each in done),
        "hints": sum(each.hints for each in done),
        "right": sum(each.right is True for each in report.quiz),
        "questions": len(report.quiz),
        "predictions": len(report.predictions),
    }
