"""The way to a wiki's API: who we are, how many at once, how long we wait, what is an answer."""

from __future__ import annotations

import functools
import os
import random
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple, Protocol
from urllib.parse import urlsplit

from ..address import is_local
from ..records import parsed
from ..types import EnvError
from .answers import JSON, sound

if TYPE_CHECKING:
    from requests import Session

__all__ = ["GATE", "OFFLINE", "Client", "Gate", "Manners"]

LARGEST = 16_000_000  # bytes of one answer
OFFLINE = "or work offline with the bundled pages."
BUSY_STATUS = (429, 500, 502, 503, 504)
BUSY_CODES = ("maxlag", "ratelimited", "readonly", "internal_api_error_DB", "cirrussearch-too-busy")


class Manners(Protocol):
    """Who asks, how long it waits, and how much at once."""

    contact: str
    timeout: tuple[float, float]
    deadline: float
    attempts: int
    max_wait: float
    concurrent: int
    interval: float


class Gate:
    """How many requests are under way, and when the next may begin. All threads share one, whatever
    wiki or language they read: Wikimedia counts all that comes from one place together.
    """

    def __init__(self) -> None:
        self.changed, self.under_way, self.next = threading.Condition(), 0, 0.0

    @contextmanager
    def slot(self, most: int) -> Iterator[None]:
        """Wait until fewer than `most` are under way."""
        with self.changed:
            self.changed.wait_for(lambda: self.under_way < most)
            self.under_way += 1
        try:
            yield
        finally:
            with self.changed:
                self.under_way -= 1
                self.changed.notify_all()

    def turn(self, now: float, interval: float) -> float:
        """Take the next turn to begin; how many seconds it is from now."""
        with self.changed:
            begin = max(now, self.next)
            self.next = begin + interval
        return begin - now


GATE = Gate()
if hasattr(os, "register_at_fork"):  # the requests under way are the parent's
    os.register_at_fork(after_in_child=GATE.__init__)  # type: ignore[misc]


class Client:
    """Asks one wiki."""

    def __init__(self, url: str, manners: Manners):
        self.url, self.manners = url, manners
        site = url.partition("://")[2].rpartition("@")[2]
        self.site = site.removesuffix("/api.php").removesuffix("/w")

    @functools.cached_property
    def session(self) -> Session:
        import requests

        session = requests.Session()
        session.trust_env = not is_local(self.url)  # no proxy of the web for a wiki on this machine
        who = f"react-lab ({self.manners.contact}) python-wikipedia/1.4.0"
        session.headers["User-Agent"] = who
        return session

    def ask(self, params: JSON) -> JSON:
        """The API's answer, asked again while a fault may pass. Who waits keeps its slot."""
        left, attempt = self.manners.max_wait, 1
        with GATE.slot(max(1, self.manners.concurrent)):
            while isinstance(answer := self.once(params), Busy):
                wait = max(answer.after, random.uniform(0.1, 0.4) * 2**attempt)
                if attempt >= self.manners.attempts or wait > left:
                    raise EnvError(answer.sentence)
                time.sleep(wait)
                left, attempt = left - wait, attempt + 1
        return answer

    def once(self, params: JSON) -> JSON | Busy:
        """One request. A fault is not quoted: its text may hold a proxy's password."""
        import requests

        time.sleep(GATE.turn(time.monotonic(), self.manners.interval))
        reply: Future[Got] = Future()  # only a thread can be left behind by a deadline, or a stop
        threading.Thread(target=self.fetch, args=(params, reply), daemon=True).start()
        wait([reply], self.manners.deadline)
        if reply.cancel():
            slow = f"did not answer in {self.manners.deadline:g} seconds"
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
        """No redirect is followed: an API has one address. Nobody waits for a cancelled reply."""
        params, data = {"action": "query", "format": "json", **params}, bytearray()
        with suppress(InvalidStateError):
            try:
                with self.session.get(
                    self.url, params=params, timeout=self.manners.timeout, stream=True,
                    allow_redirects=False,
                ) as found:  # fmt: skip
                    for piece in found.iter_content(65536):
                        data += piece
                        if reply.cancelled():
                            return
                        if len(data) > LARGEST:
                            much = f"sends more than {LARGEST / 1e6:g} MB for one answer"
                            raise EnvError(f"{self.site} {much}: ask for another page, {OFFLINE}")
                got = Got(found.status_code, found.headers, bytes(data))
            except Exception as fault:  # noqa: BLE001 (for whoever waits)
                return reply.set_exception(fault)
            reply.set_result(got)

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
        answer: JSON = {}
        with suppress(ValueError):  # a web page, brackets a million deep
            answer = parsed(reply.data.decode("utf-8-sig", "replace"))
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
