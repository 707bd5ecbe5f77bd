"""What our shop's goods are made of: words written by hand, in goods/*.toml."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Goods", "brands", "goods", "sayings", "spoken"]

FOLDER = Path(__file__).with_name("goods")
SHARED = ("attributes", "pools", "spoken")  # files that belong to no department


@dataclass(frozen=True)
class Goods:
    """One kind of goods: its names, what it may be like, and what it may be chosen by."""

    query: str  # what a buyer types to see goods of this kind
    category: str
    brands: tuple[str, ...]
    names: tuple[str, ...]
    uses: tuple[str, ...]
    attributes: tuple[str, ...]  # what a buyer may ask for
    price: tuple[float, float]
    say: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]


@functools.cache
def goods() -> tuple[Goods, ...]:
    """All kinds of goods, in the order of the files' names."""
    pools = table("pools")
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        if path.stem not in SHARED:
            department = table(path.stem)
            found += [kind(row, department, pools) for row in department["goods"]]
    return tuple(found)


def kind(row: Mapping[str, Any], department: Mapping[str, Any], pools: Mapping[str, Any]) -> Goods:
    lists = {key: tuple(row[key]) for key in ("names", "uses", "attributes", "say")}
    options = {
        name: tuple(pools[values[1:]] if isinstance(values, str) else values)
        for name, values in row["options"].items()
    }
    return Goods(
        query=row["query"],
        category=f"{department['department']} › {row['category']}",
        brands=tuple(department["brands"]),
        price=(float(row["price"][0]), float(row["price"][1])),
        options=options,
        **lists,
    )


@functools.cache
def sayings() -> Mapping[str, tuple[str, ...]]:
    """What a buyer may ask for, each with other words for it."""
    return {label: tuple(words) for label, words in table("attributes").items()}


def spoken() -> Mapping[str, str]:
    """What a buyer says instead of a label, after "it must"."""
    return dict(table("spoken")["must"])


def brands() -> tuple[str, ...]:
    """All brands of the shop. None of them is a real one that we know."""
    return tuple(dict.fromkeys(brand for one in goods() for brand in one.brands))


@functools.cache
def table(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
