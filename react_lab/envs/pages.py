"""Where pages come from: anything with `get(title)` -> text and `search(query, k)` -> titles.

Here: a JSON-lines encyclopedia, the bundled one for instance, searched with SQLite's FTS5.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import sqlite3
import threading
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

from .. import data
from ..records import Record, objects

__all__ = ["Encyclopedia", "Pages", "bundled", "read_pages"]


COMMON = {"a", "an", "and", "at", "by", "in", "is", "of", "on", "the", "to", "was"}  # on every page
LONGEST, WORDS = 2000, 100  # of a title or query, characters and words that are looked at
# letters that Unicode does not take apart
LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th"})


class Pages(Protocol):
    def get(self, title: str) -> str | None: ...

    def search(self, query: str, k: int = 5) -> Sequence[str]: ...


@dataclass(frozen=True)
class Page:
    """A page (its text) or a disambiguation (its options)."""

    title: str
    text: str | None = None
    aliases: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


def wrong_page(page: Page) -> str:
    if not page.title.strip():
        return "its title is empty"
    return "" if page.text is not None or page.options else "it has neither text nor options"


PAGE = Record(Page, wrong_page)


class Encyclopedia:
    """Pages in memory. A row is a page (title, aliases, text) or a disambiguation (title, options).

    An alias leads straight to its page. A disambiguation is never a page: its options are what a
    search for it gives.
    """

    def __init__(self, rows: Iterable[Mapping[str, Any]]):
        self.rows = {}
        for number, row in enumerate(rows, 1):
            try:
                self.rows[PAGE.of_row(row).title] = row
            except ValueError as error:
                raise ValueError(f"page {number}: {error}") from None
        self.titles = {
            fold(alias): title
            for title, row in self.rows.items()
            for alias in row.get("aliases", ())
        }
        self.titles |= {fold(title): title for title in self.rows}
        self.lock = threading.Lock()

    @functools.cached_property
    def snapshot(self) -> str:
        """Names this very text, so that runs over another edition are other runs."""
        seen = ("title", "aliases", "text", "options")  # facts and splits no agent ever sees
        content = json.dumps([[row.get(part) for part in seen] for row in self.rows.values()])
        return f"encyclopedia {hashlib.sha256(content.encode()).hexdigest()[:12]}"

    def row(self, title: str) -> Mapping[str, Any]:
        return self.rows.get(self.titles.get(fold(title), ""), {})

    def get(self, title: str) -> str | None:
        return self.row(title).get("text")

    def search(self, query: str, k: int = 5) -> list[str]:
        """The options of a disambiguation first, then titles by how well title and text match."""
        found = dict.fromkeys(self.row(query).get("options", ()))
        words = re.findall(r"\w+", fold(query))
        words = [word for word in words if word not in COMMON] or words
        if words and len(found) < k:
            query = " OR ".join(f'"{word}"' for word in words[:WORDS])
            found |= dict.fromkeys(self.match(query, k))
        return list(found)[:k]

    def match(self, words: str, k: int) -> list[str]:
        select = "SELECT title FROM pages WHERE pages MATCH ? ORDER BY bm25(pages, 8, 4, 1) LIMIT ?"
        with self.lock:
            return [title for (title,) in self.index.execute(select, (words, k))]

    @functools.cached_property
    def index(self) -> sqlite3.Connection:
        """Made at the first search: an exact title needs none."""
        index = sqlite3.connect(":memory:", check_same_thread=False)
        index.execute(
            "CREATE VIRTUAL TABLE pages USING fts5(title, aliases, text, "
            "tokenize = 'unicode61 remove_diacritics 2')"
        )
        pages = (row for row in self.rows.values() if "text" in row)
        rows = ((row["title"], " ".join(row.get("aliases", ())), row["text"]) for row in pages)
        index.executemany("INSERT INTO pages VALUES (?, ?, ?)", rows)
        return index

    def __reduce__(self) -> tuple[Any, ...]:
        return Encyclopedia, (list(self.rows.values()),)  # without lock and index

    def edited(self, texts: Mapping[str, str]) -> Encyclopedia:
        """Another edition, in which these pages replace those of their titles (Figure 4)."""
        pages = [{"title": title, "text": text} for title, text in texts.items()]
        return Encyclopedia([*self.rows.values(), *pages])


def fold(title: str) -> str:
    """A title as the search box compares it: no case, no accents, no underscores, no section."""
    title = title[:LONGEST].partition("#")[0].replace("_", " ")
    plain = unicodedata.normalize("NFKD", title)
    kept = "".join(c for c in plain if not unicodedata.combining(c))
    return " ".join(kept.casefold().translate(LETTERS).split())


def read_pages(path: str | PathLike[str]) -> Encyclopedia:
    """An encyclopedia of your own, from a JSON-lines file: one title and its text per line."""
    return Encyclopedia(row for _, row in objects(Path(path).expanduser()))


@functools.cache
def bundled() -> Encyclopedia:
    """The encyclopedia that comes with the package, read once."""
    files = sorted(data.folder("wiki").glob("*.jsonl"))
    return Encyclopedia(row for path in files for _, row in objects(path))
