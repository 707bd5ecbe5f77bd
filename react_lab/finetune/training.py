"""Training lines -> a LoRA adapter, with transformers and peft, on a CPU or a GPU (Figure 3).

Needs the extra `[finetune]`. The steps are in `trainer`; here is when to save, and what comes out.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import data
from ..models import weights as bundled
from ..types import Trajectory
from .adapter import write_gguf
from .lines import Line, training_lines
from .trainer import Recipe, Trainer

__all__ = ["Progress", "Recipe", "needs", "train", "train_adapter"]

EVERY = 30.0  # seconds between checkpoints


@dataclass(frozen=True)
class Progress:
    """Where a training stands after a step."""

    step: int
    steps: int
    loss: float
    seconds_left: float


def needs() -> None:
    """Say plainly what to install when the extra is missing."""
    try:
        import gguf  # noqa: F401
        import peft  # noqa: F401
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as error:
        raise ValueError(
            f"training needs {error.name}: install the extra, pip install 'react_lab[finetune]'"
        ) from None


def train_adapter(
    runs: Iterable[Trajectory],
    leg: str,
    folder: str | os.PathLike[str],
    recipe: Recipe | None = None,
    *,
    weights: str | os.PathLike[str] | None = None,
    on_step: Callable[[Progress], None] | None = None,
) -> Path:
    """Correct runs -> an adapter for a leg: `rl.models.local(adapter=...)` takes what it returns.

    Called again, it goes on where it was stopped. folder: where checkpoints and the result are
    kept. weights: a .gguf file of any kind that transformers reads; None is the bundled model's.
    """
    lines = training_lines(runs, leg)
    if not lines:
        raise ValueError(f"none of these runs is correct, so there is nothing to learn for {leg}")
    base = Path(weights).expanduser().resolve() if weights else bundled.path()
    folder = data.resolve(folder)
    train(lines, folder, base, recipe, on_step=on_step)
    return write_gguf(folder, folder / f"{leg}-{len(lines)}.gguf", base)


def train(
    lines: Sequence[Line],
    folder: Path,
    weights: Path,
    recipe: Recipe | None = None,
    *,
    start: Path | None = None,
    on_step: Callable[[Progress], None] | None = None,
    at: Mapping[int, Path] | None = None,
) -> Path:
    """Train an adapter on lines; called again, it goes on where it was killed. -> a peft folder.

    start: a GGUF adapter to train further. at: step -> a peft folder to write after that step, to
    see how the score grows.
    """
    needs()
    trainer = Trainer(lines, folder, weights, recipe or Recipe(), start)
    began, first = time.monotonic(), trainer.step
    saved = began
    while trainer.step < trainer.steps:
        loss = trainer.advance()
        now = time.monotonic()
        left = (now - began) / (trainer.step - first) * (trainer.steps - trainer.step)
        if on_step:
            on_step(Progress(trainer.step, trainer.steps, loss, left))
        if beside := (at or {}).get(trainer.step):
            trainer.keep(beside)
        if now - saved > EVERY:
            trainer.save()
            saved = now
    return trainer.finish()
