"""The labeller in the real JupyterLab: keys, buttons, notes, restarts, hostile text."""

import json
import os

import pytest
from conftest import Bench, wait_for
from test_display import PAYLOADS

from react_lab import label

pytestmark = pytest.mark.browser
CANARY = "GOLDCANARY"
# For a machine that is slow: seconds that the kernel takes over every key.
SLOW = """
import time
receive = Labeller.receive
Labeller.receive = lambda self, *said: (time.sleep({}), receive(self, *said))
""".format(os.environ.get("REACT_LAB_SLOW_KERNEL", 0))
MAKE = f"""\
from react_lab.label import Session
from react_lab.types import Step, Task, Trajectory
from react_lab.widgets.by_hand import Labeller

def make(i, right=False, method='react'):
    task = Task(f't{{i}}', 'multihop', f'Question {{i}}: who wrote the book?', '{CANARY}')
    steps = (Step('I need to search the book.', 'Search[The Book]', 'The Book is a novel by Ann Smith, printed in Leeds in 1901. ' * 20),
             Step(f'Ann Smith wrote The Book in 1950, so it is her {{i}}.', 'Lookup[novel]', '(Result 1 / 1) The Book is a novel by Ann Smith.'),
             Step('So the answer is Ann Smith.', 'Finish[Ann Smith]', ''))
    return Trajectory(f'r{{i}}', task, method, 'MODELCANARY', steps=steps, answer='{CANARY}' if right else 'Ann Smith', end='finished')

runs = [make(i) for i in range(40)]
"""


@pytest.fixture
def labeller(notebook, lab, request):
    """labeller(options) -> a notebook with a labeller of 40 runs, and its file."""

    def open_(options="", name=None, runs="runs", by="'me'", before="", patience=60_000, **context):
        name = name or f"{request.node.name}".replace("[", "-").replace("]", "")
        path = lab.root / f"{name}.jsonl"
        slow = f"w.front.still = {{**w.front.still, 'patience': {patience}}}; " if patience else ""
        show = f"w = Labeller({runs}, {str(path)!r}, by={by}{options}); {slow}w"
        return Labelling(notebook(MAKE + before + SLOW, show, "2 + 2", **context), path)

    return open_


class Labelling(Bench):
    element = "rl-labeller"

    def __init__(self, book, path):
        super().__init__(book)
        self.path = path

    def events(self):
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        return [json.loads(line) for line in text.splitlines()]

    def wait(self, n):
        return wait_for(lambda: len(self.events()) >= n and self.events(), 60)

    def focus(self):
        self.root.locator(".rl-head").click()

    def click(self, button):
        button.click()
        self.quiet()


def test_keys_label_defer_and_undo(labeller):
    bench = labeller()
    bench.focus()
    bench.press("3", "5", "u")
    events = bench.wait(3)
    found = [("label", "reasoning error"), ("label", "hallucination"), ("undo", None)]
    assert [(e["event"], e.get("label")) for e in events] == found
    bench.press("d", "d")
    bench.told("2 deferred")
    bench.press("r", "Control+z", "ArrowRight", "ArrowLeft")
    bench.told("run 3 of 40")
    assert bench.book.errors == []


def test_a_burst_of_thirty_keys_is_exact_and_a_held_one_labels_once(labeller):
    bench = labeller()
    bench.focus()
    keys = [str(3 + i % 4) for i in range(30)]
    bench.press(*keys)
    for _ in range(5):
        bench.page.keyboard.down("4")  # without up between them: the browser repeats
    bench.page.keyboard.up("4")
    events = bench.wait(31)
    found = [(f"r{i}", label.MODES[int(key) - 1]) for i, key in enumerate([*keys, "4"])]
    assert [(e["id"], e["label"]) for e in events] == found
    bench.told("31 labels that count in")


def test_a_note_takes_every_letter(labeller):
    bench = labeller()
    before = bench.cells()
    bench.focus()
    bench.press("n")
    bench.page.keyboard.type("axd 1 2 3 ?/ u\nzm")
    bench.press("Escape", "4")
    events = bench.wait(2)
    assert events[0]["note"] == "axd 1 2 3 ?/ u\nzm" and events[1]["label"] == "search result error"
    bench.told("run 2 of 40")
    bench.press("ArrowLeft")
    bench.told("run 1 of 40")
    assert bench.root.get_by_label("Note on this run").input_value() == "axd 1 2 3 ?/ u\nzm"
    assert bench.cells() == before


def test_a_reloaded_page_goes_on(labeller):
    bench = labeller()
    bench.focus()
    bench.press("3", "4")
    bench.told("2 labels that count in")
    bench.press("Control+s")
    wait_for(lambda: bench.page.locator(".jp-mod-dirty").count() == 0)
    bench.page.reload(wait_until="domcontentloaded")
    bench.root.wait_for(timeout=60_000)
    bench.told("run 3 of 40")
    bench.focus()
    bench.press("6")
    assert bench.wait(3)[2]["id"] == "r2"


def test_a_restarted_kernel_is_said_and_no_label_is_lost(labeller):
    bench = labeller(patience=None)
    bench.focus()
    bench.press("3", "4")
    bench.wait(2)
    bench.restart()
    bench.focus()
    bench.press("5")
    bench.told("The kernel does not answer")
    bench.press("6")
    bench.told("Not saved: 2 keys")
    assert len(bench.events()) == 2
    bench.run_again()
    bench.told("run 3 of 40")
    bench.focus()
    bench.press("5")
    assert bench.wait(3)[2]["id"] == "r2"


def test_blind_then_revealed(labeller):
    bench = labeller(", blind=True")
    state = "() => document.querySelector('.rl-labeller').innerText"
    assert not any(word in bench.page.evaluate(state) for word in (CANARY, "MODELCANARY"))
    whole = "found => found.map(e => e.outerHTML)"
    outputs = bench.page.locator(".jp-OutputArea-output").evaluate_all(whole)
    assert outputs and CANARY not in str(outputs)
    bench.focus()
    bench.press("3")
    bench.told("First judge it blind")
    bench.press("w")
    bench.told("Mark the step")
    bench.press("Shift+ArrowDown", "Shift+ArrowDown", "w")
    bench.told("exact match says wrong")
    bench.told(CANARY)
    bench.press("1")
    bench.told("Not offered here")
    bench.press("5")
    last = bench.wait(4)[-1]
    assert (last["label"], last["id"]) == ("hallucination", "r0")
    judged = bench.events()[2]
    assert (judged["sound"], judged["step"], judged["blind"]) == (False, 2, True)
    bench.told("run 2 of 40")
    assert CANARY not in bench.page.evaluate(state)


def test_every_key_is_a_button_with_a_name(labeller):
    bench = labeller()
    names = ["Previous run", "Next run", "Wrong one step later", "Wrong one step earlier", "Undo", "Redo",
             "Defer", "Note", "All modes", "Check thoughts", "Filter", "Table 2", "Help"]  # fmt: skip
    for name in names:
        assert bench.root.get_by_role("button", name=name).count() == 1, name
    for button in bench.root.get_by_role("button").all():
        assert button.inner_text().strip()
    for key, mode in enumerate(label.FAILURE, 3):
        button = bench.root.get_by_role("button", name=f"{key} {mode}")
        assert button.get_attribute("aria-keyshortcuts") == str(key)
    bench.click(bench.root.get_by_role("button", name="5 hallucination"))
    bench.click(bench.root.get_by_role("button", name="Defer"))
    bench.click(bench.root.get_by_role("button", name="first wrong here?").nth(1))
    bench.click(bench.root.get_by_role("button", name="Undo"))
    events = bench.wait(4)
    assert [e["event"] for e in events] == ["label", "defer", "step", "undo"]
    assert events[2]["step"] == 2


def test_with_the_keyboard_alone(labeller):
    """Tab into it, label, use a button by Space, and Tab out again: it is no trap."""
    bench = labeller()
    bench.page.locator(".jp-CodeCell").nth(1).locator(".cm-content").click()
    bench.press("Escape")
    for _ in range(60):
        bench.press("Tab")
        if bench.page.evaluate("document.activeElement.classList.contains('rl-labeller')"):
            break
    bench.press("3")
    bench.wait(1)
    bench.press("Tab")
    inside = "document.activeElement.closest('.rl-labeller') !== null"
    assert bench.page.evaluate(inside)
    button = "document.activeElement.closest('button')?.innerText || ''"
    for _ in range(60):
        if "Defer" in bench.page.evaluate(button):
            break
        bench.press("Tab")
    bench.press("Space")
    assert bench.wait(2)[1]["event"] == "defer"
    for _ in range(40):
        bench.press("Tab")
        if not bench.page.evaluate(inside):
            break
    assert not bench.page.evaluate(inside)


@pytest.mark.parametrize("zoom", [1, 2])
def test_it_can_be_read(labeller, zoom):
    """Zoom of 200% is half the width: nothing is cut off, nothing hides behind something else."""
    size = {"width": 1400 // zoom, "height": 1000 // zoom, "device_scale_factor": zoom}
    bench = labeller(", blind=False", **size)
    bench.root.scroll_into_view_if_needed()
    bench.focus()
    bench.press("3", "5", "t")
    bench.told("Table 2 so far")
    bench.root.locator(".rl-table").scroll_into_view_if_needed()
    wait_for(lambda: bench.cut_off("button", ".rl-part", ".rl-question") == 0)
    rows, high = bench.root.locator(".rl-table tr"), "rows => rows.map(r => r.offsetHeight)"
    wait_for(lambda: rows.count() == 13 and max(rows.evaluate_all(high)) < 50)  # no broken words


OWN = """
from react_lab.label import Modes
OWN = Modes({'lazy': 'It looked <b>once</b> and gave up.', 'hasty': 'It answered too soon.', 'R&D': ''}, several=True)
SAID = {'ann': (1, 2, 1), 'ben': (1, 2, 2), 'eve': (1, 2, 1)}
paths = []
for by, keys in SAID.items():
    paths.append(FOLDER + '/' + by + '.jsonl')
    session = Session(runs[:3], paths[-1], by, modes=OWN)
    for key in keys:
        session.label(key)
        session.next()
"""


def test_three_annotators_of_ones_own_modes_are_adjudicated(labeller, tmp_path):
    before = OWN.replace("FOLDER", repr(str(tmp_path)))
    bench = labeller(", modes=OWN, between=paths", before=before, by="'all'")
    bench.told("run 1 of 1")
    bench.told("It looked <b>once</b> and gave up.")
    bench.focus()
    bench.press("n")
    bench.page.keyboard.type("read again")
    bench.press("Escape", "1", "3")
    button = bench.root.get_by_role("button", name="1 lazy")
    wait_for(lambda: button.get_attribute("aria-pressed") == "true")
    bench.told("lazy + R&D")
    bench.press("1")
    wait_for(lambda: button.get_attribute("aria-pressed") == "false")
    assert bench.wait(5)[-1]["label"] == "R&D"


GAMES = """
import react_lab as rl
task = rl.tasks.load('household', 'old_train')[0]
lost = [' think: I look for a winebottle in the fridge first.', ' go to fridge 1', ' open fridge 1',
        ' think: The winebottle 3 is in the fridge 1. I take it.', *[' take winebottle 3 from fridge 1'] * 46]
won = [*lost[:3], ' go to countertop 1', ' take winebottle 1 from countertop 1', ' go to cabinet 1', ' put winebottle 1 in/on cabinet 1']
runs = [rl.run('react', task, rl.models.scripted(each, name='MODELCANARY')) for each in (lost, won)] + runs[:1]
"""


def test_a_household_game_is_labelled_beside_questions(labeller):
    """Compact, with its opening, its reward and the words of games; how it ended is hidden first."""
    bench = labeller(", blind=True, suggestions=True", before=GAMES, name="games")
    bench.told("run 1 of 3")
    bench.told("You are in the middle of a room.")
    bench.told("whether it was won, method and model are hidden")
    text = bench.root.inner_text()
    assert "step limit" not in text and "Answer" not in text and "MODELCANARY" not in text
    bench.focus()
    bench.press("e")
    bench.told("was not seen before: winebottle 3")
    step = bench.root.locator(".rl-part").nth(7).bounding_box()
    assert step["height"] < 50  # a short step takes a line
    bench.press(*["Shift+ArrowDown"] * 4, "w")
    bench.told("the game says not won")
    bench.told("Ended: step limit, 50 steps")
    bench.told("said what it had not seen")
    bench.page.set_viewport_size({"width": 700, "height": 500})  # a projector's large letters
    wait_for(lambda: bench.cut_off(".rl-part", ".rl-part *") == 0)
    bench.page.set_viewport_size({"width": 1400, "height": 1000})
    bench.press("5")
    bench.press("s", "1")
    bench.told("run 3 of 3")
    bench.told("gold answer, method, model and grade are hidden")
    assert bench.root.locator(".rl-words").count() == 0
    bench.press("w", "Shift+ArrowDown", "w", "3", "t")
    bench.told("Table 2, household games so far")
    bench.told("Table 2, multi-hop questions so far")
    labels = [(e["kind"], e["label"]) for e in bench.wait(8) if e["event"] == "label"]
    assert labels == [
        ("household", "hallucination"), ("household", "true positive"), ("multihop", "reasoning error"),
    ]  # fmt: skip
    assert (bench.book.errors, bench.book.outside) == ([], [])


HOSTILE = """
import json
payloads = json.loads({payloads!r})
def bad(i, x):
    step = Step(x, x, x, raw=x, repairs=(x,))
    return Trajectory(f'h{{i}}', Task(x, 'multihop', x, x), x, x, steps=(step, Step(raw=x), Step(x, 'Lookup[' + x + ']', x * 2)), answer=x, end='finished')
hostile = [bad(i, x) for i, x in enumerate(payloads)]
"""


def test_hostile_text_is_only_text(labeller):
    disguises = "{}", "Search[{}]", "```html\n{}\n```", "x\" {} '"  # at least 200 in all
    payloads = [disguise.format(payload) for disguise in disguises for payload in PAYLOADS]
    before = HOSTILE.format(payloads=json.dumps(payloads))
    name = "<img src=x onerror=alert(1)>"
    bench = labeller(runs="hostile", before=before, by="' '.join(payloads)", name=name)
    found = []
    bench.page.expose_function("alert", lambda words: found.append(words))
    bench.focus()
    bench.press("t", "e", "?")
    for i, payload in enumerate(payloads):
        bench.told(f"run {i + 1} of {len(payloads)}")
        bench.harmless()
        bench.press("n")
        bench.page.keyboard.insert_text(payload)
        bench.press("Escape", "1", *(["ArrowRight"] if i + 1 == len(payloads) else []))
    bench.wait(2 * len(payloads))
    bench.harmless()
    assert found == []


def test_who_types_elsewhere_is_not_interrupted(labeller):
    bench = labeller(before="\nimport time")
    cells = bench.page.locator(".jp-CodeCell .cm-content")
    cells.nth(1).click()
    bench.page.keyboard.press("Control+Home")
    bench.page.keyboard.type("time.sleep(1)\n")
    bench.root.evaluate("node => { node.dataset.former = 'yes'; }")
    bench.page.keyboard.press("Shift+Enter")
    cells.nth(2).click()
    bench.page.keyboard.type("1 + ")
    bench.page.locator(".rl-labeller:not([data-former])").wait_for()
    bench.told("Your keys go elsewhere")
    bench.page.keyboard.type("3")
    wait_for(lambda: "1 + 3" in cells.nth(2).inner_text())
