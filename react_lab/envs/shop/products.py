"""A product of the shop, and how its words stand on a page: no title can forge a button."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ...records import Record
from ...support.text import inline

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
