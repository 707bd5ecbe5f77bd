"""A student's report on a lesson, as a file: written by the student, collected by the teacher."""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import msgspec

from react_lab import data
from react_lab.records import Record, encode

__all__ = ["Chosen", "Predicted", "Report", "Worked", "read", "write"]

LARGEST = 4 << 20  # bytes
LONGEST_NAME = 100  # characters
MOST = 1_000  # exercises, questions, tries or hints


@dataclass(frozen=True)
class Predicted:
    """A prediction: what was asked, and the guess."""

    key: str
    question: str
    said: str


@dataclass(frozen=True)
class Worked:
    """An exercise: whether it was passed, after how many checks, with how many hints."""

    number: str
    passed: bool
    tries: int
    hints: int
    given: str  # the answer that passed, else the last one: text to read, never run


@dataclass(frozen=True)
class Chosen:
    """A question, the text of the option taken ("": none), and whether it is right."""

    question: str
    option: str
    right: bool | None


@dataclass(frozen=True)
class Report:
    """What one student did in one lesson."""

    lesson: str
    by: str
    predictions: tuple[Predicted, ...]
    exercises: tuple[Worked, ...]
    quiz: tuple[Chosen, ...]
    schema: int = 1


def fault(report: Report) -> str:
    """What no report of ours can hold, though its types are right."""
    if report.schema != 1:
        return "it is not a report of schema 1"
    if not report.by.strip() or not report.lesson.strip():
        return "it does not say whose it is, or of which lesson"
    if max(len(report.by), len(report.lesson)) > LONGEST_NAME:
        return f"a name in it has more than {LONGEST_NAME} characters"
    if max(len(report.predictions), len(report.exercises), len(report.quiz)) > MOST:
        return "it holds more than any lesson asks"
    if not all(0 <= n <= MOST for each in report.exercises for n in (each.tries, each.hints)):
        return "a number in it is out of bounds"
    return ""


REPORT = Record(Report, fault, most=LARGEST)


def write(report: Report, path: str | PathLike[str] | None = None) -> Path:
    """The file of a report, `reports/LESSON-NAME.json` where no other is given."""
    name = re.sub(r"[^\w-]+", "-", report.by.strip()).strip("-") or "somebody"
    there = data.resolve(path or f"reports/{report.lesson}-{name}.json")
    REPORT.write(report)
    data.write(there, msgspec.json.format(encode(report), indent=1).decode() + "\n")
    return there


def read(path: Path) -> Report:
    """A report, strictly checked: nothing in it is run. What is no report is a ValueError."""
    found = path.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise ValueError("it is no regular file")
    if found.st_size > LARGEST:
        raise ValueError(f"{LARGEST >> 20} MB is more than a report takes")
    return REPORT.read(path.read_bytes())
