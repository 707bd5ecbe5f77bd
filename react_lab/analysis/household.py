"""What was done in a household game, and why it was lost; the words of thoughts count for nothing.

To read the code: what a player knows and can do by now, why a game was lost, what each act served.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Self

from .. import score
from ..envs.household import rules
from ..envs.household.alfworld import kind_of
from ..envs.household.game import FITS, LOOK, NEEDS, TWO, Game, State
from ..envs.household.rules import NOTHING
from ..envs.household.world import THOUGHT, Household, HouseholdEnv
from ..types import FAULTS, Step, Trajectory, World

# ------------------------------------------------------------------ what a player knows by now

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
BETWEEN = {"go": "to", "take": "from", "put": "in/on", "move": "to"}
TASK = re.compile(r"Your task is to: ([^\n]*)")
APPLIANCES = {"clean": "sinkbasin", "hot": "microwave", "cool": "fridge"}
VERBS = {"clean": "clean", "hot": "heat", "cool": "cool"}
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
            said = {name: match.groupdict().get(name) or "" for name in ("target", "lamp", "need")}
            said["need"] = STATES.get(said["need"], "")
            return Goal(match["object"], **said, count=2 if "two" in match.groupdict() else 1)
    raise ValueError(f"this task is worded as none of the six types is: {text[:80]!r}")


@dataclass(frozen=True)
class Move:
    """An act, and the subgoal it serves: what for, with which thing, at which place."""

    act: str
    aim: str  # find, take, drop, make, put, light
    thing: str = ""
    place: str = ""


@dataclass
class Belief:
    """`see` what an act led to; everything else is there to be asked, also what is best `next`."""

    goal: Goal
    places: tuple[str, ...]  # the receptacles, as they are listed
    at: str = ""
    held: str = ""
    inside: dict[str, list[str]] = field(default_factory=dict)  # what was last seen where
    closed: set[str] = field(default_factory=set)
    states: set[tuple[str, str]] = field(default_factory=set)  # (mug 1, hot)
    lit: set[str] = field(default_factory=set)
    spots: list[set[str]] = field(default_factory=list)  # receptacles known to share one
    failed: set[str] = field(default_factory=set)  # acts that led nowhere as things stand
    refused: set[tuple[str, str]] = field(default_factory=set)  # (pan 1, drawer 2) does not fit

    @classmethod
    def begin(cls, opening: str) -> Self:
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
        return sorted((place for place in self.places if kind_of(place) == kind), key=number)

    def see(self, act: str, text: str) -> None:
        """Take in what the game answered to an act."""
        if NOTHING in text:
            self.fail(act)
            return
        if act.startswith("go to "):
            self.at = act.removeprefix("go to ")
        if not act.startswith(("examine ", "look", "inventory", "help")):
            self.failed.clear()
        self.look(text)
        self.handle(text)

    def look(self, text: str) -> None:
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
        if found := TAKEN.search(text):
            self.held = found[1]
            for things in self.inside.values():
                things[:] = [thing for thing in things if thing != found[1]]
        if found := PUT.search(text):
            self.held = ""
            self.inside.setdefault(found[2], []).append(found[1])
        if found := MADE.search(text):  # what is heated is cool no more, and the other way round
            state = STATES[found[1]]
            self.states -= {(found[2], {"hot": "cool", "cool": "hot"}.get(state, ""))}
            self.states.add((found[2], state))
        if found := LIT.search(text):
            self.lit.add(found[1])
        if found := HELD.search(text):
            self.held = found[1]
        if "You are not carrying anything" in text:
            self.held = ""
        if found := FACING.search(text):
            self.spots.append(set(re.findall(NAME, found[1])))

    def fail(self, act: str) -> None:
        self.failed.add(act)
        verb = act.partition(" ")[0]
        before, _, place = act.rpartition(f" {BETWEEN.get(verb)} ")
        thing = before.removeprefix(verb).strip()
        reached = self.near(place) and self.open(place)
        if verb == "go" and not thing and place in self.places and self.at and not self.near(place):
            self.spots.append({place, self.at})  # it can be reached from here without going
        elif verb == "take" and reached and not self.held and thing in self.inside[place]:
            self.inside[place].remove(thing)  # it cannot be taken, whatever was seen
        elif verb in ("put", "move") and thing == self.held and reached:
            self.refused.add((thing, place))

    # -------------------------------------------------------------- what there is to do

    def next(self) -> Move:
        """The best act that has not just failed."""
        for _ in range(2):
            if move := next((move for move in self.moves() if move.act not in self.failed), None):
                return move
            self.inside.clear()  # it is in none of the places: what was seen there does not count
        return Move("look", "find", self.goal.object)

    def moves(self) -> Iterator[Move]:
        """What there is to do, in the order of the task; the first is the one to do."""
        if self.held and kind_of(self.held) != self.goal.object:
            yield from self.drop(self.held)
        elif self.held:
            yield from self.use(self.held)
        else:
            yield from self.take()
        yield from self.search(self.goal.object)

    def take(self) -> Iterator[Move]:
        there = self.target() if self.goal.count > 1 else ""
        known = [(thing, place) for thing, place in self.where(self.goal.object) if place != there]
        for thing, place in sorted(known, key=lambda pair: not self.near(pair[1])):
            yield self.reach(place, f"take {thing} from {place}", "take", thing)

    def use(self, thing: str) -> Iterator[Move]:
        goal = self.goal
        if goal.lamp:
            for lamp, place in self.where(goal.lamp):
                if not (self.near(place) and lamp in self.lit):
                    yield self.reach(place, f"use {lamp}", "light", thing, lamp, through_door=True)
            yield from self.search(goal.lamp)
        elif not self.ready(thing):
            verb = VERBS[goal.need]
            for place in self.numbered(APPLIANCES[goal.need]):
                act = f"{verb} {thing} with {place}"
                yield self.reach(place, act, "make", thing, through_door=True)
        else:
            best = self.target()
            for place in sorted(self.numbered(goal.target), key=lambda place: place != best):
                if (thing, place) not in self.refused:
                    yield self.reach(place, f"put {thing} in/on {place}", "put", thing)

    def drop(self, thing: str) -> Iterator[Move]:
        """Put down what is not wanted; where does not matter here."""
        yield Move("", "drop", thing)

    def target(self) -> str:
        """Where to bring the things: the place that has one already, else the first."""
        has = Counter(place for _, place in self.where(self.goal.object))
        places = self.numbered(self.goal.target)
        return max(places, key=lambda place: has[place], default="")

    def search(self, kind: str) -> Iterator[Move]:
        """Look where nobody has looked."""
        for place in self.places:
            if place not in self.inside and kind_of(place) in FITS:
                yield self.reach(place, f"examine {place}", "find", kind)

    def reach(
        self, place: str, act: str, aim: str, thing: str, of: str = "", through_door: bool = False
    ) -> Move:
        """The act itself, or what has to come before it: to go there, to open the door."""
        if not self.near(place):
            act = f"go to {place}"
        elif place in self.closed and not through_door:
            act = f"open {place}"
        return Move(act, aim, thing, of or place)


def number(name: str) -> int:
    return int(name.rpartition(" ")[2])


# ------------------------------------------------------------------ why a game was lost

IDLE = 10  # so many acts without news at the end of a run: it is stuck
SUBGOALS, ON_THE_WAY = ("take", "make", "put", "light"), ("go to ", "open ")
CAUSES = {  # in this order: the first that fits is the one that counts
    "fault": "the model or the game could not be reached",
    "broke off": "no act could be read, the model refused, or its context was full",
    "wrong thing": "it cleaned, heated, cooled, brought or kept a thing of another kind, and never "
    "had the right one",
    "forgot a subgoal": "it put the thing there not cleaned, heated or cooled, or lit the lamp "
    "without the thing, which it had seen",
    "wrong place": "it put the thing elsewhere, the two in two places, or lit another lamp",
    "one of two": "it brought one thing and had no second in hand",
    "stuck": f"its last {IDLE} acts or more changed nothing and showed nothing new",
    "never found": "it never saw the thing, or the lamp, and was still looking",
    "passed by": "what it needed next was one act away, and it went elsewhere for good",
    "out of steps": "none of these: it was still under way",
}


def cause_of(run: Trajectory, world: World | None = None) -> str | None:
    """The one main cause of a lost run, whatever its acts are; None of a won or unfinished one.

    world: where its game is; None is `Household()`.
    """
    env = (world or Household())(run.task) if run.task.kind == "household" else None
    if not isinstance(env, HouseholdEnv):
        raise ValueError(f"{run.task!r} is no household game: only those have these causes")
    course = Course.of(env.game)
    for step in run.steps:
        act = (step.action or "").strip()
        if act and not THOUGHT.match(act):
            course.follow(act)
    if score.correct(run) is not False:
        return None
    return next(cause for cause, so in course.told(run.end).items() if so)


causes = partial(score.with_causes, cause_of)


@dataclass
class Course:
    """A run as it goes: what it did, what it came to know, and what would have been next."""

    game: Game
    state: State
    know: Belief
    idle: int = 0  # acts since there was news
    been: set[State] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)  # of the things that it saw
    put: dict[str, str] = field(default_factory=dict)  # what it put down, and where that is
    had: bool = False  # the right thing in hand
    misused: bool = False  # a thing of another kind
    unlit: bool = False  # the right lamp was lit, and not the right thing under it
    other_lamp: bool = False
    passed: bool = False

    @classmethod
    def of(cls, game: Game) -> Course:
        places = tuple(place for place in game.spots if re.fullmatch(NAME, place))
        asked = game.goal  # however its task is worded
        goal = Goal(asked.object, lamp=asked.target)
        if asked.type != LOOK:
            _, done = NEEDS.get(asked.type) or ("", "")
            count = 2 if asked.type == TWO else 1
            goal = Goal(asked.object, asked.target, need=done.removeprefix("is"), count=count)
        return cls(game, game.start, Belief(goal, places), been={game.start})

    def follow(self, words: str) -> None:
        best, seen_before = self.know.next(), len(self.know.inside)
        act, text = rules.acts(self.game, self.state).get(words), rules.NOTHING
        if act is not None:
            self.note(act, best)
            self.state, text = rules.do(self.game, self.state, act)
        self.know.see(words, text)
        self.kinds.update(map(kind_of, LISTED.findall(text)))
        news = self.state not in self.been or len(self.know.inside) > seen_before
        self.been.add(self.state)
        self.idle = 0 if news else self.idle + 1

    def note(self, act: rules.Act, best: Move) -> None:
        """What an act that does something says of the player."""
        name, thing, place, *_ = (*act, "", "")
        right, target = self.right(thing), self.is_target(place)
        match name:
            case "go":
                self.passed |= best.aim in SUBGOALS and not best.act.startswith(ON_THE_WAY)
            case "take":
                self.put.pop(thing, None)
                self.had |= right
                self.passed &= not right
            case "put":
                self.put[thing] = place
                self.misused |= not right and target
                self.passed &= not (right and target)
            case "clean" | "heat" | "cool":
                self.misused |= not right
                self.passed &= not right
            case "use":
                holds = self.right(self.state.held or "")
                wanted = self.game.goal.type == LOOK and self.is_target(thing)
                self.unlit |= wanted and not holds
                self.other_lamp |= holds and not wanted
                self.passed &= not (wanted and holds)

    def right(self, thing: str) -> bool:
        return self.game.kinds.get(thing) == self.game.goal.object

    def is_target(self, place: str) -> bool:
        return self.game.kinds.get(place) == self.game.goal.target

    def told(self, end: str) -> dict[str, bool]:
        """Which of the `CAUSES` fit, in their order."""
        goal, held = self.game.goal, self.state.held
        look, two, holds = goal.type == LOOK, goal.type == TWO, self.right(held or "")
        brought = {thing: place for thing, place in self.put.items() if self.right(thing)}
        there = {thing: place for thing, place in brought.items() if self.is_target(place)}
        raw = [thing for thing in there if not self.game.ready(thing, self.state)]
        apart = two and len(set(there.values())) > 1
        wanted = goal.target if self.had and look else "" if self.had else goal.object
        return {
            "fault": end in FAULTS,
            "broke off": end in ("unreadable", "refused", "context_limit"),
            "wrong thing": not self.had and (self.misused or held is not None),
            "forgot a subgoal": not holds
            and (bool(raw) or (self.unlit and goal.object in self.kinds)),
            "wrong place": (look and self.other_lamp)
            or (not holds and (len(there) < len(brought) or apart)),
            "one of two": two and bool(there) and not holds,
            "stuck": self.idle >= IDLE or end == "repeated",
            "never found": wanted not in ("", *self.kinds),
            "passed by": self.passed,
            "out of steps": True,
        }


# ------------------------------------------------------------------ which subgoal each act served

DETOUR, NOWHERE = "detour", "led nowhere"


@dataclass(frozen=True)
class Served:
    """What an act served. reached: the name of what was found, taken, put ... by it, else ""."""

    step: int
    act: str
    subgoal: str
    reached: str = ""


def served(opening: str, steps: Iterable[Step]) -> Iterator[Served]:
    """One for each act: a subgoal, a detour (it did something else), or it led nowhere."""
    know = Belief.begin(opening)
    for i, step in enumerate(steps, start=1):
        if step.action is None:
            continue
        act, text = step.action.strip(), step.observation or ""
        move, before = served_by(know, act), in_sight(know)
        know.see(act, text)
        if NOTHING in text:
            yield Served(i, act, NOWHERE)
        elif move is None:
            yield Served(i, act, DETOUR)
        else:
            name = VERBS[know.goal.need] if move.aim == "make" else move.aim
            reached = move.place if move.aim in ("put", "light") else move.thing
            if move.aim == "find":
                reached = ", ".join(sorted(in_sight(know) - before))
            elif act.startswith(ON_THE_WAY):
                reached = ""
            yield Served(i, act, name, reached)


def served_by(know: Belief, act: str) -> Move | None:
    """The move of a sensible player that this act is, whether or not it is the best one."""
    goal = know.goal
    holds_it = bool(know.held) and kind_of(know.held) == goal.object
    moves = know.use(know.held) if holds_it else iter(()) if know.held else know.take()
    if not holds_it or goal.count > 1:
        moves = itertools.chain(moves, know.search(goal.object))
    for move in moves:
        opens = move.aim == "make" and act == f"open {move.place}" and know.at == move.place
        if act == move.act or opens:
            return move
    lamp = act.removeprefix("use ")
    if lamp != act and kind_of(lamp) == goal.lamp:
        return Move(act, "light", lamp, lamp)  # before the thing is in hand it counts as well
    return None


def in_sight(belief: Belief) -> set[str]:
    """What the task is about, as far as it was seen and lies somewhere."""
    wanted = (belief.goal.object, belief.goal.lamp)
    return {thing for kind in wanted if kind for thing, _ in belief.where(kind)}
