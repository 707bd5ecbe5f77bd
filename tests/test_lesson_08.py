"""Lesson 08: what its runs bought and lost, its edits, its shoppers."""

from dataclasses import replace

import pytest

import react_lab as rl
from react_lab.lessons import lesson_08

LEGS = ("shop/act", "shop/react")
SEARCH = "search[four coconut vanilla deodorants 2.6 ounces]"
PAGE = "click[B0YVHNJMWO]"


def shopped(task, lines):
    """The run that these lines make in the shop."""
    model = rl.models.scripted([*lines], name="you")
    return rl.run("react", task, model, max_steps=max(1, len(lines)))


@pytest.fixture(scope="module")
def goal():
    return lesson_08.task("shop-test-008")  # four coconut vanilla deodorants, 2.6 ounces each


@pytest.fixture(scope="module")
def lost(goal):
    """Bought without the pack of 4."""
    return shopped(goal, [SEARCH, PAGE, "click[coconut vanilla]", "click[Buy Now]"])


def test_a_purchase_is_found_by_doing_the_acts_again_and_which_part_most_have_lost(goal, lost):
    found = lesson_08.bought_by(lost)
    assert found.product.asin == "B0YVHNJMWO" and found.chosen == {"scent": "coconut vanilla"}
    assert found.earned.score == lost.reward == 0.8 and found.lacks == ["option passed by"]
    nothing = shopped(goal, [SEARCH])
    silly = replace(lost, method="first hit", model="no model")
    assert lesson_08.most_lost([lost, silly, nothing]).startswith("option, was there: 2 of 3 ")
    more = ["click[coconut vanilla]", "click[2.6 ounce (pack of 4)]", "click[Buy Now]"]
    won = shopped(goal, [SEARCH, PAGE, *more])
    assert won.reward == 1.0 and lesson_08.most_lost([won]) == "none of these runs lost a part"


# a thought put right
def test_a_model_that_follows_the_thought_buys_something_else(goal):
    more = ["click[coconut vanilla]", "click[2.6 ounce (pack of 4)]", "click[Buy Now]"]
    lost = shopped(goal, [SEARCH, "think[Hm.]", PAGE, "think[So.]", more[0], more[-1]])

    def say(ask):
        return more.pop(0) if "A pack of 4." in str(ask.prompt) else "click[Buy Now]"

    run = replace(lost, model="a script", settings={**lost.settings, "max_steps": 15})
    ways = lesson_08.mended(run, "A pack of 4.", rl.models.scripted(say, "a script", LEGS))
    assert [way.reward for way in ways.values()] == [0.8, 1.0]
    assert ways["with the thought"].steps[3].human == ("thought",)
    assert list(lesson_08.mended(run, "x", rl.models.scripted(["x"]))) == ["as it was"]


def test_prices_are_compared_again(goal):
    said = "11.99{0}it fits. B costs 23.97{0}it fits. C costs 11.99{0}too dear. D costs 16.00{0}too dear"
    run = shopped(goal, [SEARCH, f"think[A costs {said.format(', the limit is 15.00: ')}]"])
    assert lesson_08.prices([run]) == "Prices compared in thoughts: 4, 2 of them wrongly."


def test_what_the_notebook_says_of_our_runs():
    runs = lesson_08.recorded()
    act, react = ([run for run in runs if run.method == leg] for leg in ("act", "react"))
    assert lesson_08.prices(react) == "Prices compared in thoughts: 282, 21 of them wrongly."
    assert lesson_08.most_lost(react) == "price: 11 of 34 runs without success"
    assert lesson_08.most_lost(act) == "price: 32 of 45 runs without success"
    bought = {run.task.id for run in react if run.reward is not None}
    assert len(bought) == 78 and {run.end for run in react} == {"finished", "step_limit"}

    def score(runs):
        return round(100 * sum(run.reward or 0 for run in runs) / len(runs))

    both = [[run for run in some if run.task.id in bought] for some in (act, react)]
    assert [*map(score, both)] == [81, 91] and [score(act), score(react)] == [82, 82]
    silly = [run for run in lesson_08.programs() if run.method == "first hit, named options"]
    assert [sum(run.reward == 1 for run in some) for some in (act, react, silly)] == [41, 52, 20]
    pair = rl.stats.paired(rl.frame(runs), "react", "act")
    assert score(silly) == 75 and pair.chance == "p = 0.07"


# shoppers without a model
@pytest.fixture(scope="module")
def simple():
    goals = {task.id for task in rl.tasks.load("shop", "test", n=6, seed=3)}
    return [run for run in lesson_08.programs() if run.task.id in goals]


def test_people_join_the_table_on_their_goals(tmp_path, simple, monkeypatch):
    assert lesson_08.people(str(tmp_path / "none.jsonl")) == []
    path = tmp_path / "people.jsonl"
    for run in simple[:2]:
        rl.store.append(path, replace(run, method="by hand", model="a person"))
    rl.store.append(path, replace(simple[2], method="by hand", end="unfinished"))
    mine = lesson_08.people(str(path))
    assert [run.method for run in mine] == ["human"] * 2
    there = lesson_08.on_the_same(mine, simple)
    assert len(there) == 2 + 3 * 2
    assert {run.task.id for run in there} == {run.task.id for run in mine}
    table = rl.plots.table4(there).table.set_index(["of", "row"])
    assert table.loc[("Score", "Human expert"), "n"] == 2


def test_a_picture_of_rewards(simple):
    half = replace(simple[0], method="<b>$x$", reward=0.5)
    picture = lesson_08.rewards([half, replace(half, reward=None), replace(half, reward=1.0)])
    assert list(picture.table.loc[0])[1:] == [1, 1, 0, 1]
    assert picture.png.startswith(b"\x89PNG")
