"""Makes shopping goals: a product, what a buyer wants of it, and a wish that says so in words.

Two of three wishes are keywords, as in WebShop; one is in the words of a person. A price limit is
what such a thing costs and a little more, in round figures.
"""

from __future__ import annotations

import itertools
import json
import random
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from react_lab.envs.shop import Shop
from react_lab.envs.shop.products import with_bound
from react_lab.types import Task
from shop.oracle import play
from shop.programs import first_hit_named
from shop.titles import SAID, WITH, listed
from shop.vocabulary import spoken
from shop.wares import FAMILY, SEED, product, split_of
from shop.wishes import article, core

__all__ = ["bound", "goal", "goals", "kept_back", "task_of"]

FIRST = {"train": 10_001, "dev": 1001, "test": 1001}  # lower numbers are of the old shop
WANTED = (0.25, 0.8)  # of a hundred goals, how many want one thing, and how many at most two
OPTION = 0.85
LIMIT = (1.05, 1.6)  # of the price
OPENINGS = (
    "i am looking for {thing}", "i need {thing}", "i want {thing}", "find me {thing}",
    "i would like to buy {thing}", "show me {thing}", "looking for {thing}", "i'm shopping for {thing}",
    "i want to order {thing}", "i am after {thing}", "help me find {thing}", "{bare}",
)  # fmt: skip
PERSON = (
    "do you sell {thing}", "could you find me {thing}", "time for {thing}", "on my list today: {thing}",
    "i could use {thing}", "a friend told me to get {thing}", "i promised my sister {thing}",
    "it is time i bought {thing}", "can you help me choose {thing}", "next on my list: {thing}",
    "what i really need now: {thing}", "i have been meaning to get {thing}",
    "this week i need {thing}", "my cousin asked me for {thing}",
)  # fmt: skip
LIKE = (" that {is} {labels}", " which {is} {labels}", ", {labels}", ". {they} should be {labels}")
MUST = (". {they} must {all}", ", and {they} should {all}", ". {they} has to {all}")
NAMED = 0.7  # how often a person calls a thing's quality by its usual name
IN = {
    "color": (" in {value}", ", color {value}", ", in {value}"),
    "size": (" in size {value}", ", size {value}"),
    "measure": (", {value}",),
    "style": (", {value}",),
    "scent": (" with {value} scent", ", scent {value}"),
    "flavor name": (" in {value} flavor", ", {value} flavor"),
}  # fmt: skip
COUNTED = listed("""
adjustable strap, carrying strap, elastic waist, laptop compartment, remote control,
removable cover, resealable bag, rubber sole, swivel seat, usb port, ergonomic design
""")
BEFORE = listed("""
teeth whitening, long sleeve, short sleeve, wide width, double wall, privacy screen,
tempered glass, stainless steel, solid wood, aluminum alloy, vegan leather, imported cotton,
high speed, travel size, noise cancelling, rgb backlit, high protein, low sodium, low carb,
slim fit, relaxed fit, high waist, anti aging, anti frizz, tummy control, quick release,
gold plated, nylon braided, plug and play, wireless charging, silent click
""")  # said before the name and nowhere else
EASY = {"train": 0.17, "dev": 0.04, "test": 0.04}  # of what the first hit wins, so much is kept
WRITTEN = Path(__file__).with_name("written.jsonl")  # the wishes of dev and test worded one by one


def goals(split: str, n: int, first: int = 1) -> Iterator[dict[str, Any]]:
    """The rows of n goals of a split from number `first` on. Who reads the pages wins each of them.

    Of dev and test every third was written by hand, and no product is wanted twice.
    """
    written = iter([row for row in by_hand() if row["split"] == split])
    taken = {row["asin"] for row in by_hand()}
    made = (row for row in drafts(split) if row["asin"] not in taken and won(row, EASY[split]))
    for count in itertools.islice(itertools.count(1), first - 1 + n):
        row = None if split == "train" or count % 3 else next(written, None)
        row = finished(row) if row else next(made)
        if split != "train":
            taken.add(row["asin"])
        name = f"shop-{split}-{FIRST[split] - 1 + count:0{5 if split == 'train' else 4}}"
        if count >= first:
            yield {"id": name} | row


def by_hand() -> list[dict[str, Any]]:
    lines = WRITTEN.read_text(encoding="utf-8").splitlines() if WRITTEN.exists() else []
    return [json.loads(line) for line in lines]


def drafts(split: str, products: int = 3036) -> Iterator[dict[str, Any]]:
    """Goals without a name, over the products in turn; of dev and test one a family."""
    for turn in itertools.count():
        for number in range(products):
            pick = random.Random(f"{SEED} {split} {turn} {number // FAMILY}")
            chosen = pick.randrange(FAMILY)
            if split_of(number) == split and (split == "train" or number % FAMILY == chosen):
                yield goal(f"{split} {turn} {number}", number)


def goal(key: str, number: int) -> dict[str, Any]:
    """The row of a goal about the product of that number; the same for the same key."""
    row, pick = product(number), random.Random(f"{SEED} {key}")
    labels = wanted(row["attributes"], pick, new=key.startswith("test"))
    options = {
        option: pick.choice(values)
        for option, values in row.get("options", {}).items()
        if pick.random() < OPTION
    }
    person = key.startswith("train") and pick.random() < 1 / 3
    text = (in_person if person else wish)(row["query"], labels, options, pick)
    return finished({"text": text, "asin": row["asin"], "attributes": labels, "options": [*options.values()],
                     "price": max(row["price"])})  # fmt: skip


def finished(row: Mapping[str, Any]) -> dict[str, Any]:
    """With its price limit, in words and as a number."""
    upper = bound(row["asin"], row["price"])
    kept = {name: row[name] for name in ("asin", "attributes", "options")}
    return {"text": with_bound(row["text"], upper), **kept, "price_upper": upper}


def task_of(row: Mapping[str, Any]) -> Task:
    extra = {name: row[name] for name in ("asin", "attributes", "options", "price_upper")}
    return Task(row.get("id", "shop-draft"), "shop", row["text"], None, extra)


def won(row: Mapping[str, Any], easy: float = 1.0) -> bool:
    """Does who reads the pages win it in 15 steps? Of what the first hit wins, only some count."""
    task, world = task_of(row), Shop()
    if play(task, world(task), "act").reward != 1.0:
        return False
    draw = zlib.crc32(f"{SEED} easy {row['text']}".encode()) % 100
    return draw < 100 * easy or first_hit_named(task, world(task)).reward != 1.0


def wanted(labels: Sequence[str], pick: random.Random, new: bool = False) -> list[str]:
    """One to three things that the product can do. new: also two that are kept back for test."""
    draw = pick.random()
    most = min(len(labels), 1 + sum(draw > share for share in WANTED))
    chosen: list[str] = []
    for label in pick.sample(labels, len(labels)):
        if len(chosen) < most and (new or not any(kept_back(label, other) for other in chosen)):
            chosen.append(label)
    return chosen


def kept_back(one: str, other: str) -> bool:
    """Whether no goal of train or dev asks for both: a fifth of all pairs."""
    pair = " + ".join(sorted((one, other)))
    return zlib.crc32(f"{SEED} {pair}".encode()) % 5 == 0


def bound(asin: str, price: float) -> float:
    """A limit as people set it, 1.05 to 1.6 times the price: 8, 25, 60, 150 dollars."""
    low, high = (factor * price for factor in LIMIT)
    step = (
        1 if high < 12 else 5 if high < 60 else 10 if high < 200 else 50 if high - low > 60 else 20
    )
    fit = [float(upper) for upper in range(0, 1000, step) if low <= upper <= high]
    return random.Random(f"{SEED} bound {asin}").choice(fit)


# ---------------------------------------------------------------------- wordings


def wish(thing: str, labels: Sequence[str], options: Mapping[str, str], pick: random.Random) -> str:
    """A wish in keywords, the option values as they stand in the shop."""
    like = [label for label in labels if label not in WITH and label not in SAID]
    before = [label for label in like if label in BEFORE] or like[: pick.choice((0, 1, 1, 2))]
    after = [label for label in like if label not in before]
    named = " ".join([*before, thing])
    opening = pick.choice(OPENINGS)
    text = opening.format(thing=article(named), bare=named)
    text += having([label for label in labels if label not in like])
    if after:
        choices = LIKE[2:3] if opening == "{bare}" or "," in text else LIKE
        text += pronouns(pick.choice(choices), thing).replace("{labels}", joined(after))
    return text + chosen(options, pick)


def in_person(
    thing: str, labels: Sequence[str], options: Mapping[str, str], pick: random.Random
) -> str:
    """A wish in the words of a person: some of what is wanted is said in other words."""
    named = [label for label in labels if pick.random() < NAMED]
    like = [label for label in named if label not in WITH and label not in SAID]
    like.sort(key=lambda label: label not in BEFORE)
    text = pick.choice(PERSON).format(thing=article(" ".join([*like[:1], thing])))
    text += having([label for label in named if label not in like])
    if like[1:]:
        text += f", {joined(like[1:])}"
    parts = chosen(options, pick)
    if meant := [spoken()[label] for label in labels if label not in named]:
        must = pronouns(pick.choice(MUST), thing).replace("{all}", joined(meant))
        parts += must.replace("has to not", "must not").replace("have to not", "must not")
    return text + parts


def chosen(options: Mapping[str, str], pick: random.Random) -> str:
    """What is to be chosen, the color mostly first."""
    text = ""
    for name in sorted(options, key=lambda name: (name != "color", pick.random())):
        value = core(options[name])
        measure = (
            name == "size" and any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
        )
        text += pick.choice(IN["measure" if measure else name]).format(value=value)
    return text


def having(labels: Sequence[str]) -> str:
    """with arch support and a rubber sole, for sensitive skin"""
    has = [article(label) if label in COUNTED else label for label in labels if label in WITH]
    text = f" with {joined(has)}" if has else ""
    for label in (label for label in labels if label in SAID):
        said = SAID[label]
        text += (
            f" {said}"
            if said.startswith(("for ", "with ")) and not (has and said[0] == "w")
            else f", {said}"
        )
    return text


def pronouns(text: str, thing: str) -> str:
    many = thing.endswith("s") and not thing.endswith("ss")
    text = text.replace("{is}", "are" if many else "is").replace("{they}", "they" if many else "it")
    return text.replace("they has", "they have")


def joined(labels: Sequence[str]) -> str:
    *rest, last = labels
    return f"{', '.join(rest)} and {last}" if rest else last
