"""Lesson 00: the recorded runs show what it talks about, its checks say what is wrong."""

import functools
import json
from pathlib import Path

import exercises
import pytest

import react_lab as rl
from react_lab.lessons import start
from react_lab.types import Step, Task, Trajectory

BOOK = Path(__file__).parents[1] / "notebooks" / "00_start_here.ipynb"
QUOKKA = " The animal first.\nAction 1: Search[Quokka]"
ISLAND = " It is Rottnest Island.\nAction 2: Search[Rottnest Island]"
HORSE = Trajectory(
    "", Task("", "multihop", "?"), "react", "nobody", answer="Hafnium", end="finished",
    steps=(Step("a", "Search[b]", "A hafniumlike word."), Step("c", "Lookup[d]", "It is hafnium."),
           Step("e", "Lookup[d]", "Hafnium again."), Step("f", "Finish[Hafnium]")),
)  # fmt: skip


@pytest.fixture(scope="module")
def model():
    return rl.models.recorded("00_start_here", "replay")


@pytest.fixture(scope="module")
def run(model):
    return rl.run("react", start.task(), model=model)


@pytest.fixture
def lesson():
    return start.lesson(HORSE)


solve = functools.partial(
    exercises.solve, names={"0.1": "answer", "0.2": "lines", "0.3": "act_names"}
)


# ---------------------------------------------------------------------- the scenes


def test_the_run_at_the_top_goes_from_page_to_page_and_is_right(run):
    assert rl.score.correct(run) and (run.end, run.flags) == ("finished", ())
    acts = start.acts_of(run)
    assert 3 <= len(acts) <= 6 and acts.count("Search") >= 2 and acts[-1] == "Finish"
    assert 0 < start.named_at(run) < len(acts)
    assert not any(step.repairs or step.rescued for step in run.steps)


def test_from_memory_the_answer_is_wrong(model):
    memory = rl.run("standard", start.task(), model=model)
    assert (memory.end, len(memory.steps)) == ("finished", 1)
    assert rl.score.correct(memory) is False


def test_the_question_is_about_pages_that_the_model_never_saw():
    assert start.TASKS["first"].split("-")[1] in ("dev", "pool")


def test_an_answer_is_named_where_its_words_stand():
    assert start.named_at(HORSE) == 2  # not in a longer word, and the first time counts
    assert start.named_at(Trajectory("", HORSE.task, "react", "nobody", steps=HORSE.steps)) == 0
    assert start.acts_of(HORSE) == ["Search", "Lookup", "Lookup", "Finish"]


# ---------------------------------------------------------------------- the exercises


@pytest.mark.parametrize("number", ["0.1", "0.2", "0.3"])
def test_an_exercise_waits_then_accepts_its_solution(lesson, number):
    assert lesson.check(number, ...).passed is None
    assert lesson.check(number, solve(lesson, number)).passed is True
    assert len(lesson.exercises[number].hints) == 2


@pytest.mark.parametrize("answer, told", [
    (1, "does not name it"), (3, "too late"), (4, "observes nothing"), (0, "does name it"),
    (9, "steps 1 to 4"), ("4", "number of a step"), (True, "number of a step"),
])  # fmt: skip
def test_a_wrong_step_is_told_apart(lesson, answer, told):
    said = lesson.check("0.1", answer)
    assert said.passed is False and told in said.text


def test_where_no_page_named_the_answer_it_is_0():
    made_up = start.lesson(Trajectory("", HORSE.task, "react", "nobody", answer="radium"))
    assert made_up.check("0.1", 0).passed and not made_up.check("0.1", 1).passed


@pytest.mark.parametrize("lines, told", [
    ([], "a list of strings"),
    ("Action 1: Search[Quokka]", "a list of strings"),
    ([QUOKKA, ...], "a list of strings"),
    ([QUOKKA], "stopped after step 1: no line said Finish"),
    ([QUOKKA, " so what", "hm"], "Step 2 is a thought without an action"),
    ([QUOKKA, " so what"], "Step 2 is a thought without an action"),
    ([" I go. Action 1: Search[Quokka]", ISLAND], "Step 1 is a thought without an action"),
    ([QUOKKA.replace("\n", "\\n"), ISLAND], "Step 1 is a thought without an action"),
    ([" I go.\nAction 1: Open[Quokka]"], "Step 1: the world knows Search"),
    ([QUOKKA] * 9, "stopped after step 7: no line said Finish"),
    ([QUOKKA, ISLAND, " So.\nAction 3: Finish[Rottnest Island]"], "the Noongar people use"),
    ([QUOKKA, " So.\nAction 2: Finish[Perth]"], "'Perth' is not what the pages say"),
    ([" I know it.\nAction 1: Finish[Wadjemup]"], "from memory"),
])  # fmt: skip
def test_a_wrong_script_is_told_what_is_wrong(lesson, lines, told):
    said = lesson.check("0.2", lines)
    assert said.passed is False and told in said.text


def test_the_task_of_the_script_is_the_one_in_its_text(lesson):
    assert start.quokkas().text in lesson.exercises["0.2"].task


def test_a_script_may_take_another_way(lesson):
    look = " Where is the name?\nAction 2: Lookup[Noongar]"
    lines = [ISLAND.replace("2", "1"), look, " There.\nAction 3: Finish[Wadjemup]"]
    assert lesson.check("0.2", lines).passed


def test_an_unfinished_script_can_be_shown():
    assert start.played(...) == start.played([]) == []
    (run,) = start.played([QUOKKA])
    assert run.end == "unfinished" and "Rottnest Island" in run.steps[0].observation
    assert "your lines" in rl.show(run).text
    assert [run.end for run in start.played([QUOKKA] * 7)] == ["step_limit"]
    (short,) = start.played([" I go. Action 1: Search[Quokka]"])
    assert "a line break and an action" in rl.show(short).text and "script" not in short.error


@pytest.mark.parametrize("answer, told", [
    (["Search"], "asks for a function.\n"),
    (lambda run: None, "it gave None, not ['Search', 'Lookup', 'Finish'] (a run of three acts)"),
    (lambda run: [step.action.partition("[")[0] for step in run.steps], "a thought alone"),
    (lambda run: [step.action for step in run.steps if step.action], "'Search[Warsaw]'"),
    (lambda run: [s.action.split("[")[-2] for s in run.steps if s.action], "brackets inside"),
])  # fmt: skip
def test_a_wrong_function_is_told_where_it_fails(lesson, answer, told):
    said = lesson.check("0.3", answer)
    assert said.passed is False and told in said.text


def test_the_function_reads_the_run_at_the_top(run):
    lesson = start.lesson(run)
    assert str(solve(lesson, "0.3")(run)) in lesson.exercises["0.3"].task
    assert lesson.check("0.1", solve(lesson, "0.1")).passed


# ---------------------------------------------------------------------- the questions


def test_every_question_has_one_right_option_and_reasons(lesson):
    assert len(lesson.questions) == 4
    for question in lesson.questions:
        assert sum(right for _, right, _ in question.options) == 1
        assert len({why for *_, why in question.options}) == len(question.options)
    places = [[right for _, right, _ in q.options].index(True) for q in lesson.questions]
    assert len(set(places)) > 1


# ---------------------------------------------------------------------- the notebook


@pytest.mark.skipif(not BOOK.exists(), reason="the notebooks are not here")
def test_the_notebook_is_as_a_student_gets_it():
    cells = json.loads(BOOK.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == [*range(1, len(code) + 1)]
    assert "rl.show(run)" in "".join(code[0]["source"]) and code[0]["metadata"]["tags"] == ["demo"]
    outputs = [output for cell in code for output in cell["outputs"]]
    assert not any(o["output_type"] == "error" or o.get("name") == "stderr" for o in outputs)
    sources = ["".join(cell["source"]) for cell in code]
    stubs = {
        source.partition(" = ...")[0].splitlines()[-1] for source in sources if " = ..." in source
    }
    assert stubs == {"answer", "lines", "act_names"}
    assert max(s.count("\n") + 1 for s in sources) <= 15
