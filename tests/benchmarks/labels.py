"""What labelling costs: opening 10,000 runs, the next run, a key until it is on the disk, the state.
And runs of 1,000 steps beside runs of 250: four times the steps should take four times as long.

python tests/benchmarks/labels.py [--runs 10000] [--keys 200] [--writers 0] [--out labels.json]

With --writers 5000, two processes write so many events each into one file, ten times over, while a
third reads: nothing may be lost.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
import tracemalloc
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

import msgspec  # noqa: E402

from react_lab import store  # noqa: E402
from react_lab.support import files  # noqa: E402
from react_lab.types import Step, Task, Trajectory  # noqa: E402
from react_lab.widgets.by_hand import Labeller  # noqa: E402

AIMS = {"open_s": 1.0, "next_ms": 50.0, "key_ms": 50.0, "long_next_ms": 50.0, "long_ratio": 5.0}
SEEN = "The bridge over the Tyne was opened in 1849 by the Queen. It carries both road and rail. "


def a_run(i: int, steps: int = 6) -> Trajectory:
    task = Task(
        f"t{i}", "multihop", f"Which bridge, number {i}, was opened first?", "the High Level Bridge"
    )
    done = tuple(
        Step(f"I need bridge {k}, opened in 18{k}9.", f"Search[Bridge {k}]", SEEN * 8)
        for k in range(steps)
    )
    return Trajectory(f"{i:016x}", task, "react", "m", {}, done, "the Swing Bridge", end="finished")


def filled(path: Path, n: int) -> Path:
    base = store.dump(a_run(0))
    for start in range(0, n, 1000):
        rows = [
            store.dump(a_run(i)) if i % 50 == 0 else {**base, "id": f"{i:016x}"}
            for i in range(start, min(start + 1000, n))
        ]
        files.add_line(path, *map(msgspec.json.encode, rows))
    return path


def milliseconds(act: Callable[[], Any], times: int) -> list[float]:
    found = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        found.append((time.perf_counter() - began) * 1000)
    return found


def measure(folder: Path, runs: int, keys: int) -> dict[str, Any]:
    path = filled(folder / "runs.jsonl", runs)
    Labeller([a_run(0)], folder / "warm.jsonl", by="me")  # imports
    opened = []
    for k in range(3):
        began = time.perf_counter()
        widget = Labeller(store.open(path), folder / f"me{k}.jsonl", by="me", blind=False)
        opened.append(time.perf_counter() - began)
    seen = iter(range(10**9))

    def key() -> None:
        widget.receive(
            widget.front, {"key": "label", "argument": 3 + next(seen) % 4, "ack": "a"}, []
        )

    pressed, nexts = milliseconds(key, keys), milliseconds(widget.next, keys)
    tracemalloc.start()
    kept = Labeller(store.open(path), folder / "memory.jsonl", by="me")
    memory = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return {
        "runs": runs, "file_mb": path.stat().st_size / 1e6, "open_s": statistics.median(opened),
        "open_first_s": opened[0], "next_ms": statistics.median(nexts), "next_worst_ms": max(nexts),
        "key_ms": statistics.median(pressed), "key_p95_ms": sorted(pressed)[int(0.95 * len(pressed))],
        "state_kb": len(json.dumps(kept.front.view)) / 1e3,
        "once_kb": len(json.dumps(kept.front.still)) / 1e3, "memory_mb": memory / 1e6,
    }  # fmt: skip


def measure_long(folder: Path, rounds: int = 15) -> dict[str, Any]:
    """Milliseconds of CPU time for the next run, long ones and short ones in turn."""
    opened = {
        steps: Labeller([a_run(i, steps) for i in range(2)], folder / f"{steps}.jsonl", by="me")
        for steps in (250, 1000)
    }
    times: dict[int, list[float]] = {steps: [] for steps in opened}
    for _ in range(rounds):
        for steps, widget in opened.items():
            began = time.process_time()
            widget.goto(2 - widget.session.at)
            times[steps].append((time.process_time() - began) * 1000)
    ratio = statistics.median(b / a for a, b in zip(times[250], times[1000], strict=True))
    same = milliseconds(lambda: opened[1000].step(3), rounds)
    return {
        "long_next_ms": statistics.median(times[1000]), "long_ratio": ratio,
        "long_step_ms": statistics.median(same),
    }  # fmt: skip


def write_together(folder: Path, events: int, rounds: int = 10) -> dict[str, Any]:
    from test_label import two_writers

    lost, began = 0, time.perf_counter()
    for k in range(rounds):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            stored = two_writers(folder / f"together{k}.jsonl", events)
        lost += 2 * events - len({entry.seq for entry in stored})
        print(f"round {k + 1}: {len(stored):,} of {2 * events:,} events", flush=True)
    return {
        "writers": 2,
        "events_each": events,
        "rounds": rounds,
        "lost": lost,
        "writers_s": time.perf_counter() - began,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--writers", type=int, default=0, help="events of each of two writers")
    parser.add_argument("--out", type=Path, help="where to write the figures as JSON")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), given.runs, given.keys) | measure_long(Path(folder))
        if given.writers:
            found |= write_together(Path(folder), given.writers)
    for name, value in found.items():
        aim = (
            f"  (aim: under {AIMS[name]:g}, {'met' if value < AIMS[name] else 'MISSED'})"
            if name in AIMS
            else ""
        )
        print(
            f"{name:16}{value:12,.3f}{aim}"
            if isinstance(value, float)
            else f"{name:16}{value:12,}{aim}"
        )
    if given.out:
        given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8", newline="\n")
    return (
        0 if all(found[name] < aim for name, aim in AIMS.items()) and not found.get("lost") else 1
    )


if __name__ == "__main__":
    sys.exit(main())
