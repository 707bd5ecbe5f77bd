"""What a player of a household game knows by now: the task, what was seen where, what is in hand.

It is read from the opening and from what the game answered, and from nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...envs.household.rules import NOTHING

__all__ = ["Belief", "Goal", "kind_of", "number", "read_task"]

NAME = r"\b[a-z]+ \d+"
LISTED = re.compile(rf"\ban? ({NAME})")
SURFACE = re.compile(rf"On the ({NAME}), you see ")
OPEN = re.compile(rf"The ({NAME}) is open$")
INSIDE = "In it, you see "
CLOSED = re.compile(rf"(?:The|You close the) ({NAME})(?: is closed)?$")
FACING = re.compile(rf"You are facing the ({NAME}(?:, (?:and )?{NAME})*)\.")
TAKEN = re.compile(rf"You pick up the ({NAME}) from the ({NAME})\.")
PUT = re.compile(rf"You (?:put|move) the ({NAME}) (?:in/on|to) the ({NAME})\.")
MADE = re.compile(rf"You (clean|heat|cool) the ({NAME}) using the {NAME}\.")
LIT = re.compile(rf"You turn on the ({NAME})\.")
HELD = re.compile(rf"You are carrying: an? ({NAME})\.")
TASK = re.compile(r"Your task is to: ([^\n]*)")
STATES = {"clean": "clean", "heat": "hot", "cool": "cool", "hot": "hot"}
SENTENCES = (  # how a task is put: two ways for each type, and one more of the paper's
    r"put an? (?P<need>clean|hot|cool) (?P<object>\w+) (?:in|on) (?P<target>\w+)",
    r"(?P<need>clean|heat|cool) some (?P<object>\w+) and put it (?:in|on) (?P<target>\w+)",
    r"(?P<two>put two) (?P<object>\w+) (?:in|on) (?P<target>\w+)",
    r"(?P<two>find two) (?P<object>\w+) and put them (?:in|on) (?P<target>\w+)",
    r"look at (?P<object>\w+) under the (?P<lamp>\w+)",
    r"examine the (?P<object>\w+) with the (?P<lamp>\w+)",
    r"put (?:an?|some) (?P<object>\w+) (?:in|on) (?P<target>\w+)",
    r"find some (?P<object>\w+) and put it (?:in|on) (?P<target>\w+)",
)


def kind_of(name: str) -> str:
    """`fridge 1` is a fridge."""
    return name.partition(" ")[0]


@dataclass(frozen=True)
class Goal:
    """What the task asks for: how many of which kind, in which state, and where."""

    object: str
    target: str = ""  # a kind of receptacle
    lamp: str = ""  # or a kind of lamp
    need: str = ""  # clean, hot or cool
    count: int = 1


def read_task(opening: str) -> Goal:
    found = TASK.search(opening)
    text = found[1].strip().rstrip(".") if found else ""
    for sentence in SENTENCES:
        if match := re.fullmatch(sentence, text):
            said = {name: part or "" for name, part in match.groupdict().items()}
            need, two = STATES.get(said.get("need", ""), ""), said.get("two")
            target, lamp = said.get("target", ""), said.get("lamp", "")
            return Goal(said["object"], target, lamp, need, 2 if two else 1)
    raise ValueError(f"this task is worded as none of the six types is: {text[:80]!r}")


@dataclass
class Belief:
    """`see` what an act led to; everything else is there to be asked."""

    goal: Goal
    places: tuple[str, ...]  # the receptacles, as they are listed
    at: str = ""
    held: str = ""
    inside: dict[str, list[str]] = field(default_factory=dict)  # what was last seen where
    new: list[tuple[str, str]] = field(default_factory=list)  # seen for the first time just now
    met: set[str] = field(default_factory=set)  # every thing seen so far
    closed: set[str] = field(default_factory=set)
    states: set[tuple[str, str]] = field(default_factory=set)  # (mug 1, hot)
    lit: set[str] = field(default_factory=set)
    spots: list[set[str]] = field(default_factory=list)  # receptacles known to share one
    failed: set[str] = field(default_factory=set)  # acts that led nowhere as things stand
    refused: set[tuple[str, str]] = field(default_factory=set)  # (pan 1, drawer 2) does not fit

    @classmethod
    def begin(cls, opening: str) -> Belief:
        listed = opening.partition("Looking quickly around you")[2].partition("Your task")[0]
        return cls(read_task(opening), tuple(LISTED.findall(listed)))

    def near(self, place: str) -> bool:
        """Is the player at this receptacle, or at one that shares its spot?"""
        return place == self.at or any({place, self.at} <= spot for spot in self.spots)

    def open(self, place: str) -> bool:
        """Has its inside been seen, and is it not closed now?"""
        return place in self.inside and place not in self.closed

    def where(self, kind: str) -> Iterator[tuple[str, str]]:
        """Each thing of a kind that was seen and not taken since, and its place."""
        for place, things in self.inside.items():
            for thing in things:
                if kind_of(thing) == kind:
                    yield thing, place

    def ready(self, thing: str) -> bool:
        """Is it in the state that the task asks for?"""
        return not self.goal.need or (thing, self.goal.need) in self.states

    def numbered(self, kind: str) -> list[str]:
        return sorted((p for p in self.places if kind_of(p) == kind), key=number)

    def see(self, act: str, text: str) -> None:
        """Take in what the game answered to an act."""
        self.new = []
        if NOTHING in text:
            self.fail(act)
            return
        if act.startswith("go to "):
            self.at = act.removeprefix("go to ")
        if not act.startswith(("examine ", "look", "inventory", "help")):
            self.failed.clear()
        self.look(text)
        self.handle(text)
        for place, things in self.inside.items():
            self.new += [(thing, place) for thing in things if thing not in self.met]
        self.met.update(thing for thing, _ in self.new)

    def look(self, text: str) -> None:
        """What stands where, sentence by sentence."""
        container = ""
        for sentence in map(str.strip, text.split(".")):
            if found := SURFACE.match(sentence):
                self.inside[found[1]] = LISTED.findall(sentence)
            elif found := OPEN.match(sentence):
                container = found[1]
                self.closed.discard(container)
            elif sentence.startswith(INSIDE) and container:
                self.inside[container] = LISTED.findall(sentence)
            elif found := CLOSED.match(sentence):
                self.closed.add(found[1])

    def handle(self, text: str) -> None:
        """What changes hands or states."""
        if found := TAKEN.search(text):
            self.held = found[1]
            for things in self.inside.values():
                things[:] = [thing for thing in things if thing != found[1]]
        if found := PUT.search(text):
            self.held = ""
            self.inside.setdefault(found[2], []).append(found[1])
        if found := MADE.search(text):
            self.make(found[2], STATES[found[1]])
        if found := LIT.search(text):
            self.lit.add(found[1])
        if found := HELD.search(text):
            self.held = found[1]
        if "You are not carrying anything" in text:
            self.held = ""
        if found := FACING.search(text):
            self.share(set(re.findall(NAME, found[1])))

    def share(self, places: set[str]) -> None:
        """Keep that these receptacles are at one spot."""
        if places not in self.spots:
            self.spots.append(places)

    def make(self, thing: str, state: str) -> None:
        """What is heated is cool no more, and the other way round."""
        self.states -= {(thing, {"hot": "cool", "cool": "hot"}.get(state, ""))}
        self.states.add((thing, state))

    def fail(self, act: str) -> None:
        """An act that led nowhere tells something, too."""
        self.failed.add(act)
        verb, _, rest = act.partition(" to ")
        if verb == "go" and rest in self.places and self.at and not self.near(rest):
            self.share({rest, self.at})  # it can be reached from here without going
        for pattern in (r"put (.*) in/on (.*)", r"move (.*) to (.*)"):
            found = re.fullmatch(pattern, act)
            if found and found[1] == self.held and self.near(found[2]) and self.open(found[2]):
                self.refused.add((found[1], found[2]))
        if found := re.fullmatch(rf"take ({NAME}) from ({NAME})", act):
            thing, place = found.groups()
            reached = self.near(place) and self.open(place) and not self.held
            if reached and thing in self.inside[place]:
                self.inside[place].remove(thing)  # it cannot be taken, whatever was seen


def number(name: str) -> int:
    return int(name.rpartition(" ")[2])
