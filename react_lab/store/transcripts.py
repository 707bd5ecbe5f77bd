"""Runs of strangers as trajectories: scored, labelled and plotted as our own."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from .. import records
from ..files import checked
from ..types import Trajectory
from . import logs, printed, strangers
from .logs import Row
from .printed import Passed

__all__ = ["read_transcript"]

LARGEST = 1 << 28  # bytes of a file
SAID = 20  # so many of the parts that could not be read are listed


class Reader(NamedTuple):
    """How a file becomes rows, and a row one run or several."""

    rows: Callable[[Path], Iterator[Row | Passed]]
    runs: Callable[[Row, str], Iterator[Trajectory | Passed]]


def of_text(read: Callable[[str], Iterator[Trajectory | Passed]]) -> Reader:
    def rows(path: Path) -> Iterator[Row | Passed]:
        yield Row("", printed.printed(records.text(path)))

    return Reader(rows, lambda row, _: read(row.content))


READERS: Mapping[str, Reader] = {
    "authors-fever": of_text(printed.fever),
    "authors-hotpotqa": of_text(printed.hotpotqa),
    "authors-alfworld": of_text(printed.alfworld),
    "authors-webshop": of_text(printed.webshop),
    "inspect": Reader(logs.samples, strangers.of_sample),
    "openai": Reader(logs.rows, strangers.of_messages),
    "langchain": Reader(logs.traces, strangers.of_trace),
}


def read_transcript(
    path: str | PathLike[str], kind: str = "authors-fever", task_kind: str = "multihop"
) -> list[Trajectory]:
    """The runs in a file of others', in its order; what cannot be read is listed in a warning.

    kind: "authors-fever", "authors-hotpotqa", "authors-alfworld" or "authors-webshop", what the
    notebooks of the paper print (the text, or the notebook); "inspect", a log of Inspect (.json or
    .eval); "openai", lists of chat messages (JSON or JSON lines; a row may have its "gold");
    "langchain", runs that LangSmith exported (JSON or JSON lines).
    task_kind: as what the last three are graded; multihop compares the answer with the gold one.
    """
    if kind not in READERS:
        raise ValueError(f"no transcripts of kind {kind!r}; there are: {', '.join(READERS)}")
    path = Path(path).expanduser()
    if checked(path).stat().st_size > LARGEST:
        raise ValueError(f"{path} has more than {LARGEST >> 20} MB: give it in parts")
    runs, passed, listed = list[Trajectory](), 0, list[str]()
    for one in found(path, READERS[kind], task_kind):
        if not isinstance(one, Passed):
            runs.append(one)
            continue
        passed += 1
        if passed <= SAID:
            listed.append(f"{one.where}: {one.why[:300]}")
    said = "; ".join([*listed, "..."] if passed > SAID else listed)
    if not runs:
        why = f" ({said})" if passed else ""
        raise ValueError(f"{path.name} holds no episode of kind {kind!r}{why}")
    if passed:
        warnings.warn(f"{path.name}: {passed} passed over: {said}", stacklevel=2)
    return runs


def found(path: Path, reader: Reader, task_kind: str) -> Iterator[Trajectory | Passed]:
    """Runs that can be kept, and what was passed over."""
    for row in reader.rows(path):
        if isinstance(row, Passed):
            yield row
            continue
        try:
            for one in reader.runs(row, task_kind):
                yield one if isinstance(one, Passed) else records.RUN.read(records.RUN.write(one))
        except ValueError as error:
            yield Passed(row.where, str(error))
