"""The oracle of the shop: it reads pages and nothing else, thinks in their words, and recovers."""

import dataclasses
import functools
import re

import exemplars as author
from shop import oracle
from shop.gold import gold_runs, taken_over
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

LEGS = ("act", "react")
WORLD = Shop()
TRAIN = rl.tasks.load("shop", "train")
SOME = TRAIN[::50]
KIND = KINDS["shop"]
AMOUNT = re.compile(r"\d+\.\d\d\b")
ASIN = re.compile(r"\bB0[A-Z0-9]{8}\b")


@functools.cache
def played(id, leg="react", stray=0.0):
    task = next(task for task in TRAIN if task.id == id)
    return oracle.play(task, WORLD(task), leg, stray=stray, max_steps=40 if stray else 15)


def acts(run):
    return [step.action for step in run.steps if step.action]


# ---------------------------------------------------------------------- what it reads
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
                for one, other in re.findall(r"([\d.]+\d) is below ([\d.]+\d)", step.thought):
                    assert float(one) <= float(other)
                for one, other in re.findall(r"([\d.]+\d) is above ([\d.]+\d)", step.thought):
                    assert float(one) > float(other)
            seen += f"\n{step.observation}"


# ---------------------------------------------------------------------- gold runs
def test_gold_runs_are_the_same_goals_for_every_leg_become_lines_and_take_over_from_a_model():
    runs = {leg: list(gold_runs(24, leg, first=101)) for leg in LEGS}
    assert [*map(acts, runs["act"])] == [*map(acts, runs["react"])]
    assert all(run.end == "finished" for of in runs.values() for run in of)
    assert any(step.outcome == "failed" for run in runs["react"] for step in run.steps)
    lines = {leg: training_lines(of, leg) for leg, of in runs.items()}
    assert len(lines["act"]) == len(lines["react"]) > 12
    assert any(not turn.learned for line in lines["react"] for turn in line)
    assert not any("think[" in turn.written for line in lines["act"] for turn in line)
    done = ("click[x]", "search[chair]", "click[Next >]", "dance")
    steps = tuple(Step(None, act) for act in done)
    lost = Trajectory("x", TRAIN[1], "react", "m", steps=steps, end="step_limit")
    run = taken_over(lost, 4, "react")
    assert acts(run)[:3] == ["click[x]", "search[chair]", "click[Next >]"]
    assert [step.outcome for step in run.steps[:3]] == ["failed"] * 3
    assert run.end == "finished" and run.steps[3].outcome is None


# ---------------------------------------------------------------------- the exemplar
def test_the_exemplar_replays_word_for_word_and_with_it_what_is_hidden_stays_hidden():
    text = data.folder("exemplars", "shop.txt").read_text(encoding="utf-8")
    (exemplar,) = read_exemplars(text, KIND.layout, [KIND.start])[1]
    env = author.game_env(exemplar.opening, "shop")
    for step in exemplar.steps:
        seen = env.step(step.action) if step.action else None
        assert step.observation == (seen.text if seen else "OK.")
    assert seen.done and seen.reward == 1.0
    assert author.written_games(text, "shop") == text
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
