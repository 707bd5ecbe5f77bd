"""A sensible player of a household game: it looks at the likely places first, and puts things back.

What has to be done in which order, and what is known by now, `react_lab.analysis.household` says.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from react_lab.analysis.household import Belief, Move, kind_of, number
from react_lab.envs.household.game import FITS, words_in

__all__ = ["LIKELY", "Player", "ranked"]

SURFACES = (  # where anything may have been left, those without a door first
    "countertop", "diningtable", "sidetable", "coffeetable", "desk", "dresser", "shelf", "sofa",
    "armchair", "bed", "tvstand", "ottoman", "cart", "toilet", "sinkbasin", "stoveburner",
    "garbagecan", "cabinet", "drawer", "fridge", "microwave", "safe",
)  # fmt: skip

LIKELY = words_in("likely")


def ranked(thing: str) -> tuple[str, ...]:
    """Every kind of receptacle: where the thing is likely, where it may have been left, the rest.

    >>> ranked("pillow")[:3]
    ('bed', 'sofa', 'armchair')
    """
    likely = LIKELY.get(thing, ())
    left = [place for place in SURFACES if thing in FITS[place]]
    return tuple(dict.fromkeys((*likely, *left, *SURFACES, *FITS)))


@functools.lru_cache(64)
def by_kind(places: tuple[str, ...]) -> dict[str, list[str]]:
    found = dict[str, list[str]]()
    for place in sorted(places, key=number):
        found.setdefault(kind_of(place), []).append(place)
    return found


@dataclass
class Player(Belief):
    new: list[tuple[str, str]] = field(default_factory=list)  # seen for the first time just now
    met: set[str] = field(default_factory=set)  # every thing seen so far

    def see(self, act: str, text: str) -> None:
        super().see(act, text)
        there = [(thing, place) for place, things in self.inside.items() for thing in things]
        self.new = [(thing, place) for thing, place in there if thing not in self.met]
        self.met.update(thing for thing, _ in self.new)

    def drop(self, thing: str) -> Iterator[Move]:
        """Put down what is not wanted: here if it can be, else at the first place it fits."""
        kind = kind_of(thing)
        fits = [p for p in self.places if kind in FITS.get(kind_of(p), ())]
        rank = ranked(kind).index
        places = sorted(fits, key=lambda p: (not self.near(p), p in self.closed, rank(kind_of(p))))
        for place in places or self.places:
            if (thing, place) not in self.refused:
                yield self.reach(place, f"put {thing} in/on {place}", "drop", thing)

    def search(self, kind: str) -> Iterator[Move]:
        """Look where nobody has looked, the likely places first."""
        for place in itertools.chain(*self.ordered(kind)):
            if place not in self.inside:
                yield self.reach(place, f"examine {place}", "find", kind)

    def ordered(self, kind: str) -> list[list[str]]:
        places = by_kind(self.places)
        return [places[each] for each in ranked(kind) if each in places]
