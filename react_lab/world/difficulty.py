"""How hard the hand-written tasks are, by type, and what guessing would score."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..envs.pages import Encyclopedia, bundled
from ..envs.wiki import sentences
from ..score import exact_match
from ..types import normalise
from .check import SET_NAMES, written
from .oracle import bare

__all__ = ["named_in", "table"]

Row = Mapping[str, Any]


def named_in(text: str, book: Encyclopedia) -> list[str]:
    """The pages that a question names, by title or alias; the longest names first."""
    found: dict[str, None] = {}
    names = ((name, title) for name, title in names_of(book).items() if name in text)
    for name, title in sorted(names, key=lambda pair: -len(pair[0])):
        if name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            found[title] = None
            text = text.replace(name, " ")
    return list(found)


@functools.cache
def names_of(book: Encyclopedia) -> dict[str, str]:
    names = {bare(t): t for t, row in book.rows.items() if "text" in row and len(bare(t)) > 3}
    names |= {a: t for t, row in book.rows.items() for a in row.get("aliases", ()) if len(a) > 3}
    return names | {t: t for t, row in book.rows.items() if "text" in row}


def first_five(page: str, book: Encyclopedia) -> str:
    return " ".join(sentences(book.rows[page]["text"])[:5])


def answer_at_once(row: Row, book: Encyclopedia) -> bool:
    """Is the answer among the first five sentences of a page that the question names?"""
    gold = f" {normalise(row['gold'])} "
    pages = [page for page in named_in(row["text"], book) if page in row["pages"]]
    return any(gold in f" {normalise(first_five(page, book))} " for page in pages)


def two_pages(row: Row, book: Encyclopedia) -> bool:
    return len(set(row["pages"])) >= 2


def lookup(row: Row, book: Encyclopedia) -> bool:
    """Does some evidence stand below the first five sentences of its page?"""
    tops = " ".join(first_five(page, book) for page in row["pages"])
    return any(sentence not in tops for sentence in row.get("sentences", ()))


def ambiguous(row: Row, book: Encyclopedia) -> bool:
    """Does the question use a name that leads to a disambiguation of one of its pages?"""
    text = row["text"]
    for page in row["pages"]:  # a full title in the question is not ambiguous
        text = text.replace(page, " ")
    return any(
        title in text
        and re.search(rf"(?<!\w){re.escape(title)}(?!\w)", text)
        and set(entry["options"]) & set(row["pages"])
        for title, entry in book.rows.items()
        if "options" in entry
    )


MEASURES: Mapping[str, Callable[[Row, Encyclopedia], bool]] = {
    "answer at once": answer_at_once,
    "two pages": two_pages,
    "lookup": lookup,
    "ambiguous": ambiguous,
}


def guesses(rows: Sequence[Row], book: Encyclopedia) -> dict[str, float]:
    """What guessing would score, in per cent: a page the question names, yes, the commonest answer."""
    common = Counter(row["gold"] for row in rows).most_common(1)[0][0]
    named = [named_in(row["text"], book)[:1] for row in rows]
    return {
        "guess a named title": share(
            [
                bool(n) and exact_match(bare(n[0]), r["gold"])
                for n, r in zip(named, rows, strict=True)
            ]
        ),
        "guess yes": share([row["gold"] == "yes" for row in rows]),
        f"guess {common}": share([row["gold"] == common for row in rows]),
    }


def share(flags: Sequence[bool]) -> float:
    return 100 * sum(flags) / len(flags) if flags else 0.0


def table(book: Encyclopedia | None = None) -> str:
    """One line per set, split and type, each measure in per cent; then the guesses."""
    book = book or bundled()
    head = f"{'':34}{'n':>6}" + "".join(f"{name:>16}" for name in MEASURES)
    lines = ["Share of the hand-written tasks, in per cent", head]
    for name in SET_NAMES:
        for split in ("dev", "test"):
            rows = [row for own, row in written(name) if own == split]
            types = sorted({kind_of(row) for row in rows})
            lines += [
                line(f"{name} {split}, {kind}", [r for r in rows if kind_of(r) == kind], book)
                for kind in types
            ]
            lines += [line(f"{name} {split}, all", rows, book)]
            lines += (
                [f"    {guess}: {score:.1f}" for guess, score in guesses(rows, book).items()]
                if rows
                else []
            )
    return "\n".join(lines)


def kind_of(row: Row) -> str:
    return str(row.get("type") or row["gold"])


def line(name: str, rows: Sequence[Row], book: Encyclopedia) -> str:
    cells = (
        f"{share([measure(row, book) for row in rows]):16.1f}" for measure in MEASURES.values()
    )
    return f"{name:34}{len(rows):6}" + "".join(cells)
