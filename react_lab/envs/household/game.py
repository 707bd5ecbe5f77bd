"""A household game: what never changes in it, a state of it, and its goal.

Things go by the names that the player reads: `fridge 1`, `apple 2`.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from sys import intern
from typing import Any

# How a game words its acts and answers, as ALFWorld of today or as the paper, its grammar tells:
# `move X to Y` or `put X in/on Y`, an arrival at a receptacle or at a numbered spot, help or none.
LONGEST = 1 << 20  # characters of a grammar or a problem; the longest real one has 60,000
ACT = re.compile(r'^action (\w+) \{\s*template :: "([^"]*)"', re.M)
PUTS = {  # the act, and what is said of it
    "put {o} in/on {r}": "You put the {o} in/on the {r}.",
    "move {o} to {r}": "You move the {o} to the {r}.",
}
ARRIVALS = ("You arrive at {r.name}. #examine", "You arrive at {lend.name}. #examine")
GOAL = re.compile(r'"rhs": "Your task is to: ([^"\n\\]*)"')
HELP = re.compile(r'Available commands:[^"]*')
ODD = re.compile(r"[;|<>\[\]#{}\"\\\n]")  # what the grammar would not read as plain text


@dataclass(frozen=True)
class Wording:
    put: str = "put {o} in/on {r}"
    numbers_spots: bool = True  # "You arrive at loc 12." instead of "You arrive at fridge 1."
    help: str | None = None
    cleans: tuple[str, ...] = ("sinkbasin", "sink")  # where things can be cleaned


PAPER = Wording()


def goal_of(grammar: str) -> str:
    """What the grammar of a game says its task is."""
    if len(grammar) > LONGEST:
        raise ValueError(f"its grammar has more than {LONGEST} characters")
    found = GOAL.search(grammar)
    if found is None:
        raise ValueError("its grammar does not say what the task is")
    return plain_goal(found[1])


def plain_goal(text: str) -> str:
    """A task in words that a grammar can hold."""
    if ODD.search(text) or not text.strip():
        raise ValueError(f"{text[:60]!r} are no plain words for a task")
    return text


@lru_cache(maxsize=8)
def wording_of(grammar: str, domain: str) -> Wording:
    """The wording of a game file, or a ValueError for one that is not ALFWorld's.

    grammar: without its goal; so all games of a release share it.
    """
    if max(len(grammar), len(domain)) > LONGEST:
        raise ValueError(f"its grammar or domain has more than {LONGEST} characters")
    acts = dict(ACT.findall(grammar))
    said = PUTS.get(acts.get("PutObject", ""))
    arrival = [text in grammar for text in ARRIVALS]
    if said is None or said.format(o="{o.name}", r="{r.name}") not in grammar or sum(arrival) != 1:
        raise ValueError("its grammar puts things down or arrives in words that are not ALFWorld's")
    rules = " ".join(re.sub(r";[^\n]*", "", domain).lower().split())
    if "(define (domain alfred)" not in rules or "(receptacletype ?r sinkbasintype)" not in rules:
        raise ValueError("its rules (pddl_domain) are not those of ALFWorld")
    sinks = ("sinkbasin", "sink") if "(receptacletype ?r sinktype)" in rules else ("sinkbasin",)
    helps = HELP.search(grammar) if "(:action help" in rules and "help" in acts else None
    help = helps and helps[0].replace("\\n", "\n")
    return Wording(acts["PutObject"], arrival[1], help, sinks)


Pair = tuple[str, str]
ABLE = (
    "pickupable", "cleanable", "heatable", "coolable", "sliceable", "toggleable",
    "isreceptacleobject",
)  # fmt: skip


@dataclass(frozen=True)
class State:
    """All that can change. It is a value: to keep, compare or fork it, no copy is needed."""

    at: str  # the spot where the player is; several receptacles may share one
    inside: frozenset[Pair]  # (object, receptacle)
    lying: frozenset[Pair]  # (object, spot), as the rules keep it: only slicing and `look` use it
    opened: frozenset[str] = frozenset()
    clean: frozenset[str] = frozenset()
    hot: frozenset[str] = frozenset()
    cool: frozenset[str] = frozenset()
    sliced: frozenset[str] = frozenset()
    on: frozenset[str] = frozenset()
    held: str | None = None
    taken: frozenset[Pair] = frozenset()  # (object, receptacle) that it was taken from


@dataclass(frozen=True)
class Game:
    """What never changes in a game."""

    task: str  # put a clean lettuce in countertop.
    goal: Goal
    wording: Wording
    spots: Mapping[str, str]  # each receptacle's, in the order in which they are listed
    order: Mapping[str, int]  # of all things, as they are listed
    kinds: Mapping[str, str]  # `fridge 1` is a fridge
    openable: frozenset[str]
    able: Mapping[str, frozenset[str]]  # pickupable: the objects that can be picked up, ...
    fits: frozenset[Pair]  # (kind of receptacle, kind of object)
    holds: Mapping[str, tuple[str, ...]]  # what is in a bowl or box; it stays as it was at first
    start: State

    def listed(self, names: Iterable[str]) -> list[str]:
        return sorted(names, key=self.order.__getitem__)

    def won(self, state: State) -> bool:
        kinds, goal = self.kinds, self.goal
        if goal.type == LOOK:
            lit = any(
                kinds.get(lamp) == goal.target and self.spots.get(where) == state.at
                for lamp, where in state.inside
                if lamp in state.on and lamp in self.able["toggleable"]
            )
            return lit and state.held is not None and kinds.get(state.held) == goal.object
        there = Counter(
            where
            for thing, where in state.inside
            if kinds.get(thing) == goal.object
            and kinds.get(where) == goal.target
            and self.ready(thing, state)
        )
        return bool(there) and max(there.values()) >= (2 if goal.type == TWO else 1)

    def ready(self, thing: str, state: State) -> bool:
        """Was it cleaned, heated or cooled, if the goal asks for it?"""
        match NEEDS.get(self.goal.type):
            case (able, done):
                marks = {"isclean": state.clean, "ishot": state.hot, "iscool": state.cool}
                return thing in self.able[able] and thing in marks[done]
        return True


# ---------------------------------------------------------------------- a problem's text

# PDDL, a language of nested lists, of which ALFWorld uses little. It may come from anywhere:
# whatever else it holds is a ValueError in one sentence.
Fact = tuple[str, ...]
DEEPEST = 20  # lists inside each other
TOKEN = re.compile(r"[()]|[^\s()]+")
COMMENT = re.compile(r";[^\n]*")
PREDICATES = {  # what may hold at first, and of how many things
    **dict.fromkeys((*ABLE, "isclean", "ishot", "iscool", "istoggled", "issliced"), 1),
    **dict.fromkeys(("openable", "opened"), 1),
    **dict.fromkeys(("atlocation", "receptacleatlocation", "objectatlocation"), 2),
    **dict.fromkeys(("inreceptacle", "inreceptacleobject"), 2),
    **dict.fromkeys(("receptacletype", "objecttype", "cancontain"), 2),
}


def read_problem(text: str) -> tuple[frozenset[Fact], list[Any]]:
    """The facts and the goal in a PDDL text, in lower case as the real engine reads it."""
    define, *parts = nested(text)
    if define != "define" or not all(isinstance(part, list) and part for part in parts):
        raise ValueError("its problem does not begin with (define ...)")
    sections = {part[0]: part[1:] for part in parts if isinstance(part[0], str)}
    for name in (":init", ":goal"):
        if name not in sections:
            raise ValueError(f"its problem has no section {name}")
    if sections.get(":domain") != ["alfred"]:
        raise ValueError("its problem is none of ALFWorld's: its domain is not alfred")
    facts = frozenset(read_fact(fact) for fact in sections[":init"] if fact[:1] != ["="])  # costs
    return facts, sections[":goal"]


def nested(text: str) -> list[Any]:
    """`(a (b c))` -> ["a", ["b", "c"]], in lower case, without comments."""
    if len(text) > LONGEST:
        raise ValueError(f"its problem has more than {LONGEST} characters")
    if not text.isascii():
        raise ValueError("its problem has a character that is not ASCII")
    stack: list[list[Any]] = [[]]
    for token in TOKEN.findall(COMMENT.sub("", text).lower()):
        if token == "(":
            stack.append([])
            if len(stack) > DEEPEST:
                raise ValueError("its problem has lists inside lists, too many to follow")
        elif token == ")":
            inner = stack.pop()
            if not stack:
                raise ValueError("its problem has a closing bracket too many")
            stack[-1].append(inner)
        else:
            stack[-1].append(intern(token))
    if len(stack) != 1 or len(stack[0]) != 1 or not isinstance(stack[0][0], list):
        raise ValueError("its problem is not one list in brackets")
    whole: list[Any] = stack[0][0]
    if not whole:
        raise ValueError("its problem is empty")
    return whole


def read_fact(fact: Any) -> Fact:
    words = fact if isinstance(fact, list) and all(isinstance(w, str) for w in fact) else []
    if not words or PREDICATES.get(words[0]) != len(words) - 1:
        raise ValueError(f"its :init holds {str(fact)[:60]!r}, which is no fact of a household")
    return tuple(words)


# ---------------------------------------------------------------------- reading


def read_game(file: Mapping[str, Any]) -> Game:
    """The game in the JSON of a `game.tw-pddl` file, or a ValueError that says what is wrong."""
    match file:
        case {"pddl_problem": str(problem), "grammar": str(grammar), "pddl_domain": str(domain)}:
            return game_of(problem, goal_of(grammar), wording_of(GOAL.sub("", grammar), domain))
    raise ValueError("it lacks one of the texts pddl_problem, grammar and pddl_domain")


def game_of(problem: str, task: str, wording: Wording) -> Game:
    """The game of a problem's text, of what its task is in words, and of its wording."""
    facts, goal = read_problem(problem)
    name = names_of(facts)

    def of(predicate: str) -> frozenset[str]:
        return frozenset(name[fact[1]] for fact in facts if fact[0] == predicate)

    def ids(predicate: str) -> list[Pair]:
        return sorted((fact[1], fact[2]) for fact in facts if fact[0] == predicate)

    def pairs(predicate: str) -> frozenset[Pair]:
        return frozenset((name[a], name[b]) for a, b in ids(predicate))

    kinds = {name[id]: kind(type) for id, type in ids("objecttype")}
    kinds |= {name[id]: kind(type) for id, type in ids("receptacletype")}
    for predicate in ("receptacletype", "receptacleatlocation", "objecttype"):
        things = [thing for thing, _ in ids(predicate)]
        if len(set(things)) < len(things):
            raise ValueError(f"its :init says {predicate} twice of one thing")
    players = ids("atlocation")
    if len(players) != 1:
        raise ValueError(f"its :init has {len(players)} players; a household has one")
    holds: dict[str, tuple[str, ...]] = {}
    for thing, container in ids("inreceptacleobject"):
        if thing != container:
            holds[name[container]] = (*holds.get(name[container], ()), name[thing])
    return Game(
        task=task,
        goal=read_goal(goal),
        wording=wording,
        spots={name[r]: name[spot] for r, spot in ids("receptacleatlocation")},
        order={name[id]: i for i, id in enumerate(name)},
        kinds=kinds,
        openable=of("openable"),
        able={trait: of(trait) for trait in ABLE},
        fits=frozenset((kind(r), kind(o)) for r, o in ids("cancontain")),
        holds=holds,
        start=State(
            at=name[players[0][1]],
            inside=pairs("inreceptacle"),
            lying=pairs("objectatlocation"),
            opened=of("opened"),
            clean=of("isclean"),
            hot=of("ishot"),
            cool=of("iscool"),
            sliced=of("issliced"),
            on=of("istoggled"),
        ),
    )


def names_of(facts: Iterable[Fact]) -> dict[str, str]:
    """`apple_bar__plus_01` -> `apple 2`: among its like, the first id has the highest number."""
    ids = sorted({id for fact in facts for id in fact[1:]})
    left = Counter(map(stem_of, ids))
    names = {}
    for id in ids:
        stem = stem_of(id)
        number = left[stem] if "_bar_" in id else ""  # without: the real engine leaves a space
        names[id] = intern(f"{stem} {number}")
        left[stem] -= 1
    return names


def stem_of(id: str) -> str:
    stem, bar, _ = id.partition("_bar_")
    return f"{stem}basin" if bar and "basin" in id else stem


# ------------------------------------------------------------------ goal

NEEDS = {  # the types of task that end with putting one thing, and what it must be by then
    "pick_and_place_simple": (),
    "pick_clean_then_place_in_recep": ("cleanable", "isclean"),
    "pick_heat_then_place_in_recep": ("heatable", "ishot"),
    "pick_cool_then_place_in_recep": ("coolable", "iscool"),
}
TWO, LOOK = "pick_two_obj_and_place", "look_at_obj_in_light"
TYPES = (*NEEDS, LOOK, TWO)
ONE_GOAL = "(:goal (and (exists (?r - receptacle) (exists (?o - object) (and {needs}{put})))))"
PUT = "(objecttype {o} {object}type) (receptacletype ?r {target}type) (inreceptacle {o} ?r)"
TWO_GOAL = (
    "(:goal (and (exists (?r - receptacle) (exists (?o1 - object) (and {one} "
    "(exists (?o2 - object) (and (not (= ?o1 ?o2)) {two})))))))"
)
LOOK_GOAL = (
    "(:goal (and (exists (?ot - object ?r - receptacle ?a - agent ?l - location) (and "
    "(objecttype ?ot {target}type) (toggleable ?ot) (istoggled ?ot) (receptacleatlocation ?r ?l) "
    "(atlocation ?a ?l) (inreceptacle ?ot ?r))) (exists (?o - object ?a - agent) (and "
    "(objecttype ?o {object}type) (holds ?a ?o)))))"
)


@dataclass(frozen=True)
class Goal:
    """Of a type of task: which kind of object, and where to put it, or under which lamp."""

    type: str
    object: str
    target: str

    @property
    def text(self) -> str:
        """The goal as a problem of ALFWorld has it."""
        kinds = {"object": self.object, "target": self.target}
        if self.type == LOOK:
            return LOOK_GOAL.format(**kinds)
        if self.type == TWO:
            one, two = (PUT.format(o=name, **kinds) for name in ("?o1", "?o2"))
            return TWO_GOAL.format(one=one, two=two)
        needs = "".join(f"({need} ?o) " for need in NEEDS[self.type])
        return ONE_GOAL.format(needs=needs, put=PUT.format(o="?o", **kinds))


def kind(type: str) -> str:
    """`countertoptype` -> `countertop`."""
    if not type.endswith("type"):
        raise ValueError(f"its type {type[:60]!r} does not end with Type")
    return intern(type.removesuffix("type"))


def read_goal(goal: list[Any]) -> Goal:
    """Which of the six goals it is, whatever the order of its conditions."""
    wanted = conditions(goal)
    named = {fact[-1] for fact in wanted if fact[0] in ("objecttype", "receptacletype")}
    kinds = [intern(name.removesuffix("type")) for name in sorted(named)[:2]]
    for type, thing, target in itertools.product(TYPES, kinds, kinds):
        if conditions_of(found := Goal(type, thing, target)) == wanted:
            return found
    raise ValueError("its goal is none of the six of ALFWorld")


@lru_cache(maxsize=1024)
def conditions_of(goal: Goal) -> frozenset[Fact]:
    return conditions(nested(goal.text))


def conditions(part: list[Any]) -> frozenset[Fact]:
    """The innermost lists of a goal, but for those that declare a variable."""
    inner = [one for one in part if isinstance(one, list)]
    if inner:
        return frozenset().union(*map(conditions, inner))
    return frozenset() if not part or "-" in part else frozenset([tuple(part)])


# ------------------------------------------------------------------ things


def words_in(table: str) -> dict[str, tuple[str, ...]]:
    """A table of things.toml, each entry as its words, in their order."""
    whole = tomllib.loads(Path(__file__).with_name("things.toml").read_text(encoding="utf-8"))

    def words(text: str) -> Iterator[str]:
        for word in text.split():
            yield from words(whole["groups"][word]) if word.isupper() else (word,)

    return {name: tuple(words(text)) for name, text in whole[table].items()}


TRAITS: Mapping[str, tuple[str, ...]] = {  # of each kind of object
    kind: tuple(traits.split()) for traits, kinds in words_in("traits").items() for kind in kinds
}
FITS = {kind: frozenset(things) for kind, things in words_in("fits").items()}  # on, in a receptacle
LAMPS = ("desklamp", "floorlamp")
OPENABLE = ("cabinet", "drawer", "fridge", "microwave", "safe")  # unless a game says otherwise
