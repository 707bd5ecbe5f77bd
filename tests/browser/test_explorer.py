"""The run browser in the real JupyterLab: keys, menus, thousands of rows, hostile text, a restart."""

import json

import pytest
from conftest import LIVE, Bench, wait_for
from test_display import PAYLOADS

pytestmark = pytest.mark.browser
MAKE = """\
from react_lab.types import Step, Task, Trajectory
from react_lab.widgets import explorer
def make(i):
    task = Task(f't{i}', 'multihop', f'Question {i}: who wrote the book?', 'Ann')
    steps = (Step('I need the book.', 'Search[The Book]', f'Page {i} of the book.'), Step('So Ann.', 'Finish[Ann]', ''))
    method = ('standard', 'cot', 'act', 'react')[i % 4]
    return Trajectory(f'r{i}', task, method, 'm', steps=steps, answer='Ann' if i % 3 else 'Bob', end='finished', tokens_in=i)
table = explorer([make(i) for i in range(10_000)])
table
"""
HOSTILE = """\
import json
from react_lab.types import Step, Task, Trajectory
from react_lab.widgets import explorer
texts = json.loads({payloads!r})
table = explorer([Trajectory(x, Task('t', 'multihop', x, x), x, x, steps=(Step(x, x, x, raw=x),), answer=x,
                             votes=(x,), samples=(x,), flags=(x,), error=x) for x in texts])
table
"""


class Table(Bench):
    element = "rl-explorer"

    def __init__(self, book):
        super().__init__(book)
        self.grid = self.root.get_by_role("grid")

    def press(self, *keys):
        for key in keys:
            super().press(key)

    def told(self, text):
        self.root.locator(".rl-said", has_text=text).wait_for()

    def numbers(self):
        return self.root.locator(".rl-row .rl-c-number").all_text_contents()

    def below(self, text):
        """What the player below the table shows."""
        self.page.locator(".rlp-player", has_text=text).wait_for()


@pytest.fixture
def bench(notebook):
    return lambda code=MAKE, **options: Table(notebook(code, "2 + 2", **options))


def test_it_is_used_with_keys_alone(bench):
    bench = bench()
    bench.grid.focus()
    assert bench.grid.get_attribute("data-lm-suppress-shortcuts") == "true"  # what Notebook 7 asks
    bench.press("ArrowDown", "ArrowDown", "Space", "ArrowUp", "Space", "Enter")
    bench.told("2 ticked. Run 2 is open below")
    bench.below("Question 1: who wrote")
    bench.press("c")
    bench.told("Run 3 stands below on the left (there Run 1), run 2 on the right (there Run 2)")
    bench.below("Run 1, Question: Question 2:")
    bench.below("Run 2: cot, m")
    bench.press("End")
    wait_for(lambda: "10000" in bench.numbers())
    bench.press("Home", "/")
    bench.page.keyboard.type("page 77 of ddxa")
    for _ in range(5):
        bench.page.keyboard.press("Backspace")
    bench.press("Enter")
    bench.told("1 of 10,000 runs shown")
    bench.press("ArrowDown", "Enter")
    bench.below("Question 77:")
    assert bench.book.errors == []


def test_of_ten_thousand_rows_only_those_in_sight_are_drawn_and_nothing_is_cut_off(bench):
    bench = bench(width=1000)
    assert bench.cut_off("button", "select", "input", ".rl-row") == 0
    assert bench.root.locator(".rl-c-question").nth(1).evaluate("node => node.offsetWidth") > 90
    body, rows = bench.grid, bench.root.locator(".rl-row")
    for share in (0.5, 0.9, 0.1, 0.7):
        body.evaluate("(body, share) => { body.scrollTop = share * body.scrollHeight; }", share)
        near = share * 10_000
        wait_for(lambda: any(n.isdigit() and abs(int(n) - near) < 5 for n in bench.numbers()))  # noqa: B023
        wait_for(lambda: "…" not in bench.numbers())
        assert rows.count() < 30
    assert bench.grid.get_attribute("aria-rowcount") == "10001"


def test_menus_columns_and_the_sample(bench):
    bench = bench()
    bench.root.get_by_label("Only these methods").select_option(label="react (2,500)")
    bench.told("2,500 of 10,000 runs shown")
    bench.root.get_by_label("Only these results").select_option(label="wrong (3,334)")
    bench.told("834 of 10,000 runs shown")
    bench.root.get_by_role("button", name="tokens").click()
    bench.root.get_by_role("button", name="tokens ▲").click()
    wait_for(lambda: bench.numbers()[0] == "10000")
    assert bench.root.locator("[aria-sort='descending']").count() == 1
    bench.root.get_by_label("How many to draw").fill("3")
    bench.root.get_by_role("button", name="Sample").click()
    bench.told("3 of 10,000 runs shown")
    bench.root.get_by_role("button", name="Show all").click()
    bench.told("10,000 of 10,000 runs shown")


def test_a_click_opens_a_run_and_a_selection_is_labelled(bench, lab):
    bench = bench()
    bench.root.locator(".rl-row").nth(4).click()
    bench.below("Question 4:")
    player = bench.page.locator(".rlp-player")
    player.get_by_role("button", name="Step ▶").click()
    bench.below("step 2 of 2")
    for i in (0, 1, 2):
        bench.root.locator(".rl-row .rl-c-tick").nth(i).click()
        bench.quiet()
    bench.told("3 ticked")
    bench.root.get_by_role("button", name="Label the 3 ticked").click()
    path = lab.root / "from_the_explorer.jsonl"
    bench.root.get_by_label("File of your labels").fill(str(path))
    bench.root.get_by_label("Your name").fill("ann")
    bench.root.get_by_role("button", name="Open the labeller").click()
    bench.told("3 runs to label are below")
    labeller = bench.page.locator(".rl-labeller")
    labeller.locator(".rl-head", has_text="Labelling by ann: run 1 of 3").wait_for()
    labeller.locator(".rl-head").click()
    bench.page.keyboard.press("5")
    wait_for(lambda: path.exists() and '"label":"' in path.read_text(encoding="utf-8"))


def test_hostile_text_is_only_text(bench):
    bench = bench(HOSTILE.format(payloads=json.dumps(PAYLOADS)))
    bench.grid.focus()
    for _ in range(0, len(PAYLOADS), 8):  # every row is drawn once, and some are opened
        bench.press(*["ArrowDown"] * 8, "Enter")
    bench.press("/")
    bench.page.keyboard.type(PAYLOADS[0])
    bench.press("Enter")
    bench.told("runs shown")
    bench.harmless()
    assert bench.page.locator(f".jp-OutputArea-output :is({LIVE}, img)").count() == 0


SEVERAL = """\
import react_lab as rl
runs = list(rl.store.open(rl.data.folder('runs') / 'comparison/multihop-tuned.jsonl'))
task = next(r.task.id for r in runs if r.method == 'react' and len(r.steps) == 5)
by = {r.method: r for r in runs if r.task.id == task}
rl.show([by[method] for method in ('standard', 'cot', 'react')])
"""
PLACES = """() => [...document.querySelectorAll('.jp-OutputArea-output div')]
    .filter(node => node.style.gridTemplateRows === 'subgrid').map(node => {
        const box = node.getBoundingClientRect();
        return [Math.round(box.left), Math.round(box.top), Math.round(box.right), window.innerWidth];
    })"""


@pytest.mark.parametrize("width", [1400, 1000])
def test_several_runs_fit_the_screen(notebook, width):
    """Beside each other; where they do not fit, one scrolls sideways to the last of them."""
    book = notebook(SEVERAL, width=width)
    places = book.page.evaluate(PLACES)
    assert len({left for left, *_ in places}) == 3 and len({top for _, top, *_ in places}) == 1
    output = book.page.locator(".jp-OutputArea-output").last
    output.evaluate("node => { node.scrollLeft = 9999; }")
    assert all(right <= room + 1 for _, _, right, room in book.page.evaluate(PLACES))
