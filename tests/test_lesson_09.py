"""Lesson 09: what is learned of a line, and the curves."""

import pytest

import react_lab as rl
from react_lab.finetune import draw_gold
from react_lab.lessons import lesson_09


def test_a_line_shows_what_is_learned_and_what_is_not():
    missed = next(
        run for run in draw_gold(60)
        if any(step.outcome == "failed" for step in run.steps)
    )  # fmt: skip
    told = str(lesson_09.line_shown(missed, "react"))
    assert "not learned: it led nowhere" in told and "Observation 1:" in told
    learned = [turn.learned for turn in rl.finetune.training_line(missed, "react")]
    assert told.count("to be written") == sum(learned) < len(learned)


@pytest.mark.parametrize("leg", ["react", "act", "cot", "standard"])
def test_a_curve_grows_along_the_lines_and_keeps_its_intervals(leg):
    curve = lesson_09.curve(leg)
    assert lesson_09.losses(leg)[-1] < lesson_09.losses(leg)[0]
    assert curve["lines"].is_monotonic_increasing and len(curve) >= 3
    assert ((curve["low"] <= curve["rate"]) & (curve["rate"] <= curve["high"])).all()
    assert curve["asked"].eq(60).all()
