"""A search in a ZIM file, beside the same pages in memory: median and p95.

    python tests/benchmarks/zim.py [--pages 20000]

The pages are made of words that nobody speaks, the frequent ones as frequent as in a language.
"""

import argparse
import random
import statistics
import sys
import tempfile
import time
from itertools import accumulate
from pathlib import Path

import react_lab as rl
from react_lab.envs.pages import Encyclopedia
from react_lab.types import Task

sys.path.insert(0, str(Path(__file__).parents[1]))
from zim_book import write_zim


def made(n):
    """n pages of about 400 words."""
    pick = random.Random(0)
    parts = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
    words = sorted(
        {"".join(pick.choices(parts, k=pick.choice((2, 3, 3, 4)))) for _ in range(30_000)}
    )
    pick.shuffle(words)
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))
    for i in range(n):
        drawn = iter(pick.choices(words, cum_weights=weights, k=400))
        lines = [" ".join(next(drawn) for _ in range(16)).capitalize() + "." for _ in range(25)]
        title = f"{pick.choice(words).capitalize()} {pick.choice(words)} {i}"
        yield {
            "title": title,
            "text": "\n\n".join(" ".join(lines[k : k + 5]) for k in range(0, 25, 5)),
        }


def timed(do, *given):
    began = time.perf_counter()
    do(*given)
    return time.perf_counter() - began


def told(name, seconds):
    median, p95 = statistics.median(seconds), statistics.quantiles(seconds, n=20)[-1]
    print(f"{name:32} median {1000 * median:7.2f} ms, p95 {1000 * p95:7.2f} ms")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=20_000)
    rows = list(made(parser.parse_args().pages))
    book = Encyclopedia(rows)
    indexed = timed(book.search, "first")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.zim"
        written, opened = timed(write_zim, path, book), timed(rl.envs.zim, path)
        file = rl.envs.zim(path)
        size = path.stat().st_size / 1e6
        print(f"{len(rows)} pages, indexed in memory in {indexed:.1f} s; "
              f"ZIM of {size:.0f} MB written in {written:.0f} s, opened in {1000 * opened:.0f} ms")  # fmt: skip
        pick = random.Random(1)
        hits = [row["title"] for row in pick.sample(rows, 500)]
        misses = [f"{hit.partition(' ')[0]} {pick.choice(rows)['text'].split()[7]}" for hit in hits]
        for source, pages in (("memory", book), ("ZIM", file)):
            for what, queries in (("found", hits), ("not found", misses)):
                world = rl.envs.Wiki(pages)(Task("t", "multihop", "Why?"))
                acts = [f"Search[{query}]" for query in queries]
                told(f"search[] in {source}, {what}", [timed(world.step, act) for act in acts])


if __name__ == "__main__":
    main()
