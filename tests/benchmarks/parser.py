"""How long a layout takes to read a megabyte, beside finding nothing in it with `str.find`.

    python tests/benchmarks/parser.py

Prints the slowest text for each layout. Aim: under 50 ms.
"""

import sys
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from texts import megabytes

from react_lab.layouts import Game, Numbered, Plain, Shop


def best(do, rounds=5):
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        do()
        times.append(time.perf_counter() - began)
    return 1000 * min(times)


def main():
    print(f"{'layout':12}{'slowest text':24}{'read, ms':>10}{'str.find, ms':>14}")
    for layout in (
        Numbered(),
        Numbered(thinks=False),
        Game(),
        Shop(),
        Plain(),
        Plain(thinks=False),
    ):
        times = {text: best(partial(layout.read, text, 1)) for text in megabytes()}
        slowest = max(times, key=times.__getitem__)
        bare = best(partial(slowest.find, "\x00"))
        print(f"{type(layout).__name__:12}{slowest[:20]!r:24}{times[slowest]:10.1f}{bare:14.2f}")


if __name__ == "__main__":
    main()
