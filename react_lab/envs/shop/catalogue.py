"""The products of a shop: a small catalogue in memory, a large one in a file made once."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal, Protocol

from ... import data
from ...records import whole
from ...support.files import expand
from ...types import EnvError
from .products import LONGEST_TEXT, PRODUCT, Product
from .release import is_release, products_in

LARGE = 100 << 20  # bytes of a file: what is larger is not read at every start
Engine = Literal["fts5", "tantivy"]


class Catalogue(Protocol):
    """Products by asin, and a search among them."""

    snapshot: str  # names what it holds

    def get(self, asin: str) -> Product | None: ...

    def search(self, query: str, k: int = 50) -> list[str]: ...


class Memory:
    """A catalogue in memory; its index is made at the first search."""

    def __init__(self, products: Mapping[str, Product], snapshot: str = "in memory") -> None:
        self.products, self.snapshot, self.lock = products, snapshot, threading.Lock()

    def get(self, asin: str) -> Product | None:
        return self.products.get(asin)

    def search(self, query: str, k: int = 50) -> list[str]:
        with self.lock:
            return self.index.search(query, k)

    @cached_property
    def index(self) -> Index:
        index = Fts()
        index.fill((asin, document(product)) for asin, product in self.products.items())
        return index


class Stored:
    """A catalogue in a file that `store` has made. Threads take turns."""

    def __init__(self, path: Path) -> None:
        self.lock = threading.Lock()
        self.base = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        try:
            (engine, name) = self.base.execute("SELECT engine, digest FROM about").fetchone()
        except (sqlite3.DatabaseError, TypeError):
            raise ValueError(f"{path} is no catalogue: make one with envs.shop.store") from None
        self.snapshot = f"{name}, {engine}"
        self.index: Index = Tantivy(beside(path)) if engine == "tantivy" else Fts(path)

    def get(self, asin: str) -> Product | None:
        with self.lock:
            row = self.base.execute("SELECT row FROM products WHERE asin = ?", (asin,)).fetchone()
        return PRODUCT.read(row[0]) if row else None

    def search(self, query: str, k: int = 50) -> list[str]:
        return self.index.search(query, k)


def beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.tantivy")


def store(
    products: Iterable[Product] | str | os.PathLike[str],
    path: str | os.PathLike[str],
    engine: Engine = "tantivy",
) -> Path:
    """Make a catalogue file, for `Shop(path)`: of products, or of a file or folder of them.

    engine: "tantivy", whose index is a folder beside the file, or "fts5", within the file.
    """
    target = expand(path).absolute()
    if target.exists():
        raise ValueError(f"{target} is there already: remove it, or name another file")
    if engine not in ("fts5", "tantivy"):
        raise ValueError(f"engine={engine!r}: it is 'fts5' or 'tantivy'")
    found = read_products(products) if isinstance(products, str | os.PathLike) else products
    half = target.with_name(f"{target.name}.half")
    half.unlink(missing_ok=True)
    shutil.rmtree(beside(half), ignore_errors=True)
    index = Tantivy(beside(half)) if engine == "tantivy" else Fts(half)
    base = index.base if isinstance(index, Fts) else sqlite3.connect(half)
    base.execute("CREATE TABLE products (asin TEXT PRIMARY KEY, row BLOB)")
    base.execute("CREATE TABLE about (engine TEXT, digest TEXT)")
    whole = hashlib.sha256()
    index.fill(kept(found, base, whole))
    base.execute("INSERT INTO about VALUES (?, ?)", (engine, whole.hexdigest()[:12]))
    base.commit()
    base.close()
    if beside(half).exists():
        shutil.rmtree(beside(target), ignore_errors=True)
        beside(half).rename(beside(target))
    half.rename(target)
    return target


def kept(
    products: Iterable[Product], base: sqlite3.Connection, whole: hashlib._Hash
) -> Iterator[tuple[str, str]]:
    """Writes the products down as they pass, and hands their texts on to the index."""
    for product in products:
        row = PRODUCT.write(product)
        whole.update(row)
        base.execute("INSERT INTO products VALUES (?, ?)", (product.asin, row))
        yield product.asin, document(product)


def read_products(path: str | os.PathLike[str]) -> Iterator[Product]:
    """The products of a file of ours (JSON lines), or of WebShop's own file or folder."""
    given = expand(path)
    if is_release(given):
        yield from products_in(given)
    elif given.is_file():
        with (gzip.open if given.suffix == ".gz" else open)(given, "rb") as file:
            yield from PRODUCT.lines(file, given, "product", "asin")
    else:
        raise ValueError(f"there are no products at {given}: no such file, or none of WebShop's")


def catalogue(path: str | os.PathLike[str] | None = None) -> Catalogue:
    """The catalogue at a path, opened once; None is the one that comes with the package."""
    try:
        given = data.folder("shop", "products.jsonl") if path is None else expand(path)
        return opened(given.absolute(), stamp(given))
    except (OSError, ValueError) as error:
        raise EnvError(f"the shop cannot be opened: {error}") from None


def stamp(path: Path) -> tuple[object, ...]:
    """So that a change is seen."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    return tuple((file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files)


@lru_cache(maxsize=4)
def opened(path: Path, stamp: tuple[tuple[str, int, int], ...]) -> Catalogue:
    if path.is_file():
        with path.open("rb") as file:
            if file.read(16) == b"SQLite format 3\x00":
                return Stored(path)
    if sum(size for _, size, _ in stamp) > LARGE:
        raise ValueError(
            f"{path} is too large to be read at every start: make a catalogue of it once, "
            "react_lab.envs.shop.store(path, 'shop.sqlite'), and give Shop('shop.sqlite')"
        )
    products = {product.asin: product for product in read_products(path)}
    whole = hashlib.sha256()
    for product in products.values():
        whole.update(PRODUCT.write(product))
    return Memory(products, whole.hexdigest()[:12])


# ------------------------------------------------------------------ search

MOST_TERMS = 50  # of a query
STOP_WORDS = """
a an and are as at be but by for if in into is it no not of on or such that the their then there
these they this to was will with
"""  # Lucene's English ones
STOP = frozenset(STOP_WORDS.split())
WORD = re.compile(r"[^\W_]+")
OWNER = re.compile(r"['’]s\b")


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
        writer = self.index.writer(heap_size=200_000_000, num_threads=1)
        for asin, text in products:
            writer.add_document(self.make(asin=[asin], text=[text]))
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()

    def search(self, query: str, k: int = 50) -> list[str]:
        words = terms(query)
        if not words:
            return []
        parsed, _ = self.index.parse_query_lenient(" ".join(words), ["text"])
        found = self.searcher.search(parsed, k, count=False).hits
        return [self.searcher.doc(at)["asin"][0] for _, at in found]


Index = Fts | Tantivy
