"""Our household engine beside ALFWorld's: same acts, same words, score and admissible commands.

make test-alfworld STEPS=150 EVERY=1 plays so many steps a game and every game, not every fifth;
ALFWORLD_DONE names a file in which games that were played without a difference are kept and left out.
"""

import json
import os
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import household_odd
import household_play
import pytest

from react_lab.envs.household import read_game
from react_lab.envs.household.game import PAPER

pytestmark = pytest.mark.alfworld
HERE = Path(__file__).parent
PYTHON = os.environ.get("ALFWORLD_PYTHON")
EVERY = int(os.environ.get("ALFWORLD_EVERY") or 5)
STEPS = int(os.environ.get("ALFWORLD_STEPS") or 30)
HASHES = json.loads((HERE.parent / "household_hashes.json").read_text(encoding="utf-8"))
KEPT = 30  # steps of a game of the paper, of whose words a hash is kept


@contextmanager
def engines(count):
    """As many real engines, each in a process of its own; `ask` waits for a free one."""
    started = [
        subprocess.Popen([PYTHON, str(HERE / "engine.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
        for _ in range(count)
    ]  # fmt: skip
    free, lock = list(started), threading.Lock()

    def ask(**game):
        with lock:
            engine = free.pop()
        engine.stdin.write(json.dumps(game) + "\n")
        engine.stdin.flush()
        answer = engine.stdout.readline()
        with lock:
            free.append(engine)
        return json.loads(answer)["read"]

    try:
        yield ask
    finally:
        for engine in started:
            engine.stdin.close()
            engine.stdout.close()
            engine.wait()


def differences(ours, real, commands):
    """Where two engines do not say the same: command, ours, theirs."""
    pairs = zip(["the intro", *commands], ours, real, strict=True)
    return [(command, mine, theirs) for command, mine, theirs in pairs if mine != theirs]


def compare(jobs, one):
    """Play all jobs, as many at a time as there are cores: the differences by name, the steps."""
    count = os.cpu_count() or 1
    with engines(count) as ask, ThreadPoolExecutor(count) as pool:
        done = list(pool.map(lambda job: one(ask, *job), jobs))
    steps, differ = sum(steps for _, steps, _ in done), sum(len(wrong) for *_, wrong in done)
    print(f"\n{len(done)} games, {steps} steps, {differ} differences")
    return {name: wrong[:2] for name, _, wrong in done if wrong}


@pytest.fixture(autouse=True)
def python():
    if not PYTHON:
        pytest.skip("a Python with alfworld, as make test-alfworld names it (ALFWORLD_PYTHON)")


def test_odd_games():
    def one(ask, number):
        syntax, wording = (("put", PAPER), ("move", household_odd.MOVE))[number % 2]
        problem, task = household_odd.odd(number)
        game = household_odd.odd_game(number, wording)
        commands, answers = household_play.play(game, 40, f"odd {number}")
        real = ask(problem=problem, task=task, syntax=syntax, commands=commands)
        assert household_play.digest(real) == HASHES["odd"][number]
        wrong = differences(household_play.whole(game, answers), real, commands)
        return number, len(commands), wrong

    assert not compare([(number,) for number in range(0, len(HASHES["odd"]), EVERY)], one)


def test_the_papers_games(shared):
    kept = Path(os.environ.get("ALFWORLD_DONE") or os.devnull)
    lines = kept.read_text(encoding="utf-8").splitlines() if kept.is_file() else ()
    done = {tuple(json.loads(line)) for line in lines}

    def one(ask, name, syntax, file, first):
        game = read_game(file)
        commands, answers = household_play.play(game, STEPS, name, first)
        real = ask(file=file, commands=commands)
        wrong = differences(household_play.whole(game, answers), real, commands)
        if STEPS >= KEPT:
            assert household_play.digest(real[: KEPT + 1]) == HASHES["real"][name]
        if not wrong:
            with kept.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps([name, STEPS]) + "\n")
        return name, len(commands), wrong

    jobs = list(household_play.jobs(shared))[::EVERY]
    jobs = [job for job in jobs if (job[0], STEPS) not in done]
    assert not compare(jobs, one)
