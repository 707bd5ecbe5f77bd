"""Lesson 10: its checks say what is wrong, its screen loses nothing, its figures are measured."""

import functools
import json
from dataclasses import replace

import exercises
import pytest

import react_lab as rl
from react_lab.lessons import today
from react_lab.types import Task, Trajectory

NAMES = {"10.1": "height", "10.2": "as_act", "10.3": "bill"}


@pytest.fixture
def lesson():
    return today.lesson()


solve = functools.partial(exercises.solve, names=NAMES, rl=rl)


def guess(mountain: str) -> int:
    """Tells how high a mountain is."""
    return 1085


def silent(mountain: str) -> int:
    return {"Zugspitze": 2962, "Snowdon": 1085}[mountain]


def swapped(mountain: str) -> int:
    """Tells how high a mountain is."""
    return {"Zugspitze": 1085, "Snowdon": 2962}[mountain]


@pytest.mark.parametrize("number", NAMES)
def test_the_solution_passes(lesson, number):
    assert lesson.check(number, solve(lesson, number)).passed


@pytest.mark.parametrize("number, wrong, told", [
    ("10.1", ..., "..."),
    ("10.1", guess, "should raise an error"),
    ("10.1", silent, "needs a docstring"),
    ("10.1", swapped, "gave"),
    ("10.2", lambda call: call["name"], "Weather"),
    ("10.2", lambda call: f"{call['name']}[{call['arguments']}]", "Weather"),
    ("10.3", lambda read, wrote, price, n: n * read * price[0] / 1e6, "gave"),
    ("10.3", lambda *given: 0.0, "gave"),
])  # fmt: skip
def test_a_wrong_answer_is_told(lesson, number, wrong, told):
    found = lesson.check(number, wrong)
    assert not found.passed and (told == "..." or told in found.text)


# ---------------------------------------------------------------------- the screen


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_turn_is_written_as_it_comes_and_no_line_is_too_wide(capsys, size):
    said = (
        f" I need the temperature in Cairo and in Paris. {'word ' * 30}\nAction 1: Weather[Cairo]"
    )
    screen = today.Screen()
    for _ in range(2):
        for at in range(0, len(said), size):
            screen(said[at : at + size])
        screen("\n")  # as `streamed` ends a turn
        screen.turn()
    told = capsys.readouterr().out
    assert told.split() == ["Thought:", *said.split()] * 2
    assert max(map(len, told.splitlines())) <= 67 and "\n\n" not in told


def test_no_escape_of_a_model_reaches_the_screen(capsys):
    today.Screen()("a\x1b[31m b\n")
    assert "\x1b" not in capsys.readouterr().out


# ---------------------------------------------------------------------- what is sent


def test_the_instructions_and_schemas_are_those_that_are_sent():
    model = rl.models.scripted([today.called("Finish", '{"answer": "13"}')])
    run = rl.run("react-tools", today.task(), model)
    assert run.answer == "13" and model.asked[0].prompt[0].text == today.instruction("react-tools")
    convert = json.loads(today.schema(rl.envs.Tools(), "Convert"))
    assert convert in model.asked[0].tools
    assert "Convert[amount, unit, into]" in today.instruction("react-chat")


def test_a_turn_written_by_hand_is_a_call_of_a_tool():
    replies = [today.called("Weather", '{"city": "Oslo"}', "I ask."), today.called("Finish", '{"answer": "snowy"}')]  # fmt: skip
    run = rl.run("react-tools", today.task(), rl.models.scripted(replies))
    assert [step.action for step in run.steps] == ["Weather[Oslo]", "Finish[snowy]"]
    assert run.steps[0].thought == "I ask."


# ---------------------------------------------------------------------- what others send


def test_the_figures_are_of_the_same_five_questions():
    rows = today.measured()["rows"]
    for model in ("written", "bundled"):
        tasks = {name: [r["task"] for r in rows if (r["agent"], r["model"]) == (name, model)]
                 for name in today.AGENTS}  # fmt: skip
        assert len({tuple(ids) for ids in tasks.values()}) == 1 and len(tasks["DSPy"]) == 5
    found = today.agents()
    assert list(found.index) == [*today.AGENTS] and (found["read"] > 0).all()
    assert today.most_sent() == found["read"].idxmax()
    assert "wrote" in today.agents("bundled").columns
    assert {"langgraph", "dspy", "openai"} <= today.measured()["versions"].keys()


@pytest.mark.parametrize("agent", ["LangGraph", "DSPy"])
def test_what_others_did_is_read_back_as_trajectories(agent):
    run = today.read_back(agent)[0]
    assert [step.action for step in run.steps][:2] == ["weather[Nairobi]", "weather[Oslo]"]
    assert run.answer == "28" and rl.score.correct(run)
    assert run.steps[0].thought and "sunny, 26 degrees" in run.steps[0].observation
    assert run.calls == {"LangGraph": 4, "DSPy": 5}[agent]  # DSPy asks once more for the answer
    assert run.model == "turns written by hand" and run.tokens_in > 1000
    by_agent = today.agents().loc[agent]
    if not by_agent["failed"]:
        assert sum(each.calls for each in today.read_back(agent)) == by_agent["calls"]


def test_what_is_sent_is_shown_and_inert():
    for agent in today.AGENTS:
        first, second = (today.request(agent, number) for number in (1, 2))
        assert "Nairobi" in first.text and len(second.text) > len(first.text)
        assert "<script" not in second.html
    assert "none" in today.request("DSPy", 1).text.rpartition("tools beside")[2]
    with pytest.raises(ValueError, match="request 0 is not kept: there are 1 to 2"):
        today.request("DSPy", 0)


# ---------------------------------------------------------------------- the bill


def runs(method, tokens):
    task = Task("t", "tools", "q", "1")
    one = Trajectory("x", task, method, "m", tokens_in=tokens, tokens_out=10, calls=1)
    return [replace(one, id=f"{method}{i}", task=replace(task, id=f"t{i}")) for i in range(4)]


def test_a_preview_multiplies_and_says_what_is_unknown():
    told = today.preview([*runs("react", 1000), *runs("act", 500)], 100, (10.0, 0.0))
    assert "react        1.00 (1.00 to 1.00)" in told and "act          0.50" in told
    unknown = [replace(run, tokens_in=None) for run in runs("react", 1)]
    assert "unknown" in today.preview(unknown, 100, (1.0, 1.0))


def test_what_a_chat_would_send_is_near_to_what_llama_cpp_counts():
    """The turns of the comparison: its tokens were counted with a model's own template."""
    rows = {r["task"]: r for r in today.measured()["rows"] if r["model"] == "written"}
    asked = {task.id: task for task in rl.tasks.load("tools", "test") if task.id in rows}
    done = []
    for task in asked.values():
        acts = [f"Thought: I go on.\nAction: {act}" for act in task.extra["acts"]]
        done.append(rl.run("react-chat", task, rl.models.scripted(acts)))
    about = sum(run.tokens_in for run in today.sent_as("react-tools", done))
    assert 0.7 < about / today.agents()["read"]["react-tools"] < 1.4
    acting = today.sent_as("act-tools", done)
    assert all(a.tokens_out < t.tokens_out for a, t in zip(acting, today.sent_as("react-tools", done), strict=True))  # fmt: skip
    assert {run.method for run in acting} == {"act-tools"}


def test_the_table_of_the_notebook_is_one(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(today.MINE, encoding="utf-8")
    mine = rl.tasks.read(path, kind="tools")
    assert len(mine) == 8 and all(task.gold and task.kind == "tools" for task in mine)
    train = {task.text for task in rl.tasks.load("tools", "train")}
    assert not {task.text for task in mine} & train
