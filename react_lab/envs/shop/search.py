"""Where the shop's search finds products: two indexes with one interface, both rank by BM25.

`Fts` is SQLite's FTS5, which comes with Python; `Tantivy` is the index for the full catalogue
(extra `[shop]`). As in the original, texts are in lower case, words are stemmed, and any of them is
enough. Where this differs: k1 = 1.2 and b = 0.75 are built into both, Lucene's index there has 0.9
and 0.4; and `<r>`, `<a>`, `<c>`, `<q>`, with which a search there lists products at random, by
attribute, by category or by query, are words like any others.

By tests/benchmarks/shop.py with 1,180,000 products: half of the searches took less than 4 ms in
Tantivy and 795 ms in SQLite, which weighs every product that has one of the words; 95% less than 9
and 1,377 ms. The goal was among the first 50 in 100% and 99.5%. So the large catalogue is searched
by Tantivy; with the few thousand products that come with the package SQLite takes about 1 ms.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

from ...records import whole
from ...types import EnvError
from .products import LONGEST_TEXT, Product

__all__ = ["Fts", "Index", "Tantivy", "document", "terms"]

MOST_TERMS = 50  # of a query
STOP_WORDS = """
a an and are as at be but by for if in into is it no not of on or such that the their then there
these they this to was will with
"""  # Lucene's English ones
STOP = frozenset(STOP_WORDS.split())
WORD = re.compile(r"[^\W_]+")
OWNER = re.compile(r"['’]s\b")


class Index(Protocol):
    """Finds products by words: the asins of the best `k`, the best one first."""

    def search(self, query: str, k: int = 50) -> list[str]: ...


def document(product: Product) -> str:
    """What is searched of a product: title, description, first feature, options.

    Of each as much as a page shows.
    """
    options = (f"{name}: {', '.join(values)}" for name, values in product.options.items())
    parts = (product.title, product.description, *product.bullets[:1], ", and ".join(options))
    text = " ".join(part[:LONGEST_TEXT] for part in parts)
    return OWNER.sub("", whole(text).lower())


def terms(query: str) -> list[str]:
    """The words of a query, each once; common words only where there are no others.

    >>> terms("a 3 ounce bottle of the women's deodorant")
    ['3', 'ounce', 'bottle', 'women', 'deodorant']
    """
    words = list(dict.fromkeys(WORD.findall(OWNER.sub("", query[:10_000].lower()))))
    return ([word for word in words if word not in STOP] or words)[:MOST_TERMS]


class Fts:
    """SQLite's index, in memory or in a file. Threads take turns."""

    def __init__(self, path: str | Path = ":memory:") -> None:
        self.lock = threading.Lock()
        self.base = sqlite3.connect(path, check_same_thread=False)

    def fill(self, products: Iterable[tuple[str, str]]) -> None:
        """Index documents by asin. What can be found is kept, the texts are not."""
        with self.lock, self.base as base:
            base.execute("PRAGMA synchronous = OFF")
            try:
                base.execute(
                    "CREATE VIRTUAL TABLE texts USING fts5(text, content='', "
                    "tokenize='porter unicode61')"
                )
            except sqlite3.OperationalError as error:
                raise EnvError(f"this Python's SQLite has no full text search: {error}") from None
            base.execute("CREATE TABLE asins (id INTEGER PRIMARY KEY, asin TEXT NOT NULL)")
            for id, (asin, text) in enumerate(products, 1):
                base.execute("INSERT INTO asins VALUES (?, ?)", (id, asin))
                base.execute("INSERT INTO texts (rowid, text) VALUES (?, ?)", (id, text))

    def search(self, query: str, k: int = 50) -> list[str]:
        """The best k; of equals, the first in the catalogue."""
        match = " OR ".join(f'"{term}"' for term in terms(query))
        if not match:
            return []
        found = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank, rowid LIMIT ?"
        with self.lock:
            ids = [id for (id,) in self.base.execute(found, (match, k))]
            marks = ",".join("?" * len(ids))
            rows = self.base.execute(f"SELECT id, asin FROM asins WHERE id IN ({marks})", ids)
            asins = dict(rows.fetchall())
        return [asins[id] for id in ids]


class Tantivy:
    """Tantivy's index, in memory or in a folder."""

    def __init__(self, path: str | Path | None = None) -> None:
        try:
            import tantivy
        except ImportError:
            raise EnvError("this catalogue needs tantivy: pip install 'react-lab[shop]'") from None
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("asin", stored=True, tokenizer_name="raw", index_option="basic")
        schema.add_text_field("text", tokenizer_name="en_stem", index_option="freq")
        self.make: Any = tantivy.Document
        if path is not None:
            Path(path).mkdir(parents=True, exist_ok=True)
        self.index: Any = tantivy.Index(schema.build(), path=None if path is None else str(path))
        self.searcher: Any = self.index.searcher()

    def fill(self, products: Iterable[tuple[str, str]]) -> None:
        """Index documents by asin."""
        with contextlib.closing(Writing(self.index)) as writing:
            for asin, text in products:
                writing.writer.add_document(self.make(asin=[asin], text=[text]))
        self.index.reload()
        self.searcher = self.index.searcher()

    def search(self, query: str, k: int = 50) -> list[str]:
        words = terms(query)
        if not words:
            return []
        parsed, _ = self.index.parse_query_lenient(" ".join(words), ["text"])
        found = self.searcher.search(parsed, k, count=False).hits
        return [self.searcher.doc(at)["asin"][0] for _, at in found]


class Writing:
    """A writer that commits when it is closed."""

    def __init__(self, index: Any) -> None:
        self.writer = index.writer(heap_size=200_000_000, num_threads=1)

    def close(self) -> None:
        self.writer.commit()
        self.writer.wait_merging_threads()
