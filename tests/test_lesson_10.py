"""Lesson 10: its screen loses nothing, its figures are measured."""

import json
from dataclasses import replace

import pytest

import react_lab as rl
from react_lab.lessons import lesson_10
from react_lab.types import Task, Trajectory


# the screen
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_turn_is_written_as_it_comes_not_too_wide_and_without_escapes(capsys, size):
    said = f" I need it for Cairo and for Paris. {'word ' * 30}\nAction 1: Weather[Cairo]"
    screen = lesson_10.Screen()
    for _ in range(2):
        for at in range(0, len(said), size):
            screen(said[at : at + size])
        screen("\n")  # as `streamed` ends a turn
        screen.turn()
    told = capsys.readouterr().out
    assert told.split() == ["Thought:", *said.split()] * 2
    assert max(map(len, told.splitlines())) <= 67 and "\n\n" not in told
    lesson_10.Screen()("a\x1b[31m b\n")
    assert "\x1b" not in capsys.readouterr().out


# what is sent
def test_the_instructions_and_schemas_are_those_that_are_sent():
    model = rl.models.scripted([lesson_10.called("Finish", '{"answer": "13"}')])
    run = rl.run("react-tools", lesson_10.task(), model)
    assert run.answer == "13"
    assert model.asked[0].prompt[0].text == lesson_10.instruction("react-tools")
    convert = json.loads(lesson_10.schema(rl.envs.Tools(), "Convert"))
    assert convert in model.asked[0].tools
    assert "Convert[amount, unit, into]" in lesson_10.instruction("react-chat")


# what others send
def test_the_figures_are_of_the_same_five_questions():
    rows = lesson_10.measured()["rows"]
    for model in ("written", "bundled"):
        tasks = {name: [r["task"] for r in rows if (r["agent"], r["model"]) == (name, model)]
                 for name in lesson_10.AGENTS}  # fmt: skip
        assert len({tuple(ids) for ids in tasks.values()}) == 1 and len(tasks["DSPy"]) == 5
    found = lesson_10.agents()
    assert list(found.index) == [*lesson_10.AGENTS] and (found["read"] > 0).all()
    assert lesson_10.most_sent() == found["read"].idxmax()
    assert {"langgraph", "dspy", "openai"} <= lesson_10.measured()["versions"].keys()


def test_what_others_sent_is_shown_side_by_side_and_inert():
    first, second = map(lesson_10.requests, (1, 2))
    assert first.text.count("Nairobi") == 3 and len(second.text) > len(first.text)
    assert "<script" not in second.html
    assert "none" in first.text.rpartition("tools beside the messages")[2]  # of DSPy


@pytest.mark.parametrize("agent", ["langgraph", "dspy"])
@pytest.mark.filterwarnings("ignore:.*passed over")  # the run that broke off
def test_what_others_did_is_read_as_trajectories(agent):
    path = rl.data.folder("runs", "agents", f"{agent}-written.jsonl")
    run = rl.store.read_transcript(path, "openai", "tools")[0]
    assert [step.action for step in run.steps][:2] == ["weather[Nairobi]", "weather[Oslo]"]
    assert run.steps[0].thought and "sunny, 26 degrees" in run.steps[0].observation


# 10b: the bill before it is paid, and a table of one's own questions
def runs(method, tokens):
    task = Task("t", "tools", "q", "1")
    one = Trajectory("x", task, method, "m", tokens_in=tokens, tokens_out=10, calls=1)
    return [replace(one, id=f"{method}{i}", task=replace(task, id=f"t{i}")) for i in range(4)]


def test_a_preview_multiplies_and_says_what_is_unknown():
    told = lesson_10.preview([*runs("react", 1000), *runs("act", 500)], 100, (10.0, 0.0))
    assert "react        1.00 (1.00 to 1.00)" in told and "act          0.50" in told
    unknown = [replace(run, tokens_in=None) for run in runs("react", 1)]
    assert "unknown" in lesson_10.preview(unknown, 100, (1.0, 1.0))


def test_what_a_chat_would_send_is_near_to_what_llama_cpp_counts():
    """The turns of the comparison: its tokens were counted with a model's own template."""
    rows = {r["task"]: r for r in lesson_10.measured()["rows"] if r["model"] == "written"}
    asked = {task.id: task for task in rl.tasks.load("tools", "test") if task.id in rows}
    done = []
    for task in asked.values():
        acts = [f"Thought: I go on.\nAction: {act}" for act in task.extra["acts"]]
        done.append(rl.run("react-chat", task, rl.models.scripted(acts)))
    about = sum(run.tokens_in for run in lesson_10.sent_as("react-tools", done))
    assert 0.7 < about / lesson_10.agents()["read"]["react-tools"] < 1.4
    acting = lesson_10.sent_as("act-tools", done)
    assert all(a.tokens_out < t.tokens_out for a, t in zip(acting, lesson_10.sent_as("react-tools", done), strict=True))  # fmt: skip
    assert {run.method for run in acting} == {"act-tools"}


def test_the_table_of_the_notebook_is_one(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(lesson_10.MINE, encoding="utf-8")
    mine = rl.tasks.read(path, kind="tools")
    assert len(mine) == 8 and all(task.gold and task.kind == "tools" for task in mine)
    train = {task.text for task in rl.tasks.load("tools", "train")}
    assert not {task.text for task in mine} & train
