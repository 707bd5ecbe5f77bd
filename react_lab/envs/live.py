"""Live Wikipedia as a source of pages: the `wikipedia` package, made polite and made to fail well.

The package (1.4.0, unchanged since 2014) asks everything through one function, `_wiki_request`,
which knows no timeout, no second try and no HTTP status, and keeps its settings in module globals.
So each `LiveWikipedia` loads a private copy and puts its own `_request` there; the `wikipedia`
that you import yourself stays as it is. `Answers` keeps what is known, `Client` asks the network,
`past` reads a page as it was on a day.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import re
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from ..records import whole
from ..types import Edition, EnvError
from . import past
from .answers import JSON, Answers
from .client import OFFLINE, Client
from .meanings import Meanings
from .past import Found

__all__ = ["LiveWikipedia"]

CONTACT = r"[!-~]+@[!-~]+\.[!-~]+|https?://[!-~]+"
PAGE = {"prop": "info|pageprops|extracts|revisions", "inprop": "url", "ppprop": "disambiguation"}
PAGE |= {"explaintext": "", "redirects": "", "rvprop": "ids|timestamp"}  # all of it in one request
PARTS = {"title", "fullurl", "extract", "revisions"}  # of a page
NEAR = {"list": "search", "srwhat": "nearmatch", "srlimit": 1, "srprop": ""}


@dataclass(eq=False)
class LiveWikipedia:
    """Pages of a live Wikipedia. A fault of the network is an `EnvError`, never an observation.

    `contact` is your e-mail address or web page: Wikipedia blocks clients that it cannot write to.
    Answers are kept in memory and, if you name one, in the file `cache`, which threads and programs
    may share, and from which a class can replay them without a network:
    `LiveWikipedia(cache="class.jsonl", offline=True)`. A run keeps in `settings["pages"]` which
    revision of each page it saw. `as_of="2022-10-01"` reads each page as it was at the end of that
    day (by UTC; templates are filled in as today); a search for similar titles is still today's.
    """

    contact: str = field(default="", repr=False)
    lang: str = "en"
    api_url: str | None = None
    cache: str | Path | None = None
    timeout: tuple[float, float] = (3.05, 10)  # seconds to connect, and to wait for more bytes
    deadline: float = 60.0  # seconds until an answer has to be whole
    attempts: int = 4
    max_wait: float = 30.0  # seconds between the attempts, all together
    concurrent: int = 2  # requests at a time of all threads: Wikimedia asks for three at most
    offline: bool = False
    interval: float = 0.3  # seconds from one request to the next: some 200 a minute
    as_of: str | date | None = None

    def __post_init__(self) -> None:
        if not self.offline and not re.fullmatch(CONTACT, str(self.contact)):
            why = "Wikipedia blocks clients that it cannot write to"
            raise ValueError(f"contact must be your own e-mail address or web page: {why}.")
        if self.offline and not self.cache:
            raise ValueError("offline=True needs cache=, the file that an earlier session filled.")
        if self.offline and not Path(str(self.cache)).exists():
            raise FileNotFoundError(f"No recorded pages at {self.cache}: give cache= another path.")
        self._day = None if self.as_of is None else day_of(self.as_of)
        self._client = Client(self.api_url or f"https://{self.lang}.wikipedia.org/w/api.php", self)
        self._answers = Answers(Path(self.cache) if self.cache else None, self._client.site)
        parts = [self._client.site, f"as of {self._day}" if self._day else ""]
        where = (
            f"from {Path(str(self.cache)).name}" if self.offline else "" if self._day else "live"
        )
        self.snapshot = ", ".join(filter(None, (*parts, where)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as settings: no connection, no module, nothing fetched."""
        return type(self), tuple(getattr(self, f.name) for f in fields(self))

    def get(self, title: str) -> str | None:
        """A page's plain text, redirects followed; None if there is none, or a list of meanings."""
        found = self._find(title)
        return found.text if found else None

    def edition(self, title: str) -> Edition | None:
        """Which revision a title leads to: what `get` reads, or the list of its meanings."""
        found = self._find(title)
        return found.edition if found else None

    def search(self, query: str, k: int = 5) -> list[str]:
        """At most `k` titles: what a disambiguation page lists, then what a search finds."""
        page = self._find(query)
        found = dict.fromkeys(page.meanings if page else ())
        words = tidy(query)[:300]  # Wikipedia takes no more
        if words and len(found) < k:
            found |= dict.fromkeys(self._package.search(words, results=k))
        return list(found)[:k]

    def _find(self, title: str) -> Found | None:
        """Capitals may differ, as in Wikipedia's own search box ("nearmatch")."""
        title = tidy(title)
        if not possible(title):
            return None
        found = self._exactly(title)
        if found is None:
            near = self._ask({**NEAR, "srsearch": title}).get("query", {}).get("search")
            found = self._exactly(near[0]["title"]) if near else None
        return found

    def _exactly(self, title: str) -> Found | None:
        if self._day:
            return past.page_at(f"{self._day}T23:59:59Z", title, self._ask)
        try:  # auto_suggest would read Kale as Kal
            self._package.page(title, auto_suggest=False)
            meanings = None
        except self._package.PageError:
            return None
        except self._package.DisambiguationError as several:
            meanings = tuple(option for option in several.options if option)
        answer = self._request({"titles": title})  # known by now; .content would ask once more
        (page,) = answer["query"]["pages"].values()
        revision = page["revisions"][0]
        edition = Edition(page["title"], revision["revid"], revision["timestamp"], answer["time"])
        return Found(edition, page["extract"] if meanings is None else None, meanings or ())

    @functools.cached_property
    def _package(self) -> Any:
        """The package's module, loaded once more and kept out of `sys.modules`."""
        spec = importlib.util.find_spec("wikipedia.wikipedia")
        assert spec and spec.loader
        package: Any = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(package)
        package.API_URL, package._wiki_request = self._client.url, self._request
        package.BeautifulSoup = Meanings
        return package

    def _request(self, params: JSON) -> JSON:
        """What the package calls in place of its `_wiki_request`."""
        if "rvparse" in params:  # the list on a disambiguation page
            params = {**params, "redirects": ""}
        elif "titles" in params:
            params = {**PAGE, "titles": params["titles"]}
        return self._ask(params)

    def _ask(self, params: JSON) -> JSON:
        """An answer of the API, kept from the first time it was asked for."""
        return self._answers.get(json.dumps(params, sort_keys=True), lambda: self._fetch(params))

    def _fetch(self, params: JSON) -> JSON:
        if self.offline:
            what = params.get("titles") or params.get("srsearch")
            raise EnvError(f"{self.cache} does not hold {what!r}: fetch it online once, {OFFLINE}")
        answer = self._client.ask(params)
        if "error" in answer and "srwhat" not in params:  # nearmatch fails on `wikipedia:Plato`
            raise EnvError(f"{self._client.site} refuses us: {answer['error'].get('info')}")
        if params.items() >= PAGE.items():
            answer = only_page(answer)
        elif "parse" in answer:
            answer = past.read(answer)
        return {**answer, "time": datetime.now(UTC).isoformat(timespec="seconds")}


def day_of(day: str | date) -> date:
    """A day in the past, whose pages no longer change."""
    wanted = f"as_of={str(day)!r} is not a day in the past, such as as_of='2022-10-01'."
    try:
        found = date.fromisoformat(str(day))
    except ValueError:
        raise ValueError(wanted) from None
    if found >= datetime.now(UTC).date():
        raise ValueError(wanted)
    return found


def tidy(text: str) -> str:
    """White space and underscores folded, as MediaWiki does with a title."""
    return " ".join(whole(text).replace("_", " ").split())


def possible(title: str) -> bool:
    """Whether there could be such a page. (`C#` would find C.)"""
    return 0 < len(title.encode()) <= 255 and not re.search(r"[<>\[\]{}|\x00-\x1f\x7f]|#$", title)


def only_page(answer: JSON) -> JSON:
    """One page. The package fails on none (a foreign title, a ring of redirects) and on two."""
    pages = answer.get("query", {}).get("pages", {})
    if len(pages) != 1 or "-1" in pages:
        return {"query": {"pages": {"-1": {"missing": ""}}}}
    (page,) = pages.values()
    if lacking := PARTS - page.keys():
        needs = "it needs the extension TextExtracts" if "extract" in lacking else "look at api_url"
        raise EnvError(f"This wiki gives no plain text of a page: {needs}.")
    return {"query": {"pages": pages}}  # no "redirects": the package would ask again for each
