"""WebShop's own files, in their own schema: products, attributes, and people's instructions.

`items_shuffle*.json` is a list of products, `items_ins*.json` has their attributes by asin, and
`items_human_ins*.json` the instructions that people wrote. Who wrote them (worker ids) is dropped.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...records import Record, blame, parsed, text
from .products import ASIN, Product, price_bound, with_bound

SPLITS = {"test": (0, 500), "dev": (500, 1500), "train": (1500, None)}
SEED = 233  # with which the original shuffles its goals
MOST = 64 << 20  # characters of one product
PIECE = 1 << 20
Options = dict[str, list["Choice"] | None]


@dataclass(frozen=True)
class Choice:
    value: str


@dataclass(frozen=True)
class Item:
    """A product as the file has it, as far as it is used."""

    asin: str
    name: str
    query: str
    product_category: str
    full_description: str | None = None
    small_description: list[str | None] | str | None = None
    pricing: str | None = None
    customization_options: Options | str | None = None


@dataclass(frozen=True)
class Extra:
    """What `items_ins*.json` has of a product."""

    attributes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Instruction:
    """A goal as a person wrote it."""

    instruction: str
    instruction_attributes: tuple[str, ...] = ()
    instruction_options: tuple[str, ...] | dict[str, str] = field(default=())


ITEM, EXTRA = Record(Item, lambda _: ""), Record(Extra, lambda _: "")
INSTRUCTION = Record(Instruction, lambda _: "")


def is_release(path: Path) -> bool:
    """Is this WebShop's folder, or its file of products?"""
    return path.suffix == ".json" if path.is_file() else bool([*path.glob("items_shuffle*.json")])


def files(path: Path, kind: str) -> list[Path]:
    """The files of a kind that belong to the products at a path, the fitting one first."""
    folder, size = (path.parent, path.stem) if path.is_file() else (path, "")
    small = size.endswith("_1000")
    found = sorted(folder.glob(f"{kind}*.json"))
    return sorted(found, key=lambda file: file.stem.endswith("_1000") != small)


def products_in(path: Path) -> Iterator[Product]:
    """The products, in the order of the file: those that the original keeps."""
    extras = by_asin(path, "items_ins")
    seen = set[str]()
    file = path if path.is_file() else files(path, "items_shuffle")[0]
    for number, row in enumerate(listed(file), 1):
        with blame(f"{file}, product {number}"):
            item = ITEM.of_row(row)
            if not ASIN.fullmatch(item.asin) or item.asin in seen:
                continue
            seen.add(item.asin)
            attributes = EXTRA.of_row(extras.get(item.asin, {})).attributes
        yield product_of(item, attributes)


def product_of(item: Item, attributes: tuple[str, ...]) -> Product:
    bullets = item.small_description
    bullets = [bullets] if isinstance(bullets, str) else bullets or []
    options = item.customization_options
    return Product(
        asin=item.asin,
        title=item.name,
        price=price_of(item.pricing),
        category=item.product_category,
        query=item.query.lower().strip(),
        bullets=tuple(bullet for bullet in bullets if bullet),
        description=item.full_description or "",
        options={
            name.lower(): tuple(one.value.strip().replace("/", " | ").lower() for one in choices)
            for name, choices in (options.items() if isinstance(options, dict) else ())
            if choices
        },
        attributes=attributes,
    )


def price_of(tag: str | None) -> tuple[float, ...]:
    """`$12.99$13.29` is a range; what is no number is no price."""
    parts = (re.sub(r"[^\d.]", "", part) for part in (tag or "").split("$")[1:])
    prices = [float(part) for part in parts if re.fullmatch(r"\d{1,8}(\.\d*)?|\.\d+", part)]
    return tuple(sorted(prices[:2]))


def by_asin(path: Path, kind: str) -> Mapping[str, Any]:
    found = files(path, kind)
    if not found:
        return {}
    with blame(f"{found[0]} cannot be read"):
        row = parsed(text(found[0]))
    if not isinstance(row, dict):
        raise ValueError(f"{found[0]} must hold one object, by asin")
    return row


def instructions(path: Path) -> Iterator[dict[str, Any]]:
    """The goals, in the order of the products; those without attributes are left out."""
    human = by_asin(path, "items_human_ins")
    if not human:
        raise ValueError(f"there is no items_human_ins*.json beside {path}")
    for product in products_in(path):
        for row in human.get(product.asin, ()):
            with blame(f"the instructions of {product.asin}"):
                one = INSTRUCTION.of_row(row)
            if not one.instruction_attributes:
                continue
            options, bound = one.instruction_options, price_bound(product, one.instruction)
            yield {
                "text": with_bound(one.instruction, bound),
                "asin": product.asin,
                "query": product.query,
                "category": product.category,
                "title": product.title,
                "attributes": [*one.instruction_attributes],
                "options": [*(options.values() if isinstance(options, dict) else options)],
                "price_upper": bound,
            }


def rows(path: Path, split: str) -> list[dict[str, Any]]:
    """The goals of a split, shuffled as in the original: number 0 is its `fixed_0`."""
    if split not in SPLITS:
        raise ValueError(f"webshop has no split {split!r}; it has: {', '.join(SPLITS)}")
    if not is_release(path):
        raise ValueError(f"there are no files of WebShop at {path}")
    goals = [*instructions(path)]
    random.Random(SEED).shuffle(goals)
    start, end = SPLITS[split]
    numbered = [{"id": f"webshop-{i}", **goal} for i, goal in enumerate(goals)]
    return numbered[start:end]


def listed(path: Path) -> Iterator[Any]:
    """The rows of a JSON list, one by one: the whole file is larger than a laptop's memory."""
    decoder, left, begun = json.JSONDecoder(), "", False
    with path.open(encoding="utf-8-sig") as file:
        while piece := file.read(max(PIECE, len(left))):
            left += piece
            if not begun:
                left = left.lstrip()
                if left and left[0] != "[":
                    raise ValueError(f"{path} holds no list of products")
                begun, left = bool(left), left[1:]
            at = 0
            while True:
                at += len(left[at : at + 100]) - len(left[at : at + 100].lstrip(" \n\r\t,"))
                try:
                    row, at = decoder.raw_decode(left, at)
                except (json.JSONDecodeError, RecursionError):
                    break
                yield row
            left = left[at:]
            if len(left) > MOST:
                raise ValueError(f"{path} has a product that is too long, or is not whole JSON")
    if left.strip() != "]":
        raise ValueError(f"{path} is cut short, or is not whole JSON")
