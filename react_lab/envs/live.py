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
import os
import random
import re
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired, TypedDict
from urllib.parse import urlencode, urlsplit

import msgspec

from ..records import Record, parsed
from ..support.files import Format, add_line, checked, expand, lock, mend
from ..types import Edition, EnvError
from .archive import meanings_in, text_of, tidy

if TYPE_CHECKING:
    from ..support.http import Web


CONTACT = r"[!-~]+@[!-~]+\.[!-~]+|https?://[!-~]+"
ADDRESS = r"https?://([^/@]*@)?([^\s/:@[\]]+|\[[\da-f:.]+\])(:\d+)?(/|$)"
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
    api_url: str | None = field(default=None, repr=False)  # it may hold a password
    cache: str | Path | None = None
    timeout: tuple[float, float] = (3.05, 10)  # seconds to connect, and to wait for more bytes
    deadline: float = 60.0  # seconds until an answer has to be whole
    attempts: int = 4
    max_wait: float = 30.0  # seconds between the attempts, all together
    offline: bool = False
    interval: float = 0.3  # seconds from one request of all threads to the next: 200 a minute
    as_of: str | date | None = None

    def __post_init__(self) -> None:
        if not self.offline and not re.fullmatch(CONTACT, str(self.contact)):
            why = "Wikipedia blocks clients that it cannot write to"
            raise ValueError(f"contact must be your own e-mail address or web page: {why}.")
        self.cache = file = expand(self.cache) if self.cache else None
        if self.offline and not file:
            raise ValueError("offline=True needs cache=, the file that an earlier session filled.")
        if self.offline and file and not file.exists():
            raise FileNotFoundError(f"No recorded pages at {self.cache}: give cache= another path.")
        self._day = None if self.as_of is None else day_of(self.as_of)
        self._client = Client(self.api_url or f"https://{self.lang}.wikipedia.org/w/api.php", self)
        self._answers = Answers(file, self._client.site)
        parts = [self._client.site, f"as of {self._day}" if self._day else ""]
        parts += [f"from {file.name}" if self.offline and file else "" if self._day else "live"]
        self.snapshot = ", ".join(filter(None, parts))

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
            found = self._exactly(near[0]["title"]) if near and near[0]["title"] else None
        return found

    def _exactly(self, title: str) -> Found | None:
        if self._day:
            return page_at(f"{self._day}T23:59:59Z", title, self._ask)
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
        package.BeautifulSoup = soup
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
        if "error" not in answer and not holds(answer, params):
            raise EnvError(f"{self._client.site} answers without what was asked for, {OFFLINE}")
        if params.items() >= PAGE.items():
            answer = only_page(answer)
        elif "parse" in answer:
            answer = read(answer)
        return {**answer, "time": datetime.now(UTC).isoformat(timespec="seconds")}


def soup(page: str) -> SimpleNamespace:
    """BeautifulSoup, as far as the package looks at a list of meanings: `item.a.get_text()`."""
    links = (SimpleNamespace(get_text=lambda text=text: text) for text in meanings_in(page))
    items = [SimpleNamespace(a=link, get=lambda attribute, default: default) for link in links]
    return SimpleNamespace(find_all=lambda tag: items)


def day_of(day: str | date) -> date:
    """A day in the past, whose pages no longer change."""
    wanted = f"as_of={str(day)!r} is not a day in the past, such as as_of='2022-10-01'."
    with suppress(ValueError):
        if (found := date.fromisoformat(str(day))) < datetime.now(UTC).date():
            return found
    raise ValueError(wanted)


def possible(title: str) -> bool:
    """Whether there could be such a page. (`C#` would find C.)"""
    return 0 < len(title.encode()) <= 255 and not re.search(r"[<>\[\]{}|\x00-\x1f\x7f]|#$", title)


def holds(answer: JSON, params: JSON) -> bool:
    """Whether an answer has what is read of it; of what form that is, `sound` has seen."""
    if "parse" in answer:
        return "*" in answer["parse"]["text"]
    if "srsearch" in params and "srwhat" not in params:
        return "search" in answer.get("query", {})
    pages = answer.get("query", {}).get("pages", {}).values()
    first = [(page.get("revisions") or [{}])[0] for page in pages if "revisions" in page]
    wanted = {"*"} if "rvparse" in params else {"revid", "timestamp"}
    return all(wanted <= revision.keys() for revision in first)


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


# ------------------------------------------------------------------ client

OFFLINE = "or work offline with the bundled pages."
BUSY_STATUS = (429, 500, 502, 503, 504)
BUSY_CODES = ("maxlag", "ratelimited", "readonly", "internal_api_error_DB", "cirrussearch-too-busy")


class Gate:
    """Who holds the lock may ask, and when: all threads share one, whatever wiki or language they
    read, as Wikimedia counts all that comes from one place together.
    """

    def __init__(self) -> None:
        self.lock, self.next = threading.Lock(), 0.0


GATE = Gate()
if hasattr(os, "register_at_fork"):  # the request under way is the parent's
    os.register_at_fork(after_in_child=GATE.__init__)  # type: ignore[misc]


class Client:
    """Asks one wiki, as politely as the settings of its reader say."""

    def __init__(self, url: str, manners: LiveWikipedia):
        if not re.match(ADDRESS, url, re.I):
            raise ValueError("api_url is no address such as https://de.wikipedia.org/w/api.php")
        self.url, self.manners = url, manners
        site = url.partition("://")[2].rpartition("@")[2]
        self.site = site.removesuffix("/api.php").removesuffix("/w")

    @functools.cached_property
    def web(self) -> Web:
        from ..support.http import Web, is_local

        who = f"react-lab ({self.manners.contact}) python-wikipedia/1.4.0"
        connect, silence = self.manners.timeout
        return Web(
            self.url, silence, self.manners.deadline, connect=connect,
            headers={"User-Agent": who, "Accept-Encoding": "gzip"},
            direct=is_local(self.url),  # no proxy of the web for a wiki on this machine
        )  # fmt: skip

    def ask(self, params: JSON) -> JSON:
        """The API's answer, asked again while a fault may pass: nobody else asks meanwhile."""
        left, attempt = self.manners.max_wait, 1
        with GATE.lock:
            while isinstance(answer := self.once(params), Busy):
                wait = max(answer.after, random.uniform(0.1, 0.4) * 2**attempt)
                if attempt >= self.manners.attempts or wait > left:
                    raise EnvError(answer.sentence)
                time.sleep(wait)
                left, attempt = left - wait, attempt + 1
        return answer

    def once(self, params: JSON) -> JSON | Busy:
        """One request. No redirect is followed: an API has one address."""
        from ..support.http import Failed

        time.sleep(max(0.0, GATE.next - time.monotonic()))
        GATE.next = time.monotonic() + self.manners.interval
        asked = urlencode({"action": "query", "format": "json", **params})
        try:
            with self.web.ask(f"{self.url}?{asked}") as answer:
                return self.read(answer.status, answer.headers, answer.read())
        except Failed as failed:
            if failed.kind in ("late", "large"):  # it would be so again
                hint = "ask for another page, or raise deadline="
                raise self.fault(f"sends an answer that is not read ({failed})", hint) from None
            hint = "check the network and whether it wants you to sign in"
            return Busy(str(self.fault(f"cannot be reached ({failed})", hint)))

    def read(self, status: int, headers: Mapping[str, str], data: bytes) -> JSON | Busy:
        """First the status, then whether it is the API that answers, then the API's own errors."""
        after = headers.get("retry-after", "")
        seconds = float(after) if after.isdecimal() else 0.0
        if 300 <= status < 400:
            place = ""
            with suppress(ValueError):  # no address
                place = urlsplit(headers.get("location", "")).netloc[:100]
            to = f"sends us elsewhere ({place!r}, HTTP {status})"
            raise self.fault(to, "check lang and api_url, and whether you have to sign in")
        if status in BUSY_STATUS:
            return self.busy(f"HTTP {status}", seconds)
        if status >= 400:
            hint = "set contact to your own address" if status == 403 else "check lang and api_url"
            raise self.fault(f"refuses us (HTTP {status})", hint)
        answer: JSON = {}
        with suppress(ValueError):  # a web page, brackets a million deep
            answer = parsed(data.decode("utf-8-sig", "replace"))
        match answer:
            case {"error": {"code": str(code)}} if code.startswith(BUSY_CODES):
                return self.busy(code, seconds)
            case {"error": {"code": _}}:
                return answer
        if not sound(answer):
            hint = "open a web page in a browser to sign in to this network"
            raise EnvError(f"Something else answers in place of {self.site}: {hint}, {OFFLINE}")
        return answer

    def busy(self, code: str, after: float) -> Busy:
        why = "gets too many requests" if code in ("HTTP 429", "ratelimited") else "is busy"
        asks = f", asks for {after:.0f} seconds" if after else ""
        return Busy(str(self.fault(f"{why} ({code}{asks})", "wait some minutes")), after)

    def fault(self, what: str, hint: str) -> EnvError:
        return EnvError(f"{self.site} {what}: {hint}, {OFFLINE}")


class Busy(NamedTuple):
    """A fault that may pass: what to say when we have waited enough, how long we are asked to."""

    sentence: str
    after: float = 0.0


# ------------------------------------------------------------------ answers

JSON = dict[str, Any]


# What an answer looks like, as far as anybody here reads it: pages by number, or hits of a search,
# or one revision as HTML with what `past` read in it.
Revision = TypedDict("Revision", {"revid": int, "timestamp": str, "*": str}, total=False)


class Page(TypedDict, total=False):
    pageid: int
    title: str
    fullurl: str
    extract: str
    pageprops: dict[str, str]
    revisions: list[Revision]


class Hit(TypedDict):
    title: str


class Query(TypedDict, total=False):
    pages: dict[str, Page]
    search: list[Hit]


class Parsed(TypedDict):
    title: str
    text: dict[str, str]
    properties: list[dict[str, str]]
    meanings: NotRequired[list[str]]
    to: NotRequired[str]


class Answer(TypedDict, total=False):
    query: Query
    parse: Parsed
    batchcomplete: str


def sound(answer: JSON) -> bool:
    """Whether an answer has the form that the API gives it."""
    try:
        return bool(msgspec.convert(answer, Answer))
    except msgspec.ValidationError:
        return False


# ---------------------------------------------------------------------- what is kept


@dataclass(frozen=True)
class Kept:
    """An answer in a file: of which wiki, what was asked, what it said."""

    source: str
    asked: dict[str, Any]
    answer: JSON


def wrong_answer(kept: Kept) -> str:
    return "" if sound(kept.answer) or "error" in kept.answer else "it is no answer of the API"


KEPT = Record(Kept, wrong_answer)
ANSWERS = Format("answers", ("source", "asked", "answer"))


class Answers:
    """The API's answers so far. Of threads that ask the same, one goes and the others wait."""

    def __init__(self, path: Path | None, source: str):
        self.path, self.source, self.lock = path, source, threading.Lock()
        self.known: dict[str, Future[JSON]] = {}
        self.read = 0  # bytes of the file that have been looked at

    def get(self, key: str, fetch: Callable[[], JSON]) -> JSON:
        with self.lock:
            if key not in self.known:
                self.look()
            mine = key not in self.known
            answer = self.known.setdefault(key, Future())
        if mine:
            try:
                found = fetch()
                if self.path:
                    with lock(self.path):
                        mend(self.path, ANSWERS)  # a line that a crash cut short spoils no other
                        add_line(self.path, KEPT.write(Kept(self.source, json.loads(key), found)))
            except BaseException as error:  # a stop too: the others must not wait for ever
                del self.known[key]
                answer.set_exception(error)
                raise
            answer.set_result(found)
        elif isinstance(fault := answer.exception(), EnvError):
            raise EnvError(str(fault))  # each thread its own, as `rl.run` hangs the run on it
        return answer.result()

    def look(self) -> None:
        """Take in the lines that the file has got since. A damaged one is as if it were not there;
        what somebody is writing just now is looked at again.
        """
        if not self.path or not checked(self.path).exists():
            return
        with self.path.open("rb") as file:
            file.seek(self.read)
            lines = file.read()
        lines = lines[: lines.rfind(b"\n") + 1]
        self.read += len(lines)
        for line in lines.split(b"\n"):
            with suppress(ValueError):
                one = KEPT.read(line)
                if one.source == self.source:
                    found: Future[JSON] = Future()
                    found.set_result(one.answer)
                    self.known.setdefault(json.dumps(one.asked, sort_keys=True), found)


# ------------------------------------------------------------------ past

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
    shown = page["text"]["*"]
    if REDIRECT in shown:
        to = next(meanings_in(shown.partition(REDIRECT)[2]), "").partition("#")[0]
        return {"parse": {**page, "text": {}, "to": to}}
    text = "" if several(page) else text_of(shown)
    meanings = [*meanings_in(shown)] if several(page) else []
    return {"parse": {**page, "text": {"*": text}, "meanings": meanings}}


def several(page: JSON) -> bool:
    """Whether the page lists meanings of its title."""
    return any(each["name"] == "disambiguation" for each in page["properties"])
