"""What is to be bought, and for how much at most: the same bound in every run."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...records import Record
from ...types import Task
from .products import Product

BOUNDS = tuple(10.0 * tens for tens in range(1, 100))
AFTER = ", and price lower than {:.2f} dollars"


@dataclass(frozen=True)
class Goal:
    """A shopping goal: all that the reward needs to know, without the catalogue.

    options: the wanted values, whatever option they belong to. price_upper: None is no bound.
    """

    id: str
    text: str
    asin: str
    query: str = ""
    category: str = ""
    title: str = ""
    attributes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    price_upper: float | None = None


def wrong_goal(goal: Goal) -> str:
    """What no goal can be, though its types are right."""
    if goal.price_upper is not None and not 0 < goal.price_upper < 1e9:
        return "its price_upper must be more than 0, or null for no bound"
    return "" if goal.text.strip() else "its text is empty"


GOAL = Record(Goal, wrong_goal)
FIELDS = ("asin", "query", "category", "title", "attributes", "options", "price_upper")


def goal_of(task: Task, product: Product | None) -> Goal:
    """The goal of a task, or a ValueError; what it does not say itself is said by its product."""
    extra = {key: task.extra[key] for key in FIELDS if key in task.extra}
    known: Mapping[str, Any] = {}
    if product:
        known = {"query": product.query, "category": product.category, "title": product.title}
    return GOAL.of_row({**known, **extra, "id": task.id, "text": task.text})


def price_bound(product: Product, key: str) -> float | None:
    """A bound above a product's price: the larger of two of the next four tens, drawn by `key`.

    None where fewer than two of 10, 20, ... 990 are above the price, as in the original.
    """
    above = [bound for bound in BOUNDS if bound > product.cost][:4]
    if len(above) < 2:
        return None
    return max(random.Random(f"{product.asin} {key}").sample(above, 2))


def with_bound(text: str, price_upper: float | None) -> str:
    """The instruction as it is put to the shopper.

    >>> with_bound("i need a blue lamp.", 40.0)
    'i need a blue lamp, and price lower than 40.00 dollars'
    """
    return text.strip(".") + ("" if price_upper is None else AFTER.format(price_upper))
