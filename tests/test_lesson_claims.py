"""Lesson 04: its checks say what is wrong, its solutions pass, its tables count rightly."""

import functools

import exercises
import pytest

import react_lab as rl
from react_lab.lessons import claims
from react_lab.types import Step, Task, Trajectory

NAMES = {"4.1": "grade", "4.2": "majority", "4.3": "confusion"}
SUP, REF, NEI = claims.LABELS


@pytest.fixture
def lesson():
    return claims.lesson()


solve = functools.partial(exercises.solve, names=NAMES, rl=rl, claims=claims)


@pytest.mark.parametrize("number", NAMES)
def test_the_solution_passes(lesson, number):
    assert lesson.check(number, solve(lesson, number)).passed


@pytest.mark.parametrize(
    "number, wrong",
    [
        ("4.1", lambda answer, gold: answer == gold),
        ("4.1", lambda answer, gold: gold in (answer or "").upper()),
        ("4.1", lambda answer, gold: answer.strip(" .").upper() == gold),
        ("4.2", 1 / 3),
        ("4.2", lambda golds: 1 / 3),
        ("4.2", lambda golds: golds.count(REF) / len(golds)),
        ("4.3", lambda pairs: {pair: pairs.count(pair) for pair in pairs}),
        ("4.3", lambda pairs: len(pairs)),
    ],
)
def test_a_wrong_answer_is_told_in_a_sentence(lesson, number, wrong):
    told = lesson.check(number, wrong)
    assert told.passed is False
    assert f"Exercise {number}: not yet" in told.text and "You gave" in told.text


def run_of(gold, answer, method="cot", thought="", seen=None):
    steps = (Step(thought, "Search[a]", seen), Step("", f"Finish[{answer}]"))
    task = Task(f"{gold} {answer} {method}", "claims", "?", gold)
    return Trajectory(
        task.id, task, method, "nobody", steps=steps, answer=answer, end="finished"
    )  # fmt: skip


RUNS = [
    run_of(SUP, "SUPPORTS"), run_of(SUP, "supports."), run_of(REF, SUP), run_of(NEI, "maybe"),
    run_of(NEI, None), run_of(NEI, NEI), run_of(SUP, REF, "react"),
]  # fmt: skip


def test_what_was_said_is_counted_by_gold_label():
    table = claims.said(rl.frame(RUNS), "cot")
    assert table.loc[SUP].tolist() == [2, 0, 0, 0]
    assert table.loc[REF].tolist() == [1, 0, 0, 0]
    assert table.loc[NEI].tolist() == [0, 0, 1, 2]
    assert claims.said(rl.frame(RUNS), "react").loc[SUP, REF] == 1


def test_the_table_agrees_with_the_grades(lesson):
    df = rl.frame(RUNS)
    table = claims.said(df, "cot")
    right = sum(int(table.loc[label, label]) for label in claims.LABELS)
    assert right == df.loc[df["method"] == "cot", "correct"].sum() == 3
    grade = solve(lesson, "4.1")
    assert all(grade(run.answer, run.task.gold) == rl.score.correct(run) for run in RUNS)


def test_the_confusion_of_the_exercise_is_that_of_the_table(lesson):
    counts = solve(lesson, "4.3")([(SUP, SUP), (REF, SUP), (NEI, "maybe"), (NEI, None), (NEI, NEI)])
    table = claims.said(rl.frame([RUNS[0], *RUNS[2:6]]), "cot")
    assert {pair: table.loc[pair] for pair in counts} == counts


def test_rates_by_label_and_above_guessing():
    df = rl.frame(RUNS)
    by_label = claims.by_label(df)
    assert list(by_label.index) == ["cot", "react"]
    assert by_label.loc["cot", SUP].startswith("100% (")
    assert by_label.loc["react", SUP].startswith("0% (")
    many = [run_of(SUP, SUP, "act")] * 9 + [run_of(REF, SUP, "react")] * 9
    told = claims.above_guessing(rl.frame(many))["above guessing"]
    assert told["act"] == "yes" and told["react"] == "no" and told["standard"] == "no"


def test_the_picture_has_the_tables_in_words_beside_it():
    shown = claims.draw_said(rl.frame(RUNS))
    assert shown.png.startswith(b"\x89PNG") and len(shown.png) < 30_000
    assert repr(shown).index("said by cot") < repr(shown).index("said by react")


def test_who_speaks_of_a_page_without_opening_one():
    made_up = run_of(NEI, NEI, thought="The page does not tell it.")
    looked = run_of(NEI, NEI, thought="The page does not tell it.", seen="A page.")
    plain = run_of(SUP, SUP, thought="It is so.")
    assert claims.speak_of_a_page([made_up, looked, plain]) == [made_up]


def test_the_examples_are_one_of_each_label_and_pairs_of_twins():
    assert [task.gold for task in claims.of_each_label()] == list(claims.LABELS)
    pairs = claims.twins()
    for one, other in zip(pairs[::2], pairs[1::2], strict=True):
        words = zip(one.text.split(), other.text.split(), strict=True)
        assert sum(mine != theirs for mine, theirs in words) == 1
        assert (one.gold, other.gold) == (SUP, REF)
