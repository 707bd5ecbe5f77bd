"""The notebooks in the real JupyterLab, and hostile text in the real browser."""

import json

import nbformat
import pytest
from conftest import ROOT, put_notebook, wait_for
from test_display import ALLOWED, PAYLOADS, infected

import react_lab as rl

pytestmark = pytest.mark.browser
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def failures(opened):
    """Error outputs of cells that are not meant to raise."""
    cells = nbformat.read(opened.lab.root / opened.path, as_version=4).cells
    code = [c for c in cells if c.cell_type == "code"]
    shown, error = opened.page.locator(".jp-CodeCell"), "[data-mime-type$='jupyter.error']"
    failed = [cell for i, cell in enumerate(code) if shown.nth(i).locator(error).count()]
    return [c.source for c in failed if "raises-exception" not in c.metadata.get("tags", [])]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_runs_in_jupyterlab(opened, lab, path):
    name = put_notebook(lab, path.name, nbformat.read(path, as_version=4).cells)
    book = opened(name)
    assert failures(book) == [] and book.errors == [] and book.dialogs == []


def test_a_saved_notebook_says_on_the_next_day_what_its_widgets_held(notebook, lab):
    """Each was "Error displaying widget: model not found", as its kernel was gone."""
    lesson = "from react_lab.teach import Lesson\nlesson = Lesson('t')\n"
    book = notebook(lesson + "lesson.predict('p', 'How many?', options=['few', 'many'])")
    box = ".jp-OutputArea-output .widget-vbox"
    book.page.locator(box).get_by_role("button", name="many").click()
    book.page.keyboard.press("Control+s")
    wait_for(lambda: "widget-view" in (lab.root / book.path).read_text(encoding="utf-8"))
    book.visit_again()  # with the kernel still there the widget is, too
    book.page.locator(box).get_by_text("many").first.wait_for()
    lab.end(book.path)
    book.visit_again()
    book.page.get_by_text("To answer, run this cell").wait_for()
    assert "Error displaying widget" not in book.page.locator(".jp-Notebook").inner_text()


HOSTILE = """\
import json
import react_lab as rl
from react_lab.types import Step, Task, Trajectory
runs = [Trajectory('id', Task('t', 'multihop', x, x), x, x, steps=(Step(x, x, x, raw=x, repairs=(x,)),),
                   answer=x, votes=(x,), samples=(x,), flags=(x,), error=x, parent=x, branch=x)
        for x in json.loads({payloads!r})]
"""
LIVE = "script, img, svg, iframe, a, math, video, audio, object, embed, form, input, style, link, mjx-container"


def test_hostile_text_is_only_text(notebook):
    """Every payload in every field of a run: no dialog, no request, no element of its own."""
    shows = (f"rl.show(runs[{i}:{i + 4}])" for i in range(0, len(PAYLOADS), 4))
    book = notebook(HOSTILE.format(payloads=json.dumps(PAYLOADS)), *shows)
    assert failures(book) == []
    parts = book.page.locator(".jp-OutputArea-output div")
    wait_for(lambda: parts.count() > 10 * len(PAYLOADS))  # the runs are really there
    alive = book.page.locator(f".jp-OutputArea-output :is({LIVE})").count()
    assert (alive, book.dialogs, book.outside) == (0, [], [])


def test_a_page_that_is_saved_and_opened_elsewhere_is_as_inert(browser):
    """The HTML alone, with no sanitiser around it, every part unfolded."""
    whole = "".join(rl.show(infected(payload, payload)).html for payload in PAYLOADS)
    tab, happened = browser.new_page(), []
    tab.on("request", lambda request: happened.append(request.url))
    tab.expose_function("alert", lambda words: happened.append(words))
    tab.set_content(f"<body>{whole}</body>")
    tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    names = tab.evaluate("[...document.body.querySelectorAll('*')].map(e => e.localName)")
    tab.close()
    assert happened == [] and set(names) <= ALLOWED | {"tbody"}
