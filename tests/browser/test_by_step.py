"""The map of a household run, stepped through in the real JupyterLab by mouse and by keys."""

import re

import pytest
from conftest import put_notebook, wait_for
from nbformat.v4 import new_code_cell

pytestmark = pytest.mark.browser
MAKE = """\
import react_lab as rl
from house.oracle import play
task = rl.tasks.load('household', 'old')[7]
run = play(task, rl.envs.Household()(task), 'react', stray=0.2)
len(run.steps)
"""


def test_a_run_is_stepped_through_by_buttons_and_keys(opened, lab):
    cells = [
        new_code_cell(MAKE),
        new_code_cell("rl.widgets.house_by_step(run)"),
        new_code_cell("2 + 2"),
    ]
    book = opened(put_notebook(lab, "by_step.ipynb", cells), width=1280, height=800)
    page = book.page
    last = int(page.locator(".jp-CodeCell .jp-OutputArea-output pre").first.inner_text())
    image = page.locator(".jp-OutputArea-output img.rl-drawn")
    image.wait_for()
    text = page.locator(".jp-OutputArea-output")

    def at(step):
        words = rf"(Thought|Action) {step}\b" if step else "Nothing is done yet"
        return wait_for(lambda: re.search(words, " ".join(text.all_inner_texts())), 30)

    def press(key, step):
        page.keyboard.press(key)
        at(step)

    at(0)
    onward, back = (page.get_by_role("button", name=word, exact=True) for word in ("Next", "Back"))
    onward.scroll_into_view_if_needed()
    onward.click()
    at(1)
    press("Enter", 2)
    press("Space", 3)
    book.screenshot("by-step-3")
    back.focus()
    press("Enter", 2)
    page.get_by_role("slider", name="step").focus()
    press("ArrowRight", 3)
    press("ArrowLeft", 2)
    press("End", last)
    book.screenshot("by-step-end")
    press("Home", 0)
    page.set_viewport_size({"width": 1800, "height": 950})
    book.screenshot("by-step-wide")
    box = image.bounding_box()
    assert box["width"] >= 500 and 0.4 < box["height"] / box["width"] < 1.2
    cells = page.locator(".jp-CodeCell").count()
    assert cells == 3 and book.prompts() == ["1", "2", "3"]  # no key has reached the notebook
    assert not book.errors and not book.outside
