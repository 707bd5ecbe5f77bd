"""How long the widgets and the store take, each beside what does the bare work.

    python tests/benchmarks/widgets.py [redraw] [player] [explorer] [labels] [store]

redraw: the heaviest slider there is, beside Matplotlib drawing a few lines (aim: 150 ms).
player: opening the longest run of each kind, beside `rl.show` (200 ms). explorer: opening 10,000
runs, beside reading them all (1 s). labels: opening 10,000 runs, the next one, a key until it is on
the disk (1 s, 50 ms, 50 ms). store: opening 100,000 runs, and a frame of them (1 s, 5 s, 1 GB).
"""

import io
import json
import statistics
import subprocess
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path

from bench import in_turn, show, timed
from matplotlib.figure import Figure

import react_lab as rl
from react_lab.lessons import compared, lesson_05
from react_lab.plots import Rule
from react_lab.types import Step, Task, Trajectory

RUNS = rl.data.folder("runs")
LONGEST = ("comparison/multihop-tuned", "comparison/claims-tuned", "table3/unseen", "table4/test")
SEEN = "The bridge over the Tyne was opened in 1849 by the Queen. It carries both road and rail. "
READ = """
import resource, sys, time, react_lab as rl, pandas
def timed(name, do):
    began = time.perf_counter(); got = do(); print(name, time.perf_counter() - began, "s")
    return got
runs = timed("open", lambda: rl.store.open(sys.argv[1]))
timed("the last run", lambda: runs[-1])
timed("frame", lambda: rl.frame(runs))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10, "MB")
"""


def redraw():
    both, rule = lesson_05.combinations([*compared.runs("claims", "tuned")]), Rule(0.6, max_steps=2)
    like, samples = both.drawn(1, rule)[0], cycle(range(1, 11))

    def bare():
        figure = Figure(like.get_size_inches(), dpi=like.dpi)
        for axes in figure.subplots(1, len(like.axes), squeeze=False)[0]:
            for k in range(4):
                axes.plot(range(21), [k + i % 3 for i in range(21)], label=f"line {k}")
            axes.legend()
        figure.savefig(io.BytesIO(), format="png")

    loops = {"bare": bare, "react_lab": lambda: lesson_05.png(both.drawn(next(samples), rule)[0])}
    show("redraw, CPU ms", in_turn(loops, 20))


def player():
    for name in LONGEST:
        runs = [run for run in rl.store.open(RUNS / f"{name}.jsonl") if run.method == "react"]
        run = max(runs, key=lambda run: len(run.steps))
        sent = len(rl.widgets.player(run).page()) / 1000  # and the world is read once
        print(f"{run.task.kind}, {len(run.steps)} steps, {sent:.0f} KB sent")
        loops = {"rl.show": lambda: rl.show(run).html, "player": lambda: rl.widgets.player(run)}  # noqa: B023
        show("CPU ms", in_turn(loops, 7))


def written(path, lines, n):
    """n of these lines, over and over, each with an id of its own."""
    some = enumerate(islice(cycle(lines), n))
    rows = (json.loads(line) | {"id": f"{i:016x}"} for i, line in some)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return path


def explorer(folder, n=10_000):
    lines = [line for path in sorted(RUNS.rglob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]  # fmt: skip
    path = written(folder / "runs.jsonl", [line for line in lines if '"schema"' in line], n)
    table = rl.widgets.explorer(path)
    loops = {
        "read every run into memory": lambda: [*rl.store.open(path)],
        "open the run browser": lambda: rl.widgets.explorer(path),
        "search in all texts": lambda: table.search("danube"),
        "sort by tokens": lambda: table.sort("tokens"),
        "rows for one screen": table.show,
    }
    show(f"{n} runs, CPU ms", in_turn(loops, 3))


def run_of(steps):
    task = Task("t", "multihop", "Which bridge was opened first?", "the High Level Bridge")
    done = (Step(f"I need bridge {k}.", f"Search[Bridge {k}]", SEEN * 8) for k in range(steps))
    return Trajectory("r", task, "react", "m", {}, (*done,), "the Swing Bridge", None, "finished")


def labels(folder, n=10_000, keys=200):
    path = written(folder / "runs.jsonl", [json.dumps(rl.store.dump(run_of(6)))], n)
    rl.Labeller([run_of(6)], folder / "warm.jsonl", by="me")  # imports
    names = iter(range(9))

    def opened():
        file = folder / f"{next(names)}.jsonl"
        return rl.Labeller(rl.store.open(path), file, by="me", blind=False)

    times, widget, left = [timed(opened) for _ in range(3)], opened(), cycle(range(3, 7))
    press = lambda: widget.receive(widget.front, {"key": "label", "argument": next(left), "ack": "a"}, [])  # noqa: E731  # fmt: skip
    print(f"open: median {statistics.median(times):.0f} ms, first {times[0]:.0f} ms")
    for name, do in (("a key", press), ("the next run", widget.next)):
        times = [timed(do) for _ in range(keys)]
        print(f"{name}: median {statistics.median(times):.1f} ms, most {max(times):.1f} ms")


def store(folder, n=100_000):
    path = written(folder / "runs.jsonl", [json.dumps(rl.store.dump(run_of(5)))], n)
    print(f"{n} runs, {path.stat().st_size >> 20} MB", flush=True)
    subprocess.run([sys.executable, "-c", READ, str(path)], check=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or ("redraw", "player", "explorer", "labels", "store"):
        with tempfile.TemporaryDirectory() as folder:
            globals()[name](*[Path(folder)] * (name in ("explorer", "labels", "store")))
