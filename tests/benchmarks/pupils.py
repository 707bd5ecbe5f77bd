"""How many pupils a core serves: questions of eight in turn (on one thread, too) and together.

python tests/benchmarks/pupils.py [rounds]
"""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import psutil

import react_lab as rl

PUPILS, STEPS = 8, 2
PAUSE = 60  # seconds in which a pupil reads a step, and thinks, before the next is asked for


def main(rounds=2):
    tasks = rl.tasks.load("multihop", "dev", n=1 + PUPILS * rounds)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    model, alone = rl.models.local(), rl.models.local(threads=1)
    ways = ("on one thread", 1, alone), ("one after another", 1, model), ("together", PUPILS, model)
    for start in range(1, len(tasks), PUPILS):
        for how, at_once, model in ways:
            model._child().stop()  # what was read is forgotten
            play = partial(rl.run, "react", model=model, max_steps=STEPS)
            play(tasks[0])
            server = psutil.Process(model._child().pid)
            began, before = time.monotonic(), sum(server.cpu_times()[:2])
            with ThreadPoolExecutor(at_once) as pool:
                calls = sum(run.calls for run in pool.map(play, tasks[start : start + PUPILS]))
            took, work = time.monotonic() - began, sum(server.cpu_times()[:2]) - before
            row = f"{took / calls:6.2f} s a step, {work / calls:.2f} s of a core"
            print(f"{how:20}{row}: {PAUSE * calls / work:.0f} pupils", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
