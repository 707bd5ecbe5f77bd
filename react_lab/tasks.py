"""Tasks: our own, and the real benchmarks from the files their authors publish."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from . import data
from .kinds import kind_of
from .records import TASK, objects, parsed, text, whole
from .types import Task

__all__ = ["load", "names", "question", "claim", "read"]

ALFWORLD = "alfworld"


def names() -> dict[str, list[str]]:
    """The task sets that come with the package, and their splits."""
    found: dict[str, list[str]] = {}
    for path in sorted(data.folder("tasks").glob("*/*.jsonl")):
        found.setdefault(path.parent.name, []).append(path.stem)
    return found


def load(
    name: str,
    split: str = "dev",
    n: int | None = None,
    seed: int = 0,
    by_type: bool = False,
    path: str | PathLike[str] | None = None,
) -> list[Task]:
    """Tasks of a bundled set: all of a split in file order, or n drawn by a seed.

    name, split: one of `names()`; or "alfworld" and its "valid_unseen", the paper's 134 games; or
    "webshop" and its "test", the paper's 500 goals. by_type: draw of each type (of claims: each
    label) as many as its share of the split. path: of ALFWorld, its folder or file; None is
    ALFWORLD_DATA, or what `fetch alfworld` has brought. Of WebShop, its folder or products' file.
    """
    if name == "webshop":
        return draw([*map(goal_task, webshop(split, path))], n, seed, by_type)
    if name == ALFWORLD:
        return draw([task_of(row, name) for row in alfworld(split, path)], n, seed, by_type)
    known = names()
    if name not in known:
        raise ValueError(f"no task set {name!r}; there are: {', '.join(known)}")
    if split not in known[name]:
        raise ValueError(f"{name} has no split {split!r}; it has: {', '.join(known[name])}")
    rows = objects(data.folder("tasks", name, f"{split}.jsonl"))
    return draw([bundled(name, row, where) for where, row in rows], n, seed, by_type)


def alfworld(split: str, path: str | PathLike[str] | None) -> Iterator[dict[str, Any]]:
    """ALFWorld's games; a task holds the name of its game, which the world finds by it."""
    from .envs.household.world import alfworlds

    for row in alfworlds(path).rows(split):
        extra = {"type": row["type"], "game": row["game"], "source": f"{ALFWORLD}-{split}"}
        yield {"id": row["id"], "kind": "household", "text": row["text"], "extra": extra}


def webshop(split: str, path: str | PathLike[str] | None) -> list[dict[str, Any]]:
    """The goals in WebShop's own files."""
    from .envs.shop.release import rows

    if path is None:
        raise ValueError("the goals of WebShop are in its own files: give their folder as path=")
    return rows(Path(path).expanduser(), split)


def goal_task(row: dict[str, Any]) -> Task:
    return bundled("shop", row, f"goal {row['id']}")


def bundled(kind: str, row: dict[str, Any], where: str) -> Task:
    if kind == "household":  # the world finds the game by its name; the model sees no walkthrough
        row = {key: row.get(key) for key in ("id", "type", "text")} | {"game": row.get("id")}
    own = {key: row[key] for key in row.keys() & {"id", "text", "gold"}}
    extra = {key: row[key] for key in row if key not in own}
    return task_of(own | {"kind": kind, "extra": extra}, where)


def task_of(row: dict[str, Any], where: str) -> Task:
    try:
        return TASK.of_row(row)
    except ValueError as error:
        raise ValueError(f"{where}, is no task: {error}") from None


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
    return Task(short_id(text), "multihop", whole(text), gold)


def claim(text: str, gold: str | None = None) -> Task:
    """A claim of your own; gold is SUPPORTS, REFUTES or NOT ENOUGH INFO."""
    return Task(short_id(text), "claims", whole(text), gold)


def short_id(text: str) -> str:
    return "own-" + hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:8]


def read(path: str | PathLike[str], n: int | None = None, seed: int = 0) -> list[Task]:
    """Tasks of a published HotpotQA (JSON list) or FEVER (JSON lines) file: all, or n by a seed."""
    path = Path(path).expanduser()
    rows = objects(path) if path.suffix == ".jsonl" else listed(path)
    return draw([published(row, i, path.stem, at) for i, (at, row) in enumerate(rows)], n, seed)


def listed(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a JSON list, each with the words for where it stands."""
    try:
        rows = parsed(text(path))
    except ValueError as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    if not isinstance(rows, list):
        raise ValueError(f"{path} holds no list of tasks (one task a line is a .jsonl file)")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise ValueError(f"{path}, row {number}, is not a JSON object")
        yield f"{path}, row {number}", row


def published(row: dict[str, Any], i: int, source: str, where: str) -> Task:
    name = row.get("_id", row.get("id", i))
    own: dict[str, Any] = {"id": str(name) if isinstance(name, int) else name}
    extra: dict[str, Any] = {"source": source}
    if "question" in row:
        own |= {"kind": "multihop", "text": row["question"], "gold": row.get("answer")}
        extra |= {"type": row.get("type")}
    elif "claim" in row:
        own |= {"kind": "claims", "text": row["claim"], "gold": row.get("label")}
    else:
        raise ValueError(f"{where}, has neither a question nor a claim")
    return task_of(own | {"extra": extra}, where)
