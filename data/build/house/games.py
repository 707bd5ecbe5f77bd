"""Makes household games of our own: a room, what lies in it, and a task that can be done there.

A split and a number always give the same game, so any number of further train games can be made
and need not be kept. The types of task take turns: of every six games each has one.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from house.player import LIKELY, ranked
from house.rooms import HELD_OUT, NEVER, ROOMS, SHARED, Room, sensible
from react_lab.analysis.household import APPLIANCES, kind_of
from react_lab.envs.household.alfworld import Authored, game_from
from react_lab.envs.household.game import FITS, LOOK, NEEDS, OPENABLE, TRAITS, TWO, TYPES, Game
from react_lab.envs.household.world import HouseholdEnv
from react_lab.types import Action, EnvError, Task

__all__ = ["Generated", "game", "game_in", "games", "task_of"]

SEED = 20261125
OLD = 1000  # games with a number up to this are of another time: splits old and old_train
LAMP_PLACES = ("desk", "sidetable", "dresser", "shelf", "coffeetable", "tvstand", "bed")
SHORT = dict(zip(TYPES, ("put", "clean", "heat", "cool", "look", "two"), strict=True))
NUMBER = re.compile(r"0*[1-9]\d{0,8}")
TEXTS = {  # what a task is in words, as ALFWorld has it
    "put": ("put a {object} in {target}.", "put some {object} on {target}."),
    "clean": ("put a clean {object} in {target}.", "clean some {object} and put it in {target}."),
    "heat": ("put a hot {object} in {target}.", "heat some {object} and put it in {target}."),
    "cool": ("put a cool {object} in {target}.", "cool some {object} and put it in {target}."),
    "look": ("look at {object} under the {target}.", "examine the {object} with the {target}."),
    "two": ("put two {object} in {target}.", "find two {object} and put them in {target}."),
}
TOOL = {"clean": APPLIANCES["clean"], "heat": APPLIANCES["hot"], "cool": APPLIANCES["cool"]}
SINGLE = ("coffeemachine", "handtowelholder", "stoveburner", "toaster", "toiletpaperhanger",
          "towelholder")  # fmt: skip
MOST = {"countertop": 8, "diningtable": 8, "desk": 7, "fridge": 6}  # things in one place; else 4
ALIKE = 3  # things of a kind, beside what is to be found
FIRST = 0.15  # how often a thing lies where one looks first
OPENED, SHARES, EXTRA = 0.08, 0.5, 0.25
DOORLESS = {"cabinet": 0.4, "drawer": 0.18}  # the shares that the paper's games have, too
HOLDERS, HOLDS = ("bowl", "box", "cup", "plate"), 0.25
SMALL = ("butterknife", "cellphone", "creditcard", "dishsponge", "fork", "keychain", "knife",
         "pen", "pencil", "spatula", "spoon", "tissuebox", "watch")  # fmt: skip
TRIES = 1000


class Unfit(Exception):
    """This draw makes no sensible game: draw again."""


def games(split: str, n: int, first: int = 1) -> Iterator[dict[str, Any]]:
    """The rows of n games from number `first` on, without walkthroughs. split: train, dev, unseen."""
    return (game(split, number) for number in range(first, first + n))


def game(split: str, number: int) -> dict[str, Any]:
    """The row of one game. Games are numbered from 1 on."""
    turn, which = divmod(number - 1, len(TYPES))
    pick = random.Random(f"{SEED} {split} {TYPES[which]} {turn + 1}")
    for _ in range(TRIES):
        try:
            return {"id": f"household-{split}-{OLD + number}"} | drawn(split, TYPES[which], pick)
        except Unfit:
            continue
    raise ValueError(f"no {split} game of number {number} could be made")


def game_in(row: Mapping[str, Any]) -> Game:
    """The game that a row describes, ready to be played."""
    return game_from(row["type"], row["text"], msgspec.convert(row["game"], Authored))


def task_of(row: Mapping[str, Any]) -> Task:
    """The task of a row; its game is found by its name."""
    extra = {"type": row["type"], "game": row["id"]}
    return Task(row["id"], "household", row["text"], None, extra)


@dataclass(frozen=True)
class Generated:
    """The world of all games that can be made: each is made anew from its name."""

    @property
    def actions(self) -> Sequence[Action]:
        return HouseholdEnv.actions

    @property
    def snapshot(self) -> str:
        return f"household, generated {SEED}"

    def __call__(self, task: Task) -> HouseholdEnv:
        name = str(task.extra.get("game"))
        match name.split("-"):
            case ["household", split, number] if split in ROOMS and NUMBER.fullmatch(number):
                if int(number) > OLD:
                    return HouseholdEnv(game_in(game(split, int(number) - OLD)))
        raise EnvError(f"{name[:200]!r} is no name of a generated game")


def drawn(split: str, type: str, pick: random.Random) -> dict[str, Any]:
    room = pick.choice([room for room in ROOMS[split] if suits(room, type)])
    house = House(split, furnished(room, pick), pick)
    thing, target = house.choose(room, type)
    house.add_goal(thing, target, type)
    house.add_lamps(room, target if type == LOOK else "")
    house.add_others(room, thing)
    text = pick.choice(TEXTS[SHORT[type]]).format(object=thing, target=target)
    record = house.record(thing, target)
    made = game_from(type, text, record)
    if made.won(made.start):
        raise Unfit
    return {
        "text": text,
        "gold": None,
        "type": type,
        "room": room.name,
        "game": plain(record),
    }


def suits(room: Room, type: str) -> bool:
    if type == LOOK:
        return bool(room.lamps)
    return TOOL.get(SHORT[type], "") in ("", *room.receptacles)


def furnished(room: Room, pick: random.Random) -> list[str]:
    """The receptacles of a room, numbered."""
    counts = {kind: pick.randint(*bounds) for kind, bounds in room.receptacles.items()}
    return [f"{kind} {i}" for kind in sorted(counts) for i in range(1, counts[kind] + 1)]


def plain(record: Authored) -> dict[str, Any]:
    """A record as it stands in a row; what is empty is left out."""
    row: dict[str, Any] = {"object": record.object, "target": record.target}
    row["receptacles"] = {place: list(things) for place, things in record.receptacles.items()}
    if record.spots:
        row["spots"] = [list(spot) for spot in record.spots]
    if record.opened:
        row["opened"] = list(record.opened)
    if record.inside:
        row["inside"] = {holder: list(things) for holder, things in record.inside.items()}
    if record.doorless:
        row["doorless"] = list(record.doorless)
    return row


@dataclass
class House:
    """A room in the making: its receptacles, and the kinds of things in each."""

    split: str
    places: Sequence[str]
    pick: random.Random
    inside: dict[str, list[str]] = field(default_factory=dict)

    def kinds(self) -> set[str]:
        return set(map(kind_of, self.places))

    def allowed(self, thing: str) -> list[str]:
        """The kinds of places here where the thing may lie, the likely ones first."""
        here = self.kinds()
        fit = [kind for kind in LIKELY[thing] if kind in here and thing in FITS[kind]]
        fit = [kind for kind in fit if thing not in NEVER.get(kind, "").split()]
        return [kind for kind in fit if self.split == "unseen" or (thing, kind) not in HELD_OUT]

    def choose(self, room: Room, type: str) -> tuple[str, str]:
        """What the task is about: a kind of thing, and a kind of place or of lamp."""
        needs = (NEEDS.get(type) or ("pickupable",))[0]
        goals = [
            (thing, target)
            for thing in room.things
            if needs in TRAITS[thing] and "pickupable" in TRAITS[thing]
            for target in (room.lamps if type == LOOK else self.allowed(thing))
            if set(self.allowed(thing)) - {target}
            and target != TOOL.get(SHORT[type])
            and sensible(thing, target, SHORT[type])
        ]
        new = [goal for goal in goals if goal in HELD_OUT]
        things = sorted({thing for thing, _ in goals})
        if new and self.pick.random() < 0.5:
            return self.pick.choice(new)
        if not things:
            raise Unfit
        thing = self.pick.choice(things)  # so that things that fit in many places are no commoner
        return self.pick.choice([goal for goal in goals if goal[0] == thing])

    def add_goal(self, thing: str, target: str, type: str) -> None:
        """What is to be found, mostly not where one looks first, and never where it has to go."""
        count = (2 if type == TWO else 1) + (self.pick.random() < EXTRA)
        kinds = [kind for kind in self.allowed(thing) if kind != target]
        first = next(
            (p for kind in ranked(thing) for p in self.places if kind_of(p) == kind != target), ""
        )
        for _ in range(count):
            likely = self.pick.random() < FIRST
            free = [p for kind in kinds for p in self.free(kind) if likely or p != first]
            if not free:
                raise Unfit
            kind = self.pick.choice(sorted(set(map(kind_of, free))))
            self.put(thing, self.pick.choice([p for p in free if kind_of(p) == kind]))

    def add_lamps(self, room: Room, wanted: str) -> None:
        """The lamp that the task names; now and then one more, also where none is needed."""
        lamps = [wanted] if wanted else []
        lamps += [lamp for lamp in room.lamps if self.pick.random() < EXTRA and lamp != wanted]
        for lamp in lamps:
            free = [p for kind in LAMP_PLACES for p in self.free(kind)]
            if free:
                self.put(lamp, self.pick.choice(free))
            elif lamp == wanted:
                raise Unfit

    def add_others(self, room: Room, goal: str) -> None:
        """What else lies about: likely places are likelier."""
        others = [thing for thing in room.things if thing != goal and self.allowed(thing)]
        for _ in range(round(len(self.places) * self.pick.uniform(0.7, 1.6))):
            thing = self.pick.choice(others)
            kinds = self.allowed(thing)
            (kind,) = self.pick.choices(kinds, [1 / (1 + rank) for rank in range(len(kinds))])
            if (free := self.free(kind)) and self.count(thing) < ALIKE:
                self.put(thing, self.pick.choice(free))

    def count(self, thing: str) -> int:
        return sum(things.count(thing) for things in self.inside.values())

    def free(self, kind: str) -> list[str]:
        most = 1 if kind in SINGLE else MOST.get(kind, 4)
        places = (place for place in self.places if kind_of(place) == kind)
        return [place for place in places if len(self.inside.get(place, ())) < most]

    def put(self, thing: str, place: str) -> None:
        self.inside.setdefault(place, []).append(thing)

    def record(self, thing: str, target: str) -> Authored:
        doors = [place for place in self.places if kind_of(place) in OPENABLE]
        opened = [p for p in doors if self.pick.random() < OPENED and kind_of(p) != "safe"]
        places, spots = self.numbered(), self.shared()
        doorless = [p for p in doors if self.pick.random() < DOORLESS.get(kind_of(p), 0)]
        opened = [p for p in opened if p not in doorless]
        held = self.held(places)
        return Authored(thing, target, places, spots, tuple(opened), held, tuple(doorless))

    def held(self, places: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
        """Now and then a dish with some small thing of the same place in it."""
        held: dict[str, tuple[str, ...]] = {}
        for things in places.values():
            small = [thing for thing in things if kind_of(thing) in SMALL]
            for holder in things:
                if small and kind_of(holder) in HOLDERS and self.pick.random() < HOLDS:
                    held[holder] = (small.pop(self.pick.randrange(len(small))),)
        return held

    def numbered(self) -> dict[str, tuple[str, ...]]:
        """The things get their numbers by chance, not in the order of the places."""
        count = Counter(thing for things in self.inside.values() for thing in things)
        numbers = {kind: self.pick.sample(range(1, n + 1), n) for kind, n in sorted(count.items())}
        return {
            place: tuple(f"{kind} {numbers[kind].pop()}" for kind in self.inside.get(place, ()))
            for place in self.places
        }

    def shared(self) -> tuple[tuple[str, ...], ...]:
        """Now and then two receptacles that are reached from one spot."""
        spots: list[tuple[str, ...]] = []
        for one, other in SHARED:
            left = [p for p in self.places if not any(p in spot for spot in spots)]
            ones = [p for p in left if kind_of(p) == one]
            if self.pick.random() > SHARES / 2 or not ones:
                continue
            first = self.pick.choice(ones)
            if others := [p for p in left if kind_of(p) == other and p != first]:
                spots.append((first, self.pick.choice(others)))
        return tuple(spots)
