"""Our own games on the real engine: each is won there, and every word is as on our engine.

The walkthrough of every fifth game, and of every twentieth what the oracle does: a search, closed
doors. make test-alfworld EVERY=1 plays them all.
"""

import json

import household_play
import pytest
from house.games import game_in
from house.oracle import Oracle
from test_real_engine import EVERY, compare, differences, python  # noqa: F401  (a fixture)

from react_lab import data
from react_lab.envs.household import problem_of
from react_lab.envs.household.alfworld import Lines
from react_lab.envs.household.rules import intro, play
from react_lab.types import Step

pytestmark = pytest.mark.alfworld


def files():
    return sorted(data.folder("tasks", "household").glob("*.jsonl"))


def jobs():
    records = {name: row.game for file in files() for name, row in Lines(file).games().items()}
    lines = [line for file in files() for line in file.read_text(encoding="utf-8").splitlines()]
    for i, row in enumerate(map(json.loads, lines[::EVERY])):
        yield row, records[row["id"]], row["walkthrough"]
        if i % 4 == 0:
            yield row, records[row["id"]], oracle_acts(game_in(row))


def oracle_acts(game):
    state, acts = game.start, []
    oracle = Oracle("\n".join(intro(game).split("\n\n")[1:]), "act")
    while not game.won(state):
        acts.append(oracle.next().action)
        state, text = play(game, state, acts[-1])
        oracle.see(Step(None, acts[-1], text))
    return acts


def test_our_games_are_won_on_the_real_engine():
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

    assert not compare(list(jobs()), one)
