"""Correct trajectories -> training lines -> a LoRA adapter of the bundled model (Figure 3).

    lines = rl.finetune.training_lines(runs, "react")
    adapter = rl.finetune.train_adapter(runs, "react", "runs/adapters/mine")   # extra [finetune]
    model = rl.models.local(adapter=adapter)

To read the code: lines, trainer.
"""

from __future__ import annotations

from .lines import (
    Line,
    Turn,
    demonstration,
    draw_gold,
    rows,
    training_line,
    training_lines,
    write_dataset,
    write_openai,
)
from .trainer import Progress, Recipe, train_adapter

__all__ = [
    "Line", "Progress", "Recipe", "Turn", "demonstration", "draw_gold", "rows", "train_adapter",
    "training_line", "training_lines", "write_dataset", "write_openai",
]  # fmt: skip
