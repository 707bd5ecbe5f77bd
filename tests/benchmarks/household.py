"""The household engine beside ALFWorld's own: the same games and acts, in one run.

    python tests/benchmarks/household.py [PYTHON]      PYTHON: one that has alfworld

Of the paper's games if they lie beside the checkout, else of odd ones of ours. Aims: 50 times the
real engine's steps a second, 100 times its load and reset; import in 20 ms; 1,000 games in 200 MB.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import household_odd  # noqa: E402
import household_play  # noqa: E402

from react_lab.envs.household import acts, intro, play, read_game  # noqa: E402
from react_lab.envs.household.wording import PAPER  # noqa: E402

SHARED = HERE.parents[2] / "shared" / "data"
GAMES, STEPS = 12, 30


def chosen():
    """Names, files for the real engine, makers of our game, first acts."""
    if SHARED.exists():
        for name, _, file, first in [*household_play.jobs(SHARED)][:: 134 // GAMES][:GAMES]:
            yield name, {"file": file}, lambda file=file: read_game(file), first
        return
    for number in range(GAMES):
        problem, task = household_odd.odd(number)
        asked = {"problem": problem, "task": task, "syntax": "put"}
        yield (
            f"odd {number}",
            asked,
            lambda number=number: household_odd.odd_game(number, PAPER),
            (),
        )


def seconds(do, rounds=1):
    began = time.perf_counter()
    for _ in range(rounds):
        do()
    return (time.perf_counter() - began) / rounds


def episode(game, commands):
    """As much as the real engine does in a step: the words, the score, what is admissible."""
    state = game.start
    for command in commands:
        state, _ = play(game, state, command)
        game.won(state), sorted(acts(game, state))


def ours(jobs):
    load = sum(
        seconds(lambda make=make: (intro(game := make()), acts(game, game.start)), 20)
        for _, _, make, _ in jobs
    )
    steps = sum(
        seconds(lambda job=job: episode(job[0], job[1]), 5)
        for job in [(make(), commands_of(job)) for job in jobs for make in [job[2]]]
    )
    return load / len(jobs), len(jobs) * STEPS / steps


def commands_of(job):
    name, _, make, first = job
    return household_play.play(make(), STEPS, name, first)[0]


def real(jobs, python):
    engine = subprocess.Popen([python, str(HERE.parent / "alfworld/engine.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")  # fmt: skip
    load = steps = 0.0
    for job in jobs:
        engine.stdin.write(json.dumps({**job[1], "commands": commands_of(job)}) + "\n")
        engine.stdin.flush()
        took = json.loads(engine.stdout.readline())
        load, steps = load + took["load"], steps + took["steps"]
    engine.stdin.close()
    engine.wait()
    return load / len(jobs), len(jobs) * STEPS / steps


def import_time(before):
    """Milliseconds of CPU, the best of seven fresh Pythons that find it compiled."""
    code = f"import time; {before}; began = time.process_time(); import react_lab.envs.household; print(1000 * (time.process_time() - began))"
    with tempfile.TemporaryDirectory() as compiled:
        there = {**os.environ, "PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        run = [sys.executable, "-c", code]
        return min(
            float(subprocess.run(run, capture_output=True, check=True, env=there).stdout)
            for _ in range(8)
        )


def memory(jobs):
    """MB of 1,000 games; no two have the same text."""
    tracemalloc.start()
    games = []
    for i in range(1000):
        _, asked, make, _ = jobs[i % len(jobs)]
        if file := asked.get("file"):
            games.append(
                read_game(
                    file | {"pddl_problem": file["pddl_problem"].replace("_dot_", f"_dot_{i}")}
                )
            )
        else:
            games.append(make())
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return used / 1e6


def main():
    jobs = list(chosen())
    load, rate = ours(jobs)
    print(
        f"{len(jobs)} games, {STEPS} steps each: load and reset {1000 * load:.2f} ms, {rate:,.0f} steps/s"
    )
    if len(sys.argv) > 1:
        real_load, real_rate = real(jobs, sys.argv[1])
        print(f"the real engine: load and reset {1000 * real_load:.0f} ms, {real_rate:.1f} steps/s")
        print(
            f"ratios: load and reset {real_load / load:.0f} (aim 100), steps {rate / real_rate:.0f} (aim 50)"
        )
    else:
        print("no Python with alfworld was named: make test-alfworld makes one")
    print(
        f"import {import_time('import react_lab.envs'):.1f} ms, with all below it {import_time('pass'):.1f} ms (aim 20 ms)"
    )
    print(f"1,000 games take {memory(jobs):.0f} MB (aim 200 MB)")


main()
