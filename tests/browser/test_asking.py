"""Questions asked live in the real JupyterLab: from the list, and one of one's own by Enter."""

import pytest

from react_lab.lessons import lesson_00

pytestmark = pytest.mark.browser
MAKE = """\
import react_lab as rl
from react_lab.lessons import lesson_00
lines = [' I need it.\\nAction 1: Search[Jaws (film)]', ' It is he.\\nAction 2: Finish[Spielberg]']
model = rl.models.scripted(lines * 9)
asked = rl.widgets.ask(lesson_00.questions(), model=model)
asked
"""


def test_a_question_is_chosen_asked_and_watched(notebook):
    book = notebook(MAKE, "2 + 2", width=1000)
    page = book.page
    chosen = page.locator(".jp-OutputArea-output select[size]")
    chosen.wait_for()
    first, eleventh = (lesson_00.questions()[at] for at in (0, 10))
    before = eleventh.run.steps[0].action
    page.get_by_text(first.watch).wait_for()
    for name in ("or try", "method", "Ask a"):  # for a screen reader, too
        assert page.get_by_label(name, exact=True).count() == 1, name
    chosen.select_option(label=f"11. {eleventh.run.task.text}")
    page.get_by_text(eleventh.watch).wait_for()
    page.get_by_role("button", name="What it said before").click()
    player = page.locator(".rlp-player")
    player.get_by_text(before).first.wait_for()
    page.get_by_role("button", name="Other examples").click()
    page.get_by_role("button", name="Ask it now").click()
    player.get_by_text("Finish[Spielberg]").first.wait_for()
    assert player.get_by_text(before).count() == 0
    field = page.get_by_placeholder("a question of your own, then Enter")
    field.fill("who was d d x 3 m?")
    field.press("Enter")
    player.get_by_text("who was d d x 3 m?").first.wait_for()
    seen = "e => { const { top } = e.getBoundingClientRect(); return top > 0 && top < innerHeight - 100; }"
    assert player.locator(".rlp-steps").evaluate(seen)  # the first thought, without scrolling
    page.get_by_text("What became of it").wait_for()
    field.fill("  ")
    field.press("Enter")
    page.get_by_text("there is no question yet: type one").wait_for()
    assert page.locator(".jp-CodeCell").count() == 2 and book.errors == [] and book.outside == []
    wide = (
        "() => [...document.querySelectorAll('.jp-OutputArea-output :is(button, select, input)')]"
        ".filter(e => e.offsetParent && e.getBoundingClientRect().right > window.innerWidth).length"
    )
    assert page.evaluate(wide) == 0
