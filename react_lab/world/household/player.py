"""Plays a household game as a sensible person would, knowing only what the player has seen.

It can be asked in any state that a player gets into: a wrong room, a closed door, a full hand.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...envs.household.things import FITS
from .belief import Belief, kind_of
from .places import ranked

__all__ = ["APPLIANCES", "Move", "Player"]

APPLIANCES = {"clean": "sinkbasin", "hot": "microwave", "cool": "fridge"}
VERBS = {"clean": "clean", "hot": "heat", "cool": "cool"}
FEW, MANY = 3, 6  # a plan of where to look names so many kinds of places, or places


@dataclass(frozen=True)
class Move:
    """An act, and the subgoal it serves: what for, with which thing, at which place."""

    act: str
    aim: str  # find, take, drop, make, put, light
    thing: str = ""
    place: str = ""
    part: int = 0  # of a search: which part of the places it has come to


@dataclass
class Player:
    """Chooses the next act. in_order: looks at the places as they are listed, without sense."""

    belief: Belief
    in_order: bool = False
    plans: dict[str, list[list[str]]] = field(default_factory=dict)

    def next(self) -> Move:
        """The best act that has not just failed."""
        look = Move("look", "find", self.belief.goal.object)
        move = next(self.untried(), look)
        if move is look:  # it is in none of the places, so what was seen there does not count
            self.belief.inside.clear()
        return next(self.untried(), look)

    def untried(self) -> Iterator[Move]:
        return (move for move in self.moves() if move.act not in self.belief.failed)

    def moves(self) -> Iterator[Move]:
        """What there is to do, in the order of the task; the first is the one to do."""
        know, goal = self.belief, self.belief.goal
        if know.held and kind_of(know.held) != goal.object:
            yield from self.drop(know.held)
        elif know.held:
            yield from self.use(know.held)
        else:
            yield from self.take()
        yield from self.search(goal.object)

    def take(self) -> Iterator[Move]:
        """Take what is known to lie somewhere, or look for it."""
        know = self.belief
        there = self.target() if know.goal.count > 1 else ""
        known = [(thing, place) for thing, place in know.where(know.goal.object) if place != there]
        for thing, place in sorted(known, key=lambda pair: not know.near(pair[1])):
            yield self.reach(place, f"take {thing} from {place}", "take", thing)

    def use(self, thing: str) -> Iterator[Move]:
        """What the task asks for, with the thing in hand."""
        know, goal = self.belief, self.belief.goal
        if goal.lamp:
            yield from self.light(thing)
        elif not know.ready(thing):
            verb = VERBS[goal.need]
            for place in know.numbered(APPLIANCES[goal.need]):
                act = f"{verb} {thing} with {place}"
                yield self.reach(place, act, "make", thing, through_door=True)
        else:
            yield from self.put(thing)

    def put(self, thing: str) -> Iterator[Move]:
        for place in sorted(self.targets(), key=lambda place: place != self.target()):
            if (thing, place) not in self.belief.refused:
                yield self.reach(place, f"put {thing} in/on {place}", "put", thing)

    def light(self, thing: str) -> Iterator[Move]:
        know = self.belief
        for lamp, place in know.where(know.goal.lamp):
            if not (know.near(place) and lamp in know.lit):
                yield self.reach(place, f"use {lamp}", "light", thing, through_door=True, of=lamp)
        yield from self.search(know.goal.lamp)

    def drop(self, thing: str) -> Iterator[Move]:
        """Put down what is not wanted: here if it can be, else at the first place it fits."""
        know, kind = self.belief, kind_of(thing)
        fits = [p for p in know.places if kind in FITS.get(kind_of(p), ())]
        rank = ranked(kind).index
        places = sorted(fits, key=lambda p: (not know.near(p), p in know.closed, rank(kind_of(p))))
        for place in places or know.places:
            if (thing, place) not in know.refused:
                yield self.reach(place, f"put {thing} in/on {place}", "drop", thing)

    def targets(self) -> list[str]:
        return self.belief.numbered(self.belief.goal.target)

    def target(self) -> str:
        """Where to bring the things: the place that has one already, else the first."""
        know = self.belief
        kind = know.goal.object

        def has(place: str) -> int:
            return sum(kind_of(thing) == kind for thing in know.inside.get(place, ()))

        return max(self.targets(), key=has, default="")

    def search(self, kind: str) -> Iterator[Move]:
        """Look where nobody has looked, the likely places first."""
        know = self.belief
        for part, places in enumerate(self.plan(kind)):
            for place in places:
                if place not in know.inside:
                    yield self.reach(place, f"examine {place}", "find", kind, part=part)

    def plan(self, kind: str) -> list[list[str]]:
        """All places in the order of a search, in parts that a thought can name."""
        if kind not in self.plans:
            self.plans[kind] = list(parts(self.ordered(kind)))
        return self.plans[kind]

    def ordered(self, kind: str) -> list[list[str]]:
        if self.in_order:
            return [[place] for place in self.belief.places]
        return list(filter(None, map(self.belief.numbered, ranked(kind))))

    def reach(
        self,
        place: str,
        act: str,
        aim: str,
        thing: str,
        *,
        through_door: bool = False,
        of: str = "",
        part: int = 0,
    ) -> Move:
        """The act itself, or what has to come before it: to go there, to open the door."""
        know = self.belief
        if not know.near(place):
            act = f"go to {place}"
        elif place in know.closed and not through_door:
            act = f"open {place}"
        return Move(act, aim, thing, of or place, part)


def parts(kinds: list[list[str]]) -> Iterator[list[str]]:
    """A few kinds of places at a time; a kind of many places is a part of its own."""
    part: list[list[str]] = []
    for places in kinds:
        if part and (len(part) == FEW or sum(map(len, part)) + len(places) > MANY):
            yield [*itertools.chain(*part)]
            part = []
        part.append(places)
    if part:
        yield [*itertools.chain(*part)]
