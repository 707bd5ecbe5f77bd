"""A student's report on a lesson, as a file: written by the student, collected by the teacher."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from .. import data, label
from ..languages import say
from ..records import Record, encode, in_table
from ..support import pd
from ..support.files import Format, add_line, checked, expand, owned
from ..support.text import inline

LARGEST = 4 << 20  # bytes
LONGEST_NAME = 100  # characters
MOST = 1_000  # exercises, questions, tries or hints


@dataclass(frozen=True)
class Predicted:
    key: str
    question: str
    said: str


@dataclass(frozen=True)
class Worked:
    number: str
    passed: bool
    tries: int  # so many checks
    hints: int
    given: str  # the answer that passed, else the last one: text to read, never run


@dataclass(frozen=True)
class Chosen:
    question: str
    option: str  # the text of the one that was taken; "" is none
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
    there = data.resolve(path) if path else data.shared(f"reports/{report.lesson}-{name}.json")
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


# ------------------------------------------------------------------ answers

EVENTS = ("prediction", "check", "hint", "choice")
MOST_ANSWERS = 16 << 20  # bytes of all that anybody answers in a lesson


@dataclass(frozen=True)
class Answer:
    """One thing that a student did, about a prediction's key, an exercise or a question."""

    lesson: str
    event: str
    about: str
    value: bool | int | float | str | None = None  # the guess, the option taken, hints seen
    given: str = ""  # the answer that was checked, as text: never run again
    right: bool | None = None
    at: str = ""
    schema: int = 1


def wrong_answer(answer: Answer) -> str:
    return "" if answer.schema == 1 and answer.event in EVENTS else "it is none of our answers"


ANSWER = Record(Answer, wrong_answer, most=1 << 20)
ANSWERS = Format("answers", ("lesson", "event", "about"))


def file_of(lesson: str) -> Path | None:
    """Where a lesson's answers are kept: answers/ of the project, else REACT_LAB_ANSWERS.

    None, so that nothing is kept, where REACT_LAB_ANSWERS is empty: for tests of the notebooks.
    """
    folder = os.environ.get("REACT_LAB_ANSWERS", "answers")
    return data.shared(folder) / f"{lesson}.jsonl" if folder else None


def read_answers(path: Path, lesson: str) -> Iterator[Answer]:
    """All answers to a lesson that can be read, the oldest first; a spoilt line is passed over."""
    if not checked(path).exists():
        return
    if path.stat().st_size > MOST_ANSWERS:
        raise ValueError(f"{path} is too large for answers: move it away")
    for line in path.read_bytes().splitlines():
        with suppress(ValueError):
            if (answer := ANSWER.read(line)).lesson == lesson:
                yield answer


def keep_answer(path: Path, answer: Answer) -> tuple[str, ...]:
    """Add an answer to a file; where the disk does not take it, a sentence that says so."""
    try:
        add_line(owned(path, ANSWERS), ANSWER.write(answer))
    except (OSError, ValueError) as error:
        return (say("teach.not_stored", why=error),)
    return ()


# ------------------------------------------------------------------ grading

COLUMNS = [
    "by", "lesson", "passed", "exercises", "tries", "hints", "right", "questions", "predictions",
    "labels", "note",
]  # fmt: skip


@dataclass(frozen=True)
class Collected:
    """The table of a class, and a sentence for everything that a teacher should look at."""

    table: pd.DataFrame
    remarks: tuple[str, ...]


def collect(folder: str | PathLike[str], roster: str | PathLike[str] | None = None) -> Collected:
    """All reports (.json) and label files (.jsonl) in a folder and in those below it.

    A row per report; a person's labels stand in a row of their own, and so does a file that was
    refused. The numbers are what the students' own notebooks said: nothing is checked again, but
    what no notebook says is noted. roster: a .csv with a column `name`; who is missing is named.
    """
    there = data.resolve(folder)
    if not there.is_dir():
        raise ValueError(f"{there} is no folder: give the one with the students' files")
    names = [inline(row["name"]) for _, row in in_table(expand(roster), ["name"])] if roster else []
    reports, refused = dict[str, Report](), dict[str, str]()  # by file; why some cannot be read
    for path in sorted(there.rglob("*.json")):
        name = inline(path.relative_to(there))
        try:
            reports[name] = read(path)
        except (OSError, ValueError) as error:
            refused[name] = inline(error)
    rows = [row_of(report) for report in reports.values()]
    rows += [{"by": path, "lesson": "refused", "note": why} for path, why in refused.items()]
    labels = label.merge(path for path in sorted(there.rglob("*.jsonl")) if not path.is_symlink())
    counts = Counter(inline(mark.by) for mark in labels.marks)
    rows += [{"by": by, "lesson": "labels", "labels": n, "note": ""} for by, n in counts.items()]
    remarks = [f"{path}: refused, {why}" for path, why in refused.items()]
    remarks += [inline(why) for why in (*labels.conflicts, *labels.refused.values())]
    remarks += same_work(reports)
    here = {plain(name) for name in (*counts, *(inline(report.by) for report in reports.values()))}
    listed = Counter(plain(name) for name in names if name)
    once = {plain(name): name for name in reversed(names)}  # as it is written first
    if twice := [once[key] for key, n in listed.items() if n > 1]:
        remarks.append(f"the roster names twice, and they count once: {', '.join(twice)}")
    if missing := [once[key] for key in listed if key not in here]:
        remarks.append(f"of the roster, nothing came from: {', '.join(missing)}")
    table = pd.DataFrame(rows, columns=COLUMNS).sort_values(["by", "lesson"], kind="stable")
    numbers = dict.fromkeys(COLUMNS[2:-1], "Int64")
    return Collected(table.astype(numbers).reset_index(drop=True), tuple(remarks))


def plain(name: str) -> str:
    """A name as it is compared: a letter and its accent may be one character or two."""
    return unicodedata.normalize("NFC", name).casefold()


def same_work(reports: Mapping[str, Report]) -> Iterator[str]:
    """Files that hold the same answers, whoever they say they are by."""
    alike = dict[bytes, list[str]]()
    for name, report in reports.items():
        if any(each.given for each in report.exercises):
            alike.setdefault(encode(replace(report, by="")), []).append(name)
    same = (", ".join(names) for names in alike.values() if len(names) > 1)
    yield from (f"the same answers to the letter: {names}" for names in same)


def impossible(report: Report) -> str:
    """What no notebook of ours writes: passed or right without an answer, one thing twice."""
    done, quiz = report.exercises, report.quiz
    odd = [e.number for e in done if e.passed and not (e.tries and e.given.strip())]
    odd += [each.question for each in quiz if each.right and not each.option]
    asked = Counter([*(e.number for e in done), *(each.question for each in quiz)])
    notes = {"passed without an answer": odd, "twice": [one for one, n in asked.items() if n > 1]}
    return "; ".join(f"{what}: {', '.join(map(inline, of))}" for what, of in notes.items() if of)


def row_of(report: Report) -> dict[str, Any]:
    done, quiz = report.exercises, report.quiz
    return {
        "by": inline(report.by), "lesson": inline(report.lesson),
        "passed": sum(each.passed for each in done), "exercises": len(done),
        "tries": sum(each.tries for each in done), "hints": sum(each.hints for each in done),
        "right": sum(each.right is True for each in quiz), "questions": len(quiz),
        "predictions": len(report.predictions), "note": impossible(report),
    }  # fmt: skip
