"""What a purchase earns, as published: type x (attributes + options + price) / their number.

Success is a score of 1. Which product was meant is no part of it: another one that has all that was
asked for earns the same. WebShop's own code knows two versions of `get_reward`: this is the one
that compares all options alike; in the other, sizes have to be equal, and a clicked option counts
too if it stands in the product's texts. Where this differs:

* Nouns of titles are found without spaCy and its model (`nouns`). Beside another tagger, TextBlob,
  the type differs in 8% of the pairs of 21 real titles and 5% of those of 120 of ours; WebShop's
  own tests have shares of nouns of 0.86, 0.31, 0.17, here 0.86, 0.33, 0.18, and the same type.
* Similar texts are found by rapidfuzz, as in thefuzz from 0.20 on; WebShop pins 0.19: the same on
  40,000 pairs of texts. Of a text, 500 characters are compared.
* A price from a range is drawn by its asin, not anew in every run. No bound of the price is None,
  not 1,000,000; one of 0 or less is refused.
* The wanted options are a list of values; a product without attributes has none, not DUMMY_ATTR; a
  goal without attributes can be scored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .products import Goal, Product


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

    def __str__(self) -> str:
        """The sum, for a student."""
        lines = [f"{'+' if part.found else '-'} {part.wanted}: {part.where}" for part in self.parts]
        has = sum(part.found for part in self.parts)
        total = f"{self.type:g} x {has} / {len(self.parts)} = {self.score:g}"
        return "\n".join([*lines, f"type {self.type:g}: {self.type_because}", total])


def reward(goal: Goal, product: Product, chosen: Mapping[str, str]) -> Reward:
    """What buying a product earns. chosen: the clicked value of each option."""
    kind, because = type_match(goal, product)
    attributes = tuple(attribute_matches(goal, product))
    options = tuple(option_matches(goal, chosen))
    paid = price_match(goal, product.cost)
    parts = (*attributes, *options, paid)
    score = kind * (sum(part.found for part in parts) / len(parts))
    return Reward(score, kind, because, attributes, options, paid)


def type_match(goal: Goal, product: Product) -> tuple[float, str]:
    """Is it the kind of thing that was asked for? By its query, its categories and its title.

    The later rules win, as in the original: with no noun in common, nothing is earned, even if the
    query is the same.
    """
    wanted, bought = nouns(goal.title), {*nouns(product.title)}
    overlap = len({*wanted} & bought) / len(wanted) if wanted else 0.2  # the share that it has
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


def attribute_matches(goal: Goal, product: Product) -> Iterator[Match]:
    """Each wanted attribute: among the product's own, or word for word in its texts."""
    texts = {
        "the title": product.title.lower(),
        "the features": " ".join(product.bullets).lower(),
        "the description": product.description.lower(),
    }
    for wanted in goal.attributes:
        own = next((mine for mine in product.attributes if alike(mine, wanted)), None)
        where = next((f"it stands in {name}" for name, text in texts.items() if wanted in text), "")
        if own is not None:
            yield Match(wanted, True, f"the product has the attribute {own!r}")
        else:
            yield Match(wanted, bool(where), where or "not found")


def option_matches(goal: Goal, chosen: Mapping[str, str]) -> Iterator[Match]:
    """Each wanted option: among the clicked ones, with colours made equal."""
    for wanted in goal.options:
        same = (value for value in chosen.values() if alike(colour(value), colour(wanted)))
        if (value := next(same, None)) is None:
            yield Match(wanted, False, "no such option was clicked")
        else:
            yield Match(wanted, True, f"{value!r} was clicked")


def price_match(goal: Goal, price: float) -> Match:
    if goal.price_upper is None:
        return Match("any price", True, f"it costs {price:.2f}")
    wanted = f"a price of {goal.price_upper:.2f} or less"
    return Match(wanted, price <= goal.price_upper, f"it costs {price:.2f}")


# ------------------------------------------------------------------ words

# The original's 102 names in its order. The first of these that stands anywhere in a text replaces
# the whole text, so "tapered leg" is red, and "standard" is tan.
COLOUR_WORDS = """
alabaster apricot aqua ash asphalt azure banana beige black blue blush bordeaux bronze brown
burgundy camel camo caramel champagne charcoal cheetah chestnut chocolate christmas coffee cognac
copper coral cranberry cream crystal dark denim eggplant elephant espresso fuchsia gold granite
grape graphite grass gray green grey heather indigo ivory ivy khaki lavender lemon leopard light
lilac lime magenta maroon mauve merlot midnight mint mocha multicolor mushroom mustard natural navy
nude olive orange peach pewter pink plum purple rainbow red rose royal rust sand sapphire seashell
silver skull slate steel stone stonewash sunflower tan taupe teal tiger turquoise violet walnut
wheat white wine yellow
"""
COMMON_WORDS = """
a about above after against all also am an and any are around as at back be been before behind best
better big both but by can cheap cool cute does each easy every extra fine fit for free fresh from
full good great had has have heavy her here high his hot how if in inside into is it its just large
less lightweight long low many may medium mini more most much my natural near new no non not of off
old on once one only or organic other our out over own per perfect portable premium pure quick real
reusable rich safe same self she short simple slim small smart so soft some strong such super sweet
than that the their them then there these they thick thin this those three through to together two
ultimate under unique until up upon use vintage was we were what when where which while who whole
why wide will with within without you your
"""
COLOURS = tuple(COLOUR_WORDS.split())
NO_NOUNS = frozenset(COMMON_WORDS.split())
LATIN = dict.fromkeys(range(128, 256))  # the letters that the original drops
LONGEST = 500  # characters that are compared: the time grows with their square
WORD = re.compile(r"(?<!\w)[^\W\d_](?:[\w'’]|\.(?=\w))*")


def colour(text: str) -> str:
    """A text that names a colour is that colour.

    >>> colour("washed navy"), colour("size 7")
    ('ash', 'size 7')
    """
    return next((name for name in COLOURS if name in text), text)


def alike(one: str, other: str) -> bool:
    """More than 85 of 100 by the token set ratio, which is rounded first, as in thefuzz.

    >>> alike("cool powder snow", "powder snow"), alike("powder snow", "powder blue")
    (True, False)
    """
    from rapidfuzz import fuzz, utils

    pair = (text[:LONGEST].translate(LATIN) for text in (one, other))
    return round(fuzz.token_set_ratio(*pair, processor=utils.default_process)) > 85


def nouns(title: str) -> list[str]:
    """The words of a title that may be nouns, in lower case; a word may come twice.

    The original asks spaCy for nouns and names. In a title nearly every word is one of them to it,
    so this takes all words that begin with a letter, but for common words that are no nouns and
    for those that end as `Listed` does.

    >>> nouns("UL Listed 2 Prong Cord for JBL Bar 3.1")
    ['ul', 'prong', 'cord', 'jbl', 'bar']
    """
    words = (word.lower().removesuffix("'s").rstrip("'’") for word in WORD.findall(title))
    return [word for word in words if word not in NO_NOUNS and not word.endswith("ed")]
