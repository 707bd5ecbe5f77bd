"""The shop's goods, the goals about them, and how hard these are to win."""

import itertools
import json
import re
from collections import Counter
from pathlib import Path

import make_shop as author
import pytest
from shop.goals import LIMIT, bound, goals, kept_back
from shop.programs import by_oracle, first_hit_named
from shop.vocabulary import brands
from shop.wares import FAMILY, HELD_OUT, split_of

import react_lab as rl
from react_lab import data
from react_lab.envs.shop import Shop

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


def values(row):
    return list(itertools.chain(*row.get("options", {}).values()))


def highest(row):
    return max(row.get("price", [100.0]))


def lacks(goal, row):
    """What a goal wants and a product has not."""
    said = " ".join([row["title"], *row["bullets"], row.get("description", "")]).lower()
    missing = [a for a in goal["attributes"] if a not in row["attributes"] and a not in said]
    missing += [value for value in goal["options"] if value not in values(row)]
    dear = goal["price_upper"] is not None and highest(row) > goal["price_upper"]
    return missing + ["price"] * dear


# ---------------------------------------------------------------------- the goods
def test_the_files_are_what_the_generator_makes_and_no_brand_is_a_real_one():
    path = data.folder("shop", "products.jsonl")
    assert path.read_bytes().decode("utf-8") == author.wares()
    for split in SPLITS:
        assert list(goals(split, 4)) == GOALS[split][:4]
    assert len(brands()) >= 180
    for brand in brands():
        assert not set(re.findall(r"[a-z0-9+-]+", brand.lower())) & REAL, brand
        assert brand.lower().replace(" ", "-") not in REAL


def test_what_was_there_before_can_still_be_shopped_for():
    """The goals of the runs that are kept; their products are in no new catalogue."""
    old = [*rl.tasks.load("shop", "old"), *rl.tasks.load("shop", "old_dev")]
    assert len(old) == 130 and not {task.id for task in old} & {goal["id"] for _, goal in EVERY}
    for task in old[::10]:
        assert task.extra["asin"] not in BY_ASIN
        env = Shop()(task)
        assert env.products.get(task.extra["asin"]) and env.products is not Shop().products("")
    assert len(data.folder("shop", "old.jsonl.gz").read_bytes()) < 500_000


# ---------------------------------------------------------------------- the goals
def test_there_are_enough_goals_and_no_two_alike():
    assert len(GOALS["train"]) == 1000 and len(GOALS["dev"]) >= 40 and len(GOALS["test"]) >= 80
    for split in SPLITS:  # and all of them are loaded
        tasks = rl.tasks.load("shop", split)
        assert [task.text for task in tasks] == [goal["text"] for goal in GOALS[split]]
        assert tasks[0].kind == "shop"
    assert len({goal["id"] for _, goal in EVERY}) == len(EVERY)
    assert len({goal["text"] for _, goal in EVERY}) == len(EVERY)
    for split in ("dev", "test"):
        wishes = [PRICE.sub("", goal["text"]) for goal in GOALS[split]]
        openings = Counter(tuple(wish.split()[:3]) for wish in wishes)
        assert max(openings.values()) <= 12
        assert len({goal["asin"] for goal in GOALS[split]}) == len(wishes)


def test_every_goal_is_won_by_its_product_its_limit_is_near_the_price_and_no_wish_tells():
    for _, goal in EVERY:
        row = BY_ASIN[goal["asin"]]
        assert goal["attributes"] and set(goal["attributes"]) <= set(row["attributes"]), goal["id"]
        options = [set(v) & set(goal["options"]) for v in row.get("options", {}).values()]
        assert set(goal["options"]) <= set(values(row)), goal["id"]
        assert sum(map(bool, options)) >= len(goal["options"]), goal["id"]  # one value of an option
        assert lacks(goal, row) == []
    for _, goal in EVERY:
        upper, price = goal["price_upper"], highest(BY_ASIN[goal["asin"]])
        assert upper == bound(goal["asin"], price) == float(PRICE.search(goal["text"])[1])
        assert LIMIT[0] <= upper / price <= LIMIT[1], goal
        assert upper % (1 if upper < 12 else 5 if upper <= 60 else 10) == 0
    names = [brand.lower() for brand in brands()]
    for _, goal in EVERY:
        assert not any(re.search(rf"\b{re.escape(name)}\b", goal["text"]) for name in names)


@pytest.mark.parametrize("split", ["dev", "test"])
def test_how_hard_the_goals_are(split):
    """A rule that clicks what is named is not enough; who reads the pages wins nearly all."""
    tasks = rl.tasks.load("shop", split)[:: 2 if split == "dev" else 3]
    won = {
        p: sum(p(t, Shop()(t)).reward == 1.0 for t in tasks) for p in (first_hit_named, by_oracle)
    }
    assert won[first_hit_named] <= 0.35 * len(tasks) and won[by_oracle] >= 0.95 * len(tasks)


def test_splits_are_about_other_products_and_kinds_and_pairs_are_kept_back_for_test():
    families = {s: {NUMBER[goal["asin"]] // FAMILY for goal in GOALS[s]} for s in SPLITS}
    for one, other in itertools.combinations(SPLITS, 2):
        assert not families[one] & families[other]
    for split, goal in EVERY:
        assert split_of(NUMBER[goal["asin"]]) == split
    about = {s: {BY_ASIN[goal["asin"]]["query"] for goal in GOALS[s]} for s in SPLITS}
    assert set(HELD_OUT) <= about["test"] and not set(HELD_OUT) & (about["train"] | about["dev"])
    pairs = {s: [pair for goal in GOALS[s] for pair in itertools.combinations(goal["attributes"], 2)]
             for s in SPLITS}  # fmt: skip
    assert not any(kept_back(*pair) for split in ("train", "dev") for pair in pairs[split])
    assert sum(kept_back(*pair) for pair in pairs["test"]) >= 10
