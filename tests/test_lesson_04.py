"""Lesson 04: its tables count rightly."""

from exercises import solved

import react_lab as rl
from react_lab.lessons import lesson_04
from react_lab.types import Step, Task, Trajectory

SUP, REF, NEI = lesson_04.LABELS


def test_the_solution_is_the_table():
    counts = solved("4.1")([(SUP, SUP), (REF, SUP), (NEI, "maybe"), (NEI, None), (NEI, NEI)])
    table = lesson_04.said(rl.frame([RUNS[0], *RUNS[2:6]]), "cot")
    assert {pair: table.loc[pair] for pair in counts} == counts


def run_of(gold, answer, method="cot", thought="", seen=None):
    steps = (Step(thought, "Search[a]", seen), Step("", f"Finish[{answer}]"))
    task = Task(f"{gold} {answer} {method}", "claims", "?", gold)
    return Trajectory(task.id, task, method, "m", steps=steps, answer=answer, end="finished")


RUNS = [
    run_of(SUP, "SUPPORTS"), run_of(SUP, "supports."), run_of(REF, SUP), run_of(NEI, "maybe"),
    run_of(NEI, None), run_of(NEI, NEI), run_of(SUP, REF, "react"),
]  # fmt: skip


def test_rates_above_guessing():
    many = [run_of(SUP, SUP, "act")] * 9 + [run_of(REF, SUP, "react")] * 9
    told = lesson_04.above_guessing(rl.frame(many))["above guessing"]
    assert told["act"] == "yes" and told["react"] == "no" and told["standard"] == "no"


def test_the_picture_has_the_tables_in_words_beside_it():
    shown = lesson_04.draw_said(rl.frame(RUNS))
    assert shown.png.startswith(b"\x89PNG") and len(shown.png) < 30_000
    assert repr(shown).index("said by cot") < repr(shown).index("said by react")


def test_the_examples_are_one_of_each_label_and_pairs_of_twins():
    assert [task.gold for task in lesson_04.of_each_label()] == list(lesson_04.LABELS)
    pairs = lesson_04.twins()
    for one, other in zip(pairs[::2], pairs[1::2], strict=True):
        words = zip(one.text.split(), other.text.split(), strict=True)
        assert sum(mine != theirs for mine, theirs in words) == 1
        assert (one.gold, other.gold) == (SUP, REF)
