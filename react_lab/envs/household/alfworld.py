"""ALFWorld's own games: in its folders, in its release as it is downloaded, or in one bundle.

Each place has `game(name)` and `rows(split)`. A row is what a task is made of: its id, its type,
its text and the name of its game.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile, ZipFile

from ... import data
from ...data.downloads import Source as File
from ...records import Record, parsed
from ...support.files import expand
from .authored import Authored, game_from, problem_of
from .game import TYPES, Game, goal_of, plain_goal, read_game

MOST = 1 << 28  # bytes of a bundle or a game file, unpacked
SPLITS = ("train", "valid_train", "valid_seen", "valid_unseen")
RELEASE = "json_2.1.1"
NAME = re.compile(r"[\w.+-]{1,200}/[\w.+-]{1,200}")  # of a game in the release: task/trial
GAME_FILE = "game.tw-pddl"


def row_of(name: str, type: str, text: str) -> dict[str, Any]:
    return {"id": name, "type": type, "text": text, "game": name}


def stamp(path: Path) -> tuple[int, int]:
    """When a file was last written, and its size: what was read from it holds as long."""
    facts = path.stat()
    return facts.st_mtime_ns, facts.st_size


@lru_cache(maxsize=4)
def read_names(path: Path, stamp: object) -> dict[str, None]:
    """The files in a zip file."""
    try:
        with ZipFile(path) as box:
            return dict.fromkeys(sorted(box.namelist()))
    except BadZipFile as error:
        raise ValueError(f"{path} is no zip file that can be read: {error}") from None


@dataclass(frozen=True)
class Release:
    """A folder or a zip file in ALFWorld's layout:
    (json_2.1.1/)valid_unseen/task/trial/game.tw-pddl.
    """

    path: Path

    def read(self, file: str) -> bytes | None:
        """A file in it, by a name with slashes; None is no file."""
        if self.path.is_dir():
            found = self.path / file
            return found.read_bytes() if found.is_file() else None
        if file not in read_names(self.path, stamp(self.path)):
            return None
        try:
            with ZipFile(self.path) as box:
                if box.getinfo(file).file_size > MOST:
                    raise ValueError(f"{file} in {self.path} is too large")
                return box.read(file)
        except BadZipFile as error:
            raise ValueError(f"{file} in {self.path} cannot be read: {error}") from None

    def below(self, folder: str) -> list[str]:
        """The games in a folder of it, in their order."""
        if self.path.is_dir():
            files = sorted((self.path / folder).glob(f"*/*/{GAME_FILE}"))
            return [file.relative_to(self.path).as_posix() for file in files]
        start = re.escape(f"{folder}/" if folder else "")
        names = read_names(self.path, stamp(self.path))
        return [name for name in names if re.fullmatch(rf"{start}[^/]+/[^/]+/{GAME_FILE}", name)]

    def places(self) -> Iterator[str]:
        """Where a split may lie: in the whole release, in its folder, or alone."""
        for split in SPLITS:
            yield from (f"{RELEASE}/{split}", split)

    def game(self, name: str) -> Game:
        if not NAME.fullmatch(name) or set(name.split("/")) & {".", ".."}:
            raise KeyError(name)
        for place in (*self.places(), "."):
            file = f"{place}/{name}/{GAME_FILE}".removeprefix("./")
            if (content := self.read(file)) is not None:
                return read_game(self.parsed(file, content))
        raise KeyError(name)

    def parsed(self, file: str, content: bytes) -> dict[str, Any]:
        try:
            return mapping(parsed(content))
        except ValueError as error:
            raise ValueError(f"{file} in {self.path} cannot be read: {error}") from None

    def rows(self, split: str) -> Iterator[dict[str, Any]]:
        """The solvable games of the six types, as ALFWorld itself chooses them."""
        alone = [""] if self.path.name == split else []
        places = [*(place for place in self.places() if place.endswith(split)), *alone]
        files = next(filter(None, map(self.below, places)), None)
        if files is None:
            raise ValueError(f"there are no games of the split {split!r} in {self.path}")
        for file in files:
            *_, task, trial, _ = file.split("/")
            game = self.parsed(file, self.read(file) or b"")
            if self.type_of(file) in TYPES and "Sliced" not in task and game.get("solvable"):
                words = goal_of(str(game.get("grammar")))
                yield row_of(f"{task}/{trial}", self.type_of(file), words)

    def type_of(self, file: str) -> str:
        """A task's type: traj_data.json says it where it lies, and the folder's name begins so."""
        *folders, task, trial, _ = file.split("/")
        about = self.read("/".join((*folders, task, trial, "traj_data.json")))
        if about is not None:
            return str(self.parsed(file, about).get("task_type"))
        return task.partition("-")[0]


@dataclass(frozen=True)
class Bundle:
    """One .json or .json.gz file: {pddl_domain: [...], grammar: [...], games: {name: {...}}}.

    A game has its pddl_problem and its task in words, which takes the place of UNKNOWN GOAL.
    """

    path: Path

    def game(self, name: str) -> Game:
        whole = self.whole()
        game = mapping(mapping(whole["games"])[name])
        task, problem = str(game.get("task")), game.get("pddl_problem")
        (domain, *_), (grammar, *_) = whole["pddl_domain"], whole["grammar"]
        filled = str(grammar).replace("UNKNOWN GOAL.", task)
        return read_game({"pddl_domain": domain, "grammar": filled, "pddl_problem": problem})

    def whole(self) -> dict[str, Any]:
        return read_bundle(self.path, stamp(self.path))

    def rows(self, split: str) -> Iterator[dict[str, Any]]:
        for name, game in self.whole()["games"].items():
            type = name.partition("-")[0]
            if type in TYPES:
                yield row_of(name, type, str(mapping(game).get("task")))


@lru_cache(maxsize=4)
def read_bundle(path: Path, stamp: object) -> dict[str, Any]:
    try:
        whole = mapping(parsed(unpacked(path.read_bytes())))
        for part, type in (("pddl_domain", list), ("grammar", list), ("games", dict)):
            if not isinstance(whole.get(part), type) or not whole[part]:
                raise ValueError(f"it lacks {part}")
    except ValueError as error:
        raise ValueError(f"{path} is no bundle of games: {error}") from None
    return whole


def unpacked(content: bytes) -> bytes:
    """A gzip file's content, bounded."""
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        unzip = zlib.decompressobj(16 + zlib.MAX_WBITS)
        found = unzip.decompress(content, MOST)
    except zlib.error as error:
        raise ValueError(f"it cannot be unpacked ({error})") from None
    if unzip.unconsumed_tail or not unzip.eof:
        raise ValueError("it is cut off, or too large")
    return found


def mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("it is not a JSON object")
    return value


# ------------------------------------------------------------------ files


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
    lines = path.read_bytes().splitlines()
    return {row.id: row for row in ROW.lines(lines, path, "game", "id")}


def ours() -> Iterator[Lines]:
    """The games that come with the package: a file per split."""
    return map(Lines, sorted(data.folder("tasks", "household").glob("*.jsonl")))


def source(path: str | os.PathLike[str]) -> Source:
    """The games at a path: ALFWorld's folder or zip file, a bundle, or a file of lines."""
    found = expand(path)
    if found.is_dir():
        return Release(found)
    if not found.is_file():
        raise ValueError(f"there are no household games at {found}: no such file or folder")
    if found.suffix == ".zip":
        return Release(found)
    return Lines(found) if found.suffix == ".jsonl" else Bundle(found)


# ------------------------------------------------------------------ release

URL = "https://github.com/alfworld/alfworld/releases/download/0.4.0/json_2.1.2_tw-pddl.zip"
SHA256 = "eea90499df27b9cb3147d1d1927264146d38194b575e25f70a82875545742dcb"
SIZE = 36_493_542
AGAIN = (
    "with network, `python -m react_lab fetch alfworld` goes on from there; or get "
    f"{URL} by other means, and give Household(path) that file"
)


def release() -> File:
    """The release, and what its owners say of it."""
    return File("ALFWorld's release", URL, AGAIN, SHA256, SIZE)
