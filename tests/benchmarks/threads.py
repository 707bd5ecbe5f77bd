"""The bundled model on one thread and on as many as it takes: seconds of the same episodes.

python tests/benchmarks/threads.py [questions] [programs that keep a core busy meanwhile]
"""

import os
import statistics
import subprocess
import sys
import time

import react_lab as rl

BUSY = [sys.executable, "-c", "while True: pass"]


def main(questions=10, busy=0):
    tasks = rl.tasks.load("multihop", "dev", n=questions, by_type=True)
    both = {threads: rl.models.local(threads=threads) for threads in (1, None)}
    took = {threads: [] for threads in both}
    print(f"{os.cpu_count()} cores, load before {os.getloadavg()[0]:.1f}, {busy} beside it")
    others = [subprocess.Popen(BUSY) for _ in range(busy)]
    try:
        for task in tasks:
            for threads, model in both.items():
                began = time.monotonic()
                rl.run("react", task, model)
                took[threads].append(time.monotonic() - began)
            print(" ".join(f"{spent[-1]:6.1f}" for spent in took.values()), flush=True)
    finally:
        for other in others:
            other.kill()
    one, more = map(statistics.median, took.values())
    print(f"median {one:.1f} s on one thread, {more:.1f} s as it is: {more / one:.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
