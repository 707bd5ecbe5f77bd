"""Whole Wikipedias without a network: ZIM files, as Kiwix gives them to schools."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from ..files import checked
from ..types import EnvError
from .html_text import text_of
from .meanings import Meanings
from .pages import COMMON, LONGEST, fold

__all__ = ["Archive", "zim"]

MAGIC = b"ZIM\x04"
LARGEST = 16_000_000  # bytes of one page
SEVERAL = re.compile(
    r"<(?:div|table)\b[^<>]*\bdisambigbox"
)  # Wikipedia's mark of a list of meanings
ALONE = 5  # words of a query that are searched for one by one


def zim(path: str | PathLike[str]) -> Archive:
    """The pages of a ZIM file, for `Wiki`; it needs libzim: pip install 'react-lab[zim]'."""
    return Archive(Path(path).expanduser())


class Archive:
    """Pages of a ZIM file, found by title or redirect, by similar titles and by full text.

    libzim may be used by one thread at a time.
    """

    def __init__(self, path: Path):
        self.path, self.lock = path, threading.Lock()
        self.file = opened(path)
        with self.reading():
            self.snapshot = named(self.file)

    def __reduce__(self) -> tuple[Any, ...]:
        return zim, (self.path,)

    def get(self, title: str) -> str | None:
        """A page's text, redirects followed; None if there is none, or a list of meanings."""
        page = self.page(title)
        return None if page is None or SEVERAL.search(page) else text_of(page)

    def search(self, query: str, k: int = 5) -> list[str]:
        """Titles: what a list of meanings holds, then those like the query, then of its words."""
        page = self.page(query)
        several = Meanings(page).find_all("li") if page and SEVERAL.search(page) else []
        found = dict.fromkeys(" ".join(meaning.text.split()) for meaning in several)
        for words in queries(query):
            if len(found) > k:
                break
            with self.reading():
                found |= dict.fromkeys(self.title_at(path) for path in self.paths(words, k))
        return [title for title in found if title and fold(title) != fold(query)][:k]

    def page(self, title: str) -> str | None:
        """The HTML under a title."""
        with self.reading():
            if (entry := self.entry(title)) is None:
                return None
            item = entry.get_item()
            if not item.mimetype.startswith("text/html"):
                return None
            if item.size > LARGEST:
                much = f"{item.size / 1e6:.0f} MB, more than the {LARGEST / 1e6:g} MB of a page"
                raise EnvError(f"the page {item.title!r} in {self.path.name} has {much}")
            return bytes(item.content).decode("utf-8", "replace")

    def entry(self, title: str) -> Any:
        """The entry of a title; capitals and accents may differ, as in Kiwix's own search box."""
        title = tidy(title)
        for exact in dict.fromkeys((title, title[:1].upper() + title[1:])):
            if exact and self.file.has_entry_by_title(exact):
                return self.file.get_entry_by_title(exact)
        for path in self.suggested(title, 10):
            entry = self.file.get_entry_by_path(path)
            if fold(entry.title) == fold(title):
                return entry
        return None

    def suggested(self, words: str, k: int) -> list[str]:
        from libzim.suggestion import SuggestionSearcher

        return list(SuggestionSearcher(self.file).suggest(words).getResults(0, k))

    def paths(self, words: str, k: int) -> Iterator[str]:
        from libzim.search import Query, Searcher

        yield from self.suggested(words, k)
        if self.file.has_fulltext_index:
            query = Query().set_query(words)
            yield from Searcher(self.file).search(query).getResults(0, k)

    def title_at(self, path: str) -> str:
        """Of a redirect, the title of the page that it leads to."""
        return " ".join(self.file.get_entry_by_path(path).get_item().title.split())

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """One thread at a time; what libzim says of a damaged file is a fault of the world's."""
        try:
            with self.lock:
                yield
        except (RuntimeError, KeyError, UnicodeDecodeError) as error:
            what = f"{self.path.name} cannot be read ({str(error)[:100]})"
            raise EnvError(f"{what}: it is damaged, fetch it again") from None


def opened(path: Path) -> Any:
    """libzim's archive, or a sentence that says why there is none."""
    if not checked(path).exists():
        raise FileNotFoundError(f"no ZIM file at {path}: library.kiwix.org has many")
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise ValueError(f"{path} is no ZIM file")
    try:
        from libzim.reader import Archive as Reader
    except ImportError:
        hint = "pip install 'react-lab[zim]' (GPL)"
        raise ModuleNotFoundError(f"ZIM files need the package libzim: {hint}") from None
    try:
        return Reader(path)
    except (RuntimeError, UnicodeDecodeError) as error:
        why = " ".join(str(error).split())[:100]
        raise ValueError(f"{path} is cut short or damaged ({why}): fetch it again") from None


def named(file: Any) -> str:
    """The edition: its title and date, and the number that libzim gave it."""
    told = (
        " ".join(file.get_metadata(key).decode("utf-8", "replace").split())[:80]
        for key in ("Title", "Date")
        if key in file.metadata_keys
    )
    return f"zim {' '.join(told)} {file.uuid}"


def queries(query: str) -> Iterator[str]:
    """All words, then the longest alone: they are the rarest, and libzim finds pages with all."""
    words = re.findall(r"\w+", tidy(query))
    words = [word for word in words if word.casefold() not in COMMON] or words
    if words:
        yield " ".join(words[:100])
    if len(words) > 1:
        yield from sorted(dict.fromkeys(words), key=len, reverse=True)[:ALONE]


def tidy(title: str) -> str:
    """A title as MediaWiki writes it: no underscores, no section; no half characters."""
    title = title[:LONGEST].encode("utf-8", "replace").decode().replace("\0", " ")
    return " ".join(title.partition("#")[0].replace("_", " ").split())
