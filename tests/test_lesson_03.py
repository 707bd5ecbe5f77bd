"""Lesson 03: its tables, its pictures, and the recorded comparison that it opens."""

import pytest
from exercises import solved

import react_lab as rl
from react_lab.lessons import compared, lesson_03
from react_lab.types import Step, Task, Trajectory


def run_of(task, method, answer, gold="yes", seen="."):
    steps = (Step("", "Lookup[x]", seen), Step("", f"Finish[{answer}]"))
    return Trajectory(
        f"{task} {method}", Task(task, "multihop", "?", gold), method, "nobody",
        steps=steps, answer=answer, end="finished",
    )  # fmt: skip


def some(n):
    return [
        run_of(f"t{k}", method, "yes" if k % 3 else "no")
        for k in range(n) for method in ("react", "cot")
    ]  # fmt: skip


def test_the_solution_counts_as_the_package_does():
    runs = [
        run_of(f"t{k}", method, "yes" if right else "no")
        for k, pair in enumerate([(1, 0), (1, 0), (0, 1), (1, 1), (0, 0)])
        for method, right in zip(("react", "cot"), pair, strict=True)
    ]
    df = rl.frame(runs)
    a, b = (df[df["method"] == m].set_index("task")["correct"].to_dict() for m in ("react", "cot"))
    pair = rl.stats.paired(df, "react", "cot")
    assert solved("3.1")(a, b) == (pair.wins, pair.losses) == (2, 1)


def test_every_run_is_counted_once_by_what_became_of_it():
    runs = [run_of("t1", "react", "yes"), run_of("t2", "react", "no"), run_of("t4", "react", None),
            run_of("t3", "react", "NOT ENOUGH INFO", seen="No more results.")]  # fmt: skip
    table = lesson_03.outcomes(rl.frame(runs)).table
    assert table[["right", "wrong", "gave up", "no answer"]].to_numpy().tolist() == [[1, 1, 1, 1]]
    told = lesson_03.causes([*runs, run_of("t1", "act", "Bonn", "Ulm", seen="ULM lies.")]).text
    assert "the steps | 0 | 1" in told and "gave up | 0 | 1" in told
    assert "after a Lookup that found nothing | 0 | 1" in told
    assert "0 of 1 (0%) | 1 of 2 (50%)" in told and "1 / 1 | 0 / 1" in told


def test_the_chosen_question_takes_two_pages_and_parts_react_from_cot():
    runs = [r for r in compared.runs("multihop", "tuned") if r.task.id == lesson_03.CHOSEN]
    right = {run.method: rl.score.correct(run) for run in runs}
    assert right["react"] and not right["cot"]
    react = next(run for run in runs if run.method == "react")
    assert sum((step.action or "").startswith("Search") for step in react.steps) == 2


def test_the_paper_and_ours_stand_side_by_side():
    told = compared.story("multihop", rl.frame(some(60))).text
    assert "ReAct | 27.4 | 66.7 | 54 to 77 | –" in told
    assert "CoT | 29.4 | 66.7 | 54 to 77 | ReAct +0, within chance" in told


def test_the_slider_draws_the_tasks_in_another_order():
    shown = lesson_03.settling(rl.frame(some(12)))
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


def test_the_recorded_runs_are_of_one_setting_each():
    for how, bare in (("tuned", True), ("prompted", False)):
        for kind in ("multihop", "claims"):
            found = compared.runs(kind, how)
            assert len(found) and found[0].task.kind == kind
            assert {bool(run.settings.get("bare")) for run in found} == {bare}
    with pytest.raises(FileNotFoundError, match="No recorded runs of household, tuned"):
        compared.runs("household", "tuned")
