"""Writes the shop: data/shop/products.jsonl, and the goals in data/tasks/shop/{train,dev,test}.jsonl.

    python data/build/make_shop.py

One seed always gives the same files. Every third goal of dev and test was worded by hand
(`shop/written.jsonl`). The shop before November 2026 is kept: data/shop/old.jsonl.gz, and the splits
old (its test goals), old_dev, old_train.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from shop.goals import goals
from shop.wares import products

from react_lab import data

__all__ = ["GOALS", "PRODUCTS", "lines", "main", "wares"]

PRODUCTS = 3036  # 506 families of six
GOALS = {"train": 1000, "dev": 44, "test": 86}


def wares() -> str:
    """The file of the products."""
    return lines(products(PRODUCTS), (",", ":"))


def lines(rows: Iterable[Mapping[str, Any]], separators: tuple[str, str] = (", ", ": ")) -> str:
    return "".join(json.dumps(r, ensure_ascii=False, separators=separators) + "\n" for r in rows)


def main() -> None:
    data.write(data.folder("shop", "products.jsonl"), wares())  # the goals are tried out in it
    for split, n in GOALS.items():
        data.write(data.folder("tasks", "shop", f"{split}.jsonl"), lines(goals(split, n)))
        print(f"{split}: {n} goals")


if __name__ == "__main__":
    main()
