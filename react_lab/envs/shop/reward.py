"""What a purchase earns, as published: type x (attributes + options + price) / their number.

Success is a score of 1. Which product was meant is no part of it: another one that has all that was
asked for earns the same. WebShop's own code knows two versions of `get_reward`: this is the one
that compares all options alike; in the other, sizes have to be equal, and a clicked option counts
too if it stands in the product's texts. Where this differs, and why:

* Nouns of titles are found without spaCy, which is large and brings a model (`words.nouns`). Beside
  another tagger of parts of speech (TextBlob's), the type differs in 8% of the pairs of 21 real
  titles and in 5% of those of 120 of ours. spaCy itself could not be asked; the shares of nouns in
  WebShop's own tests (0.86, 0.31, 0.17) are 0.86, 0.33, 0.18 here, and the type is the same.
* Similar texts are found by rapidfuzz, as in thefuzz from 0.20 on (the same on 200,000 pairs of
  texts). WebShop pins 0.19, which matches letters in another way: the same on 40,000 such pairs.
  Of a text, 500 characters are compared.
* The price of a product with a price range is drawn by its asin, not anew in every run.
* A goal's price bound that is 0 or less is refused; the original then adds None to a number.
* No bound is None, not 1,000,000: the price then always fits.
* The wanted options are a list of values. Of a dict the original compares pairs of name and value.
* A product without attributes has none, not one that is called DUMMY_ATTR.
* A goal without attributes can be scored; the original leaves such goals out before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .goals import Goal
from .products import Product
from .words import alike, colour, nouns

__all__ = ["Match", "Reward", "reward"]


@dataclass(frozen=True)
class Match:
    """One thing that was asked for, whether the purchase has it, and where that was found."""

    wanted: str
    found: bool
    where: str


@dataclass(frozen=True)
class Reward:
    """The score of a purchase, and its parts."""

    score: float
    type: float  # 1, 0.5, 0.1 or 0
    type_because: str
    attributes: tuple[Match, ...]
    options: tuple[Match, ...]
    price: Match

    @property
    def parts(self) -> tuple[Match, ...]:
        """All that was asked for, apart from the type."""
        return (*self.attributes, *self.options, self.price)

    @property
    def total(self) -> str:
        has = sum(part.found for part in self.parts)
        return f"{self.type:g} x {has} / {len(self.parts)} = {self.score:g}"

    def __str__(self) -> str:
        """The sum, for a student."""
        lines = [f"{'+' if part.found else '-'} {part.wanted}: {part.where}" for part in self.parts]
        return "\n".join([*lines, f"type {self.type:g}: {self.type_because}", self.total])


def reward(
    goal: Goal, product: Product, chosen: Mapping[str, str], price: float | None = None
) -> Reward:
    """What buying a product earns. chosen: the clicked value of each option.

    price: what it costs; None is what its page says.
    """
    kind, because = type_match(goal, product)
    attributes = attribute_matches(goal, product)
    options = option_matches(goal, chosen)
    paid = price_match(goal, product.cost if price is None else price)
    parts = (*attributes, *options, paid)
    score = kind * (sum(part.found for part in parts) / len(parts))
    return Reward(score, kind, because, attributes, options, paid)


def type_match(goal: Goal, product: Product) -> tuple[float, str]:
    """Is it the kind of thing that was asked for? By its query, its categories and its title.

    The later rules win, as in the original: with no noun in common, nothing is earned, even if the
    query is the same.
    """
    overlap = title_overlap(goal.title, product.title)
    common = parts_of(goal.category) & parts_of(product.category)
    if overlap == 0:
        return 0.0, "the titles have no noun in common"
    if overlap < 0.1:
        return 0.1, "the titles have hardly a noun in common"
    if product.query == goal.query:
        return 1.0, "it belongs to the same query"
    if len(common) >= 2:
        return 1.0, f"two categories or more in common: {', '.join(sorted(common))}"
    if overlap > 0.2:
        return 1.0, "the titles have many nouns in common"
    return 0.5, "another query, other categories, and few nouns of the title in common"


def parts_of(category: str) -> set[str]:
    return {part.strip() for part in category.split("›")}


def title_overlap(goal: str, bought: str) -> float:
    """The share of the goal's nouns that the other title has; 0.2 for a title without nouns."""
    wanted = nouns(goal)
    if not wanted:
        return 0.2
    return len(set(wanted) & set(nouns(bought))) / len(wanted)


def attribute_matches(goal: Goal, product: Product) -> tuple[Match, ...]:
    """Each wanted attribute: among the product's own, or word for word in its texts."""
    texts = {
        "the title": product.title.lower(),
        "the features": " ".join(product.bullets).lower(),
        "the description": product.description.lower(),
    }

    def match(wanted: str) -> Match:
        own = next((mine for mine in product.attributes if alike(mine, wanted)), None)
        if own is not None:
            return Match(wanted, True, f"the product has the attribute {own!r}")
        where = next((name for name, text in texts.items() if wanted in text), None)
        return Match(wanted, where is not None, f"it stands in {where}" if where else "not found")

    return tuple(map(match, goal.attributes))


def option_matches(goal: Goal, chosen: Mapping[str, str]) -> tuple[Match, ...]:
    """Each wanted option: among the clicked ones, with colours made equal."""

    def match(wanted: str) -> Match:
        same = (value for value in chosen.values() if alike(colour(value), colour(wanted)))
        value = next(same, None)
        if value is None:
            return Match(wanted, False, "no such option was clicked")
        return Match(wanted, True, f"{value!r} was clicked")

    return tuple(map(match, goal.options))


def price_match(goal: Goal, price: float) -> Match:
    if goal.price_upper is None:
        return Match("any price", True, f"it costs {price:.2f}")
    wanted = f"a price of {goal.price_upper:.2f} or less"
    return Match(wanted, price <= goal.price_upper, f"it costs {price:.2f}")
