"""What our own games know of things: what can be done with each kind, and what goes where."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["FITS", "LAMPS", "OPENABLE", "RECEPTACLES", "TRAITS"]

FRUIT = "pickupable cleanable heatable coolable sliceable"
DISH = "pickupable cleanable coolable isreceptacleobject"
HOT_DISH = f"{DISH} heatable"
TOOL, OTHER = "pickupable cleanable", "pickupable"
LAMPS = ("desklamp", "floorlamp")


def each(names: str, traits: str) -> dict[str, tuple[str, ...]]:
    return {name: tuple(traits.split()) for name in names.split()}


TRAITS: Mapping[str, tuple[str, ...]] = {  # the kinds of objects
    **each("apple potato tomato egg", FRUIT),
    **each("lettuce", "pickupable cleanable coolable sliceable"),
    **each("bread", "pickupable heatable coolable sliceable"),
    **each("cup mug plate", HOT_DISH),
    **each("bowl pan pot", DISH),
    **each("winebottle", "pickupable coolable"),
    **each("butterknife cloth dishsponge fork kettle knife ladle soapbar spatula spoon", TOOL),
    **each("box", "pickupable isreceptacleobject"),
    **each(
        "alarmclock baseballbat basketball book candle cd cellphone creditcard glassbottle "
        "handtowel keychain laptop newspaper papertowelroll pen pencil peppershaker pillow "
        "plunger remotecontrol saltshaker soapbottle spraybottle statue tissuebox toiletpaper "
        "towel vase watch wateringcan",
        OTHER,
    ),
    **each(" ".join(LAMPS), "toggleable"),
    **each("houseplant mirror painting television window lightswitch", ""),
}

FOOD = "apple bread egg lettuce potato tomato"
DISHES = "bowl cup mug pan plate pot"
CUTLERY = "butterknife fork knife ladle spatula spoon"
SPICES = "peppershaker saltshaker"
BOTTLES = "glassbottle soapbottle spraybottle winebottle"
BATH = "candle cloth handtowel soapbar soapbottle spraybottle tissuebox toiletpaper"
DESK = "alarmclock book cd cellphone creditcard keychain laptop newspaper pen pencil remotecontrol"
DECOR = "box candle statue tissuebox vase watch wateringcan"
TABLE = f"{FOOD} {DISHES} {CUTLERY} {SPICES} {BOTTLES} {BATH} {DESK} {DECOR} dishsponge kettle"

FITS: Mapping[str, frozenset[str]] = {  # what goes on or in each kind of receptacle
    receptacle: frozenset(things.split())
    for receptacle, things in {
        "armchair": f"{DESK} box pillow",
        "bathtubbasin": "cloth dishsponge handtowel soapbar",
        "bed": "baseballbat basketball book cellphone laptop newspaper pillow",
        "cabinet": f"{DISHES} {SPICES} {BOTTLES} {BATH} box dishsponge kettle ladle plunger vase",
        "cart": f"{BATH} {BOTTLES} plunger statue vase",
        "coffeemachine": "cup mug",
        "coffeetable": TABLE,
        "countertop": TABLE,
        "desk": f"{TABLE} basketball baseballbat",
        "diningtable": TABLE,
        "drawer": f"{CUTLERY} {SPICES} {DESK} cloth dishsponge handtowel soapbar soapbottle "
        "tissuebox toiletpaper watch",
        "dresser": f"{DESK} {DECOR} bowl cup mug plate basketball",
        "fridge": f"{FOOD} {DISHES} glassbottle winebottle",
        "garbagecan": f"{FOOD} {BOTTLES} cloth dishsponge newspaper pen pencil soapbar tissuebox "
        "toiletpaper",
        "handtowelholder": "handtowel",
        "laundryhamper": "cloth handtowel towel",
        "microwave": f"{FOOD} bowl cup glassbottle mug plate",
        "ottoman": f"{DESK} box pillow",
        "safe": "cd cellphone creditcard keychain statue vase watch",
        "shelf": f"{DISHES} {SPICES} {BOTTLES} {BATH} {DESK} {DECOR} dishsponge",
        "sidetable": TABLE,
        "sinkbasin": f"{FOOD} {DISHES} {CUTLERY} cloth dishsponge glassbottle handtowel kettle "
        "soapbar",
        "sofa": f"{DESK} box pillow",
        "stoveburner": "kettle pan pot",
        "toaster": "bread",
        "toilet": f"{BATH} newspaper",
        "toiletpaperhanger": "toiletpaper",
        "towelholder": "towel",
        "tvstand": f"{DESK} {DECOR}",
    }.items()
}
RECEPTACLES = tuple(FITS)
OPENABLE = ("cabinet", "drawer", "fridge", "microwave", "safe")  # unless a game says otherwise
