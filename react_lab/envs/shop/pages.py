"""The shop's pages: what is on them, and how the authors' notebook shows that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .products import Product, label, plain

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
    """A page, as far as the authors' notebook shows it: the instruction on the first one only."""

    name: Literal["search", "results", "item", "sub", "done"]
    parts: tuple[Part, ...]


def texts(*lines: str) -> tuple[Part, ...]:
    return tuple(Part("text", line) for line in lines)


def buttons(*names: str) -> tuple[Part, ...]:
    return tuple(Part("button", name) for name in names)


def search(goal: str) -> Page:
    """The first page: the instruction and the search box, below the notebook's own heading."""
    return Page("search", (*texts("Webshop", "Instruction:", plain(goal)), *buttons("Search")))


def results(
    found: Sequence[Product], number: int, total: int, visited: frozenset[str] = frozenset()
) -> Page:
    """A page of results. A Next that would lead to an empty page is not shown."""
    turns = ["< Prev"] * (number > 1) + ["Next >"] * (number * PER_PAGE < total)
    count = texts(f"Page {number} (Total results: {total})")
    parts = [*buttons("Back to Search"), *count, *buttons(*turns)]
    for product in found:
        parts.append(Part("product", product.asin, product.asin in visited))
        parts += texts(plain(product.title), product.tag)
    return Page("results", tuple(parts))


def item(product: Product, chosen: Mapping[str, str]) -> Page:
    """The page of a product: its options, title and price, and what leads on from it."""
    parts = [*buttons("Back to Search", "< Prev")]
    for name, values in product.options.items():
        if values:
            parts.append(Part("name", plain(name)))
        parts += (Part("option", label(name, value), chosen.get(name) == value) for value in values)
    parts += texts(plain(product.title), f"Price: {product.tag}", "Rating: N.A.")
    return Page("item", (*parts, *buttons(*SUB_PAGES, "Buy Now")))


def sub(product: Product, name: str) -> Page:
    """What a product's page leads to. No reviews come with the original either."""
    of = {"Description": (product.description,), "Features": product.bullets}
    lines = (plain(line) for line in of.get(name, ()) if line.strip())
    return Page("sub", (*buttons("Back to Search", "< Prev"), *texts(*lines)))


def bought(score: float) -> Page:
    """The last page: the authors' notebook shows the score alone."""
    return Page("done", texts(f"Your score (min 0.0, max 1.0): {score}"))


# ------------------------------------------------------------------ shown


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
