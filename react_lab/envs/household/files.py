"""Where household games lie: our own in lines of JSON, ALFWorld's in its release or in a bundle."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from ... import data
from ...records import Record
from .alfworld import Bundle, Folder, Release, Zip, row_of, stamp
from .authored import Authored, game_from, problem_of
from .game import Game
from .wording import plain_goal

__all__ = ["Lines", "Row", "Source", "ours", "source"]


class Source(Protocol):
    def game(self, name: str) -> Game: ...  # KeyError: it has none of that name

    def rows(self, split: str) -> Iterator[dict[str, Any]]: ...


@dataclass(frozen=True)
class Row:
    """One of our own games, as a line of JSON holds it; `authored.py` describes it."""

    id: str
    type: str
    text: str
    game: Authored
    walkthrough: tuple[str, ...] = ()


def wrong_row(row: Row) -> str:
    """What no game can be, though its types are right."""
    problem_of(row.type, row.game)
    plain_goal(row.text)
    return "" if row.id else "its id is empty"


ROW = Record(Row, wrong_row)


@dataclass(frozen=True)
class Lines:
    """A file with one game per line; it is one split."""

    path: Path

    def games(self) -> Mapping[str, Row]:
        return read_lines(self.path, stamp(self.path))

    def game(self, name: str) -> Game:
        row = self.games()[name]
        return game_from(row.type, row.text, row.game)

    def rows(self, split: str) -> Iterator[dict[str, Any]]:
        for row in self.games().values():
            yield row_of(row.id, row.type, row.text)


@lru_cache(maxsize=32)
def read_lines(path: Path, stamp: object) -> dict[str, Row]:
    """The games in a file. `stamp`: so that a change is seen."""
    found: dict[str, Row] = {}
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if line.strip():
            try:
                row = ROW.read(line)
            except ValueError as error:
                raise ValueError(f"{path}, line {number}, is no game: {error}") from None
            if row.id in found:
                raise ValueError(f"{path}, line {number}: there are two games {row.id!r}")
            found[row.id] = row
    return found


def ours() -> Iterator[Lines]:
    """The games that come with the package: a file per split."""
    return map(Lines, sorted(data.folder("tasks", "household").glob("*.jsonl")))


def source(path: str | os.PathLike[str]) -> Source:
    """The games at a path: ALFWorld's folder or zip file, a bundle, or a file of lines."""
    found = Path(path).expanduser()
    if found.is_dir():
        return Release(Folder(found))
    if not found.is_file():
        raise ValueError(f"there are no household games at {found}: no such file or folder")
    if found.suffix == ".zip":
        return Release(Zip(found))
    return Lines(found) if found.suffix == ".jsonl" else Bundle(found)
