"""The episodes of an experiment, each with the id that its run will have: the key of resume."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from .. import lab
from ..agent import Kit
from ..methods import Method, legs_of
from ..models.script import written
from ..prompts import KEEP
from ..types import Model, Task

__all__ = ["Episode", "planned"]

Methods = str | Method | Sequence[str | Method]


@dataclass(frozen=True)
class Episode:
    """One task, one method, once."""

    id: str
    task: Task
    method: str | Method
    name: str  # of the method
    kit: Kit | None  # of all tasks of its kind; None on the way elsewhere, where it is made anew
    repeat: int


def planned(
    tasks: Task | Iterable[Task],
    methods: Methods,
    model: Model,
    repeats: int = 1,
    **options: Any,
) -> dict[str, Episode]:
    """Every task by every method, by id. All methods of a task come before the next task.

    So what a spent budget leaves undone is missing for all methods alike.
    """
    methods = [methods] if isinstance(methods, str) or callable(methods) else methods
    tasks = [tasks] if isinstance(tasks, Task) else tasks
    plan: dict[str, Episode] = {}
    kits: dict[Any, Kit] = {}
    for task, repeat, method in product(tasks, range(repeats), methods):
        kind = (getattr(task, "kind", None), repeat)  # tasks of a kind share their prompts
        if kind not in kits:
            kits[kind] = lab.kit_for(task, model, repeat=repeat, **options)
        id = id_of(task, method, kits[kind])
        plan[id] = Episode(id, task, method, name_of(method), kits[kind], repeat)
    return plan


def name_of(method: str | Method) -> str:
    return method if isinstance(method, str) else getattr(method, "__name__", repr(method))


def id_of(task: Task, method: str | Method, kit: Kit) -> str:
    """Known before the first call. Of a method of your own, its source is a part."""
    name = name_of(method)
    source: Any = lab.method_named(method)
    legs = legs_of(name)
    if isinstance(method, str) and set(legs) <= KEEP.keys():
        return kit.start(task, name, legs).id
    start = kit.start(task, name, list(KEEP))
    return hashlib.sha256(f"{start.id} {written(source)}".encode()).hexdigest()[:16]
