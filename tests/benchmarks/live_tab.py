"""The live tab measured: python tests/benchmarks/live_tab.py FOLDER THREADS DEMOS

FOLDER is what `python -m react_lab.site.live FOLDER` wrote. Load time, memory, the first thought,
seconds an episode; and the act sequences of as many demo questions beside those of the bundled
model on this machine. One line of JSON each, as it comes.
"""

import functools
import http.server
import json
import os
import shutil
import sys
import threading
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

import react_lab as rl

ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
SLOW = 1_800_000


def say(**what):
    what["load"] = round(os.getloadavg()[0], 1)
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve(folder):
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=folder)
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def memory(of):
    """Megabytes of all processes below one, shared pages once."""
    below, found = {of}, 0
    stats = {
        int(p.name): (p / "stat").read_text().rpartition(") ")[2].split()[1]
        for p in Path("/proc").glob("[0-9]*")
        if (p / "stat").exists()
    }
    for _ in stats:
        below |= {pid for pid, parent in stats.items() if int(parent) in below}
    for pid in below:
        try:
            rows = Path(f"/proc/{pid}/smaps_rollup").read_text().split("\n")
        except OSError:
            continue
        if b"chrom" in Path(f"/proc/{pid}/cmdline").read_bytes()[:200]:
            found += sum(int(row.split()[1]) for row in rows if row.startswith("Pss:"))
    return round(found / 1024)


def acts(run):
    return [step.action for step in run.steps]


def in_tab(page, task, folder, name):
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
    found.value.save_as(folder / name)
    (run,) = rl.store.open(folder / name)
    return run, round(first, 1)


def main(folder, threads, demos):
    kept = Path(folder) / "measured"
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    model, tasks = rl.models.local(), rl.tasks.load("multihop", "demo")[:demos]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
        page = browser.new_page()
        page.goto(f"{serve(folder)}/live/index.html?threads={threads}", timeout=SLOW)
        page.locator("#load:enabled").click(timeout=SLOW)
        page.locator("body[data-ready]").wait_for(timeout=SLOW)
        say(loaded=page.inner_text("#sizes"), megabytes=memory(os.getpid()))
        alike = 0
        for i, task in enumerate(tasks):
            run, first = in_tab(page, task, kept, f"{i}.jsonl")
            say(
                task=task.id,
                first_step=first,
                seconds=run.seconds,
                steps=len(run.steps),
                tokens=[run.tokens_in, run.tokens_out],
                acts=acts(run),
                speed=page.inner_text("#speed"),
            )
            theirs = rl.run("react", task, model)
            alike += acts(theirs) == acts(run)
            say(
                task=task.id,
                here=acts(theirs),
                same=acts(theirs) == acts(run),
                alike=alike,
                of=i + 1,
                seconds=theirs.seconds,
            )
        say(megabytes=memory(os.getpid()))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
