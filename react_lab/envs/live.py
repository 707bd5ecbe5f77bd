"""Live Wikipedia as a source of pages: the `wikipedia` package, made polite and made to fail well.

The package (1.4.0, unchanged since 2014) asks everything through one function, `_wiki_request`,
which knows no timeout, no second try and no HTTP status, and keeps its settings in module globals.
So each `LiveWikipedia` loads a private copy and puts its own `_request` there; the `wikipedia`
that you import yourself stays as it is. `Answers` keeps what is known, `Client` asks the network.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import random
import re
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from ..address import is_local
from ..types import EnvError
from .answers import JSON, Answers
from .meanings import Meanings

if TYPE_CHECKING:
    from requests import Session

__all__ = ["LiveWikipedia"]

LARGEST = 16_000_000  # bytes of one answer
CONTACT = r"[!-~]+@[!-~]+\.[!-~]+|https?://[!-~]+"
OFFLINE = "or work offline with the bundled pages."
BUSY_STATUS = (429, 500, 502, 503, 504)
BUSY_CODES = ("maxlag", "ratelimited", "readonly", "internal_api_error_DB", "cirrussearch-too-busy")
PAGE = {"prop": "info|pageprops|extracts", "inprop": "url", "ppprop": "disambiguation"}
PAGE |= {"explaintext": "", "redirects": ""}  # all that the package asks of a page, in one request
NEAR = {"list": "search", "srwhat": "nearmatch", "srlimit": 1, "srprop": ""}


@dataclass(eq=False)
class LiveWikipedia:
    """Pages of a live Wikipedia. A fault of the network is an `EnvError`, never an observation.

    `contact` is your e-mail address or web page: Wikipedia blocks clients that it cannot write to.
    Answers are kept in memory and, if you name one, in the file `cache`, from which a class can
    replay them: `LiveWikipedia(cache="class.jsonl", offline=True)`.
    """

    contact: str = field(default="", repr=False)
    lang: str = "en"
    api_url: str | None = None
    cache: str | Path | None = None
    timeout: tuple[float, float] = (3.05, 10)  # seconds to connect, and to wait for more bytes
    deadline: float = 60.0  # seconds until an answer has to be whole
    attempts: int = 4
    max_wait: float = 30.0  # seconds between the attempts, all together
    concurrent: int = 2  # requests at a time: Wikimedia asks for no more than three
    offline: bool = False

    def __post_init__(self) -> None:
        if not self.offline and not re.fullmatch(CONTACT, str(self.contact)):
            why = "Wikipedia blocks clients that it cannot write to"
            raise ValueError(f"contact must be your own e-mail address or web page: {why}.")
        if self.offline and not self.cache:
            raise ValueError("offline=True needs cache=, the file that an earlier session filled.")
        self._client = Client(self.api_url or f"https://{self.lang}.wikipedia.org/w/api.php", self)
        self._answers = Answers(Path(self.cache) if self.cache else None, self._client.site)
        where = f"from {Path(str(self.cache)).name}" if self.offline else "live"
        self.snapshot = f"{self._client.site}, {where}"
        self.revisions: dict[str, tuple[int, str]] = {}  # title: revision id, when it was fetched

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as settings: no connection, no module, nothing fetched."""
        return type(self), tuple(getattr(self, f.name) for f in fields(self))

    def get(self, title: str) -> str | None:
        """A page's plain text, redirects followed; None if there is none, or a list of meanings."""
        return self._find(title)[0]

    def search(self, query: str, k: int = 5) -> list[str]:
        """At most `k` titles: what a disambiguation page lists, then what a search finds."""
        found = dict.fromkeys(self._find(query)[1])
        words = tidy(query)[:300]  # Wikipedia takes no more
        if words and len(found) < k:
            found |= dict.fromkeys(clean(t) for t in self._package.search(words, results=k))
        return list(found)[:k]

    def _find(self, title: str) -> tuple[str | None, list[str]]:
        """Text, meanings. Capitals may differ, as in Wikipedia's own search box ("nearmatch")."""
        title = tidy(title)
        if not possible(title):
            return None, []
        found = self._exactly(title)
        if found is None:
            near = self._request({**NEAR, "srsearch": title}).get("query", {}).get("search")
            found = self._exactly(near[0]["title"]) if near else None
        return found or (None, [])

    def _exactly(self, title: str) -> tuple[str | None, list[str]] | None:
        try:  # auto_suggest would read Kale as Kal; .content would ask for the page again
            number = self._package.page(title, auto_suggest=False).pageid
            return clean(self._request({"titles": title})["query"]["pages"][number]["extract"]), []
        except self._package.PageError:
            return None
        except self._package.DisambiguationError as several:
            return None, [clean(option) for option in several.options if option]

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
        key = json.dumps(params, sort_keys=True)
        answer = self._answers.get(key, lambda: self._fetch(params))
        for page in answer.get("query", {}).get("pages", {}).values():
            if "lastrevid" in page:
                self.revisions[page["title"]] = (page["lastrevid"], answer["time"])
        return answer

    def _fetch(self, params: JSON) -> JSON:
        if self.offline:
            what = params.get("titles") or params.get("srsearch")
            raise EnvError(f"{self.cache} does not hold {what!r}: fetch it online once, {OFFLINE}")
        answer = self._client.ask(params)
        if "error" in answer and "srwhat" not in params:  # nearmatch fails on `wikipedia:Plato`
            raise EnvError(f"{self._client.site} refuses us: {answer['error'].get('info')}")
        if params.items() >= PAGE.items():
            answer = only_page(answer)
        return {**answer, "time": datetime.now(UTC).isoformat(timespec="seconds")}


def tidy(text: str) -> str:
    """White space and underscores folded, as MediaWiki does with a title."""
    return " ".join(clean(text).replace("_", " ").split())


def clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()  # no file can hold half a surrogate pair


def possible(title: str) -> bool:
    """Whether there could be such a page. (`C#` would find C.)"""
    return 0 < len(title.encode()) <= 255 and not re.search(r"[<>\[\]{}|\x00-\x1f\x7f]|#$", title)


def only_page(answer: JSON) -> JSON:
    """One page. The package fails on none (a foreign title, a ring of redirects) and on two."""
    pages = answer.get("query", {}).get("pages", {})
    if len(pages) != 1 or "-1" in pages:
        return {"query": {"pages": {"-1": {"missing": ""}}}}
    if not all("extract" in page for page in pages.values()):
        raise EnvError("This wiki gives no plain text: it needs the extension TextExtracts.")
    return {"query": {"pages": pages}}  # no "redirects": the package would ask again for each


class Client:
    """The way to a wiki's API: who we are, how many at once, how long we wait."""

    def __init__(self, url: str, settings: LiveWikipedia):
        self.url, self.settings = url, settings
        site = url.partition("://")[2].rpartition("@")[2]
        self.site = site.removesuffix("/api.php").removesuffix("/w")
        self.slots = threading.Semaphore(max(1, settings.concurrent))

    @functools.cached_property
    def session(self) -> Session:
        import requests

        session = requests.Session()
        session.trust_env = not is_local(self.url)  # no proxy of the web for a wiki on this machine
        who = f"react-lab ({self.settings.contact}) python-wikipedia/1.4.0"
        session.headers["User-Agent"] = who
        return session

    def ask(self, params: JSON) -> JSON:
        """The API's answer, asked again while a fault may pass. Who waits keeps its slot."""
        left, attempt = self.settings.max_wait, 1
        with self.slots:
            while isinstance(answer := self.once(params), Busy):
                wait = max(answer.after, random.uniform(0.1, 0.4) * 2**attempt)
                if attempt >= self.settings.attempts or wait > left:
                    raise EnvError(answer.sentence)
                time.sleep(wait)
                left, attempt = left - wait, attempt + 1
        return answer

    def once(self, params: JSON) -> JSON | Busy:
        """One request. A fault is not quoted: its text may hold a proxy's password."""
        import requests

        reply: Future[Got] = Future()  # only a thread can be left behind by a deadline, or a stop
        threading.Thread(target=self.fetch, args=(params, reply), daemon=True).start()
        wait([reply], self.settings.deadline)
        if not reply.done():
            slow = f"did not answer in {self.settings.deadline:g} seconds"
            raise EnvError(f"{self.site} {slow}: try again, raise deadline=, {OFFLINE}")
        match fault := reply.exception():
            case None:
                return self.read(reply.result())
            case requests.RequestException():
                what = f"{self.site} cannot be reached ({type(fault).__name__})"
                return Busy(
                    f"{what}: check the network and whether it wants you to sign in, {OFFLINE}"
                )
        raise fault

    def fetch(self, params: JSON, reply: Future[Got]) -> None:
        """No redirect is followed: an API has one address."""
        params, data = {"action": "query", "format": "json", **params}, bytearray()
        try:
            with self.session.get(
                self.url, params=params, timeout=self.settings.timeout, stream=True,
                allow_redirects=False,
            ) as found:  # fmt: skip
                for piece in found.iter_content(65536):
                    data += piece
                    if len(data) > LARGEST:
                        much = f"sends more than {LARGEST / 1e6:g} MB for one answer"
                        raise EnvError(f"{self.site} {much}: ask for another page, {OFFLINE}")
                reply.set_result(Got(found.status_code, found.headers, bytes(data)))
        except Exception as fault:  # noqa: BLE001 (for whoever waits)
            reply.set_exception(fault)

    def read(self, reply: Got) -> JSON | Busy:
        """First the status, then whether it is the API that answers, then the API's own errors."""
        status, after = reply.status, reply.headers.get("Retry-After", "")
        seconds = float(after) if after.isdecimal() else 0.0
        if 300 <= status < 400:
            to = urlsplit(reply.headers.get("Location", "")).netloc[:100]
            where = f"{self.site} sends us elsewhere ({to!r}, HTTP {status})"
            raise EnvError(
                f"{where}: check lang and api_url, and whether you have to sign in, {OFFLINE}"
            )
        if status in BUSY_STATUS:
            return self.busy(f"HTTP {status}", seconds)
        if status >= 400:
            hint = "set contact to your own address" if status == 403 else "check lang and api_url"
            raise EnvError(f"{self.site} refuses us (HTTP {status}): {hint}, {OFFLINE}")
        match answer := parsed(reply.data.decode("utf-8-sig", "replace")):
            case {"error": {"code": str(code)}} if code.startswith(BUSY_CODES):
                return self.busy(code, seconds)
            case {"error": {"code": _}} | {"query": {}} | {"batchcomplete": _}:
                return answer
        hint = "open a web page in a browser to sign in to this network"
        raise EnvError(f"Something else answers in place of {self.site}: {hint}, {OFFLINE}")

    def busy(self, code: str, after: float) -> Busy:
        why = "gets too many requests" if code in ("HTTP 429", "ratelimited") else "is busy"
        asks = f", asks for {after:.0f} seconds" if after else ""
        return Busy(f"{self.site} {why} ({code}{asks}): wait some minutes, {OFFLINE}", after)


class Got(NamedTuple):
    """What came."""

    status: int
    headers: Mapping[str, str]
    data: bytes


class Busy(NamedTuple):
    """A fault that may pass: what to say when we have waited enough, how long we are asked to."""

    sentence: str
    after: float = 0.0


def parsed(text: str) -> JSON:
    """A JSON object; an empty one for anything else: a web page, brackets a million deep."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
