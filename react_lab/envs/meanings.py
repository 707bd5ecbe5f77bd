"""The meanings that a disambiguation page lists: of each item the first link, read from its HTML.

It stands in for the BeautifulSoup of the package `wikipedia`, whose time grows with the square of
items inside items, and which raises on some HTML.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["Meanings"]

TOKEN = re.compile(r"<(/?)(li|a)\b([^<>]*)>|<[^<>]*>|([^<]+)|<", re.I)
LONGEST = 1000  # characters of a link: no title is longer


@dataclass(frozen=True)
class Meaning:
    """An item with a link, as the package looks at it: `item.a.get_text()`."""

    text: str

    @property
    def a(self) -> Meaning:
        return self

    def get(self, attribute: str, default: Any) -> Any:
        return default

    def get_text(self) -> str:
        return self.text


@dataclass(frozen=True)
class Meanings:
    """The items of a page's lists."""

    page: str

    def find_all(self, tag: str) -> list[Meaning]:
        return [Meaning(html.unescape(text)) for text in first_links(self.page)]


def first_links(page: str) -> Iterator[str]:
    """The text of the first link in each item, not in a table of contents."""
    linked: list[bool] = []  # of each item that is open: whether it has had its link
    link: list[str] | None = None  # the link that is being read
    for token in TOKEN.finditer(page):
        closes, tag, attributes, text = token.groups()
        if text and link is not None:
            link.append(text)
        match (tag or "").lower(), bool(closes):
            case "li", False:
                linked.append("tocsection" in attributes)
            case "li", True if linked:
                inner = linked.pop()
                linked[-1:] = [inner or linked[-1]] if linked else []
            case "a", False if linked and not linked[-1]:
                linked[-1], link = True, []
            case "a", True if link is not None:
                yield "".join(link)[:LONGEST]
                link = None
