"""Adapters from the terminal: train one on gold or on your own runs, try it, or export the lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from tqdm import tqdm

from .. import data, lab, models, score, store, tasks
from ..finetune import training_lines, write_dataset, write_openai
from ..stats import wilson
from ..training import Progress, Recipe, needs, train_adapter
from ..types import Trajectory
from .gold import draw_gold

__all__ = ["Bar", "export", "make", "tried"]


def make(
    leg: str, n: int, paths: Sequence[str] | None, out: str | None, epochs: float = 1.0
) -> Path:
    """Train; the same words again go on where a stopped training was."""
    needs()
    folder = out or f"runs/adapters/{leg}-{n}"
    with Bar() as bar:
        runs = chosen(n, paths)
        return train_adapter(runs, leg, folder, Recipe(epochs=epochs), on_step=bar)


def chosen(n: int, paths: Sequence[str] | None) -> list[Trajectory]:
    """Gold trajectories, or the runs of your files."""
    if not paths:
        return draw_gold(n)
    return [run for path in paths for run in store.open(Path(path).resolve())]


def export(kind: str, leg: str, n: int, paths: Sequence[str] | None, out: str | None) -> Path:
    lines = training_lines(chosen(n, paths), leg)
    where = data.resolve(out or f"runs/adapters/{leg}-{n}-{kind}")
    if kind == "dataset":
        return write_dataset(lines, where, leg)
    return write_openai(lines, where.with_suffix(".jsonl"), leg)


def tried(adapter: Path, leg: str, n: int) -> str:
    """How it does on questions of the dev split, whose pages it never saw."""
    model = models.local(adapter={leg: adapter})
    asked = tasks.load("multihop", "dev", n=n, by_type=True)
    bar = tqdm(asked, desc="dev questions", leave=False)
    right = sum(bool(score.correct(lab.run(leg, task, model))) for task in bar)
    low, high = wilson(right, n)
    return f"{right} of {n} dev questions right (95%: {low:.0%} to {high:.0%})"


class Bar:
    """A bar with the loss, for `on_step`, or with how many runs were right."""

    def __init__(self, name: str = "training") -> None:
        self.bar = tqdm(unit="", desc=name)

    def __enter__(self) -> Bar:
        return self

    def __call__(self, progress: Progress) -> None:
        self.bar.total = progress.steps
        self.bar.set_postfix(loss=f"{progress.loss:.2f}", refresh=False)
        self.bar.update(progress.step - self.bar.n)

    def count(self, graded: Iterable[bool | None], n: int) -> None:
        self.bar.total, right = n, 0
        for k, grade in enumerate(graded, 1):
            right += bool(grade)
            self.bar.set_postfix(right=f"{right / k:.0%}", refresh=False)
            self.bar.update(1)

    def __exit__(self, *_: object) -> None:
        self.bar.close()
