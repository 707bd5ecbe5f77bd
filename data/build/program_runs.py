"""Plays the programs without a model, and keeps their runs: data/runs/programs/*.jsonl.

    python data/build/program_runs.py

The shop's are three shoppers on the 86 test goals; the household's is our oracle on the 72 unseen games.
What became of two more players on these goes to data/runs/0.5b/programs-unseen.json.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from house import oracle
from shop.programs import by_oracle, first_hit, first_hit_named
from table3_runs import store_programs

from react_lab import data, store, tasks
from react_lab.envs.household import Household
from react_lab.envs.shop import Shop
from react_lab.score import NO_MODEL
from react_lab.types import Trajectory


def shoppers() -> Iterator[Trajectory]:
    world = Shop()
    for play in (first_hit, first_hit_named, by_oracle):
        yield from (play(goal, world(goal)) for goal in tasks.load("shop", "test"))


def sensible() -> Iterator[Trajectory]:
    """It looks first where such a thing is likely to be."""
    world = Household()
    for game in tasks.load("household", "unseen"):
        run = oracle.play(game, world(game), "act")
        yield replace(run, id=f"oracle {game.id}", method="oracle", model=NO_MODEL)


def main() -> None:
    for name, runs in (("shop", shoppers()), ("household", sensible())):
        path = data.folder("runs", "programs") / f"{name}.jsonl"
        path.unlink(missing_ok=True)
        for run in runs:
            store.append(path, run)
        print(path.name, len(store.open(path)))
    games = tasks.load("household", "unseen")
    store_programs(data.folder("runs", "0.5b"), "unseen", games, Household())


if __name__ == "__main__":
    main()
