"""A context budget: the oldest observations leave the prompt first, and the run says so."""

import hashlib
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import react_lab as rl
from react_lab.layouts import Game, Numbered, Plain, Shop
from react_lab.models import cached
from react_lab.models.weights import SIZES
from react_lab.prompts import Prompt
from react_lab.support.text import tokens
from react_lab.transcript import MARK, STAY, TextTranscript
from react_lab.types import Ask, ContextLimit, ModelError, Step

TASK = rl.tasks.load("household", "old")[0]
QUESTION = rl.tasks.load("multihop", "demo")[0]
TUNED = ("household/act", "household/react", "act", "react")
PLACES = "cabinet", "countertop", "drawer", "fridge", "sinkbasin", "shelf", "garbagecan"


def walker(tuned=TUNED):
    """A model that goes to a place, which one hangs on every letter of its prompt."""

    def reply(ask):
        number = int(hashlib.sha256(ask.prompt.encode()).hexdigest(), 16)
        return f" go to {PLACES[number % len(PLACES)]} 1"

    return rl.models.scripted(reply, tuned=tuned)


def searcher(tuned=TUNED):
    """A model that searches for one page after the other."""
    titles = list(rl.envs.pages.bundled().titles)[:7]

    def reply(ask):
        i = int(ask.prompt.rpartition("Thought ")[2].rstrip(":"))
        return f" I look it up.\nAction {i}: Search[{titles[i - 1]}]"

    return rl.models.scripted(reply, tuned=tuned)


def prompts_of(model):
    return [ask.prompt for ask in model.asked]


# any transcript, any budget
WORDS = st.text(st.sampled_from("ab C9.,é日\n> :"), max_size=60)
PART = st.none() | WORDS.filter(bool)
STEPS = st.lists(st.builds(Step, PART, PART, st.none() | WORDS), max_size=14)
LAYOUTS = st.sampled_from([Numbered(), Numbered(thinks=False), Game(), Shop(), Plain()])


@given(LAYOUTS, STEPS, st.sampled_from([-1, 0]) | st.integers(-200, 5))
def test_a_prompt_keeps_to_its_budget_or_ends_in_a_context_limit(layout, steps, spare):
    shown, i = [layout.show(step, at) for at, step in enumerate(steps, 1)], len(steps) + 1
    whole = "".join(["The task.\n", *shown, layout.cue(i)])
    context = max(1, tokens(whole) + spare)
    transcript = TextTranscript(Prompt("react", layout), context)
    transcript.begin("The task.")
    for at, step in enumerate(steps, 1):
        transcript.add(step, at)
    try:
        before = transcript.ask(i)
        act = transcript.ask_act(i, Step("I think. " * 5)) if layout == Numbered() else before
    except ContextLimit as limit:
        assert f"may have {context}" in str(limit)
    else:
        assert tokens(before.prompt) <= context and tokens(act.prompt) <= context
        assert (before.prompt == whole) == (tokens(whole) <= context)
        assert before.prompt.startswith("The task.\n")
        assert before.prompt.endswith("".join(shown[-STAY:]) + layout.cue(i))
        assert act is before or act.prompt.endswith(f"\nAction {i}:")
        assert transcript.ask(i) == before


# whole runs
def test_a_long_game_stays_in_its_budget_and_says_where_that_began():
    model = walker()
    run = rl.run("act", TASK, model, context=700)
    asked = prompts_of(model)
    assert run.end == "step_limit" and len(run.steps) == 50 and run.flags[-1] == "shortened"
    assert max(map(tokens, asked)) <= 700
    began = run.settings["shortened"]["from"]
    assert next(i for i, text in enumerate(asked, 1) if MARK in text) == began > 5
    assert all(text.startswith(asked[0].removesuffix(">")) for text in asked)
    bases = [text.removesuffix(">") for text in asked]  # a server reads anew what follows a change
    assert 1 <= sum(not after.startswith(before) for before, after in pairwise(bases)) <= 6
    page = str(rl.show(run))
    assert "shortened (the oldest observations left the prompt)" in page
    assert f"Shortened from step: {began}" in page
    assert "shortened" in rl.frame(run)["run_flags"][0]


def test_a_run_below_its_budget_is_the_run_without_one():
    free, kept = walker(), walker()
    one = rl.run("act", TASK, free, max_steps=8)
    other = rl.run("act", TASK, kept, max_steps=8, context=5_000)
    assert free.asked == kept.asked and one.steps == other.steps and one.flags == other.flags
    assert "context" not in one.settings and other.settings["context"] == 5_000
    assert one.id != other.id
    assert "shortened" not in {**one.settings, **other.settings}


def test_what_always_stays_may_be_too_long_and_then_nothing_is_asked():
    model = walker(tuned=())
    run = rl.run("act", TASK, model, context=300)
    assert (run.end, run.calls, run.steps, run.flags) == ("context_limit", 0, (), ())
    assert "may have 300" in run.error and not model.asked
    assert rl.run("cot-sc", QUESTION, searcher(), context=20, n=2).end == "context_limit"
    with pytest.raises(ValueError, match="context=0: at least 1"):
        rl.run("act", TASK, walker(), context=0)


def small():
    """A model that says how much it can read."""
    model, complete = walker(), walker().complete

    def checked(ask, on_text=None):
        if tokens(ask.prompt) > 700:
            raise ContextLimit("too long")
        return complete(ask, on_text)

    model.context, model.complete = 700, checked
    return model


def test_a_model_that_says_what_it_can_read_is_asked_for_no_more_and_replayed(tmp_path):
    run = rl.run("act", TASK, small())
    assert run.end == "step_limit" and "shortened" in run.flags
    assert run.settings["shortened"]["context"] == 700 and "context" not in run.settings
    (kept,) = rl.evaluate("act", TASK, small(), tmp_path / "runs.jsonl", progress=False)
    first = rl.run("act", TASK, cached(small(), tmp_path / "kept.jsonl"))
    again = rl.run("act", TASK, cached(None, tmp_path / "kept.jsonl", "replay"))  # without it
    for one in (kept, first, again):
        assert (one.id, one.flags, one.steps) == (run.id, run.flags, run.steps)


def test_the_bundled_model_says_what_it_can_read(tmp_path):
    (tmp_path / "react.gguf").write_bytes(b"GGUF")
    local = rl.models.local(adapter=None)
    assert SIZES["135m"].reads - local.context >= Ask("").max_tokens
    assert rl.models.local(tmp_path / "react.gguf").context is None
    assert [*map(tokens, ("", "日本", "1987"))] == [0, 6, 4]  # odd text is counted by its bytes


# going on
def stopped(at):
    """A walker whose server fails at a step."""
    model = walker()
    complete = model.complete

    def failing(ask, on_text=None):
        if len(model.asked) >= at:
            raise ModelError("gone")
        return complete(ask)

    model.complete = failing
    return model


@pytest.mark.parametrize("at", [3, 30])
def test_a_run_that_is_gone_on_with_is_the_run_in_one_go(at):
    straight, before, after = walker(), stopped(at), walker()
    run = rl.run("act", TASK, straight, context=700)
    broken = rl.run("act", TASK, before, context=700, on_error="record")
    assert broken.end == "error" and len(broken.steps) == at
    whole = rl.resume(broken, after)
    assert whole.steps == run.steps and whole.flags == run.flags
    assert before.asked + after.asked == straight.asked
    assert whole.settings["shortened"] == run.settings["shortened"]


def test_an_edited_run_asks_as_if_the_steps_had_been_its_own():
    run, model = rl.run("act", TASK, walker(), context=700), walker()
    edited = rl.resume(rl.rethink(run, 40, action="look"), model)
    assert model.asked[0].prompt == rl.prompt_of(edited, 41)
    assert edited.settings["context"] == 700 and "shortened" in edited.flags
    run = rl.run("react", QUESTION, searcher())
    model = rl.models.scripted([" Finish[x]"], tuned=TUNED)
    edited = rl.resume(rl.rethink(run, 2, thought="I know it."), model)
    assert rl.prompt_of(edited, 2) == model.asked[0].prompt
    assert rl.prompt_of(edited, 2).endswith("Thought 2: I know it.\nAction 2:")


# what was sent
@pytest.mark.parametrize("tuned", [(), TUNED], ids=["prompted", "bare"])
@pytest.mark.parametrize("kind", ["household", "multihop"])
def test_the_prompt_of_a_step_is_what_was_sent(kind, tuned):
    game = kind == "household"
    model, room = walker(tuned=tuned) if game else searcher(tuned), 0 if tuned else 5_000
    leg, task = ("act", TASK) if game else ("react", QUESTION)
    head = tokens(rl.prompt_of(leg, kind, type=task.extra.get("type")).head) if room else 0
    run = rl.run(leg, task, model, context=head + (700 if game else 680))
    assert "shortened" in run.flags
    assert [rl.prompt_of(run, i) for i in range(1, len(run.steps) + 1)] == prompts_of(model)


def test_a_prompt_that_is_gone_is_not_made_up():
    run = rl.run("act", TASK, walker(tuned=()), max_steps=2)
    changed = replace(run, settings={**run.settings, "prompt": {"act": "another"}})
    with pytest.raises(ValueError, match="asked with another prompt"):
        rl.prompt_of(changed, 1)
    with pytest.raises(ValueError, match="it has steps 1 to 2"):
        rl.prompt_of(run, 3)
    with pytest.raises(TypeError, match="takes a run"):
        rl.prompt_of("act", 1)


def test_a_strangers_word_for_where_it_began_is_shown_as_text():
    run = rl.run("act", TASK, walker(), max_steps=1)
    for odd in ("<b>", {"from": "<b>"}, ["x"], 3, None):
        page = rl.show(replace(run, flags=("shortened",), settings={"shortened": odd}))
        assert "<b>&lt;b&gt;" in page.html or odd != {"from": "<b>"}
