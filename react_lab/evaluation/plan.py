"""The episodes of an experiment, each with the id that its run will have: the key of resume."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from .. import lab
from ..agent import Kit
from ..kinds import KINDS, Kind
from ..methods import Play, name_of
from ..types import Model, Task

__all__ = ["Episode", "planned"]

Methods = str | Play | Sequence[str | Play]


@dataclass(frozen=True)
class Episode:
    """One task, one method, once."""

    id: str
    task: Task
    method: str | Play
    name: str  # of the method
    kit: (
        Kit | None
    )  # of all tasks of its kind and type; None on the way elsewhere, where it is made anew
    repeat: int
    kind: Kind | None = None  # its record: elsewhere KINDS may not have it


def planned(
    methods: Methods,
    tasks: Task | Iterable[Task],
    model: Model,
    repeats: int,
    options: Mapping[str, Any],
) -> dict[str, Episode]:
    """Every task by every method, by id. All methods of a task come before the next task.

    So what a spent budget leaves undone is missing for all methods alike.
    """
    methods, tasks = listed(methods), listed(tasks)
    if any(isinstance(method, Task) for method in methods):
        raise TypeError("methods come before tasks: evaluate(methods, tasks, model, path)")
    plan: dict[str, Episode] = {}
    kits: dict[Any, Kit] = {}
    for task, repeat, method in product(tasks, range(repeats), methods):
        type = repr(getattr(task, "extra", {}).get("type"))
        alike = (getattr(task, "kind", None), type, repeat)  # such tasks share their prompts
        if alike not in kits:
            kits[alike] = lab.kit_for(task, model, repeat=repeat, **options)
        id = lab.id_of(method, task, kits[alike])
        if id in plan and plan[id].method is not method and callable(method):
            raise ValueError(f"two methods are called {name_of(method)}: give each its own name")
        plan[id] = Episode(
            id, task, method, name_of(method), kits[alike], repeat, KINDS.get(task.kind)
        )
    return plan


def listed(given: Any) -> list[Any]:
    """One method or task, or several."""
    return [given] if isinstance(given, str | Task) or callable(given) else list(given)
