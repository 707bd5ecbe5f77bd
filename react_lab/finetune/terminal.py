"""What `python -m react_lab finetune` does: train on gold or on your own runs, try, or export."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from .. import data, models, running, score, store, tasks
from ..stats import rate
from ..support.text import check_number
from ..types import Trajectory
from .lines import draw_gold, learnable, write_dataset, write_openai
from .trainer import Progress, Recipe, needs, train_adapter


def make(
    leg: str, n: int, paths: Sequence[str] | None, out: str | None, epochs: float = 1.0,
    gguf: str | None = None,
) -> Path:  # fmt: skip
    """Train an adapter; called again, it goes on where it was stopped."""
    needs()
    weights = f"-{Path(gguf).stem}" if gguf else ""
    folder = out or data.shared(f"runs/adapters/{leg}-{n}{weights}")
    with Bar() as bar:
        runs = chosen(n, paths)
        return train_adapter(runs, leg, folder, Recipe(epochs=epochs), weights=gguf, on_step=bar)


def chosen(n: int, paths: Sequence[str] | None) -> list[Trajectory]:
    """Gold trajectories, or the runs of your files."""
    if not paths:
        check_number("n", n, 1, 1)
        return draw_gold(n)
    return [run for path in paths for run in store.open(Path(path).resolve())]


def export(kind: str, leg: str, n: int, paths: Sequence[str] | None, out: str | None) -> Path:
    """Write the training lines for another trainer: a dataset folder, or a file for OpenAI."""
    lines = learnable(chosen(n, paths), leg)
    where = data.resolve(out) if out else data.shared(f"runs/adapters/{leg}-{n}-{kind}")
    if kind == "dataset":
        return write_dataset(lines, where, leg)
    return write_openai(lines, where.with_suffix(".jsonl"), leg)


def tried(adapter: Path, leg: str, n: int, gguf: str | None = None) -> str:
    """Its score on n questions of the dev split: no gold trajectory is over their pages."""
    model = models.local(gguf, adapter={leg: adapter})
    questions = tasks.load("multihop", "dev", n=n, by_type=True)
    bar = tqdm(questions, desc="dev questions", leave=False)
    right = sum(bool(score.correct(running.run(leg, task, model))) for task in bar)
    return f"dev questions right: {rate(right, n)}"


class Bar:
    """A progress bar with the loss, for `on_step`."""

    def __init__(self, name: str = "training") -> None:
        self.bar = tqdm(unit="", desc=name)

    def __enter__(self) -> Bar:
        return self

    def __call__(self, progress: Progress) -> None:
        self.bar.total = progress.steps
        self.bar.set_postfix(loss=f"{progress.loss:.2f}", refresh=False)
        self.bar.update(progress.step - self.bar.n)

    def __exit__(self, *_: object) -> None:
        self.bar.close()
