"""How the adapters of a world are trained, round by round, each from where the last one ended.

An adapter learns from the oracle's runs. In some rounds it also begins tasks by itself, and from
some step on the oracle takes over: that shows it a way out of the states that it gets itself into.
Every leg has the same tasks and the same number of lines.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from react_lab import data, models
from react_lab.evaluation import evaluate
from react_lab.finetune.adapter import write_gguf
from react_lab.finetune.lines import training_line
from react_lab.finetune.terminal import Bar
from react_lab.finetune.trainer import Recipe, train
from react_lab.models import weights
from react_lab.score import correct
from react_lab.types import Task, Trajectory, World

__all__ = ["Course", "Round"]

SEED = 20230501


@dataclass(frozen=True)
class Round:
    """What a round of training learns from: train tasks from number `first` on."""

    first: int
    rate: float
    own: int = 0  # tasks that the adapter of the round before begins by itself
    gold: int = 0  # tasks that the oracle does alone
    hard: int = 0  # and as many more of the types that take the longest plans
    least: float = 1.0  # the reward from which on a run is learned from
    stray: float = 0.0  # how often the oracle slips, where that is not left to it
    early: int = 0  # from this step on at the latest the oracle takes over


@dataclass(frozen=True)
class Course:
    """The rounds of training for the adapters of one kind of task.

    gold: a leg, a round and whether it is a later one -> the oracle's runs. own: the tasks that an
    adapter begins. taken_over: a run, a step and a leg -> the run that the oracle finished.
    """

    kind: str
    legs: Sequence[str]
    rounds: Sequence[Round]
    world: World
    own: Callable[[Round], list[Task]]
    gold: Callable[[str, Round, bool], Iterator[Trajectory]]
    taken_over: Callable[[Trajectory, int, str], Trajectory]
    module: str  # what trains them
    words: str  # the rest of the card
    begin: str = ""  # the shipped adapter from which the first round goes on; "" is none

    def place(self, name: str) -> Path:
        return data.shared("runs/adapters") / self.kind / name

    def adapter(self, leg: str, number: int | None = None) -> Path:
        """The adapter after a round (None: the last), trained unless that is done."""
        number = number or len(self.rounds)
        folder, now, base = self.place(f"{leg}-{number}"), self.rounds[number - 1], weights.path()
        done = folder / f"{folder.name}.gguf"
        if done.exists():
            return done
        first = data.folder("adapters", f"{self.begin}.gguf") if self.begin else None
        begin = self.adapter(leg, number - 1) if number > 1 else first
        runs = (run for run in self.runs(leg, number) if learned(run, now))
        lines = [training_line(run, leg, self.world) for run in runs]
        recipe = Recipe(rate=now.rate, seed=number - 1)
        with Bar(f"{folder.name}, {len(lines)} lines") as bar:
            train(lines, folder, base, recipe, start=begin, on_step=bar)
        return write_gguf(folder, done, base)

    def runs(self, leg: str, number: int) -> Iterator[Trajectory]:
        """What a round learns from."""
        now = self.rounds[number - 1]
        if now.own:
            for run in self.own_runs(leg, number):
                yield self.taken_over(run, start(run, now), leg)
        yield from self.gold(leg, now, number > 1)

    def own_runs(self, leg: str, number: int) -> Sequence[Trajectory]:
        """What the adapter of the round before does in tasks that it has not learned from."""
        now, path = self.rounds[number - 1], self.place(f"{leg}-{number}-own.jsonl")
        tuned = {f"{self.kind}/{leg}": self.adapter(leg, number - 1)}
        runs = evaluate(
            leg, self.own(now), models.local(adapter=tuned, threads=1), path,
            world=self.world, max_steps=now.early, end_repeats=True, workers=4,
        )  # fmt: skip
        right = sum(map(bool, map(correct, runs)))
        facts = {"round": number, "tasks": now.own, "steps": now.early, "right": right}
        data.write(path.with_suffix(".json"), json.dumps(facts))
        return runs

    # ------------------------------------------------------------------ what is shipped

    def ship(self, leg: str) -> Path:
        """Copy the last adapter to where it is shipped, with its card as data and in words."""
        chosen, target = self.adapter(leg), data.folder("adapters", self.kind, f"{leg}.gguf")
        numbers = range(1, len(self.rounds) + 1)
        own = (f"{leg}-{number}-own.json" for number in numbers if self.rounds[number - 1].own)
        record = {
            "leg": f"{self.kind}/{leg}",
            "base": weights.SIZES["135m"].file,
            "base_sha256": weights.SIZES["135m"].sha256,
            "adapter_sha256": weights.digest_of(chosen),
            "date": datetime.now(UTC).date().isoformat(),
            "own": [self.facts(name) for name in own],
            "rounds": [self.facts(f"{leg}-{number}/training.json") for number in numbers],
        }
        data.write(target.with_suffix(".json"), json.dumps(record, indent=1) + "\n")
        data.write(target.with_suffix(".md"), self.card(record))
        shutil.copyfile(chosen, target)
        return target

    def facts(self, name: str) -> Any:
        return json.loads(self.place(name).read_text(encoding="utf-8"))

    def card(self, record: dict[str, Any]) -> str:
        """The card as Markdown."""
        first = record["rounds"][0]
        rows = "\n".join(
            f"| {i} | {r['lines']} | {r['tokens']:,} | {r['rate']:g} | {r['loss']:.2f} | "
            f"{r['seconds'] / 60:.0f} min |"
            for i, r in enumerate(record["rounds"], 1)
        )
        own = {row["round"]: row["right"] for row in record["own"]}
        names = ", ".join(self.legs)
        alike = (
            f"The tasks and the number of lines are the same for {names}. " if "," in names else ""
        )
        notes = "\n".join(note(now, i, own.get(i, 0)) for i, now in enumerate(self.rounds, 1))
        return f"""# The adapter {record["leg"]}

A LoRA for {record["base"]} (rank {first["rank"]}, alpha {first["alpha"]}, all linear layers), trained by
`python {self.module}`, last on {record["date"]}, on one core of a busy CPU, no GPU.

| round | lines | tokens | learning rate | last loss | time |
|:--|--:|--:|--:|--:|--:|
{rows}

{notes}

{alike}Only what the model must
write was learned, and that its turn then ends; never what the world answers.

{self.words}
"""

    def main(self) -> None:
        """`cards` ships what is trained; a leg trains that one; nothing trains all."""
        if "cards" in sys.argv:
            print(*map(self.ship, self.legs), sep="\n")
            return
        for leg in [leg for leg in self.legs if leg in sys.argv[1:]] or self.legs:
            print(self.adapter(leg), flush=True)


def learned(run: Trajectory, now: Round) -> bool:
    """Is it correct, or good enough for this round?"""
    return bool(correct(run)) or (run.reward or 0.0) >= now.least


def start(run: Trajectory, now: Round) -> int:
    """The step from which on the oracle takes over: any of them, but not too late."""
    pick = random.Random(f"{SEED} {run.task.id}")
    return pick.randint(2, max(2, min(now.early, len(run.steps))))


def note(now: Round, number: int, right: int) -> str:
    """What a round learned from, in words."""
    said = f"* Round {number}: "
    if now.own:
        said += (
            f"{now.own} train tasks, which the adapter of the round before began by itself and "
            f"the oracle finished (by itself it got {right} right within {now.early} steps); "
        )
    said += f"the oracle's runs of {now.gold} train tasks"
    if now.hard:
        said += f", and of {now.hard} more of the hardest types"
    return said + ". Some of them have slips, which are not learned."
