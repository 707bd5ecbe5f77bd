"""Writes the shop: data/shop/products.jsonl, and the train goals in data/tasks/shop/train.jsonl.

    python data/build/make_shop.py

One seed always gives the same files. The goals of dev and test were written by hand and are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from shop.goals import goals
from shop.wares import products

from react_lab import data

__all__ = ["GOALS", "PRODUCTS", "files", "main"]

PRODUCTS = 3036  # 506 families of six
GOALS = 1000


def files() -> dict[str, str]:
    """What is written, by its path below data/."""
    return {
        "shop/products.jsonl": lines(products(PRODUCTS), (",", ":")),
        "tasks/shop/train.jsonl": lines(goals(GOALS, products=PRODUCTS), (", ", ": ")),
    }


def lines(rows: Iterable[Mapping[str, Any]], separators: tuple[str, str]) -> str:
    return "".join(json.dumps(r, ensure_ascii=False, separators=separators) + "\n" for r in rows)


def main() -> None:
    for name, text in files().items():
        data.write(data.folder(*name.split("/")), text)
        print(f"{name}: {text.count(chr(10))} lines, {len(text.encode()) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
