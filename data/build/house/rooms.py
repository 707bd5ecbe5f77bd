"""The rooms of our own household games: which receptacles stand in them, and what may lie there.

The rooms of unseen games combine what no room of a train game has together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["HELD_OUT", "ROOMS", "SHARED", "Room"]

FOOD = "apple bread egg lettuce potato tomato"
DISHES = "bowl cup mug plate pan pot"
CUTLERY = "butterknife fork knife ladle spatula spoon"
PANTRY = (
    "dishsponge glassbottle kettle papertowelroll peppershaker saltshaker soapbottle winebottle"
)
KITCHEN = f"{FOOD} {DISHES} {CUTLERY} {PANTRY} vase statue creditcard cellphone book"
BATH = (
    "candle cloth dishsponge handtowel plunger soapbar soapbottle spraybottle tissuebox "
    "toiletpaper towel"
)
OFFICE = "alarmclock book cd cellphone creditcard keychain laptop mug pen pencil"
BED = f"{OFFICE} baseballbat basketball bowl pillow watch tissuebox statue vase"
LIVING = (
    "book box cellphone creditcard keychain laptop newspaper pillow remotecontrol statue tissuebox "
    "vase watch wateringcan bowl plate candle"
)
STOVE = "fridge microwave sinkbasin garbagecan"


@dataclass(frozen=True)
class Room:
    """How many of each kind of receptacle there may be, and the kinds of things in the room."""

    name: str
    receptacles: Mapping[str, tuple[int, int]]
    things: tuple[str, ...]
    lamps: tuple[str, ...] = ()


def room(name: str, receptacles: str, things: str, lamps: str = "") -> Room:
    """`desk:1-2` stands for one or two desks, `bed` for one."""
    counts = {}
    for part in receptacles.split():
        kind, _, numbers = part.partition(":")
        least, _, most = (numbers or "1").partition("-")
        counts[kind] = int(least), int(most or least)
    return Room(name, counts, tuple(dict.fromkeys(things.split())), tuple(lamps.split()))


ROOMS: Mapping[str, tuple[Room, ...]] = {
    "train": (
        room(
            "kitchen",
            f"{STOVE} countertop:1-3 cabinet:3-8 drawer:2-5 stoveburner:2-4 coffeemachine:0-1 "
            "toaster:0-1 shelf:0-3",
            KITCHEN,
        ),
        room(
            "eat-in kitchen",
            f"{STOVE} countertop:1-2 cabinet:2-6 drawer:1-4 stoveburner:4 coffeemachine "
            "diningtable:1-2 sidetable:0-1 toaster:0-1",
            KITCHEN,
        ),
        room(
            "bathroom",
            "sinkbasin:1-2 toilet countertop cabinet:2-4 garbagecan handtowelholder:1-2 "
            "towelholder toiletpaperhanger bathtubbasin:0-1 drawer:0-4",
            BATH,
        ),
        room(
            "bedroom",
            "bed desk:1-2 drawer:2-6 sidetable:0-2 shelf:0-5 dresser:0-1 garbagecan:0-1 "
            "laundryhamper:0-1 safe:0-1 armchair:0-1",
            BED,
            "desklamp floorlamp",
        ),
        room(
            "living room",
            "sofa:1-2 armchair:1-2 coffeetable:1-2 sidetable:1-3 shelf:0-6 tvstand:0-1 drawer:0-4 "
            "cabinet:0-4 dresser:0-1 garbagecan:0-1 safe:0-1",
            LIVING,
            "floorlamp desklamp",
        ),
        room(
            "study",
            "desk:1-2 shelf:2-8 drawer:2-6 sidetable:0-1 garbagecan sofa:0-1 armchair:0-1 safe:0-1",
            f"{OFFICE} newspaper box statue tissuebox vase watch",
            "desklamp",
        ),
    ),
    "unseen": (
        room(
            "one-room flat",
            f"{STOVE} bed sofa:0-1 countertop cabinet:2-5 stoveburner:2 dresser sidetable:1-2 "
            "drawer:1-3",
            f"{KITCHEN} pillow keychain laptop watch pen remotecontrol",
            "desklamp floorlamp",
        ),
        room(
            "dining room with a stove",
            f"{STOVE} diningtable:3 cart cabinet:1-3 shelf:4-6 stoveburner:1-2 coffeemachine:2",
            KITCHEN,
        ),
        room(
            "loft kitchen",
            f"{STOVE} countertop:4-5 desk drawer:6-9 coffeetable armchair cabinet:1-2 "
            "coffeemachine toaster",
            f"{KITCHEN} {OFFICE}",
            "desklamp",
        ),
        room(
            "washroom",
            "sinkbasin:3 cart:1-2 shelf:3-5 laundryhamper toilet:2 drawer:1-3 towelholder:2 "
            "toiletpaperhanger:2 handtowelholder:3 garbagecan",
            BATH,
        ),
        room(
            "dressing bath",
            "bathtubbasin sinkbasin:2 dresser sidetable cabinet:5-7 toilet countertop:2 "
            "handtowelholder towelholder garbagecan:2 toiletpaperhanger",
            f"{BATH} watch creditcard vase",
        ),
        room(
            "guest room",
            "bed:2 ottoman coffeetable tvstand sidetable:3 cabinet:2-3 drawer:1-3 shelf:1-2",
            f"{BED} remotecontrol newspaper",
            "desklamp floorlamp",
        ),
        room(
            "lounge",
            "sofa:3 ottoman:1-2 desk cart shelf:3-4 diningtable drawer:1-2 garbagecan",
            f"{LIVING} pen pencil cd alarmclock",
            "floorlamp desklamp",
        ),
        room(
            "office",
            "desk:3 cabinet:3-5 safe:2 coffeemachine diningtable dresser:2 drawer:3-4 garbagecan",
            f"{OFFICE} newspaper box statue watch vase cup",
            "desklamp",
        ),
    ),
}

SHARED = (  # what may be reached from one spot
    ("countertop", "coffeemachine"),
    ("countertop", "toaster"),
    ("countertop", "microwave"),
    ("countertop", "sinkbasin"),
    ("desk", "drawer"),
    ("dresser", "drawer"),
    ("sidetable", "drawer"),
    ("cabinet", "cabinet"),
    ("shelf", "shelf"),
)

HELD_OUT = frozenset(  # what lies where, or has to go where, in unseen games alone
    (thing, place)
    for place, things in {
        "armchair": "book cellphone laptop",
        "bed": "laptop",
        "cabinet": "candle mug pan saltshaker soapbar",
        "coffeetable": "remotecontrol statue watch",
        "countertop": "cloth egg glassbottle spoon toiletpaper",
        "desk": "bowl cd mug watch",
        "diningtable": "bread knife plate potato",
        "drawer": "book fork remotecontrol soapbottle tissuebox",
        "dresser": "creditcard pen statue vase",
        "fridge": "cup pot tomato",
        "garbagecan": "lettuce newspaper pencil",
        "microwave": "apple egg plate",
        "safe": "cellphone statue",
        "shelf": "keychain peppershaker cup toiletpaper watch",
        "sidetable": "box keychain laptop pen",
        "sinkbasin": "bowl ladle tomato",
        "sofa": "creditcard newspaper",
        "toilet": "cloth spraybottle",
    }.items()
    for thing in things.split()
)
