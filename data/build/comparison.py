"""The recorded comparison: five methods on dev tasks, from which notebooks 03 to 05 draw.

    python data/build/comparison.py      runs what data/runs/comparison lacks

The combinations are not run: they follow from ReAct and CoT-SC on the same task (section 3.2).
Fine-tuned and prompted are two comparisons, in files of their own, and never merged.
"""

from __future__ import annotations

import itertools
import sys

from react_lab import data, models, tasks
from react_lab.evaluation import evaluate

__all__ = ["METHODS", "compare", "size"]

METHODS = ("standard", "cot", "act", "react", "cot-sc")
PROMPTED = {"multihop": 20, "claims": 10}  # few: the plain model talks until it is cut off
VOTED = 60  # questions of CoT-SC, fine-tuned: 21 samples each


def size(kind: str, how: str, method: str) -> int | None:
    """How many dev tasks, drawn evenly by type; None: all. A smaller draw is part of a larger."""
    if how == "prompted":
        return PROMPTED[kind]
    return VOTED if (kind, method) == ("multihop", "cot-sc") else None


def compare(kind: str, how: str) -> None:
    model = models.local(adapter="auto" if how == "tuned" else None)
    path = data.folder("runs", "comparison", f"{kind}-{how}.jsonl")
    for method in METHODS:
        n = size(kind, how, method)
        evaluate(method, tasks.load(kind, "dev", n=n, by_type=n is not None), model, path)


def main() -> None:
    """All four comparisons, or those named on the command line: `multihop-tuned`."""
    every = [f"{kind}-{how}" for how, kind in itertools.product(
        ("tuned", "prompted"), ("multihop", "claims"))]  # fmt: skip
    for name in sys.argv[1:] or every:
        kind, _, how = name.partition("-")
        compare(kind, how)


if __name__ == "__main__":
    main()
