"""The commonest mistakes of the tuned ReAct and the tuned CoT, read off their wrong runs on dev.

python data/build/mistakes.py

data/labels/mistakes.json says who read them. The runs are in data/runs/first: they were
made over the pages, claims and search of that day.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from react_lab import data, store
from react_lab.types import Trajectory


def report() -> Iterator[str]:
    path = data.folder("labels", "mistakes.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    runs = {
        run.id: run
        for name in ("multihop", "claims")
        for run in store.open(data.folder("runs", f"first/{name}.jsonl"))
    }
    yield f"Read by {found['about']['read_by']}: {found['about']['runs']}."
    for leg in ("react", "cot"):
        yield f"\n{leg}: {found[leg]['wrong']} wrong runs; {found[leg]['other']} of other kinds"
        for kind in found[leg]["kinds"]:
            yield f"\n{kind['count']:3}  {kind['kind']}: {kind['what']}"
            yield from (say_example(one, runs[one["run"]]) for one in kind["examples"])


def say_example(example: dict[str, Any], run: Trajectory) -> str:
    """One example: the task, the step that went wrong as the model wrote it, what was true."""
    step = run.steps[example["step"] - 1]
    written = " ".join(filter(None, (step.thought, step.action)))
    return (
        f"     {run.task.text}\n"
        f"       step {example['step']}: {written}\n       {example['note']}\n"
        f"       answer: {run.answer}; gold: {run.task.gold}"
    )


if __name__ == "__main__":
    print("\n".join(report()))
