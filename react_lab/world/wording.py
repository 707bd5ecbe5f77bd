"""A relation in words: how a fact is asked for, described, stated, and looked up.

`{p}` is the page the fact stands on, `{v}` its value, `{d}` any description of a thing. A relation
that `describes` can be the bridge of a question: "the director of Jaws" stands for its value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Relation", "measure", "person", "place", "thing", "years"]

Kind = Literal["who", "where", "year", "number", "what"]


@dataclass(frozen=True)
class Relation:
    kind: Kind
    seek: str  # what an agent says it is looking for
    says: tuple[str, ...]  # the fact as a statement
    asks: tuple[str, ...] = ()  # the fact as a question
    describes: tuple[str, ...] = ()  # its value, by way of the page
    keys: tuple[str, ...] = ()  # beginnings of words worth looking up


def years(what: str, was: str, done: str, *keys: str) -> Relation:
    """A year in which something happened: `{d} was born`, `the birth of {d}`."""
    return Relation(
        "year",
        f"the year in which {{p}} {was}",
        (
            f"{{p}} {was} in {{v}}.",
            f"The {what} of {{p}} took place in {{v}}.",
            f"In {{v}} {{p}} {was}.",
        ),
        (
            f"In which year {done}?",
            f"In what year {done}?",
            f"When {done}?",
            f"What is the year of the {what} of {{d}}?",
        ),
        (),
        keys,
    )


def person(noun: str, did: str, stated: str, *keys: str) -> Relation:
    """Somebody who made or led something: `the director of {p}`, `directed {p}`."""
    return Relation(
        "who",
        f"the {noun} of {{p}}",
        (f"{stated}.", f"The {noun} of {{p}} was {{v}}.", f"It was {{v}} who {did} {{p}}."),
        (
            f"Who {did} {{d}}?",
            f"Who was the {noun} of {{d}}?",
            f"What is the name of the {noun} of {{d}}?",
            f"By what name is the {noun} of {{d}} known?",
        ),
        (f"the {noun} of {{p}}", f"the person who {did} {{p}}", f"whoever {did} {{p}}"),
        keys,
    )


def place(
    seek: str, says: tuple[str, ...], asks: tuple[str, ...], describes: tuple[str, ...], *keys: str
) -> Relation:
    return Relation("where", seek, says, asks, describes, keys)


def thing(
    seek: str, says: tuple[str, ...], asks: tuple[str, ...], describes: tuple[str, ...], *keys: str
) -> Relation:
    return Relation("what", seek, says, asks, describes, keys)


def measure(noun: str, unit: str, *keys: str) -> Relation:
    one = "an" if noun[0] in "aeiou" else "a"
    return Relation(
        "number",
        f"the {noun} of {{p}}",
        (f"The {noun} of {{p}} is {{v}} {unit}.", f"{{p}} has {one} {noun} of {{v}} {unit}."),
        (
            f"What is the {noun} of {{d}} in {unit}?",
            f"How many {unit} is the {noun} of {{d}}?",
            f"What {noun}, in {unit}, does {{d}} have?",
        ),
        (),
        keys,
    )
