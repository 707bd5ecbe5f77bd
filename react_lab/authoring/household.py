"""How the shipped adapters for the household were trained (section 3.3, for games).

    python -m react_lab.authoring.household           trains all; a killed one goes on where it was
    python -m react_lab.authoring.household react     one leg: two can be trained side by side

Round one learns from the oracle's runs. For round two the adapter plays other train games by
itself, and from some step on the oracle takes over: that shows it a way out of the states that it
gets itself into. Every leg has the same games and the same number of lines.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

from .. import data, models
from ..evaluation import evaluate
from ..finetune import Line, training_lines
from ..finetune.adapter import write_gguf
from ..finetune.terminal import Bar
from ..finetune.training import Recipe, train
from ..kinds import kind_of
from ..models import weights
from ..types import Trajectory
from ..world.household.games import Generated, games, task_of
from ..world.household.gold import gold_runs, taken_over
from ..world.household.oracle import SEED, Leg

__all__ = ["FIRST", "OWN", "main", "own_runs", "round_one", "round_two"]

FIRST = 600  # games of round one
OWN = 300  # games of round two: as many new ones of the oracle's go with them
EARLY = 25  # from this step on at the latest the oracle takes over


def place(name: str) -> Path:
    return data.resolve("runs/adapters/household") / name


def round_one(leg: Leg) -> Path:
    """An adapter from the oracle's runs."""
    return trained(place(leg), training_lines(gold_runs(FIRST, leg), leg, Generated()), Recipe())


def own_runs(leg: Leg) -> Sequence[Trajectory]:
    """What the adapter of round one does in games that it has not learned from."""
    model = models.local(adapter={f"household/{leg}": round_one(leg)})
    own = [task_of(row) for row in games("train", OWN, FIRST + 1)]
    path = place(f"{leg}-own.jsonl")
    return list(evaluate(leg, own, model, path, world=Generated(), end_repeats=True, workers=4))


def round_two(leg: Leg) -> Path:
    """The adapter of round one, trained further where it went wrong or might have."""
    runs = [taken_over(run, start(run), leg) for run in own_runs(leg)]
    runs += gold_runs(OWN, leg, FIRST + OWN + 1)
    lines = training_lines(runs, leg, Generated())
    return trained(place(f"{leg}-two"), lines, Recipe(rate=5e-4, seed=1), round_one(leg))


def start(run: Trajectory) -> int:
    """The step from which on the oracle plays a game: any of them, but not too late."""
    pick = random.Random(f"{SEED} {run.task.id}")
    return pick.randint(2, max(2, min(EARLY, len(run.steps))))


def trained(folder: Path, lines: Sequence[Line], recipe: Recipe, begin: Path | None = None) -> Path:
    """Train, unless that is done."""
    done, base = folder / f"{folder.name}.gguf", weights.path()
    if done.exists():
        return done
    with Bar(f"{folder.name}, {len(lines)} lines") as bar:
        train(lines, folder, base, recipe, start=begin, on_step=bar)
    return write_gguf(folder, done, base)


def main() -> None:
    for leg in sys.argv[1:] or kind_of("household").legs:
        print(round_two(leg), flush=True)


if __name__ == "__main__":
    main()
