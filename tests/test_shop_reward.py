"""What a purchase earns: computed by hand, branch by branch, and what holds of any purchase."""

import hashlib
from fractions import Fraction

import pytest
import shop_small
from hypothesis import given
from hypothesis import strategies as st

from react_lab.envs.shop import Goal, Product, price_bound, reward, with_bound
from react_lab.envs.shop.reward import COLOURS, alike, colour, nouns

WANTED = {
    "query": "desk lamp", "category": "Home › Lamps › Desk", "title": "Desk Lamp Brass",
    "attributes": ("dimmable", "eco friendly"), "options": ("blue", "small"), "price_upper": 40.0,
}  # fmt: skip
BOUGHT = {
    "title": "Desk Lamp Brass", "price": (35.0,), "query": "desk lamp", "category": "Home › Lamps › Desk",
    "attributes": ("dimmable", "eco friendly"), "bullets": (), "description": "",
}  # fmt: skip
CLICKED = {"color": "blue", "size": "small"}
OTHER = {"query": "mirror", "category": "Bath"}  # of what is bought: neither query nor category fit
TEN = "Lamp Table Chair Mirror Sofa Shelf Carpet Candle Basket Vase"  # ten nouns

# name: (what else is wanted, what else is bought, what is clicked, the score by hand)
CASES = {
    # the type; all five other parts fit
    "same in all": ({}, {}, CLICKED, "1"),
    "same query alone": ({}, {"category": "Bath"}, CLICKED, "1"),
    "same query, few nouns in common": ({"title": TEN}, {"category": "Bath", "title": "Lamp"}, CLICKED, "1"),
    "two categories, in another order": ({"title": TEN}, {"query": "x", "title": "Lamp", "category": "Desk › Home"}, CLICKED, "1"),
    "categories without spaces": ({"title": TEN}, {"query": "x", "title": "Lamp", "category": "Home›Lamps"}, CLICKED, "1"),
    "one category, few nouns": ({"title": TEN}, {"query": "x", "title": "Lamp", "category": "Home › Bath"}, CLICKED, "1/2"),
    "one category twice": ({"title": TEN, "category": "Home › Home"}, {"query": "x", "title": "Lamp", "category": "Home › Home"}, CLICKED, "1/2"),
    "no category on either side": ({"title": TEN, "category": ""}, {"query": "x", "title": "Lamp", "category": ""}, CLICKED, "1/2"),
    "one noun of five is no more than 0.2": ({"title": "Lamp Table Chair Mirror Sofa"}, {**OTHER, "title": "Lamp"}, CLICKED, "1/2"),
    "two nouns of nine": ({"title": TEN.removesuffix(" Vase")}, {**OTHER, "title": "Lamp Table"}, CLICKED, "1"),
    "a noun that the goal has twice counts once": ({"title": "Lamp Lamp Table Chair Sofa"}, {**OTHER, "title": "Lamp"}, CLICKED, "1/2"),
    "one noun of ten is not less than 0.1": ({"title": TEN}, {**OTHER, "title": "Lamp"}, CLICKED, "1/2"),
    "one noun of eleven, same query": ({"title": f"{TEN} Stool"}, {"title": "Lamp"}, CLICKED, "1/10"),
    "no noun, same query and categories": ({}, {"title": "Mirror"}, CLICKED, "0"),
    "goal without nouns, same query": ({"title": "12 of 3"}, {}, CLICKED, "1"),
    "goal without nouns, nothing else": ({"title": "12 of 3"}, OTHER, CLICKED, "1/2"),
    "the query's case counts": ({"title": TEN}, {"query": "Desk Lamp", "title": "Lamp", "category": ""}, CLICKED, "1/2"),
    # attributes
    "no attribute": ({}, {"attributes": ()}, CLICKED, "3/5"),
    "one attribute": ({}, {"attributes": ("dimmable",)}, CLICKED, "4/5"),
    "an attribute nearly": ({}, {"attributes": ("dimable", "eco-friendly")}, CLICKED, "1"),
    "an attribute within a longer one": ({}, {"attributes": ("fully dimmable", "friendly eco paint")}, CLICKED, "1"),
    "in the title": ({}, {"attributes": (), "title": "DIMMABLE Desk Lamp"}, CLICKED, "4/5"),
    "in the features": ({}, {"attributes": (), "bullets": ("x", "It is Dimmable.")}, CLICKED, "4/5"),
    "over two features": ({}, {"attributes": (), "bullets": ("so eco", "friendly")}, CLICKED, "4/5"),
    "in the description": ({}, {"attributes": (), "description": "undimmable, eco friendly"}, CLICKED, "1"),
    "no word for word": ({}, {"attributes": (), "description": "friendly eco"}, CLICKED, "3/5"),
    "a capital in the goal, among attributes": ({"attributes": ("Dimmable", "Eco Friendly")}, {}, CLICKED, "1"),
    "a capital in the goal, in a text": ({"attributes": ("Dimmable",)}, {"attributes": (), "description": "Dimmable"}, CLICKED, "3/4"),
    # options
    "nothing clicked": ({}, {}, {}, "3/5"),
    "one of two clicked": ({}, {}, {"color": "blue"}, "4/5"),
    "a colour by its first name": ({"options": ("navy blue", "small")}, {}, {"c": "blue wave", "s": "small"}, "1"),
    "a colour within a word": ({"options": ("red", "small")}, {}, {"c": "tapered leg", "s": "small"}, "1"),
    "standard is tan": ({"options": ("tan", "small")}, {}, {"c": "standard", "s": "small"}, "1"),
    "gray is not grey": ({"options": ("gray", "small")}, {}, {"c": "grey", "s": "small"}, "4/5"),
    "one click serves two": ({"options": ("small", "small pack")}, {}, {"size": "small"}, "1"),
    "more in brackets": ({"options": ("3 ounce",)}, {}, {"size": "3 ounce (pack of 1)"}, "1"),
    "another number, short": ({"options": ("6 wide",)}, {}, {"size": "7 wide"}, "3/4"),
    "another number, longer": ({"options": ("size 10 wide",)}, {}, {"size": "size 11 wide"}, "1"),
    "no options, no attributes": ({"options": (), "attributes": ()}, {}, {}, "1"),
    # the price
    "as much as the bound": ({}, {"price": (40.0,)}, CLICKED, "1"),
    "a cent more": ({}, {"price": (40.01,)}, CLICKED, "4/5"),
    "no bound": ({"price_upper": None}, {"price": (5000.0,)}, CLICKED, "1"),
    "a range above": ({}, {"price": (41.0, 50.0)}, CLICKED, "4/5"),
    "a missing price is 100": ({}, {"price": ()}, CLICKED, "4/5"),
    "nothing else wanted, too dear": ({"options": (), "attributes": ()}, {"price": (50.0,)}, {}, "0"),
    # all together
    "a tenth of two fifths": ({"title": f"{TEN} Stool"}, {"title": "Lamp", "price": (50.0,)}, {}, "2/50"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_purchase_earns_what_is_computed_by_hand(name):
    wanted, bought, clicked, by_hand = CASES[name]
    goal = Goal("g", "i need a lamp", "B1", **{**WANTED, **wanted})
    earned = reward(goal, Product("B2", **{**BOUGHT, **bought}), clicked)
    assert earned.score == pytest.approx(float(Fraction(by_hand)), abs=1e-12)
    assert (earned.score == 1.0) == (by_hand == "1")
    assert str(earned).endswith(f"= {earned.score:g}") and earned.type_because in str(earned)


def test_a_price_of_a_range_is_always_the_same_and_a_bound_is_said_at_the_end():
    costs = [Product(f"B{i}", "x", (10.0, 20.0)).cost for i in range(200)]
    assert costs == [Product(f"B{i}", "x", (10.0, 20.0)).cost for i in range(200)]
    assert 10 <= min(costs) < 12 and 18 < max(costs) <= 20 and len(set(costs)) > 100
    assert with_bound("i need a lamp.", 40.0) == "i need a lamp, and price lower than 40.00 dollars"
    assert with_bound("i need a lamp", None) == "i need a lamp"
    bounds = [price_bound(shop_small.product(asin=f"B{i}"), "x") for i in range(300)]
    assert {*bounds} == {30.0, 40.0, 50.0}  # above 10.99: of 20, 30, 40, 50 the larger of two


def test_eighty_five_is_not_enough_the_first_colour_wins_and_nouns_are_words():
    whole = "abcdefghijklmnopqrst"
    assert not alike(whole, whole[:17] + "123")  # 2 x 17 of 40 letters: 85.0
    assert alike("abcdefg", "abcdefx")  # 2 x 6 of 14: 85.7, rounded 86
    assert not alike("a" * 47 + "b" * 8, "a" * 47 + "c" * 8)  # 2 x 47 of 110: 85.45, rounded 85
    assert not any(alike(one, one) for one in ("", "#", "éé"))  # nothing is left to compare
    assert alike("a" * 500 + "b" * 500, "a" * 500 + "c" * 500)  # no more than 500 are compared
    assert alike("café", "CAF") and alike("size: 7", "7 size")
    assert [*COLOURS] == sorted(COLOURS) and len(COLOURS) == len(set(COLOURS)) == 102
    names = hashlib.sha256(" ".join(COLOURS).encode()).hexdigest()
    assert names.startswith("87767f22f7435a0a")  # those of WebShop's normalize.py
    told = {"navy blue": "blue", "washed red": "ash", "12 inch": "12 inch", "grey": "grey"}
    assert {text: colour(text) for text in told} == told
    cord = "UL Listed 2-Prong Power Cord for the Bar 3.1, 4K & Women's D.o.n. 921ORB"
    assert " ".join(nouns(cord)) == "ul prong power cord bar women d.o.n"


# ---------------------------------------------------------------------- of any purchase
WORDS = st.text("abcdefgh ", min_size=1, max_size=12).filter(str.strip)
ANY = st.text(max_size=20)


def products(text):
    some, values = (st.lists(text, min_size=k, max_size=3).map(tuple) for k in (0, 1))
    return st.builds(
        Product, asin=st.just("B1"), title=text, query=text, description=text, attributes=some, bullets=some,
        price=st.lists(st.floats(0, 1e6), max_size=2).map(sorted).map(tuple),
        category=st.lists(text, max_size=3).map(" › ".join), options=st.dictionaries(text, values, max_size=3),
    )  # fmt: skip


def goal_for(meant, options, bound):
    known = (meant.query, meant.category, meant.title, meant.attributes)
    return Goal("g", "x", "B1", *known, tuple(options), bound)


@given(products(ANY), products(ANY), st.lists(ANY, max_size=3), st.data())
def test_a_score_is_between_0_and_1_and_the_product_of_its_parts(meant, bought, options, data):
    goal = goal_for(meant, options, data.draw(st.none() | st.floats(1, 1e6)))
    chosen = {name: data.draw(st.sampled_from(values)) for name, values in bought.options.items()}
    earned = reward(goal, bought, chosen)
    parts = (*earned.attributes, *earned.options, earned.price)
    assert 0 <= earned.score <= 1 and earned.type in (0, 0.1, 0.5, 1)
    assert earned.score == earned.type * (sum(part.found for part in parts) / len(parts))


@given(products(WORDS), st.data())
def test_buying_what_was_meant_with_its_options_earns_1(meant, data):
    chosen = {name: data.draw(st.sampled_from(values)) for name, values in meant.options.items()}
    bound = price_bound(meant, "x")
    goal = goal_for(meant, chosen.values(), bound)
    assert reward(goal, meant, chosen).score == 1.0


@given(products(ANY), ANY)
def test_a_bound_is_one_of_the_next_four_tens_and_does_not_change(one, key):
    bound = price_bound(one, key)
    assert bound == price_bound(one, key)
    if one.cost < 980:
        assert bound and one.cost < bound <= one.cost + 40 and bound % 10 == 0
    else:
        assert bound is None
