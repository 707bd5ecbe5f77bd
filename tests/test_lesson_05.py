"""Lesson 05: its numbers are those of the methods and of the plots, and no call is made."""

import itertools
import math
import random
import socket
import subprocess
from collections import Counter

import pytest

import react_lab as rl
from react_lab.lessons import compared, lesson_05
from react_lab.plots import Rule


def say(ask):
    """ReAct takes 1 to 9 steps to an answer, and some samples have none: the same every time."""
    opening = ask.prompt.rsplit("\n\n", 1)[-1]
    sample = ask.samples if ask.temperature else 0
    pick = random.Random(f"{opening.splitlines()[0]} {ask.leg} {sample}")
    answer = pick.choice(["SUPPORTS", "SUPPORTS", "REFUTES", "NOT ENOUGH INFO", ""])
    if ask.leg == "cot":
        return f" So.\nAnswer: {answer}"
    i = opening.count("Observation") + 1
    return f" Hm.\nAction {i}: {f'Finish[{answer}]' if i >= pick.randint(1, 9) else 'Search[Ulm]'}"


def ran(reply, kind="claims", n=12):
    model = rl.models.scripted(reply, name="scripted")
    tasks = rl.tasks.load(kind, "dev", n=n)
    return [rl.run(method, task, model=model) for task in tasks for method in ("react", "cot-sc")]


@pytest.fixture(scope="module")
def scripted():
    return ran(say)


@pytest.fixture(scope="module")
def recorded():
    return list(compared.runs("claims", "tuned"))


@pytest.fixture
def no_calls(monkeypatch):
    """Nobody can be asked: no connection is made and no server started."""
    monkeypatch.setattr(socket.socket, "connect", None)
    monkeypatch.setattr(subprocess.Popen, "__init__", None)


def sliders_of(shown):
    *sliders, image, _ = shown.box.children
    return sliders, image


@pytest.mark.parametrize("stride", [30, pytest.param(1, marks=pytest.mark.long)])
def test_every_slider_position_gives_a_picture_and_no_call(recorded, no_calls, stride):
    both = lesson_05.combinations(recorded)
    sliders, image = sliders_of(both.sliders())
    first = bytes(image.png)
    for slider in sliders:
        start, seen = slider.value, set()
        for value in sorted({*range(slider.min, slider.max, stride * slider.step), slider.max}):
            slider.value = value
            drawn = bytes(image.png)
            assert drawn.startswith(b"\x89PNG")
            seen.add(drawn)
        assert len(seen) > 1
        slider.value = start
    assert bytes(image.png) == first


def test_every_position_of_all_three_sliders_has_a_rate_and_a_cost(recorded, scripted, no_calls):
    for runs in (recorded, scripted, compared.runs("multihop", "tuned")):
        both = lesson_05.combinations(runs)
        for share, steps in itertools.product(range(0, 101, 10), range(1, both.limit + 1)):
            curve = both.curve(Rule(share / 100, max_steps=steps))
            assert len(curve) == 3 * both.n and curve["rate"].between(0, 1).all()
            assert curve["calls"].map(math.isfinite).all()


def test_the_function_and_the_sliders_say_the_same(recorded, no_calls):
    both = lesson_05.combinations(recorded)
    shown = both.sliders()
    sliders, image = sliders_of(shown)
    assert "ReAct → CoT-SC" in repr(shown) and "<table" in shown.twin.html  # without a kernel
    for slider, value in zip(sliders, (5, 60, 2), strict=True):
        slider.value = value
    assert bytes(image.png) == lesson_05.png(both.drawn(5, Rule(0.6, max_steps=2))[0])
    _, table, setting = both.drawn(5, Rule(0.6, max_steps=2))
    told = both.curve(Rule(0.6, max_steps=2)).set_index(["samples", "method"])
    last = table.set_index("method").loc["CoT-SC → ReAct"]
    assert last["%"] == round(100 * told.loc[(5, "cot-sc->react"), "rate"], 1)
    assert "With 5 of the 21 samples" in setting


def test_a_vote_is_drawn_as_it_was_cast(recorded, scripted):
    votes = lesson_05.by_agreement(recorded)
    counts = [max(Counter(run.votes).values()) for run in votes]
    assert counts[0] == min(counts) and counts[-1] == max(counts)
    picture = lesson_05.vote_chart([votes[0], votes[-1]])
    assert [table["votes"].sum() for table in picture.tables.values()] == [21, 21]
    assert picture.png.startswith(b"\x89PNG") and "21 samples a task" in picture.caption
    silent = next(run for run in lesson_05.by_agreement(scripted) if None in run.votes)
    assert "no answer" in list(lesson_05.vote_chart([silent]).table["answer"])


def test_many_answers_are_folded_and_stay_21():
    runs = ran(lambda ask: f" x\nAnswer: {chr(97 + ask.samples[0])}", "multihop", 1)
    table = lesson_05.vote_chart(runs[1:]).table
    assert len(table) == lesson_05.SHOWN and table["votes"].sum() == 21
    assert table["answer"].iloc[-1] == "15 other answers"
