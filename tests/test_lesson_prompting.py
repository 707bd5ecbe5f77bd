"""Lesson 01: its scripts play the scenes, its checks say what is wrong, its solutions pass."""

from collections.abc import Mapping
from typing import Any

import pytest

import react_lab as rl
from react_lab.lessons import prompting
from react_lab.prompts import KEEP, exemplar_text, prompt_for
from react_lab.teach import Lesson
from react_lab.types import Step

LESSON = prompting.lesson()
PURDUE, CINCINNATI = "Purdue University", "University of Cincinnati"


def play(method: str, **options: Any) -> rl.types.Trajectory:
    return rl.run(method, prompting.task(), model=prompting.script(method), **options)


# ---------------------------------------------------------------------- the scenes


def test_three_scripts_are_wrong_and_react_is_right():
    runs = {method: play(method) for method in KEEP}
    assert {method: run.answer for method, run in runs.items()} == {
        "standard": PURDUE, "cot": PURDUE, "act": PURDUE, "react": CINCINNATI,
    }  # fmt: skip
    assert [method for method, run in runs.items() if rl.score.correct(run)] == ["react"]
    assert {run.end for run in runs.values()} == {"finished"}
    assert {method: run.calls for method, run in runs.items()} == {
        "standard": 1, "cot": 1, "act": 3, "react": 4,
    }  # fmt: skip
    assert all(run.flags == () for run in runs.values())
    assert all(step.repairs == () for run in runs.values() for step in run.steps)


def test_act_opens_the_two_pages_that_react_opens():
    act, react = play("act"), play("react")
    assert [s.action for s in act.steps[:2]] == [s.action for s in react.steps[:2]]
    assert PURDUE in act.steps[1].observation and "taught" not in act.steps[1].observation
    assert CINCINNATI in react.steps[2].observation


def test_no_page_says_what_the_cot_script_made_up():
    page = rl.envs.wiki.sentences(rl.envs.pages.bundled().get("Neil Armstrong"))
    assert not [s for s in page if "Purdue" in s and "taught" in s]
    assert [s for s in page if "taught" in s] == [play("react").steps[2].observation[15:]]


@pytest.mark.parametrize(
    "n, answer, flags",
    [
        (1, PURDUE, ()),
        (2, PURDUE, ("tie",)),
        (3, PURDUE, ()),
        (4, PURDUE, ("tie",)),
        (5, CINCINNATI, ()),
    ],
)
def test_five_samples_are_needed_for_the_right_majority(n, answer, flags):
    run = play("cot-sc", n=n)
    assert (run.answer, run.flags, len(run.votes)) == (answer, flags, n)


def test_a_lookup_of_teach_finds_nothing_as_lab_b_says():
    world = rl.envs.Wiki()(prompting.task())
    world.step("Search[Neil Armstrong]")
    assert world.step("Lookup[teach]").text == "No more results."
    assert CINCINNATI in world.step("Lookup[taught]").text
    assert world.step("Search[Commander of Apollo 11]").text.startswith("Could not find")


def test_every_kind_of_thought_is_found_in_our_exemplars():
    found = {
        kind: prompting.exemplars()[e - 1].steps[i - 1].thought
        for kind, _, e, i in prompting.THOUGHTS
    }
    words = (
        "and then find",
        "was designed by",
        "I search that instead",
        "usually",
        "1815 - 1769",
        "so the answer is",
    )
    assert all(word in thought for word, thought in zip(words, found.values(), strict=True))


# ---------------------------------------------------------------------- the exercises


def answer_of(number: str, name: str) -> Any:
    """What a solution's code makes, run as in the notebook."""
    room: dict[str, Any] = {"world": rl.envs.Wiki()(prompting.task())}
    exec(LESSON.exercises[number].solution, room)
    return room[name]


@pytest.mark.parametrize(
    "number, name",
    [("1.1", "kept"), ("1.2", "without_observations"), ("1.3", "reply"), ("1.4", "own")],
)
def test_a_solution_passes_and_the_stub_is_nothing_yet(number, name):
    lesson = prompting.lesson()
    assert lesson.check(number, ...).passed is None
    fed = lesson.check(number, answer_of(number, name))
    assert fed.passed, str(fed)
    assert lesson.passed == {number}


RIGHT = {leg: set(parts) for leg, parts in KEEP.items()}
BRIDGE = prompting.STEPS


def dropped(steps):
    return tuple(Step(step.thought, step.action) for step in steps)


def emptied(steps):
    for step in steps:
        step.observation = None
    return steps


WRONG = [
    ("1.1", "react", "asks for a dict"),
    ("1.1", {"react": RIGHT["react"], "act": RIGHT["act"]}, "missing: cot, standard"),
    ("1.1", RIGHT | {"act": "action"}, "act: give a set"),
    ("1.1", RIGHT | {"standard": {"answer"}}, "'answer' is no part"),
    ("1.1", RIGHT | {"act": {"action"}}, "Not quite act"),
    ("1.1", RIGHT | {"cot": {"thought", "observation"}}, "nothing to observe"),
    ("1.1", RIGHT | {"standard": {"action"}}, "an answer is none of the three parts"),
    ("1.2", BRIDGE, "asks for a function"),
    ("1.2", emptied, "FrozenInstanceError"),
    ("1.2", lambda steps: steps, "Step 1 still has its observation: It spans"),
    ("1.2", list, "gave a list"),
    ("1.2", lambda steps: steps[2:], "3 steps went in and 1 came out"),
    ("1.2", dropped, "Step 2 lost more"),
    ("1.2", lambda steps: (1, 2, 3), "Step 1 lost more"),
    ("1.3", ["a"], "asks for a string"),
    ("1.3", " I look for the film Jaws.", "No action could be read"),
    ("1.3", "", "No action could be read"),
    ("1.3", " Search[Jaws (film)]", "no thought"),
    ("1.3", " a\nAction 1: Search[Jaws]", "answered: Could not find Jaws. Similar: ['Jaws (film)'"),
    ("1.3", " a\nAction 1: Search[Shrewsbury]", "The world answered: Shrewsbury is"),
    ("1.3", " a\nAction 1: Finish[John Williams]", "the run is over"),
    ("1.3", " a\nAction 1: Search[Jaws (film)]\nObservation 1: b", "You wrote on after the action"),
    ("1.3", " a\nAction 1: Search[Jaws (film)]\nThought 2: b", "You wrote on after the action"),
]  # fmt: skip


@pytest.mark.parametrize("number, answer, told", WRONG)
def test_a_wrong_answer_is_told_what_is_wrong(number, answer, told):
    fed = prompting.lesson().check(number, answer)
    assert fed.passed is False and told in str(fed)


def test_any_page_that_helps_will_do():
    for title in ("Jaws (film)", "jaws (film)", "Steven Spielberg"):
        assert prompting.lesson().check("1.3", f" The director.\nAction 1: Search[{title}]").passed


def test_a_wrong_exemplar_is_told_what_is_wrong():
    own = answer_of("1.4", "own")
    ours = exemplar_text("multihop").partition("\n\n")[2].split("\n\n")[0]
    first = own.partition("Thought 2")[0]
    wrong: Mapping[str, object] = {
        "asks for a text": None,
        "There are 0 here": "Which castle?",
        "There are 2 here": own + "\n" + own,
        "in our file already": ours,
        "Rationale line is missing": own.replace("Rationale: ", ""),
        "Step 2 needs a line": own.replace("Action 2: Search[Eisenach]\n", ""),
        "has to be Finish": own.replace("Finish[Wartburg]", "Search[Wartburg]"),
        "the answer in the brackets": own.replace("Finish[Wartburg]", "Finish[]"),
        "no multihop question": first + "Thought 2: So.\nAction 2: Finish[x]",
        "Observation 2 is not what the world says. It says: Eisenach is a town": own.replace(
            "is a town", "is a city"
        ),
    }
    for told, answer in wrong.items():
        fed = prompting.lesson().check("1.4", answer)
        assert fed.passed is False and told in str(fed), (told, str(fed))


def test_an_exemplar_that_passes_prompts_all_four_methods():
    heads = {
        leg: prompt_for(leg, rl.envs.wiki.WikiEnv.actions, answer_of("1.4", "own")).head
        for leg in KEEP
    }
    assert all("Wartburg" in head for head in heads.values())
    assert "Its castle is the Wartburg" in heads["cot"] and "Search" not in heads["cot"]


# ---------------------------------------------------------------------- the questions


def test_every_question_has_one_right_option_and_explains_them_all():
    assert len(LESSON.questions) == 5
    for question in LESSON.questions:
        assert sum(right for _, right, _ in question.options) == 1
        assert all(why for *_, why in question.options)
        assert len({why for *_, why in question.options}) == len(question.options)


def test_the_right_option_is_not_always_in_the_same_place():
    places = {[right for _, right, _ in q.options].index(True) for q in LESSON.questions}
    assert len(places) == 3


def test_a_lesson_is_made_afresh():
    one, other = prompting.lesson(), prompting.lesson()
    one.hint("1.1")
    assert isinstance(one, Lesson) and other.hinted == {}
