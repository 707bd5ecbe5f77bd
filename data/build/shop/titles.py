"""Titles as sellers on a marketplace write them: too long, and full of words to be found by."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shop.wares import Ware

__all__ = ["capitals", "title"]

JOINTS = (", ", ", ", ", ", " ", " ", " - ", " | ", "; ")
PREFIXES = ("New ", "[Upgraded] ", "Premium ", "2 Styles! ", "Gift Idea: ", "Original ")
BRANDED, SHOUTED, PREFIXED = 0.88, 0.12, 0.05
TWICE, SECOND, USED, SHOWN = 0.4, 0.5, 0.8, 0.4
HYPHEN, LOUD = 0.2, 0.06
SMALL = ("and", "with", "for", "of", "in", "no")


def title(ware: Ware, labels: Sequence[str], pick: random.Random) -> str:
    """The title of a product; labels: what it says there of what a buyer may ask for."""
    head = " ".join([*branded(ware, pick), ware.words[0], ware.name])
    tail = [loud(label, pick) for label in labels]
    tail += [use for use in ware.uses if pick.random() < USED]
    if pick.random() < SECOND:
        tail.append(ware.words[1])
    others = [name for name in ware.goods.names if name != ware.name]
    if pick.random() < TWICE:
        tail.append(pick.choice(others))
    pick.shuffle(tail)
    if labels and pick.random() < 0.25:  # what is asked for stands before the name
        first = loud(labels[0], pick)
        tail = [part for part in tail if plain(part) != plain(first)]
        head = f"{first} {head}" if pick.random() < 0.5 else f"{head} {first}"
    joint = pick.choice(JOINTS)
    text = head
    for part in tail:
        text += (pick.choice(JOINTS) if pick.random() < 0.2 else joint) + part
    return text + shown(ware, pick)


def branded(ware: Ware, pick: random.Random) -> list[str]:
    brand = [ware.brand] if pick.random() < BRANDED else []
    if brand and pick.random() < SHOUTED:
        brand = [ware.brand.upper()]
    prefix = [pick.choice(PREFIXES).strip()] if pick.random() < PREFIXED else []
    return prefix + brand


def shown(ware: Ware, pick: random.Random) -> str:
    """What the picture shows, in brackets: one value of each option, which is not all there is."""
    if not ware.options or pick.random() > SHOWN:
        return ""
    values = [capitals(pick.choice(values)) for values in ware.options.values()]
    some = values if pick.random() < 0.5 else values[:1]
    return f" ({', '.join(some)})" if pick.random() < 0.7 else f" - {some[-1]}"


def loud(label: str, pick: random.Random) -> str:
    """A label as it stands in a title: with capitals, now and then with a hyphen."""
    text = label.upper() if pick.random() < LOUD else capitals(label)
    return text.replace(" ", "-", 1) if pick.random() < HYPHEN else text


def capitals(text: str) -> str:
    words = text.split(" ")
    return " ".join(w if i and w in SMALL else w[:1].upper() + w[1:] for i, w in enumerate(words))


def plain(text: str) -> str:
    return text.lower().replace("-", " ")
