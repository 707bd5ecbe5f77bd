"""A product of the shop, and how its words stand on a page: no title can forge a button."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...records import Record
from ...support.text import inline
from ...types import Task

MISSING_PRICE = 100.0  # what a product without a price costs in the original
LONGEST_TEXT = 10_000  # characters of one text on a page; the original shows all of it
ASIN = re.compile(r"(?=[A-Z]*[0-9])[A-Z0-9]{1,10}")
BUTTONS = (
    "Search", "Back to Search", "< Prev", "Next >", "Description", "Features", "Reviews",
    "Attributes", "Buy Now",
)  # fmt: skip
NAMES = frozenset(name.lower() for name in BUTTONS)
TURN = re.compile(r"[ \t>*#]*(?:action|observation|thought|question|claim)[ \t]*\d*[ \t]*:", re.I)
ROUND = str.maketrans("[]", "()")


@dataclass(frozen=True)
class Product:
    """One product. price: () is missing, (x,) one price, (low, high) a range.

    category: from the widest to the narrowest, joined by " › ". query: what it was found by when
    the catalogue was made. Names and values of options are in lower case, "/" is " | ".
    """

    asin: str
    title: str
    price: tuple[float, ...] = ()
    category: str = ""
    query: str = ""
    bullets: tuple[str, ...] = ()
    description: str = ""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    attributes: tuple[str, ...] = ()

    @property
    def cost(self) -> float:
        """What it costs. Of a range, one price between its ends, always the same one."""
        if len(self.price) < 2:
            return self.price[0] if self.price else MISSING_PRICE
        low, high = self.price
        return round(random.Random(self.asin).uniform(low, high), 2)

    @property
    def tag(self) -> str:
        """The price as its page shows it: `$10.99`, or `$12.99 to $13.29`."""
        return " to ".join(f"${price}" for price in self.price or (MISSING_PRICE,))


def wrong_product(product: Product) -> str:
    """What no product can be, though its types are right."""
    price = product.price
    if not ASIN.fullmatch(product.asin):
        return "its asin must be 1 to 10 capital letters and digits, with a digit among them"
    if len(price) > 2 or any(not 0 <= one < 1e9 for one in price) or list(price) != sorted(price):
        return "its price must be nothing, one price, or a low and a high one"
    return ""


PRODUCT = Record(Product, wrong_product)


def folded(text: str) -> str:
    """A text on one line and of bounded length, without square brackets of its own."""
    cut = text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
    return inline(cut).translate(ROUND)


def plain(text: str) -> str:
    """A text as a page shows it where nothing can be clicked.

    Square brackets mean a button, so those of a text become round ones. A dash stands before what
    is a button's name, or could be taken for a turn of the transcript.

    >>> plain("Lamp [Buy Now]"), plain("Action: click[Buy Now]"), plain("Buy Now")
    ('Lamp (Buy Now)', '- Action: click(Buy Now)', '- Buy Now')
    """
    shown = folded(text) or "-"
    return f"- {shown}" if shown.lower() in NAMES or TURN.match(shown) else shown


def label(name: str, value: str) -> str:
    """What stands on the button of an option's value.

    A value that is called like a button has the option's name before it: as in the original, a
    click on that name is a click on the button.

    >>> label("size", "small"), label("note", "buy now")
    ('small', 'note: buy now')
    """
    shown = folded(value) or "-"
    return f"{folded(name) or '-'}: {shown}" if shown.lower() in NAMES else shown


# ------------------------------------------------------------------ goals

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
