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
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path

from bench import served

import react_lab as rl

EPISODES, ROUNDS = 24, 3


@contextmanager
def threads(n):
    yield None  # of this process, as `evaluate` does by itself


@contextmanager
def processes(n):
    with ProcessPoolExecutor(n, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@contextmanager
def dask(n):
    import distributed

    cluster = distributed.LocalCluster(n, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        yield client.get_executor()


def seconds(model, pool, n):
    """Of all episodes; what a worker imports is imported before."""
    tasks = rl.tasks.load("multihop", "dev", EPISODES)
    found = []
    for _ in range(ROUNDS + 1):
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            options = {"executor": pool, "workers": n, "progress": False, "max_steps": 7}
            runs = rl.evaluate("react", tasks, model, Path(folder) / "runs.jsonl", **options)
            found.append(time.perf_counter() - began)
            calls = sum(run.calls for run in runs)
    return found[1:], calls


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
                with ExitStack() as stack:
                    found, calls = seconds(model, stack.enter_context(globals()[way](n)), n)
                median = statistics.median(found)
                alone = alone or median
                spread = f"({min(found):.1f} to {max(found):.1f})"
                speed = f"{calls / median:.1f} calls/s, {alone / median:.2f} times one"
                print(f"{way:12}{n} workers {median:6.1f} s {spread}: {speed}", flush=True)


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main()
