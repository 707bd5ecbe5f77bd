"""Tables that people make in a spreadsheet: .csv and .tsv, whatever stands between the cells."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator
from io import StringIO
from pathlib import Path

from .records import text
from .types import short

__all__ = ["TABLES", "in_table"]

TABLES = {".csv": ",;\t", ".tsv": "\t"}


def in_table(path: Path, needs: Collection[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a table, each with the words for where it stands; its first line names the
    columns, and those of `needs` among them.
    """
    content = text(path)
    heading, marks = content.partition("\n")[0], TABLES[path.suffix.lower()]
    reader = csv.reader(
        StringIO(content, newline=""), delimiter=max(marks, key=heading.count), strict=True
    )
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        if not set(needs) <= set(names):
            has = ", ".join(map(short, names[:9])) or "nothing"
            wanted = f"column{'s' * (len(needs) > 1)} {' and '.join(needs)}"
            raise ValueError(f"{path}, line 1, must name the {wanted}; it has: {has}")
        while True:
            where = f"{path}, line {reader.line_num + 1}"
            if (cells := next(reader, None)) is None:
                return
            if cells and len(cells) != len(names):
                quote = "a text with such a mark in it stands in quotation marks"
                raise ValueError(f"{where}, has {len(cells)} cells, not {len(names)}: {quote}")
            if cells:
                yield where, dict(zip(names, cells, strict=True))
    except csv.Error as error:
        raise ValueError(f"{path}, line {reader.line_num}, is no row of a table: {error}") from None
