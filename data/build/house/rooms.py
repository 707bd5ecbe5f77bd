"""The rooms of our own household games: which receptacles stand in them, and what may lie there.

The rooms of unseen games combine what no room of a train game has together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["FURNITURE", "HELD_OUT", "NEVER", "ROOMS", "SHARED", "Room", "sensible"]

FOOD = "apple bread egg lettuce potato tomato"
DISHES = "bowl cup mug plate pan pot"
CUTLERY = "butterknife fork knife ladle spatula spoon"
PANTRY = (
    "dishsponge glassbottle kettle papertowelroll peppershaker saltshaker soapbottle winebottle"
)
KITCHEN = f"{FOOD} {DISHES} {CUTLERY} {PANTRY} vase cellphone book"
BATH = (
    "candle cloth dishsponge handtowel plunger soapbar soapbottle spraybottle tissuebox "
    "toiletpaper towel"
)
OFFICE = "book cd cellphone creditcard keychain laptop mug pen pencil"
BED = f"{OFFICE} alarmclock baseballbat basketball bowl pillow watch tissuebox statue vase"
LIVING = (
    "book box cellphone creditcard keychain laptop newspaper pillow remotecontrol statue tissuebox "
    "vase watch wateringcan bowl plate candle"
)
STOVE = "fridge microwave sinkbasin garbagecan"
FURNITURE = {  # what stands in one sort of room and in no other
    "kitchen": "fridge microwave stoveburner toaster countertop",
    "bathroom": "toilet bathtubbasin towelholder handtowelholder toiletpaperhanger laundryhamper",
    "bedroom and living room": "bed sofa armchair ottoman tvstand desk dresser coffeetable safe",
}


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


TRAIN = (
    room(
        "kitchen",
        f"{STOVE} countertop:1-3 cabinet:3-8 drawer:2-5 stoveburner:2-4 coffeemachine:0-1 "
        "toaster:0-1 shelf:0-3",
        KITCHEN,
    ),
    room(
        "eat-in kitchen",
        f"{STOVE} countertop:1-2 cabinet:2-6 drawer:1-4 stoveburner:4 coffeemachine "
        "diningtable sidetable:0-1 toaster:0-1",
        KITCHEN,
    ),
    room(
        "bathroom",
        "sinkbasin:1-2 toilet sidetable:0-1 cabinet:2-4 garbagecan handtowelholder:1-2 "
        "towelholder toiletpaperhanger bathtubbasin:0-1 drawer:0-4",
        BATH,
    ),
    room(
        "bedroom",
        "bed desk:1-2 drawer:2-6 sidetable:0-2 shelf:0-5 dresser:0-1 garbagecan:0-1 "
        "safe:0-1 armchair:0-1",
        BED,
        "desklamp",
    ),
    room(
        "living room",
        "sofa:1-2 armchair:1-2 coffeetable sidetable:1-3 shelf:0-6 tvstand:0-1 drawer:0-4 "
        "cabinet:0-4 dresser:0-1 garbagecan:0-1 safe:0-1",
        LIVING,
        "desklamp",
    ),
    room(
        "study",
        "desk:1-2 shelf:2-8 drawer:2-6 sidetable:0-1 garbagecan sofa:0-1 armchair:0-1 safe:0-1",
        f"{OFFICE} newspaper box statue tissuebox vase watch",
        "desklamp",
    ),
)
ROOMS: Mapping[str, tuple[Room, ...]] = {
    "train": TRAIN,
    "dev": TRAIN,
    "unseen": (
        room(
            "dining kitchen",
            f"{STOVE} diningtable:2 cart cabinet:1-3 shelf:4-6 stoveburner:2 coffeemachine",
            KITCHEN,
        ),
        room(
            "large kitchen",
            f"{STOVE} countertop:4-5 diningtable drawer:6-9 cabinet:2-4 stoveburner:4 shelf:1-2 "
            "coffeemachine toaster",
            KITCHEN,
        ),
        room(
            "washroom",
            "sinkbasin:2 cart shelf:3-5 laundryhamper toilet drawer:1-3 towelholder:2 "
            "toiletpaperhanger handtowelholder:2 garbagecan",
            BATH,
        ),
        room(
            "family bathroom",
            "bathtubbasin sinkbasin:2 sidetable cabinet:5-7 toilet shelf:2 laundryhamper "
            "handtowelholder:2 towelholder:2 garbagecan toiletpaperhanger",
            BATH,
        ),
        room(
            "guest room",
            "bed:2 ottoman coffeetable tvstand sidetable:2 cabinet:1-2 drawer:2-3 shelf:1-2",
            f"{BED} remotecontrol newspaper",
            "desklamp",
        ),
        room(
            "lounge",
            "sofa:2-3 ottoman:1-2 cart shelf:3-4 diningtable sidetable:2 drawer:1-2 garbagecan",
            f"{LIVING} pen pencil cd",
            "desklamp",
        ),
        room(
            "office",
            "desk:3 cabinet:3-5 safe coffeemachine shelf:2-4 sofa drawer:3-4 garbagecan",
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
        "bathtubbasin": "cloth",
        "bed": "laptop",
        "cabinet": "candle mug pan saltshaker soapbar",
        "coffeetable": "remotecontrol statue watch",
        "countertop": "egg glassbottle spoon",
        "desk": "bowl cd mug watch",
        "diningtable": "bread knife plate potato",
        "drawer": "book fork remotecontrol soapbottle tissuebox",
        "dresser": "creditcard pen statue vase",
        "fridge": "cup pot tomato",
        "garbagecan": "lettuce newspaper pencil",
        "laundryhamper": "cloth towel",
        "safe": "cellphone statue",
        "shelf": "keychain peppershaker cup toiletpaper watch",
        "sidetable": "box keychain laptop pen spraybottle",
        "sinkbasin": "bowl ladle tomato",
        "sofa": "creditcard newspaper",
    }.items()
    for thing in things.split()
)

# ---------------------------------------------------------------------- what makes sense

NEVER = {  # where a thing may lie in ALFWorld, and no sensible person leaves it
    "toilet": "candle cloth handtowel newspaper soapbar soapbottle spraybottle tissuebox",
    "microwave": "apple egg glassbottle tomato",
    "garbagecan": "cd dishsponge cloth soapbar spraybottle",
    "bathtubbasin": "candle dishsponge handtowel",
    "sidetable": "apple bread",
}
HOT = "countertop diningtable sidetable cart"
TARGETS = {  # where to bring what was made clean, hot or cool; anything else has any place
    "clean": f"{HOT} cabinet drawer shelf fridge coffeemachine stoveburner bathtubbasin desk",
    "heat": f"{HOT} coffeemachine desk",
    "cool": HOT,
}
NOT_MADE = {  # and what nobody would make so
    "clean": "egg",
    "heat": "plate",
    "cool": "bread egg plate",
}
NOT_LIT = "laptop alarmclock pillow basketball baseballbat tissuebox wateringcan plate candle"
NOT_BROUGHT = {  # nobody would say: put some of this there
    "garbagecan": "apple cellphone creditcard",
    "sinkbasin": "apple bread egg lettuce potato tomato glassbottle kettle",
    "fridge": "mug plate",
    "microwave": "bread",
}
FOOD_PLACES = "countertop diningtable fridge microwave toaster cart sidetable garbagecan"


def sensible(thing: str, target: str, task: str) -> bool:
    """Would a person ask for it? task: put, clean, heat, cool, look or two."""
    if task == "look":
        return thing not in NOT_LIT.split()
    if thing in NEVER.get(target, "").split() or thing in NOT_BROUGHT.get(target, "").split():
        return False
    if thing in FOOD.split() and target not in FOOD_PLACES.split():
        return False
    if task in TARGETS:
        return target in TARGETS[task].split() and thing not in NOT_MADE[task].split()
    return True
