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

if TYPE_CHECKING:
    from shop.wares import Ware

__all__ = ["bullets", "description", "places"]

PLACES = (("title", 0.35), ("label", 0.64), ("description", 0.76), ("words", 1.0))
HEADS = ("{head}: {text}", "{HEAD} - {text}", "【{head}】{text}", "✔ {head}: {text}", "{head}. {text}",
         "★{HEAD}★ {text}", "{head} - {text}", "[{head}] {text}")  # fmt: skip
SAID = ("This {thing} is {label}: {words}.", "{Label}: {words}.", "{Label} {thing}, {words}.",
        "Yes, it is {label}: {words}.", "{Words}. In short: {label}.")  # fmt: skip
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
    "{brand} has made {name} since a kitchen table was our whole workshop.",
    "Meet the {word} {thing} from {brand}.",
    "A {word} {thing}, {use}.",
    "Looking for {thing}, {use}? {brand} listened.",
    "We tried forty kinds of {thing} before we settled on this one.",
    "{Name} by {brand}: {word}, {second}.",
    "The {thing} our own families use.",
    "{brand} keeps it simple.",
)
CLOSERS = (
    "Think of it: {use}.",
    "Order by noon, it leaves our door the same day.",
    "A nice present as well.",
    "{second} as it should be.",
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
    said = [labelled(ware, label, pick) for label in labels]
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
    if pick.random() < 0.2:
        return text
    head = pick.choice([*ware.words, *ware.uses, ware.name, *TOPICS, f"{ware.brand} {ware.name}"])
    head = head[:1].upper() + head[1:]
    return pick.choice(HEADS).format(head=head, HEAD=head.upper(), text=text)


def labelled(ware: Ware, label: str, pick: random.Random) -> str:
    words, thing = words_for(label, pick), ware.goods.query
    return pick.choice(SAID).format(
        thing=thing, label=label, Label=label.capitalize(), words=words, Words=upper(words)
    )


def filled(text: str, ware: Ware) -> str:
    word, second = (word.lower() for word in ware.words)
    text = text.replace("A {word}", f"An {word}" if word[0] in "aeio8" else f"A {word}")
    text = text.format(
        brand=ware.brand, name=ware.name.lower(), Name=ware.name, thing=ware.goods.query,
        word=word, second=second, use=ware.uses[0].lower(),
    )  # fmt: skip
    return upper(text)


def words_for(label: str, pick: random.Random) -> str:
    return pick.choice(sayings()[label])


def sentence(words: str) -> str:
    return f"{upper(words)}."


def upper(text: str) -> str:
    return text[:1].upper() + text[1:]
