"""The bundled encyclopedia: time to load, memory, and how long a search takes.

    python tests/benchmarks/world.py

Side by side with reading the same files as bare JSON. Aims: 50 ms, 40 MB, 2 ms (p95).
"""

import json
import random
import statistics
import time
import tracemalloc

from react_lab import data
from react_lab.envs.pages import Encyclopedia
from react_lab.records import objects


def files():
    return sorted(data.folder("wiki").glob("*.jsonl"))


def bare():
    return [
        json.loads(line) for path in files() for line in path.open(encoding="utf-8", newline="\n")
    ]


def load():
    return Encyclopedia(row for path in files() for _, row in objects(path))


def best(do, rounds=7):
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        do()
        times.append(1000 * (time.perf_counter() - began))
    return min(times)


def main():
    ours, plain = best(load), best(bare)
    tracemalloc.start()
    book = load()
    first = time.perf_counter()
    book.search("river")
    first = 1000 * (time.perf_counter() - first)
    memory = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    pick, titles, took = random.Random(0), list(book.rows), []
    for _ in range(1000):
        query = " ".join(
            pick.sample([*pick.choice(titles).split(), "river", "bridge", "born", "film"], 3)
        )
        began = time.perf_counter()
        book.search(query)
        took.append(1000 * (time.perf_counter() - began))
    print(
        f"pages {len(book.rows)}; load {ours:.1f} ms beside {plain:.1f} ms of bare JSON (ratio {ours / plain:.2f})"
    )
    print(f"memory {memory:.1f} MB with the index; index and first search {first:.0f} ms")
    print(
        f"search: median {statistics.median(took):.2f} ms, p95 {statistics.quantiles(took, n=20)[-1]:.2f} ms over 1,000 queries"
    )


if __name__ == "__main__":
    main()
