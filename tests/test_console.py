"""The console: a game played by hand, without a browser; what a button does is a method."""

from types import SimpleNamespace

import pytest
from house import oracle

import react_lab as rl
from react_lab.envs.household import Household
from react_lab.types import Seen, Task
from react_lab.widgets import Console

HOSTILE = "<img src=x onerror=alert(1)>\u202e"


@pytest.fixture(scope="module")
def games():
    return rl.tasks.load("household", "old")


@pytest.fixture
def console(games):
    return Console(games[2])


def heard(console, **message):
    console.receive(None, message, [])
    return console.front.view


def test_a_game_is_won_by_hand_and_is_a_run(games):
    game = games[6]  # a short one: each act draws the map anew
    acts = [step.action for step in oracle.play(game, Household()(game), "act").steps]
    console = Console(game)
    assert console.do("think: A phone first.") == "OK."
    for act in acts:
        assert console.do(act) != "Nothing happens."
    run = console.run
    assert (run.end, run.reward, run.method, run.model) == ("finished", 1.0, "by hand", "a person")
    assert [step.action for step in run.steps] == [None, *acts]
    assert run.steps[0].thought == "A phone first."
    assert {step.human for step in run.steps} == {("thought",), ("action",)}
    assert rl.score.correct(run) and "You put the cellphone 1" in rl.show(run).text
    assert console.front.picture.startswith(b"\x89PNG")
    assert console.front.view["won"] and console.front.view["acts"] == []
    assert "over" in console.do("look") and len(console.run.steps) == len(run.steps)


def test_why_nothing_happened_stands_beside_and_never_in_the_run(console):
    assert console.do("take mug 1 from fridge 1") == "Nothing happens."
    assert "go to fridge 1" in console.front.view["lines"][0][2]
    assert "go to fridge 1" not in str(console.run.steps)


def test_a_line_from_the_browser_is_done_and_acknowledged(console):
    before = console.front.view
    view = heard(console, ack="a-1", line="go to fridge 1")
    done = ["go to fridge 1", "The fridge 1 is closed."]
    assert view["ack"] == "a-1" and view["lines"][0][:2] == done
    assert heard(console, reset=True) == before and console.run.steps == ()


@pytest.mark.parametrize(("line", "said"), [
    *((empty, "Type an act") for empty in ("", "   ", "think:", "think: ")),
    *((odd, "") for odd in (7, None, ["look"])),
])  # fmt: skip
def test_a_line_that_says_nothing_is_no_step(console, line, said):
    view = heard(console, ack="x", line=line)
    assert said in view["said"] and view["ack"] == "x" and console.run.steps == ()


def test_a_long_line_is_cut_off(console):
    console.do("go to " + "x" * 10_000)
    assert len(console.run.steps[0].action) <= 500


def hostile(task):
    seen = Seen(HOSTILE, why=HOSTILE)
    return SimpleNamespace(actions=(), reset=lambda task: HOSTILE, step=lambda act: seen)


def test_any_world_can_be_played_and_hidden_signs_are_seen():
    hostile.actions, hostile.snapshot = (), "hostile"
    console = Console(Task("t", "household", HOSTILE), hostile)
    console.do("x")
    view = console.front.view
    assert view["acts"] == [] and "\u202e" not in str(view)
    assert "<img" not in console._repr_mimebundle_()["text/html"]


def test_it_reads_without_a_kernel_and_its_name_is_the_same_each_time(console, games):
    console.do("think: a")
    console.do("go to fridge 1")
    bundle = console._repr_mimebundle_()
    for text in ("The fridge 1 is closed.", "To play, run this cell"):
        assert text in bundle["text/html"]
    assert repr(console) == bundle["text/plain"] == "<Console: 1 act, 1 thought>"
    assert Console(games[2]).front.view == Console(games[2]).front.view


@pytest.mark.parametrize(("kind", "line"), [
    ("household", "think: what you think"), ("shop", "think[what you think]"),
])  # fmt: skip
def test_the_line_says_how_a_thought_is_typed(kind, line):
    console = Console(rl.tasks.load(kind, "old", n=1)[0])
    assert console.front.still["thought"] == line
    assert console.do(line) == "OK." and console.run.steps[0].thought == "what you think"


def test_what_was_played_by_hand_is_kept_beside_the_runs_of_models(tmp_path):
    console = Console(rl.tasks.load("household", "old")[0])
    console.do("look")
    assert console.save(tmp_path / "mine.jsonl").name == "mine.jsonl"
    (kept,) = rl.store.open(tmp_path / "mine.jsonl")
    assert kept == console.run and kept.steps[0].action == "look"
