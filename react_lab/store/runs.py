"""A run as a JSON line, and a file of runs: appended to, mended after a crash, read lazily."""

from __future__ import annotations

import hashlib
import json
import warnings
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal, overload

import msgspec

from .. import data, score
from ..records import RUN, encode, sentence
from ..support import files, pd
from ..support.text import inline, short
from ..types import FAULTS, SCHEMA, Step, Trajectory

RUNS = files.Format("runs", ("id", "task", "method", "steps"))
FAILED = ("Could not find", "Invalid action")
PIECE = 1 << 18  # bytes read at a time: a line is long, and many small reads are slow


def dump(run: Trajectory) -> dict[str, Any]:
    """A run as JSON takes it."""
    steps = [vars(step) for step in run.steps]  # not `asdict`, which copies all there is
    return {**vars(run), "task": vars(run.task), "steps": steps}


def load(row: Mapping[str, Any]) -> Trajectory:
    """A stored row -> its trajectory, whatever version wrote it. Fields we do not know stay out."""
    if not isinstance(row, Mapping) or "schema" not in row:
        raise ValueError("this is no run: it does not say its schema")
    return newest(RUN.of_row(row))


def parsed(line: bytes) -> Trajectory | ValueError:
    try:
        brief.decode(line.removeprefix(BOM_UTF8))
        return newest(RUN.read(line))
    except (ValueError, RecursionError) as error:
        return ValueError(f"not a run that can be read ({sentence(error)})")


def newest(run: Trajectory) -> Trajectory:
    """Schema 1 knew by its words alone that an act led nowhere; since schema 2 a step says so."""
    if run.schema == SCHEMA:
        return run
    return replace(run, steps=tuple(with_outcome(step) for step in run.steps), schema=SCHEMA)


def with_outcome(step: Step, failed: tuple[str, ...] = FAILED) -> Step:
    """The step, which says so if its act led nowhere: what was seen then begins with such words."""
    nowhere = (step.observation or "").startswith(failed)
    return replace(step, outcome="failed") if nowhere else step


def digest(run: Trajectory) -> str:
    """A hash of what a reader sees of a run: labels are tied to it. Stable under new schemas."""
    steps = [(s.thought, s.action, s.observation) for s in run.steps]
    seen = json.dumps([run.task.text, run.method, steps, run.answer, run.end])
    return hashlib.sha256(seen.encode()).hexdigest()


def append(path: str | PathLike[str], run: Trajectory) -> Path:
    """Add one run to the file at a path (made, if need be); it is on the disk when this returns."""
    path = data.resolve(path)
    line, waiting = RUN.write(run), f"{path} is written to by another: waiting for its end"
    with files.lock(path, lambda: warnings.warn(waiting, stacklevel=6)):
        add_lines(path, [line])
    return path


def add_lines(path: Path, lines: Iterable[bytes]) -> None:
    """Add lines of runs to a file whose lock is held; they are on the disk when this returns."""
    torn = files.mend(path, RUNS)
    files.add_line(path, *lines, durable=True)
    if torn:
        warnings.warn(torn, stacklevel=3)


class Runs(Sequence[Trajectory]):
    """A lazy sequence of the runs in a file: a run is read when it is asked for."""

    def __init__(self, path: Path, starts: Sequence[int] | None = None):
        self.path = path
        self.starts = self.find_starts() if starts is None else starts

    def find_starts(self) -> list[int]:
        if not self.path.stat().st_size:
            return []
        with self.path.open("rb") as file:
            end, size = files.whole(file), self.path.stat().st_size
        if end < size:
            torn = files.torn_words(self.path, size - end, "it is passed over")
            warnings.warn(torn, stacklevel=3)
        lines = list(heads(self.path, end))
        last = {id: start for start, id, _ in lines}  # of a fault run again, the later run counts
        return [start for start, id, end in lines if end not in FAULTS or start == last[id]]

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, i: int | str) -> Trajectory: ...

    @overload
    def __getitem__(self, i: slice) -> Runs: ...

    def __getitem__(self, i: int | str | slice) -> Trajectory | Runs:
        """By its place or its id; of a slice, these runs."""
        if isinstance(i, slice):
            return Runs(self.path, self.starts[i])
        if isinstance(i, str):
            found = (start for start, line in self.lines() if id_and_end(line)[0] == i)
            if (start := next(found, None)) is None:
                raise ValueError(f"no run in {self.path} has the id {short(i)}")
        else:
            start = self.starts[i]
        [(_, run)] = Runs(self.path, [start]).survey()
        if run is None:
            raise ValueError(self.wrong_at(start))
        return run

    def filter(self, test: Callable[[Trajectory], object] | None = None, **row: Any) -> Runs:
        """Those that pass a test, and have such values in the columns of `rl.frame`:

        runs.filter(lambda run: run.calls > 3), runs.filter(method=["act", "react"], correct=True)
        """
        return Runs(self.path, [s for s, run in self.survey() if run and fits(run, test, row)])

    def frame(
        self, by: Literal["run", "step"] = "run", prices: score.Prices | None = None
    ) -> pd.DataFrame:
        """One row per run, or per step: `rl.frame` of them."""
        return score.frame(self, by, prices)

    def save(self, path: str | PathLike[str]) -> Runs:
        """Keep them in a file of their own: `rl.store.save`."""
        return save(self, path)

    def __iter__(self) -> Iterator[Trajectory]:
        """Every run that can be read; the lines that cannot are counted, in a warning."""
        refused = list[int]()
        for start, run in self.survey():
            if run is None:
                refused.append(start)
            else:
                yield run
        if refused:
            lines = "a line is" if len(refused) == 1 else f"{len(refused)} lines are"
            wrong = self.wrong_at(refused[0])
            warnings.warn(f"{lines} passed over; the first is {wrong}", stacklevel=2)

    def wrong_at(self, start: int) -> str:
        """The line that begins at a byte, and why it is no run."""
        number, at = 1, 0
        with self.path.open("rb") as file:
            while at < start:
                piece = file.readline(RUN.most + 1)
                number, at = number + piece.endswith(b"\n"), at + len(piece)
            return f"{self.path}, line {number}: {parsed(file.readline(RUN.most + 1))}"

    def survey(self) -> Iterator[tuple[int, Trajectory | None]]:
        """Where each run begins, and the run; None in place of one that cannot be read."""
        for start, line in self.lines():
            run = parsed(line)
            yield start, None if isinstance(run, Exception) else run

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Where each run begins, and its line."""
        with self.path.open("rb") as file:
            for start in self.starts:
                file.seek(start)
                yield start, file.readline(RUN.most + 1)

    def __repr__(self) -> str:
        return f"<{len(self)} runs in {inline(self.path.name)}>"


def fits(run: Trajectory, test: Callable[[Trajectory], object] | None, row: Any) -> bool:
    has = score.row_of(run) if row else {}
    if unknown := row.keys() - has.keys():
        raise ValueError(f"a run has no {', '.join(unknown)}; its columns: {', '.join(has)}")
    return (test is None or bool(test(run))) and all(
        has[name] in (wanted if isinstance(wanted, list | set | tuple) else [wanted])
        for name, wanted in row.items()
    )


def save(runs: Trajectory | Iterable[Trajectory], path: str | PathLike[str]) -> Runs:
    """Keep runs in a file of their own, all or none. Other runs that it has are not overwritten."""
    path, kept = data.resolve(path), listed(runs)
    lines = b"".join(encode(run) + b"\n" for run in kept)
    with files.lock(path):
        there = {id_and_end(line)[0] for line in files.content(path).splitlines()}
        if others := len(there - {run.id for run in kept}):
            whose = f"{path} holds {others} other run{'s' * (others > 1)}"
            raise ValueError(f"{whose}: name a new file, or add to it with rl.store.append")
        files.write(path, lines)
    return Runs(path)


def listed(runs: Trajectory | Iterable[Trajectory]) -> list[Trajectory]:
    """One run or many, as a file keeps them; what holds anything else is a TypeError."""
    found = list(runs) if isinstance(runs, Iterable) else [runs]
    for one in found:
        if not isinstance(one, Trajectory):
            raise TypeError(f"runs are wanted, not {type(one).__name__}: rl.run makes one")
    return [RUN.read(RUN.write(one)) for one in found]


def open(path: str | PathLike[str]) -> Runs:
    """The runs in a file, as a lazy sequence."""
    path = files.checked(data.resolve(path))
    if not path.exists():
        raise FileNotFoundError(f"no runs at {path}; rl.store.append(path, run) makes the file")
    return Runs(path)


# ------------------------------------------------------------------ what a line is


def heads(path: Path, until: int) -> Iterator[tuple[int, str, str]]:
    """Start, id and end of each line's run before a byte: the file tells them, at every opening."""
    at = 0
    with path.open("rb", PIECE) as file:
        for line in file:
            if at < until and line.strip():
                yield at, *id_and_end(line)
            at += len(line)


class Brief(msgspec.Struct):
    """What is read of a line to list it; the rest is passed over."""

    schema: int  # every line says it
    id: str
    end: str


brief = msgspec.json.Decoder(Brief)


def id_and_end(line: bytes) -> tuple[str, str]:
    """Twice "" where the line cannot be read."""
    try:
        found = brief.decode(line.removeprefix(BOM_UTF8))
    except (ValueError, RecursionError):
        return "", ""
    return found.id, found.end
