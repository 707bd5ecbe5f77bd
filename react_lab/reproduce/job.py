"""What is run for Table 1: the model, the tasks, the pages, and the folder that keeps it all."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any

from .. import data, envs, models, store, tasks
from ..evaluation import evaluate, places
from ..evaluation.plan import planned
from ..tasks import Seed
from ..types import FAULTS, Model, Task, Trajectory, World
from .preview import Preview, Price, preview_of

__all__ = ["METHODS", "PREVIEWED", "Job", "Wanted", "prepared"]

METHODS = ("standard", "cot", "cot-sc", "act", "react")  # both combinations follow from these
PREVIEWED = 10  # episodes of each method on each set, before the question


@dataclass(frozen=True)
class Wanted:
    """What the command was told: each field is an option of it."""

    model: str | None = None
    base_url: str | None = None
    n: int = 500
    tasks: str = "paper"  # or "bundled"
    hotpotqa: str | None = None
    fever: str | None = None
    pages: str | None = None  # "live", or a ZIM file
    contact: str = ""
    prompts: str = "ours"
    samples: int = 21
    seed: int | None = None
    price: Sequence[float] | None = None  # of a million tokens, read and written
    budget: float | None = None
    workers: int | None = None
    out: str | None = None
    yes: bool = False


@dataclass(frozen=True)
class Job:
    """All that is needed to run, to go on, and to say what was done."""

    wanted: Wanted
    model: Model
    sets: tuple[list[Task], ...]  # of questions, of claims
    world: World | None
    folder: Path
    seed: Seed
    price: Price | None

    @property
    def path(self) -> Path:
        return self.folder / "runs.jsonl"

    @property
    def at_a_time(self) -> int:
        return places(self.wanted.workers, self.model)[1]

    def first(self) -> list[Task]:
        return mixed([each[:PREVIEWED] for each in self.sets])

    def all(self) -> list[Task]:
        return mixed(self.sets)

    @property
    def options(self) -> dict[str, Any]:
        return {
            "world": self.world, "prompts": self.wanted.prompts, "n": self.wanted.samples,
        }  # fmt: skip

    def run(self, chosen: list[Task]) -> list[Trajectory]:
        """Go on with these tasks: what the folder has is not asked for again."""
        budget, spent = self.wanted.budget, self.preview().spent
        return list(evaluate(
            METHODS, chosen, self.model, self.path, workers=self.wanted.workers,
            budget=None if budget is None else {"cost": max(0.0, budget - spent)},
            prices={self.model.name: self.price} if self.price else None, **self.options,
        ))  # fmt: skip

    def preview(self) -> Preview:
        """From all episodes that are stored and no fault ended."""
        plan = planned(METHODS, self.all(), self.model, 1, self.options)
        found = store.open(self.path) if self.path.exists() else ()
        runs = [run for run in found if run.id in plan and run.end not in FAULTS]
        sizes = {each[0].kind: len(each) for each in self.sets}
        return preview_of(runs, sizes, METHODS, self.price, self.at_a_time)

    def days(self) -> tuple[str, str]:
        """When it was begun, as the folder has it, and today."""
        path, today = self.folder / "began.json", datetime.now(UTC).date().isoformat()
        if not path.exists():
            data.write(path, json.dumps({"began": today}) + "\n")
        with contextlib.suppress(ValueError, KeyError, TypeError):
            began = str(json.loads(path.read_text(encoding="utf-8"))["began"])
            if re.fullmatch(r"\d{4}-\d\d-\d\d", began):
                return began, today
        return today, today


def mixed(sets: Sequence[Sequence[Task]]) -> list[Task]:
    """A question, a claim, a question ...: what a spent budget leaves undone lacks of both."""
    return [task for pair in zip_longest(*sets) for task in pair if task is not None]


def prepared(wanted: Wanted) -> Job:
    """Everything that may be wrong with the options is said here, before any call."""
    if wanted.n < 1:
        raise ValueError(f"n={wanted.n}: at least one task of each set is wanted")
    if wanted.tasks not in ("paper", "bundled"):
        raise ValueError(f"tasks={wanted.tasks!r} is neither 'paper' nor 'bundled'")
    model = model_of(wanted)
    name = re.sub(r"[^\w.-]+", "-", model.name).strip("-.")[:60] or "model"
    folder = data.resolve(wanted.out or f"runs/table1-{name}")
    paper = wanted.tasks == "paper"
    seed: Seed = wanted.seed if wanted.seed is not None else "authors" if paper else 0
    sets = tuple(chosen(wanted, seed) if paper else bundled(wanted, seed))
    return Job(wanted, model, sets, world_of(wanted, folder), folder, seed, price_of(wanted, model))


def model_of(wanted: Wanted) -> Model:
    """A server's, or the bundled one: prompted, as Table 1 is about prompting."""
    if wanted.model:
        return models.openai(wanted.model, base_url=wanted.base_url)
    if wanted.base_url:
        raise ValueError("name the model that the server is to be asked for: --model NAME")
    return models.local(adapter=None)


def chosen(wanted: Wanted, seed: Seed) -> Iterator[list[Task]]:
    for name, path in (("hotpotqa", wanted.hotpotqa), ("fever", wanted.fever)):
        yield tasks.load(name, "dev", wanted.n, seed, path=path)


def bundled(wanted: Wanted, seed: Seed) -> Iterator[list[Task]]:
    for name in ("multihop", "claims"):
        there = tasks.load(name, "dev")
        yield tasks.draw(there, min(wanted.n, len(there)), seed)


def world_of(wanted: Wanted, folder: Path) -> World | None:
    """Live pages, a ZIM file's, or the bundled ones."""
    if wanted.pages is None and wanted.tasks == "bundled":
        return None
    if wanted.pages not in (None, "live"):
        return envs.Wiki(envs.zim(wanted.pages))
    if not wanted.contact:
        raise ValueError(
            "live pages need --contact, your e-mail address or web page (Wikipedia blocks clients "
            "that it cannot write to); or give a file, --pages FILE.zim, or --tasks bundled"
        )
    return envs.Wiki(envs.LiveWikipedia(wanted.contact, cache=folder / "pages.jsonl"))


def price_of(wanted: Wanted, model: Model) -> Price | None:
    """As you gave it, else as the server says it, else unknown."""
    if wanted.price is not None:
        read, written = wanted.price
        if min(read, written) < 0:
            raise ValueError("a price is not negative")
        return read, written
    asked = getattr(model, "prices", None)
    return asked() if asked else None
