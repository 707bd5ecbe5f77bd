"""The adapters that are shipped: chosen by dev, copied to data/adapters, each with its card.

python -m react_lab.authoring.shipped dev       scores what was trained, on dev tasks (`dev act`: one leg)
python -m react_lab.authoring.shipped cards     copies the best and writes the cards
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .. import data, models, store, tasks
from ..evaluation import evaluate
from ..models import weights
from ..stats import wilson
from ..types import Task, Trajectory
from .rounds import BUDGETS, GOLD, LEGS, place, right

__all__ = ["best", "cards", "card", "dev_tasks", "main", "score_on_dev"]

STAGES = {  # by the end of a folder's name
    f"gold-{GOLD}": "1,000 questions and 500 claims of the train split, the same for all four adapters. Half have a "
    "trajectory that AI writers wrote for them and a program replayed; half are generated, with an "
    "oracle's trajectory (see ../README.md).",
    "again": "The same lines once more, in another order.",
    "two": "Its own correct runs, and only those, on other train questions.",
}
GOLD_LINES = re.compile(rf"-(?P<stage>gold-{GOLD}|again)(-step-(?P<step>\d+))?$")
TITLES = {"react": "ReAct", "act": "Act", "cot": "Chain-of-Thought", "standard": "Standard"}


def dev_tasks() -> list[Task]:
    """Dev tasks by which adapters are compared: hand-written, and generated over dev pages."""
    drawn = [("multihop", "dev", 60), ("multihop", "pool", 60), ("claims", "dev", 60)]
    return [task for name, split, n in drawn for task in tasks.load(name, split, n, by_type=True)]


def stages(leg: str) -> list[Path]:
    """The folders of a leg's trainings, in order; of react also those of smaller budgets."""
    small = [place(f"{leg}-gold-{n}") for n in BUDGETS if leg == "react"]
    return [*small, *(place(f"{leg}-{stage}") for stage in (f"gold-{GOLD}", "again", "two"))]


def trained(leg: str) -> list[Path]:
    """Every adapter of a leg: on the way, and at the end of each stage."""
    return [path for folder in stages(leg) for path in sorted(folder.glob("*.gguf"))]


def few() -> list[Task]:
    """Those of them that also the adapters on the way are asked: the generated and the claims."""
    return [task for task in dev_tasks() if not task.id.startswith("multihop-dev")][::2]


def ends(leg: str) -> list[Path]:
    """The adapters at the end of each stage, as far as there are any."""
    found = [folder / f"{folder.name}.gguf" for folder in stages(leg)]
    return [path for path in found if path.exists()]


def score_on_dev(leg: str) -> None:
    for adapter in reversed(trained(leg)):
        model = models.local(adapter={leg: adapter})
        asked = dev_tasks() if adapter in ends(leg) else few()
        evaluate(asked, leg, model, place(f"dev-{adapter.stem}.jsonl"))


def curve(leg: str) -> list[dict[str, int]]:
    """Right answers on `few` after so many gold lines, over both passes (Appendix B.1)."""
    same = {task.id for task in few()}
    found = []
    for adapter in trained(leg):
        if (told := GOLD_LINES.search(adapter.stem)) and (runs := dev_runs(adapter)):
            stage, step = told["stage"], told["step"]
            lines = int(step or GOLD) + GOLD * (stage == "again")
            graded = [run for run in runs if run.task.id in same]
            found.append({"lines": lines, "right": right(graded), "asked": len(graded)})
    return sorted(found, key=lambda point: point["lines"])


def dev_runs(adapter: Path) -> list[Trajectory]:
    path = place(f"dev-{adapter.stem}.jsonl")
    return list(store.open(path)) if path.exists() else []


def scores(adapter: Path) -> dict[str, list[int]]:
    """Right and asked, by the kind of dev task."""
    found: dict[str, list[int]] = {}
    for run in dev_runs(adapter):
        kind = run.task.id.rpartition("-")[0]
        told = found.setdefault(kind, [0, 0])
        told[0] += right([run])
        told[1] += 1
    return found


def best(leg: str) -> Path:
    """The end of the stage that did best on dev, all three kinds counted alike; of equals, the
    later."""
    done = [path for path in ends(leg) if scores(path)]
    return max(reversed(done), key=lambda path: sum(k / n for k, n in scores(path).values()))


def cards() -> None:
    for leg in LEGS:
        chosen = best(leg)
        target = data.folder("adapters", f"{leg}.gguf")
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(chosen, target)
        told = facts(leg, chosen)
        written = json.dumps(told, indent=1, ensure_ascii=False) + "\n"
        target.with_suffix(".json").write_text(written, encoding="utf-8", newline="\n")
        target.with_suffix(".md").write_text(card(leg, told), encoding="utf-8", newline="\n")


def facts(leg: str, chosen: Path) -> dict[str, Any]:
    """What a card tells, as data: the trainings one after another, and every dev score."""
    whole = stages(leg)[-3:]
    folders = whole[: whole.index(chosen.parent) + 1]
    names = ("lines", "tokens", "steps", "loss", "seconds", "rank", "alpha", "rate", "batch",
             "epochs", "seed", "device", "losses")  # fmt: skip
    rounds = []
    for folder in folders:
        told = json.loads((folder / "training.json").read_text(encoding="utf-8"))
        rounds.append({"stage": folder.name} | {name: told[name] for name in names})
    return {
        "leg": leg,
        "base": weights.NAME,
        "base_sha256": weights.SHA256,
        "adapter_sha256": weights.digest_of(chosen),
        "date": datetime.now(UTC).date().isoformat(),
        "rounds": rounds,
        "dev": {path.stem: told for path in ends(leg) if (told := scores(path))},
        "round_two": round_two(leg),
        "curve": curve(leg),
        "chosen": chosen.stem,
    }


def round_two(leg: str) -> dict[str, int]:
    """How many train questions were asked for round two, and how many runs were right."""
    path = place(f"{leg}-two.jsonl")
    runs = list(store.open(path)) if path.exists() else []
    return {"asked": len(runs), "right": right(runs)}


def card(leg: str, told: dict[str, Any]) -> str:
    """The card as a page."""
    rounds, rows = trainings(told), dev_rows(told)
    first = told["rounds"][0]
    return f"""# The {TITLES[leg]} adapter

A LoRA for {told["base"]} (rank {first["rank"]}, alpha {first["alpha"]}, all linear layers), trained by
`python -m react_lab.authoring.rounds` on {told["date"]}, two cores of a CPU, no GPU. Shipped: `{told["chosen"]}`, chosen by dev.

It is asked bare: from `Question:` or `Claim:` on, without instruction or exemplars, as it was trained.

## What it learned from

{learned_from(told)}

Only what the model must write was learned, and that its turn then ends; never what the world answers.

| stage | lines | tokens | steps | last loss | time |
|:--|--:|--:|--:|--:|--:|
{rounds}

{second_round(told)}

Learning rate {" then ".join(f"{r['rate']:g}" for r in told["rounds"])}, with warm-up and linear decay; {first["batch"]} line a step.

## How well it does on dev (exact match; 95% intervals by Wilson)

`multihop-dev` and `claims-dev` are written by hand, `multihop-pool` is generated over dev pages.

| adapter | tasks | right | interval |
|:--|:--|--:|:--|
{rows}

On the test split: `python -m react_lab figure3`.
"""


def second_round(told: dict[str, Any]) -> str:
    asked, correct = told["round_two"]["asked"], told["round_two"]["right"]
    if not asked:
        return "No round two: this method is too seldom right to learn from its own runs."
    kept = "which is shipped" if told["chosen"].endswith("two") else "and it did no better on dev"
    return (
        f"Round two: of {asked} other train questions, hand-written and hard, it got {correct} "
        f"right; those runs, and only those, trained `{told['leg']}-two` further, {kept}."
    )


def learned_from(told: dict[str, Any]) -> str:
    names = [stage["stage"].partition("-")[2] for stage in told["rounds"]]
    return "\n".join(f"* `{name}`: {STAGES[name]}" for name in names)


def trainings(told: dict[str, Any]) -> str:
    return "\n".join(
        f"| {r['stage']} | {r['lines']} | {r['tokens']:,} | {r['steps']} | {r['loss']:.2f} | "
        f"{r['seconds'] / 60:.0f} min |"
        for r in told["rounds"]
    )


def dev_rows(told: dict[str, Any]) -> str:
    return "\n".join(
        f"| {name} | {kind} | {k} of {n} | {interval(k, n)} |"
        for name, kinds in told["dev"].items()
        for kind, (k, n) in sorted(kinds.items())
    )


def interval(k: int, n: int) -> str:
    low, high = wilson(k, n)
    return f"{low:.0%} to {high:.0%}"


def main() -> None:
    if "dev" in sys.argv:
        for leg in sys.argv[2:] or LEGS:
            score_on_dev(leg)
    if "cards" in sys.argv:
        cards()


if __name__ == "__main__":
    main()
