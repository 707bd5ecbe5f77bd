"""The shop's site in a real browser: by mouse and by keys, light and dark, wide and narrow."""

import re

import pytest
from conftest import SCREENSHOTS

import react_lab as rl
from react_lab import store
from react_lab.envs.shop import Shop
from react_lab.shop_site import Players, open_site

pytestmark = pytest.mark.browser
LOOKS = {
    "light": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "narrow": {"viewport": {"width": 400, "height": 800}, "color_scheme": "light"},
}
WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def way(task):
    """A product that earns something, and a search that shows it."""
    world = Shop()
    title = world(task).known(task.extra["asin"]).title
    env = world(task)
    env.step(f"search[{title}]")
    assert f"click[{task.extra['asin']}]" in env.admissible()
    return title, task.extra["asin"], [*task.extra["options"]]


@pytest.fixture
def shop(browser, tmp_path):
    """shop(look) -> a page at a site of three goals; no error in its console, nothing from outside."""
    tasks, path = rl.tasks.load("shop", "test", 3), tmp_path / "runs.jsonl"
    agents = [
        rl.types.Trajectory(f"a{i}", t, "react", "a model", reward=0.5, end="finished")
        for i, t in enumerate(tasks)
    ]
    faults, contexts = [], []
    with open_site(Players(tasks, path, others=agents)) as site:

        def open_(look, **more):
            context = browser.new_context(**LOOKS[look], **more)
            contexts.append(context)
            page = context.new_page()
            page.set_default_timeout(60_000)
            page.on("console", lambda said: faults.append(said.text))
            page.on("request", lambda r: r.url.startswith(site.url) or faults.append(r.url))
            page.goto(site.url)
            page.task, page.way = tasks[0], way(tasks[0])
            return page

        open_.path = path
        yield open_
        for context in contexts:
            context.close()
        assert not faults


def look(page, name):
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"shop-{name}.png", full_page=True)
    assert not page.evaluate(WIDER), f"{name} is wider than its window"


@pytest.mark.parametrize("how", LOOKS)
def test_goals_are_shopped_for_by_mouse(shop, how):
    page = shop(how)

    def press(words):
        page.get_by_role("button", name=words, exact=True).click()

    title, asin, options = page.way
    look(page, f"{how}-1-start")
    page.get_by_label("Your name (may stay empty)").fill("Ada")
    press("Start")
    assert page.get_by_label("Instruction").get_by_text(page.task.text).is_visible()
    look(page, f"{how}-2-search")
    page.get_by_label("What are you looking for?").fill(title)
    press("Search")
    look(page, f"{how}-3-results")
    page.get_by_role("button", name=re.compile(asin)).click()
    for option in options:
        press(option)
        assert (
            page.get_by_role("button", name=f"✓ {option}", exact=True).get_attribute("aria-pressed")
            == "true"
        )
    look(page, f"{how}-4-product")
    press("Features")
    look(page, f"{how}-5-features")
    page.reload()
    press("< Prev")
    press("Buy Now")
    assert page.get_by_role("heading", name=re.compile("Your score: 1 of 1")).is_visible()
    look(page, f"{how}-6-score")
    page.go_back()
    assert page.get_by_role("button", name="Buy Now", exact=True).count() == 0
    page.goto(page.url)
    press("Next goal")
    press("Give up this goal")
    press("Stop here")
    look(page, f"{how}-7-table")
    assert [run.end for run in store.open(shop.path)] == ["finished", "cancelled"]


def test_a_goal_is_shopped_for_by_keys_alone_without_javascript(shop):
    page = shop("light", java_script_enabled=False)
    title, asin, _ = page.way
    page.keyboard.type("Ada")  # the field is in focus
    page.keyboard.press("Enter")
    page.get_by_text("step 1 of 15").wait_for()
    page.keyboard.type(title)
    page.keyboard.press("Enter")
    page.get_by_text("step 2 of 15").wait_for()

    def tab_to(words):
        for _ in range(30):
            page.keyboard.press("Tab")
            focused = page.locator(":focus")
            if focused.count() and words in focused.inner_text():
                return page.keyboard.press("Enter")
        raise AssertionError(f"no Tab leads to {words}")

    tab_to(asin)
    page.get_by_text("step 3 of 15").wait_for()
    tab_to("Buy Now")
    page.get_by_role("heading", name=re.compile("Your score")).wait_for()
    page.keyboard.press("Enter")  # Next goal is in focus
    page.get_by_text("Goal 2 of 3").wait_for()
    assert len(store.open(shop.path)) == 1
