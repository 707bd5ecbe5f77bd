"""The live tab in Chromium, from a plain web server, with everything else cut off."""

import json
import re

import pytest
from tabs import Tab, ask, begun
from website import build, course

import react_lab as rl

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def loaded(browser, server):
    """A tab with the real model in it, on one thread."""
    with Tab(browser, server) as tab:
        begun(tab, "live/index.html?threads=1")
        yield tab


def test_who_clicks_at_once_gets_the_model_on_two_threads(tab):
    """The page loads itself anew for its threads; what is read right after that can be lost."""
    begun(tab, "live/index.html?threads=2")


def asked(tab, text, folder):
    """The card of a run, and the run as it is downloaded."""
    card = ask(tab.page, text, kind="multihop", method="standard")
    press = card.get_by_role("button", name="Download this run").click
    (run,) = rl.store.open(tab.download(press, folder))
    return card, run


def test_the_real_model_answers_and_the_run_opens_in_the_package(loaded, tmp_path):
    text = "Were James Whale and Steven Spielberg both film directors?"
    card, run = asked(loaded, text, tmp_path)
    assert (run.method, run.end, run.calls) == ("standard", "finished", 1)
    assert run.answer and run.answer in card.inner_text()
    assert run.task.gold == "yes" and run.settings["bare"] == ["standard"]
    named = r"SmolLM2-135M-Instruct.Q5_1 [0-9a-f]{16} adapter=[0-9a-f]{16}"
    assert re.fullmatch(named, run.settings["identity"]["standard"])
    assert run.settings["effect"]["threads"] == 1
    assert rl.score.correct(run) in (True, False)


def test_two_methods_stand_side_by_side(loaded):
    page = loaded.page
    runs, count = page.locator("#runs .run"), page.locator("#runs .run").count()
    page.select_option("#beside", "cot")
    ask(page, "Which city is the capital of Denmark?", kind="multihop", method="standard")
    page.locator("#status", has_text="Done.").wait_for()
    page.select_option("#beside", "")
    assert runs.count() == count + 2
    one, other = (runs.nth(i).bounding_box() for i in (0, 1))
    assert one["y"] == other["y"] and one["x"] < other["x"]
    heads = page.locator("#runs h3").all_inner_texts()[:2]
    assert [re.search(r"\((\w+)\)", head)[1] for head in heads] == ["standard", "cot"]


def test_scale_0_is_the_plain_model(loaded, site, tmp_path):
    text = "Which city is the capital of Denmark?"
    loaded.page.select_option("#plain", "1")
    _, run = asked(loaded, text, tmp_path)
    loaded.page.select_option("#plain", "")
    plain = rl.models.local(site / "live" / "weights.gguf", adapter=None)
    theirs = rl.run("standard", rl.tasks.question(text), plain, shots=2)
    assert run.settings["bare"] == [] and run.settings["prompt"] == theirs.settings["prompt"]
    assert run.settings["identity"]["standard"].endswith("adapter=None")
    assert run.steps[0].raw == theirs.steps[0].raw


def test_the_second_time_the_model_comes_from_the_browser(loaded):
    assert any("weights.gguf" in url for url in loaded.asked)
    loaded.asked.clear()
    page = loaded.open("live/index.html?threads=1")
    page.locator("body[data-ready]").wait_for()  # without a click: nothing is to be fetched
    assert not any(".gguf" in url for url in loaded.asked)


def test_the_page_may_fetch_and_run_nothing_from_outside(tab):
    page = tab.open("live/index.html")
    page.locator("#load:enabled").wait_for()
    policy = page.get_attribute("meta[http-equiv=Content-Security-Policy]", "content")
    assert policy.startswith("default-src 'none'")
    refused = page.evaluate("fetch('https://example.org/').then(() => 'came', () => 'refused')")
    assert refused == "refused"
    ran = page.evaluate(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
        " document.head.append(s); return window.ran ?? 'no'; })()"
    )
    assert ran == "no"
    assert not tab.cut  # the page itself refused; nothing reached the network
    tab.faults.clear()  # the browser's own words for both


def test_recorded_runs_are_there_before_the_model(tab):
    page = tab.open("live/index.html")
    page.locator("#replay .part.thought").first.wait_for()
    asked = "Which ship was launched first, HMS Agamemnon or HMS Victory?"
    page.select_option("#which", label=asked)
    while page.get_by_role("button", name="Next step").count():
        page.get_by_role("button", name="Next step").click()
    assert "Look at this:" in page.inner_text("#replay")


@pytest.mark.parametrize("name", ["household", "shop"])
def test_a_game_is_played_by_hand(tab, name, tmp_path):
    page = tab.open(f"live/{name}.html")
    page.locator("body[data-ready]").wait_for()
    if name == "shop":
        page.get_by_label("Your act").fill("search[journal]")
        page.keyboard.press("Enter")
    else:
        page.locator(".rl-act").first.click()
    page.locator(".rl-entry").first.wait_for()
    (run,) = rl.store.open(tab.download(page.locator("#download").click, tmp_path))
    seen = " ".join(page.inner_text("#game").split())
    assert run.task.kind == name and run.method == "by hand"
    assert " ".join(run.steps[0].observation.split()) in seen


# ---------------------------------------------------------------------- an exercise of the course
RIGHT = 'kept = {"react": {"thought", "action", "observation"}, "act": {"action", "observation"}, "cot": {"thought"}, "standard": set()}'


def test_code_is_checked_kept_and_handed_in(site, tab, tmp_path):
    build.write_assets(site)
    course.write_course(site, course.books()[1:2], live=True)
    page = tab.open("course/01_four_ways_to_prompt.html")
    field, said = page.get_by_label("Exercise 1.1: your code"), page.locator(".check .said")
    check = page.locator(".check").get_by_role("button", name="Check")
    page.clock.install()
    told = {"kept = 3": "not yet: This exercise asks for a dict", "kept = (": "cannot read line 1",
            "while True: pass": "has not ended", RIGHT: "right: Well done"}  # fmt: skip
    for code, words in told.items():
        field.fill(code)
        check.click()
        said.get_by_text(words).wait_for()
        if "while" not in code:
            page.clock.fast_forward(60_000)  # what was waited for is waited for no more
    # a Python that was told to stop is the only one that is loaded anew
    assert sum("react_lab.zip" in url for url in tab.asked) == 2
    page.reload()
    assert field.input_value() == RIGHT
    page.get_by_label("Your name").fill("Ada")
    path = tab.download(page.get_by_role("button", name="Download the report").click, tmp_path)
    (worked,) = json.loads(path.read_text(encoding="utf-8"))["exercises"]
    assert worked == {"number": "1.1", "passed": True, "tries": 2, "given": RIGHT, "hints": 0}
