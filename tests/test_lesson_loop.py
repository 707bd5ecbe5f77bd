"""Lesson 02: its recorded runs show the scenes of the notebook, its checks tell right from wrong."""

import functools
import itertools
import re
from pathlib import Path

import exercises
import pytest

import react_lab as rl
from react_lab.display import Page
from react_lab.layouts import Numbered
from react_lab.lessons import loop
from react_lab.types import Ask

NAME = "02_the_loop_by_hand"
NOTEBOOK = Path(__file__).parents[1] / "notebooks" / f"{NAME}.ipynb"


@pytest.fixture(scope="module")
def tuned():
    return rl.models.recorded(NAME, "replay")


def play(name, model, **options):
    return rl.run("react", loop.task(name), model=model, **options)


def edited(model, **edit):
    return rl.resume(rl.rethink(play("mended", model), at=loop.AT, **edit), model=model)


# ---------------------------------------------------------------------- the scenes


def test_the_good_run(tuned):
    run = play("good", tuned)
    assert rl.score.correct(run) and (run.end, run.flags) == ("finished", ())
    assert not any(step.repairs or step.rescued for step in run.steps) and len(run.steps) >= 4


def test_the_plain_model_that_nobody_stops_makes_an_observation_up():
    plain = rl.models.recorded(NAME, "replay", adapter=None)
    head = rl.prompt_of("react").head
    world = rl.envs.Wiki()(loop.task("invented"))
    text = head + world.reset(loop.task("invented")) + "\nThought 1:"
    reply = plain.complete(Ask(text, max_tokens=160, leg="react"))[0].text
    step = Numbered().read(reply, 1)
    assert "forged observation" in step.repairs
    made_up = reply.split("\nObservation 1:")[1].splitlines()[0].strip()
    assert made_up and made_up not in world.step(step.action).text


def test_the_three_things_that_go_wrong(tuned):
    run = play("repeats", tuned)
    assert (run.end, run.answer, run.calls) == ("step_limit", None, 7)
    assert "repeated" in run.flags and run.steps[-1].action == run.steps[-2].action
    ended = play("repeats", tuned, end_repeats=True)
    assert ended.end == "repeated" and len(ended.steps) < 7
    run = play("limit", tuned)
    assert (run.end, run.answer, run.calls) == ("step_limit", None, 7)


def test_a_thought_alone_takes_a_second_call(tuned):
    def hasty(ask):
        said = tuned.complete(ask)[0].text
        return said.partition("\n")[0] if ask.prompt.endswith("Thought 1:") else said

    run = play("good", rl.models.scripted(hasty, "cut", ["react"]))
    assert [step.rescued for step in run.steps][:2] == [True, False]
    assert run.calls == len(run.steps) + 1


def test_a_run_that_is_cut_short_can_be_gone_on_with(tuned):
    run = play("good", tuned)
    two = rl.models.scripted([step.raw for step in run.steps[:2]], "two replies", ["react"])
    half = play("good", two, on_error="record")
    assert (half.end, len(half.steps)) == ("error", 2)
    whole = rl.resume(half, model=tuned)
    assert whole.answer == run.answer and whole.calls == run.calls - 2


def test_one_thought_by_a_person_mends_a_run(tuned):
    lost, mended = play("mended", tuned), edited(tuned, thought=loop.THOUGHT)
    assert rl.score.correct(lost) is False and rl.score.correct(mended)
    assert mended.parent == rl.rethink(lost, at=loop.AT, thought=loop.THOUGHT).parent == lost.id
    assert mended.steps[loop.AT - 1].human == ("thought",)
    assert mended.steps[: loop.AT - 1] == lost.steps[: loop.AT - 1]
    acted = edited(tuned, action=loop.ACTION)
    assert acted.steps[loop.AT - 1].thought == lost.steps[loop.AT - 1].thought
    assert edited(tuned, thought="Hm.").end != "error"


# ---------------------------------------------------------------------- the bench


def test_the_wild_replies_are_read_as_the_notebook_says():
    read = {kind: loop.reading(reply).text for kind, reply in loop.WILD.items()}
    assert "Repairs: forged observation" in read["a forged observation"]
    assert "Repairs: several steps" in read["several steps in one reply"]
    assert "Action: Search[Foo [bar]]" in read["brackets in brackets"]
    assert "Repairs: code fence, repeated cue" in read["a code fence"]
    assert "Action: (none)" in read["an empty act"]
    assert "Action: Finish[answer]" in read["an echo of the instruction"]


def test_what_lab_a_says_one_should_see():
    worst = "```\nThought 1: a\nAction 2: Search[x] then\nObservation 1: y\n```"
    assert loop.reading(worst).text.count(",") == 4  # five repairs
    assert "Observation 1: in" in loop.reading(" an Observation 1: in a line").text
    round_brackets = loop.reading(" a\nAction 1: Search(Warsaw)").text
    assert "Action: Search(Warsaw)\nRepairs: (none)" in round_brackets
    for empty in ("", "Observation 1: x"):
        assert "Thought: (none)\nAction: (none)" in loop.reading(empty).text


def test_the_bench_reads_what_is_written():
    bench = loop.bench()
    ready, written, shown = bench.box.children
    assert isinstance(bench.twin, Page) and "forged observation" in shown.value
    ready.value = loop.WILD["an empty act"]
    assert written.value == ready.value and "forged" not in shown.value
    written.value = "<script>alert(1)</script>"
    assert "<script>" not in shown.value and "&lt;script&gt;" in shown.value


# ---------------------------------------------------------------------- the exercises


stub = functools.partial(exercises.stub, notebook=NOTEBOOK)
defined = functools.partial(exercises.defined, itertools=itertools)
NAMES = {"2.1": "cut", "2.2": "act_of", "2.3": "play", "2.4": "repeats"}
CUT = "def cut(reply, i):\n    return "
ACT = "def act_of(text):\n    name, _, rest = text.strip().partition('[')\n    return name, "
REPEATS = "def repeats(done):\n    return "
WRONG = [
    ("2.1", CUT + "reply.partition('Observation')[0].rstrip()", "is yours"),
    ("2.1", CUT + "reply.partition(f'\\nObservation {i}:')[0].rstrip()", "Question"),
    ("2.1", CUT + "reply.partition('\\nObservation 1:')[0].rstrip()", "12"),
    ("2.1", "cut = 'a text'", "asks for a function"),
    ("2.2", ACT + "rest.rstrip(']')", "Foo [bar]"),
    ("2.2", ACT + "rest[:rest.rfind(']')]", "and then Lookup"),
    ("2.2", ACT + "rest[:rest.find(']')]", "'Foo [bar'"),
    ("2.3", "def play(text, say, world, max_steps):\n    return None", "asked 0 times, not 3"),
    ("2.3", "play = 7", "asks for a function"),
    ("2.4", REPEATS + "len(done) >= 2 and done[-1] == done[-2]", "('B', '2')"),
    ("2.4", REPEATS + "done[-1] == done[-2]", "IndexError"),
    ("2.4", REPEATS + "len({a for a, _ in done}) < len(done)", "(Result 2 / 2)"),
]


@pytest.mark.parametrize("number", NAMES)
def test_the_stub_is_not_right_yet_and_the_solution_is(number):
    lesson = loop.lesson()
    answer = defined(stub(number), NAMES[number])
    assert not lesson.check(number, answer).passed
    assert lesson.check(number, ...).text.endswith("replace the dots.")
    for _ in lesson.exercises[number].hints:
        lesson.hint(number)
    solved = defined(lesson.exercises[number].solution, NAMES[number])
    assert lesson.check(number, solved).passed
    assert lesson.exercises[number].solution.splitlines()[0] in lesson.solution(number).text


@pytest.mark.parametrize(("number", "code", "told"), WRONG)
def test_a_wrong_answer_is_told_what_is_wrong(number, code, told):
    said = loop.lesson().check(number, defined(code, NAMES[number]))
    assert said.passed is False and told in said.text


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("range(1, max_steps + 1)", "range(1, max_steps)", "asked 2 times, not 3"),
        ("range(1, max_steps + 1)", "range(1, max_steps + 2)", "asked 4 times, not 3"),
        ("range(1, max_steps + 1)", "range(1, 10**9)", "no end in sight"),
        ("return None", 'return ""', "gave '', not None"),
        ("return argument", "break", "gave None, not 'yes'"),
        ("text +=", "text =", "the text grows"),
        ("Thought {i}:", "Thought 1:", "call 2 ended with 'Thought 1:', not 'Thought 2:'"),
        ("range(1, max_steps + 1)", "range(max_steps)", "The first step is number 1"),
    ],
)
def test_a_loop_with_one_fault_is_told_which(right, wrong, told):
    code = loop.lesson().exercises["2.3"].solution
    assert right in code
    said = loop.lesson().check("2.3", defined(code.replace(right, wrong), "play"))
    assert said.passed is False and told in said.text


# ---------------------------------------------------------------------- the questions


def test_every_question_has_one_right_answer_and_says_why():
    questions = loop.lesson().questions
    assert len(questions) == 5
    for question in questions:
        assert sum(right for _, right, _ in question.options) == 1
        assert all(why for *_, why in question.options)
    assert len({[right for _, right, _ in q.options].index(True) for q in questions}) == 3


def test_what_the_quiz_says_of_a_rescue_and_of_an_edit_is_so():
    lines = (" A thought alone.", " Search[Warsaw]", " x\nAction 2: Lookup[heart]",
             " x\nAction 3: Lookup[sea]", " x\nAction 4: Finish[x]")  # fmt: skip
    run = play("good", rl.models.scripted(lines))
    assert (len(run.steps), run.calls) == (4, 5)
    edit = rl.rethink(run, at=2, thought="x")
    assert len(edit.steps) == 2 and edit.parent == run.id and len(run.steps) == 4


def test_the_notebook_keeps_its_form():
    import nbformat

    cells = nbformat.read(NOTEBOOK, 4).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert max(len(cell.source.splitlines()) for cell in code) <= 15
    tags = {tag for cell in cells for tag in cell.metadata.get("tags", ())}
    assert {"goal", "demo", "exercise", "check", "solution", "stretch"} <= tags
    shown = str([cell.get("outputs") for cell in code])
    assert not re.search(r"0x[0-9a-f]{6}|/home/|/tmp/", shown)
