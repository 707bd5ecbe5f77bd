"""Lesson 03's dated questions: two editions of a page, and two ways to score."""

from itertools import product

import pytest

import react_lab as rl
from react_lab.lessons import lesson_03b
from react_lab.types import Step, Trajectory


def test_eight_questions_and_the_pages_they_need():
    tasks = lesson_03b.dated()
    assert len(tasks) == 8
    for task in tasks:
        title = task.extra["pages"][0]
        for when, answer in (("old", task.gold), ("new", task.extra["now"])):
            seen = lesson_03b.world(when)(task).step(f"Search[{title}]").text
            page, shown = task.extra[when], lesson_03b.pages(task)
            assert answer.lower() in seen.lower() and seen in " ".join(page["text"].split())
            assert f"{when}, {page['year']}" in shown.text and page["text"] in shown.text
        assert shown.html.count("text-align: left") == 4  # heads and texts, all of them
    assert lesson_03b.world("old").snapshot != lesson_03b.world("new").snapshot


def made(task, method, answer):
    step = Step("Hm.", f"Finish[{answer}]")
    return Trajectory("1", task, method, "m", {}, (step,), answer=answer, end="finished")


def test_scores_by_both_labels():
    task = lesson_03b.dated()[0]  # nine planets, then eight
    old = [made(task, "standard", "nine"), made(task, "react", "nine")]
    new = [made(task, "react", "eight")]
    table = lesson_03b.scored(old, new)
    assert [*table.index] == ["standard", "react, old pages", "react, new pages"]
    assert table.to_numpy().tolist() == [[1, 1, 0, "–"], [1, 1, 0, 1], [1, 0, 1, 1]]
    row = lesson_03b.answers(old, new).loc[task.text]
    assert [*row] == ["nine → eight", "nine", "nine → eight"]
    table = lesson_03b.scored([], [made(task, "act", None)])  # no answer: wrong by every label
    assert table.to_numpy().tolist() == [[1, 0, 0, 0]]


RECORDED = (rl.data.folder("runs") / "dated" / "new.jsonl").exists()


@pytest.mark.skipif(not RECORDED, reason="python data/build/dated.py makes these runs")
@pytest.mark.parametrize("when, methods", [("old", 4), ("new", 2)])
def test_the_recorded_runs_are_of_these_worlds(when, methods):
    runs, world = lesson_03b.runs(when), lesson_03b.world(when)
    found = {(run.method, run.task.id) for run in runs}
    ids = [task.id for task in lesson_03b.dated()]
    assert found == {*product(["act", "react", "standard", "cot"][:methods], ids)}
    assert {run.settings["world"] for run in runs} == {world.snapshot}
    for run in runs:  # what it saw is what the pages say
        env = world(run.task)
        env.reset(run.task)
        for step in run.steps:
            if step.action and step.observation:
                assert env.step(step.action).text == step.observation
    assert len(rl.frame(runs)) == 8 * methods
