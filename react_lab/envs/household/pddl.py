"""Reads the problem text of a household game: what there is, what holds at first, and the goal.

The text is PDDL, a language of nested lists, of which ALFWorld uses little. It may come from
anywhere: whatever else it holds is a ValueError in one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from sys import intern
from typing import Any

Fact = tuple[str, ...]
LONGEST = 1 << 20  # characters of a problem; the longest of the real ones has 60,000
DEEPEST = 20  # lists inside each other
TOKEN = re.compile(r"[()]|[^\s()]+")
COMMENT = re.compile(r";[^\n]*")
TYPES = ("agent", "location", "receptacle", "object", "rtype", "otype")
TRAITS = (  # what may hold of an object alone
    "isreceptacleobject", "isclean", "cleanable", "ishot", "heatable", "iscool", "coolable",
    "pickupable", "toggleable", "istoggled", "sliceable", "issliced",
)  # fmt: skip
PREDICATES: Mapping[str, Fact] = {  # what may hold at first, and of what
    "atlocation": ("agent", "location"),
    "receptacleatlocation": ("receptacle", "location"),
    "objectatlocation": ("object", "location"),
    "openable": ("receptacle",),
    "opened": ("receptacle",),
    "inreceptacle": ("object", "receptacle"),
    "inreceptacleobject": ("object", "object"),
    "receptacletype": ("receptacle", "rtype"),
    "cancontain": ("rtype", "otype"),
    "objecttype": ("object", "otype"),
    **dict.fromkeys(TRAITS, ("object",)),
}


@dataclass(frozen=True)
class Problem:
    """What a problem says, in lower case as the real engine reads it. Each thing has its type."""

    things: Mapping[str, str]
    facts: frozenset[Fact]
    goal: list[Any]

    def pairs(self, predicate: str) -> list[tuple[str, str]]:
        """The facts of a predicate with two arguments, in the order of their ids."""
        return sorted((fact[1], fact[2]) for fact in self.facts if fact[0] == predicate)

    def all(self, predicate: str) -> list[str]:
        """The things of which a predicate with one argument holds."""
        return [fact[1] for fact in self.facts if fact[0] == predicate]


def read_problem(text: str) -> Problem:
    """The problem in a PDDL text, or a ValueError."""
    define, *parts = nested(text)
    if define != "define" or not all(isinstance(part, list) and part for part in parts):
        raise ValueError("its problem does not begin with (define ...)")
    sections = {part[0]: part[1:] for part in parts if isinstance(part[0], str)}
    for name in (":objects", ":init", ":goal"):
        if name not in sections:
            raise ValueError(f"its problem has no section {name}")
    if sections.get(":domain") != ["alfred"]:
        raise ValueError("its problem is none of ALFWorld's: its domain is not alfred")
    things = read_things(sections[":objects"])
    facts = frozenset(read_fact(fact, things) for fact in sections[":init"] if is_fact(fact))
    return Problem(things, facts, sections[":goal"])


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


def read_things(words: list[Any]) -> dict[str, str]:
    """`a b - object c - receptacle` -> each thing's type."""
    things: dict[str, str] = {}
    waiting: list[str] = []
    rest = iter(words)
    for word in rest:
        if not isinstance(word, str):
            raise ValueError("its :objects hold a list")
        if word != "-":
            waiting.append(word)
            continue
        kind = next(rest, None)
        if kind not in TYPES:
            raise ValueError(f"its :objects name {str(kind)[:60]!r}, which is no type of thing")
        for thing in waiting:
            if thing in things:
                raise ValueError(f"its :objects name {thing[:60]!r} twice")
            things[thing] = kind
        waiting = []
    if waiting:
        raise ValueError(f"its :objects do not say what {waiting[0][:60]!r} is")
    return things


def is_fact(fact: Any) -> bool:
    """Costs and distances, `(= (total-cost) 0)`, are none."""
    return not (isinstance(fact, list) and fact and fact[0] == "=")


def read_fact(fact: Any, things: Mapping[str, str]) -> Fact:
    words = fact if isinstance(fact, list) and all(isinstance(w, str) for w in fact) else []
    wanted = PREDICATES.get(words[0]) if words else None
    if wanted is None:
        raise ValueError(f"its :init holds {str(fact)[:60]!r}, which is no fact of a household")
    if tuple(things.get(word) for word in words[1:]) != wanted:
        raise ValueError(f"its :init says {words[0]} of the wrong things: {' '.join(words)[:80]}")
    return tuple(words)
