"""An exercise of the course, checked by the Python of the page."""

import json

import pytest
from tabs import Tab
from website import build, course

pytestmark = pytest.mark.live
RIGHT = 'kept = {"react": {"thought", "action", "observation"}, "act": {"action", "observation"}, "cot": {"thought"}, "standard": set()}'


@pytest.fixture
def lesson(site, browser, server):
    build.write_assets(site)
    course.write_course(site, course.books()[1:2], live=True)
    tab = Tab(browser, server)
    tab.page.goto(f"{server}/course/01_four_ways_to_prompt.html")
    yield tab
    tab.close()


def test_code_is_checked_kept_and_handed_in(lesson, tmp_path):
    page = lesson.page
    field, said = page.get_by_label("Exercise 1.1: your code"), page.locator(".check .said")
    check = page.locator(".check").get_by_role("button", name="Check")
    page.clock.install()
    for code, words in (
        ("kept = 3", "not yet: This exercise asks for a dict"),
        ("kept = (", "Python cannot read line 1"),
        ("while True: pass", "has not ended"),
        (RIGHT, "right: Well done"),
    ):
        field.fill(code)
        check.click()
        said.get_by_text(words).wait_for()
        if "while" not in code:
            page.clock.fast_forward(60_000)  # what was waited for is waited for no more
    # a Python that was told to stop is the only one that is loaded anew
    assert sum("react_lab.zip" in url for url in lesson.asked) == 2
    page.reload()
    assert field.input_value() == RIGHT
    page.get_by_label("Your name").fill("Ada")
    with page.expect_download() as got:
        page.get_by_role("button", name="Download the report").click()
    got.value.save_as(tmp_path / "report.json")
    (worked,) = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["exercises"]
    assert worked == {"number": "1.1", "passed": True, "tries": 2, "given": RIGHT, "hints": 0}
    assert lesson.outside == [] and lesson.errors == []
