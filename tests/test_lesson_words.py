"""The words of the lessons: each exercise has its check, and a slip in a file is named."""

import tomllib

import pytest

from react_lab.lessons import (
    claims,
    errors,
    household,
    loop,
    multihop,
    prompting,
    shop,
    start,
    today,
    tuning,
    voting,
    words,
)
from react_lab.lessons.start import run_of
from react_lab.types import Step

LESSONS = {
    "00": lambda: start.lesson(run_of(Step("a", "Search[b]", "c"))),
    "01": prompting.lesson,
    "02": loop.lesson,
    "03": multihop.lesson,
    "04": claims.lesson,
    "05": voting.lesson,
    "06": errors.lesson,
    "07": household.lesson,
    "08": shop.lesson,
    "09": tuning.lesson,
    "10": today.lesson,
}
FILE = """
[exercises."7.1"]
minutes = 3
task = '''
Say "a" for
$name.

Then stop.
'''
hints = ["One.", "It is $name."]
solution = '''
"$name"
    "$$"'''

[[questions]]
text = "Why?"
options = [["So", true, "Yes."], ["No", false, "No."]]
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "07.toml").write_text(FILE, encoding="utf-8")
    return tmp_path


def test_every_file_is_a_lesson_and_every_lesson_is_made_afresh():
    assert {path.stem for path in words.HERE.glob("*.toml")} == LESSONS.keys()
    for name, make in LESSONS.items():
        lesson = make()
        assert lesson.name == name and lesson.exercises and lesson.questions
        assert all(number.startswith(f"{int(name)}.") for number in lesson.exercises)
        assert lesson is not make()


@pytest.mark.parametrize("name", LESSONS)
def test_a_file_holds_what_an_exercise_has_and_no_more(name):
    text = (words.HERE / f"{name}.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text).keys() <= {"exercises", "questions", "cases"}
    assert max(map(len, text.splitlines())) <= 100


def test_words_are_joined_and_code_is_not(folder):
    lesson = words.lesson_of("07", {"7.1": lambda _: None}, folder, name="$b  \n c")
    exercise = lesson.exercises["7.1"]
    assert exercise.task == 'Say "a" for $b  \n c.\nThen stop.'
    assert exercise.hints == ("One.", "It is $b  \n c.")
    assert exercise.solution == '"$b  \n c"\n    "$"'
    assert (exercise.minutes, exercise.dots) == (3, 1)
    assert lesson.questions[0].options[1] == ("No", False, "No.")


@pytest.mark.parametrize(
    "checks, sentence",
    [
        ({}, "exercise 7.1 of lesson 07 has no check"),
        (dict.fromkeys(["7.1", "7.2"], print), "exercise 7.2 of lesson 07 has no words"),
    ],
)
def test_words_without_a_check_are_named_and_a_check_without_words(folder, checks, sentence):
    with pytest.raises(ValueError, match=sentence):
        words.lesson_of("07", checks, folder, name="b")
