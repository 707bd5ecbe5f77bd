"""Lesson 03: its checks say what is wrong, its solutions pass, and the comparison can be opened."""

import functools

import exercises
import pytest

import react_lab as rl
from react_lab.lessons import compared, multihop
from react_lab.types import Step, Task, Trajectory

NAMES = {"3.1": "f1", "3.2": "tasks_for", "3.3": "only_one"}


@pytest.fixture
def lesson():
    return multihop.lesson()


solve = functools.partial(exercises.solve, names=NAMES, rl=rl)


@pytest.mark.parametrize("number", NAMES)
def test_the_solution_passes(lesson, number):
    assert lesson.check(number, solve(lesson, number)).passed


@pytest.mark.parametrize(
    "number, wrong",
    [
        ("3.1", lambda answer, gold: None),
        ("3.1", lambda answer, gold: float(answer == gold)),
        ("3.1", lambda answer, gold: len(set(answer.split()) & set(gold.split())) / 2),
        ("3.2", 80),
        ("3.2", lambda rate, width: 100),
        ("3.2", lambda rate, width: round(4 * rate * (1 - rate) / width**2)),
        ("3.3", lambda a, b: (sum(a.values()), sum(b.values()))),
        ("3.3", lambda a, b: (sum(a[t] and not b[t] for t in a), 0)),
    ],
)
def test_a_wrong_answer_is_told_in_a_sentence(lesson, number, wrong):
    told = lesson.check(number, wrong)
    assert told.passed is False
    assert f"Exercise {number}: not yet" in told.text and "gave" in told.text


def test_the_paired_exercise_counts_as_the_package_does(lesson):
    runs = [
        run_of(f"t{k}", method, "yes" if right else "no")
        for k, pair in enumerate([(1, 0), (1, 0), (0, 1), (1, 1), (0, 0)])
        for method, right in zip(("react", "cot"), pair, strict=True)
    ]
    df = rl.frame(runs)
    a, b = (df[df["method"] == m].set_index("task")["correct"].to_dict() for m in ("react", "cot"))
    pair = rl.stats.paired(df, "react", "cot")
    assert solve(lesson, "3.3")(a, b) == (pair.wins, pair.losses) == (2, 1)


def run_of(task, method, answer, gold="yes"):
    steps = (Step("", f"Finish[{answer}]"),)
    return Trajectory(
        f"{task} {method}", Task(task, "multihop", "?", gold), method, "nobody",
        steps=steps, answer=answer, end="finished",
    )  # fmt: skip


def test_the_disputed_task_is_the_first_that_parts_the_two():
    runs = [
        run_of("t1", "cot", "yes"), run_of("t1", "react", "yes"),
        run_of("t2", "cot", "no"), run_of("t2", "react", "yes"), run_of("t2", "act", "no"),
        run_of("t3", "cot", "no"), run_of("t3", "react", "yes"),
    ]  # fmt: skip
    assert compared.disputed(runs) == runs[2:5]
    assert compared.disputed(runs, right="cot", wrong="react") == runs[:2]  # there is none
    with pytest.raises(ValueError, match="both act and standard"):
        compared.disputed(runs, right="act", wrong="standard")


def test_nearly_right_answers_have_no_exact_match_and_some_f1():
    runs = [
        run_of("t1", "cot", "Sitka", "Sitka"),
        run_of("t2", "cot", "the town of Sitka", "Sitka"),
        run_of("t3", "cot", "Bering Island", "Vitus Bering"),
        run_of("t4", "cot", "Ulm", "Sitka"),
        run_of("t5", "cot", "", "Sitka"),
    ]
    found = multihop.nearly(runs)
    assert found["answer"].tolist() == ["the town of Sitka", "Bering Island"]
    assert found["F1"].between(0, 1, inclusive="neither").all() and not found["EM"].any()
    assert len(multihop.nearly(runs, most=1)) == 1 and multihop.nearly([]).empty


def test_each_method_is_counted_by_the_questions_that_it_was_asked():
    df = rl.frame([
        run_of("t1", "react", "yes"), run_of("t2", "react", "no"), run_of("t3", "react", "yes"),
        run_of("t1", "cot-sc", "yes"), run_of("t3", "cot-sc", "no"),
    ])  # fmt: skip
    df["type"] = df["task"].map({"t1": "bridge", "t2": "yes/no", "t3": "bridge"})
    table = multihop.by_type(df)
    assert [*table.columns] == ["cot-sc", "react"]
    assert table.loc["bridge"].tolist() == ["1 of 2", "2 of 2"]
    assert table.loc["yes/no"].tolist() == ["–", "0 of 1"]


def test_a_walk_ends_at_the_rate_of_all():
    points = multihop.walk([True, False, False, True])
    assert [(n, rate) for n, rate, *_ in points] == [(1, 1), (2, 0.5), (3, 1 / 3), (4, 0.5)]
    assert points[-1][2:] == rl.stats.wilson(2, 4)


def test_the_slider_draws_the_tasks_in_another_order():
    runs = [
        run_of(f"t{k}", method, "yes" if k % 3 else "no")
        for k in range(12) for method in ("react", "cot")
    ]  # fmt: skip
    shown = multihop.settling(rl.frame(runs))
    slider, picture, _ = shown.box.children
    before = bytes(picture.png)
    assert before.startswith(b"\x89PNG") and len(before) < 30_000
    assert "react, 12 tasks: 67%" in shown.twin.text
    slider.value = 2
    assert bytes(picture.png) != before


def test_the_axis_of_the_slider_ends_where_the_data_do():
    def points(high):
        return [(n, 0.1, 0.0, 0.9 if n < 10 else high) for n in range(1, 30)]

    assert multihop.highest([{"react": points(0.41)}, {"cot": points(0.32)}]) == 50
    assert multihop.highest([{"react": points(0.99)}]) == 100
    assert multihop.highest([{"react": points(0.3)[:4]}]) == 100  # too few to tell


def test_a_small_picture_has_fewer_bytes_and_the_same_words():
    runs = [
        run_of(f"t{k}", method, "yes" if k % 3 else "no")
        for k in range(6) for method in ("react", "cot")
    ]  # fmt: skip
    picture = rl.plots.grid(runs)
    shown = compared.small(picture)
    assert shown.png.startswith(b"\x89PNG") and len(shown.png) < len(picture.png)
    assert repr(shown) == repr(picture)


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


def test_a_missing_comparison_is_told_in_a_sentence():
    with pytest.raises(FileNotFoundError, match="No recorded runs of household, tuned"):
        compared.runs("household", "tuned")
