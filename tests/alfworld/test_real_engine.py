"""Our household engine beside ALFWorld's: same acts, same words, score and admissible commands.

make test-alfworld STEPS=150 EVERY=1 plays so many steps a game and every game, not every fifth;
ALFWORLD_DONE names a file in which games that were played without a difference are kept and left out.
"""

import json
import os
import queue
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import household_odd
import household_play
import pytest
from house.games import game_in
from house.oracle import Oracle

from react_lab import data
from react_lab.envs.household import problem_of, read_game, rules
from react_lab.envs.household.alfworld import Lines
from react_lab.envs.household.game import PAPER
from react_lab.types import Step

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
    pipes = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE) | {"stderr": subprocess.DEVNULL}
    command, free = [PYTHON, str(HERE / "engine.py")], queue.SimpleQueue()
    started = [subprocess.Popen(command, **pipes, encoding="utf-8") for _ in range(count)]
    for engine in started:
        free.put(engine)

    def ask(**game):
        engine = free.get()
        engine.stdin.write(json.dumps(game) + "\n")
        engine.stdin.flush()
        answer = engine.stdout.readline()
        free.put(engine)
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


# ---------------------------------------------------------------------- our own games
def our_jobs():
    """The walkthrough of some games, and of every fourth of them what the oracle does too."""
    files = sorted(data.folder("tasks", "household").glob("*.jsonl"))
    records = {name: row.game for file in files for name, row in Lines(file).games().items()}
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    for i, row in enumerate(map(json.loads, lines[::EVERY])):
        yield row, records[row["id"]], row["walkthrough"]
        if i % 4 == 0:
            yield row, records[row["id"]], oracle_acts(game_in(row))


def oracle_acts(game):
    state, acts = game.start, []
    oracle = Oracle("\n".join(rules.intro(game).split("\n\n")[1:]), "act")
    while not game.won(state):
        acts.append(oracle.next().action)
        state, text = rules.play(game, state, acts[-1])
        oracle.see(Step(None, acts[-1], text))
    return acts


def test_our_games_are_won_on_the_real_engine():
    """And every word is as on our engine."""

    def one(ask, row, record, commands):
        problem = problem_of(row["type"], record)
        real = ask(problem=problem, task=row["text"], syntax="put", commands=commands)
        game = game_in(row)
        _, answers = household_play.play(game, len(commands), row["id"], commands)
        wrong = differences(household_play.whole(game, answers), real, commands)
        if real[-1][1:3] != [1, True]:
            wrong.append(("it is not won", real[-1], commands))
        print(row["id"], len(commands), len(wrong), flush=True)
        return row["id"], len(commands), wrong

    assert not compare(list(our_jobs()), one)
