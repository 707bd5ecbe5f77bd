"""What a live wiki answered so far: in memory, and in a file from which a class replays it.

Threads and processes may share a file: who lacks an answer first looks at what others have added.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import msgspec

from ..files import Format, add_line, checked, lock, mend
from ..records import Record
from ..types import EnvError

__all__ = ["JSON", "Answers", "sound"]

JSON = dict[str, Any]


# ---------------------------------------------------------------------- what an answer looks like

Revision = TypedDict("Revision", {"revid": int, "timestamp": str, "*": str}, total=False)


class Parsed(TypedDict):
    """One revision of a page: its HTML, and what `past` read in it."""

    title: str
    text: dict[str, str]
    properties: list[dict[str, str]]
    meanings: NotRequired[list[str]]
    to: NotRequired[str]


class Page(TypedDict, total=False):
    """What is said of a page, or that it is missing."""

    pageid: int
    title: str
    fullurl: str
    extract: str
    pageprops: dict[str, str]
    revisions: list[Revision]


class Hit(TypedDict):
    """What a search found."""

    title: str


class Query(TypedDict, total=False):
    """Pages by number, or hits."""

    pages: dict[str, Page]
    search: list[Hit]


class Answer(TypedDict, total=False):
    """What the API says to a question of ours."""

    query: Query
    parse: Parsed
    batchcomplete: str


def sound(answer: JSON) -> bool:
    """Whether an answer has the form that the API gives it, as far as anybody here reads it."""
    try:
        return bool(msgspec.convert(answer, Answer))
    except msgspec.ValidationError:
        return False


# ---------------------------------------------------------------------- what is kept


@dataclass(frozen=True)
class Kept:
    """An answer in a file: of which wiki, what was asked, what it said; `sum` tells of damage."""

    source: str
    asked: dict[str, Any]
    answer: JSON
    sum: str


def wrong_answer(kept: Kept) -> str:
    if kept.sum != sum_of(kept.asked, kept.answer):
        return "it is damaged"
    return "" if sound(kept.answer) or "error" in kept.answer else "it is no answer of the API"


def sum_of(asked: JSON, answer: JSON) -> str:
    written = json.dumps([asked, answer], sort_keys=True)
    return hashlib.sha256(written.encode()).hexdigest()[:16]


KEPT = Record(Kept, wrong_answer)
ANSWERS = Format("answers", ("source", "asked", "answer"))


class Answers:
    """The API's answers so far. Of threads that ask the same, one goes and the others wait."""

    def __init__(self, path: Path | None, source: str):
        self.path, self.source, self.lock = path, source, threading.Lock()
        self.known: dict[str, Future[JSON]] = {}
        self.read = 0  # bytes of the file that have been looked at

    def get(self, key: str, fetch: Callable[[], JSON]) -> JSON:
        with self.lock:
            if key not in self.known:
                self.look()
            mine = key not in self.known
            answer = self.known.setdefault(key, Future())
        if mine:
            self.fill(key, answer, fetch)
        elif isinstance(fault := answer.exception(), EnvError):
            raise EnvError(str(fault))  # each thread its own, as `rl.run` hangs the run on it
        return answer.result()

    def fill(self, key: str, answer: Future[JSON], fetch: Callable[[], JSON]) -> None:
        try:
            found = fetch()
            if self.path:
                self.write(self.path, key, found)
        except BaseException as fault:  # a stop too: the others must not wait for ever
            del self.known[key]
            answer.set_exception(fault)
            raise
        answer.set_result(found)

    def look(self) -> None:
        """Take in the lines that the file has got since. A damaged one is as if it were not there;
        what somebody is writing just now is looked at again.
        """
        if not self.path or not checked(self.path).exists():
            return
        with self.path.open("rb") as file:
            file.seek(self.read)
            lines = file.read()
        lines = lines[: lines.rfind(b"\n") + 1]
        self.read += len(lines)
        for line in lines.split(b"\n"):
            with contextlib.suppress(ValueError):
                one = KEPT.read(line)
                if one.source == self.source:
                    found: Future[JSON] = Future()
                    found.set_result(one.answer)
                    self.known.setdefault(json.dumps(one.asked, sort_keys=True), found)

    def write(self, path: Path, key: str, answer: JSON) -> None:
        """Add a line. One that a crash cut short is put aside first, and spoils no other."""
        asked = json.loads(key)
        row = {"source": self.source, "asked": asked, "answer": answer}
        with lock(path):
            mend(path, ANSWERS)
            add_line(path, KEPT.write({**row, "sum": sum_of(asked, answer)}))
