"""Tasks: our own, and the real benchmarks from the files their authors publish."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

from . import data
from .kinds import kind_of
from .types import Task

__all__ = ["load", "names", "question", "claim", "read"]


def names() -> dict[str, list[str]]:
    """The task sets that come with the package, and their splits."""
    found: dict[str, list[str]] = {}
    for path in sorted(data.folder("tasks").glob("*/*.jsonl")):
        found.setdefault(path.parent.name, []).append(path.stem)
    return found


def load(
    name: str, split: str = "dev", n: int | None = None, seed: int = 0, by_type: bool = False
) -> list[Task]:
    """Tasks of a bundled set: all of a split in file order, or n drawn by a seed.

    name, split: one of `names()`. by_type: draw of each type (of claims: each label) as many as its
    share of the split.
    """
    known = names()
    if name not in known:
        raise ValueError(f"no task set {name!r}; there are: {', '.join(known)}")
    if split not in known[name]:
        raise ValueError(f"{name} has no split {split!r}; it has: {', '.join(known[name])}")
    rows = data.lines(data.folder("tasks", name, f"{split}.jsonl"))
    return draw([task_of(name, row) for row in rows], n, seed, by_type)


def task_of(kind: str, row: dict[str, Any]) -> Task:
    extra = {key: row[key] for key in row if key not in ("id", "text", "gold")}
    return Task(row["id"], kind, row["text"], row["gold"], extra)


def draw(tasks: list[Task], n: int | None, seed: int, by_type: bool = False) -> list[Task]:
    """n of the tasks, drawn by a seed: the same ones on every machine."""
    if n is None:
        return tasks
    if not 0 <= n <= len(tasks):
        raise ValueError(f"{n} tasks were asked for and there are {len(tasks)}")
    pick = random.Random(seed)
    if not by_type:
        return pick.sample(tasks, n)
    pick.shuffle(tasks)
    return sorted(tasks, key=shares(tasks))[:n]


def shares(tasks: list[Task]) -> Callable[[Task], float]:
    """Sorts tasks so that any first n have every type in its share."""
    types = [str(kind_of(task.kind).type_of(task)) for task in tasks]
    size, seen, place = Counter(types), Counter[str](), {}
    for task, kind in zip(tasks, types, strict=True):
        seen[kind] += 1
        place[task.id] = (seen[kind] - 0.5) / size[kind]
    return lambda task: place[task.id]


def question(text: str, gold: str | None = None) -> Task:
    """A question of your own; without gold its runs are not graded."""
    return Task(short_id(text), "multihop", text, gold)


def claim(text: str, gold: str | None = None) -> Task:
    """A claim of your own; gold is SUPPORTS, REFUTES or NOT ENOUGH INFO."""
    return Task(short_id(text), "claims", text, gold)


def short_id(text: str) -> str:
    return "own-" + hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:8]


def read(path: str | PathLike[str], n: int | None = None, seed: int = 0) -> list[Task]:
    """Tasks of a published HotpotQA (JSON list) or FEVER (JSON lines) file: all, or n by a seed."""
    path = Path(path).expanduser()
    if path.suffix == ".jsonl":
        rows = list(data.lines(path))
    else:
        rows = json.loads(path.read_text(encoding="utf-8"))
    return draw([published(row, i, path) for i, row in enumerate(rows)], n, seed)


def published(row: dict[str, Any], i: int, path: Path) -> Task:
    name = str(row.get("_id", row.get("id", i)))
    extra = {"source": path.stem}
    if "question" in row:
        return Task(
            name, "multihop", row["question"], row.get("answer"), extra | {"type": row.get("type")}
        )
    if "claim" in row:
        return Task(name, "claims", row["claim"], row.get("label"), extra)
    raise ValueError(f"{path}, row {i + 1}, has neither a question nor a claim")
