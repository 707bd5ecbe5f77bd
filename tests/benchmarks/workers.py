"""How much faster `rl.evaluate` is with 1, 2 and 4 workers.

python tests/benchmarks/workers.py [threads] [processes] [dask] [--at URL --model NAME]

Each worker runs one episode at a time. Without --at the server answers after 100 ms, and is not
what is measured: what is, is how near n workers come to n times the speed of one.
"""

import argparse
import multiprocessing
import os
import statistics
import sys
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path

from bench import served, timed

import react_lab as rl

EPISODES, ROUNDS = 24, 3


def threads(n):
    return nullcontext()  # of this process, as `evaluate` does by itself


def processes(n):
    return ProcessPoolExecutor(n, mp_context=multiprocessing.get_context("spawn"))


@contextmanager
def dask(n):
    import distributed

    cluster = distributed.LocalCluster(n, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        yield client.get_executor()


def evaluated(model, pool, n, calls):
    tasks = rl.tasks.load("multihop", "dev", EPISODES)
    with tempfile.TemporaryDirectory() as folder:
        options = {"executor": pool, "workers": n, "progress": False, "max_steps": 7}
        runs = rl.evaluate("react", tasks, model, Path(folder) / "runs.jsonl", **options)
        calls.append(sum(run.calls for run in runs))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ways", nargs="*", default=["threads", "processes"])
    parser.add_argument("--at", help="a server, as http://localhost:8000/v1")
    parser.add_argument("--model", default="m")
    given = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    with nullcontext(given.at) if given.at else served(0.1) as url:
        model = rl.models.openai(given.model, url)
        for way in given.ways:
            alone = 0.0
            for n in (1, 2, 4):
                with globals()[way](n) as pool:
                    calls, asked = [], (evaluated, model, pool, n)
                    timed(*asked, calls)  # what a worker imports is imported before
                    found = [timed(*asked, calls) / 1000 for _ in range(ROUNDS)]
                median = statistics.median(found)
                alone = alone or median
                spread = f"({min(found):.1f} to {max(found):.1f})"
                speed = f"{calls[-1] / median:.1f} calls/s, {alone / median:.2f} times one"
                print(f"{way:12}{n} workers {median:6.1f} s {spread}: {speed}", flush=True)


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main()
