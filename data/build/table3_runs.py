"""The runs of Table 3, data/runs/table3: Act, ReAct and ReAct-IM with the adapters of the household.

    python data/build/table3_runs.py            our 72 unseen games
    python data/build/table3_runs.py PATH       and 60 of ALFWorld's, from its folder or file

What is there is not run again. ALFWorld's games, and runs of them, stay out of the project (they
are kept in runs/table3); what became of each run is stored. A run is not ended when it repeats
itself: the paper's limit of 50 steps is the only one, and the README that is written here says how
many of the won runs had repeated themselves on the way. (Of the fine-tuned ReAct runs on questions
and claims that repeated themselves, 14 of 118 still came to the right answer.)
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Any

from house.programs import at_random, in_order

from react_lab import data, models, plots, tasks
from react_lab.analysis import table3
from react_lab.analysis.household import causes, read_task
from react_lab.envs.household import Household, HouseholdEnv
from react_lab.evaluation import evaluate
from react_lab.kinds import KINDS
from react_lab.plots.picture import markdown_of
from react_lab.score import NO_MODEL
from react_lab.types import Model, Task, Trajectory

__all__ = ["main", "measure", "real_games", "summary"]

METHODS = ("act", "react", "react-im")
PER_TYPE, SEED = 10, 0  # of ALFWorld's games
DRAWS = 5  # how often random acts play each game
UNSEEN = "unseen.jsonl"


def real_games(path: str | PathLike[str], n: int = PER_TYPE, seed: int = SEED) -> list[Task]:
    """n of the paper's 134 games of each type, none with a goal of our stored train games.

    A goal is a type of task, a kind of thing and where it has to go.
    """
    taught = set(map(goal_of, tasks.load("household", "old_train")))
    new = [
        task for task in tasks.load("alfworld", "valid_unseen", path=path)
        if goal_of(task) not in taught
    ]  # fmt: skip
    types = dict.fromkeys(task.extra["type"] for task in sorted(new, key=lambda task: task.id))
    pick = random.Random(seed)
    chosen: list[Task] = []
    for type in sorted(types):
        there = sorted((task for task in new if task.extra["type"] == type), key=lambda t: t.id)
        chosen += pick.sample(there, min(n, len(there)))
    return chosen


def goal_of(task: Task) -> tuple[str, str, str]:
    goal = read_task(f"Your task is to: {task.text}")
    return str(task.extra["type"]), goal.object, goal.target or goal.lamp


def programs(games: Iterable[Task], world: Household) -> Iterator[Trajectory]:
    """The runs of the two players without a model."""
    for task in games:
        env = world(task)
        if isinstance(env, HouseholdEnv):
            yield in_order(task, env)
            yield from (at_random(task, env, seed) for seed in range(DRAWS))


def measure(
    model: Model | None,
    path: str | PathLike[str] | None = None,
    folder: Path | None = None,
    aside: str | PathLike[str] | None = None,
    per_type: int | None = None,
) -> None:
    """Run what is missing: the programs, and the methods if there is a model.

    folder: where it is stored (None: data/runs/table3). aside: where ALFWorld's runs are kept.
    per_type: so many games of each type, for a try.
    """
    folder = folder or table3.folder()
    ours = tasks.load("household", "old")[: None if per_type is None else 6 * per_type]
    store_programs(folder, "unseen", ours, Household())
    if model is not None:
        evaluate(METHODS, ours, model, folder / UNSEEN)
    if path is not None:
        real, world = real_games(path, per_type or PER_TYPE), Household(path)
        store_programs(folder, "alfworld", real, world)
        if model is not None:
            runs = evaluate(
                METHODS,
                real,
                model,
                (data.resolve(aside) if aside else data.shared("runs/table3")) / "alfworld.jsonl",
                world=world,
            )
            about = f"{model.name} on {len(real)} of ALFWorld's valid_unseen games, seed {SEED}"
            data.write(folder / "alfworld.json", summary(runs, about, world))


def summary(runs: Iterable[Trajectory], about: str, world: Household | None = None) -> str:
    """What became of runs, as the text of a file that `measured` reads: a line per run."""
    df = causes(runs, world)[list(table3.COLUMNS)]
    rows: list[list[Any]] = df.astype(object).where(df.notna(), None).to_numpy().tolist()
    head = {"about": about, "columns": table3.COLUMNS}
    lines = ",\n".join(json.dumps(row) for row in rows)
    return f'{json.dumps(head)[:-1]}, "rows": [\n{lines}\n]}}\n'


def store_programs(folder: Path, name: str, games: Sequence[Task], world: Household) -> None:
    about = f"players without a model on {len(games)} games; random acts {DRAWS} times each"
    text = summary(programs(games, world), about, world)
    data.write(folder / f"programs-{name}.json", text)


# ---------------------------------------------------------------------- what is told of it


def card(model: Model, folder: Path) -> str:
    """The README of the folder: model, adapters, settings, date, rates."""
    df, kind = table3.measured(folder), KINDS["household"]
    asked = df[df["setting"] != NO_MODEL]
    won = asked[asked["correct"].eq(True)]
    again = int(won["run_flags"].fillna("").str.contains("repeated").sum())
    adapters = [f"* {method}: `{model.identity(kind.adapter(method))}`" for method in METHODS]
    picture = plots.table3(df)
    rates = [
        f"## {name}\n\n{markdown_of(table[table['of'] == 'All'].drop(columns='of'))}"
        for name, table in picture.tables.items() if "of" in table
    ]  # fmt: skip
    how = (
        f"Made by `python data/build/table3_runs.py`, last on {datetime.now(UTC).date()}. "
        f"Greedy decoding, {kind.max_steps} steps at most, asked without exemplars. No run is "
        f"ended because it repeats itself: {again} of the {len(won)} won runs had done so on the "
        "way."
    )
    parts = ["# The runs of Table 3", how, "\n".join(adapters), *rates, picture.caption]
    return "\n\n".join(parts) + "\n"


def main(argv: Sequence[str] | None = None) -> None:
    path = next(iter(sys.argv[1:] if argv is None else argv), None)
    model, kind, folder = models.local(), KINDS["household"], table3.folder()
    if lacking := sorted({kind.adapter(method) for method in METHODS} - model.tuned):
        measure(None, path)
        sys.exit(f"The programs have played; there is no adapter yet for {', '.join(lacking)}.")
    before = files_in(folder)
    measure(model, path)
    if files_in(folder) != before:
        data.write(folder / "README.md", card(model, folder))
    print(plots.table3(table3.measured(folder)).caption)


def files_in(folder: Path) -> dict[str, str]:
    """What is stored there, by hash: was anything new run?"""
    return {path.name: data.digest_of(path) for path in sorted(folder.glob("*.json*"))}


if __name__ == "__main__":
    main()
