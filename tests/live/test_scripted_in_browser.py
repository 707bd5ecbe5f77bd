"""The live tab in Chromium with a model that says what it is told: hostile texts, and keys alone."""

import json
import re
import zipfile

import pytest
from shut_out import grave
from tabs import Tab, ask, begun, told_as_a_file
from test_display import PAYLOADS

import react_lab as rl
from react_lab.languages.language import CUTS, cut_of, key_of
from react_lab.support.text import visible

pytestmark = pytest.mark.live
WIKI, CUT = "react_lab/_data/wiki/pages.jsonl", f"react_lab/_data/{CUTS}"
# What none of our own pages holds where runs are shown; noted as soon as it is there.
GUARD = """
window.alien = [];
const wrong = "img, image, picture, iframe, object, embed, video, audio, svg, math, base, meta, link, style, script, marquee, a[href^='j'], template, portal";
new MutationObserver((all) => {
  for (const { addedNodes } of all) for (const node of addedNodes)
    if (node.nodeType === 1 && node.closest("main") && (node.matches(wrong) || node.querySelector(wrong))) window.alien.push(node.outerHTML);
}).observe(document, { childList: true, subtree: true });
"""


def infected(there):
    """The package of the tab with a page for each payload: in its title and in its text."""
    rows = [
        {"title": f"Trap {i} {text}", "aliases": [f"Door {i}"], "split": "train", "text": text}
        for i, text in enumerate(PAYLOADS)
    ]
    out = there / "infected.zip"
    with zipfile.ZipFile(there / "react_lab.zip") as clean, zipfile.ZipFile(out, "w") as box:
        for name in clean.namelist():
            told = clean.read(name)
            if name == WIKI:
                told += "".join(json.dumps(row) + "\n" for row in rows).encode()
            if name == CUT:
                cuts = json.loads(told)
                cuts |= {key_of(text): [*map(len, cut_of(text))] for text in PAYLOADS}
                told = json.dumps(cuts)
            box.writestr(name, told)
    return out.read_bytes()


# In place of model.js: the replies of `window.says`, one after the other; without one it waits.
SCRIPTED = """
export const keptFiles = async (files) => ({ can: true, lacking: files });
export const threadsHere = () => 1;
export class Model {
  constructor() { this.threads = 1; }
  async load(onBytes, onNote) { onNote(); }
  async complete(ask, onText, signal) {
    const text = window.says?.shift();
    if (text === undefined)
      await new Promise((_, stopped) => signal.addEventListener("abort", () => stopped(signal.reason)));
    for (let end = 1; end <= text.length; end += 7) onText(text.slice(0, end));
    onText(text);
    await new Promise(requestAnimationFrame); // so that what streams in is drawn
    const settings = { api: "a test", temperature: 0, stop_sent: true, threads: 1 };
    return { text, why: "stop", tokens_in: 1, tokens_out: 1, seconds: 0.1, settings };
  }
}
"""


def scripted(tab):
    """Its model is the one that a test tells what to say."""
    tab.instead("live/model.js", SCRIPTED, "text/javascript")
    return tab


LOOKS = " I look at Denmark.\nAction 1: Search[Denmark]"


def says(page, texts):
    page.evaluate("(says) => { window.says = says; }", texts)


def bare(text):
    return re.sub(r"\s+", "", text)


@pytest.fixture(scope="module")
def trapped(browser, server, site):
    """A tab whose encyclopedia is hostile, and whose model is about to be."""
    with Tab(browser, server) as tab:
        tab.context.add_init_script(GUARD)
        tab.instead("react_lab.zip", infected(site / "live"), "application/zip")
        begun(scripted(tab))
        yield tab


@pytest.mark.parametrize("i", range(0, len(PAYLOADS), 4))
def test_a_hostile_question_page_and_model_stay_text(trapped, i, tmp_path):
    page = trapped.page
    for at in range(i, min(i + 4, len(PAYLOADS))):
        payload = PAYLOADS[at]
        acts = [f"Search[Trap {at}]", f"Search[Door {at}]", "Lookup[alert]", payload]
        acts += [f"Finish[{payload}]"] * 25
        says(page, [f" {payload}\nAction {n}: {act}" for n, act in enumerate(acts, 1)])
        card = ask(page, payload)
        press = card.get_by_role("button", name="Download this run").click
        (run,) = rl.store.open(trapped.download(press, tmp_path))
        assert run.task.text == run.steps[1].observation == payload  # nothing softened it
        shown = bare(card.text_content())
        for step in run.steps:
            for part in (step.thought, step.observation):
                assert bare(visible(part or "")) in shown
        assert shown.count(bare(visible(payload))) >= 4
        card.get_by_role("button", name="Change step 2").click()
        told = card.locator(".edit textarea").input_value()
        assert told and bare(visible(payload)).startswith(bare(told)[:9])
        page.keyboard.press("Escape")
    assert page.evaluate("window.alien") == []
    assert page.evaluate("location.pathname") == "/live/index.html"
    trapped.clean()


# ---------------------------------------------------------------------- keys alone
def to(page, place, key="Tab"):
    """Go there by the Tab key, as somebody without a mouse does."""
    for _ in range(60):
        if place.evaluate("(node) => node === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"no key leads to {place}")


def press(page, place, key="Enter"):
    to(page, place)
    page.keyboard.press(key)


def test_asked_stopped_changed_and_downloaded_by_keys_alone(tab, tmp_path):
    page = scripted(tab).open("live/index.html")
    page.locator("#load:enabled").wait_for()
    says(page, [LOOKS])
    press(page, page.locator("#load"))
    page.locator("body[data-ready]").wait_for()
    to(page, page.locator("#text"))
    page.keyboard.type("Which city is the capital of Denmark?")
    to(page, page.locator("input[name=method]:checked"))
    for key, method in (("ArrowDown", "act"), ("ArrowDown", "cot"), ("ArrowUp", "act"), ("ArrowUp", "react")):  # fmt: skip
        page.keyboard.press(key)
        assert page.locator("input[name=method]:checked").get_attribute("value") == method
    press(page, page.locator("#go"))
    card = page.locator("#runs .run").last
    card.locator("li").first.wait_for()  # the first step is there; the model says no more
    press(page, page.locator("#stop"))
    card.locator(".end", has_text="Stopped by hand.").wait_for()
    press(page, card.get_by_role("button", name="Change step 1"))
    assert card.locator(".edit textarea").evaluate("(node) => node === document.activeElement")
    page.keyboard.press("Control+A")
    page.keyboard.type("The capital is Copenhagen.")
    says(page, [" Finish[Copenhagen]"] * 9)
    press(page, card.get_by_role("button", name="Go on from here"))
    edited = page.locator("#runs .run", has_text="changed at step 1")
    edited.locator(".end", has_text="It has answered.").wait_for()
    download = edited.get_by_role("button", name="Download this run")
    (run,) = rl.store.open(tab.download(lambda: press(page, download), tmp_path))
    assert run.steps[0].thought == "The capital is Copenhagen." and "thought" in run.steps[0].human
    assert (run.method, run.answer, run.task.gold) == ("react", "Copenhagen", None) and run.parent


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("name", ["index", "household"])
def test_a_page_and_what_changes_a_run_shut_nobody_out(browser, server, name, scheme):
    with Tab(browser, server, color_scheme=scheme) as tab:
        if name == "index":
            page = begun(scripted(tab))
            says(page, [LOOKS, *[" So.\nAction 2: Finish[Copenhagen]"] * 9])
            card = ask(page, "Which city is the capital of Denmark?")
            card.get_by_role("button", name="Change step 1").click()
        else:
            page = tab.open("live/household.html")
            page.locator("body[data-ready]").wait_for()
        assert not grave(page)
        page.set_viewport_size({"width": 400, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 400


@pytest.mark.parametrize("name", ["index", "household", "shop"])
def test_opened_as_a_plain_file_the_page_says_what_to_do(browser, site, name):
    assert "python -m http.server" in told_as_a_file(browser, site / "live" / f"{name}.html")
