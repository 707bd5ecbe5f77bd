"""What starting costs: the import, and a student's first live word and step.

    python tests/benchmarks/start.py [imports] [first]

imports: CPU time beside `import openai` and `import pandas`, each in a fresh Python; aim: 50 ms.
first: in the player, asked by the bundled model in a Python that has just started, and again with
the model loaded; aim: 3 s to the first step on an idle laptop.
"""

import os
import statistics
import subprocess
import sys
import time

from bench import show
from waiting import until

QUESTIONS = ("where was the director of Jaws born?", "which is longer, the Danube or the Rhine?",
             "What instrument did Einstein play?")  # fmt: skip
CLOCK = "import time; began = time.process_time(); {}; print(time.process_time() - began)"


def told(*words):
    command = [sys.executable, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def imports():
    codes = {"Python alone": "pass"}
    codes |= {f"import {name}": f"import {name}" for name in ("openai", "pandas", "react_lab")}
    times = {name: [] for name in codes}
    for _ in range(10):
        for name, code in codes.items():
            times[name].append(1000 * float(told("-c", CLOCK.format(code))))
    show("CPU ms", {"import openai": times.pop("import openai"), **times})


def asked(rl, model, text):
    """Seconds until the first word is shown, and the first step."""
    seen, began, shown = {}, time.perf_counter(), rl.widgets.Player(model=model)

    def look(change):
        if change["new"] and (change["name"] == "text" or change["new"].get("steps")):
            name = "first word" if change["name"] == "text" else "first step"
            seen.setdefault(name, time.perf_counter() - began)

    shown.front.observe(look, ["text", "live"])
    shown.live(rl.tasks.question(text))
    until(lambda: "first step" in seen)
    shown.stop()
    shown.wait()
    return seen


def once():
    """In a Python of its own: a line a figure."""
    began = time.perf_counter()
    import react_lab as rl

    model = rl.models.local()
    rl.widgets.Player()  # anywidget and the widgets' code
    print(f"import, a model, a player|{time.perf_counter() - began}")
    for i, text in enumerate(QUESTIONS):
        for name, wall in asked(rl, model, text).items():
            print(f"{name}, model {'loaded' if i else 'not loaded'}|{wall}")


def first():
    rows = {}
    for _ in range(5):
        for line in told(__file__, "once").splitlines():
            name, wall = line.split("|")
            rows.setdefault(name, []).append(float(wall))
    for name, walls in rows.items():
        print(f"{name:34}median {statistics.median(walls):6.2f} s, most {max(walls):6.2f} s")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    for name in sys.argv[1:] or ("imports", "first"):
        globals()[name]()
