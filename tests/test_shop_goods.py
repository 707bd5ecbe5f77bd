"""The shop's goods, the goals about them, how hard these are to win, and the oracle that wins them."""

import dataclasses
import functools
import itertools
import json
import re
from collections import Counter
from pathlib import Path

import exemplars
import make_shop as author
import pytest
from shop import oracle
from shop.goals import LIMIT, bound, goals, kept_back
from shop.gold import first_thoughts, gold_runs, taken_over
from shop.programs import by_oracle, first_hit_named
from shop.vocabulary import brands
from shop.wares import FAMILY, HELD_OUT, split_of
from shop.wishes import core, read_wish

import react_lab as rl
from react_lab import data
from react_lab.envs.shop import Shop
from react_lab.finetune.lines import training_lines
from react_lab.kinds import KINDS
from react_lab.prompts import read_exemplars
from react_lab.replay import prompt_of
from react_lab.score import correct
from react_lab.types import Step, Trajectory

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


# ---------------------------------------------------------------------- the oracle: it reads pages and nothing else
LEGS = ("act", "react")
WORLD = Shop()
TRAIN = rl.tasks.load("shop", "train")
SOME = TRAIN[::50]
KIND = KINDS["shop"]
AMOUNT = re.compile(r"\d+\.\d\d\b")
ASIN = re.compile(r"\bB0[A-Z0-9]{8}\b")
WEIGHED = re.compile(r"costs ([\d.]+\d), the limit is ([\d.]+\d): (too dear|it fits)")


@functools.cache
def played(id, leg="react", stray=0.0):
    task = next(task for task in TRAIN if task.id == id)
    return oracle.play(task, WORLD(task), leg, stray=stray, max_steps=40 if stray else 15)


def acts(run):
    return [step.action for step in run.steps if step.action]


def test_a_wish_is_read_from_its_words_and_no_more_of_the_goal_is_known():
    read = [(read_wish(task.text), task.extra) for task in SOME]
    for wish, extra in read:
        assert set(wish.labels) == set(extra["attributes"]), wish
        assert sorted(wish.options) == sorted(map(core, extra["options"]))
        assert wish.most == extra["price_upper"]
    for task in SOME[:8]:
        hidden = {"attributes": ["teal"], "options": ["x"], "price_upper": 1.0}
        other = dataclasses.replace(task, extra={**task.extra, **hidden, "asin": TRAIN[9].extra["asin"]})  # fmt: skip
        run = oracle.play(other, WORLD(other), "react")
        assert [(s.thought, s.action) for s in run.steps] == [
            (s.thought, s.action) for s in played(task.id).steps
        ]


# ---------------------------------------------------------------------- how it shops
def test_it_always_buys_what_was_wanted_and_the_legs_differ_in_thoughts_alone():
    runs = [played(task.id) for task in SOME]
    assert all(run.end == "finished" and len(run.steps) <= 15 for run in runs)
    assert all(map(correct, runs))
    for task in SOME[:12]:
        react, act = (played(task.id, leg, 0.2) for leg in ("react", "act"))
        assert acts(react) == acts(act) and len(act.steps) == len(acts(act))
        assert sum(step.thought is not None for step in react.steps) >= 2


def test_its_thoughts_say_what_stands_on_the_pages():
    for task in SOME:
        seen = task.text
        for step in played(task.id, stray=0.2).steps:
            if step.thought:
                assert not set(ASIN.findall(step.thought)) - set(ASIN.findall(seen))
                for amount in AMOUNT.findall(step.thought):
                    assert float(amount) in {float(x) for x in re.findall(r"\d+\.\d+", seen)}
                for one, most, found in WEIGHED.findall(step.thought):
                    assert (found == "it fits") == (float(one) <= float(most))
            seen += f"\n{step.observation}"


# ---------------------------------------------------------------------- gold runs
def test_gold_runs_are_the_same_goals_for_every_leg_become_lines_and_take_over_from_a_model():
    runs = {leg: list(gold_runs(24, leg, first=101)) for leg in LEGS}
    assert [*map(acts, runs["act"])] == [*map(acts, runs["react"])]
    assert all(run.end == "finished" for of in runs.values() for run in of)
    assert any(step.outcome == "failed" for run in runs["react"] for step in run.steps)
    drawn = [run.steps[1].thought for run in first_thoughts(8)]
    assert len({found for each in drawn for *_, found in WEIGHED.findall(each)}) == 2
    lines = {leg: training_lines(of, leg) for leg, of in runs.items()}
    assert len(lines["act"]) == len(lines["react"]) > 12
    assert any(not turn.learned for line in lines["react"] for turn in line)
    assert not any("think[" in turn.written for line in lines["act"] for turn in line)
    steps = tuple(Step(None, a) for a in ("click[x]", "search[chair]", "click[Next >]", "dance"))
    lost = Trajectory("x", TRAIN[1], "react", "m", steps=steps, end="step_limit")
    run = taken_over(lost, 4, "react")
    assert acts(run)[:3] == ["click[x]", "search[chair]", "click[Next >]"]
    assert [step.outcome for step in run.steps[:3]] == ["failed"] * 3
    assert run.end == "finished" and run.steps[3].outcome is None


# ---------------------------------------------------------------------- the exemplar
def test_the_exemplar_replays_word_for_word_and_with_it_what_is_hidden_stays_hidden():
    text = data.folder("exemplars", "shop.txt").read_text(encoding="utf-8")
    (exemplar,) = read_exemplars(text, KIND.layout, [KIND.start])[1]
    env = exemplars.game_env(exemplar.opening, "shop")
    for step in exemplar.steps:
        seen = env.step(step.action) if step.action else None
        assert step.observation == (seen.text if seen else "OK.")
    assert seen.done and seen.reward == 1.0
    assert exemplars.written_games(text, "shop") == text
    task = dataclasses.replace(
        SOME[0], extra={**SOME[0].extra, "attributes": ["zzz top"], "options": ["qqq"], "title": "xyzzy"}
    )  # fmt: skip
    for leg in LEGS:
        model = rl.models.scripted([f" {act}" for act in acts(played(SOME[0].id))])
        run = rl.run(leg, task, model)
        first = model.asked[0].prompt
        assert run.end == "finished" and first.startswith(prompt_of(leg, "shop").head)
        assert ("think[" in first) == (leg == "react")
        for ask in model.asked:
            assert not re.search("zzz top|qqq|xyzzy", ask.prompt)
            assert SOME[0].extra["asin"] not in ask.prompt.partition(task.text)[2].partition("Observation")[0]  # fmt: skip
