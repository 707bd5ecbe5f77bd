"""A student's path in the real JupyterLab: options, hints, answers that stay, pictures in the dark."""

import json

import pytest
from conftest import wait_for

from react_lab.teach import reports

pytestmark = pytest.mark.browser
MAKE = """\
from pathlib import Path
from react_lab.teach import Exercise, Lesson, Question
hints = ('It is a method.', 'It is upper.')
shout = Exercise('Shout.', lambda answer: None if answer == 'A' else 'Louder.', 'str.upper', hints)
why = Question('Why <b>two</b> calls?', (('To pay', False, 'No.'), ('No act was found in $x$', True, 'Yes.')))
def lesson():
    return Lesson('01', {{'1.1': shout}}, [why], Path({path!r}))
first = lesson()
"""
LONG = "an option with a <img src=x onerror=alert(1)> in it " + "and many more words " * 12
ASK = f"first.predict('p', 'Which?', options=['clearly fewer', {LONG!r}])"


@pytest.fixture
def book(notebook, lab):
    path = lab.root / "answers" / "01.jsonl"
    path.unlink(missing_ok=True)
    cells = ASK, "first.help('1.1')", "first.quiz()", "lesson().recall('p', 'so it was')"
    return notebook(MAKE.format(path=str(path)), *cells, width=1000), path


def stored(path):
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [reports.ANSWER.read(line) for line in lines]


def run_again(book, i):
    book.page.locator(".jp-CodeCell .cm-content").nth(i).click()
    book.page.keyboard.press("Control+Enter")


def test_an_option_is_one_button_and_what_helps_comes_by_buttons(book):
    opened, path = book
    options = opened.page.locator(".rl-options").first.locator("button")
    assert options.count() == 2 and LONG.strip() in options.nth(1).inner_text()
    assert options.locator("img").count() == 0 and opened.dialogs == []
    cut_off = "b => b.scrollWidth > b.clientWidth + 1 || b.scrollHeight > b.clientHeight + 1"
    assert not any(button.evaluate(cut_off) for button in options.all())
    page = opened.page
    page.get_by_role("button", name="Solution").click()
    page.get_by_text("Try the hints first (2 left)").wait_for()
    for hint in ("It is a method.", "It is upper."):
        page.get_by_role("button", name="Hint").click()
        page.get_by_text(hint, exact=True).wait_for()
    page.get_by_role("button", name="Solution").click()
    page.get_by_text("str.upper").last.wait_for()
    page.get_by_role("button", name="2. No act was found in $x$").click()
    page.get_by_text("1 right, 1 of 1 answered").wait_for()
    assert [a.event for a in stored(path)] == ["hint", "hint", "choice"]


def test_a_prediction_stays_when_its_cell_and_the_lesson_run_again(book):
    opened, path = book
    opened.page.get_by_role("button", name="1. clearly fewer").click()
    wait_for(lambda: [a.value for a in stored(path)] == ["clearly fewer"])
    opened.page.locator(".rl-options").first.evaluate("n => { n.dataset.former = 'yes'; }")
    run_again(opened, 0)
    run_again(opened, 1)
    again = opened.page.locator(".rl-options:not([data-former])").first
    again.locator("button.mod-active", has_text="1. clearly fewer").wait_for()
    run_again(opened, 4)
    opened.page.get_by_text("You said: clearly fewer").wait_for()
    assert len(stored(path)) == 1


PICTURE = """\
from react_lab.plots.picture import Picture, sheet
with sheet('The caption <b>of it</b>.', 1, 10, 3) as (figure, [ax]):
    ax.plot([1, 2])
Picture(figure, 'The caption <b>of it</b>.', {})
"""


def test_a_caption_keeps_its_size_and_a_picture_follows_the_theme(notebook):
    book = notebook(PICTURE, width=1000)
    page = book.page
    caption = page.get_by_text("The caption <b>of it</b>.", exact=True)
    assert float(caption.evaluate("n => parseFloat(getComputedStyle(n).fontSize)")) >= 13
    image = page.locator(".jp-RenderedImage img")
    assert image.evaluate("n => getComputedStyle(n).filter") == "none"
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    assert "invert" in image.evaluate("n => getComputedStyle(n).filter")
    shown = json.dumps(page.locator(".jp-OutputArea-output").all_inner_texts())
    assert shown.count("The caption") == 1
