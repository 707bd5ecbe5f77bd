"""A page as it was on a day: its revision of then, and where a redirect of then led."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..types import Edition
from .answers import JSON
from .html_text import text_of
from .meanings import Meanings

__all__ = ["Found", "page_at", "read"]

HOPS = 8  # redirects that are followed
REDIRECT = 'class="redirectText"'  # MediaWiki's own mark of a redirect, in all languages
LAST = {"prop": "info|revisions", "rvprop": "ids|timestamp", "rvlimit": 1, "rvdir": "older"}
WHOLE = {"action": "parse", "prop": "text|properties", "disableeditsection": "", "disabletoc": ""}
Ask = Callable[[JSON], JSON]


@dataclass(frozen=True)
class Found:
    """A page: its text; or none, and the meanings that it lists."""

    edition: Edition
    text: str | None
    meanings: tuple[str, ...] = ()


def page_at(time: str, title: str, ask: Ask) -> Found | None:
    """The page of a title at a time, redirects of then followed; None if there was none."""
    for _ in range(HOPS):
        revision = revision_at(time, title, ask)
        if revision is None:
            return None
        answer = ask({**WHOLE, "oldid": revision["revid"]})
        page = answer["parse"]
        if "to" not in page:
            written, read_at = revision["timestamp"], answer["time"]
            edition = Edition(page["title"], revision["revid"], written, read_at)
            text = None if several(page) else page["text"]["*"]
            return Found(edition, text, tuple(page["meanings"]))
        title = page["to"]
    return None


def revision_at(time: str, title: str, ask: Ask) -> Any:
    """A title's last revision before a time. A page that has moved since took its past along: it is
    found through the redirect that the move left.
    """
    for also in ({}, {"redirects": ""}):
        query = ask({**LAST, "rvstart": time, "titles": title, **also}).get("query", {})
        pages = list(query.get("pages", {}).values())
        if len(pages) != 1:  # none: a foreign title, a ring of redirects
            return None
        if revisions := pages[0].get("revisions"):
            return revisions[0]
        if "redirect" not in pages[0]:
            return None
    return None


def read(answer: JSON) -> JSON:
    """Of a page's HTML what is read of it: its text, its meanings, or to where it redirects."""
    page = answer["parse"]
    shown, text, meanings = page["text"]["*"], "", list[str]()
    if REDIRECT in shown:
        links = Meanings(shown.partition(REDIRECT)[2]).find_all("li")
        to = links[0].text.partition("#")[0] if links else ""
        return {"parse": {**page, "text": {}, "to": to}}
    if several(page):
        meanings = [item.text for item in Meanings(shown).find_all("li")]
    else:
        text = text_of(shown)
    return {"parse": {**page, "text": {"*": text}, "meanings": meanings}}


def several(page: JSON) -> bool:
    """Whether the page lists meanings of its title."""
    return any(each["name"] == "disambiguation" for each in page["properties"])
