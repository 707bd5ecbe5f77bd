"""Lesson 03: its tables, its pictures, and the recorded comparison that it opens."""

from itertools import product

import pytest

import react_lab as rl
from react_lab.lessons import compared, lesson_03
from react_lab.types import Step, Task, Trajectory


def run_of(task, method, answer, gold="yes", seen="."):
    steps = (Step("", "Lookup[x]", seen), Step("", f"Finish[{answer}]"))
    return Trajectory(
        f"{task} {method}", Task(task, "multihop", "?", gold), method, "nobody",
        steps=steps, answer=answer, end="finished",
    )  # fmt: skip


def test_every_run_is_counted_once_by_what_became_of_it():
    runs = [run_of("t1", "react", "yes"), run_of("t2", "react", "no"), run_of("t4", "react", None),
            run_of("t3", "react", "NOT ENOUGH INFO", seen="No more results.")]  # fmt: skip
    table = lesson_03.outcomes(rl.frame(runs)).table
    assert table[["right", "wrong", "gave up", "no answer"]].to_numpy().tolist() == [[1, 1, 1, 1]]
    told = lesson_03.causes([*runs, run_of("t1", "act", "Bonn", "Ulm", seen="ULM lies.")]).text
    assert "the steps | 0 | 1" in told and "gave up | 0 | 1" in told
    assert "after a Lookup that found nothing | 0 | 1" in told
    assert "0 of 1 (0%) | 1 of 2 (50%)" in told and "1 / 1 | 0 / 1" in told


def test_the_slider_draws_the_tasks_in_another_order():
    both = product(range(12), ("react", "cot"))
    runs = [run_of(f"t{k}", method, "yes" if k % 3 else "no") for k, method in both]
    shown = lesson_03.settling(rl.frame(runs))
    slider, picture, _ = shown.box.children
    before = bytes(picture.png)
    assert before.startswith(b"\x89PNG") and len(before) < 30_000
    assert "react, 12 tasks: 67%" in shown.twin.text
    slider.value = 2
    assert bytes(picture.png) != before


def test_a_table_of_words_is_set_at_the_left_with_all_its_words():
    import pandas as pd

    table = pd.DataFrame({"answer": ["a" * 80, "<b>"]}, index=["first", "second"])
    page = compared.left(table.rename_axis("question"))
    assert page.html.count("text-align: left") == 6 and "<b>" not in page.html
    assert page.text.splitlines() == ["question | answer", "first | " + "a" * 80, "second | <b>"]


# 03b: two editions of a page, and two ways to score
def test_eight_questions_and_the_pages_they_need():
    tasks = lesson_03.dated()
    assert len(tasks) == 8
    for task in tasks:
        title = task.extra["pages"][0]
        for when, answer in (("old", task.gold), ("new", task.extra["now"])):
            seen = lesson_03.world(when)(task).step(f"Search[{title}]").text
            page, shown = task.extra[when], lesson_03.pages(task)
            assert answer.lower() in seen.lower() and seen in " ".join(page["text"].split())
            assert f"{when}, {page['year']}" in shown.text and page["text"] in shown.text
        assert shown.html.count("text-align: left") == 4  # heads and texts, all of them
    assert lesson_03.world("old").snapshot != lesson_03.world("new").snapshot


@pytest.mark.parametrize("when, methods", [("old", 4), ("new", 2)])
def test_the_recorded_runs_are_of_these_worlds(when, methods):
    runs, world = lesson_03.runs(when), lesson_03.world(when)
    found = {(run.method, run.task.id) for run in runs}
    ids = [task.id for task in lesson_03.dated()]
    assert found == {*product(["act", "react", "standard", "cot"][:methods], ids)}
    assert {run.settings["world"] for run in runs} == {world.snapshot}
    for run in runs:  # what it saw is what the pages say
        env = world(run.task)
        env.reset(run.task)
        for step in run.steps:
            if step.action and step.observation:
                assert env.step(step.action).text == step.observation
    assert len(rl.frame(runs)) == 8 * methods
