"""How long the run browser takes to open a file, beside reading every run of it into memory.

    python tests/benchmarks/explorer.py [--runs 10000] [--file my_runs.jsonl]

Without a file, the recorded runs of the repository are repeated until there are enough. Aim: 10,000
runs under 1 s. CPU seconds of this process, the least of three; the store's index is there already.
"""

import argparse
import json
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

import react_lab as rl
from react_lab.widgets import explorer

RECORDED = sorted((Path(rl.__file__).parents[1] / "data" / "runs").rglob("*.jsonl"))


def write(path, n):
    """n lines, each with an id of its own."""
    lines = [line for file in RECORDED for line in file.read_text(encoding="utf-8").splitlines()]
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for i, line in enumerate(islice(cycle(lines), n)):
            row = json.loads(line) | {"id": f"{i:016x}"}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def seconds(do):
    found = []
    for _ in range(3):
        began = time.process_time()
        do()
        found.append(time.process_time() - began)
    return min(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--file", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = given.file or Path(folder) / "runs.jsonl"
        if given.file is None:
            write(path, given.runs)
        runs, table = rl.store.open(path), explorer(path)
        times = {
            "open the run browser": seconds(lambda: explorer(path)),
            "read every run into memory": seconds(lambda: list(rl.store.open(path))),
            "search in all texts": seconds(lambda: table.search("danube")),
            "sort by tokens": seconds(lambda: table.sort("tokens")),
            "rows for one screen": seconds(table.show),
        }
        print(f"{len(runs):,} runs, {path.stat().st_size / 2**20:.0f} MB")
    for name, found in times.items():
        print(f"{name:28}{found:9.3f} s")
    ours, theirs = list(times.values())[:2]
    print(f"the browser takes {ours / theirs:.2f} of the time that reading every run takes")


if __name__ == "__main__":
    main()
