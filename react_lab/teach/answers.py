"""What a student answered, a line each: it outlives the cell, the kernel and the day."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from react_lab import data
from react_lab.files import Format, add_line, checked, owned
from react_lab.languages import say
from react_lab.records import Record

__all__ = ["Answer", "Notebook", "file_of"]

EVENTS = ("prediction", "check", "hint", "choice")
LARGEST = 16 << 20  # bytes of all that anybody answers in a lesson


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


def fault(answer: Answer) -> str:
    known = answer.schema == 1 and answer.event in EVENTS
    return "" if known else "it is none of our answers"


ANSWER = Record(Answer, fault, most=1 << 20)
ANSWERS = Format("answers", ("lesson", "event", "about"))


def file_of(lesson: str) -> Path | None:
    """Where a lesson's answers are kept: answers/ of the project, else REACT_LAB_ANSWERS.

    None, so that nothing is kept, where REACT_LAB_ANSWERS is empty: for tests of the notebooks.
    """
    folder = os.environ.get("REACT_LAB_ANSWERS", "answers")
    return data.resolve(folder) / f"{lesson}.jsonl" if folder else None


@dataclass(frozen=True)
class Notebook:
    """The answers to one lesson; without a path they are forgotten with the kernel."""

    lesson: str
    path: Path | None = None

    def read(self) -> Iterator[Answer]:
        """All that can be read, the oldest first. What somebody spoilt is passed over."""
        if not self.path or not checked(self.path).exists():
            return
        if self.path.stat().st_size > LARGEST:
            raise ValueError(f"{self.path} is too large for answers: move it away")
        for line in self.path.read_bytes().splitlines():
            try:
                answer = ANSWER.read(line)
            except ValueError:
                continue
            if answer.lesson == self.lesson:
                yield answer

    def write(self, answer: Answer) -> str:
        """Add an answer; where the disk does not take it, a sentence that says so."""
        if not self.path:
            return ""
        try:
            add_line(owned(self.path, ANSWERS), ANSWER.write(answer))
        except (OSError, ValueError) as error:
            return say("teach.not_stored", why=error)
        return ""

    def note(
        self,
        event: str,
        about: str,
        value: object = None,
        given: str = "",
        right: bool | None = None,
    ) -> tuple[Answer, str]:
        """Something that was done now, and what went wrong when it was stored."""
        simple = value if isinstance(value, bool | int | float | str) else None
        now = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        answer = Answer(self.lesson, event, about, simple, given, right, now)
        return answer, self.write(answer)
