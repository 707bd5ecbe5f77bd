"""Lesson 07: how far its runs came, its edits, its scenes."""

import itertools
import json
from pathlib import Path

import pytest
from house import oracle

import react_lab as rl
from react_lab.analysis.household import cause_of
from react_lab.envs.household import TYPES, Household
from react_lab.lessons import lesson_07

TAKEN = ("go to fridge 1", "open fridge 1", "take mug 1 from fridge 1")
HEATED, TWO = "household-unseen-0003", "household-unseen-0006"  # a mug for the dresser; soapbottles
LEGS = ("household/act", "household/react", "household/react-im")


def player(*lines):
    """A model that is tuned for the games and says these lines, over and over the last one."""
    said = itertools.chain(lines, itertools.repeat(lines[-1]))
    return rl.models.scripted(lambda ask: next(said), "a script", LEGS)


@pytest.fixture(scope="module")
def task():
    return next(game for game in rl.tasks.load("household", "old") if game.id == HEATED)


@pytest.fixture(scope="module")
def won(task):
    return oracle.play(task, Household()(task), "react")


def run_of(task, *acts):
    """A run of these acts in the real game."""
    return rl.run("act", task, player(*acts), max_steps=len(acts))


# the runs
@pytest.mark.parametrize(("acts", "far"), [
    (("look", *TAKEN[:2]), "never took it"), ((*TAKEN[:2], "take plate 1 from fridge 1"), "never took it"),
    (TAKEN, "took it"), ((*TAKEN, "cool mug 1 with fridge 1"), "took it"),
    ((*TAKEN, "go to microwave 1", "heat mug 1 with microwave 1", "go to fridge 1"), "did a part"),
])  # fmt: skip
def test_how_far_a_run_came(task, acts, far):
    assert lesson_07.how_far(run_of(task, *acts)) == far


def test_a_won_run_and_the_first_of_two(won):
    assert lesson_07.how_far(won) == "won"
    pair = next(game for game in rl.tasks.load("household", "old") if game.id == TWO)
    steps = oracle.play(pair, Household()(pair), "act").steps
    first = next(i for i, step in enumerate(steps, 1) if step.action.startswith("put "))
    assert lesson_07.how_far(run_of(pair, *(s.action for s in steps[:first]))) == "did a part"
    assert lesson_07.how_far(run_of(pair, *(s.action for s in steps[: first - 1]))) == "took it"


def test_what_the_notebook_says_of_our_runs():
    runs = lesson_07.recorded()
    assert lesson_07.won(runs) == "ReAct won 66 of 72, Act won 67 of 72, ReAct-IM won 64 of 72"
    lost = [run for run in runs if run.reward != 1.0]
    assert sorted(map(cause_of, lost)) == ["never found", *["stuck"] * 18]
    assert sum(bool(lesson_07.made_up(run)) for run in lost) == 14
    games = {leg: {run.task.id for run in lost if run.method == leg} for leg in ("act", "react")}
    alone = games["act"] - games["react"], games["react"] - games["act"]
    assert [*map(len, alone)] == [2, 3]
    assert lesson_07.SCENES["apart"] in alone[0] and lesson_07.SCENES["rescue"] in alone[1]
    real = json.loads(rl.data.folder("runs", "0.5b", "alfworld.json").read_text(encoding="utf-8"))
    names = real["columns"]
    won = [row[names.index("method")] for row in real["rows"] if row[names.index("correct")]]
    said = f"own games | | ReAct {won.count('react')}, Act {won.count('act')} |"
    book = Path(__file__).parents[1] / "notebooks/07_household.ipynb"
    assert len(real["rows"]) == 120 and said in book.read_text(encoding="utf-8")


# thoughts
def test_a_prompt_is_shown_with_its_thoughts_and_a_type_that_is_none_is_named():
    shown = lesson_07.prompt_shown(TYPES[0]).text
    thoughts = [step for step in lesson_07.exemplar(TYPES[0]).steps if step.action is None]
    assert shown.count("Thought: ") == len(thoughts) > 1
    with pytest.raises(ValueError, match="no type of task 'cook'"):
        lesson_07.prompt_shown("cook")


def test_strips_count_acts_and_thoughts(won):
    picture = lesson_07.strips({"<b>$x$": won.steps, "none": ()})
    assert list(picture.table.loc[0, ["acts", "thoughts"]]) == [18, 5]
    assert picture.png.startswith(b"\x89PNG")
    [ax] = picture.figure.axes
    middles = sorted(bar.get_x() + bar.get_width() / 2 for bar in ax.patches)
    assert middles == pytest.approx(range(1, 24))  # step 10 stands at the tick of 10


def test_edits_are_made_one_after_the_other(task):
    lost = rl.run("react", task, player("think: Hm.", "look", "think: Well.", "look"))
    first, *later = lesson_07.mended(lost, [(1, "First."), (3, "Then.")], player("look"))
    mended = later[-1]
    assert first is lost and [run.parent for run in later] == [lost.id, later[0].id]
    human = {i: step.thought for i, step in enumerate(mended.steps, 1) if step.human}
    assert human == {1: "First.", 3: "Then."} and mended.parent
    assert lesson_07.mended(lost, [], player("look")) == [lost]


def test_the_six_prompts_of_a_larger_model_have_the_same_games():
    runs = lesson_07.prompted()
    pairs = [f"ours {a}+{b}" for a, b in itertools.permutations((1, 2, 3), 2)]
    games = {pair: {r.task.id for r in runs if r.settings["prompts"] == pair} for pair in pairs}
    assert len({frozenset(each) for each in games.values()}) == 1 and len(games[pairs[0]]) == 6
    assert len(runs) == 36 and {run.task.extra["type"] for run in runs} == set(TYPES)
    assert {run.method for run in runs} == {"react"} and not any(r.settings["bare"] for r in runs)
    assert all("1.5b" in run.model for run in runs)
    table = lesson_07.far(runs, by="prompts")
    assert list(table.index) == pairs and table[list(lesson_07.FAR)].sum(axis=1).eq(6).all()
