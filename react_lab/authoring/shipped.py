"""The adapters that are shipped: chosen by dev, copied to data/adapters, each with its card.

What a card tells of trainings that are not at hand any more is kept as it stands.

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
from ..kinds import LEGS
from ..models import weights
from ..stats import interval
from ..types import Task, Trajectory
from .own_states import ROUNDS
from .rounds import BOOTSTRAPPED, BUDGETS, GOLD, place, right

__all__ = ["best", "cards", "card", "dev_tasks", "main", "score_on_dev"]

STAGES = {  # by the end of a folder's name
    f"gold-{GOLD}": "1,000 questions and 500 claims of the train split, the same for all four adapters. Half have a "
    "trajectory that AI writers wrote for them and a program replayed; half are generated, with an "
    "oracle's trajectory (see ../README.md).",
    "again": "The same lines once more, in another order.",
    "two": "Its own correct runs, and only those, on other train questions.",
    "own-1": "Learning on its own states: {tasks} train questions that it did by itself (it got {right} right and gave "
    "{gave up} up), what the oracle does from 300 of the states it got into, and 300 whole runs of the oracle, half of them claims.",
}
PLAIN = "As many lines as ReAct and Act learned in round {n}, all of them the oracle's, over the same tasks."
GOLD_LINES = re.compile(rf"-(?P<stage>gold-{GOLD}|again)(-step-(?P<step>\d+))?$")
TITLES = {"react": "ReAct", "act": "Act", "cot": "Chain-of-Thought", "standard": "Standard"}


def dev_tasks() -> list[Task]:
    """Dev tasks by which adapters are compared: hand-written, and generated over dev pages."""
    drawn = [("multihop", "dev", 60), ("multihop", "pool", 60), ("claims", "dev", 60)]
    return [task for name, split, n in drawn for task in tasks.load(name, split, n, by_type=True)]


def stages(leg: str) -> list[Path]:
    """The folders of a leg's trainings, in order; of react also those of smaller budgets."""
    small = [place(f"{leg}-gold-{n}") for n in BUDGETS if leg == "react"]
    own = [f"{'own' if leg in BOOTSTRAPPED else 'plain'}-{n}" for n in range(1, len(ROUNDS) + 1)]
    return [*small, *(place(f"{leg}-{stage}") for stage in (f"gold-{GOLD}", "again", "two", *own))]


def trained(leg: str) -> list[Path]:
    """Every adapter of a leg: on the way, and at the end of each stage."""
    return [path for folder in stages(leg) for path in sorted(folder.glob("*.gguf"))]


def few() -> list[Task]:
    """Dev tasks for the adapters on the way too: half of the generated ones and of the claims."""
    return [task for task in dev_tasks() if not task.id.startswith("multihop-dev")][::2]


def ends(leg: str) -> list[Path]:
    """The adapters at the end of each stage, as far as there are any."""
    found = [folder / f"{folder.name}.gguf" for folder in stages(leg)]
    return [path for path in found if path.exists()]


def score_on_dev(leg: str) -> None:
    for adapter in reversed(trained(leg)):
        model = models.local(adapter={leg: adapter})
        chosen = dev_tasks() if adapter in ends(leg) else few()
        evaluate(leg, chosen, model, place(f"dev-{adapter.stem}.jsonl"))


def curve(leg: str) -> list[dict[str, int]]:
    """Right answers on `few` after so many gold lines, over both passes (Appendix B.1)."""
    ids = {task.id for task in few()}
    found = []
    for adapter in trained(leg):
        if (match := GOLD_LINES.search(adapter.stem)) and (runs := dev_runs(adapter)):
            stage, step = match["stage"], match["step"]
            lines = int(step or GOLD) + GOLD * (stage == "again")
            graded = [run for run in runs if run.task.id in ids]
            found.append({"lines": lines, "right": right(graded), "asked": len(graded)})
    return sorted(found, key=lambda point: point["lines"])


def dev_runs(adapter: Path) -> list[Trajectory]:
    return stored(place(f"dev-{adapter.stem}.jsonl"))


def stored(path: Path) -> list[Trajectory]:
    """The runs of a file; none where there is no file yet."""
    return list(store.open(path)) if path.exists() else []


def scores(adapter: Path) -> dict[str, list[int]]:
    """Right and asked, by the kind of dev task."""
    found: dict[str, list[int]] = {}
    for run in dev_runs(adapter):
        kind = run.task.id.rpartition("-")[0]
        counts = found.setdefault(kind, [0, 0])
        counts[0] += right([run])
        counts[1] += 1
    return found


def best(leg: str) -> Path:
    """The stage's end that did best on dev, all three kinds counted alike; of equals, the later."""
    done = [path for path in ends(leg) if scores(path)]
    return max(reversed(done), key=lambda path: sum(k / n for k, n in scores(path).values()))


def cards() -> None:
    for leg in LEGS:
        chosen = best(leg)
        target = data.folder("adapters", f"{leg}.gguf")
        record = facts(leg, chosen)
        written = json.dumps(record, indent=1, ensure_ascii=False) + "\n"
        data.write(target.with_suffix(".json"), written)
        data.write(target.with_suffix(".md"), card(leg, record))
        shutil.copyfile(chosen, target)


def facts(leg: str, chosen: Path) -> dict[str, Any]:
    """What a card tells, as data: the trainings one after another, and every dev score."""
    before = stored_card(leg)
    rounds = {training["stage"]: training for training in before["rounds"]}
    behind = [folder.name for folder in stages(leg)][: stages(leg).index(chosen.parent) + 1]
    names = ("lines", "tokens", "steps", "loss", "seconds", "rank", "alpha", "rate", "batch",
             "epochs", "seed", "device", "losses")  # fmt: skip
    for folder in stages(leg):
        if folder.name in behind and (path := folder / "training.json").exists():
            training = json.loads(path.read_text(encoding="utf-8"))
            told = {"stage": folder.name, "date": day(path)} | {k: training[k] for k in names}
            rounds[folder.name] = told | rolled(folder)
    return {
        "leg": leg,
        "base": weights.NAME,
        "base_sha256": weights.SHA256,
        "adapter_sha256": weights.digest_of(chosen),
        "date": before["date"],
        "rounds": list(rounds.values()),
        "dev": before["dev"] | {p.stem: counts for p in ends(leg) if (counts := scores(p))},
        "round_two": before["round_two"],
        "curve": curve(leg) or before["curve"],
        "chosen": chosen.stem,
        "tried": before.get("tried", []),
    }


def stored_card(leg: str) -> dict[str, Any]:
    path = data.folder("adapters", f"{leg}.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def day(path: Path) -> str:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()


def rolled(folder: Path) -> dict[str, Any]:
    """What the adapter before did by itself, where this training learned from it."""
    path = folder.with_suffix(".json")
    return {"by itself": json.loads(path.read_text(encoding="utf-8"))} if path.exists() else {}


def card(leg: str, record: dict[str, Any]) -> str:
    """The card as Markdown."""
    rounds, rows = trainings(record), dev_rows(record)
    first, last = record["rounds"][0], record["rounds"][-1]
    module = "own_states" if last["stage"].endswith(tuple("123")) else "rounds"
    return f"""# The {TITLES[leg]} adapter

A LoRA for {record["base"]} (rank {first["rank"]}, alpha {first["alpha"]}, all linear layers), trained by
`python -m react_lab.authoring.{module}` on {record["date"]}, two cores of a CPU, no GPU. Shipped: `{record["chosen"]}`, chosen by dev.

It is asked bare: from `Question:` or `Claim:` on, without instruction or exemplars, as it was trained.

## What it learned from

{learned_from(record)}

Only what the model must write was learned, and that its turn then ends; never what the world answers.

| stage | lines | tokens | steps | last loss | time |
|:--|--:|--:|--:|--:|--:|
{rounds}

{second_round(record)}
{tried(record)}
Learning rate {", then ".join(f"{r['rate']:g}" for r in record["rounds"])}, with warm-up and linear decay; {first["batch"]} line per step.

## How well it does on dev (exact match; 95% intervals by Wilson)

`multihop-dev` and `claims-dev` are written by hand, `multihop-pool` is generated over dev pages. Scored on {record["date"]},
over the pages, claims and search of that day.

| adapter | tasks | right | interval |
|:--|:--|--:|:--|
{rows}

On the test split: `python -m react_lab figure3`.
"""


def second_round(record: dict[str, Any]) -> str:
    asked, correct = record["round_two"]["asked"], record["round_two"]["right"]
    if not asked:
        return "No round two: this method is too seldom right to learn from its own runs."
    kept = "which is shipped" if record["chosen"].endswith("two") else "and it did no better on dev"
    return (
        f"Round two: of {asked} other train questions, hand-written and hard, it got {correct} "
        f"right; those runs, and only those, trained `{record['leg']}-two` further, {kept}."
    )


def tried(record: dict[str, Any]) -> str:
    """What came after and is not shipped."""
    return "".join(f"\n{line}\n" for line in record.get("tried", ()))


def learned_from(record: dict[str, Any]) -> str:
    return "\n".join(map(of_stage, record["rounds"]))


def of_stage(training: dict[str, Any]) -> str:
    name = training["stage"].partition("-")[2]
    if name.startswith("plain"):
        return f"* `{name}`: {PLAIN.format(n=name[-1])}"
    return f"* `{name}`: {STAGES[name].format(**training.get('by itself', {}))}"


def trainings(record: dict[str, Any]) -> str:
    return "\n".join(
        f"| {r['stage']} | {r['lines']} | {r['tokens']:,} | {r['steps']} | {r['loss']:.2f} | "
        f"{r['seconds'] / 60:.0f} min |"
        for r in record["rounds"]
    )


def dev_rows(record: dict[str, Any]) -> str:
    return "\n".join(
        f"| {name} | {kind} | {k} of {n} | {interval(k, n)} |"
        for name, kinds in record["dev"].items()
        for kind, (k, n) in sorted(kinds.items())
    )


def main() -> None:
    if "dev" in sys.argv:
        for leg in sys.argv[2:] or LEGS:
            score_on_dev(leg)
    if "cards" in sys.argv:
        cards()


if __name__ == "__main__":
    main()
