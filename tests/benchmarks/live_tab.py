"""The live tab measured: python tests/benchmarks/live_tab.py FOLDER THREADS HOW_MANY [FIRST]

FOLDER is what `python -m react_lab site FOLDER` wrote. Load time, memory, the first step,
seconds an episode (of the clock, and of the processors: others may use them too); and whether the
acts are those of the native server, in the first of the recorded questions, or from FIRST on (to go
on where it was stopped). Lines of JSON.
"""

import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import bench  # noqa: F401  (the path of what follows)
import psutil
from file_server import folder_served
from playwright.sync_api import sync_playwright
from tabs import Tab, begun

import react_lab as rl

ARGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
SLOW = 3_600_000


def say(**what):
    ours = psutil.Process().children(recursive=True)
    browser = [child for child in ours if "chrom" in child.name()]
    cpu = sum(sum(child.cpu_times()[:2]) for child in browser)
    pss = sum(child.memory_full_info().pss for child in browser)
    told = {"cpu_s": round(cpu), "MB": pss >> 20, "load": round(os.getloadavg()[0], 1)}
    print(json.dumps(what | told), flush=True)


def acts(run):
    return [step.action for step in run.steps]


def in_tab(tab, task, folder):
    """The run that the tab makes of a task, and when its first step was there."""
    page, began = tab.page, time.monotonic()
    before = page.locator("#runs .run").count()
    page.check(f"input[name=kind][value={task.kind}]")
    page.fill("#text", task.text)
    page.click("#go")
    page.locator("#runs .run").nth(before).wait_for()
    card = page.locator("#runs .run").first
    card.locator("ol li .thought").first.wait_for()
    first = time.monotonic() - began
    card.locator(".end:not([hidden])").wait_for()
    press = card.get_by_role("button", name="Download this run").click
    (run,) = rl.store.open(tab.download(press, folder))
    return run, first


def main(folder, threads, how_many, first=1):
    recorded = rl.store.open(rl.data.folder("runs", "first_questions", "react.jsonl"))
    recorded = recorded[first - 1 :][:how_many]
    kept, same = Path(tempfile.mkdtemp()), 0
    with sync_playwright() as playwright, folder_served(folder) as address:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
        tab = Tab(browser, address)
        tab.page.set_default_timeout(SLOW)
        begun(tab, f"live/index.html?threads={threads}")
        say(loaded=tab.page.inner_text("#sizes"))
        for i, theirs in enumerate(recorded, 1):
            run, first = in_tab(tab, theirs.task, kept)
            same += acts(run) == acts(theirs)
            facts = {"seconds": run.seconds, "first_step": round(first, 1), "steps": len(run.steps)}
            facts |= {"read": run.tokens_in, "written": run.tokens_out, "same": f"{same} of {i}"}
            facts |= {"task": run.task.text, "acts": acts(run), "here": acts(theirs)}
            say(**facts, speed=tab.page.inner_text("#speed"))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
