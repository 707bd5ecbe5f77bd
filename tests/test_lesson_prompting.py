"""Lesson 01: its recorded runs show the scenes, its checks say what is wrong."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

import react_lab as rl
from react_lab.kinds import KINDS
from react_lab.lessons import prompting
from react_lab.prompts import KEEP, exemplar_text, prompt_for
from react_lab.teach import Lesson
from react_lab.types import Step

LESSON = prompting.lesson()


@pytest.fixture(scope="module")
def tuned() -> Any:
    return rl.models.recorded("01_four_ways_to_prompt", "replay")


@pytest.fixture(scope="module")
def learned(tuned: Any) -> dict[str, rl.types.Trajectory]:
    return {method: rl.run(method, prompting.task(), model=tuned) for method in KEEP}


# ---------------------------------------------------------------------- the scenes


def test_of_the_tuned_runs_react_alone_is_right(learned):
    assert [method for method, run in learned.items() if rl.score.correct(run)] == ["react"]
    assert {run.end for run in learned.values()} == {"finished"}
    assert learned["react"].flags == () and 3 <= len(learned["react"].steps) <= 6
    assert all(run.settings["bare"] == [method] for method, run in learned.items())


def test_act_shares_a_page_with_react_and_cot_made_its_answer_up(learned):
    acts = {method: {step.action for step in learned[method].steps} for method in ("act", "react")}
    assert any(act.startswith("Search") for act in acts["act"] & acts["react"])
    task = prompting.task()
    assert prompting.saying(task, learned["react"].answer)
    assert not prompting.saying(task, learned["cot"].answer)


def test_the_plain_model_is_asked_with_exemplars_and_says_other_things(learned):
    plain = rl.models.recorded("01_four_ways_to_prompt", "replay", adapter=None)
    runs = {method: rl.run(method, prompting.task(), model=plain) for method in KEEP}
    assert all(run.settings["bare"] == [] for run in runs.values())
    assert all(runs[method].tokens_in > learned[method].tokens_in for method in KEEP)
    assert not rl.score.correct(runs["standard"])


def test_five_samples_vote(tuned):
    run = rl.run("cot-sc", prompting.task(), model=tuned, n=5)
    assert len(run.votes) == 5 and len(set(run.samples)) > 1


def test_a_sentence_that_says_a_word_is_found_and_a_part_of_a_word_is_not():
    told = prompting.saying(prompting.task("play"), "taught")
    assert len(told) == 1 and "University of Cincinnati" in told[0]
    assert prompting.saying(prompting.task("play"), "taug") == []


def test_a_lookup_of_teach_finds_nothing_as_lab_b_says():
    world = rl.envs.Wiki()(prompting.task("play"))
    world.step("Search[Neil Armstrong]")
    assert world.step("Lookup[teach]").text == "No more results."
    assert "University of Cincinnati" in world.step("Lookup[taught]").text
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


def blanked(steps):
    return tuple(replace(step, observation="") for step in steps)


def emptied(steps):
    for step in steps:
        step.observation = None
    return steps


WRONG = [
    ("1.1", "react", "asks for a dict"),
    ("1.1", {"react": RIGHT["react"], "act": RIGHT["act"]}, "missing: cot, standard"),
    ("1.1", RIGHT | {"act": "action"}, "act: give a set"),
    ("1.1", RIGHT | {"standard": {"answer"}}, "'answer' is no part"),
    ("1.1", RIGHT | {"act": {"action"}}, "Not quite act: observation is missing. Act"),
    ("1.1", RIGHT | {"act": RIGHT["react"]}, "Not quite act: thought is too much."),
    ("1.1", RIGHT | {"standard": {}}, "the empty set is set(), for {} is an empty dict"),
    ("1.1", RIGHT | {"cot": {"thought", "observation"}}, "nothing to observe"),
    ("1.1", RIGHT | {"standard": {"action"}}, "an answer is none of the three parts"),
    ("1.2", BRIDGE, "asks for a function"),
    ("1.2", emptied, "FrozenInstanceError"),
    ("1.2", lambda steps: steps, "Step 1 still has its observation: It spans"),
    ("1.2", blanked, "Step 1 has an empty observation, ''."),
    ("1.2", list, "gave a list"),
    ("1.2", lambda steps: steps[2:], "3 steps went in and 1 came out"),
    ("1.2", dropped, "Step 2 lost more"),
    ("1.2", lambda steps: (1, 2, 3), "Step 1 lost more"),
    ("1.3", ["a"], "asks for a string"),
    ("1.3", " I look for the film Jaws.", "No action could be read"),
    ("1.3", "", "No action could be read"),
    ("1.3", " Search[Jaws (film)]", "no thought"),
    ("1.3", " a\nAction 1: Search[Jaws]", "answered: Could not find Jaws. Similar: ['Jaws (film)'"),
    ("1.3", " a\nAction 1: Search[Shrewsbury]", "opens no page which helps. Your action was read as Search[Shrewsbury]"),
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
    asked, reason, *steps = own.splitlines()
    wrong: Mapping[str, object] = {
        "asks for a text": None,
        "There are 0 here": "Which castle?",
        "There are 2 here": own + "\n" + own,
        "in our file already": ours,
        "Rationale line is missing": own.replace("Rationale: ", ""),
        "Rationale line has to come right after": "\n".join([asked, *steps, reason]),
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
        leg: prompt_for(
            leg, KINDS["multihop"], rl.envs.Wiki().actions, answer_of("1.4", "own")
        ).head
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
