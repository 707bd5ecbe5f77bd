"""Where each run of a file begins, whose it is and how it ended: kept beside a large file.

The file of runs is the truth and only ever grows; its index may be lost, old or false, and is then
made again.
"""

from __future__ import annotations

import contextlib
import os
from codecs import BOM_UTF8
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from ..files import content
from ..types import FAULTS

__all__ = ["Head", "heads", "valid"]

WORTH = 4 << 20  # bytes that take longer to read than an index to write


class Head(NamedTuple):
    """One line of a file of runs."""

    start: int
    size: int
    id: str  # of the run; "" where the line cannot be read
    end: str


def heads(path: Path, until: int) -> list[Head]:
    """Every line before the byte `until`; those that no index knows yet are read."""
    beside = path.with_name(f"{path.name}.index")
    with path.open("rb") as file:
        known = kept(beside, file, until)
        at = past = sum(known[-1][:2]) if known else 0
        file.seek(at)
        for line in file:
            if at < until and line.strip():
                known.append(Head(at, len(line), *id_and_end(line)))
            at += len(line)
    if until - past > WORTH:
        keep(beside, known)
    return known


def valid(lines: list[Head]) -> list[Head]:
    """Without the faults that were run again: of those, the later run counts."""
    last = {head.id: head.start for head in lines}
    return [head for head in lines if head.end not in FAULTS or head.start == last[head.id]]


class IdAndEnd(msgspec.Struct):
    """What the index tells of a run; the rest of its line is passed over."""

    id: str
    end: str


brief = msgspec.json.Decoder(IdAndEnd)
index = msgspec.json.Decoder(list[Head])


def id_and_end(line: bytes) -> tuple[str, str]:
    try:
        found = brief.decode(line.removeprefix(BOM_UTF8))
    except (ValueError, RecursionError):
        return "", ""
    return found.id, found.end


def kept(beside: Path, file: BinaryIO, until: int) -> list[Head]:
    """The index, if it fits the file: its lines follow each other, and the last one is there."""
    try:
        lines = index.decode(content(beside))
    except (OSError, ValueError, RecursionError):
        return []
    follow = all(a.start + a.size <= b.start for a, b in pairwise(lines))
    inside = bool(lines) and lines[0].start >= 0 and all(line.size > 0 for line in lines)
    if not (follow and inside) or lines[-1].start + lines[-1].size > until:
        return []
    file.seek(lines[-1].start)
    last = file.read(lines[-1].size)
    return lines if last.endswith(b"\n") and id_and_end(last) == lines[-1][2:] else []


def keep(beside: Path, lines: list[Head]) -> None:
    """Write the index as a whole; in a folder that cannot be written to there is none."""
    with contextlib.suppress(OSError):
        fresh = beside.with_name(f"{beside.name}.{os.getpid()}")
        fresh.write_bytes(msgspec.json.encode(lines))
        fresh.replace(beside)
