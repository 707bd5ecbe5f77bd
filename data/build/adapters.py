"""Trains an adapter on the demonstrations, round by round, each from where the last one ended.

    python data/build/adapters.py react            the next round; killed, it goes on where it was

Every leg of a kind sees the same tasks in the same order. A round learns the next --lines of them,
from the first one again after the last, and ends in data/adapters/SIZE/LEG.gguf with a card beside
it. Keep what dev says is better, made small by pack.py.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count, islice
from pathlib import Path
from typing import Any, cast

import house.gold
import shop.gold
import tool_tasks
from eight_bits import quicken
from house.games import Generated

from react_lab import data
from react_lab.finetune import Recipe, draw_gold, training_lines
from react_lab.finetune.trainer import loss_bar, train, write_gguf
from react_lab.models import weights
from react_lab.score import correct
from react_lab.types import Trajectory

LEGS = (
    "standard", "cot", "act", "react", "household/act", "household/react", "household/react-im",
    "shop/act", "shop/react", "tools/react",
)  # fmt: skip
QUESTIONS = 7900  # and claims, whose demonstrations come in turn
RECIPE = Recipe(rank=8, alpha=16, rate=4e-4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("leg", choices=LEGS)
    parser.add_argument("--size", default="0.5b", choices=("0.5b", "1.5b"))
    parser.add_argument("--lines", type=int, default=300, help="of this round")
    asked = parser.parse_args()
    base = weights.path(asked.size)
    kept = data.folder("adapters", asked.size, f"{asked.leg}.gguf")
    card = card_of(asked.leg, kept, base)
    done, seen = len(card["rounds"]), sum(each["lines"] for each in card["rounds"])
    right = (run for run in demonstrations(asked.leg) if correct(run))
    runs, kind = islice(right, seen, seen + asked.lines), asked.leg.rpartition("/")[0]
    world = Generated() if kind == "household" else None
    lines = training_lines(runs, kept.stem, world)
    work = data.shared(f"runs/adapters/{asked.size}/{asked.leg}-{done + 1}")
    with loss_bar(work.name) as bar:
        recipe = replace(RECIPE, rank=card["rank"], alpha=2 * card["rank"])
        train(lines, work, base, recipe, start=kept if done else None, on_step=bar, prepare=quicken)
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_gguf(work, kept, base)
    told = json.loads((work / "training.json").read_text(encoding="utf-8"))
    card["rounds"].append(told | {"date": f"{datetime.now(UTC):%Y-%m-%d}"})
    card["adapter_sha256"] = hashlib.sha256(kept.read_bytes()).hexdigest()
    kept.with_suffix(".json").write_text(json.dumps(card), encoding="utf-8")
    shutil.rmtree(work)
    print(f"{kept}: {done + 1} rounds, loss {told['loss']}")


def demonstrations(leg: str) -> Iterator[Trajectory]:
    """What a leg learns from, without an end."""
    kind, _, name = leg.rpartition("/")
    if kind == "household":
        yield from house.gold.gold_runs(1_000_000, cast(Any, name))
    for turn in count():
        if kind == "shop":
            yield from shop.gold.gold_runs(1_000, cast(Any, name))
        else:
            yield from tool_tasks.gold_runs() if kind else with_lookups(draw_gold(QUESTIONS), turn)


def with_lookups(runs: Iterable[Trajectory], turn: int) -> Iterator[Trajectory]:
    """All runs that look something up, and each third of the others, another third each turn.

    In dev 45% of the facts stand below the sentences that Search shows, in the demonstrations 27%:
    an adapter that had 823 of these quoted whatever it saw.
    """
    others = 0
    for run in runs:
        looks = any((step.action or "").startswith("Lookup[") for step in run.steps)
        others += not looks
        if looks or others % 3 == turn % 3:
            yield run


def card_of(leg: str, kept: Path, base: Path) -> dict[str, Any]:
    """What the card of an adapter tells, or the first words of a new one."""
    path = kept.with_suffix(".json")
    if path.exists():
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found
    known = hashlib.sha256(base.read_bytes()).hexdigest()
    named = {"leg": leg, "base": base.name, "base_sha256": known}
    return {**named, "rank": RECIPE.rank, "rounds": []}


if __name__ == "__main__":
    main()
