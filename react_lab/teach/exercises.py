"""Exercises and questions as data, and checks that say what is wrong with an answer."""

from __future__ import annotations

import copy
import reprlib
from collections.abc import Callable, Iterable, Sized
from dataclasses import FrozenInstanceError, dataclass
from numbers import Number
from typing import Any

from react_lab.languages import say

__all__ = ["UNDONE", "Check", "Exercise", "Option", "Question", "cases", "short"]

Check = Callable[[Any], str | None]
Option = tuple[str, bool, str]  # the text, whether it is right, and why
UNDONE = "nothing to check yet"  # what a check says of an empty answer


@dataclass(frozen=True)
class Exercise:
    """A task for a student. `check` says what is wrong with an answer, or `None` if it is right."""

    task: str
    check: Check
    solution: str
    hints: tuple[str, ...] = ()
    minutes: int = 5
    dots: int = 1  # how hard, from 1 to 5

    def __post_init__(self) -> None:
        if not 1 <= self.dots <= 5:
            raise ValueError(f"dots go from 1 to 5, not {self.dots}")


@dataclass(frozen=True)
class Question:
    """A multiple-choice question. Every option explains why it is right or wrong."""

    text: str
    options: tuple[Option, ...]

    def __post_init__(self) -> None:
        if not any(right for _, right, _ in self.options):
            raise ValueError(f"no option is right: {self.text}")
        if not all(why for *_, why in self.options):
            raise ValueError(f"an option has no explanation: {self.text}")


def cases(*pairs: tuple[tuple[Any, ...], Any]) -> Check:
    """A check that calls a student's function: `cases((("the cat",), "cat"), ...)`."""

    def check(answer: Any) -> str | None:
        if not callable(answer):
            return say("teach.asks_for_a_function")
        return next(filter(None, (wrong(answer, *pair) for pair in pairs)), None)

    return check


def wrong(function: Callable[..., Any], given: tuple[Any, ...], expected: Any) -> str | None:
    case = ", ".join(map(short, given))
    try:
        got = function(*copy.deepcopy(given))
    except Exception as fault:  # noqa: BLE001 (a student's function may raise anything)
        return say("teach.for_raised", case=case, what=raised(fault))
    if got is ...:
        return UNDONE
    if same(got, expected):
        return None
    return say("teach.for_gave", case=case, got=short(got), expected=short(expected))


def same(got: Any, expected: Any) -> bool:
    try:
        return bool(got == expected)
    except ValueError:  # a table is compared cell by cell
        return False


def raised(fault: Exception) -> str:
    """What a student's function raised, and what to do where Python's words do not say it."""
    words = say("teach.raised", kind=type(fault).__name__, words=fault)
    if not isinstance(fault, FrozenInstanceError):
        return words
    return say("teach.frozen", what=words)


NOUNS = {"Trajectory": "teach.a_run", "Task": "teach.a_task", "Step": "teach.a_step"}


class Short(reprlib.Repr):
    """A short repr. An object gives its kind only: a task's repr would show its gold answer."""

    def repr_instance(self, x: Any, level: int) -> str:
        if x is None or isinstance(x, Number):
            return repr(x)
        columns = getattr(x, "columns", None)
        if isinstance(columns, Iterable) and isinstance(x, Sized):  # a DataFrame
            return say("teach.table", n=len(x), columns=", ".join(map(str, columns)))
        kind = type(x).__name__
        return say(NOUNS[kind]) if kind in NOUNS else str(getattr(x, "__name__", f"<{kind}>"))


def short(answer: object) -> str:
    """An answer in a few words."""
    shortener = Short()
    shortener.maxstring = shortener.maxother = 200
    return shortener.repr(answer)
