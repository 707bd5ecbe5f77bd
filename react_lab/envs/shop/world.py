"""The shop as a world: an episode of shopping, the maker of episodes, and what is on the pages, as
the authors' notebook shows it (Appendix C.3).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

from ... import data
from ...records import blame
from ...support.text import inline
from ...types import Action, EnvError, Seen, Task, split_act
from .catalogue import Catalogue, catalogue
from .products import Goal, Product, folded, goal_of, label, plain
from .reward import Reward, reward

INVALID = "Invalid action!"
HITS, PER_PAGE = 50, 10  # found by a search, and on each of its pages
SUB_PAGES = ("Description", "Features", "Reviews")
Kind = Literal["text", "button", "product", "name", "option"]


@dataclass(frozen=True)
class Visit:
    """Where the shopper is, and what was chosen there: all the state of an episode."""

    page: str = "search"  # search, results, item, done, or the name of a product's sub-page
    query: str = ""
    hits: tuple[str, ...] = ()
    number: int = 1  # of the page of results
    asin: str = ""
    chosen: Mapping[str, str] = field(default_factory=dict)
    visited: frozenset[str] = frozenset()
    earned: Reward | None = None


class ShopEnv:
    """One episode. A bad act is an observation, "Invalid action!"; a purchase ends it."""

    actions = (
        Action("search[words]", "looks for products; only the first page has the search box"),
        Action("click[button]", "clicks what stands in [brackets]: a product, an option, a button"),
    )
    replayable = True

    def __init__(self, goal: Goal, products: Catalogue, shop: Shop):
        self.goal, self.products, self.shop = goal, products, shop
        self.visit = Visit()

    def reset(self, task: Task) -> str:
        self.visit = Visit()
        return self.text().strip()

    def step(self, action: str) -> Seen:
        name, argument = split_act(action) or ("", "")
        name, argument = name.lower(), argument.strip()
        if name == "think":
            return Seen("OK.")
        page = self.page()
        if name == "search" and argument and self.visit.page == "search":
            hits = tuple(self.products.search(argument, HITS))
            self.visit = Visit("results", argument, hits, visited=self.visit.visited)
            return Seen(self.text())
        button = self.buttons(page).get(folded(argument).lower()) if name == "click" else None
        if button is None or button.text == "Search" or self.locked(button):
            return Seen(INVALID, why=why_not(self.visit, page, name, argument))
        return self.click(button)

    def locked(self, button: Part) -> bool:
        turns = button.text in ("Next >", "< Prev") and self.visit.page == "results"
        return turns and not self.shop.turns

    # ------------------------------------------------------------------ clicks

    def click(self, button: Part) -> Seen:
        visit = self.visit
        match button.kind, button.text, visit.page:
            case "product", asin, _:
                visit = replace(visit, page="item", asin=asin, visited=visit.visited | {asin})
            case "option", text, _:
                name, value = button.sets
                self.visit = replace(visit, chosen={**visit.chosen, name: value})
                return Seen(f"You have clicked {text}.")
            case _, "Buy Now", _:
                earned = reward(self.goal, self.product, visit.chosen)
                self.visit = replace(visit, page="done", earned=earned)
                return Seen(self.text(), done=True, reward=earned.score)
            case _, "Back to Search", _:
                visit = Visit()
            case _, "Next >", _:
                visit = replace(visit, number=visit.number + 1)
            case _, "< Prev", "results":
                visit = replace(visit, number=visit.number - 1)
            case _, "< Prev", "item":
                visit = replace(visit, page="results", asin="", chosen={})
            case _, "< Prev", _:
                visit = replace(visit, page="item")
            case _, sub_page, _:
                visit = replace(visit, page=sub_page)
        self.visit = visit
        return Seen(self.text())

    # ------------------------------------------------------------------ pages

    @property
    def product(self) -> Product:
        return self.known(self.visit.asin)

    def known(self, asin: str) -> Product:
        product = self.products.get(asin)
        if product is None:
            raise EnvError(f"the product {asin} was found, and the catalogue does not have it")
        return product

    def page(self) -> tuple[Part, ...]:
        """What is on the open page, as far as the authors' notebook shows it."""
        visit = self.visit
        if visit.earned:  # of the last page the authors' notebook shows the score alone
            return texts(f"Your score (min 0.0, max 1.0): {visit.earned.score}")
        if visit.page == "search":  # the notebook's own heading, the instruction, the search box
            asked = texts("Webshop", "Instruction:", plain(self.goal.text))
            return (*asked, *buttons("Search"))
        if visit.page == "results":
            start, total = (visit.number - 1) * PER_PAGE, len(visit.hits)
            turns = ["< Prev"] * (visit.number > 1)  # a Next to an empty page is not shown
            turns += ["Next >"] * (visit.number * PER_PAGE < total)
            count = texts(f"Page {visit.number} (Total results: {total})")
            parts = [*buttons("Back to Search"), *count, *buttons(*turns)]
            for product in map(self.known, visit.hits[start : start + self.shop.shown]):
                parts.append(Part("product", product.asin, product.asin in visit.visited))
                parts += texts(plain(product.title), product.tag)
            return tuple(parts)
        product, parts = self.product, [*buttons("Back to Search", "< Prev")]
        if visit.page != "item":  # no reviews come with the original either
            of = {"Description": (product.description,), "Features": product.bullets}
            lines = (plain(line) for line in of.get(visit.page, ()) if line.strip())
            return (*parts, *texts(*lines))
        for name, values in product.options.items():
            if values:
                parts.append(Part("name", plain(name)))
            chosen = visit.chosen.get(name)
            for value in values:
                parts.append(Part("option", label(name, value), value == chosen, (name, value)))
        parts += texts(plain(product.title), f"Price: {product.tag}", "Rating: N.A.")
        return (*parts, *buttons(*SUB_PAGES, "Buy Now"))

    def text(self) -> str:
        """The open page as it is shown; the last one is a line."""
        shown = show(self.page())
        return shown.lstrip() if self.visit.earned else shown

    def buttons(self, page: Sequence[Part]) -> dict[str, Part]:
        """What can be clicked, by its name in lower case: a button before an option, and of two
        options with the same name the last one, as in the original.
        """
        return {p.text.lower(): p for p in page if p.kind not in ("text", "name")}

    def admissible(self) -> list[str]:
        """Every click that leads somewhere now."""
        found = self.buttons(self.page()).values()
        return [f"click[{b.text}]" for b in found if b.text != "Search" and not self.locked(b)]

    def view(self) -> dict[str, Any]:
        """What the shopper has done so far: plain lists, dicts and strings, for pictures."""
        visit = self.visit
        return {
            "task": self.goal.text,
            "page": visit.page,
            "query": visit.query,
            "number": visit.number,
            "product": visit.asin or None,
            "chosen": dict(visit.chosen),
            "visited": sorted(visit.visited),
            "score": visit.earned.score if visit.earned else None,
            "because": str(visit.earned) if visit.earned else None,
        }


@dataclass(frozen=True)
class Shop:
    """The world of shopping goals (WebShop): makes an episode of the goal that a task names.

    path: products of your own (JSON lines), WebShop's own files, or a catalogue that `store` has
    made of them; None is the catalogue that comes with the package, with the old one behind it.
    shown: how many of the 10 products of a page are shown. With 3, as in the authors' notebook, a
    product in place 4 to 10 of its page is never seen: only another search brings it forward.
    turns: do Next and Prev turn the pages of results? False is as published: in the authors'
    notebook they are shown, and clicking them is an "Invalid action!".

    The rest is as in the authors' notebook, too: the search box is on the first page only.
    """

    path: str | os.PathLike[str] | None = None
    shown: int = 3
    turns: bool = True
    actions: ClassVar = ShopEnv.actions

    def __post_init__(self) -> None:
        if not 1 <= self.shown <= PER_PAGE:
            raise ValueError(f"shown={self.shown!r}: it is 1 to {PER_PAGE}")

    @property
    def snapshot(self) -> str:
        facts = [f"shop {catalogue(self.path).snapshot}", "notebook"]
        facts += [f"{self.shown} shown"] * (self.shown != 3)
        return ", ".join([*facts, *["pages not turned"] * (not self.turns)])

    def __call__(self, task: Task) -> ShopEnv:
        asin = str(task.extra.get("asin", ""))
        products = self.products(asin)
        product = products.get(asin)
        if product is None and "title" not in task.extra:
            raise EnvError(
                f"the product {asin[:20]!r} of {task!r} is not in this catalogue: give Shop(path) "
                "the one that the goal was made for"
            )
        with blame(f"{task!r} is no shopping goal", kind=EnvError):
            return ShopEnv(goal_of(task, product), products, self)

    def products(self, asin: str) -> Catalogue:
        """The catalogue of a goal's product. What we had until November 2026 is in the old one."""
        found, old = catalogue(self.path), data.folder("shop", "old.jsonl.gz")
        if self.path is None and found.get(asin) is None and old.exists():
            return catalogue(old) if catalogue(old).get(asin) else found
        return found


# ------------------------------------------------------------------ what is on a page


@dataclass(frozen=True)
class Part:
    """Something on a page. A product is clicked by its asin; a name is that of an option.

    chosen: of an option, that it was clicked; of a product, that its page was visited. sets: of an
    option, its name and the value that a click gives it.
    """

    kind: Kind
    text: str
    chosen: bool = False
    sets: tuple[str, str] = ("", "")


def texts(*lines: str) -> tuple[Part, ...]:
    return tuple(Part("text", line) for line in lines)


def buttons(*names: str) -> tuple[Part, ...]:
    return tuple(Part("button", name) for name in names)


def show(parts: Sequence[Part]) -> str:
    """The look of the authors' notebook (Appendix C.3)."""
    shown = ""
    for part in parts:
        match part.kind:
            case "option":
                shown += f"[[{part.text}]]" if part.chosen else f"[{part.text}]"
            case "button" | "product":
                shown += f"\n[{part.text}] "
            case _:
                shown += f"\n{part.text} " + " " * (part.text == "Instruction:")
    return shown.rstrip()


# ------------------------------------------------------------------ reasons

NO_BOX = "the search box is on the first page only: click[Back to Search] leads there"


def why_not(visit: Visit, page: Sequence[Part], name: str, argument: str) -> str:
    """What was wrong with an act on a page."""
    if visit.page == "done":
        return "the purchase is made, and the episode is over"
    if name == "search":
        return "a search needs words" if visit.page == "search" else NO_BOX
    if name != "click":
        return "an act is search[words], click[button] or think[thought]"
    wanted, clickable = argument.lower(), ("button", "option")
    if wanted == "search":
        return "the box is used by search[words]"
    if any(part.text.lower() == wanted for part in page if part.kind in clickable):
        return "the authors' notebook shows this button and does not turn pages"
    return f"[{inline(argument[:80])}] is no button of this page"
