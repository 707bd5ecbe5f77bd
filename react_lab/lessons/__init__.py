"""The lessons: one module per notebook; what they ask is below `words`."""

from __future__ import annotations

from .. import tasks
from ..types import Task

__all__ = ["question"]


def question(name: str) -> Task:
    """The bundled question with this id."""
    split = name.split("-")[1]
    return next(task for task in tasks.load("multihop", split) if task.id == name)
