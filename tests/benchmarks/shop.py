"""The shop's search on as many products as WebShop has.

    python tests/benchmarks/shop.py [products, 1180000 unless said] [folder for the catalogue]

Products are made up: 2,000 kinds with words of their own, brands, and general words as frequent as
words are (Zipf). A query is what a shopper would take from a goal: the kind, three words of the
title, and an option. The catalogue is built and searched in processes of their own.
"""

import functools
import itertools
import json
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import timed

from react_lab.envs.shop import Product, catalogue, store

QUERIES = 200
SYLLABLES = [a + b for a in "bcdfghklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "il")]
VALUES = ("small", "medium", "large", "x-large", "black", "white", "navy", "red", "wine", "2 pack")


def word(i):
    """The i-th made-up word."""
    parts = [SYLLABLES[i % 128], SYLLABLES[i // 128 % 128]]
    return "".join([*parts, SYLLABLES[i // 16384 % 128]] if i >= 16384 else parts)


WORDS = [word(i) for i in range(60_000)]
WEIGHTS = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(WORDS))))


@functools.cache
def kind(number):
    """The words of a kind of product, and its name."""
    own = random.Random(-number - 1)
    return own.choices(WORDS, k=60), own.choices(WORDS, k=2)


def product(i):
    pick = random.Random(i)
    topic, name = kind(pick.randrange(2_000))
    common = pick.choices(WORDS, cum_weights=WEIGHTS, k=70)
    title = [pick.choice(WORDS), *name, *pick.sample(topic, 8), *common[:6], f"{i % 900}"]
    options = {"size": pick.sample(VALUES[:4], 3), "color": pick.sample(VALUES[4:], 3)}
    return Product(
        f"B{i:08d}", " ".join(title), (float(5 + i % 80),), query=" ".join(name),
        bullets=(" ".join(common[50:]), "second"),
        description=" ".join([*pick.sample(topic, 12), *common[6:50]]),
        options={k: tuple(v) for k, v in options.items()} if i % 3 else {},
    )  # fmt: skip


def queries(n):
    pick = random.Random(5)
    for i in pick.sample(range(n), QUERIES):
        goal = product(i)
        words = goal.title.split()
        option = [values[0] for values in goal.options.values()][:1]
        yield goal.asin, " ".join([*words[1:3], *pick.sample(words[3:17], 3), *option])


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def built(n, path):
    taken = timed(lambda: store((product(i) for i in range(n)), path))
    return {"build, s": taken / 1000, "build, MB of memory": peak()}


def searched(n, path):
    before, shops = peak(), []
    opened = timed(lambda: shops.append(catalogue(path)) or shops[0].get("B00000000"))
    (shop,), taken, places = shops, [], []
    for asin, query in queries(n):
        taken.append(timed(lambda: places.append([*shop.search(query), asin].index(asin))))  # noqa: B023
    taken.sort()
    rows = sum(len(row) for (row,) in shop.base.execute("SELECT row FROM products"))
    rate = {k: 100 * sum(at < k for at in places) / QUERIES for k in (50, 10)}
    return {
        "index, MB": (path.stat().st_size - rows) / 1e6, "products, MB": rows / 1e6,
        "open, ms": opened, "p50, ms": taken[len(taken) // 2],
        "p95, ms": taken[len(taken) * 95 // 100], "slowest, ms": taken[-1],
        "memory, MB": peak() - before,
        **{f"goal in first {k}, %": found for k, found in rate.items()},
    }  # fmt: skip


def in_process(step, n, path):
    run = [sys.executable, __file__, step, str(n), str(path)]
    return json.loads(subprocess.run(run, stdout=subprocess.PIPE, text=True, check=True).stdout)


def main(n, folder):
    path = Path(folder) / "shop.sqlite"
    path.parent.mkdir(parents=True, exist_ok=True)
    found = {} if path.exists() else in_process("built", n, path)
    print(f"{n:,} products")
    for key, figure in (found | in_process("searched", n, path)).items():
        print(f"{key:24}{figure:>12,.1f}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [("built" | "searched") as step, n, path]:
            print(json.dumps(globals()[step](int(n), Path(path))))
        case [*given]:
            with tempfile.TemporaryDirectory() as folder:
                main(int((given or ["1180000"])[0]), given[1] if given[1:] else folder)
