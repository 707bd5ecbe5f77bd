"""The goals of the six types of task, and how a problem's text says them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from sys import intern
from typing import Any

__all__ = ["LOOK", "NEEDS", "TWO", "TYPES", "Goal", "read_goal"]

NEEDS = {  # the types of task that end with putting one thing, and what it must be by then
    "pick_and_place_simple": (),
    "pick_clean_then_place_in_recep": ("cleanable", "isclean"),
    "pick_heat_then_place_in_recep": ("heatable", "ishot"),
    "pick_cool_then_place_in_recep": ("coolable", "iscool"),
}
TWO, LOOK = "pick_two_obj_and_place", "look_at_obj_in_light"
TYPES = (*NEEDS, LOOK, TWO)
Atoms = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class Goal:
    """Of a type of task: which kind of object, and where to put it, or under which lamp."""

    type: str
    object: str
    target: str


def kind(type: str) -> str:
    """`countertoptype` -> `countertop`."""
    if not type.endswith("type"):
        raise ValueError(f"its type {type[:60]!r} does not end with Type")
    return intern(type.removesuffix("type"))


def read_goal(goal: list[Any]) -> Goal:
    """Which of the six goals it is, whatever the order of its conditions."""
    variables: dict[str, str] = {}
    atoms = frozenset(atom for part in goal for atom in flat(part, variables))
    objects = [name for name, type in variables.items() if type == "object"]
    role = {type: name for name, type in variables.items() if type != "object"}
    if 1 <= len(objects) <= 2 and len(role) + len(objects) == len(variables):
        kinds = {atom[1]: atom[2] for atom in atoms if atom[0].endswith("type")}
        for o, other in ((objects[0], objects[-1]), (objects[-1], objects[0])):
            for type, target, wanted in known(o, other, role, kinds):
                if wanted == atoms:
                    return Goal(type, kind(kinds[o]), kind(kinds[target]))
    raise ValueError("its goal is none of the six of ALFWorld")


def flat(part: Any, variables: dict[str, str]) -> Iterator[tuple[str, ...]]:
    """The conditions of a goal; `and` and `exists` around them only add variables."""
    match part:
        case ["and", *parts]:
            for inner in parts:
                yield from flat(inner, variables)
        case ["exists", [*words], inner] if all(isinstance(word, str) for word in words):
            declare(words, variables)
            yield from flat(inner, variables)
        case ["not", ["=", str(a), str(b)]]:
            yield ("differ", *sorted((a, b)))
        case [*words] if words and all(isinstance(word, str) for word in words):
            if words[0].endswith("type") and len(words) != 3:
                raise ValueError(f"its goal says {words[0]} of the wrong things")
            yield tuple(words)
        case _:
            raise ValueError("its goal is none of the six of ALFWorld")


def declare(words: list[str], variables: dict[str, str]) -> None:
    """`?o - object ?a - agent`: each variable's type; only the one player may come twice."""
    for name, dash, type in zip(words[::3], words[1::3], words[2::3], strict=False):
        if len(words) % 3 or dash != "-" or variables.get(name, "agent") != "agent":
            raise ValueError("its goal declares its variables as ALFWorld does not")
        variables[name] = type


def known(
    o: str, other: str, role: dict[str, str], kinds: dict[str, str]
) -> Iterator[tuple[str, str, Atoms]]:
    """Each goal in these variables: its type, the variable of its target, its conditions."""
    a, r, spot = (role.get(type, "") for type in ("agent", "receptacle", "location"))

    def put(thing: str) -> Atoms:
        target = ("receptacletype", r, kinds.get(r, ""))
        return frozenset(
            {target, ("objecttype", thing, kinds.get(o, "")), ("inreceptacle", thing, r)}
        )

    for type, needs in NEEDS.items():
        yield type, r, put(o) | {(need, o) for need in needs}
    yield TWO, r, put(o) | put(other) | {("differ", *sorted((o, other)))}
    lit = {("toggleable", other), ("istoggled", other), ("inreceptacle", other, r)}
    here = {("receptacleatlocation", r, spot), ("atlocation", a, spot)}
    shown = {("objecttype", thing, kinds.get(thing, "")) for thing in (o, other)}
    yield LOOK, other, frozenset(lit | here | shown | {("holds", a, o)})
