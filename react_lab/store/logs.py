"""Files of other tools, row by row: JSON, JSON lines, and the zip that Inspect writes."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from .. import records
from .printed import Passed

__all__ = ["Json", "Row", "rows", "samples", "traces"]

DEEPEST = 100  # lists and objects inside each other
MEMBER, WHOLE, MEMBERS = 1 << 26, 1 << 29, 100_000  # bytes unpacked of one, of all; how many
UNREADABLE = (  # what zipfile raises over a file that is damaged, locked or of a newer kind
    zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, RuntimeError, EOFError,
    OSError,
)  # fmt: skip
Json = Mapping[str, Any]


class Row(NamedTuple):
    """What one run is read from, and the words for where it stands."""

    where: str
    content: Any
    about: Json = {}  # noqa: RUF012 (read only)


def rows(path: Path) -> Iterator[Row | Passed]:
    """The values of a JSON file, or of each of its lines."""
    text = records.text(path)
    try:
        whole = checked_json(text)
    except ValueError as error:
        if not starts_with_a_row(text):
            raise ValueError(f"{path.name} cannot be read: {error}") from None
        yield from lines(text)
        return
    several = isinstance(whole, list) and not any(is_message(one) for one in whole)
    for number, row in enumerate(whole if several else [whole], 1):
        yield Row(f"row {number}", row)


def starts_with_a_row(text: str) -> bool:
    """Whether one of the first lines is a value of its own, as in JSON lines."""
    return any(isinstance(one, Row) for one in islice(lines(text), 20))


def lines(text: str) -> Iterator[Row | Passed]:
    for number, line in enumerate(text.split("\n"), 1):
        where = f"line {number}"
        if line.strip():
            try:
                yield Row(where, checked_json(line))
            except ValueError as error:
                yield Passed(where, str(error))


def checked_json(text: str | bytes) -> Any:
    value = records.parsed(text)
    if not records.shallow(value, DEEPEST):
        raise ValueError("lists inside lists, too many to follow")
    return value


def is_message(row: Any) -> bool:
    return isinstance(row, dict) and ("content" in row or "kwargs" in row) and "messages" not in row


def samples(path: Path) -> Iterator[Row | Passed]:
    """The samples of an Inspect log: of one JSON file, or of a zip that has one file for each."""
    if zipfile.is_zipfile(path):
        yield from unpacked(path)
        return
    try:
        log = checked_json(records.text(path))
    except ValueError as error:
        raise ValueError(f"{path.name} cannot be read: {error}") from None
    if not isinstance(log, dict) or not isinstance(log.get("eval"), dict):
        raise ValueError(f"{path.name} is no log of Inspect: it has no eval")
    found = log.get("samples") or []
    if not isinstance(found, list):
        raise ValueError(f"{path.name} is no log of Inspect: its samples are no list")
    for number, sample in enumerate(found, 1):
        yield Row(f"sample {number}", sample, log["eval"])


def unpacked(path: Path) -> Iterator[Row | Passed]:
    try:
        with zipfile.ZipFile(path) as file:
            names = [name for name in file.namelist() if name.endswith(".json")]
            if len(names) > MEMBERS:
                raise ValueError(f"it holds {len(names)} files, more than {MEMBERS}")
            about = head(file, names)
            left = WHOLE
            for name in names:
                if name.startswith("samples/"):
                    content = member(file, name)
                    left -= len(content)
                    if left < 0:
                        raise ValueError(f"it unpacks to more than {WHOLE >> 20} MB")
                    yield sample_in(name, content, about)
    except UNREADABLE as error:
        raise ValueError(f"{path.name} cannot be read: {error}") from None


def sample_in(name: str, content: bytes, about: Json) -> Row | Passed:
    try:
        return Row(name, checked_json(content), about)
    except ValueError as error:
        return Passed(name, str(error))


def head(file: zipfile.ZipFile, names: list[str]) -> Json:
    """What a log says of all its samples; of a run that was stopped, what it said first."""
    for name in ("header.json", "_journal/start.json"):
        if name in names:
            found = checked_json(member(file, name))
            if isinstance(found, dict) and isinstance(found.get("eval"), dict):
                return dict(found["eval"])
    raise ValueError("it is no log of Inspect: it has no header")


def member(file: zipfile.ZipFile, name: str) -> bytes:
    """A file in a zip; whatever size it claims, no more than so much is unpacked."""
    with file.open(name) as stream:
        content = stream.read(MEMBER + 1)
    if len(content) > MEMBER:
        raise ValueError(f"{name[:100]} unpacks to more than {MEMBER >> 20} MB")
    return content


def traces(path: Path) -> Iterator[Row | Passed]:
    """Runs without a parent, each with the runs below it."""
    below, tops = dict[str, list[Any]](), list[Row]()
    for row in rows(path):
        match row:
            case Row(_, {"parent_run_id": str(parent)} as run):
                below.setdefault(parent, []).append(run)
            case Row():
                tops.append(row)
            case _:
                yield row
    for top in tops:
        yield top._replace(about=below)
