"""The recorded runs of the dated questions, from which notebook 03 draws (Figure 4).

python data/build/dated.py      runs what data/runs/dated lacks
"""

from __future__ import annotations

from react_lab import data, models
from react_lab.evaluation import evaluate
from react_lab.lessons import lesson_03

__all__ = ["record"]


def record() -> None:
    """Who looks nothing up sees no page, old or new: it is asked once."""
    model, folder = models.local(), data.folder("runs") / "dated"
    methods: dict[lesson_03.When, list[str]] = {
        "old": ["standard", "cot", "act", "react"],
        "new": ["act", "react"],
    }
    for when, each in methods.items():
        path = folder / f"{when}.jsonl"
        evaluate(each, lesson_03.dated(), model, path, world=lesson_03.world(when))


if __name__ == "__main__":
    record()
