"""The keyboard of every widget: no plain key reaches the notebook, and no widget takes it from another."""

import pytest
from conftest import Bench

pytestmark = pytest.mark.browser
RUNS = """\
import threading, time
from pathlib import Path
import ipywidgets
import react_lab as rl
task = rl.tasks.load('multihop', 'demo')[0]
texts = [' I need Copenhagen.\\nAction 1: Search[Copenhagen]', ' So it is.\\nAction 2: Finish[hafnium]']
one = rl.run('react', task, rl.models.scripted(texts))
"""
WIDGETS = {  # what shows it, its element, and what in it has the focus
    "player": ("rl.widgets.player(one, model=rl.models.scripted(texts))", ".rlp-player", ".rlp-player"),
    "explorer": ("rl.widgets.explorer([one] * 20)", ".rl-explorer", ".rl-grid"),
    "labeller": ("rl.Labeller([one], {path!r}, by='me')", ".rl-labeller", ".rl-labeller"),
    "console": ("rl.widgets.Console(rl.tasks.load('household', 'old')[2])", ".rl-console", ".rl-log"),
}  # fmt: skip
KEYS = (*"xddabmzcv01", "j", "Shift+M", "Delete", "y", "r")
MARK = "data-lm-suppress-shortcuts"
CUT = "() => ({ cells: document.querySelectorAll('.jp-Notebook .jp-Cell').length, prose: document.querySelectorAll('.jp-MarkdownCell, .jp-RawCell').length })"
LATER = """\
def later(n):
    box = ipywidgets.VBox()
    front = rl.Labeller([one], str({path!r}), by='me').front
    def show():
        while not Path(f'go{{n}}').exists():
            time.sleep(0.05)
        box.children = (front,)
    threading.Thread(target=show, daemon=True).start()
    return box
"""
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))"


@pytest.fixture
def notebook(notebook, lab, request):
    path = str(lab.root / f"{request.node.name}.jsonl")
    return lambda *shows: notebook(*(code.format(path=path) for code in (RUNS, *shows, "2 + 2")))


@pytest.mark.parametrize("name", WIDGETS)
def test_no_plain_key_reaches_the_notebook_and_a_chord_does(notebook, name):
    shows, root, inside = WIDGETS[name]
    book = notebook(shows)
    page, before = book.page, book.page.evaluate(CUT)
    page.locator(root).wait_for()
    at = page.locator(inside).first
    for key in KEYS:
        at.focus()  # a key of its own may lead into a field
        page.keyboard.press(key)
        page.keyboard.press("Escape")
    assert page.evaluate(CUT) == before and book.errors == []
    at.focus()
    for marked in (page.locator(root), at):  # around the focus, and at it: what Notebook 7 asks
        assert marked.get_attribute(MARK) == "true"
    with page.expect_response(lambda reply: reply.request.method == "PUT"):
        page.keyboard.press("Control+s")


def test_a_labeller_takes_the_keyboard_from_the_notebook_and_from_no_widget(notebook, lab):
    book = notebook(LATER + "rl.widgets.player(one)", "later(1)", "later(2)")
    page = book.page
    player, labellers = page.locator(".rlp-player"), page.locator(".rl-labeller")
    player.focus()
    (lab.root / "go1").touch()
    labellers.first.wait_for()
    page.evaluate(FRAMES)
    assert player.evaluate("node => node.contains(document.activeElement)")
    before = page.evaluate(CUT)
    page.locator(".jp-CodeCell").last.locator(".jp-InputPrompt").click()
    (lab.root / "go2").touch()
    labellers.nth(1).wait_for()
    page.wait_for_function("() => document.activeElement.matches('.rl-labeller')")
    for key in "ddx":
        page.keyboard.press(key)
    assert page.evaluate(CUT) == before


def test_a_player_takes_the_keyboard_from_who_runs_its_cell_and_not_at_the_end_of_run_all(notebook):
    """Run All ends in the last cell: there the reader is."""
    page = notebook("rl.widgets.player(one)", "1 + 1").page
    player = page.locator(".rlp-player")
    player.wait_for()
    page.evaluate(FRAMES)
    assert page.evaluate("() => !document.activeElement.closest('.rlp-player')")
    page.locator(".jp-CodeCell").nth(1).locator(".jp-InputPrompt").click()
    player.evaluate("node => { node.dataset.former = 'yes'; }")
    page.keyboard.press("Shift+Enter")
    page.wait_for_function("() => document.activeElement.matches('.rlp-player:not([data-former])')")


@pytest.mark.parametrize("name", ["player", "explorer", "console"])
def test_a_kernel_that_is_gone_is_told(notebook, name):
    """Of the labeller, whose keys must not be lost, see test_labelling."""
    show, root, inside = WIDGETS[name]
    soon = "w.front.still = {{**w.front.still, 'patience': 300}}; w"
    bench = Bench(notebook(f"w = {show}; {soon}"), root.removeprefix("."))
    bench.restart()
    if name == "console":
        bench.root.get_by_label("Your act").fill("look")
    else:
        bench.page.locator(inside).focus()
    keys = {"player": ("e", "Tab", "Enter"), "explorer": ("Space",), "console": ("Enter",)}
    for key in keys[name]:
        bench.page.keyboard.press(key)
    bench.told("The kernel does not answer")
    if name == "player":
        bench.root.focus()
        bench.page.keyboard.press("End")  # what is here still plays
        bench.told("As it ended")
