"""The household engine beside ALFWorld's own: the same games and acts, in one run.

    python tests/benchmarks/household.py [PYTHON]      PYTHON: one that has alfworld

Of the paper's games if they lie beside the checkout, else of odd ones of ours. Aims: 50 times the
real engine's steps a second, 100 times its load and reset; 1,000 games in 200 MB.
"""

import json
import subprocess
import sys
import tracemalloc
from functools import partial

from bench import HERE, timed

from react_lab.envs.household import acts, intro, play, read_game
from react_lab.envs.household.game import PAPER

sys.path.insert(0, str(HERE.parent))
import household_odd
import household_play

SHARED = HERE.parents[2] / "shared" / "data"
GAMES, STEPS = 12, 30


def chosen():
    """Names, files for the real engine, makers of our game, first acts."""
    if SHARED.exists():
        for name, _, file, first in [*household_play.jobs(SHARED)][:: 134 // GAMES][:GAMES]:
            yield name, {"file": file}, partial(read_game, file), first
    else:
        for number in range(GAMES):
            problem, task = household_odd.odd(number)
            asked = {"problem": problem, "task": task, "syntax": "put"}
            yield f"odd {number}", asked, partial(household_odd.odd_game, number, PAPER), ()


def load(make):
    intro(game := make()), acts(game, game.start)


def episode(game, commands):
    """As much as the real engine does in a step: the words, the score, what is admissible."""
    state = game.start
    for command in commands:
        state, _ = play(game, state, command)
        game.won(state), sorted(acts(game, state))


def commands_of(name, asked, make, first):
    return household_play.play(make(), STEPS, name, first)[0]


def ours(jobs):
    """Milliseconds to load and reset a game, and steps a second."""
    loads = [timed(load, make) for _ in range(20) for _, _, make, _ in jobs]
    games = [(job[2](), commands_of(*job)) for job in jobs]
    steps = [timed(episode, *game) for _ in range(5) for game in games]
    return sum(loads) / len(loads), 1000 * STEPS * len(steps) / sum(steps)


def real(jobs, python):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    command, took = [python, HERE.parent / "alfworld/engine.py"], []
    with subprocess.Popen(command, **pipes, encoding="utf-8") as engine:
        for job in jobs:
            engine.stdin.write(json.dumps({**job[1], "commands": commands_of(*job)}) + "\n")
            engine.stdin.flush()
            took.append(json.loads(engine.stdout.readline()))
        engine.stdin.close()
    loads, steps = (sum(row[part] for row in took) for part in ("load", "steps"))
    return 1000 * loads / len(jobs), STEPS * len(jobs) / steps


def memory(jobs):
    """MB of 1,000 games; no two have the same text."""
    tracemalloc.start()
    games = []
    for i in range(1000):
        _, asked, make, _ = jobs[i % len(jobs)]
        if file := asked.get("file"):
            problem = file["pddl_problem"].replace("_dot_", f"_dot_{i}")
            make = partial(read_game, file | {"pddl_problem": problem})
        games.append(make())
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return used / 1e6


if __name__ == "__main__":
    jobs = [*chosen()]
    ms, rate = ours(jobs)
    print(f"{len(jobs)} games, {STEPS} steps each: load and reset {ms:.2f} ms, {rate:,.0f} steps/s")
    if sys.argv[1:]:
        real_ms, real_rate = real(jobs, sys.argv[1])
        print(f"the real engine: load and reset {real_ms:.0f} ms, {real_rate:.1f} steps/s")
        print(f"ratios: load {real_ms / ms:.0f} (aim 100), steps {rate / real_rate:.0f} (aim 50)")
    else:
        print("no Python with alfworld was named: make test-alfworld makes one")
    print(f"1,000 games take {memory(jobs):.0f} MB (aim 200 MB)")
