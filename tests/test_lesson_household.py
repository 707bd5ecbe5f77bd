"""Lesson 07: whose runs it shows, how far they came, its edits, its players, its exercises."""

import functools
from dataclasses import replace
from pathlib import Path

import exercises
import pytest
import scenes
from exercises import defined
from house import oracle

import react_lab as rl
from react_lab.envs.household import TYPES, Household
from react_lab.lessons import baselines, household, sparse
from react_lab.types import Step

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "07_household.ipynb"
TAKEN = ("go to fridge 1", "open fridge 1", "take mug 1 from fridge 1")
LEGS = ("household/act", "household/react", "household/react-im")


def player(*lines, name="a script"):
    """A model that is tuned for the games and says these lines, over and over the last one."""
    left = list(lines)

    def say(ask):
        return left.pop(0) if len(left) > 1 else left[0]

    return rl.models.scripted(say, name, LEGS)


@pytest.fixture(scope="module")
def task():
    return household.game("household-unseen-0003")  # heat some mug and put it in dresser


@pytest.fixture(scope="module")
def won(task):
    return oracle.play(task, Household()(task), "react")


def run_of(task, *acts):
    """A run of these acts in the real game."""
    return rl.run("act", task, player(*acts), max_steps=len(acts))


# ---------------------------------------------------------------------- the runs


def test_every_scene_is_a_game_of_ours():
    for name in ("play", "apart", "thoughts", "rescue"):
        assert household.task(name).kind == "household"


def test_with_an_adapter_the_model_plays(task):
    run = rl.run("act", task, player("look"))
    assert (run.model, len(run.steps), run.end) == ("a script", 50, "step_limit")
    assert household.whose([run]) == "Played by a script, a real model."


@pytest.mark.parametrize(
    ("acts", "far"),
    [
        (("look", "go to fridge 1", "open fridge 1"), "never took it"),
        (("go to fridge 1", "open fridge 1", "take plate 1 from fridge 1"), "never took it"),
        (("go to fridge 1", "open fridge 1", "take mug 1 from fridge 1"), "took it"),
        (("go to fridge 1", "open fridge 1", "take mug 1 from fridge 1", "cool mug 1 with fridge 1"), "took it"),
        (("go to fridge 1", "open fridge 1", "take mug 1 from fridge 1", "go to microwave 1", "heat mug 1 with microwave 1",
          "go to fridge 1"), "did a part"),
    ],
    ids=["looked", "another thing", "took", "wrong state", "heated"],
)  # fmt: skip
def test_how_far_a_run_came(task, acts, far):
    assert household.how_far(run_of(task, *acts)) == far


def test_a_won_run_and_the_first_of_two(won):
    assert household.how_far(won) == "won"
    pair = household.game("household-unseen-0006")  # put two soapbottle in drawer
    steps = oracle.play(pair, Household()(pair), "act").steps
    first = next(i for i, step in enumerate(steps, 1) if step.action.startswith("put "))
    assert household.how_far(run_of(pair, *(s.action for s in steps[:first]))) == "did a part"
    assert household.how_far(run_of(pair, *(s.action for s in steps[: first - 1]))) == "took it"


def test_the_table_counts_the_runs_and_the_acts_in_vain(task, won):
    table = household.far([won, run_of(task, "look", "fly", "fly")])
    assert table.loc["ReAct", "won"] == 1 and table.loc["Act", "never took it"] == 1
    assert list(table.loc["Act", ["acts", "in vain"]]) == [3, 2]
    assert household.stuck([won]) == "none of these runs was lost"
    assert household.stuck([won, run_of(task, "look")]) == "never took it: 1 of 1 lost runs"


def test_lost_runs_are_there_to_be_labelled(task, won):
    lost = run_of(task, "look")
    found = household.for_labels([won, lost, lost])
    assert found[0] == lost and len(found) == 3 and all(run.reward != 1.0 for run in found)


# ---------------------------------------------------------------------- thoughts


@pytest.mark.parametrize("type", TYPES)
def test_the_thoughts_of_react_are_sparse_and_those_of_im_are_dense(type):
    table = sparse.shares().set_axis(TYPES)
    assert (
        table.loc[type, "acts to a thought, react"]
        > 2 * table.loc[type, "acts to a thought, react-im"]
    )
    for number in (1, 2, 3):
        shown = sparse.prompt_shown(type, number).text
        assert shown.count("Thought: ") == sum(
            step.action is None for step in sparse.exemplars(type)[number - 1].steps
        )
    assert "ReAct-IM thinks before it" in sparse.twins(type).text


def test_a_type_that_is_none_is_named():
    with pytest.raises(ValueError, match="no type of task 'cook'"):
        sparse.exemplars("cook")


def test_strips_count_acts_and_thoughts(won):
    picture = sparse.strips({"<b>$x$": won.steps, "none": ()})
    assert list(picture.table.loc[0, ["acts", "thoughts"]]) == [18, 5]
    assert picture.png.startswith(b"\x89PNG")
    [ax] = picture.figure.axes
    middles = sorted(bar.get_x() + bar.get_width() / 2 for bar in ax.patches)
    assert middles == pytest.approx(range(1, 24))  # step 10 stands at the tick of 10


def test_thoughts_are_put_in_after_the_thing_was_taken(won):
    at = sparse.taken_at(won)
    assert won.steps[at - 2].action == "take mug 1 from fridge 1"
    thoughts = sparse.thoughts_for(won, at)
    assert thoughts["the next part"] == (
        "I have the mug. Now I heat it with microwave 1; then it goes to the dresser."
    )
    assert "taken out" not in thoughts  # an act stands there
    with pytest.raises(ValueError, match="nothing that the task asks for is taken"):
        sparse.taken_at(run_of(won.task, "look"))


def test_a_thought_is_taken_out_and_its_act_stays(won):
    at = next(i for i, step in enumerate(won.steps[5:], 6) if step.action is None)
    edit = household.without(won, at)
    assert edit.steps[: at - 1] == won.steps[: at - 1] and edit.parent == won.id
    assert edit.steps[-1] == Step(None, won.steps[at].action, human=("thought", "action"))
    assert edit.id != rl.rethink(won, at, action=won.steps[at].action).id
    asked = player("look")
    run = rl.resume(edit, model=asked)
    assert won.steps[at - 1].thought not in str(asked.asked[0].prompt)
    assert run.steps[at - 1].action == won.steps[at].action and len(run.steps) == 50
    with pytest.raises(ValueError, match="is no thought"):
        household.without(won, at + 1)


def test_other_thoughts_are_tried_and_told(won):
    at = sparse.taken_at(won)
    thoughts = sparse.thoughts_for(won, at)
    others = sparse.tried(won, at, thoughts, player("go to bed 1", "look", "inventory", "look"))
    assert list(others) == ["as it was", *thoughts]
    table = sparse.told(won, others)
    assert table.loc["the next part", "the next acts"] == "go to bed 1, look, inventory"
    assert list(table["how far"]) == ["won", *["took it"] * len(thoughts)]
    assert list(sparse.tried(won, at, thoughts, rl.models.scripted(["look"]))) == ["as it was"]


def test_edits_are_made_one_after_the_other(task):
    lost = rl.run("react", task, player("think: Hm.", "look", "think: Well.", "look"))
    first, *between, mended = household.mended(lost, [(1, "First."), (3, "Then.")], player("look"))
    assert first is lost and [run.parent for run in (*between, mended)] == [
        lost.id, between[0].id
    ]  # fmt: skip
    human = {i: step.thought for i, step in enumerate(mended.steps, 1) if step.human}
    assert human == {1: "First.", 3: "Then."} and mended.parent
    assert household.mended(lost, [], player("look")) == [lost]


# ---------------------------------------------------------------------- the choice of the scenes


def test_a_game_is_chosen_that_act_loses_late_and_react_wins_soon(won):
    def both(name, act, react):
        task = replace(won.task, id=name)
        return name, {"act": replace(act, task=task), "react": replace(react, task=task)}

    lost, late = run_of(won.task, "look"), run_of(won.task, *TAKEN)
    slow = replace(won, steps=(Step("a", None, "OK."), *won.steps))
    pairs = [both("a", won, won), both("b", lost, won), both("c", late, slow), both("d", late, won)]
    assert scenes.apart(dict(pairs)) == "d"
    with pytest.raises(SystemExit, match="In no game"):
        scenes.apart(dict(pairs[:1]))


def test_the_game_to_play_is_none_of_the_others():
    first = scenes.to_play([])
    assert scenes.to_play([first]) != first


def test_a_lost_run_is_mended_by_what_the_oracle_would_have_thought(task, won):
    opening, acts = Household()(task).reset(task), [s.action for s in won.steps if s.action]
    wish = oracle.answer(opening, [], "react").thought
    lost = rl.run("react", task, player("think: A plate.", "look"))

    def say(ask):
        return acts.pop(0) if wish in ask.prompt else "look"

    listener = rl.models.scripted(say, "a script", LEGS)
    assert scenes.rescue([won, lost], listener) == (task.id, ((1, wish),))
    assert scenes.mending(lost, player("look")) == ()
    with pytest.raises(SystemExit, match="No lost run"):
        scenes.rescue([won], listener)


# ---------------------------------------------------------------------- players without a model


def test_the_players_without_a_model():
    games = rl.tasks.load("household", "unseen", n=3, seed=1)
    listed, chance = (
        list(map(play, games)) for play in (baselines.in_listed_order, baselines.by_chance)
    )
    assert all(run.reward == 1.0 and run.end == "finished" for run in listed)
    assert all(run.reward is None and len(run.steps) == 50 for run in chance)
    assert (
        chance
        == list(map(baselines.by_chance, games))
        != [baselines.by_chance(g, 1) for g in games]
    )
    table = baselines.beside_paper(listed + chance)
    assert table.loc["here: in listed order", "All"].startswith("100%")
    assert table.loc["paper: ReAct (avg)", "All"] == "57%"
    assert baselines.within(listed, [0, 50]).iloc[0].tolist() == ["0%", "100%"]
    df = rl.frame([replace(run, id=f"{run.id}-{i}") for run in listed for i in range(2)])
    twice = baselines.won(df).iloc[0]
    assert (twice["won"], twice["plays of each game"]) == ("6 of 6", 2)


def test_the_best_of_six_equal_prompts_looks_better_than_they_are():
    table = baselines.best_of_six()
    low, high = (table[c].str.rstrip("%").astype(int) for c in ("average of six", "best of six"))
    assert (abs(low - 57) <= 2).all() and (high > low + 3).all()
    assert high["Pick 2"] - low["Pick 2"] > high["All"] - low["All"]


# ---------------------------------------------------------------------- the exercises

NAMES = {"7.3": "orders", "7.1": "sparse_of", "7.2": "keys", "7.4": "best_columns"}
stub = functools.partial(exercises.stub, notebook=NOTEBOOK)


@pytest.mark.parametrize("number", NAMES)
def test_the_stub_is_not_right_yet_and_the_solution_is(number):
    lesson = household.lesson()
    assert not lesson.check(number, defined(stub(number), NAMES[number])).passed
    assert lesson.check(number, defined(lesson.exercises[number].solution)).passed


WRONG = [
    ("7.3", "def orders(n): return [f'ours {a}+{b}' for a in n for b in n]", "no pair of two"),
    ("7.3", "def orders(n): return [f'ours {a}+{b}' for a in n for b in n if a < b]", "lacks 'ours 2+1'"),
    ("7.3", "def orders(n): return ['ours 1+2', 'ours 2+1'] * 3", "lacks"),
    ("7.3", "def orders(n): return 2 * [f'ours {a}+{b}' for a in n for b in n if a != b]", "twice"),
    ("7.3", "orders = 6", "asks for a function"),
    ("7.1", "def sparse(run): return sum(s.action is None for s in run.steps)", "not 3.0"),
    ("7.1", "def sparse(run): return len(run.steps) / sum(s.action is None for s in run.steps)", "not 3.0"),
    ("7.1", "def sparse(run): return sum(bool(s.action) for s in run.steps) / max(1, sum(s.action is None for s in run.steps))", "not None"),
    ("7.2", "keys = dict(a=1, b=4, c=3)", "back or ahead"),
    ("7.2", "keys = 3", "asks for keys"),
    ("7.4", "def best(trials): return max(trials, key=lambda t: t.get('All', 0))", "not"),
]  # fmt: skip


@pytest.mark.parametrize(("number", "code", "told"), WRONG, ids=[f"{n} {i}" for i, (n, *_) in enumerate(WRONG)])  # fmt: skip
def test_a_wrong_answer_is_told_what_is_wrong(number, code, told):
    said = household.lesson().check(number, defined(code))
    assert said.passed is False and told in said.text


def test_every_question_has_one_right_answer():
    questions = household.lesson().questions
    assert [sum(right for _, right, _ in q.options) for q in questions] == [1] * 5
    assert len({[right for _, right, _ in q.options].index(True) for q in questions}) == 3


def test_runs_of_another_kind_stand_in_no_row_of_table_3():
    claim = rl.types.Trajectory("c", rl.types.Task("c", "claims", "?"), "react", "me", reward=1.0)
    assert "here: ReAct" not in baselines.beside_paper([claim]).index
