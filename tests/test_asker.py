"""Asking a model live: what is proposed, what one types, and the player below."""

import json
import re

import pytest
from test_display import PAYLOADS, infected

import react_lab as rl
from react_lab.lessons import lesson_00
from react_lab.widgets import Proposed, ask

LINES = [" a\nAction 1: Search[Copenhagen]", " b\nAction 2: Finish[hafnium]"]
OTHER = [" c\nAction 1: Finish[Denmark]"]


def model(*lines):
    return rl.models.scripted([line for several in lines for line in several])


@pytest.fixture(scope="module")
def proposed():
    tasks = [rl.tasks.question("Which element?"), rl.tasks.claim("It is hafnium.")]
    runs = [rl.run("react", task, rl.models.scripted(LINES)) for task in tasks]
    return [Proposed(run, f"watch {i}") for i, run in enumerate(runs)]


def test_a_question_is_asked_live_and_its_steps_are_in_the_player(proposed):
    shown = ask(proposed, model=model(LINES, [" Finish[x]"], OTHER))
    assert shown.below.children == ()
    shown.before(2)  # what it said before is played without asking
    assert shown.player.runs == [proposed[1].run] and shown.player.episode is None
    with pytest.raises(ValueError, match="no question 3 is proposed: there are 2"):
        shown.before(3)
    shown.again(1)
    assert shown.below.children == (shown.player.front,)
    run = shown.player.wait()
    assert (run.answer, len(run.steps), run.task) == ("hafnium", 2, proposed[0].run.task)
    shown.method.value = "act"  # the same question by another method stays beside it
    shown.again(1)
    assert shown.player.wait().method == "act"
    assert [run.method for run in shown.player.runs] == ["react", "act"]
    shown.method.value = "react"
    shown.again(2)
    assert shown.player.wait().task.kind == "claims"
    assert len(shown.player.runs) == 1  # another question: another player


def test_ones_own_question_and_claim(proposed):
    shown = ask(model=model(OTHER, OTHER))
    shown.live("  Which country? ")
    assert shown.player.wait().task.text == "Which country?"
    shown.live("It is Denmark.", "claim")
    assert shown.player.wait().task.kind == "claims"
    with pytest.raises(ValueError, match="type one"):
        shown.live("  ")
    with pytest.raises(ValueError, match="none of: question, claim"):
        shown.live("x", "game")


def test_a_page_is_found_by_its_title_and_its_beginning_shown():
    shown = ask(model=model(), world=rl.envs.Wiki(rl.envs.read_pages([("Ulm", "A <b>town</b>.")])))
    found = [shown.whole.box]
    for one in found:  # all that it is made of, from the top down
        found += getattr(one, "children", ())
    (titles,) = (one for one in found if getattr(one, "description", "") == "Pages")
    assert titles.options == ("Ulm",)
    titles.value = "Ulm"
    assert "A &lt;b&gt;town&lt;/b&gt;." in shown.said.value
    titles.value = "Ulmen"
    assert "No page is called Ulmen." in shown.said.value


def test_what_to_watch_stays_in_sight_and_the_list_comes_back_ready(proposed):
    shown = ask(proposed, model=model(LINES, OTHER))
    shown.player.on_end = lambda run: None
    shown.again(2)
    assert "watch 1" in shown.said.value
    shown.live("Which country?")
    assert shown.chosen.value is None
    shown.unfold()
    assert shown.chosen.value == 1 and "watch 0" in shown.watch.value


SEARCH = " a\nAction {}: Search[Copenhagen]"
NO_PAGE = SEARCH.replace("Copenhagen", "Qwxz")
BECAME = {
    "stands": ([SEARCH, " b\nAction {}: Finish[Denmark]"], "The answer stands in Observation 1."),
    "nowhere": ([SEARCH, " b\nAction {}: Finish[hafnium]"], "on no page that it opened"),
    "closed": ([SEARCH, " b\nAction {}: Finish[yes]"], "stands on no page: compare"),
    "either, or": ([SEARCH, " b\nAction {}: Finish[country]"], "stands on no page: compare"),
    "gave up": ([NO_PAGE, " b\nAction {}: Finish[NOT ENOUGH INFO]"],
                "It gave up: what it read does not tell. No page is called Qwxz."),
    "circles": ([NO_PAGE] * 7, "Search[Qwxz] came 7 times"),
    "no end": ([f" a\nAction {{}}: Lookup[{word}]" for word in "abcdefg"], "used up its steps"),
    "memory": ([" a\nAction {}: Finish[Denmark]"], "this is from memory"),
}  # fmt: skip


@pytest.mark.parametrize("name", BECAME)
def test_what_became_of_a_run_is_said_in_words(name):
    lines, said = BECAME[name]
    shown = ask(model=model([line.format(i) for i, line in enumerate(lines, 1)]))
    shown.live("Which country?")
    shown.player.wait()
    assert said in shown.said.value


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_is_only_text(payload):
    shown = ask([Proposed(infected(payload, payload), payload)], model=model())
    html = shown._repr_mimebundle_()["text/html"] + shown.watch.value
    assert "<script" not in html and "<img" not in html
    assert not {*"\u202e\x1b\0\ufeff"} & {*html}


def test_without_a_kernel_the_list_can_be_read(proposed):
    bundle = ask(proposed, model=model())._repr_mimebundle_()
    assert "1. Which element?" in bundle["text/plain"]
    assert "watch 1" in bundle["text/html"] and repr(ask(model=model())) == "<Asker: 0 proposed>"
    assert "application/vnd.jupyter.widget-view+json" in bundle


# those of lesson 00
def test_twelve_questions_and_six_claims_are_the_bundled_models_own_and_of_the_dev_split():
    kinds = [one.run.task.kind for one in lesson_00.questions()]
    assert kinds == ["multihop"] * 12 + ["claims"] * 6
    dev = {t.text for kind in ("multihop", "claims") for t in rl.tasks.load(kind, "dev")}
    for one in lesson_00.questions():
        assert one.run.model.startswith("qwen2.5-coder-0.5b") and one.run.method == "react"
        assert one.run.task.text in dev and one.run.end in ("finished", "step_limit")


@pytest.mark.parametrize("at", range(18))
def test_what_is_said_of_a_run_stands_in_it(at):
    """Whatever is quoted, the model or a page has said."""
    run, watch = lesson_00.questions()[at]
    said = json.dumps([[s.thought, s.action, s.observation] for s in run.steps], ensure_ascii=False)
    for quoted in re.findall(r"“(.+?)”", watch):
        assert quoted in said, (run.task.text, quoted)
    assert len(watch) < 200
