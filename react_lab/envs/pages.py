"""Where pages come from: anything with `get(title)` -> text and `search(query, k)` -> titles.

Here: a JSON-lines encyclopedia, the bundled one for instance, searched with SQLite's FTS5.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import json
import os
import re
import sqlite3
import threading
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

from .. import data
from ..records import TABLES, Record, all_whole, blame, in_table, objects, text, whole
from ..support.files import checked, expand
from ..types import short

COMMON = {"a", "an", "and", "at", "by", "in", "is", "of", "on", "the", "to", "was"}  # on every page
LONGEST, WORDS = 2000, 100  # of a title or query, characters and words that are looked at
# letters that Unicode does not take apart
LETTERS = str.maketrans({  # and the marks that a Chinese title may be typed with
    "《": "", "》": "", "・": "·", "•": "·",
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th",
})  # fmt: skip
A_SLIP, ALIKE = 60, 0.84  # letters of a name that may be misspelt, and how much of it is right
CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"  # scripts that put no space between words
CJK_RUN = re.compile(f"[{CJK}]+")
RUNS = re.compile(f"[{CJK}]+|[^\\W{CJK}]+")


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
        self.rows = dict[str, Mapping[str, Any]]()
        for number, row in enumerate(rows, 1):
            with blame(f"page {number}"):
                self.rows[whole(PAGE.of_row(row).title)] = all_whole(row)
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
        """The options of a disambiguation first, then pages whose names match, then by their text.

        So a whole question brings the pages that it names, and seldom the one that answers it.
        """
        found = dict.fromkeys(self.row(query).get("options", ()))
        name = re.sub(r"\([^()]*\)", " ", query[:LONGEST])  # in brackets: what kind of thing it is
        for some in (f"{{title aliases}} : ({asked(name)})", asked(query)):
            if len(found) < k and '"' in some:
                found |= dict.fromkeys(self.match(some, 2 * k))
        if not found and len(query) <= A_SLIP:  # names that differ by a letter or two
            alike = difflib.get_close_matches(fold(query), self.titles, 3, ALIKE)
            found = dict.fromkeys(self.titles[name] for name in alike)
        return list(found)[:k]

    def match(self, words: str, k: int) -> list[str]:
        select = "SELECT name FROM pages WHERE pages MATCH ? ORDER BY bm25(pages, 8, 4, 1) LIMIT ?"
        with self.lock:
            return [name for (name,) in self.index.execute(select, (words, k))]

    @functools.cached_property
    def index(self) -> sqlite3.Connection:
        """Made at the first search: an exact title needs none."""
        index = sqlite3.connect(":memory:", check_same_thread=False)
        index.execute(
            "CREATE VIRTUAL TABLE pages USING fts5(title, aliases, text, name UNINDEXED, "
            "tokenize = 'unicode61 remove_diacritics 2')"
        )
        pages = (row for row in self.rows.values() if "text" in row)
        seen = ((r["title"], " ".join(r.get("aliases", ())), r["text"]) for r in pages)
        # a space round each character of a script that has none: an index of words
        spaced = functools.partial(CJK_RUN.sub, lambda run: f" {' '.join(run[0])} ")
        rows = ((*map(spaced, texts), texts[0]) for texts in seen)
        index.executemany("INSERT INTO pages VALUES (?, ?, ?, ?)", rows)
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


def asked(query: str) -> str:
    """A query as SQLite reads it: any of its words, without those that stand on every page.

    >>> asked("the House of Wittgenstein")
    '"house" OR "wittgenstein"'
    """
    words = re.findall(r"\w+", fold(query))
    words = [word for word in words if word not in COMMON] or words
    parts = [part for word in words[:WORDS] for part in terms(word)][:WORDS]
    return " OR ".join(f'"{part}"' for part in parts)


def terms(word: str) -> Iterator[str]:
    """What to search for a word: the word; of a Chinese one, also all its pairs of characters.

    >>> list(terms("长城2号"))
    ['长 城', '2', '号']
    """
    for run in RUNS.findall(word):
        if not CJK_RUN.match(run):
            yield run
            continue
        yield " ".join(run)
        if len(run) > 2:
            yield from (" ".join(run[at : at + 2]) for at in range(len(run) - 1))


def read_pages(source: Source) -> Encyclopedia:
    """An encyclopedia of your own. All text is UTF-8; a blank line ends a paragraph. `source` is

    - a folder: each .txt and .md file in it, and in the folders below it, is a page. Its title is
      its first line, if that is `# Title`, else its file's name (Ulm_Minster.txt: Ulm Minster).
      Other files, and those that begin with a dot, are passed over;
    - a table, .csv or .tsv, whose first line names the columns title and text;
    - JSON lines: {"title": ..., "text": ...}, with "aliases": [...] if it has more names; or of a
      name that means several pages {"title": ..., "options": [...]};
    - a list of (title, text).
    """
    places, rows = dict[str, str](), list[Mapping[str, Any]]()
    for where, row in rows_of(source):
        with blame(f"{where}, is no page"):
            title = PAGE.of_row(row).title
        if place := places.get(fold(title)):
            raise ValueError(f"{where}, has the title {short(title)}, which is that of {place}")
        places[fold(title)] = where
        rows.append(row)
    if not rows:
        raise ValueError(f"there is no page in {source}: see help(rl.envs.read_pages)")
    return Encyclopedia(rows)


@functools.cache
def bundled(lang: str | None = None) -> Encyclopedia:
    """The encyclopedia that comes with the package, in a language, read once."""
    if lang == "en":
        return bundled()
    below = (lang,) if lang else ()
    files = sorted(data.folder("wiki", *below).glob("*.jsonl"))
    return Encyclopedia(row for path in files for _, row in objects(path))


# ------------------------------------------------------------------ own

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
    path = expand(source)
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

    def unread(error: OSError) -> None:
        raise ValueError(f"{error.filename} may not be read ({error.strerror}): move it elsewhere")

    for place, below, names in os.walk(folder, onerror=unread):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in sorted(names):
            if name.lower().endswith(TEXTS) and not name.startswith("."):
                yield Path(place, name)


def page_in(path: Path) -> Row:
    if whole(str(path)) != str(path):
        raise ValueError(f"{short(str(path))}: its name is not UTF-8 text: rename it")
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
