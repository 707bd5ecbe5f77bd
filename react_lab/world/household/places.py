"""Where a person would look for a thing first, and where after that: common sense, not counted."""

from __future__ import annotations

from collections.abc import Mapping

from ...envs.household.things import FITS

__all__ = ["LAMP_PLACES", "LIKELY", "SURFACES", "ranked"]

LAMP_PLACES = ("desk", "sidetable", "dresser", "shelf", "coffeetable", "tvstand", "bed")
SURFACES = (  # where anything may have been left, those without a door first
    "countertop", "diningtable", "sidetable", "coffeetable", "desk", "dresser", "shelf", "sofa",
    "armchair", "bed", "tvstand", "ottoman", "cart", "toilet", "sinkbasin", "stoveburner",
    "garbagecan", "cabinet", "drawer", "fridge", "microwave", "safe",
)  # fmt: skip

LIKELY: Mapping[str, tuple[str, ...]] = {
    thing: tuple(places.split())
    for thing, places in {
        "alarmclock": "sidetable desk dresser shelf bed",
        "apple": "fridge countertop diningtable sinkbasin sidetable microwave garbagecan",
        "baseballbat": "bed desk",
        "basketball": "bed desk dresser",
        "book": "shelf desk bed sofa coffeetable sidetable armchair drawer dresser diningtable",
        "bowl": "countertop cabinet diningtable sinkbasin shelf fridge desk dresser microwave",
        "box": "sofa coffeetable armchair shelf dresser sidetable diningtable cabinet ottoman",
        "bread": "countertop diningtable toaster fridge microwave garbagecan",
        "butterknife": "drawer countertop diningtable sinkbasin",
        "candle": "shelf bathtubbasin cart countertop toilet cabinet sidetable coffeetable dresser",
        "cd": "desk shelf drawer safe tvstand sidetable dresser garbagecan",
        "cellphone": "desk bed sidetable sofa armchair dresser drawer coffeetable countertop shelf "
        "tvstand safe",
        "cloth": "sinkbasin bathtubbasin laundryhamper cart countertop cabinet toilet drawer",
        "creditcard": "desk dresser sidetable drawer armchair sofa coffeetable tvstand countertop "
        "shelf safe",
        "cup": "countertop cabinet sinkbasin diningtable shelf fridge microwave coffeemachine",
        "dishsponge": "sinkbasin countertop cabinet drawer shelf garbagecan bathtubbasin",
        "egg": "fridge countertop diningtable sinkbasin microwave garbagecan",
        "fork": "drawer countertop diningtable sinkbasin",
        "glassbottle": "countertop shelf cabinet fridge diningtable sinkbasin garbagecan microwave",
        "handtowel": "handtowelholder sinkbasin countertop bathtubbasin toilet cabinet drawer",
        "kettle": "stoveburner countertop cabinet sinkbasin diningtable",
        "keychain": "sidetable dresser desk drawer shelf coffeetable tvstand sofa armchair safe",
        "knife": "countertop drawer diningtable sinkbasin",
        "ladle": "drawer countertop cabinet sinkbasin diningtable",
        "laptop": "desk bed sofa coffeetable diningtable armchair sidetable dresser tvstand",
        "lettuce": "fridge countertop sinkbasin diningtable garbagecan",
        "mug": "coffeemachine countertop cabinet sinkbasin desk diningtable shelf sidetable "
        "dresser fridge microwave",
        "newspaper": "coffeetable sofa armchair sidetable diningtable tvstand toilet shelf drawer "
        "ottoman garbagecan",
        "pan": "stoveburner countertop cabinet sinkbasin fridge diningtable",
        "papertowelroll": "countertop",
        "pen": "desk drawer shelf sidetable dresser diningtable garbagecan",
        "pencil": "desk drawer shelf sidetable dresser diningtable garbagecan",
        "peppershaker": "countertop diningtable cabinet drawer shelf sidetable",
        "pillow": "bed sofa armchair ottoman",
        "plate": "cabinet countertop diningtable sinkbasin shelf fridge microwave coffeetable",
        "plunger": "cabinet cart",
        "pot": "stoveburner countertop cabinet sinkbasin fridge shelf diningtable",
        "potato": "countertop fridge sinkbasin diningtable microwave garbagecan",
        "remotecontrol": "sofa tvstand coffeetable armchair sidetable dresser drawer ottoman shelf",
        "saltshaker": "countertop diningtable cabinet drawer shelf sidetable",
        "soapbar": "sinkbasin bathtubbasin toilet countertop cabinet cart drawer garbagecan",
        "soapbottle": "countertop sinkbasin toilet cabinet cart drawer shelf bathtubbasin garbagecan",
        "spatula": "drawer countertop sinkbasin diningtable stoveburner",
        "spoon": "drawer countertop diningtable sinkbasin",
        "spraybottle": "toilet countertop cabinet cart shelf garbagecan",
        "statue": "shelf dresser coffeetable sidetable tvstand countertop desk safe",
        "tissuebox": "toilet sidetable coffeetable shelf cart dresser countertop cabinet drawer "
        "tvstand garbagecan",
        "toiletpaper": "toiletpaperhanger toilet cabinet cart countertop drawer shelf garbagecan",
        "tomato": "countertop fridge sinkbasin diningtable microwave garbagecan",
        "towel": "towelholder bathtubbasin laundryhamper",
        "vase": "shelf coffeetable diningtable sidetable countertop cabinet dresser tvstand safe",
        "watch": "sidetable dresser desk drawer coffeetable shelf safe tvstand",
        "wateringcan": "sidetable shelf coffeetable dresser",
        "winebottle": "fridge cabinet countertop diningtable shelf",
        "desklamp": "desk sidetable dresser shelf coffeetable tvstand",
        "floorlamp": "desk sidetable dresser shelf coffeetable tvstand",
    }.items()
}  # fmt: skip


def ranked(thing: str) -> tuple[str, ...]:
    """Every kind of receptacle: where the thing is likely, where it may have been left, the rest.

    >>> ranked("pillow")[:3]
    ('bed', 'sofa', 'armchair')
    """
    likely = LIKELY.get(thing, ())
    left = [place for place in SURFACES if thing in FITS[place]]
    return tuple(dict.fromkeys((*likely, *left, *SURFACES, *FITS)))
