"""The commonest mistakes of the tuned ReAct and the tuned CoT, read off their wrong runs on dev.

python -m react_lab.label.mistakes

data/labels/mistakes.json says who read them. The runs are in data/runs/first: they were
made over the pages, claims and search of that day.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .. import data, store
from ..types import Trajectory

__all__ = ["main", "mistakes", "report"]

RUNS = ("first/multihop", "first/claims")


def mistakes() -> dict[str, Any]:
    """about, react and cot: kinds of mistake with their counts and examples."""
    path = data.folder("labels", "mistakes.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def report() -> Iterator[str]:
    found, runs = mistakes(), {run.id: run for run in stored()}
    yield f"Read by {found['about']['read_by']}: {found['about']['runs']}."
    for leg in ("react", "cot"):
        yield f"\n{leg}: {found[leg]['wrong']} wrong runs; {found[leg]['other']} of other kinds"
        for kind in found[leg]["kinds"]:
            yield f"\n{kind['count']:3}  {kind['kind']}: {kind['what']}"
            yield from (shown(example, runs[example["run"]]) for example in kind["examples"])


def stored() -> Iterator[Trajectory]:
    for name in RUNS:
        yield from store.open(data.folder("runs", f"{name}.jsonl"))


def shown(example: dict[str, Any], run: Trajectory) -> str:
    """One example: the task, the step that went wrong as the model wrote it, what was true."""
    step = run.steps[example["step"] - 1]
    written = " ".join(filter(None, (step.thought, step.action)))
    return (
        f"     {run.task.text}\n"
        f"       step {example['step']}: {written}\n       {example['note']}\n"
        f"       answer: {run.answer}; gold: {run.task.gold}"
    )


def main() -> None:
    print("\n".join(report()))


if __name__ == "__main__":
    main()
