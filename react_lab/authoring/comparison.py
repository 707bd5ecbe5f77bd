"""The recorded comparison: five methods on dev tasks, from which notebooks 03 to 05 draw.

    python -m react_lab.authoring.comparison      runs what data/runs/comparison lacks, one worker

The combinations are not run: they follow from ReAct and CoT-SC on the same task (section 3.2).
Fine-tuned and prompted are two comparisons, in files of their own, and never merged.
"""

from __future__ import annotations

import sys

from .. import data, models, tasks
from ..evaluation import evaluate

__all__ = ["METHODS", "compare"]

METHODS = ("standard", "cot", "act", "react", "cot-sc")
ASKED = {
    "tuned": None,
    "prompted": 30,
}  # dev tasks of a kind, None: all; prompted, an episode takes long


def compare(kind: str, how: str, methods: tuple[str, ...] = METHODS) -> None:
    model = models.local(adapter="auto" if how == "tuned" else None)
    path = data.folder("runs", "comparison", f"{kind}-{how}.jsonl")
    n = ASKED[how]
    chosen = tasks.load(kind, "dev", n=n, by_type=n is not None)
    evaluate(chosen, list(methods), model, path)


def main() -> None:
    """All four, or those that are named: `multihop-tuned`."""
    names = [f"{kind}-{how}" for how in ASKED for kind in ("multihop", "claims")]
    for name in sys.argv[1:] or names:
        kind, _, how = name.partition("-")
        compare(kind, how)


if __name__ == "__main__":
    main()
