"""Lesson 09: its checks say what is wrong, its solutions pass, its pages are inert."""

import functools

import exercises
import pytest

import react_lab as rl
from react_lab.finetune import draw_gold
from react_lab.lessons import tuning

NAMES = {"9.1": "share", "9.2": "grounded", "9.3": "apart"}


@pytest.fixture
def lesson():
    return tuning.lesson()


solve = functools.partial(exercises.solve, names=NAMES, rl=rl)


@pytest.mark.parametrize("number", NAMES)
def test_the_solution_passes(lesson, number):
    assert lesson.check(number, solve(lesson, number)).passed


@pytest.mark.parametrize(
    "number, wrong",
    [
        ("9.1", ...),
        ("9.1", lambda line: 0.5),
        ("9.1", lambda line: sum(len(t.written) for t in line) / sum(len(t.shown) for t in line)),
        ("9.2", lambda runs: runs),
        ("9.2", lambda runs: [run for run in runs if rl.score.correct(run)]),
        ("9.3", lambda *counts: True),
        ("9.3", lambda a, n, b, m: a / n > b / m),
    ],
)
def test_a_wrong_answer_is_told(lesson, number, wrong):
    assert not lesson.check(number, wrong).passed


def test_what_was_taken_by_luck_is_said(lesson):
    told = lesson.check("9.2", lambda runs: [run for run in runs if rl.score.correct(run)])
    assert "luck" in str(told) and "it gave [a run], not []" in str(told)  # no name of a class
    assert "luck" not in str(lesson.check("9.2", lambda runs: []))


def test_a_line_shows_what_is_learned_and_what_is_not():
    missed = next(
        run for run in draw_gold(60)
        if any(step.outcome == "failed" for step in run.steps)
    )  # fmt: skip
    told = str(tuning.line_shown(missed, "react"))
    assert "not learned: it led nowhere" in told and "Observation 1:" in told
    learned = [turn.learned for turn in rl.finetune.training_line(missed, "react")]
    assert told.count("to be written") == sum(learned) < len(learned)


def test_the_cards_tell_of_each_adapter():
    scores = tuning.dev_scores()
    assert list(scores.index) == ["react", "act", "cot", "standard"]
    assert scores.notna().all().all()
    for leg in scores.index:
        assert tuning.losses(leg)[-1] < tuning.losses(leg)[0]


@pytest.mark.parametrize("leg", ["react", "act", "cot", "standard"])
def test_a_curve_grows_along_the_lines_and_keeps_its_intervals(leg):
    curve = tuning.curve(leg)
    assert curve["lines"].is_monotonic_increasing and len(curve) >= 3
    assert ((curve["low"] <= curve["rate"]) & (curve["rate"] <= curve["high"])).all()
    assert curve["asked"].eq(60).all()


def test_a_round_on_its_own_states_is_counted_on_the_same_questions():
    table = tuning.own_states()
    assert table.index[0] == ("react", "as shipped") and ("act", "as shipped") in table.index
    assert all(" of 60 (" in cell for cell in table["right"])
    for (leg, name), row in table.iterrows():
        if name == "as shipped":
            path = "data/runs/comparison/multihop-tuned.jsonl"
        else:
            stem = next(stem for stem, words in tuning.LEARNED.items() if words == name)
            path = f"data/runs/own_states/{leg}-{stem}.jsonl"
        asked = {run.task.id for run in rl.store.open("data/runs/own_states/act-own-1.jsonl")}
        runs = [r for r in rl.store.open(path) if r.method == leg and r.task.id in asked]
        assert len(runs) == len(asked) == 60
        assert row["gave up"] == str(sum(run.answer == "NOT ENOUGH INFO" for run in runs))
