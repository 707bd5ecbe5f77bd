"""The shop's goods, the goals about them, and how hard these are to win."""

import functools
import itertools
import json
import re
from collections import Counter
from pathlib import Path

import make_shop as author
import pytest
from shop.goals import bound, goals, kept_back
from shop.vocabulary import brands, goods, sayings
from shop.wares import FAMILY, HELD_OUT, asin, kind_of, product, products, split_of

import react_lab as rl
from react_lab import data

SPLITS = ("train", "dev", "test")
PRICE = re.compile(r", and price lower than (\d+\.\d\d) dollars$")
REAL = set(Path(__file__).with_name("real_brands.txt").read_text(encoding="utf-8").split())


def stored(*path):
    text = data.folder(*path).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


PRODUCTS = stored("shop", "products.jsonl")
BY_ASIN = {row["asin"]: row for row in PRODUCTS}
NUMBER = {row["asin"]: number for number, row in enumerate(PRODUCTS)}
GOALS = {split: stored("tasks", "shop", f"{split}.jsonl") for split in SPLITS}
EVERY = [(split, goal) for split in SPLITS for goal in GOALS[split]]


def said(row):
    return " ".join([row["title"], *row["bullets"], row.get("description", "")]).lower()


def values(row):
    return list(itertools.chain(*row.get("options", {}).values()))


def highest(row):
    return max(row.get("price", [100.0]))


@functools.cache
def rivals(query):
    return [row for row in PRODUCTS if row["query"] == query]


def lacks(goal, row):
    """What a goal wants and a product has not."""
    missing = [a for a in goal["attributes"] if a not in row["attributes"] and a not in said(row)]
    missing += [value for value in goal["options"] if value not in values(row)]
    dear = goal["price_upper"] is not None and highest(row) > goal["price_upper"]
    return missing + ["price"] * dear


# ---------------------------------------------------------------------- the goods


def test_the_files_are_what_the_generator_makes():
    for name, text in author.files().items():
        assert data.folder(*name.split("/")).read_bytes().decode("utf-8") == text, name


def test_there_are_goods_of_many_kinds():
    assert len(PRODUCTS) >= 3000
    assert len({row["category"].split(" › ")[0] for row in PRODUCTS}) >= 10
    assert len({" › ".join(row["category"].split(" › ")[:2]) for row in PRODUCTS}) >= 15
    counts = Counter(row["query"] for row in PRODUCTS)
    assert len(counts) == len(goods()) >= 80 and min(counts.values()) >= 30
    assert data.folder("shop", "products.jsonl").stat().st_size < 2_500_000


def test_no_two_products_are_alike():
    assert len(BY_ASIN) == len({row["title"] for row in PRODUCTS}) == len(PRODUCTS)
    lines = [line for row in PRODUCTS for line in row["bullets"]]
    assert len(set(lines)) > 0.5 * len(lines)
    told = [row["description"] for row in PRODUCTS if "description" in row]
    assert len(set(told)) > 0.9 * len(told) and len(told) > 0.8 * len(PRODUCTS)
    assert all(2 <= len(row["bullets"]) <= 5 for row in PRODUCTS)
    assert all(len(set(row["bullets"])) == len(row["bullets"]) for row in PRODUCTS)


def test_titles_are_as_long_and_messy_as_a_marketplaces():
    lengths = sorted(len(row["title"]) for row in PRODUCTS)
    assert 80 < lengths[len(lengths) // 2] < 140 and lengths[-1] < 250
    for sign in "|;-(,":
        assert sum(sign in row["title"] for row in PRODUCTS) > 0.05 * len(PRODUCTS), sign


def test_no_brand_is_a_real_one():
    assert len(brands()) >= 180
    for brand in brands():
        assert not set(re.findall(r"[a-z0-9+-]+", brand.lower())) & REAL, brand
        assert brand.lower().replace(" ", "-") not in REAL


def test_option_values_are_as_the_shop_writes_them():
    for row in PRODUCTS:
        for name, choices in row.get("options", {}).items():
            assert name in ("color", "size", "style", "scent", "flavor name")
            assert len(choices) == len(set(choices)) >= 2
            assert all(v == v.strip().replace("/", " | ").lower() for v in choices)


def test_prices_are_sane():
    for row in PRODUCTS:
        price = row.get("price", [])
        assert len(price) <= 2 and price == sorted(set(price)) and all(2 < p < 900 for p in price)
        assert all(round(p, 2) == p for p in price)
    shapes = Counter(len(row.get("price", [])) for row in PRODUCTS)
    assert 0.005 < shapes[0] / len(PRODUCTS) < 0.05 and 0.08 < shapes[2] / len(PRODUCTS) < 0.2


def test_what_a_product_can_do_stands_on_its_page():
    shown = Counter()
    for row in PRODUCTS:
        text = said(row).replace("-", " ")
        for label in row["attributes"]:
            in_words = any(words.lower().replace("-", " ") in text for words in sayings()[label])
            assert label in text or in_words, (row["asin"], label)
            shown["label" if label in text else "words"] += 1
    assert 0.6 < shown["label"] / shown.total() < 0.9


def test_no_page_says_what_the_product_cannot_do():
    for number, row in enumerate(PRODUCTS):
        text = said(row).replace("-", " ")
        others = set(kind_of(number).attributes) - set(row["attributes"])
        for label in others:
            assert label not in text, (row["asin"], label)
            assert not any(words.lower() in said(row) for words in sayings()[label]
                           if not any(words in sayings()[own] for own in row["attributes"]))  # fmt: skip


def test_no_perfume_where_the_seller_says_there_is_none():
    for row in PRODUCTS:
        assert not ("fragrance free" in row["attributes"] and "scent" in row.get("options", {}))


def test_any_number_of_products_can_be_made():
    far = list(products(FAMILY, first=1_179_996))
    assert far[0] == product(1_179_996) and len({row["title"] for row in far}) == FAMILY
    assert {row["query"] for row in far} == {kind_of(1_179_996).query}
    names = {asin(number) for number in range(0, 1_180_000, 70)}
    assert len(names) == len(range(0, 1_180_000, 70))
    assert all(re.fullmatch(r"B0[0-9A-Z]{8}", row["asin"]) for row in far)


# ---------------------------------------------------------------------- the goals


def test_there_are_enough_goals_and_no_two_alike():
    assert len(GOALS["train"]) == 1000 and len(GOALS["dev"]) >= 40 and len(GOALS["test"]) >= 80
    assert len({goal["id"] for _, goal in EVERY}) == len(EVERY)
    assert len({goal["text"] for _, goal in EVERY}) == len(EVERY)
    for split in ("dev", "test"):
        wishes = [PRICE.sub("", goal["text"]) for goal in GOALS[split]]
        openings = Counter(tuple(wish.split()[:3]) for wish in wishes)
        assert max(openings.values()) <= 4
        assert len({goal["asin"] for goal in GOALS[split]}) == len(wishes)


def test_every_goal_is_won_by_its_product():
    for _, goal in EVERY:
        row = BY_ASIN[goal["asin"]]
        assert goal["attributes"] and set(goal["attributes"]) <= set(row["attributes"]), goal["id"]
        chosen = [
            name for name, v in row.get("options", {}).items() if set(v) & set(goal["options"])
        ]
        assert set(goal["options"]) <= set(values(row)), goal["id"]
        assert len(chosen) >= len(goal["options"]), goal["id"]  # one value of an option
        assert lacks(goal, row) == []


def test_the_bound_is_drawn_from_the_goals_name_and_ends_the_wish():
    for _, goal in EVERY:
        assert goal["price_upper"] == bound(goal["id"], BY_ASIN[goal["asin"]].get("price", ()))
        found = PRICE.search(goal["text"])
        assert (float(found[1]) if found else None) == goal["price_upper"]
    assert bound("x", [12.0, 975.0]) in (980.0, 990.0, None) and bound("x", [985.0]) is None


def test_every_goal_has_rivals_that_match_partly():
    close, winners = 0, []
    for _, goal in EVERY:
        others = [
            row for row in rivals(BY_ASIN[goal["asin"]]["query"]) if row["asin"] != goal["asin"]
        ]
        partly = [row for row in others if lacks(goal, row)]
        assert len(partly) >= 10, goal["id"]
        near = min(len(lacks(goal, row)) for row in partly)
        assert near <= 2, goal["id"]
        close += near == 1
        winners.append(1 - len(partly) / len(others))
    assert close > 0.95 * len(EVERY)
    assert sum(winners) < 0.12 * len(winners)  # beside the product itself


def test_splits_are_about_other_products():
    families = {s: {NUMBER[goal["asin"]] // FAMILY for goal in GOALS[s]} for s in SPLITS}
    for one, other in itertools.combinations(SPLITS, 2):
        assert not families[one] & families[other]
    for split, goal in EVERY:
        assert split_of(NUMBER[goal["asin"]]) == split


def test_kinds_and_pairs_are_kept_back_for_test():
    about = {s: {BY_ASIN[goal["asin"]]["query"] for goal in GOALS[s]} for s in SPLITS}
    assert set(HELD_OUT) <= about["test"] and not set(HELD_OUT) & (about["train"] | about["dev"])
    pairs = {s: [pair for goal in GOALS[s] for pair in itertools.combinations(goal["attributes"], 2)]
             for s in SPLITS}  # fmt: skip
    assert not any(kept_back(*pair) for split in ("train", "dev") for pair in pairs[split])
    assert sum(kept_back(*pair) for pair in pairs["test"]) >= 10


def test_wishes_by_hand_do_not_give_the_product_away():
    """Neither a brand nor a long piece of the title; what is asked for is mostly put otherwise."""
    names = [brand.lower() for brand in brands()]
    verbatim = Counter()
    for split in ("dev", "test"):
        for goal in GOALS[split]:
            text = goal["text"].lower()
            assert not any(re.search(rf"\b{re.escape(name)}\b", text) for name in names)
            words = re.findall(r"[a-z0-9]+", BY_ASIN[goal["asin"]]["title"].lower())
            plain = f" {' '.join(re.findall(r'[a-z0-9]+', text))} "
            fours = [" ".join(words[i : i + 4]) for i in range(len(words) - 3)]
            assert not any(f" {four} " in plain for four in fours), goal["id"]
            verbatim.update(label in text for label in goal["attributes"])
    assert verbatim[True] < 0.15 * verbatim.total()


def test_dev_and_test_cannot_be_told_apart_by_length():
    def median(split):
        lengths = sorted(len(PRICE.sub("", goal["text"]).split()) for goal in GOALS[split])
        return lengths[len(lengths) // 2]

    assert abs(median("dev") - median("test")) <= 4


def test_further_train_goals_can_be_made_and_are_others():
    more = list(goals(20, first=5001))
    assert not {goal["text"] for goal in more} & {goal["text"] for _, goal in EVERY}
    again = next(goals(1, first=5020))
    assert more[-1] == again and again["id"] == "shop-train-05020"


def test_train_wishes_are_worded_in_many_ways():
    openings = Counter(" ".join(goal["text"].split()[:3]) for goal in GOALS["train"])
    assert len(openings) >= 12 and max(openings.values()) < 150
    counts = Counter(len(goal["attributes"]) for goal in GOALS["train"])
    assert set(counts) == {1, 2, 3} and min(counts.values()) > 150


@pytest.mark.parametrize("split", SPLITS)
def test_goals_are_loaded_as_tasks(split):
    tasks = rl.tasks.load("shop", split)
    assert len(tasks) == len(GOALS[split])
    assert tasks[0].kind == "shop" and tasks[0].text == GOALS[split][0]["text"]
