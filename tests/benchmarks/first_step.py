"""How soon a student sees a first live word, and a first whole step, after pressing Enter.

    python tests/benchmarks/first_step.py

In the player, asked as a student asks: by the bundled model, in a Python that has just started
(nothing is loaded), and again with the model loaded. Beside the seconds stand the CPU seconds that
Python and the model's server spent by then: those hardly depend on what else the machine does. Aim:
3 s to the first step on an idle laptop.
"""

import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

QUESTIONS = (
    "where was the director of Jaws born?",
    "which is longer, the Danube or the Rhine?",
    "What instrument did Einstein play?",
)
TICKS = os.sysconf("SC_CLK_TCK")


def cpu(pid):
    """CPU seconds of a process; Linux only."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def asked(rl, model, text):
    """Seconds and CPU seconds until the first word is shown, and the first step."""
    from react_lab.widgets import Player

    began, seen, there = time.perf_counter(), {}, threading.Event()
    child = model._child(start=False)
    before = time.process_time() + (cpu(child.pid) if child.alive else 0)

    def mark(name):
        if name not in seen:
            spent = time.process_time() + cpu(model._child(start=False).pid) - before
            seen[name] = (time.perf_counter() - began, spent)

    shown = Player(model=model)
    shown.front.observe(lambda change: change["new"] and mark("first word"), "text")

    def look(change):
        if change["new"].get("steps"):
            mark("first step")
            there.set()

    shown.front.observe(look, "live")
    shown.live(rl.tasks.question(text))
    there.wait(300)
    shown.stop()
    shown.wait()
    return seen


def once():
    began = time.perf_counter()
    import react_lab as rl

    model = rl.models.local()
    rl.widgets.Player()  # anywidget and the widgets' code
    print("import", time.perf_counter() - began, time.process_time())
    for i, text in enumerate(QUESTIONS):
        for name, (wall, spent) in asked(rl, model, text).items():
            print(f"{name}, model {'loaded' if i else 'not loaded'}|{wall}|{spent}")


def main():
    if sys.argv[1:] == ["once"]:
        return once()
    rows = {}
    for _ in range(5):
        command = [sys.executable, __file__, "once"]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for line in told.splitlines():
            name, *found = (
                line.split("|") if "|" in line else ("import, a model, a player", *line.split()[1:])
            )
            rows.setdefault(name, []).append([float(value) for value in found])
    print(f"{'seconds, median of 5 and most':32}{'wall':>8}{'most':>8}{'CPU':>8}")
    for name, found in rows.items():
        wall, spent = zip(*found, strict=True)
        print(
            f"{name:32}{statistics.median(wall):8.2f}{max(wall):8.2f}{statistics.median(spent):8.2f}"
        )
    print(
        "load average:", *(f"{load:.2f}" for load in os.getloadavg()), "on", os.cpu_count(), "cores"
    )


if __name__ == "__main__":
    main()
