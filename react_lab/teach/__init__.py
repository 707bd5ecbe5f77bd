"""What a lesson needs beside its text: predictions, exercises with hints, multiple choice.

A `Lesson` is made of data (`Exercise`, `Question`) and keeps what a student did, in memory and in a
file of lines, so that nothing is lost when a cell runs again. Its words stand in a file of their
own; its module holds the checks, and `lesson`, which makes it afresh:

    lesson = partial(words.lesson_of, "01", {"1.1": teach.cases((("Ulm",), "ULM"))})

All of it reads without a kernel too: widgets carry a static twin.
"""

from __future__ import annotations

from . import exercises
from .exercises import (
    UNDONE,
    WIDE,
    Check,
    Exercise,
    Feedback,
    Interactive,
    Option,
    Question,
    cases,
    raised,
    short,
    tell,
)
from .lesson import Lesson
from .reports import file_of

__all__ = [
    "UNDONE", "WIDE", "Check", "Exercise", "Feedback", "Interactive", "Lesson", "Option",
    "Question", "cases", "exercises", "file_of", "raised", "short", "tell",
]  # fmt: skip
