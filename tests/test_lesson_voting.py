"""Lesson 05: its checks say what is wrong, its numbers are those of the plots, no call is made."""

import functools
import itertools
import math
import random
import socket
import subprocess
from collections import Counter

import exercises
import pytest

import react_lab as rl
from react_lab.analysis import paper
from react_lab.lessons import back_off, combining, compared, voting
from react_lab.methods import majority
from react_lab.plots import Rule, by_samples

NAMES = {"5.1": "majority", "5.2": "combine", "5.3": "reaches"}
COLUMNS = ["rate", "low", "high", "calls", "sure"]
RULES = [Rule(), Rule(0.4, max_steps=1), Rule(0.7, "react", 3), Rule(0), Rule(1, "react")]


@pytest.fixture
def lesson():
    return voting.lesson()


def say(ask):
    """ReAct takes 1 to 9 steps to an answer, and some samples have none: the same every time."""
    opening = ask.prompt.rsplit("\n\n", 1)[-1]
    pick = random.Random(
        f"{opening.splitlines()[0]} {ask.leg} {ask.samples if ask.temperature else 0}"
    )
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

    def refuse(*_, **__):
        raise AssertionError("a model was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(subprocess.Popen, "__init__", refuse)


# -- the exercises -------------------------------------------------------------------------------


solve = functools.partial(exercises.solve, names=NAMES, rl=rl)


@pytest.mark.parametrize("number", NAMES)
def test_the_solution_passes(lesson, number):
    assert lesson.check(number, solve(lesson, number)).passed


def by_spelling(votes):
    return Counter(vote for vote in votes if vote).most_common(1)[0][0] if any(votes) else None


def last_of_the_tied(votes):
    return by_spelling(votes[::-1])


def with_silence(votes):
    return Counter(votes).most_common(1)[0][0]


def above_half(order, votes, react):
    winner, count, _ = majority(votes)
    voted = None if winner is None else votes[winner]
    if order == "react->cot-sc":
        return react if react is not None else voted
    return voted if count > len(votes) / 2 else react


def half_of_those_who_spoke(order, votes, react):
    winner, count, _ = majority(votes)
    voted = None if winner is None else votes[winner]
    if order == "react->cot-sc":
        return react if react is not None else voted
    return voted if voted and count >= len([v for v in votes if v]) / 2 else react


def highest_goal(curve, method):
    goal = curve[curve["method"] == "cot-sc"]["rate"].max()
    there = curve[(curve["method"] == method) & (curve["rate"] >= goal)]
    return None if there.empty else int(there["samples"].min())


@pytest.mark.parametrize("number, wrong", [
    ("5.1", ...), ("5.1", by_spelling), ("5.1", last_of_the_tied), ("5.1", with_silence),
    ("5.2", ...), ("5.2", above_half), ("5.2", half_of_those_who_spoke), ("5.2", lambda order, votes, react: react),
    ("5.3", ...), ("5.3", highest_goal), ("5.3", lambda curve, method: 3),
])  # fmt: skip
def test_a_wrong_answer_is_told(lesson, number, wrong):
    assert not lesson.check(number, wrong).passed


def test_the_first_exercise_is_what_the_package_does(lesson, recorded):
    mine = solve(lesson, "5.1")
    for run in voting.by_agreement(recorded):
        assert mine(run.votes) == run.answer


def test_the_second_exercise_is_what_the_methods_do(lesson):
    model, tasks = rl.models.scripted(say, name="scripted"), rl.tasks.load("claims", "dev", n=12)
    for task, order in itertools.product(tasks, back_off.COMBINED):
        react, vote, both = (rl.run(m, task, model=model) for m in ("react", "cot-sc", order))
        answer = (react.answer or None) if react.end == "finished" else None
        assert solve(lesson, "5.2")(order, list(vote.votes), answer) == (both.answer or None)


# -- the numbers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_the_curve_is_that_of_the_plots(scripted, recorded, rule):
    for runs in (scripted, recorded):
        ours, theirs = combining.combinations(runs).curve(rule), by_samples(runs, rule=rule)
        assert list(ours["method"]) == list(theirs["method"])
        assert list(ours["samples"]) == list(theirs["samples"])
        assert abs(ours[COLUMNS] - theirs[COLUMNS]).max().max() < 1e-9


def test_react_gives_up_where_it_has_few_steps(scripted):
    both = combining.combinations(scripted)
    silent = [both.react(Rule(max_steps=i))["gave_up"] for i in range(1, both.limit + 1)]
    assert silent == sorted(silent, reverse=True) and silent[0] > silent[-1]
    assert both.react(Rule(max_steps=both.limit)) == both.react()


def test_what_cannot_be_known_is_refused(scripted):
    both = combining.combinations(scripted)
    with pytest.raises(ValueError, match="ReAct was run with 5 steps: take 1 to 5"):
        both.at(max_steps=6)
    with pytest.raises(ValueError, match="each run has 21 samples: take 1 to 21, not 22"):
        both.at(samples=22)
    with pytest.raises(ValueError, match="a react run and a cot-sc run of the same tasks"):
        combining.combinations([run for run in scripted if run.method == "react"])


def sentence(reply, kind="claims"):
    return back_off.words_of(combining.combinations(ran(reply, kind, 4)))


def test_a_sentence_says_where_the_combinations_can_hardly_differ():
    def scattered(ask):
        told = chr(97 + ask.samples[0])
        return f" x\nAnswer: {told}" if ask.leg == "cot" else " x\nAction 1: Finish[a]"

    apart = sentence(scattered, "multihop")
    assert "reaches n/2 on 0% of 4 tasks, so CoT-SC → ReAct asks ReAct nearly always" in apart
    assert "ReAct → CoT-SC can hardly differ from ReAct" in apart and "the claims" in apart
    united = sentence(
        lambda ask: " x\nAnswer: a" if ask.leg == "cot" else " x\nAction 1: Search[a]"
    )
    assert "can hardly differ from CoT-SC here. ReAct gives no answer on 100%." in united


def test_the_tables_of_the_lesson(recorded):
    both = combining.combinations(recorded)
    told = back_off.beside_paper(both)
    assert list(told["FEVER, paper"]) == [
        paper.table(1).loc[name, "claims"]
        for name in ("CoT-SC", "ReAct", "ReAct → CoT-SC", "CoT-SC → ReAct")
    ]
    rates = [sum(map(bool, grades)) / len(grades) for grades in (
        [rl.score.correct(run) for run in recorded if run.method == method] for method in ("cot-sc", "react")
    )]  # fmt: skip
    assert list(told["claims, here"][:2]) == [round(100 * rate, 1) for rate in rates]
    assert list(back_off.hand_overs([both])["tasks"]) == [both.tasks]
    assert list(back_off.figure2_claims([both])["method"]) == ["ReAct → CoT-SC", "CoT-SC → ReAct"]
    votes = voting.by_agreement(recorded)
    assert voting.trust(recorded)["tasks"].sum() == len(votes) == both.tasks


# -- the pictures --------------------------------------------------------------------------------


def sliders_of(shown):
    *sliders, image, _ = shown.box.children
    return sliders, image


@pytest.mark.parametrize("stride", [3, pytest.param(1, marks=pytest.mark.long)])
def test_every_slider_position_gives_a_picture_and_no_call(recorded, no_calls, stride):
    both = combining.combinations(recorded)
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


def test_no_position_of_all_three_sliders_is_beyond_the_axes(recorded, scripted, no_calls):
    for both in map(
        combining.combinations, (recorded, scripted, compared.runs("multihop", "tuned"))
    ):
        for share, steps in itertools.product(range(0, 101, 5), range(1, both.limit + 1)):
            curve = both.curve(Rule(share / 100, max_steps=steps))
            assert len(curve) == 3 * both.n and curve["rate"].between(0, both.best()).all()
            assert curve["calls"].map(math.isfinite).all()


def test_the_function_and_the_sliders_say_the_same(recorded, no_calls):
    both = combining.combinations(recorded)
    sliders, image = sliders_of(both.sliders())
    for slider, value in zip(sliders, (5, 60, 2), strict=True):
        slider.value = value
    assert bytes(image.png) == combining.png(both.drawn(5, Rule(0.6, max_steps=2))[0])
    picture = both.at(5, 0.6, 2)
    told = both.curve(Rule(0.6, max_steps=2)).set_index(["samples", "method"])
    last = picture.table.set_index("method").loc["CoT-SC → ReAct"]
    assert last["%"] == round(100 * told.loc[(5, "cot-sc->react"), "rate"], 1)
    assert "With 5 of the 21 samples" in picture.caption and picture.png.startswith(b"\x89PNG")


def test_the_sliders_read_without_a_kernel(scripted):
    both = combining.combinations(scripted)
    told = both.sliders()
    assert "ReAct → CoT-SC" in repr(told) and "<table" in told.twin.html
    assert "12 claims, prompted" in repr(both)


def test_a_vote_is_drawn_as_it_was_cast(recorded, scripted):
    votes = voting.by_agreement(recorded)
    counts = [max(Counter(run.votes).values()) for run in votes]
    assert counts[0] == min(counts) and counts[-1] == max(counts)
    picture = voting.vote_chart([votes[0], votes[-1]])
    assert [table["votes"].sum() for table in picture.tables.values()] == [21, 21]
    assert picture.png.startswith(b"\x89PNG") and "21 samples a task" in picture.caption
    silent = next(run for run in voting.by_agreement(scripted) if None in run.votes)
    assert "no answer" in list(voting.vote_chart([silent]).table["answer"])


def test_many_answers_are_folded_and_stay_21():
    runs = ran(lambda ask: f" x\nAnswer: {chr(97 + ask.samples[0])}", "multihop", 1)
    table = voting.vote_chart(runs[1:]).table
    assert len(table) == voting.SHOWN and table["votes"].sum() == 21
    assert table["answer"].iloc[-1] == "15 other answers"


def test_a_wrong_answer_to_5_3_is_told_in_plain_words(lesson):
    """A table is called one, with its columns: no `<DataFrame>`."""
    for wrong in (
        lambda curve, method: 99,
        lambda curve, method: curve,
        lambda curve, method: 1 / 0,
    ):
        text = lesson.check("5.3", wrong).text
        assert "For a table of 6 rows (method, samples, rate), 'cot-sc->react', it " in text
        assert "<" not in text.partition("You gave")[0]
    for none in (
        lambda curve, method: curve[curve["method"] == "CoT-SC"]["samples"].iloc[-1],
        lambda curve, method: curve[curve["method"] == "CoT-SC"]["samples"].idxmax(),
    ):
        text = lesson.check("5.3", none).text
        assert "found no row" in text and "'cot-sc->react'" in text and "Error" not in text
    table = voting.curves({1: 0.2}, {1: 0.1})
    assert "You gave: a table of 2 rows (method, samples, rate)" in lesson.check("5.3", table).text
