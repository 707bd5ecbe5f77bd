"""What a live wiki answered so far: in memory, and in a file from which a class replays it."""

from __future__ import annotations

import contextlib
import functools
import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..files import Format, content, lock, owned
from ..records import Record
from ..types import EnvError

__all__ = ["JSON", "Answers"]

JSON = dict[str, Any]


@dataclass(frozen=True)
class Kept:
    """An answer in a file: of which wiki, what was asked, what it said."""

    source: str
    asked: dict[str, Any]
    answer: JSON


KEPT = Record(Kept, lambda _: "")
ANSWERS = Format("answers", ("source", "asked", "answer"))


class Answers:
    """The API's answers so far. Of threads that ask the same, one goes and the others wait."""

    def __init__(self, path: Path | None, source: str):
        self.path, self.source, self.lock = path, source, threading.Lock()

    def get(self, key: str, fetch: Callable[[], JSON]) -> JSON:
        with self.lock:
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

    @functools.cached_property
    def known(self) -> dict[str, Future[JSON]]:
        """At first use, what the file holds of this wiki. A line cut short is passed over."""
        found: dict[str, Future[JSON]] = {}
        if self.path:
            for line in content(self.path).split(b"\n"):
                with contextlib.suppress(ValueError):
                    one = KEPT.read(line)
                    if one.source == self.source:
                        future = found[json.dumps(one.asked, sort_keys=True)] = Future()
                        future.set_result(one.answer)
        return found

    def write(self, path: Path, key: str, answer: JSON) -> None:
        """Append a line, begun with its newline: one that was cut short spoils no other."""
        row = {"source": self.source, "asked": json.loads(key), "answer": answer}
        with lock(owned(path, ANSWERS)), path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(f"\n{KEPT.write(row).decode()}")
