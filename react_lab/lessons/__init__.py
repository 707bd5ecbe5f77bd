"""The lessons: one module per notebook; what they ask is below `words`."""

from __future__ import annotations

import importlib

import react_lab as rl

from ..types import Task

__all__ = ["lesson_named", "question", "riddles"]


def lesson_named(number: str) -> rl.teach.Lesson:
    """What the notebook with this number asks, made afresh by its module."""
    lesson: rl.teach.Lesson = importlib.import_module(f"{__name__}.lesson_{number}").lesson()
    return lesson


def question(name: str) -> Task:
    """The bundled question with this id; the riddles, which the stored runs ask, are `hard`."""
    every = (t for split in ("hard", name.split("-")[1]) for t in rl.tasks.load("multihop", split))
    return next(task for task in every if task.id == name)


def riddles(kind: str, split: str) -> list[Task]:
    """What was dev or test before the direct questions: the stored runs ask these."""
    return [t for t in rl.tasks.load(kind, "hard") if t.id.startswith(f"{kind}-{split}-")]
