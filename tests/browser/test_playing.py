"""A game played by hand in the real JupyterLab: keys, buttons, a restart, hostile text."""

import json

import pytest
from conftest import Bench, wait_for
from test_display import PAYLOADS

pytestmark = pytest.mark.browser
SHOW = """\
import react_lab as rl
from react_lab.widgets import Console
task = rl.tasks.load("household", "old")[2]
c = Console(task)
c
"""
OWN = """\
import json, time
from pathlib import Path
from react_lab.types import Action, Seen, Task
from react_lab.widgets import Console
words = json.loads({words!r})

class World:
    actions, snapshot = (Action('say', 'says'),), 'own'
    __call__ = lambda self, task: self
    reset = lambda self, task: ' '.join(words)
    admissible = lambda self: words
    def step(self, action):
        while {slow} and not Path('answer').exists():
            time.sleep(0.02)
        return Seen('Heard: ' + action + ' '.join(words), why=' '.join(words))

Console(Task('t', 'household', ' '.join(words), extra={{'type': 'x'}}), World())
"""


class Game(Bench):
    element = "rl-console"

    def __init__(self, book):
        super().__init__(book)
        self.field = self.root.get_by_label("Your act")

    def button(self, name):
        return self.root.get_by_role("button", name=name, exact=True)

    def type(self, *lines):
        for line in lines:
            self.field.fill(line)
            self.page.keyboard.press("Enter")
            self.quiet()


@pytest.fixture
def console(notebook):
    return lambda code=SHOW: Game(notebook(code, "2 + 2"))


def test_a_game_is_played_with_keys_and_with_buttons(console):
    bench = console()
    bench.field.click()
    bench.type("think: A mug. It may be anywhere.", "go to countertop 1", "put mug on dresser")
    words = "OK.", "On the countertop 1, you see", "Nothing happens.", "Why?", "2 acts, 1 thought;"
    for each in words:
        bench.told(each)
    bench.page.keyboard.press("ArrowUp")
    assert bench.field.input_value() == "put mug on dresser"
    bench.page.keyboard.press("ArrowDown")
    bench.button("go to fridge 1").click()
    bench.told("The fridge 1 is closed.")
    assert bench.field.evaluate("node => node === document.activeElement")
    bench.type("open fridge 1", "take mug 1 from fridge 1", "go to microwave 1",
               "heat mug 1 with microwave 1", "go to dresser 1")  # fmt: skip
    bench.button("Larger map").click()
    bench.button("Smaller map").wait_for()
    bench.type("put mug 1 in/on dresser 1")
    bench.told("You have won.")
    assert not bench.field.is_enabled()
    bench.button("Begin again").click()
    bench.told("No act yet")
    assert bench.root.locator(".rl-entry").count() == 0 and bench.book.errors == []


def test_a_game_is_lost_by_two_clicks_or_its_cell_run_again(console):
    bench = console()
    bench.field.click()
    bench.type("look")
    bench.button("Begin again").click()
    bench.told("Really?")
    assert bench.root.locator(".rl-entry").count() == 1
    bench.type("inventory")
    bench.told("2 acts")
    bench.button("Begin again").click()
    bench.root.get_by_role("button", name="Really?").click()  # and what would be lost
    bench.told("No act yet")
    bench.type("look")
    bench.run_again()
    wait_for(bench.book.done)
    assert bench.root.count() == 1
    bench.told("No act yet")
    bench.type("go to countertop 1")
    bench.told("1 act,")


def test_while_the_game_answers_nothing_can_be_clicked_and_nothing_typed_is_lost(console, lab):
    bench = console(OWN.format(words='["say one", "say two"]', slow=True))
    one, two, *waits = map(bench.button, ("say one", "say two", "Do it", "Begin again"))
    one.click()
    bench.told("The game answers")
    assert [each.is_disabled() for each in (one, two, *waits)] == [True] * 4
    bench.field.fill("say three")
    bench.page.keyboard.press("Enter")
    (lab.root / "answer").touch()
    bench.quiet()
    assert bench.root.locator(".rl-entry").count() == 1 and two.is_enabled()
    assert bench.field.input_value() == "say three"
    bench.page.keyboard.press("Enter")
    bench.told("Heard: say three")
    two.click()
    bench.told("Heard: say two")


def test_where_no_act_can_be_listed_no_list_is_shown(console):
    bench = console(SHOW.replace('"household", "old"', '"shop", "old"'))
    assert bench.root.locator("details").is_hidden()
    bench.type("search[black lead]")
    bench.button("click[Next >]").wait_for()
    assert bench.root.locator("details").is_visible()


def test_hostile_text_is_only_text(console):
    bench = console(OWN.format(words=json.dumps(PAYLOADS), slow=False))
    bench.type("say <img src=x onerror=alert(1)>", *PAYLOADS[:8])
    bench.harmless(images=1)
    assert bench.root.locator("img[src]").count() == 0
