"""Tasks: our own, and the real benchmarks from the files their authors publish."""

from __future__ import annotations

import hashlib
import json
import random
from os import PathLike
from pathlib import Path
from typing import Any

from . import data
from .types import Task

__all__ = ["load", "names", "question", "claim", "read"]


def names() -> dict[str, list[str]]:
    """The task sets that come with the package, and their splits."""
    found: dict[str, set[str]] = {}
    for path in sorted(data.folder("tasks").glob("*.jsonl")):
        found[path.stem] = {row["split"] for row in data.lines(path)}
    return {name: sorted(splits) for name, splits in found.items()}


def load(name: str, split: str = "dev", n: int | None = None, seed: int = 0) -> list[Task]:
    """Tasks of a bundled set: all of a split in file order, or n drawn by a seed."""
    known = names()
    if name not in known:
        raise ValueError(f"no task set {name!r}; there are: {', '.join(known)}")
    if split not in known[name]:
        raise ValueError(f"{name} has no split {split!r}; it has: {', '.join(known[name])}")
    rows = data.lines(data.folder("tasks", f"{name}.jsonl"))
    return draw([task_of(name, row) for row in rows if row["split"] == split], n, seed)


def task_of(kind: str, row: dict[str, Any]) -> Task:
    extra = {key: row[key] for key in row if key not in ("id", "text", "gold", "split")}
    return Task(row["id"], kind, row["text"], row["gold"], extra)


def draw(tasks: list[Task], n: int | None, seed: int) -> list[Task]:
    """The same n of the same tasks for the same seed, on every machine."""
    if n is None:
        return tasks
    if n > len(tasks):
        raise ValueError(f"{n} tasks were asked for and there are {len(tasks)}")
    return random.Random(seed).sample(tasks, n)


def question(text: str, gold: str | None = None) -> Task:
    """A question of your own."""
    return Task(short_id(text), "multihop", text, gold)


def claim(text: str, gold: str | None = None) -> Task:
    """A claim of your own; gold is SUPPORTS, REFUTES or NOT ENOUGH INFO."""
    return Task(short_id(text), "claims", text, gold)


def short_id(text: str) -> str:
    return "own-" + hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:8]


def read(path: str | PathLike[str], n: int | None = None, seed: int = 0) -> list[Task]:
    """Tasks from a file of HotpotQA (JSON list) or FEVER (JSON lines), as published."""
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
