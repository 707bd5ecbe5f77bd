"""Lesson 08: whose runs it shows, what they bought and lost, its edits, its shoppers, its exercises."""

import functools
from dataclasses import replace
from pathlib import Path

import exercises
import pytest
from exercises import defined
from shop import programs

import react_lab as rl
from react_lab.envs.shop import Shop
from react_lab.lessons import purchases, shop, shoppers
from react_lab.types import Step, Task, Trajectory

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "08_web_shop.ipynb"
LEGS = ("shop/act", "shop/react")
SEARCH = "search[four coconut vanilla deodorants 2.6 ounces]"
PAGE = "click[B0YVHNJMWO]"


def shopper(*lines, tuned=LEGS):
    """A model that is tuned for the shop and says these lines, over and over the last one."""
    left = list(lines)

    def say(ask):
        return left.pop(0) if len(left) > 1 else left[0]

    return rl.models.scripted(say, "a script", tuned)


@pytest.fixture(scope="module")
def goal():
    return shop.goal("shop-test-008")  # four coconut vanilla deodorants, 2.6 ounces each


@pytest.fixture(scope="module")
def lost(goal):
    """Bought without the pack of 4."""
    return purchases.shopped(goal, [SEARCH, PAGE, "click[coconut vanilla]", "click[Buy Now]"])


# ---------------------------------------------------------------------- the runs


def test_every_scene_is_a_goal_of_ours():
    for name in ("play", "apart", "noisy"):
        assert shop.task(name).kind == "shop"


def test_with_an_adapter_the_model_shops(goal):
    run = rl.run("act", goal, shopper("click[nothing]"))
    assert (run.model, len(run.steps), run.end) == ("a script", 15, "step_limit")
    assert shop.whose([run]) == "Shopped by a script, a real model."
    assert purchases.earned(run) is None


# ---------------------------------------------------------------------- what was bought


def test_a_purchase_is_found_by_doing_the_acts_again(lost):
    found = purchases.of(lost)
    assert found.product.asin == "B0YVHNJMWO" and found.chosen == {"scent": "coconut vanilla"}
    assert found.earned.score == lost.reward == 0.8
    assert found.lost == ["option, was there"]


@pytest.mark.parametrize(
    ("asin", "chosen", "lost"),
    [
        ("B0YVHNJMWO", {"scent": "coconut vanilla", "size": "2.6 ounce (pack of 4)"}, []),
        ("B0YVHNJMWO", {"scent": "cedar"}, ["option, was there"]),
        ("B07PIACEU2", {"color": "purple"}, ["type", "attribute", "option, was not"]),
    ],
    ids=["all", "another scent", "a phone case"],
)
def test_which_part_was_lost(goal, asin, chosen, lost):
    assert purchases.sold(goal, asin, chosen).lost == lost


def test_what_costs_too_much_loses_the_price(goal):
    dear = replace(goal, extra={**goal.extra, "price_upper": 1.0})
    assert purchases.sold(dear, "B0YVHNJMWO", {}).lost == ["option, was there", "price"]


def test_the_tables_of_what_was_lost(goal, lost):
    nothing = purchases.shopped(goal, [SEARCH])
    silly = replace(lost, method="first hit", model="no model")
    table = purchases.lost([lost, replace(lost, id="2"), nothing, silly])
    assert list(table.loc["ReAct"]) == [3, 0, 1, 0, 0, 2, 0, 0]
    assert table.loc["first hit", "option, was there"] == 1
    row = purchases.counted([lost, nothing]).loc["ReAct"]
    assert list(row) == [2.5, 0.0, 1.0, 0.0, 0.0]
    assert (
        shop.most_lost([lost, silly, nothing]) == "option, was there: 2 of 3 runs without success"
    )
    won = purchases.shopped(
        goal, [*purchases.same(lost, 4), "click[2.6 ounce (pack of 4)]", "click[Buy Now]"]
    )
    assert won.reward == 1.0 and shop.most_lost([won]) == "none of these runs lost a part"


def test_two_purchases_beside_each_other(goal, lost):
    table = purchases.why({"a": lost, "b": purchases.shopped(goal, [SEARCH])})
    assert table.loc["option: 2.6 ounce (pack of 4)", "a"] == "- no such option was clicked"
    assert table.loc["score", "a"] == "0.80" and table.loc["bought", "b"] == "nothing"


# ---------------------------------------------------------------------- a thought that bridges


def test_a_thought_is_put_in_where_the_bought_product_was_opened(lost):
    assert shop.bridge_at(lost) == 3 and lost.steps[1].action == PAGE
    back = ["click[< Prev]", PAGE, "click[Buy Now]"]
    twice = purchases.shopped(lost.task, [SEARCH, PAGE, *back])
    assert shop.bridge_at(twice) == 5  # the last time
    with pytest.raises(ValueError, match="nothing is opened and bought"):
        shop.bridge_at(purchases.shopped(lost.task, [SEARCH, PAGE]))


def test_a_model_that_follows_the_thought_buys_something_else(lost):
    thought, acts = shop.Scenes().thought, list(shop.Scenes().acts)

    def say(ask):
        return acts.pop(0) if thought in str(ask.prompt) else "click[Buy Now]"

    run = replace(lost, model="a script", settings={**lost.settings, "max_steps": 15})
    ways = shop.mended(run, 3, thought, rl.models.scripted(say, "a script", LEGS))
    assert [way.reward for way in ways.values()] == [0.8, 1.0]
    assert ways["with the thought"].steps[2].human == ("thought",)
    assert list(shop.mended(run, 3, thought, rl.models.scripted(["x"]))) == ["as it was"]


def test_a_person_goes_on_from_a_run_by_acts(lost):
    lines = [*purchases.same(lost, 3), f"think[{shop.Scenes().thought}]", *shop.Scenes().acts]
    mine = purchases.shopped(lost.task, lines)
    assert mine.reward == 1.0 and mine.steps[:2] == lost.steps[:2]
    assert mine.steps[2].thought == shop.Scenes().thought
    again = purchases.same(mine, len(mine.steps) + 1)
    assert purchases.shopped(lost.task, again).steps == mine.steps


# ---------------------------------------------------------------------- shoppers without a model


@pytest.fixture(scope="module")
def simple():
    goals = {task.id for task in rl.tasks.load("shop", "test", n=6, seed=3)}
    return [run for run in shoppers.simple() if run.task.id in goals]


def test_the_silly_shoppers_buy_the_first_hit(simple):
    first, named, best = simple[:6], simple[6:12], simple[12:]
    assert [run.method for run in simple[::6]] == [programs.FIRST, programs.NAMED, "oracle"]
    assert {purchases.who(run) for run in best} == {"oracle"}
    for one, other in zip(first, named, strict=True):
        assert len(one.steps) == 3 and one.end == other.end == "finished"
        assert one.steps[1] == other.steps[1]
        assert one.steps[1].action[6:-1] in one.steps[0].observation
        assert other.reward >= one.reward == purchases.of(one).earned.score


def test_named_options_are_the_longest_that_stand_in_the_instruction():
    words = "a navy set of 2, size 12, and price lower than 40.00 dollars"
    task = Task("t", "shop", words, extra={"asin": "A1", "attributes": [], "options": []})

    class Site:
        pages = iter([
            "\n[Back to Search] \nPage 1 (Total results: 1) \n[A1] \nA lamp \n$3.0",
            "\n[Back to Search] \n[< Prev] \ncolor [red][b7-navy]\nsize [2][set of 2]\nA lamp \n[Buy Now]",
            "You have clicked b7-navy.", "You have clicked set of 2.", "Your score",
        ])  # fmt: skip

        def reset(self, task):
            return ""

        def step(self, act):
            return rl.types.Seen(next(self.pages), reward=1.0)

    run = programs.first_hit_named(task, Site())
    assert [step.action for step in run.steps] == [
        f"search[{words}]", "click[A1]", "click[b7-navy]", "click[set of 2]", "click[Buy Now]",
    ]  # fmt: skip


def test_who_finds_nothing_buys_nothing(goal):
    nothing = replace(goal, text="?")
    run = programs.first_hit(nothing, Shop()(nothing))
    assert (len(run.steps), run.reward, run.end) == (1, None, "finished")
    assert rl.score.correct(run) is False


def test_table_4_has_both_numbers_and_the_papers_rows(simple, goal):
    unbought = replace(simple[0], id="u", method="act", model="m", reward=None)
    table = shoppers.beside_paper([*simple, unbought])
    assert table.loc["paper: ReAct", "success rate"] == "40.0"
    assert table.loc["here: Act", "score"] == "0.0"
    assert table.loc["here: oracle", "goals"] == 6
    claim = Trajectory("c", Task("c", "claims", "?"), "react", "me", reward=1.0)
    assert "here: ReAct" not in shoppers.beside_paper([claim]).index


def test_a_gap_is_taken_on_the_same_goals(simple):
    one = [replace(run, method="human", model="no model", reward=1.0) for run in simple[:5]]
    table = shoppers.gaps([*one, *simple], "human", programs.FIRST)
    assert table.loc["score", "goals"] == 5 and table.loc["success rate", "human"] == "100.0"
    below = sum(run.reward < 1 for run in simple[:5])
    assert table.loc["score", "human better"] == below > 0


def test_people_join_the_table_on_their_goals(tmp_path, simple, monkeypatch):
    assert shoppers.people(str(tmp_path / "none.jsonl")) == []
    path = tmp_path / "people.jsonl"
    for run in simple[:2]:
        rl.store.append(path, replace(run, method="human"))
    rl.store.append(path, replace(simple[2], method="human", end="unfinished"))
    mine = shoppers.people(str(path))
    assert [run.method for run in mine] == ["human"] * 2
    there = shoppers.on_the_same(mine, simple)
    assert len(there) == 2 + 3 * 2 and {run.task.id for run in there} == {
        run.task.id for run in mine
    }


def test_a_picture_of_rewards(simple):
    half = replace(simple[0], method="<b>$x$", reward=0.5)
    picture = shoppers.rewards([half, replace(half, reward=None), replace(half, reward=1.0)])
    assert list(picture.table.loc[0])[1:] == [1, 1, 0, 1]
    assert picture.png.startswith(b"\x89PNG")


def test_runs_without_success_are_there_to_be_labelled(goal, lost):
    found = shop.for_labels([lost, lost])
    assert found[0] == lost and len(found) == 3 and all(run.reward != 1.0 for run in found)
    assert rl.label.suggest(lost).mode in rl.label.MODES


# ---------------------------------------------------------------------- the exercises

NAMES = {"8.1": "mine", "8.2": "acts", "8.3": "keys", "8.4": "row"}
stub = functools.partial(exercises.stub, notebook=NOTEBOOK)


@pytest.mark.parametrize("number", NAMES)
def test_the_stub_is_not_right_yet_and_the_solution_is(number):
    lesson = shop.lesson()
    assert not lesson.check(number, defined(stub(number), NAMES[number])).passed
    assert lesson.check(number, defined(lesson.exercises[number].solution)).passed


WRONG = [
    ("8.1", "mine = 3", "asks for a dict"),
    ("8.1", "mine = dict(type=1, attributes=0, options=2, price=1, score=0.75)", "was clicked, not"),
    ("8.1", "mine = dict(type=1, attributes=0, options=1, price=1, score=0.67)", "score is not"),
    ("8.1", "mine = dict(type='1')", "type is not"),
    ("8.2", "acts = 'click[Buy Now]'", "asks for a list"),
    ("8.2", "acts = []", "1 to 15"),
    ("8.2", "acts = ['search[dog lead]', 'click[B000]']", "what to do with click[B000]"),
    ("8.2", "acts = ['search[dog lead]']", "Nothing was bought."),
    ("8.2", "acts = ['search[training beagle come back ten feet black lead whose length set]', 'click[B0GIJPQRT1]', 'click[black]', 'click[10 feet]', 'click[Buy Now]']", "leave something out"),
    ("8.2", "acts = ['search[black sofa]', 'click[< Prev]', 'click[Buy Now]']", "click[< Prev]"),
    ("8.2", "acts = ['search[training beagle come back ten feet black lead whose length set]', 'click[B0BUI47WP6]', 'click[Buy Now]']", "too little"),
    ("8.3", "keys = dict(a=1, b=3)", "a product or a button"),
    ("8.4", "def row(r): r = [x for x in r if x is not None]; return 100 * sum(r) / len(r), 100 * sum(x == 1 for x in r) / len(r)", "not"),
    ("8.4", "def row(r): return 100 * sum(x or 0 for x in r) / len(r), 100 * sum(x == 1 for x in r) / sum(x is not None for x in r)", "not"),
]  # fmt: skip


@pytest.mark.parametrize(("number", "code", "told"), WRONG, ids=[f"{n} {i}" for i, (n, *_) in enumerate(WRONG)])  # fmt: skip
def test_a_wrong_answer_is_told_what_is_wrong(number, code, told):
    said = shop.lesson().check(number, defined(code))
    assert said.passed is False and told in said.text


def test_the_purchase_to_reckon_with_hides_nothing_that_is_needed():
    shown = shop.sale_shown("by hand").text
    for words in ("light weight", "for model s9 plus", "30.0 or less", "Clicked: color: purple"):
        assert words in shown
    assert shop.sale("odd").earned.options[1].where == "'small' was clicked"


def test_every_question_has_one_right_answer():
    questions = shop.lesson().questions
    assert [sum(right for _, right, _ in q.options) for q in questions] == [1] * 5
    assert len({[right for _, right, _ in q.options].index(True) for q in questions}) == 3


def test_the_exemplar_of_the_prompt_has_a_thought_of_each_sort():
    found = shop.exemplar()
    assert sum(step.action is None for step in found.steps) == 3
    assert isinstance(found.steps[0], Step) and "search[" in found.steps[0].action
