"""Lesson 02: its recorded runs show its scenes."""

import pytest

import react_lab as rl
from react_lab.layouts import Numbered
from react_lab.lessons import lesson_02
from react_lab.types import Ask

NAME = "02_the_loop_by_hand"


@pytest.fixture(scope="module")
def tuned():
    return rl.models.recorded(NAME, "replay")


def play(name, model, **options):
    return rl.run("react", lesson_02.task(name), model=model, **options)


def test_the_good_run_and_the_one_that_repeats_itself(tuned):
    run = play("good", tuned)
    assert rl.score.correct(run) and (run.end, run.flags) == ("finished", ())
    assert not any(step.repairs or step.rescued for step in run.steps) and len(run.steps) >= 4
    run = play("repeats", tuned)
    assert (run.end, run.answer, run.calls) == ("step_limit", None, 7)
    assert "repeated" in run.flags and run.steps[-1].action == run.steps[-2].action


def test_the_plain_model_that_nobody_stops_makes_an_observation_up():
    plain = rl.models.recorded(NAME, "replay", adapter=None)
    asked = lesson_02.task("invented")
    world = rl.envs.Wiki()(asked)
    text = rl.prompt_of("react").head + world.reset(asked) + "\nThought 1:"
    reply = plain.complete(Ask(text, max_tokens=160, leg="react"))[0].text
    step = Numbered().read(reply, 1)
    assert "forged observation" in step.repairs
    made_up = reply.split("\nObservation 1:")[1].splitlines()[0].strip()
    assert made_up and made_up not in world.step(step.action).text


def test_one_thought_by_a_person_mends_a_run(tuned):
    lost = play("mended", tuned)
    edit = rl.rethink(lost, at=2, thought=lesson_02.THOUGHT)
    mended = rl.resume(edit, model=tuned)
    assert rl.score.correct(lost) is False and rl.score.correct(mended)
    assert mended.parent == edit.parent == lost.id and len(lost.steps) > 2
    assert mended.steps[1].human == ("thought",) and mended.steps[:1] == lost.steps[:1]
