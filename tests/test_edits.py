"""The human in the loop (Figure 5): an edit of a game or a question, and how it stands beside its run."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_display import MARK, PAYLOADS, Seer, assert_inert, in_order, infected, stripped
from test_display import columns_of_page as columns_of

import react_lab as rl
from react_lab.types import Step, Task, Trajectory

GAME = rl.tasks.load("household", "old_train")[0]  # put some winebottle on cabinet
LOST = [
    " think: I look in the fridge first.", " go to fridge 1", " open fridge 1",
    " think: The winebottle 1 is in the fridge 1.", *[" take winebottle 1 from fridge 1"] * 6,
]  # fmt: skip
FETCH = [" go to countertop 1", " take winebottle 1 from countertop 1"]
BRING = [" go to cabinet 1", " put winebottle 1 in/on cabinet 1"]


def script(*replies):
    return rl.models.scripted(replies)


def go_on(run, at, *replies, thought=None, action=None, **options):
    model = script(*replies)
    edited = rl.rethink(run, at, thought=thought, action=action)
    return rl.resume(edited, model, **options), model


@pytest.fixture(scope="module")
def lost():
    return rl.run("react", GAME, script(*LOST), max_steps=10)


@pytest.fixture(scope="module")
def hinted(lost):
    """A person says where to look; then the model takes the thing to the wrong place."""
    astray = [*FETCH, " go to drawer 1", *[" put winebottle 1 in/on drawer 1"] * 3]
    return go_on(lost, 4, *astray, thought="Not in the fridge. I look at the countertops.")[0]


@pytest.fixture(scope="module")
def won(hinted):
    return go_on(hinted, 7, *BRING, thought="It has to go in a cabinet.")[0]


def test_a_thought_of_a_game_is_changed_and_stands_alone(lost):
    run, model = go_on(lost, 4, *FETCH, *BRING, thought="It may be on a countertop.")
    first = model.asked[0].prompt
    assert first.endswith("> think: It may be on a countertop.\nOK.\n>")
    assert (run.reward, run.parent, run.calls, len(run.steps)) == (1.0, lost.id, 4, 8)
    assert run.steps[3] == Step("It may be on a countertop.", None, "OK.", human=("thought",))
    assert run.steps[:3] == lost.steps[:3] and run.flags == ()


def test_a_thought_comes_before_the_act_where_it_is_given(lost):
    edited = rl.rethink(lost, 5, thought="The fridge\nis empty.")
    assert [s.action for s in edited.steps[:4]] == [s.action for s in lost.steps[:4]]
    assert edited.steps[4] == Step("The fridge is empty.", human=("thought",))  # on one line
    run, _ = go_on(lost, 5, " think: So I go on.", *FETCH, *BRING, thought="Empty.")
    assert run.reward == 1.0 and run.steps[5].thought == "So I go on."  # and it may think too


def test_a_thought_with_an_act_are_two_steps(lost):
    edit = {"thought": "Countertop.", "action": "go to countertop 1"}
    run, model = go_on(lost, 4, FETCH[1], *BRING, **edit)
    both = [("Countertop.", None, ("thought",)), (None, "go to countertop 1", ("action",))]
    assert [(s.thought, s.action, s.human) for s in run.steps[3:5]] == both
    assert run.steps[4].observation.startswith("On the countertop 1") and run.reward == 1.0
    assert model.asked[0].prompt.count("> think: Countertop.\nOK.\n> go to countertop 1\n") == 1


def test_a_thought_is_taken_out_of_a_game_for_an_act(lost):
    with pytest.raises(ValueError, match="the model would only write it again: say which act"):
        rl.rethink(lost, 4, thought="")
    with pytest.raises(ValueError, match="no thought at step 5"):
        rl.rethink(lost, 5, thought="", action="look")
    run, model = go_on(lost, 4, FETCH[1], *BRING, thought=" ", action="go to countertop 1")
    assert run.steps[3].human == ("thought", "action") and run.steps[3].thought is None
    assert "The winebottle 1 is in the fridge" not in model.asked[0].prompt and run.reward == 1.0
    assert "Thought 4 (taken out by a person):\nAction 4 (written by a person)" in str(rl.show(run))


def test_an_edit_of_an_edit_keeps_both_and_the_frame_counts_them(lost, hinted, won):
    assert (hinted.parent, won.parent) == (lost.id, hinted.id)
    assert [i for i, s in enumerate(won.steps, 1) if s.human] == [4, 7] and won.reward == 1.0
    frame = rl.frame([lost, hinted, won])
    assert frame["edits"].tolist() == [0, 1, 2]
    assert frame["parent"].tolist()[1:] == [lost.id, hinted.id]


def test_an_edited_game_that_a_fault_cut_short_goes_on(lost):
    edited = rl.rethink(lost, 4, thought="It may be on a countertop.")
    cut = rl.resume(edited, script(*FETCH), on_error="record")
    assert cut.end == "error" and len(cut.steps) == 6
    run = rl.resume(cut, script(*BRING))
    assert run.reward == 1.0 and run.steps[3].human == ("thought",) and run.parent == cut.id


# side by side
def test_what_runs_share_stands_once_and_then_they_stand_side_by_side(lost, hinted):
    page = rl.show([lost, hinted])
    for text in (page.text, stripped(page.html)):
        assert text.count("The fridge 1 is closed.") == 1
        assert text.count(lost.steps[3].thought) == 1
    assert in_order(
        ["Task", "Steps 1 to 3 (the same in both runs)", "Thought 1", "Run 1 No reward; stopped at the step limit, 10 steps",
         "Thought 4 The winebottle", "Action 10", "Run 2 No reward; stopped", "Goes on from run 1",
         "(a person wrote Thought 4)", "Thought 4 (written by a person) Not in the fridge."],
        stripped(page.html),
    )  # fmt: skip
    columns = columns_of(page.html)
    assert len(columns[0]) == len(columns[1]) and all(c[2][:9] == "Thought 4" for c in columns)


def test_the_text_says_what_the_columns_say(lost, hinted, won):
    page = rl.show([lost, hinted, won])
    head, *parts = page.text.split("\n\n")
    assert head.startswith("Task: put some winebottle on cabinet.\nAll 3 runs:\n    Method: react")
    lost, lost_too, won = (part.splitlines()[0] for part in parts)
    assert lost == "Run 1: No reward; stopped at the step limit, 10 steps"
    assert lost_too == lost.replace("1", "2", 1) and won == "Run 3: Reward: 1; 9 steps"
    assert "Steps 4 to 6: as in run 2\nThought 7 (written by a person): It has" in parts[2]
    assert "go to countertop 1" not in parts[2]
    assert "fridge" not in parts[1].partition("Thought 5")[2]
    words = stripped(page.html)
    assert all(line.strip(" :") in words for line in ("Steps 4 to 6 as in run 2", "Reward: 1"))


def test_of_many_shared_steps_the_last_are_seen_and_every_edit_is(lost):
    task = replace(GAME, id="long")
    long = Trajectory("long", task, "react", "m", steps=tuple(
        Step(None, f"go to shelf {i}", "You see nothing.") for i in range(50)), end="step_limit")  # fmt: skip
    child = replace(long, parent="long")
    late = replace(child, id="late", steps=(*long.steps[:39], Step("Stop.", human=("thought",))))
    html = rl.show([long, late]).html
    _, _, after = html.partition("show: Action 1 to Observation 37</summary>")
    assert "go to shelf 36<" in after.partition("</details>")[0]
    assert "go to shelf 37<" in after.partition("</details>")[2]
    early = replace(child, id="early", steps=(Step("Go.", human=("thought",)), *long.steps[1:]))
    html = rl.show([long, early, late]).html
    seen, _, hidden = html.partition("show steps ")
    assert "Stop." in seen and "go to shelf 49" in hidden and "go to shelf 49" not in seen
    plain = rl.show([long, early]).html
    assert "show steps 13 to 50" in plain and "go to shelf 11<" in plain.partition("show steps")[0]


def test_a_run_whose_parent_is_not_here_is_shown_as_ever(lost, hinted, won):
    stranger = replace(hinted, task=Task("x", "household", "Other."))
    for runs in ([lost, won], [hinted], [lost, stranger]):
        text = rl.show(runs).text
        assert not re.search(r"(?m)^Goes on from run \d:", text) and "Method" in text
    text = rl.show([hinted, rl.run("react", GAME, script(*LOST), max_steps=9), lost]).text
    assert in_order(["Run 1: ", "Goes on from run 3", "Run 2: ", "Run 3: "], text)
    assert text.count("stopped at the step limit") == 3 and "    Goes on from run" not in text


def test_parents_in_a_circle_are_shown():
    task = Task("q", "multihop", "Which?")
    one = Trajectory("r", task, "react", "m", steps=(Step("a", "b", "c"),))
    ring = [replace(one, id=f"r{i}", parent=f"r{(i + 1) % 3}") for i in range(3)]
    text = rl.show(ring).text
    assert len(re.findall(r"(?m)^Goes on from run \d:", text)) == 2
    itself = replace(ring[0], parent="r0")
    assert "Goes on from run 1" not in rl.show(itself).text
    assert "Which?" in rl.show([itself, itself]).text


def forks(text):
    run = replace(infected(text, text), id="a", parent=None)
    steps = run.steps[0], Step(text, text, text, human=("action",))
    return [run, replace(run, id="b", parent="a", steps=steps)]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_in_runs_side_by_side_stays_text(payload):
    assert_inert(rl.show(forks(payload)).html, rl.show(forks(MARK)).html, payload)


@given(st.text("<>&\"'/=$\\ a\n\x00\u202e\ud800", max_size=40).filter(str.strip))
def test_no_text_poses_as_a_run_or_a_person(text):
    page = rl.show(forks(text))
    page.html.encode("utf-8")
    assert Seer(page.html).shape == Seer(rl.show(forks(MARK)).html).shape
    heads = [line for line in page.text.split("\n") if line.startswith("Run ")]
    assert len(heads) == 2 and "written by a person" in page.text
