"""Lesson 10b: the bill before it is paid, and a table of one's own questions."""

from dataclasses import replace

import react_lab as rl
from react_lab.lessons import lesson_10, lesson_10b
from react_lab.types import Task, Trajectory


def runs(method, tokens):
    task = Task("t", "tools", "q", "1")
    one = Trajectory("x", task, method, "m", tokens_in=tokens, tokens_out=10, calls=1)
    return [replace(one, id=f"{method}{i}", task=replace(task, id=f"t{i}")) for i in range(4)]


def test_a_preview_multiplies_and_says_what_is_unknown():
    told = lesson_10b.preview([*runs("react", 1000), *runs("act", 500)], 100, (10.0, 0.0))
    assert "react        1.00 (1.00 to 1.00)" in told and "act          0.50" in told
    unknown = [replace(run, tokens_in=None) for run in runs("react", 1)]
    assert "unknown" in lesson_10b.preview(unknown, 100, (1.0, 1.0))


def test_what_a_chat_would_send_is_near_to_what_llama_cpp_counts():
    """The turns of the comparison: its tokens were counted with a model's own template."""
    rows = {r["task"]: r for r in lesson_10.measured()["rows"] if r["model"] == "written"}
    asked = {task.id: task for task in rl.tasks.load("tools", "test") if task.id in rows}
    done = []
    for task in asked.values():
        acts = [f"Thought: I go on.\nAction: {act}" for act in task.extra["acts"]]
        done.append(rl.run("react-chat", task, rl.models.scripted(acts)))
    about = sum(run.tokens_in for run in lesson_10b.sent_as("react-tools", done))
    assert 0.7 < about / lesson_10.agents()["read"]["react-tools"] < 1.4
    acting = lesson_10b.sent_as("act-tools", done)
    assert all(a.tokens_out < t.tokens_out for a, t in zip(acting, lesson_10b.sent_as("react-tools", done), strict=True))  # fmt: skip
    assert {run.method for run in acting} == {"act-tools"}


def test_the_table_of_the_notebook_is_one(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(lesson_10b.MINE, encoding="utf-8")
    mine = rl.tasks.read(path, kind="tools")
    assert len(mine) == 8 and all(task.gold and task.kind == "tools" for task in mine)
    train = {task.text for task in rl.tasks.load("tools", "train")}
    assert not {task.text for task in mine} & train
