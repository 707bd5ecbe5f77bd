"""The bundled encyclopedia and a ZIM file: time to load, memory, and how long a search takes.

    python tests/benchmarks/pages.py [pages of the ZIM file, 20000 unless said]

The first beside reading the same files as bare JSON (aims: 50 ms, 40 MB, 2 ms at p95), the second
beside the same pages in memory, made of words that nobody speaks, as frequent as in a language.
"""

import json
import random
import statistics
import sys
import tempfile
import tracemalloc
from itertools import accumulate
from pathlib import Path

from bench import in_turn, show, timed
from zim_book import write_zim

import react_lab as rl
from react_lab.envs.pages import Encyclopedia
from react_lab.records import objects
from react_lab.types import Task

FILES = sorted(rl.data.folder("wiki").glob("*.jsonl"))


def bare():
    return [json.loads(line) for path in FILES for line in path.open(encoding="utf-8")]


def load():
    return Encyclopedia(row for path in FILES for _, row in objects(path))


def told(name, times):
    median, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(f"{name:32} median {median:7.2f} ms, p95 {p95:7.2f} ms")


def bundled():
    show("CPU ms", in_turn({"bare JSON": bare, "our pages": load}, 7))
    tracemalloc.start()
    book = load()
    first = timed(book.search, "river")
    memory = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    print(f"{len(book.rows)} pages, {memory:.1f} MB with the index; first search {first:.0f} ms")
    pick, titles = random.Random(0), list(book.rows)
    words = [[*pick.choice(titles).split(), "river", "bridge", "born", "film"] for _ in range(1000)]
    told("search in memory", [timed(book.search, " ".join(pick.sample(w, 3))) for w in words])


def made(n):
    """n pages of about 400 words."""
    pick = random.Random(0)
    parts = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
    words = ["".join(pick.choices(parts, k=pick.choice((2, 3, 3, 4)))) for _ in range(30_000)]
    words = sorted({*words})
    pick.shuffle(words)
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))
    for i in range(n):
        drawn = iter(pick.choices(words, cum_weights=weights, k=400))
        lines = [" ".join(next(drawn) for _ in range(16)).capitalize() + "." for _ in range(25)]
        text = "\n\n".join(" ".join(lines[k : k + 5]) for k in range(0, 25, 5))
        yield {"title": f"{pick.choice(words).capitalize()} {pick.choice(words)} {i}", "text": text}


def zim(n):
    rows = list(made(n))
    book = Encyclopedia(rows)
    indexed = timed(book.search, "first")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.zim"
        written, opened = timed(write_zim, path, book), timed(rl.envs.zim, path)
        print(f"{n} pages, indexed in memory in {indexed:.0f} ms; ZIM of {path.stat().st_size / 1e6:.0f} MB "
              f"written in {written:.0f} ms, opened in {opened:.0f} ms")  # fmt: skip
        pick = random.Random(1)
        hits = [row["title"] for row in pick.sample(rows, 500)]
        misses = [f"{hit.partition(' ')[0]} {pick.choice(rows)['text'].split()[7]}" for hit in hits]
        for source, pages in (("memory", book), ("ZIM", rl.envs.zim(path))):
            for what, queries in (("found", hits), ("not found", misses)):
                world = rl.envs.Wiki(pages)(Task("t", "multihop", "Why?"))
                times = [timed(world.step, f"Search[{query}]") for query in queries]
                told(f"search[] in {source}, {what}", times)


if __name__ == "__main__":
    bundled()
    zim(int((sys.argv[1:] or ["20000"])[0]))
