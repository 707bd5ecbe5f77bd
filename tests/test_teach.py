"""A lesson remembers what a student did, says what is wrong, and reads without a kernel."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_lab.teach import Exercise, Lesson, Question, cases, short, tell
from react_lab.types import Task

SHOUT = Exercise(
    "Write a function that shouts.", cases((("a",), "A"), (("<b>",), "<B>")),
    "def shout(text):\n    return text.upper()", ("Strings have methods.", "One of them is upper."),
)  # fmt: skip
WHY = Question(
    "Why <b>two</b> calls?",
    (("To pay more", False, "It is not about $money$."), ("No act", True, "The act was missing.")),
)
WHAT = Question("What does a thought change?", (("Nothing", False, "No."), ("x", True, "Yes.")))


@pytest.fixture
def lesson():
    free = Exercise("Free.", lambda _: None, "any")
    return Lesson("01", {"1.1": SHOUT, "1.2": free}, [WHY, WHAT])


def parts(asked):
    """The question, the control and the reply of one interactive."""
    question, control, reply = asked.box.children
    return question, control, reply


def test_a_saved_page_says_what_was_answered_before(lesson):
    """On the next day no widget is left of it, only these words; nbval compares those of nobody."""
    assert lesson.predict("p", "Which?", options=["<a>", "b"]).twin.text == (
        "Predict: Which?\n        1. <a>\n        2. b"
        "\n        (To answer, run this cell: Shift + Enter.)"
    )
    for _ in range(2):
        asked, quiz = lesson.predict("p", "Which?", options=["a", "b"]), lesson.quiz()
        parts(asked)[1].value = "b"
        quiz.box.children[0].children[1].value = 1
    assert "You said: b" in asked.twin.html and "To answer, run this cell" in asked.twin.html
    assert "Option 2: right" in quiz.twin.html and "Option 1" not in quiz.twin.html


# ---------------------------------------------------------------------- predict first
def test_a_prediction_is_kept_and_recalled_and_outlives_its_cell(lesson):
    assert "You made none" in lesson.recall("p").text
    _, control, reply = parts(lesson.predict("p", "How many of 100?", options=["30", "60"]))
    assert control.value is None and "none yet" in reply.value
    control.value = "30"
    assert ">30<" in reply.value
    assert str(lesson.recall("p", outcome="27.4")) == (
        "Your prediction: How many of 100?\n        You said: 30\n        It came out: 27.4"
    )
    for _ in range(2):
        control = parts(lesson.predict("p", "Which?", options=["CoT", "ReAct"]))[1]
        control.value = control.value or "ReAct"
    assert control.value == "ReAct"
    assert [label for label, _ in control.options] == ["1. CoT", "2. ReAct"]
    assert "You said: ReAct" in lesson.recall("p").text
    assert parts(lesson.predict("p", "Which?", options=["Act", "SC"]))[1].value is None


def test_what_was_answered_outlives_the_kernel_but_not_an_option_that_is_gone(tmp_path):
    def begun(name="01"):
        return Lesson(name, {"1.1": SHOUT}, [WHY, WHAT], tmp_path / "new" / "01.jsonl")

    first = begun()
    parts(first.predict("p", "Which?", options=["CoT", "ReAct"]))[1].value = "ReAct"
    first.quiz().box.children[0].children[1].value = 1
    assert first.check("1.1", str.lower).passed is False
    assert first.check("1.1", str.upper).passed is True
    first.hint("1.1")

    again = begun()
    assert "You said: ReAct" in again.recall("p").text
    assert str(again.score()) == "Score: 1 right, 1 of 2 answered"
    assert repr(again) == "<Lesson 01: 1 of 1 exercises passed>"
    assert "return text.upper()" in again.solution("1.1").text
    assert "Hint 2 of 2" in again.hint("1.1").text
    assert repr(begun("02")) == "<Lesson 02: 0 of 1 exercises passed>"  # another lesson's file
    path = tmp_path / "01.jsonl"
    Lesson("01", quiz=[WHY], path=path).quiz().box.children[0].children[1].value = 1
    shorter = Question(WHY.text, (("The only one", True, "Yes."),))
    assert "0 of 1 answered" in Lesson("01", quiz=[shorter], path=path).score().text


def test_a_spoilt_line_of_answers_is_passed_over_and_where_none_can_be_stored_it_is_told(tmp_path):
    path = tmp_path / "01.jsonl"
    lesson = Lesson("01", {"1.1": SHOUT}, path=path)
    lesson.check("1.1", str.upper)
    with path.open("ab") as file:
        file.write(b'\xff\xfe\n{"lesson":"01","event":"chec')
    assert Lesson("01", {"1.1": SHOUT}, path=path).passed == {"1.1"}
    path = tmp_path / "01.jsonl"
    path.write_text("my shopping list\n", encoding="utf-8")
    said = Lesson("01", {"1.1": SHOUT}, path=path).check("1.1", str.upper)
    assert said.passed and "This answer is not stored" in said.text
    assert path.read_text(encoding="utf-8") == "my shopping list\n"


# ---------------------------------------------------------------------- multiple choice
def test_every_option_explains_itself_one_is_right_and_the_twin_gives_nothing_away(lesson):
    a, no = ("a", True, "y"), ("a", False, "no")
    for options in ((), (no,), (("a", True, ""),), (a, ("b", False, ""))):
        with pytest.raises(ValueError, match=r"no option is right|no explanation"):
            Question("Which?", options)
    *rows, score = lesson.quiz().box.children
    assert "0 right, 0 of 2 answered" in score.value
    _, control, reply = rows[0].children
    assert (control.value, reply.value) == (None, "")
    control.value = 0
    assert "Option 1: not quite" in reply.value
    assert "It is not about" in reply.value
    control.value = 1
    assert "Option 2: right" in reply.value
    assert "1 right, 1 of 2 answered" in score.value
    assert str(lesson.score()) == "Score: 1 right, 1 of 2 answered"
    twin, bundle = lesson.quiz().twin, lesson.quiz()._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert repr(lesson.quiz()) == bundle["text/plain"] == twin.text
    assert "2. No act" in twin.text
    assert "The act was missing" not in twin.text + twin.html


# ---------------------------------------------------------------------- exercises
def test_feedback_names_the_case_and_what_was_given(lesson):
    wrong = lesson.check("1.1", str.lower)
    assert str(wrong) == "Exercise 1.1: not yet: For 'a', it gave 'a', not 'A'"
    assert wrong.passed is False
    told = lesson.check("1.1", 3).text
    assert "asks for a function" in told and "You gave: 3" in told
    assert "raised ZeroDivisionError: division by zero" in lesson.check("1.1", lambda s: 1 / 0).text
    frozen = lesson.check("1.1", lambda s: setattr(Question("?", (("a", True, "b"),)), "text", s))
    assert "A step cannot be changed: replace(step, ...)" in frozen.text
    assert repr(lesson) == "<Lesson 01: 0 of 2 exercises passed>"
    assert lesson.check("1.1", str.upper).passed is True
    assert repr(lesson) == "<Lesson 01: 1 of 2 exercises passed>"
    assert "return text.upper()" in lesson.solution("1.1").text  # who passed may see it
    assert "has none" in lesson.hint("1.2").text and "any" in lesson.solution("1.2").text
    with pytest.raises(ValueError, match=r"no exercise '9', but: 1\.1, 1\.2"):
        lesson.hint("9")


def test_the_stub_is_neither_right_nor_wrong_and_no_student_spoils_a_case(lesson):
    check = cases((([1, 2],), 2))
    assert [check(lambda items: items.pop()) for _ in range(2)] == [None, None]
    stub = lesson.check("1.2", ...)
    assert stub.passed is lesson.check("1.1", lambda text: ...).passed is None
    assert "Nothing to check yet" in stub.text
    assert lesson.passed == set()


def test_hints_and_the_solution_wait_behind_buttons(lesson):
    asked = lesson.help("1.1")
    row, below = asked.box.children
    hint, solution = row.children
    assert below.value == "" and "2 hints" in asked.twin.text and "methods" not in asked.twin.text
    solution.click()
    assert f"Try the hints first (2 left): press “{hint.description}”." in below.value
    assert "lesson." not in below.value  # no code where there is a button
    hint.click()
    solution.click()
    assert "(1 left)" in below.value
    hint.click()
    assert "Strings have methods." in below.value and "One of them is upper." in below.value
    solution.click()
    assert "return text.upper()" in below.value


# ---------------------------------------------------------------------- safe and light
def test_a_given_object_is_named_not_opened():
    task = Task("q", "multihop", "Which?", "GOLD-CANARY")
    assert short([task, {"a": task}, None, 1.5, len]) == "[a task, {'a': a task}, None, 1.5, len]"
    assert len(short("x" * 10_000)) <= 200


@given(st.text(st.characters(exclude_categories=()), min_size=1, max_size=60))
def test_no_text_becomes_markup(text):
    hostile = f"<img src=x onerror=alert(1)>{text}"
    lesson = Lesson(
        "x", {hostile: Exercise(hostile, lambda _: hostile, hostile, (hostile,))},
        [Question(hostile, ((hostile, True, hostile),))],
    )  # fmt: skip
    lesson.predictions[hostile] = (hostile, hostile)
    asked, quiz = lesson.help(hostile), lesson.quiz()
    for button in asked.box.children[0].children:
        button.click()
    pages = [
        lesson.recall(hostile, outcome=hostile), lesson.exercise(hostile),
        lesson.check(hostile, hostile), lesson.hint(hostile), lesson.solution(hostile),
        quiz.twin, asked.twin, lesson.predict(hostile, hostile, options=[hostile]).twin,
    ]  # fmt: skip
    row, score = quiz.box.children
    row.children[1].value = 0
    htmls = [page.html for page in pages]
    htmls += [each.value for each in (score, *row.children[::2], asked.box.children[1])]
    assert not any("<img" in html for html in htmls)
    for page in pages:
        page.html.encode("utf-8")


def test_a_long_line_is_broken_once_where_a_narrow_notebook_shows_it(capsys):
    """JupyterLab shows 69 characters at 1,000 px with its list of files open."""
    said = "Thought 1: " + "a few words and well-known names " * 9
    tell(said)
    lines = capsys.readouterr().out.splitlines()
    assert " ".join(line.strip() for line in lines) == said.strip()
    assert max(map(len, lines)) <= 68 and min(map(len, lines[:-1])) > 50
    assert all(line.startswith(" " * len("Thought 1: ")) for line in lines[1:])


@pytest.mark.parametrize("label, column", [
    ("", 2), ("    ", 6), ("cot-sc          ", 16), ("NOT ENOUGH INFO | ", 18), ("task: ", 6),
    ("          on its pages: ", 24), ("  exemplar 1, thought 1: ", 4), (" " * 60, 33),
])  # fmt: skip
def test_a_line_goes_on_below_its_text(label, column, capsys):
    """So it is told from the line below it, which may be set in as well."""
    tell(label + "word " * 30)
    for line in capsys.readouterr().out.splitlines()[1:]:
        assert len(line) - len(line.lstrip()) == column
