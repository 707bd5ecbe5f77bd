"""Tasks: our own, and the real benchmarks from the files their authors publish."""

from __future__ import annotations

import hashlib
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from .. import data
from ..kinds import kind_named, kind_of
from ..languages import ENGLISH, language_named
from ..records import TABLES, TASK, blame, in_table, objects, whole
from ..support.files import expand
from ..support.text import check_number
from ..types import Task

__all__ = ["load", "names", "question", "claim", "read"]

ALFWORLD, PUBLISHED = "alfworld", ("hotpotqa", "fever")
ALSO = "; and, as their authors publish them, hotpotqa, fever, alfworld, webshop"
Seed = int | Literal["authors"]


def names() -> dict[str, list[str]]:
    """The task sets that come with the package, and their splits."""
    found: dict[str, list[str]] = {}
    for path in sorted(data.folder("tasks").glob("*/*.jsonl")):
        found.setdefault(path.parent.name, []).append(path.stem)
    return found


def load(
    name: str, split: str = "dev", n: int | None = None, seed: Seed = 0, by_type: bool = False,
    path: str | PathLike[str] | None = None, lang: str = ENGLISH.code,
) -> list[Task]:  # fmt: skip
    """Tasks of a bundled set: all of a split in file order, or n drawn by a seed.

    name, split: one of `names()`; or "hotpotqa" or "fever" and its "dev", as published; or
    "alfworld" and its "valid_unseen", the paper's 134 games; or "webshop" and its "test", the
    paper's 500 goals. seed: "authors" draws from "hotpotqa" and "fever" what the authors' notebooks
    drew, of which they asked the first 500. by_type: draw of each type (of claims: each label) as
    many as its share of the split. path: of HotpotQA and FEVER, a file of theirs; None fetches it
    once. Of ALFWorld, its folder or file; None is ALFWORLD_DATA, or what `fetch alfworld` has
    brought. Of WebShop, its folder or products' file. lang: "zh" for the questions in Chinese: the
    set "multihop-zh".
    """
    name = in_language(name, lang)
    if name in PUBLISHED:
        found = benchmark(name, split, path)
    elif name == "webshop":
        from ..envs.shop import release

        if path is None:
            wanted = "give their folder as path="
            raise ValueError(f"the goals of WebShop are in its own files: {wanted}")
        goals = release.rows(expand(path), split)
        found = [bundled("shop", row, f"goal {row['id']}") for row in goals]
    elif name == ALFWORLD:
        from ..envs.household.world import alfworlds

        source = f"{ALFWORLD}-{split}"  # a task holds the name of its game: the world finds it
        found = [bundled("household", row, name, source) for row in alfworlds(path).rows(split)]
    else:
        known = names()
        if name not in known:
            raise ValueError(f"no task set {name!r}; there are: {', '.join(known)}{ALSO}")
        if split not in known[name]:
            raise ValueError(f"{name} has no split {split!r}; it has: {', '.join(known[name])}")
        rows = objects(data.folder("tasks", name, f"{split}.jsonl"))
        found = [bundled(name, row, where) for where, row in rows]
    return draw(found, n, seed, by_type)


def in_language(name: str, lang: str) -> str:
    """The name of a set, or of its kind, in a language.

    >>> in_language("multihop", "zh")
    'multihop-zh'
    """
    code = language_named(lang).code
    return name if code == ENGLISH.code or name.endswith(f"-{code}") else f"{name}-{code}"


def bundled(kind: str, row: dict[str, Any], where: str, source: str = "") -> Task:
    if kind == "household":  # the world finds the game by its name; the model sees no walkthrough
        row = {key: row.get(key) for key in ("id", "type", "text")} | {"game": row.get("id")}
    row = row | ({"source": source} if source else {})
    own = {key: row[key] for key in row.keys() & {"id", "text", "gold"}}
    extra = {key: row[key] for key in row if key not in own}
    return task_of(own | {"kind": kind, "extra": extra}, where)


def task_of(row: dict[str, Any], where: str) -> Task:
    with blame(f"{where}, is no task"):
        return TASK.of_row(row)


def draw(tasks: list[Task], n: int | None, seed: Seed, by_type: bool = False) -> list[Task]:
    """n of the tasks, drawn by a seed: the same ones on every machine."""
    if n is None:
        return tasks
    if not 0 <= check_number("n", n, -math.inf, None) <= len(tasks):
        raise ValueError(f"{n} tasks were asked for and there are {len(tasks)}")
    if seed == "authors":
        from . import published

        places = published.as_the_authors(n)
        if by_type or max(places, default=0) >= len(tasks):
            raise ValueError("seed='authors' draws from all of hotpotqa's or fever's dev, as it is")
        return [tasks[place] for place in places]
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


def question(
    text: str, gold: str | None = None, kind: str = "multihop", lang: str = ENGLISH.code
) -> Task:
    """A question of your own; without gold its runs are not graded.

    kind: "tools" for a world of tools. lang: "zh" for Chinese.
    """
    return Task(short_id(text), in_language(kind, lang), whole(text), gold)


def claim(text: str, gold: str | None = None) -> Task:
    """A claim of your own; gold is SUPPORTS, REFUTES or NOT ENOUGH INFO."""
    return Task(short_id(text), "claims", whole(text), gold)


def short_id(text: str) -> str:
    return "own-" + hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:8]


def read(
    path: str | PathLike[str], n: int | None = None, seed: Seed = 0, kind: str | None = None
) -> list[Task]:
    """Tasks of a file: all, or n by a seed.

    A published HotpotQA (JSON list) or FEVER (JSON lines) file, or yours: a table (.csv, .tsv) or
    JSON lines with question, and answer if runs are to be graded; of claims with claim and
    label. kind: of the questions; "tools" for a world of tools. seed="authors" draws what the
    authors' notebooks drew.
    """
    path = expand(path)
    found = [*read_from(path, path.stem)]
    if kind:
        kind_named(kind)  # or a sentence that lists them
        found = [replace(task, kind=kind) for task in found]
    return draw(found, n, seed)


def read_from(path: Path, source: str) -> Iterator[Task]:
    from . import published

    if path.suffix.lower() in TABLES:  # whose extra has no source: ids of stored runs hang on it
        for at, cells in in_table(path, ()):
            told = {name: cell.strip() for name, cell in cells.items()}
            found = published.fields_of(told, at)
            if not found["text"]:
                raise ValueError(f"{at}, has an empty cell where its question or claim should be")
            extra = {"type": told["type"]} if told.get("type") else {}
            name = told.get("id") or short_id(found["text"])
            yield task_of({**found, "id": name, "gold": found["gold"] or None, "extra": extra}, at)
        return
    for i, (at, row) in enumerate(published.rows(path, path.suffix.lower() == ".jsonl")):
        name = row.get("_id", row.get("id", i))
        found = published.fields_of(row, at)
        found["extra"] = {"source": source, **found["extra"]}
        yield task_of({"id": str(name) if isinstance(name, int) else name, **found}, at)


def benchmark(name: str, split: str, path: str | PathLike[str] | None) -> list[Task]:
    """The tasks of HotpotQA or FEVER, from your file or from the one that is fetched."""
    from ..data import downloads
    from . import published

    if split != "dev" and not path:
        raise ValueError(f"{name} has no split {split!r}; it has: dev")
    kind, kept = published.SETS[name]
    file = expand(path) if path else downloads.fetch(kept)
    source = f"{name} ({file.stem})" if path else f"{name}-{split}"
    tasks = [*read_from(file, source)]
    tasks = [replace(task, extra={"source": source, **task.extra}) for task in tasks]
    if other := next((task for task in tasks if task.kind != kind), None):
        raise ValueError(f"{file} holds {kind_of(other.kind).noun}, not {kind_of(kind).noun}")
    return tasks
