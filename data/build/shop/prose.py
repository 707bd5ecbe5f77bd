"""What a product's page says: its bullets and its description.

What a buyer may ask for is said by its label, or only in other words. So who reads finds it, and who
looks for the label alone does not always.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shop.titles import capitals
from shop.vocabulary import sayings
from shop.wishes import article

if TYPE_CHECKING:
    from shop.wares import Ware

__all__ = ["bullets", "description", "places"]

PLACES = (("title", 0.42), ("label", 0.8), ("description", 0.88), ("words", 1.0))
HEADS = (
    "{head}: {text}",
    "{HEAD}: {text}",
    "【{head}】{text}",
    "✔ {head}: {text}",
    "{head} - {text}",
)
SAID = ("{Label}: {words}.", "{Words}. In short: {label}.")
TOPICS = (
    "What you get",
    "Why you will like it",
    "Good to know",
    "Our promise",
    "Details",
    "Worth it",
)
SERVICE = (
    "Not happy? Write to us within 30 days.",
    "Please check the chart before you order.",
    "Colors may look a little different on your screen.",
    "Packed in plain cardboard, no plastic.",
    "A thank-you card comes with each order.",
    "Made in small runs, so batches differ a little.",
)
OPENERS = (
    "{brand} began when a kitchen table was our whole workshop.",
    "Looking for {a_thing}? {brand} listened.",
    "We tried forty kinds of {thing} before we settled on this one.",
    "{Name} by {brand}.",
    "{Name}, {use}.",
    "{brand} keeps it simple.",
)
CLOSERS = (
    "Order by noon, it leaves our door the same day.",
    "A nice present as well.",
    "Ask us anything about it.",
    "",
    "",
)
WORDED, SAYS, SERVED = 0.85, (1, 3), 0.15
LINES = 4  # of a page's bullets, about what a buyer may ask for


def places(labels: Sequence[str], pick: random.Random) -> dict[str, list[str]]:
    """Where each label is said: in the title, a bullet, the description, or only in other words."""
    found: dict[str, list[str]] = {place: [] for place, _ in PLACES}
    for label in labels:
        draw = pick.random()
        found[next(place for place, below in PLACES if draw < below)].append(label)
    while len(found["label"]) + len(found["words"]) > LINES:
        found["description"].append(found["words" if found["words"] else "label"].pop())
    return found


def bullets(ware: Ware, where: Mapping[str, Sequence[str]], pick: random.Random) -> list[str]:
    """Two to five lines about a product."""
    lines = [headed(label, words_for(label, pick), pick) for label in where["label"]]
    lines += [sentence(words_for(label, pick)) for label in where["words"]]
    if len(lines) < 3 and where["title"] and pick.random() < 0.4:
        lines.append(sentence(words_for(where["title"][0], pick)))
    more = max(2 - len(lines), min(5 - len(lines), pick.randint(*SAYS)))
    for say in pick.sample(ware.goods.say, more):
        lines.append(told(ware, say, pick))
    if pick.random() < SERVED and len(lines) < 5:
        lines.append(pick.choice(SERVICE))
    pick.shuffle(lines)
    return lines


def description(ware: Ware, labels: Sequence[str], pick: random.Random) -> str:
    """A few sentences about a product; of some products there are none."""
    said = [labelled(label, pick) for label in labels]
    if not said and pick.random() > WORDED:
        return ""
    parts = [filled(pick.choice(OPENERS), ware), *said, filled(pick.choice(CLOSERS), ware)]
    return " ".join(part for part in parts if part)


def headed(label: str, words: str, pick: random.Random) -> str:
    head, text = capitals(label), sentence(words)
    return pick.choice(HEADS).format(head=head, HEAD=head.upper(), text=text)


def told(ware: Ware, say: str, pick: random.Random) -> str:
    """A sentence about goods of this kind, mostly with some head before it."""
    text = filled(say, ware)
    if pick.random() < 0.6:
        return text
    head = pick.choice(TOPICS)
    return pick.choice(HEADS).format(head=head, HEAD=head.upper(), text=text)


def labelled(label: str, pick: random.Random) -> str:
    words = words_for(label, pick)
    return pick.choice(SAID).format(
        label=label, Label=label.capitalize(), words=words, Words=upper(words)
    )


def filled(text: str, ware: Ware) -> str:
    use = ware.uses[0][:1].lower() + ware.uses[0][1:]
    made = text.format(
        brand=ware.brand,
        Name=ware.name,
        thing=ware.goods.query,
        a_thing=article(ware.goods.query),
        use=use,
    )
    return upper(made)


def words_for(label: str, pick: random.Random) -> str:
    return pick.choice(sayings()[label])


def sentence(words: str) -> str:
    return f"{upper(words)}."


def upper(text: str) -> str:
    return text[:1].upper() + text[1:]
