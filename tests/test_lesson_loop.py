"""Lesson 02: its scripts play the scenes of the notebook, and its checks tell right from wrong."""

import re
from pathlib import Path

import pytest

import react_lab as rl
from react_lab.lessons import loop
from react_lab.page import Page
from react_lab.types import Ask, split_act

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "02_the_loop_by_hand.ipynb"
HORSE, TWAIN, APOLLO, _, QUOKKA = rl.tasks.load("multihop", "demo")[:5]
CURIE = rl.tasks.load("multihop", "demo")[8]


def play(task, script, **options):
    return rl.run("react", task, model=rl.models.scripted(script), **options)


def rethought(**edit):
    rules = rl.models.scripted(loop.stand_in)
    return rl.resume(rl.rethink(rl.run("react", HORSE, model=rules), **edit), model=rules)


# ---------------------------------------------------------------------- the scripts


def test_the_questions_are_the_ones_the_notebook_talks_about():
    told = [HORSE.text, TWAIN.text, APOLLO.text, QUOKKA.text, CURIE.text]
    for task, word in zip(
        told, ["horse", "Mark Twain", "Apollo 11", "quokkas", "heart"], strict=True
    ):
        assert word in task


def test_the_good_run():
    run = play(APOLLO, loop.APOLLO)
    assert (run.end, run.answer, run.calls, run.flags) == ("finished", APOLLO.gold, 4, ())
    assert not any(step.repairs for step in run.steps)


def test_the_talkative_script_is_cut_and_ends_well():
    run = play(CURIE, loop.CURIE)
    assert (run.answer, run.calls) == (CURIE.gold, 4)
    assert [step.repairs for step in run.steps] == [("forged observation",), ("stop word",), (), ()]
    assert "Warsaw" in run.steps[0].observation and "Paris." in run.steps[0].raw


def test_a_script_that_ends_early_can_be_gone_on_with():
    half = play(CURIE, loop.CURIE[:2], on_error="record")
    assert (half.end, len(half.steps)) == ("error", 2)
    rest = rl.models.scripted(loop.CURIE[2:])
    assert rl.resume(half, model=rest).answer == CURIE.gold and len(rest.asked) == 2


def test_the_three_things_that_go_wrong():
    run = play(TWAIN, loop.LOOPING)
    assert (run.end, run.answer, run.flags, run.calls) == ("step_limit", None, ("repeated",), 7)
    run = play(TWAIN, loop.LOOPING, end_repeats=True)
    assert (run.end, len(run.steps)) == ("repeated", 2)
    run = play(APOLLO, loop.THOUGHT_ALONE)
    assert (run.answer, run.calls, len(run.steps)) == (APOLLO.gold, 4, 3)
    assert [step.rescued for step in run.steps] == [True, False, False]
    run = play(QUOKKA, loop.RAMBLING)
    assert (run.end, run.answer, run.flags, run.calls) == ("step_limit", None, (), 7)
    assert QUOKKA.gold in run.steps[2].observation


def test_the_rules_go_wrong_at_thought_2_and_follow_an_edit():
    run = play(HORSE, loop.stand_in)
    assert (run.end, run.answer, run.calls) == ("finished", "radium", 5)
    assert "called Waterloo" in run.steps[1].thought
    assert "called Waterloo" not in run.steps[0].observation
    run2 = rethought(at=2, thought="The horse has no name so far. I look for the word horse.")
    assert (run2.answer, run2.calls, run2.steps[1].human) == (HORSE.gold, 4, ("thought",))
    run3 = rethought(at=2, action="Lookup[horse]")
    assert (run3.answer, run3.calls) == (HORSE.gold, 3)
    assert "Waterloo" in run3.steps[1].thought


def test_what_lab_b_says_one_should_see():
    assert rethought(at=2, thought="The city is Copenhagen.").calls == 3
    lost = rethought(at=2, thought="Hm.")
    assert (lost.answer, lost.flags) == ("radium", ("repeated",))
    given = rethought(at=5, action="Finish[hafnium]")
    assert given.answer == HORSE.gold and "radium" in given.steps[4].thought
    for at in (3, 4):
        assert rethought(at=at, thought="Perhaps it was called Copenhagen.").answer == HORSE.gold


def test_the_rules_know_an_answer_to_anything():
    for prompt in (
        "Question: x\nThought 1:",
        "Thought 3: x\nAction 3:",
        "\u00a0\nwhat\nThought 12:",
    ):
        assert split_act(loop.stand_in(Ask(prompt)).strip().rpartition(": ")[2])
    assert "Action 12: Finish[unknown]" in loop.stand_in(Ask("Observation 11: x\nThought 12:"))


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


def stub(number):
    """The code of the stub cell in the notebook."""
    import nbformat

    cells = nbformat.read(NOTEBOOK, 4).cells
    at = next(k for k, c in enumerate(cells) if c.source.startswith(f'lesson.check("{number}"'))
    return cells[at - 1].source


def defined(code, name):
    import itertools

    names = {"itertools": itertools}
    exec(code, names)
    return names[name]


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
        ("Thought {i}:", "Thought 1:", "lacks its cue"),
    ],
)
def test_a_loop_with_one_fault_is_told_which(right, wrong, told):
    code = loop.LIMIT.solution
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
    run = play(
        APOLLO,
        (
            *loop.THOUGHT_ALONE[:2],
            *loop.APOLLO[2:3],
            " x\nAction 3: Lookup[Ohio]",
            " x\nAction 4: Finish[x]",
        ),
    )
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
