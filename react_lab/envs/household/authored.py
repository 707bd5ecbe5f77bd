"""Our own games: a short record of who stands where, and the problem text that it stands for.

    {"id": "train-cool-3", "type": "pick_cool_then_place_in_recep",
     "text": "cool some mug and put it in shelf.",
     "game": {"object": "mug", "target": "shelf",
              "receptacles": {"cabinet 1": [], "fridge 1": [], "shelf 1": ["vase 1"],
                              "sidetable 1": ["mug 1", "pen 1"]},
              "spots": [["shelf 1", "sidetable 1"]], "opened": ["fridge 1"],
              "inside": {"mug 1": ["pen 1"]}, "doorless": ["cabinet 1"]},
     "walkthrough": ["go to sidetable 1", ...]}

`target` is a kind of receptacle, or of the lamp to look under. `spots` (receptacles that share
one), `opened`, `inside` (of a bowl, what is in it; that stands on the receptacle, too), `doorless`
(the cabinets and such that have no door) and `walkthrough` may be missing. Things of a kind are
numbered from 1 on, without a gap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

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
    plain_goal,
)

Names = tuple[str, ...]


@dataclass(frozen=True)
class Authored:
    """The `game` of a record."""

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
    check(authored)
    ids = ids_of(authored)
    shared = {receptacle for spot in authored.spots for receptacle in spot}
    places = [*authored.spots, *((r,) for r in authored.receptacles if r not in shared)]
    spots = {r: f"loc_bar_{i:03}" for i, place in enumerate(places, 1) for r in place}
    objects = [thing for things in authored.receptacles.values() for thing in things]
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
        goal_text(type, authored),
        ")",
    ]
    return "\n".join(lines)


def kind_of(thing: str) -> str:
    return thing.partition(" ")[0]


def check(authored: Authored) -> None:
    """The likely slips of an author."""
    receptacles = authored.receptacles
    objects = [thing for things in receptacles.values() for thing in things]
    for known, things in ((FITS, [*receptacles]), (TRAITS, objects)):
        counts, named = Counter(map(kind_of, things)), set(things)
        for kind, count in counts.items():
            numbered = {f"{kind} {number}" for number in range(1, count + 1)}
            if kind not in known:
                raise ValueError(f"it has a {kind!r}, of which we know nothing")
            if numbered - named:
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


def ids_of(authored: Authored) -> dict[str, str]:
    """The id of each thing, such that the engine gives it back the number it has here."""
    things = [*authored.receptacles, *(t for each in authored.receptacles.values() for t in each)]
    count = Counter(map(kind_of, things))
    ids = {}
    for thing in things:
        kind = kind_of(thing)
        index = count[kind] + 1 - int(thing.partition(" ")[2])
        stem = kind.removesuffix("basin")
        ids[thing] = f"{stem}_bar_{index:03}" + (f"_bar_{kind}" if stem != kind else "")
    return ids


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


def goal_text(type: str, authored: Authored) -> str:
    if type not in TYPES:
        raise ValueError(f"{type!r} is no type of task; there are: {', '.join(TYPES)}")
    object, target = authored.object, authored.target
    if object not in TRAITS or target not in (LAMPS if type == LOOK else FITS):
        raise ValueError(f"{object!r} and {target!r} are no goal of a {type} task")
    return Goal(type, object, target).text
