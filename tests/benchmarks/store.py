"""A file of 100,000 runs: how long it takes to open, to list, to become a frame, and the memory.

python tests/benchmarks/store.py [--runs 100000] [--out store.json]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fixed_server import WORLD, said, tasks

import react_lab as rl

AIMS = {"open": 1.0, "open again": 1.0, "frame": 5.0, "MB": 1024.0}
READ = """
import resource, sys, time, react_lab as rl, pandas
def timed(name, do):
    began = time.perf_counter(); got = do(); print(name, time.perf_counter() - began, sep="\\t")
    return got
runs = timed(sys.argv[2], lambda: rl.store.open(sys.argv[1]))
timed("the last run", lambda: runs[-1])
if sys.argv[2] == "open again":
    timed("frame", lambda: rl.frame(runs))
    print("MB", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, sep="\\t")
"""


def write(path: Path, runs: int) -> None:
    model = rl.models.scripted(lambda ask: said(str(ask.prompt)))
    run = rl.run("react", tasks(1)[0], model=model, world=WORLD)
    row = json.dumps(rl.store.dump(run), ensure_ascii=False)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for k in range(runs):
            file.write(row.replace(run.id, f"{k:016x}", 1) + "\n")


def measure(runs: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.jsonl"
        write(path, runs)
        found: dict[str, Any] = {"runs": runs, "file MB": path.stat().st_size / 2**20}
        for name in ("open", "open again"):  # without an index, and with the one that this left
            command = [sys.executable, "-c", READ, str(path), name]
            told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            for line in told.splitlines():
                what, _, figure = line.partition("\t")
                found[what] = float(figure)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--out", type=Path, help="where to write the figures as JSON")
    given = parser.parse_args(arguments)
    found = measure(given.runs)
    for name, figure in found.items():
        aim = f"  (aim: under {AIMS[name]:g})" if name in AIMS else ""
        print(f"{name:14}{figure:12,.3f}{aim}")
    if given.out:
        given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8", newline="\n")
    return 0 if all(found[name] < aim for name, aim in AIMS.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
