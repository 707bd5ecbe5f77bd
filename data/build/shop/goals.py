"""Makes shopping goals: a product, what a buyer wants of it, and a wish that says so in words.

A goal about a product of dev or test is never made here: those wishes are written by hand.
"""

from __future__ import annotations

import itertools
import random
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from react_lab.envs.shop.goals import BOUNDS, with_bound
from react_lab.envs.shop.products import MISSING_PRICE
from shop.wares import SEED, product, split_of

__all__ = ["bound", "goal", "goals", "kept_back"]

WANTED = (0.2, 0.65)  # of a hundred goals, how many want one thing, and how many at most two
OPTION = 0.9
OPENINGS = (
    "i am looking for {a thing}", "i need {a thing}", "i want {a thing}", "find me {a thing}",
    "i would like to buy {a thing}", "show me {a thing}", "looking for {a thing}",
    "i'm shopping for {a thing}", "please get me {a thing}", "can you find {a thing}",
    "i want to order {a thing}", "get {a thing} for me", "i am after {a thing}",
    "help me find {a thing}",
)  # fmt: skip
LIKE = (" that is {labels}", " which is {labels}", ", {labels}", " and it must be {labels}",
        ". it should be {labels}", ". make sure it is {labels}", " that comes {labels}")  # fmt: skip
IN = {
    "color": (" in {value}", ", color: {value}", " in the color {value}", ". the color should be {value}",
              ", {value} in color"),
    "size": (", size {value}", " in a size {value}", " in the size {value}", ". i need the {value} size",
             ", size: {value}"),
    "style": (", style: {value}", " in the style {value}", ". i want the style {value}", ", {value}"),
    "scent": (" in the scent {value}", ", {value} scent", ". it should smell of {value}", ", scent: {value}"),
    "flavor name": (" in the flavor {value}", ", {value} flavor", ", flavor name: {value}", ". i want {value} flavor"),
}  # fmt: skip


def goals(n: int, first: int = 1, products: int | None = None) -> Iterator[dict[str, Any]]:
    """The rows of n train goals, as many of each product as of any other.

    products: how many products the shop has. None: as many as are needed.
    """
    numbers = itertools.count() if products is None else itertools.cycle(range(products))
    fit = (number for number in numbers if split_of(number) == "train")
    count = first - 1
    for number in itertools.islice(fit, first - 1, first - 1 + n):
        count += 1
        yield goal(count, number)


def goal(count: int, number: int) -> dict[str, Any]:
    """The row of one train goal: its own number, and the number of its product."""
    name, row = f"shop-train-{count:05}", product(number)
    pick = random.Random(f"{SEED} {name}")
    labels = wanted(row["attributes"], pick)
    options = {
        option: pick.choice(values)
        for option, values in row.get("options", {}).items()
        if pick.random() < OPTION
    }
    upper = bound(name, row.get("price", ()))
    return {
        "id": name,
        "text": with_bound(wish(row["query"], labels, options, pick), upper),
        "asin": row["asin"],
        "attributes": list(labels),
        "options": list(options.values()),
        "price_upper": upper,
    }


def wanted(labels: Sequence[str], pick: random.Random) -> list[str]:
    """One to three things that the product can do, and no two that are kept back for test."""
    draw = pick.random()
    most = min(len(labels), 1 + sum(draw > share for share in WANTED))
    chosen: list[str] = []
    for label in pick.sample(labels, len(labels)):
        if len(chosen) < most and not any(kept_back(label, other) for other in chosen):
            chosen.append(label)
    return chosen


def kept_back(one: str, other: str) -> bool:
    """Whether no train goal asks for both: a fifth of all pairs."""
    pair = " + ".join(sorted((one, other)))
    return zlib.crc32(f"{SEED} {pair}".encode()) % 5 == 0


def bound(name: str, price: Sequence[float]) -> float | None:
    """As `price_bound`, drawn by the goal's name; of a price range the highest price has to fit."""
    highest = max(price, default=MISSING_PRICE)
    near = [upper for upper in BOUNDS if upper > highest][:4]
    if len(near) < 2:
        return None
    return max(random.Random(f"{SEED} bound {name}").sample(near, 2))


def wish(thing: str, labels: Sequence[str], options: Mapping[str, str], pick: random.Random) -> str:
    """A wish in words, the option values as they stand in the shop."""
    before = labels[:1] if pick.random() < 0.4 else []
    after = labels[len(before) :]
    if before and before[0].startswith("with "):
        before, after = [], list(labels)
    named = " ".join([*before, thing])
    text = pick.choice(OPENINGS).replace("{a thing}", article(named))
    if after:
        text += pick.choice(LIKE).format(labels=joined(after))
    for option in pick.sample(sorted(options), len(options)):
        text += pick.choice(IN[option]).format(value=options[option])
    return text


def article(named: str) -> str:
    if named.endswith("s") and not named.endswith("ss"):
        return named
    return f"an {named}" if named[0] in "aeiou" else f"a {named}"


def joined(labels: Sequence[str]) -> str:
    *rest, last = labels
    return f"{', '.join(rest)} and {last}" if rest else last
