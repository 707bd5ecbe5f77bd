"""The runs that the notebooks show in a player, made again from their recorded replies.

The page of a notebook leads to those very runs: only where its recorded output says the same.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from .. import editing, models, running, store, tasks
from ..display import show
from ..lessons import errors, household, loop, shop
from ..types import EnvError, ModelError, Task, Trajectory
from .runs import Set

__all__ = ["NAME", "Shown", "address", "shown", "written"]

NAME = "notebooks"  # of the set
TITLE = "The notebooks: what they show in a player"
Runs = Sequence[Trajectory]
Shown = Mapping[str, Runs]  # a notebook -> the runs of its player


def own(name: str) -> Runs:
    task = tasks.question("In which year did the director of the film Andrei Rublev die?")
    return (running.run("react", task, models.recorded(name, "replay")),)


def mended(name: str) -> Runs:
    tuned = models.recorded(name, "replay")
    lost = running.run("react", loop.task("mended"), tuned)
    return lost, running.resume(editing.rethink(lost, at=loop.AT, thought="Hm."), tuned)


def coded(_: str) -> Runs:
    return (errors.labelled().for_coding[0],)


def pair(task: Callable[[str], Task], name: str) -> Runs:
    model, apart = models.recorded(name, "replay"), task("apart")
    return [running.run(method, apart, model) for method in ("act", "react")]


MAKERS: Mapping[str, Callable[[str], Runs]] = {
    "00_start_here": own,
    "02_the_loop_by_hand": mended,
    "06_where_it_fails": coded,
    "07_household": partial(pair, household.task),
    "08_web_shop": partial(pair, shop.task),
}


def shown() -> dict[str, Runs]:
    """Of each notebook with a player, its runs; none where a reply was not recorded."""
    found = {}
    for name, make in MAKERS.items():
        try:
            found[name] = make(name)
        except (ModelError, EnvError):  # the notebooks are older than the recordings, or newer
            continue
    return found


def written(folder: Path, found: Shown) -> list[Set]:
    """They as a set of the run browser, in one file of a folder; no set where there are none."""
    path = folder / f"{NAME}.jsonl"
    for runs in found.values():
        for run in runs:
            store.append(path, run)
    return [Set(NAME, TITLE, path)] if path.exists() else []


def address(name: str, found: Shown, twin: str) -> str:
    """Where the player shows them, from a notebook's page; "" where the output says otherwise."""
    runs = found.get(name, ())
    if not runs or words(show(list(runs)).html) != words(twin):
        return ""
    first = 1 + sum(len(runs) for runs in [*found.values()][: [*found].index(name)])
    asked = [f"{key}={NAME}:{first + i}" for i, key in enumerate(("run", "beside")[: len(runs)])]
    return f"../runs/player.html?{'&'.join(asked)}"


def words(drawn: str) -> str:
    """What an output says, but for how long it took."""
    text = html.unescape(re.sub(r"<[^>]*>", " ", drawn))
    return " ".join(re.sub(r"Time:\s+(?:under )?[\d.,]+ \w+", "", text).split())
