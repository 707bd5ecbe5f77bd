"""Pages of one's own, as rows of an encyclopedia: a folder, a table, JSON lines, or a list."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from ..files import checked
from ..records import objects, text
from ..tables import TABLES, in_table
from ..types import short

__all__ = ["Source", "rows_of"]

Source = str | PathLike[str] | Iterable[tuple[str, str]]
Row = tuple[str, dict[str, Any]]  # the words for where it stands, and what it holds
LARGEST = 16_000_000  # bytes of one page's file
TEXTS = (".txt", ".md")
LINKS = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
MARKS = re.compile(r"\*\*|__|`+|^#+ +|^> ?")
BLOCK = re.compile(r"#+ |[-*+] |\d+\. ")  # a heading or an item begins a paragraph


def rows_of(source: Source) -> Iterator[Row]:
    """The rows of a source. Pages without text are passed over, with a warning."""
    if not isinstance(source, str | PathLike):
        return with_text(listed(source))
    path = Path(source).expanduser()
    if not path.exists():
        raise FileNotFoundError(f"no pages at {path}: there is neither a file nor a folder")
    if path.is_dir():
        return with_text(page_in(file) for file in files_below(path))
    if path.suffix.lower() in TABLES:
        return with_text(in_table(path, ("title", "text")))
    if path.suffix.lower() in TEXTS:
        return with_text([page_in(path)])
    return objects(path)


def with_text(rows: Iterable[Row]) -> Iterator[Row]:
    empty = list[str]()
    for where, row in rows:
        if row["text"].strip():
            yield where, row
        else:
            empty.append(where)
    if empty:
        more = f", and {len(empty) - 1} more" if len(empty) > 1 else ""
        warnings.warn(f"a page without text is passed over: {empty[0]}{more}", stacklevel=4)


def listed(pairs: Iterable[Any]) -> Iterator[Row]:
    for number, pair in enumerate(pairs, 1):
        match pair:
            case (str(title), str(words)):
                yield f"page {number} of the list", {"title": title, "text": words}
            case _:
                what = short(repr(pair))
                raise ValueError(f"page {number} of the list must be (title, text), not {what}")


def files_below(folder: Path) -> Iterator[Path]:
    """Text files in a folder and the folders below it, in their order; no hidden ones."""
    for place, below, names in os.walk(folder):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in sorted(names):
            if name.lower().endswith(TEXTS) and not name.startswith("."):
                yield Path(place, name)


def page_in(path: Path) -> Row:
    if (size := checked(path).stat().st_size) > LARGEST:
        most = f"{LARGEST / 1e6:g} MB that a page may have"
        raise ValueError(f"{path} has {size / 1e6:.0f} MB, more than the {most}: make it several")
    lines = [line.rstrip() for line in text(path).strip().splitlines()]
    titled = bool(lines) and lines[0].startswith("# ")
    title = lines.pop(0)[2:].strip() if titled else path.stem.replace("_", " ")
    if path.suffix.lower() == ".md":
        lines = list(plain(lines))
    return str(path), {"title": title, "text": "\n".join(lines).strip()}


def plain(lines: Iterable[str]) -> Iterator[str]:
    """Lines without Markdown's marks."""
    for line in map(str.lstrip, lines):
        if BLOCK.match(line):
            yield ""
        if not line.startswith("```"):
            yield MARKS.sub("", LINKS.sub(r"\1", line))
        if line.startswith("#"):
            yield ""
