"""Where games are read: ALFWorld's own in its folders or in its release as it is downloaded; ours
in a file of lines.

Each place has `game(name)` and `rows(split)`. A row is what a task is made of: its id, its type,
its text and the name of its game.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from ... import data
from ...data.downloads import Source as File
from ...data.downloads import again
from ...records import Record, blame, parsed
from ...support.files import expand
from .game import (
    FITS,
    LAMPS,
    LOOK,
    OPENABLE,
    PAPER,
    TRAITS,
    TYPES,
    Game,
    Goal,
    game_of,
    goal_of,
    plain_goal,
    read_game,
)

MOST = 1 << 28  # bytes of a game file, unpacked
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
    with blame(f"{path} is no zip file that can be read", BadZipFile), ZipFile(path) as box:
        return dict.fromkeys(sorted(box.namelist()))


@dataclass(frozen=True)
class Release:
    """A folder or a zip file in ALFWorld's layout:
    (json_2.1.1/)valid_unseen/task/trial/game.tw-pddl.
    """

    path: Path

    def read(self, file: str) -> dict[str, Any] | None:
        """A game in it, by a file's name with slashes; None is no file."""
        with blame(f"{file} in {self.path} cannot be read", (ValueError, BadZipFile)):
            if self.path.is_dir():
                if not (self.path / file).is_file():
                    return None
                content = (self.path / file).read_bytes()
            elif file not in read_names(self.path, stamp(self.path)):
                return None
            else:
                with ZipFile(self.path) as box:
                    if box.getinfo(file).file_size > MOST:
                        raise ValueError("it is too large")
                    content = box.read(file)
            if not isinstance(found := parsed(content), dict):
                raise ValueError("it is not a JSON object")
            return found

    def below(self, folder: str) -> list[str]:
        """The games in a folder of it, in their order."""
        if self.path.is_dir():
            files = sorted((self.path / folder).glob(f"*/*/{GAME_FILE}"))
            return [file.relative_to(self.path).as_posix() for file in files]
        start = re.escape(f"{folder}/" if folder else "")
        names = read_names(self.path, stamp(self.path))
        return [name for name in names if re.fullmatch(rf"{start}[^/]+/[^/]+/{GAME_FILE}", name)]

    def game(self, name: str) -> Game:
        if not NAME.fullmatch(name) or set(name.split("/")) & {".", ".."}:
            raise KeyError(name)
        places = [f"{folder}{split}/" for split in SPLITS for folder in (f"{RELEASE}/", "")]
        for place in (*places, ""):
            if (found := self.read(f"{place}{name}/{GAME_FILE}")) is not None:
                return read_game(found)
        raise KeyError(name)

    def rows(self, split: str) -> Iterator[dict[str, Any]]:
        """The solvable games of the six types, as ALFWorld itself chooses them.

        They lie in the whole release, in its folder, or alone.
        """
        places = [f"{RELEASE}/{split}", split, *[""] * (self.path.name == split)]
        files = next(filter(None, map(self.below, places)), None)
        if files is None:
            raise ValueError(f"there are no games of the split {split!r} in {self.path}")
        for file in files:
            *_, task, trial, _ = file.split("/")
            game, type = self.read(file) or {}, task.partition("-")[0]
            if type in TYPES and "Sliced" not in task and game.get("solvable"):
                yield row_of(f"{task}/{trial}", type, goal_of(str(game.get("grammar"))))


# ------------------------------------------------------------------ our own games

Names = tuple[str, ...]


@dataclass(frozen=True)
class Authored:
    object: str
    target: str
    receptacles: Mapping[str, Names]  # each with what stands on it or in it, in any order
    spots: tuple[Names, ...] = ()
    opened: Names = ()
    inside: Mapping[str, Names] = field(default_factory=dict)
    doorless: Names = ()


def game_from(type: str, text: str, authored: Authored) -> Game:
    """The game of a record, or a ValueError."""
    return game_of(problem_of(type, authored), plain_goal(text), PAPER)


def problem_of(type: str, authored: Authored) -> str:
    """The PDDL text of a record: what the real engine would be given."""
    check(type, authored)
    objects = [thing for things in authored.receptacles.values() for thing in things]
    things = [*authored.receptacles, *objects]
    count, ids = Counter(map(kind_of, things)), {}
    for thing in things:  # such ids that the engine gives each thing the number it has here
        kind = kind_of(thing)
        index = count[kind] + 1 - int(thing.partition(" ")[2])
        stem = kind.removesuffix("basin")
        ids[thing] = f"{stem}_bar_{index:03}" + (f"_bar_{kind}" if stem != kind else "")
    shared = {receptacle for spot in authored.spots for receptacle in spot}
    places = [*authored.spots, *((r,) for r in authored.receptacles if r not in shared)]
    spots = {r: f"loc_bar_{i:03}" for i, place in enumerate(places, 1) for r in place}
    declared = {
        "agent": ["agent1"],
        "object": [ids[thing] for thing in objects],
        "receptacle": [ids[receptacle] for receptacle in authored.receptacles],
        "otype": [f"{kind}type" for kind in TRAITS],
        "rtype": [f"{kind}type" for kind in (*FITS, "sink")],
        "location": ["loc_bar_000", *sorted(set(spots.values()))],
    }
    lines = [
        "(define (problem ours)",
        "(:domain alfred)",
        "(:objects",
        *(f"{thing} - {kind}" for kind, things in declared.items() for thing in things),
        ")",
        "(:init",
        "(atlocation agent1 loc_bar_000)",
        *(f"({' '.join(fact)})" for fact in facts(authored, ids, spots)),
        ")",
        Goal(type, authored.object, authored.target).text,
        ")",
    ]
    return "\n".join(lines)


def kind_of(thing: str) -> str:
    return thing.partition(" ")[0]


def check(type: str, authored: Authored) -> None:
    """The likely slips of an author."""
    receptacles = authored.receptacles
    objects = [thing for things in receptacles.values() for thing in things]
    for known, things in ((FITS, [*receptacles]), (TRAITS, objects)):
        for kind, count in Counter(map(kind_of, things)).items():
            if kind not in known:
                raise ValueError(f"it has a {kind!r}, of which we know nothing")
            if {f"{kind} {number}" for number in range(1, count + 1)} - set(things):
                raise ValueError(f"its things of the kind {kind!r} are not numbered from 1 on")
    shared = [receptacle for spot in authored.spots for receptacle in spot]
    for name in (*authored.opened, *authored.doorless, *shared):
        if name not in receptacles:
            raise ValueError(f"it speaks of {name!r}, which is not among its receptacles")
    for name in authored.doorless:
        if kind_of(name) not in OPENABLE or name in authored.opened:
            raise ValueError(f"{name!r} cannot be doorless: it is opened, or its kind has no door")
    stand = set(objects)
    for name in (*authored.inside, *(t for things in authored.inside.values() for t in things)):
        if name not in stand:
            raise ValueError(f"it speaks of {name!r}, which stands nowhere")
    if len(set(shared)) < len(shared):
        raise ValueError("one of its receptacles has two spots")
    if type not in TYPES:
        raise ValueError(f"{type!r} is no type of task; there are: {', '.join(TYPES)}")
    object, target = authored.object, authored.target
    if object not in TRAITS or target not in (LAMPS if type == LOOK else FITS):
        raise ValueError(f"{object!r} and {target!r} are no goal of a {type} task")


def facts(
    authored: Authored, ids: Mapping[str, str], spots: Mapping[str, str]
) -> Iterator[tuple[str, ...]]:
    for receptacle, things in authored.receptacles.items():
        id, kind = ids[receptacle], kind_of(receptacle)
        yield "receptacletype", id, f"{kind}type"
        yield "receptacleatlocation", id, spots[receptacle]
        if kind in OPENABLE and receptacle not in authored.doorless:
            yield "openable", id
        for thing in things:
            yield "objecttype", ids[thing], f"{kind_of(thing)}type"
            yield "inreceptacle", ids[thing], id
            yield "objectatlocation", ids[thing], spots[receptacle]
            for trait in TRAITS[kind_of(thing)]:
                yield trait, ids[thing]
    for receptacle in authored.opened:
        yield "opened", ids[receptacle]
    for container, things in authored.inside.items():
        for thing in things:
            yield "inreceptacleobject", ids[thing], ids[container]
    for receptacle in sorted(set(map(kind_of, authored.receptacles))):
        for kind in sorted(FITS[receptacle]):
            yield "cancontain", f"{receptacle}type", f"{kind}type"


@dataclass(frozen=True)
class Row:
    """One of our own games, as a line of JSON holds it.

    {"id": "train-cool-3", "type": "pick_cool_then_place_in_recep",
     "text": "cool some mug and put it in shelf.",
     "game": {"object": "mug", "target": "shelf",
              "receptacles": {"cabinet 1": [], "fridge 1": [], "shelf 1": ["vase 1"],
                              "sidetable 1": ["mug 1", "pen 1"]},
              "spots": [["shelf 1", "sidetable 1"]], "opened": ["fridge 1"],
              "inside": {"mug 1": ["pen 1"]}, "doorless": ["cabinet 1"]},
     "walkthrough": ["go to sidetable 1", ...]}

    `target` is a kind of receptacle, or of the lamp to look under. `spots` (receptacles that share
    one), `opened`, `inside` (of a bowl, what is in it; that stands on the receptacle, too),
    `doorless` (the cabinets and such that have no door) and `walkthrough` may be missing. Things of
    a kind are numbered from 1 on, without a gap.
    """

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


# ------------------------------------------------------------------ files


Source = Release | Lines  # `game` is a KeyError where there is none of that name


def ours() -> Iterator[Lines]:
    """The games that come with the package: a file per split."""
    return map(Lines, sorted(data.folder("tasks", "household").glob("*.jsonl")))


def source(path: str | os.PathLike[str]) -> Source:
    """The games at a path: ALFWorld's folder or zip file, or a file of lines."""
    found = expand(path)
    if not found.exists():
        raise ValueError(f"there are no household games at {found}: no such file or folder")
    return Lines(found) if found.suffix == ".jsonl" else Release(found)


# ------------------------------------------------------------------ release

URL = "https://github.com/alfworld/alfworld/releases/download/0.4.0/json_2.1.2_tw-pddl.zip"
SHA256 = "eea90499df27b9cb3147d1d1927264146d38194b575e25f70a82875545742dcb"
SIZE = 36_493_542


def release() -> File:
    """The release, and what its owners say of it."""
    instead = again("alfworld", URL, ", and give Household(path) that file")
    return File("ALFWorld's release", URL, instead, SHA256, SIZE)
