"""What a lesson needs beside its text: predictions, exercises with hints, multiple choice.

A `Lesson` is made of data (`Exercise`, `Question`) and keeps what a student did, in memory and in a
file of lines, so that nothing is lost when a cell runs again. Its words stand in a file of their
own; its module holds the checks, and one function that makes it afresh:

    def lesson() -> teach.Lesson:
        return words.lesson_of("01", {"1.1": teach.cases((("Ulm",), "ULM"))})

All of it reads without a kernel too: widgets carry a static twin.
"""

from __future__ import annotations

from . import controls
from .answers import file_of
from .asking import WIDE, Feedback, Interactive, tell
from .exercises import UNDONE, Check, Exercise, Option, Question, cases, raised, short
from .lesson import Lesson

__all__ = [
    "UNDONE", "WIDE", "Check", "Exercise", "Feedback", "Interactive", "Lesson", "Option",
    "Question", "cases", "controls", "file_of", "raised", "short", "tell",
]  # fmt: skip
