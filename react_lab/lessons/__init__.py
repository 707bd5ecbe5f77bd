"""The lessons: one module per notebook; what they ask is below `words`."""

from __future__ import annotations

import importlib

import react_lab as rl

from ..types import Task

__all__ = ["lesson_named", "question"]


def lesson_named(number: str) -> rl.teach.Lesson:
    """What the notebook with this number asks, made afresh by its module."""
    lesson: rl.teach.Lesson = importlib.import_module(f"{__name__}.lesson_{number}").lesson()
    return lesson


def question(name: str) -> Task:
    """The bundled question with this id."""
    every = rl.tasks.load("multihop", name.split("-")[1])
    return next(task for task in every if task.id == name)
