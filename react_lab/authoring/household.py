"""How the shipped adapters for the household were trained (section 3.3, for games).

    python -m react_lab.authoring.household           trains all; a killed one goes on where it was
    python -m react_lab.authoring.household react     one leg: two can be trained side by side
    python -m react_lab.authoring.household cards     copies the adapters and writes their cards

Round one learns from the oracle's runs. For round two the adapter plays other train games by
itself, and from some step on the oracle takes over: that shows it a way out of the states that it
gets itself into. Every leg has the same games and the same number of lines.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

from .. import data, models
from ..evaluation import evaluate
from ..finetune import Line, training_lines
from ..finetune.adapter import write_gguf
from ..finetune.terminal import Bar
from ..finetune.training import Recipe, train
from ..models import weights
from ..score import correct
from ..types import Trajectory
from ..world.household.games import Generated, games, task_of
from ..world.household.gold import gold_runs, taken_over
from ..world.household.oracle import SEED, Leg

__all__ = ["FIRST", "OWN", "main", "own_runs", "round_one", "round_two"]

FIRST = 600  # games of round one
OWN, NEW = 48, 102  # games of round two: its own, and new ones of the oracle's
EARLY = 25  # from this step on at the latest the oracle takes over


def place(name: str) -> Path:
    return data.resolve("runs/adapters/household") / name


def round_one(leg: Leg) -> Path:
    """An adapter from the oracle's runs."""
    return trained(place(leg), training_lines(gold_runs(FIRST, leg), leg, Generated()), Recipe())


def own_runs(leg: Leg) -> Sequence[Trajectory]:
    """What the adapter of round one does in games that it has not learned from."""
    model = models.local(adapter={f"household/{leg}": round_one(leg)}, threads=1)
    own = [task_of(row) for row in games("train", OWN, FIRST + 1)]
    path = place(f"{leg}-own.jsonl")
    return evaluate(
        leg, own, model, path, world=Generated(), max_steps=EARLY, end_repeats=True, workers=4
    )


def round_two(leg: Leg) -> Path:
    """The adapter of round one, trained further where it went wrong or might have."""
    runs = [taken_over(run, start(run), leg) for run in own_runs(leg)]
    runs += gold_runs(NEW, leg, FIRST + OWN + 1, beyond=True)
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


def cards(leg: Leg) -> Path:
    """The adapter of round two where it is shipped, with its card as data and in words."""
    chosen, target = round_two(leg), data.folder("adapters", "household", f"{leg}.gguf")
    own = own_runs(leg)
    stages = [json.loads((place(name) / "training.json").read_text(encoding="utf-8"))
              for name in (leg, f"{leg}-two")]  # fmt: skip
    record = {
        "leg": f"household/{leg}",
        "base": weights.NAME,
        "base_sha256": weights.SHA256,
        "adapter_sha256": weights.digest_of(chosen),
        "date": datetime.now(UTC).date().isoformat(),
        "own": {"games": len(own), "steps": EARLY, "won": sum(map(bool, map(correct, own)))},
        "rounds": stages,
    }
    data.write(target.with_suffix(".json"), json.dumps(record, indent=1) + "\n")
    data.write(target.with_suffix(".md"), card(record))
    shutil.copyfile(chosen, target)
    return target


def card(record: dict[str, Any]) -> str:
    """The card as Markdown."""
    own, first = record["own"], record["rounds"][0]
    rows = "\n".join(
        f"| {i} | {r['lines']} | {r['tokens']:,} | {r['rate']:g} | {r['loss']:.2f} | "
        f"{r['seconds'] / 60:.0f} min |"
        for i, r in enumerate(record["rounds"], 1)
    )
    return f"""# The adapter {record["leg"]}

A LoRA for {record["base"]} (rank {first["rank"]}, alpha {first["alpha"]}, all linear layers), trained by
`python -m react_lab.authoring.household` on {record["date"]}, on one core of a busy CPU, no GPU.

It is asked bare: from `You are in the middle of a room.` on, without instruction or exemplars.

| round | lines | tokens | learning rate | last loss | time |
|:--|--:|--:|--:|--:|--:|
{rows}

* Round one: the oracle's runs of {FIRST} train games, half of them with slips, which are not learned.
* Round two: {OWN} other train games, which the adapter of round one began by itself and the oracle
  finished, and the oracle's runs of {NEW} more. By itself it won {own["won"]} of those {own["games"]} within {own["steps"]} steps.

The games and the number of lines are the same for act, react and react-im; in round one the acts too.
Only what the model must write was learned, and that its turn then ends; never what the game answers.

How well it does: `../../runs/table3/README.md`.
"""


def main() -> None:
    if "cards" in sys.argv:
        print(*map(cards, get_args(Leg)), sep="\n")
        return
    for leg in get_args(Leg):
        if leg in (sys.argv[1:] or get_args(Leg)):
            print(round_two(leg), flush=True)


if __name__ == "__main__":
    main()
