"""Table 3 beside players without any model, and what the best of six is worth (lesson 07)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from .. import stats, tasks
from ..analysis import baselines as programs
from ..analysis import paper
from ..envs.household import Household, HouseholdEnv
from ..plots.rates import in_order, name_of
from ..types import Task, Trajectory

if TYPE_CHECKING:
    import pandas as pd

LISTED, CHANCE = programs.IN_ORDER, programs.AT_RANDOM


def simple() -> list[Trajectory]:
    """Two players without a model, on our unseen games: in listed order, and by chance."""
    games = tasks.load("household", "unseen")
    return [play(each) for play in (in_listed_order, by_chance) for each in games]


def in_listed_order(task: Task) -> Trajectory:
    """Looks at every place as the game lists them, and then does what the task says."""
    return programs.in_order(task, env_of(task))


def by_chance(task: Task, seed: int = 0) -> Trajectory:
    """Does any act that can be done, drawn by chance."""
    return programs.at_random(task, env_of(task), seed)


def env_of(task: Task) -> HouseholdEnv:
    return HouseholdEnv(Household().game(str(task.extra["game"])))


# ---------------------------------------------------------------------- Table 3


def beside_paper(runs: Iterable[Trajectory]) -> pd.DataFrame:
    """Our rates by type of task, with the 95% interval of all; below them the paper's rows."""
    import pandas as pd

    facts = paper.read("table3")
    columns = [*facts["columns"]]
    won: dict[str, dict[str, list[bool]]] = {}
    for run in runs:
        if run.task.kind != "household":
            continue
        type = facts["types"].get(str(run.task.extra.get("type")), "")
        for column in filter(None, (type, "All")):
            row = won.setdefault(name_of(run.method), {})
            row.setdefault(column, []).append(run.reward == 1.0)
    rows = {
        f"here: {name}": {column: rate(found, column == "All") for column, found in row.items()}
        for name, row in won.items()
    }
    for name, each in paper.table(3).iterrows():
        rows[f"paper: {name}"] = {column: f"{each[column]}%" for column in columns}
    return pd.DataFrame(rows).T.reindex(columns=columns).fillna("–")


def won(df: pd.DataFrame) -> pd.DataFrame:
    """How many games of a frame each method won; a program may have played each several times."""
    import pandas as pd

    rows = {}
    for method in in_order(set(df["method"])):
        mine = df[df["method"] == method]
        shares = mine.groupby("task")["correct"].mean()
        low, high = stats.wilson(float(shares.sum()), len(shares))
        times = len(mine) // len(shares)
        rows[name_of(method)] = {
            "won": f"{mine['correct'].sum():.0f} of {len(mine)}",
            "that is, 95%": f"{shares.mean():.0%} ({low:.0%} to {high:.0%})",
            "plays of each game": times,
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def within(
    runs: Iterable[Trajectory], limits: Sequence[int] = (10, 15, 20, 30, 50)
) -> pd.DataFrame:
    """The share of games won if there were only so many acts; thoughts are not counted."""
    import pandas as pd

    acts: dict[str, list[float]] = {}
    for run in runs:
        n = sum(step.action is not None for step in run.steps)
        played = "the oracle" if run.method == "oracle" else f"{name_of(run.method)}, {run.model}"
        acts.setdefault(played, []).append(n if run.reward == 1.0 else float("inf"))
    rows = {
        name: [f"{sum(n <= limit for n in found) / len(found):.0%}" for limit in limits]
        for name, found in acts.items()
    }
    return pd.DataFrame(rows, index=[f"{limit} acts" for limit in limits]).T


def rate(won: Sequence[bool], whole: bool) -> str:
    if not whole:
        return f"{sum(won)} of {len(won)}"
    low, high = stats.wilson(sum(won), len(won))
    return f"{sum(won) / len(won):.0%} ({low:.0%} to {high:.0%})"


def best_columns(trials: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The solution of 7.4, by which its cases are made: of every column the best trial."""
    return {column: max(trial[column] for trial in trials) for column in trials[0]}


def best_of_six(chance: float = 0.57, prompts: int = 6, draws: int = 400) -> pd.DataFrame:
    """Six prompts that are all equally good: what the average is, and the best of the six."""
    import pandas as pd

    games = paper.read("table3")["games"]
    pick, rows = random.Random(7), {}
    for column, n in games.items():
        trials = [
            [sum(pick.random() < chance for _ in range(n)) / n for _ in range(prompts)]
            for _ in range(draws // (1 + (column == "All")))
        ]
        average = sum(sum(each) / prompts for each in trials) / len(trials)
        best = sum(map(max, trials)) / len(trials)
        rows[column] = [n, f"{average:.0%}", f"{best:.0%}"]
    return pd.DataFrame(rows, index=["games", "average of six", "best of six"]).T
