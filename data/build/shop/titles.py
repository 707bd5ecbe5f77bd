"""Titles as sellers write them: what it is, what it is like, for whom, and one that is in stock."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shop.wares import Ware

__all__ = ["SAID", "WITH", "capitals", "listed", "title"]

BRANDED, USED, SHOWN, BEFORE, HYPHEN = 0.85, 0.6, 0.4, 0.35, 0.15
JOINTS = (", ", ", ", " - ", " | ")
SMALL = ("and", "with", "for", "of", "in", "no", "or", "the", "to", "x", "mm", "oz", "fl", "lb")
CODE = re.compile(r"^0\d ")  # a seller's own number of a color
LETTERS = re.compile(r"\b(usb|bpa|rgb|uv|gmo|tv|spf|xx(?=-)|x(?=-))\b", re.I)


def listed(text: str) -> frozenset[str]:
    return frozenset(re.split(r",\s+", text.strip()))


WITH = listed("""
adjustable strap, ankle support, arch support, button closure, carrying strap, drainage holes,
elastic waist, laptop compartment, lumbar support, memory foam, remote control, removable cover,
resealable bag, rubber sole, storage space, stereo sound, swivel seat, usb port, zipper closure,
reflective stitching, long battery life, ergonomic design, stretch fabric
""")  # what a thing has, and not how it is
SAID = {  # how a title, or a wish, says what stands before no name
    "sensitive skin": "for sensitive skin", "damaged hair": "for damaged hair", "with pockets": "with pockets",
    "no artificial colors": "no artificial colors", "batteries included": "batteries included",
    "machine wash and dry": "machine wash and dry", "individually wrapped": "individually wrapped",
}  # fmt: skip


def title(ware: Ware, labels: Sequence[str], pick: random.Random) -> str:
    """The title of a product; labels: what it says there of what a buyer may ask for."""
    head, joint = ware.name, pick.choice(JOINTS)
    tail = [said(label, pick) for label in labels]
    if labels and labels[0] not in WITH and labels[0] not in SAID and pick.random() < BEFORE:
        head, tail = f"{tail[0]} {head}", tail[1:]
    if pick.random() < BRANDED:
        head = f"{ware.brand} {head}"
    if pick.random() < USED and not all(twice(use, head) for use in ware.uses):
        use = next((use for use in ware.uses if not twice(use, head)), "")
        if use.startswith("for ") and pick.random() < 0.5:
            head = f"{head} {use}"
        else:
            tail.append(use[:1].upper() + use[1:])
    return joint.join([head, *tail]) + shown(ware, joint, pick)


def twice(use: str, head: str) -> bool:
    """Would a word of it stand in the title twice?"""
    return any(len(word) > 3 and word in head for word in use.split())


def shown(ware: Ware, joint: str, pick: random.Random) -> str:
    """What the picture shows: a value of each option, or of one, which is not all there is."""
    if not ware.options or pick.random() > SHOWN:
        return ""
    values = [capitals(CODE.sub("", pick.choice(some))) for some in ware.options.values()]
    some = values if pick.random() < 0.5 else values[-1:]
    inner = any("(" in value for value in some)
    return f" ({', '.join(some)})" if pick.random() < 0.5 and not inner else joint + ", ".join(some)


def said(label: str, pick: random.Random) -> str:
    """A label as it stands in a title: with capitals, now and then with a hyphen."""
    text = capitals(SAID.get(label, label))
    hyphened = label.endswith((" free", " resistant", " proof", " lined"))
    return text.replace(" ", "-", 1) if hyphened and pick.random() < HYPHEN else text


def capitals(text: str) -> str:
    words = [
        w if i and w in SMALL else w[:1].upper() + w[1:] for i, w in enumerate(text.split(" "))
    ]
    return LETTERS.sub(lambda found: found[0].upper(), " ".join(words))
