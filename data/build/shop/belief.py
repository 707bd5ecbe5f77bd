"""What a shopper knows by now: the wish, the page that is open, and the products seen so far.

It is read from the instruction and from the pages, and from nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from react_lab.envs.shop.world import INVALID, Part
from react_lab.types import split_act
from shop.pages import read
from shop.vocabulary import sayings
from shop.wishes import Wish, core, names_of, plain, read_wish, says

__all__ = ["Belief", "Offer"]

RESULTS = re.compile(r"Page (\d+) \(Total results: \d+\)")
MONEY = re.compile(r"\$(\d+(?:\.\d+)?)")
CLICKED = re.compile(r"You have clicked (.*)\.")


@dataclass
class Offer:
    """A product, as far as it was looked at."""

    asin: str
    title: str
    price: str  # as it stands on the page
    options: Mapping[str, Sequence[str]] | None = None  # None: its page was not opened
    notes: dict[str, str] = field(default_factory=dict)  # what its sub-pages say, as far as read

    @property
    def dearest(self) -> float:
        return max(map(float, MONEY.findall(self.price)), default=0.0)

    def told(self, label: str) -> tuple[str, str] | None:
        """Where it says that it is so, and in which words."""
        for place, text in {"the title": self.title, **self.notes}.items():
            words = (label, *sayings().get(label, ()))
            if found := next((phrase for phrase in words if says(text, phrase)), ""):
                return place, found
        return None

    def button(self, wanted: str) -> tuple[str, str] | None:
        """The option and the button that a wanted value goes with."""
        for name, values in (self.options or {}).items():
            for value in values:
                if plain(wanted) in (plain(value), plain(core(value))):
                    return name, value
        return None


@dataclass
class Belief:
    """`see` what an act led to; everything else is there to be asked."""

    wish: Wish
    page: str = "search"  # results, item, sub
    query: str = ""
    number: int = 1  # of the page of results
    more: bool = False  # does a Next stand there?
    shown: list[str] = field(default_factory=list)  # the hits on the open page
    at: str = ""  # the product whose page, or sub-page, is open
    chosen: dict[str, str] = field(default_factory=dict)
    offers: dict[str, Offer] = field(default_factory=dict)
    pages: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)  # acts that led nowhere on this page

    @classmethod
    def begin(cls, opening: str) -> Belief:
        texts = [part.text for part in read(opening) if part.kind == "text"]
        text = texts[-1] if texts else ""
        return cls(read_wish(text))

    @property
    def offer(self) -> Offer:
        return self.offers[self.at]

    @property
    def queries(self) -> set[str]:
        return {query for query, _ in self.pages}

    def fits(self, offer: Offer) -> bool:
        """Is it the right kind of thing, and within the price?"""
        return self.affordable(offer) and bool(self.thing(offer))

    def affordable(self, offer: Offer) -> bool:
        return self.wish.most is None or offer.dearest <= self.wish.most

    def thing(self, offer: Offer) -> str:
        """What the title calls it, if that is the kind that is wanted; of no kind, its first words."""
        names = names_of(self.wish.kind) or (" ".join(offer.title.split()[:4]),)
        return next((name for name in names if says(offer.title, name)), "")

    def untold(self, offer: Offer) -> list[str]:
        """What is wanted of it, and nothing that was read says so."""
        return [label for label in self.wish.labels if not offer.told(label)]

    def missing(self, offer: Offer) -> list[str]:
        """Which wanted options its page does not have."""
        if offer.options is None:
            return []
        return [wanted for wanted in self.wish.options if not offer.button(wanted)]

    def see(self, act: str, text: str) -> None:
        """Take in the page that an act led to."""
        name, argument = split_act(act) or ("", "")
        if text.strip() == INVALID:
            self.failed.add(act)
            return
        if found := CLICKED.fullmatch(text.strip()):
            self.choose(found[1])
            return
        self.failed.clear()
        parts = read(text)
        buttons = {part.text for part in parts if part.kind == "button"}
        if "Search" in buttons:
            self.page, self.at, self.chosen = "search", "", {}
        elif name.lower() == "search" or self.is_results(parts):
            self.query = argument if name.lower() == "search" else self.query
            self.list_hits(parts, "Next >" in buttons)
        elif "Buy Now" in buttons:
            self.look(argument.upper(), parts)
        elif self.at:
            self.page = "sub"
            self.offer.notes[argument.capitalize()] = " ".join(
                p.text for p in parts if p.kind == "text"
            )

    def is_results(self, parts: Sequence[Part]) -> bool:
        """The page's number stands first on it; a product's title never does."""
        return len(parts) > 1 and RESULTS.fullmatch(parts[1].text) is not None

    def list_hits(self, parts: Sequence[Part], more: bool) -> None:
        number = next((m for p in parts[1:2] if (m := RESULTS.fullmatch(p.text))), None)
        self.page, self.at, self.chosen, self.more = "results", "", {}, more
        self.number, self.shown = int(number[1]) if number else 1, []
        for i, part in enumerate(parts):
            if part.kind == "product":
                title, price = (*(p.text for p in parts[i + 1 : i + 3]), "", "")[:2]
                self.offers.setdefault(part.text, Offer(part.text, title, price))
                self.shown.append(part.text)
        self.pages[self.query, self.number] = self.shown

    def look(self, asin: str, parts: Sequence[Part]) -> None:
        """The page of a product, newly opened or come back to."""
        self.page, self.at = "item", asin if asin in self.offers else self.at
        options: dict[str, list[str]] = {}
        texts, self.chosen = [], {}
        for part in parts:
            if part.kind == "name":
                name = part.text
                options[name] = []
            elif part.kind == "option":
                options[name].append(part.text)
                if part.chosen:
                    self.chosen[name] = part.text
            elif part.kind == "text":
                texts.append(part.text)
        if not self.at:  # opened from a page that was never seen
            self.at = asin
            title, price, *_ = (*texts, "", "")
            self.offers[asin] = Offer(asin, title, price)
        self.offer.options = options

    def choose(self, value: str) -> None:
        for name, values in (self.offer.options or {}).items() if self.at else ():
            if value in values:
                self.chosen[name] = value
