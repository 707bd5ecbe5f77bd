"""Makes the shop's products: any number of them, each from its number alone.

Products come in families of six: rivals with much the same title. One is easy to clean and the next
one is not, one comes in sage and the next one costs twice as much, so the first hit is seldom right.
"""

from __future__ import annotations

import math
import random
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shop.prose import bullets, description, places
from shop.titles import title
from shop.vocabulary import Goods, goods

__all__ = [
    "FAMILY",
    "HELD_OUT",
    "Ware",
    "asin",
    "kind_of",
    "product",
    "products",
    "split_of",
    "ware",
]

SEED = 20261125
FAMILY = 6
KEEPS, EXTRA = 0.56, 0.4  # how often a product has what its family is known for, or something else
SAME = 0.75
RIVALS = (0.6, 1.9)  # prices, beside the family's
RANGE, DROPPED = 0.12, 0.15
CENTS = (0.99, 0.99, 0.99, 0.95, 0.49, 0.97, 0.89)
OPPOSITES = (
    {"long sleeve", "short sleeve"}, {"slim fit", "relaxed fit"}, {"light weight", "heavy duty"},
    {"battery operated", "solar powered"}, {"open toe", "fleece lined"},
    {"button closure", "zipper closure"}, {"wall mounted", "heavy duty"},
)  # fmt: skip
HELD_OUT = (
    "cat tree", "duvet cover", "hair mask", "herbal tea", "jigsaw puzzle", "men's hiking boots",
    "nightstand", "usb hub",
)  # fmt: skip  # kinds of goods that only goals of test are about
SHARES = (("train", 70), ("dev", 80), ("test", 100))  # of a hundred families, up to
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
STRIDE, START = 1_234_567_890_127, 987_654_321  # the first has no factor with 36 in common


@dataclass(frozen=True)
class Family:
    """What six rivals have in common."""

    goods: Goods
    name: str
    uses: tuple[str, ...]
    attributes: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]
    price: float


@dataclass(frozen=True)
class Ware:
    """One product, before it is put into words."""

    goods: Goods
    brand: str
    name: str
    uses: tuple[str, ...]
    attributes: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]
    price: tuple[float, ...]


def products(n: int, first: int = 0) -> Iterator[dict[str, Any]]:
    """The rows of n products from number `first` on, one at a time."""
    return (product(number) for number in range(first, first + n))


def product(number: int) -> dict[str, Any]:
    """The row of one product; what is empty is left out. Products are numbered from 0 on."""
    made = ware(number)
    pick = random.Random(f"{SEED} words {number}")
    where = places(made.attributes, pick)
    row = {
        "asin": asin(number),
        "title": title(made, where["title"], pick),
        "price": list(made.price),
        "category": made.goods.category,
        "query": made.goods.query,
        "bullets": bullets(made, where, pick),
        "description": description(made, where["description"], pick),
        "options": {name: list(values) for name, values in made.options.items()},
        "attributes": list(made.attributes),
    }
    return {key: value for key, value in row.items() if value}


def asin(number: int) -> str:
    """A name in the shape of the marketplace's: B0 and eight letters or digits, never twice."""
    left, letters = (number * STRIDE + START) % 36**8, ""
    for _ in range(8):
        left, digit = divmod(left, 36)
        letters = LETTERS[digit] + letters
    return f"B0{letters}"


def kind_of(number: int) -> Goods:
    """The kinds of goods take turns, a family each."""
    return goods()[number // FAMILY % len(goods())]


def split_of(number: int) -> str:
    """The split whose goals may be about a product. Rivals are of one split."""
    if kind_of(number).query in HELD_OUT:
        return "test"
    draw = zlib.crc32(f"{SEED} split {number // FAMILY}".encode()) % 100
    return next(split for split, below in SHARES if draw < below)


def ware(number: int) -> Ware:
    of = family(number // FAMILY)
    pick = random.Random(f"{SEED} product {number}")
    attributes = features(of, pick)
    same = pick.random() < SAME
    return Ware(
        goods=of.goods,
        brand=pick.choice(of.goods.brands),
        name=of.name if same else pick.choice(of.goods.names),
        uses=of.uses if pick.random() < SAME else tuple(pick.sample(of.goods.uses, 2)),
        attributes=attributes,
        options=choices(of, attributes, pick),
        price=priced(of.price * pick.uniform(*RIVALS), of.goods.price, pick),
    )


def family(number: int) -> Family:
    of, pick = kind_of(number * FAMILY), random.Random(f"{SEED} family {number}")
    low, high = map(math.log, of.price)
    options = {}
    for name, values in of.options.items():
        options[name] = some(values, pick.randint(4, 8), name, pick)
    return Family(
        goods=of,
        name=pick.choice(of.names),
        uses=tuple(pick.sample(of.uses, 2)),
        attributes=compatible(pick.sample(of.attributes, min(5, len(of.attributes)))),
        options=options,
        price=math.exp(pick.uniform(low, high)),
    )


def features(of: Family, pick: random.Random) -> tuple[str, ...]:
    """What this product can do of what its family is known for, and now and then something else."""
    own = [label for label in of.attributes if pick.random() < KEEPS]
    others = [label for label in of.goods.attributes if label not in of.attributes]
    if others and (pick.random() < EXTRA or not own):
        own.append(pick.choice(others))
    return compatible(own or [pick.choice(of.attributes)])


def compatible(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels without those that say the opposite of an earlier one."""
    kept: list[str] = []
    for label in labels:
        if not any(label in pair and pair & set(kept) for pair in OPPOSITES):
            kept.append(label)
    return tuple(kept)


def choices(
    of: Family, attributes: Sequence[str], pick: random.Random
) -> dict[str, tuple[str, ...]]:
    """The options of this product: most of its family's values."""
    found = {}
    for name, values in of.options.items():
        if name == "scent" and "fragrance free" in attributes:
            continue
        if len(of.options) > 1 and pick.random() < DROPPED:
            continue
        count = pick.randint(2, max(2, round(len(values) * 0.8)))
        found[name] = some(values, count, name, pick)
    return found


def some(values: Sequence[str], count: int, name: str, pick: random.Random) -> tuple[str, ...]:
    """So many of the values, in their order; of sizes those that follow one another."""
    count = min(count, len(values))
    if name == "size":
        first = pick.randint(0, len(values) - count)
        return tuple(values[first : first + count])
    chosen = pick.sample(values, count)
    return tuple(value for value in values if value in chosen)


def priced(about: float, bounds: tuple[float, float], pick: random.Random) -> tuple[float, ...]:
    """One price between the bounds of its kind; of some products the lowest and the highest."""
    low, high = bounds
    whole = int(min(max(about, low), high)) - 1
    price = round(whole + pick.choice(CENTS), 2)
    if pick.random() < RANGE:
        dearest = round(int(price * pick.uniform(1.1, 1.35)) + 1 + pick.choice(CENTS), 2)
        return price, dearest
    return (price,)
