"""The player in the real JupyterLab, and as a page without kernel and network: keys, buttons, text."""

import json
from dataclasses import replace

import pytest
from conftest import Bench, wait_for
from test_display import PAYLOADS, infected

import react_lab as rl
from react_lab.types import Step, Task, Trajectory
from react_lab.widgets import player

pytestmark = pytest.mark.browser

# A model that writes when it is let to: word by word, so that the text is seen while it grows.
MAKE = """\
import react_lab as rl, threading
from react_lab.types import Reply
task = rl.tasks.load('multihop', 'demo')[0]
gate = threading.Semaphore(0)

class Slow:
    name, tuned, context = 'slow', frozenset(), 4000
    lines = [' I need Copenhagen.\\nAction 1: Search[Copenhagen]', ' Copenhagen is the capital of Denmark.\\nAction 2: Lookup[hafnium]', ' So it is.\\nAction 3: Finish[hafnium]']
    def __init__(self):
        self.left = list(self.lines)
    def identity(self, leg):
        return 'slow'
    def complete(self, ask, on_text=None):
        gate.acquire()
        text = self.left.pop(0)
        for word in text.split(' ')[1:]:
            on_text(' ' + word)
        return {0: Reply(text)}

script = rl.models.scripted(Slow.lines)
run = rl.run('react', task, script)
"""
LIVE = "p = rl.widgets.player(task=task, model=Slow()); p"
KEPT = "p = rl.widgets.player(run, model=rl.models.scripted([' Search[Denmark]', '  It.\\nAction 3: Finish[Denmark]'])); p"


class Playing(Bench):
    element = "rlp-player"

    def shows(self):
        """The thoughts and acts that are in sight."""
        parts = self.root.locator(".rlp-steps :is(.rlp-thought, .rlp-action) .rlp-text")
        return [part.inner_text() for part in parts.all() if part.is_visible()]

    def focused(self):
        return self.root.evaluate("node => node === document.activeElement")

    def run_cell(self, code):
        """In the notebook's last cell, while the player goes on."""
        self.page.locator(".jp-CodeCell .cm-content").last.click()
        self.press("Control+a")
        self.page.keyboard.type(code)
        self.press("Control+Enter")
        wait_for(self.book.done)


@pytest.fixture
def opened_player(notebook):
    return lambda show=KEPT, **options: Playing(notebook(MAKE, show, "2 + 2", **options))


def test_it_takes_the_keyboard_when_it_appears(opened_player):
    bench = opened_player()
    bench.told("The player has the keyboard")
    assert bench.focused()
    bench.told("step 1 of 3")
    bench.press("ArrowRight")
    bench.told("step 2 of 3")
    bench.told("Copenhagen is the capital of Denmark.")
    bench.press("ArrowLeft", "Home")
    bench.told("step 0 of 3")
    assert bench.shows() == []
    bench.press("End")
    bench.told("As it ended")
    assert len(bench.shows()) == 6 and bench.book.errors == []
    bench.press("Home", "Space")
    bench.root.get_by_role("button", name="Pause").wait_for()
    bench.told("step 3 of 3")
    bench.root.get_by_role("button", name="Play").wait_for()


def test_shift_enter_runs_the_next_cell_and_not_the_players_again(opened_player):
    bench = opened_player()
    bench.told("The player has the keyboard")
    bench.root.focus()
    bench.press("ArrowRight", "Shift+Enter")
    prompts = bench.page.locator(".jp-CodeCell .jp-InputPrompt")
    wait_for(lambda: prompts.nth(2).inner_text().strip() == "[4]:")
    assert prompts.nth(1).inner_text().strip() == "[2]:" and not bench.focused()
    bench.told("step 2 of 3")


def test_live_words_appear_as_they_are_written_and_steps_as_they_happen(opened_player):
    bench = opened_player(LIVE)
    bench.told("The model thinks about step 1")
    bench.run_cell("gate.release()")
    bench.told("step 1 of 1 so far")
    bench.told("I need Copenhagen.")
    bench.root.get_by_role("button", name="Pause").click()
    bench.root.get_by_role("button", name="Play").wait_for()
    bench.run_cell("gate.release(); p.episode.left")
    bench.told("step 2 of 2 so far")
    bench.told("Paused before step 3")
    bench.run_cell("gate.release()")
    bench.root.focus()
    bench.press("ArrowLeft", "ArrowRight", "ArrowRight")
    bench.told("Finish[hafnium]")
    bench.told("finished by itself")
    bench.run_cell("print('ANSWER', p.wait().answer)")
    bench.page.get_by_text("ANSWER hafnium").wait_for()


def test_a_changed_thought_goes_on_beside_the_run_it_was_made_of(opened_player):
    bench = opened_player()
    bench.press("ArrowRight", "e")
    field = bench.root.get_by_label("Thought 2 of run 1")
    assert field.input_value() == "Copenhagen is the capital of Denmark."
    field.fill("")
    bench.page.keyboard.type("I add a d d x 3 m.")
    bench.press("Tab", "Enter")
    bench.told("written by a person")
    bench.told("the same in both runs")
    bench.told("goes on from run 1; a person wrote Thought 2")
    bench.press("End")
    bench.told("Finish[Denmark]")
    bench.told("Finish[hafnium]")
    bench.root.evaluate("node => node.scrollIntoView({ block: 'start' })")
    bench.root.get_by_role("button", name="Run 1", exact=True).click()
    assert bench.root.get_by_text("Finish[Denmark]").count() == 0
    bench.root.get_by_role("button", name="Run 2 beside run 1").click()
    bench.told("Finish[Denmark]")


def test_the_prompt_grows_by_what_a_step_added_and_keys_lead_out(opened_player):
    bench = opened_player()
    bench.told("What is asked for step 2")
    added = bench.root.locator("mark.rlp-added")
    assert added.inner_text().startswith("Thought 1: I need Copenhagen.")
    bench.press("ArrowRight")
    bench.told("What is asked for step 3")
    assert added.inner_text().startswith("Thought 2: Copenhagen is the capital of Denmark.")
    bench.told("Lookup “hafnium”")
    bench.root.get_by_text("Instruction and exemplars").click()
    assert bench.root.locator(".rlp-head[open]").count() == 1
    inside = "document.activeElement.closest('.rlp-player') !== null"
    for _ in range(80):
        bench.press("Tab")
        if not bench.page.evaluate(inside):
            break
    assert not bench.page.evaluate(inside)


def test_it_can_be_read(opened_player):
    """Also in letters for a lecture hall: nothing is cut off at the side."""
    bench = opened_player("rl.widgets.player(run, run)", width=1000)
    bench.root.get_by_role("button", name="Run 1", exact=True).click()
    bench.press("End")
    bench.root.evaluate("node => node.scrollIntoView({ block: 'start' })")
    bench.press("+", "+", "+", "k", "?")
    bench.told("often wrong")
    bench.root.evaluate("node => node.scrollIntoView({ block: 'start' })")
    assert bench.cut_off("button", ".rlp-part", ".rlp-panel") == 0


def test_hostile_text_is_only_text(opened_player, tmp_path):
    bad = infected(" ".join(PAYLOADS))
    bad = replace(bad, id="r", task=replace(bad.task, id="t", extra={}))
    rl.store.append(tmp_path / "runs.jsonl", bad)
    bench = opened_player(f"rl.widgets.player({str(tmp_path / 'runs.jsonl')!r})")
    bench.press("End", "k", "?")
    bench.harmless()


# ---------------------------------------------------------------------- the page without a kernel
def question():
    steps = (
        Step("I need to find who wrote The Book.", "Search[The Book]", "The Book is a novel by Ann Smith. It was printed in Leeds."),
        Step("The Book is a novel by Ann Smith, and it was printed in Leeds.", "Lookup[novel]", "No more results."),
        Step("So the answer is Ann Smith.", "Finish[Ann Smith]", ""),
    )  # fmt: skip
    task = Task("t", "multihop", "Who wrote The Book?", "Ann Smith")
    return Trajectory("r", task, "react", "m", steps=steps, answer="Ann Smith", end="finished")


def test_the_page_plays_by_keys_and_a_sentence_leads_to_its_thoughts_and_back(tab, tmp_path):
    path = player(question()).save(tmp_path / "run.html")
    found = tab(tmp_path.as_uri(), offline=True)
    page = found.open("run.html")
    assert page.evaluate("document.activeElement.className") == "rlp-player"
    page.get_by_text("step 1 of 3").first.wait_for()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.get_by_text("finished by itself").first.wait_for()
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.get_by_text("step 3 of 3").first.wait_for()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('button.rlp-sentence')"):
            break
    page.keyboard.press("Enter")
    page.get_by_text("Thought 2 draws on this sentence.").wait_for()
    page.locator("span.rlp-sentence").first.click()
    page.get_by_text("No thought draws on this sentence").wait_for()
    page.keyboard.press("k")
    page.get_by_role("button", name="draws on Observation 1").first.click()
    assert page.locator(".rlp-picked").count() == 1
    assert found.asked == [path.as_uri()]


def test_the_page_reads_well_without_any_script(tab, tmp_path):
    player(question()).save(tmp_path / "run.html")
    page = tab(tmp_path.as_uri(), offline=True, java_script_enabled=False).open("run.html")
    words = page.locator("body").inner_text()
    assert "It was printed in Leeds." in words and "So the answer is Ann Smith." in words


def test_the_page_holds_hostile_text_as_text_and_runs_no_script_but_its_own(tab, tmp_path):
    bad = infected(" ".join(PAYLOADS) + "</script><!--<script>")
    path = player(bad, infected("calm")).save(tmp_path / "run.html")
    found = tab(tmp_path.as_uri(), offline=True)
    page = found.open("run.html")
    for key in ("End", "k", "?", "p", "p", "w"):
        page.keyboard.press(key)
    page.locator(".rlp-step").first.wait_for()
    alive = page.locator("body :is(svg, iframe, a, math, video, img, object, link)").count()
    assert (alive, found.faults, found.asked) == (0, [], [path.as_uri()])
    page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s) }"
    )
    assert page.evaluate("window.ran") is None and "script-src" in json.dumps(found.faults)
    found.faults.clear()  # the browser's own words for it
