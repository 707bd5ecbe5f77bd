"""Whole Wikipedias without a network: ZIM files, as Kiwix gives them to schools."""

from __future__ import annotations

import contextlib
import html
import re
import threading
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from ..records import whole
from ..support.files import checked, expand
from ..types import EnvError
from .pages import COMMON, LONGEST, fold

MAGIC = b"ZIM\x04"
LARGEST = 16_000_000  # bytes of one page
SEVERAL = re.compile(r"<(?:div|table)\b[^<>]*\bdisambigbox")  # the mark of a list of meanings
ALONE = 5  # words of a query that are searched for one by one


def zim(path: str | PathLike[str]) -> Archive:
    """The pages of a ZIM file, for `Wiki`; it needs libzim: pip install 'react-lab[zim]'."""
    return Archive(expand(path))


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
        several = meanings_in(page) if page and SEVERAL.search(page) else ()
        found = dict.fromkeys(" ".join(meaning.split()) for meaning in several)
        for words in queries(query):
            if len(found) > k:
                break
            with self.reading():
                for path in self.paths(words, k):  # of a redirect: the page that it leads to
                    item = self.file.get_entry_by_path(path).get_item()
                    found.setdefault(" ".join(item.title.split()))
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
        title = tidy(title[:LONGEST].partition("#")[0].replace("\0", " "))
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
    words = re.findall(r"\w+", tidy(query[:LONGEST].partition("#")[0]))
    words = [word for word in words if word.casefold() not in COMMON] or words
    if words:
        yield " ".join(words[:100])
    if len(words) > 1:
        yield from sorted(dict.fromkeys(words), key=len, reverse=True)[:ALONE]


def tidy(title: str) -> str:
    """A title as MediaWiki writes it: no underscores; no half characters."""
    return " ".join(whole(title).replace("_", " ").split())


# ------------------------------------------------------------------ html text

ATTRIBUTES = r"""(?:[^<>=]|=\s*+(?:"[^"]*+"|'[^']*+')?)*+"""
TOKEN = re.compile(  # what is passed over whole; or a tag; or text, a `<` of its own too
    r"<!--.*?(?:-->|\Z)|<[!?].*?(?:>|\Z)"
    rf"|<(script|style|textarea|title)(?![a-z0-9]){ATTRIBUTES}>.*?(?:</\1[^<>]*>?|\Z)"
    rf"|<(?P<closes>/?)(?P<name>[a-z][a-z0-9]*)(?P<attributes>{ATTRIBUTES})>|(?P<text>[^<]+|<)",
    re.I | re.S,
)
NAMED = re.compile(r"""\b(?:class|id|role)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))""", re.I)
HIDDEN = re.compile(r"""\bhidden\b|display\s*+:\s*+none""", re.I)
VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"])
LEFT_OUT = frozenset([
    "aside", "audio", "button", "figure", "footer", "form", "head", "math", "nav", "noscript",
    "object", "select", "svg", "table", "template", "video",
])  # fmt: skip
BOXES = frozenset([
    "ambox", "catlinks", "gallery", "hatnote", "infobox", "metadata", "mw-editsection",
    "mw-references-wrap", "navbox", "navigation", "noprint", "portalbox", "reference", "references",
    "reflist", "shortdescription", "sidebar", "sistersitebox", "thumb", "toc",
])  # fmt: skip
BLOCKS = frozenset([
    "address", "article", "blockquote", "body", "br", "center", "dd", "details", "div", "dl", "dt",
    "figcaption", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "html", "li", "main", "ol", "p", "pre",
    "section", "summary", "ul",
])  # fmt: skip
AT_THE_END = frozenset([
    "bibliography", "citations", "external links", "footnotes", "further reading", "notes",
    "notes and references", "references", "see also", "sources",
])  # fmt: skip


def text_of(page: str) -> str:
    """Paragraphs, a blank line between them."""
    reader = Reader()
    for token in TOKEN.finditer(page):
        if token["text"] and not reader.left_out:
            reader.block.append(token["text"])
        elif token["name"]:
            read = reader.close if token["closes"] else reader.open
            read(token["name"].lower(), token["attributes"])
    reader.end_block()
    return "\n\n".join(reader.blocks)


class Reader:
    """The blocks read so far, and what is being passed over."""

    def __init__(self) -> None:
        self.blocks, self.block = list[str](), list[str]()
        self.left_out, self.depth = "", 0  # the element that is passed over, how often it is open
        self.heading, self.muted = 0, 0  # levels: of the heading, of the section passed over

    def open(self, name: str, attributes: str) -> None:
        if self.left_out == "p" and name in BLOCKS:  # a paragraph has none inside
            self.left_out = ""
        if self.left_out:
            self.depth += name == self.left_out
        elif name not in VOID and (name in LEFT_OUT or is_box(attributes)):
            self.left_out, self.depth = name, 1
        elif name in BLOCKS:
            self.end_block()
            self.heading = int(name[1]) if re.fullmatch("h[1-6]", name) else 0

    def close(self, name: str, attributes: str) -> None:
        if self.left_out:
            self.depth -= name == self.left_out
            self.left_out = self.left_out if self.depth else ""
        elif name in BLOCKS:
            self.end_block()

    def end_block(self) -> None:
        """Sections of notes and links are passed over, with the sections in them."""
        text, level = " ".join(html.unescape("".join(self.block)).split()), self.heading
        self.block.clear()
        self.heading = 0
        if text and level and not 0 < self.muted < level:
            self.muted = level if text.casefold() in AT_THE_END else 0
        if text and not self.muted and level != 1:
            self.blocks.append(text)


def is_box(attributes: str) -> bool:
    names = {name for found in NAMED.findall(attributes) for name in " ".join(found).split()}
    return not names.isdisjoint(BOXES) or bool(HIDDEN.search(attributes))


# ------------------------------------------------------------------ meanings

LONGEST_LINK = 1000  # characters of a link: no title is longer


def meanings_in(page: str) -> Iterator[str]:
    """The text of the first link in each item of a page's lists, not in a table of contents."""
    linked: list[bool] = []  # of each item that is open: whether it has had its link
    link: list[str] | None = None  # the link that is being read
    for token in TOKEN.finditer(page):
        if token["text"] and link is not None:
            link.append(token["text"])
        match (token["name"] or "").lower(), bool(token["closes"]):
            case "li", False:
                linked.append("tocsection" in token["attributes"])
            case "li", True if linked:
                inner = linked.pop()
                linked[-1:] = [inner or linked[-1]] if linked else []
            case "a", False if linked and not linked[-1]:
                linked[-1], link = True, []
            case "a", True if link is not None:
                yield html.unescape("".join(link)[:LONGEST_LINK])
                link = None
