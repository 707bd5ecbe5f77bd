"""The products of a shop: a small catalogue in memory, a large one in a file made once."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import re
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from ... import data
from ...records import blame, whole
from ...support.files import expand
from ...types import EnvError
from .products import LONGEST_TEXT, PRODUCT, Product
from .release import is_release, products_in

LARGE = 100 << 20  # bytes of a file: what is larger is not read at every start


class Catalogue:
    """Products by asin, and a search among them. Threads take turns.

    snapshot: names what it holds.
    """

    def __init__(self, base: sqlite3.Connection, snapshot: str) -> None:
        self.base, self.snapshot, self.lock = base, snapshot, threading.Lock()

    def get(self, asin: str) -> Product | None:
        with self.lock:
            row = self.base.execute("SELECT row FROM products WHERE asin = ?", (asin,)).fetchone()
        return PRODUCT.read(row[0]) if row else None

    def search(self, query: str, k: int = 50) -> list[str]:
        """The asins of the best k; of equals, the first in the catalogue."""
        match = " OR ".join(f'"{term}"' for term in terms(query))
        if not match:
            return []
        found = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank, rowid LIMIT ?"
        named = "SELECT asin FROM products WHERE rowid = ?"
        with self.lock:
            ids = self.base.execute(found, (match, k)).fetchall()
            return [self.base.execute(named, id).fetchone()[0] for id in ids]


def fill(base: sqlite3.Connection, products: Iterable[Product]) -> str:
    """Write products down and index their texts, which are not kept; a name for what they are."""
    digest = hashlib.sha256()
    with base:
        base.execute("PRAGMA synchronous = OFF")
        base.execute("CREATE TABLE products (asin TEXT PRIMARY KEY, row BLOB)")
        base.execute("CREATE TABLE about (engine TEXT, digest TEXT)")
        base.execute(
            "CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize='porter unicode61')"
        )
        for id, product in enumerate(products, 1):
            row = PRODUCT.write(product)
            digest.update(row)
            base.execute(
                "INSERT INTO products (rowid, asin, row) VALUES (?, ?, ?)", (id, product.asin, row)
            )
            base.execute("INSERT INTO texts (rowid, text) VALUES (?, ?)", (id, document(product)))
        name = digest.hexdigest()[:12]
        base.execute("INSERT INTO about VALUES ('fts5', ?)", (name,))
    return name


def store(
    products: Iterable[Product] | str | os.PathLike[str], path: str | os.PathLike[str]
) -> Path:
    """Make a catalogue file, for `Shop(path)`: of products, or of a file or folder of them."""
    target = expand(path).absolute()
    if target.exists():
        raise ValueError(f"{target} is there already: remove it, or name another file")
    half = target.with_name(f"{target.name}.half")
    half.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(half)) as base:
        fill(base, read_products(products) if isinstance(products, str | os.PathLike) else products)
    half.rename(target)
    return target


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
    with blame("the shop cannot be opened", (OSError, ValueError), EnvError):
        given = data.folder("shop", "products.jsonl") if path is None else expand(path)
        return opened(given.absolute(), stamp(given))


def stamp(path: Path) -> tuple[object, ...]:
    """So that a change is seen."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    return tuple((file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files)


@lru_cache(maxsize=4)
def opened(path: Path, stamp: tuple[tuple[str, int, int], ...]) -> Catalogue:
    if path.is_file():
        with path.open("rb") as file:
            if file.read(16) == b"SQLite format 3\x00":
                return stored(path)
    if sum(size for _, size, _ in stamp) > LARGE:
        raise ValueError(
            f"{path} is too large to be read at every start: make a catalogue of it once, "
            "react_lab.envs.shop.store(path, 'shop.sqlite'), and give Shop('shop.sqlite')"
        )
    base = sqlite3.connect(":memory:", check_same_thread=False)
    return Catalogue(base, fill(base, read_products(path)))


def stored(path: Path) -> Catalogue:
    base = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
    try:
        (name,) = base.execute("SELECT digest FROM about WHERE engine = 'fts5'").fetchone()
    except (sqlite3.DatabaseError, TypeError):
        raise ValueError(f"{path} is no catalogue: make one with envs.shop.store") from None
    return Catalogue(base, f"{name}, fts5")


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
