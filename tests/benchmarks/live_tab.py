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

import react_lab as rl

ARGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
SLOW = 3_600_000


def browsers():
    """The processes of the browser, and of no other one."""
    return [child for child in psutil.Process().children(recursive=True) if "chrom" in child.name()]


def say(**what):
    cpu = sum(sum(child.cpu_times()[:2]) for child in browsers())
    pss = sum(child.memory_full_info().pss for child in browsers())
    told = {"cpu_s": round(cpu), "MB": pss >> 20, "load": round(os.getloadavg()[0], 1)}
    sys.stdout.write(json.dumps(what | told) + "\n")
    sys.stdout.flush()


def acts(run):
    return [step.action for step in run.steps]


def in_tab(page, task, folder):
    page.check(f"input[name=kind][value={task.kind}]")
    page.fill("#text", task.text)
    before, began = page.locator("#runs .run").count(), time.monotonic()
    page.click("#go")
    page.locator("#runs .run").nth(before).wait_for(timeout=SLOW)
    card = page.locator("#runs .run").first
    card.locator("ol li .thought").first.wait_for(timeout=SLOW)
    first = time.monotonic() - began
    card.locator(".end:not([hidden])").wait_for(timeout=SLOW)
    with page.expect_download(timeout=SLOW) as found:
        card.get_by_role("button", name="Download this run").click()
    found.value.save_as(folder / f"{task.id}.jsonl")
    (run,) = rl.store.open(folder / f"{task.id}.jsonl")
    return run, first


def main(folder, threads, how_many, first=1):
    recorded = rl.store.open(rl.data.folder("runs", "first_questions", "react.jsonl"))
    recorded = recorded[first - 1 :][:how_many]
    kept, same = Path(tempfile.mkdtemp()), 0
    with sync_playwright() as playwright, folder_served(folder) as address:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
        page = browser.new_page()
        page.goto(f"{address}/live/index.html?threads={threads}", timeout=SLOW)
        page.locator("#load:enabled").click(timeout=SLOW)
        page.locator("body[data-ready]").wait_for(timeout=SLOW)
        say(loaded=page.inner_text("#sizes"))
        for i, theirs in enumerate(recorded, 1):
            run, first = in_tab(page, theirs.task, kept)
            same += acts(run) == acts(theirs)
            facts = {"seconds": run.seconds, "first_step": round(first, 1), "steps": len(run.steps)}
            facts |= {"read": run.tokens_in, "written": run.tokens_out, "same": f"{same} of {i}"}
            facts |= {"task": run.task.text, "acts": acts(run), "here": acts(theirs)}
            say(**facts, speed=page.inner_text("#speed"))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
