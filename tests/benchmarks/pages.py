"""The bundled encyclopedia in memory and as a ZIM file: time to load, and how long a search takes.

    python tests/benchmarks/pages.py

Loading is beside reading the same files as bare JSON (aims: 50 ms, 2 ms for a search at p95).
"""

import json
import random
import statistics
import tempfile
from pathlib import Path

from bench import in_turn, show, timed
from zim_book import write_zim

import react_lab as rl
from react_lab.envs.pages import Encyclopedia
from react_lab.records import objects

FILES = sorted(rl.data.folder("wiki").glob("*.jsonl"))


def bare():
    return [json.loads(line) for path in FILES for line in path.open(encoding="utf-8")]


def load():
    return Encyclopedia(row for path in FILES for _, row in objects(path))


def searched(name, search):
    """Three words a time, most of which are in the title of a page."""
    pick, titles = random.Random(0), list(BOOK.rows)
    words = [[*pick.choice(titles).split(), "river", "bridge", "born", "film"] for _ in range(1000)]
    times = [timed(search, " ".join(pick.sample(some, 3))) for some in words]
    median, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(f"search in {name:12} median {median:7.2f} ms, p95 {p95:7.2f} ms")


if __name__ == "__main__":
    show("CPU ms", in_turn({"bare JSON": bare, "our pages": load}, 7))
    BOOK = load()
    print(f"{len(BOOK.rows)} pages, first search {timed(BOOK.search, 'river'):.0f} ms")
    searched("memory", BOOK.search)
    with tempfile.TemporaryDirectory() as folder:
        path = write_zim(Path(folder) / "a.zim", BOOK)
        print(f"ZIM opened in {timed(rl.envs.zim, path):.0f} ms")
        searched("a ZIM file", rl.envs.zim(path).search)
