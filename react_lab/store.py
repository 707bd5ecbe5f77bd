"""One JSON line a run, appended and on the disk before it counts.

A file of runs is read by `pandas.read_json(path, lines=True)` with nothing of ours imported.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from os import PathLike
from pathlib import Path
from typing import Any, overload

from . import data
from .types import SCHEMA, Step, Task, Trajectory

__all__ = ["Runs", "append", "digest", "dump", "load", "open"]

UPGRADES: Mapping[int, Any] = {}  # version -> function from its row to the next version's row
TUPLES = ("flags", "votes", "samples")


def dump(run: Trajectory) -> dict[str, Any]:
    return asdict(run)


def load(row: Mapping[str, Any]) -> Trajectory:
    """A stored row -> its trajectory, whatever version wrote it. Fields we do not know stay out."""
    version = row.get("schema") if isinstance(row, Mapping) else None
    if not isinstance(version, int) or not 1 <= version <= SCHEMA:
        raise ValueError(f"this run says schema {version!r}; this react_lab reads 1 to {SCHEMA}")
    for older in range(version, SCHEMA):
        row = UPGRADES[older](row)
    known = {f.name for f in fields(Trajectory)} & row.keys()
    kept: dict[str, Any] = {
        name: tuple(row[name]) if name in TUPLES else row[name] for name in known
    }
    steps = tuple(load_step(step) for step in row.get("steps", ()))
    kept |= {"task": Task(**row["task"]), "steps": steps}
    return Trajectory(**kept)


def load_step(row: Mapping[str, Any]) -> Step:
    human, repairs = tuple(row.get("human", ())), tuple(row.get("repairs", ()))
    return Step(**{**row, "human": human, "repairs": repairs})


def digest(run: Trajectory) -> str:
    """What a reader sees of a run, as a hash: labels are tied to it. Stable under new schemas."""
    steps = [(s.thought, s.action, s.observation) for s in run.steps]
    told = json.dumps([run.task.text, run.method, steps, run.answer, run.end])
    return hashlib.sha256(told.encode()).hexdigest()


def append(path: str | PathLike[str], run: Trajectory) -> Path:
    """Add one run; it is on the disk when this returns."""
    from filelock import FileLock

    path = data.resolve(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{path}.lock"):
        mend(path)
        data.add_line(path, dump(run), durable=True)
    return path


def mend(path: Path) -> None:
    """A torn last line (a crash in the middle of writing) is put aside, and said."""
    if not path.exists() or not path.stat().st_size:
        return
    with path.open("r+b") as file:
        end = whole(file)
        file.seek(end)
        torn = file.read()
        if torn:
            aside = path.with_name(f"{path.name}.torn")
            with aside.open("ab") as other:
                other.write(torn + b"\n")
            file.truncate(end)
            say_torn(path, len(torn), f"it is kept in {aside.name}")


def whole(file: Any) -> int:
    """How many bytes are whole lines."""
    size = file.seek(0, 2)
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        return size if view[size - 1 : size] == b"\n" else view.rfind(b"\n") + 1


def say_torn(path: Path, size: int, what: str) -> None:
    warnings.warn(f"{path}: the last line was torn ({size} bytes); {what}", stacklevel=3)


class Runs(Sequence[Trajectory]):
    """A lazy sequence of the runs in a file: a run is read when it is asked for."""

    def __init__(self, path: Path, starts: Sequence[int] | None = None):
        self.path = path
        self.starts = self.find_starts() if starts is None else starts

    def find_starts(self) -> list[int]:
        """The byte offset of every whole line."""
        if not self.path.stat().st_size:
            return []
        with self.path.open("rb") as file:
            end, size = whole(file), self.path.stat().st_size
            if end < size:
                say_torn(self.path, size - end, "it is passed over")
            file.seek(0)
            starts, at = [], 0
            for line in file:
                if at < end and line.strip():
                    starts.append(at)
                at += len(line)
        return starts

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, i: int) -> Trajectory: ...

    @overload
    def __getitem__(self, i: slice) -> Runs: ...

    def __getitem__(self, i: int | slice) -> Trajectory | Runs:
        if isinstance(i, slice):
            return Runs(self.path, self.starts[i])
        with self.path.open("rb") as file:
            return self.read(file, self.starts[i])

    def __iter__(self) -> Iterator[Trajectory]:
        with self.path.open("rb") as file:
            for start in self.starts:
                yield self.read(file, start)

    def read(self, file: Any, start: int) -> Trajectory:
        file.seek(start)
        line = file.readline().decode("utf-8", "replace")
        try:
            return load(json.loads(line))
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            where = f"{self.path}, byte {start}"
            raise ValueError(f"{where}: not a run that can be read ({error})") from None

    def __repr__(self) -> str:
        return f"<{len(self)} runs in {self.path.name}>"


def open(path: str | PathLike[str]) -> Runs:
    """The runs stored at a path; a relative one starts at the project root."""
    path = data.resolve(path)
    if not path.exists():
        raise FileNotFoundError(f"no runs at {path}; rl.store.append(path, run) makes the file")
    return Runs(path)
