"""The shop's pages: what is on them, and how the authors' notebook shows that."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .products import BUTTONS, Product, label, plain

HITS, PER_PAGE = 50, 10  # found by a search, and on each of its pages
SUB_PAGES = ("Description", "Features", "Reviews")
Kind = Literal["text", "button", "product", "name", "option"]


@dataclass(frozen=True)
class Part:
    """Something on a page. A product is clicked by its asin; a name is that of an option.

    chosen: of an option, that it was clicked; of a product, that its page was visited.
    """

    kind: Kind
    text: str
    chosen: bool = False


@dataclass(frozen=True)
class Page:
    """A page. Its head (the instruction) stands on all pages of the site but the last."""

    name: Literal["search", "results", "item", "sub", "done"]
    head: tuple[Part, ...]
    body: tuple[Part, ...]


def texts(*lines: str) -> tuple[Part, ...]:
    return tuple(Part("text", line) for line in lines)


def buttons(*names: str) -> tuple[Part, ...]:
    return tuple(Part("button", name) for name in names)


def head(goal: str) -> tuple[Part, ...]:
    return texts("Instruction:", plain(goal))


def search(goal: str) -> Page:
    """The first page: the instruction and the search box."""
    return Page("search", (*texts("WebShop"), *head(goal)), buttons("Search"))


def results(
    goal: str,
    found: Sequence[Product],
    number: int,
    total: int,
    visited: frozenset[str] = frozenset(),
) -> Page:
    """A page of results. A Next that would lead to an empty page is not shown."""
    before = ["< Prev"] * (number > 1)
    after = ["Next >"] * (number * PER_PAGE < total)
    body = [
        *buttons("Back to Search"),
        *texts(f"Page {number} (Total results: {total})"),
        *buttons(*before, *after),
    ]
    for product in found:
        body.append(Part("product", product.asin, product.asin in visited))
        body += texts(plain(product.title), product.tag)
    return Page("results", head(goal), tuple(body))


def item(goal: str, product: Product, chosen: Mapping[str, str]) -> Page:
    """The page of a product: its options, title and price, and what leads on from it."""
    body = [*buttons("Back to Search", "< Prev")]
    for name, values in product.options.items():
        if values:
            body.append(Part("name", plain(name)))
        body += (Part("option", label(name, value), chosen.get(name) == value) for value in values)
    body += texts(plain(product.title), f"Price: {product.tag}", "Rating: N.A.")
    body += buttons(*SUB_PAGES, "Buy Now")
    return Page("item", head(goal), tuple(body))


def sub(goal: str, product: Product, name: str) -> Page:
    """What a product's page leads to. No reviews come with the original either."""
    of = {"Description": (product.description,), "Features": product.bullets}
    lines = (plain(line) for line in of.get(name, ()) if line.strip())
    return Page("sub", head(goal), (*buttons("Back to Search", "< Prev"), *texts(*lines)))


def bought(score: float) -> Page:
    """The last page."""
    thanks = texts("Thank you for shopping with us!")
    return Page("done", thanks, texts(f"Your score (min 0.0, max 1.0): {score}"))


# ------------------------------------------------------------------ shown, and read back

BUTTON = re.compile(r"\[([^\[\]]*)\]")
OPTION = re.compile(r"\[(\[?)([^\[\]]*)\]+")


def parts_of(page: Page) -> tuple[Part, ...]:
    """What of a page the authors' notebook shows: the instruction on the first one only, below the
    notebook's own heading."""
    return page.body if page.name != "search" else (*texts("Webshop"), *page.head[1:], *page.body)


def show(parts: Sequence[Part]) -> str:
    """The look of the authors' notebook (Appendix C.3)."""
    return "".join(map(show_part, parts)).rstrip()


def show_part(part: Part) -> str:
    match part.kind:
        case "option":
            return f"[[{part.text}]]" if part.chosen else f"[{part.text}]"
        case "button" | "product":
            return f"\n[{part.text}] "
    return f"\n{part.text} " + " " * (part.text == "Instruction:")


def read(text: str) -> tuple[Part, ...]:
    """The parts of a shown page. Which products were visited does not show."""
    return tuple(part for line in text.split("\n") for part in read_line(line.strip()))


def read_line(line: str) -> list[Part]:
    if button := BUTTON.fullmatch(line):
        return [Part("button" if button[1] in BUTTONS else "product", button[1])]
    name, bracket, values = line.partition("[")
    if not bracket:
        return [Part("text", line)] if line else []
    options = OPTION.finditer(bracket + values)
    return [Part("name", name.strip()), *(Part("option", o[2], bool(o[1])) for o in options)]
