"""One request to a server and its answer, over `wire`: whole, or a stream of events."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin, urlsplit

import msgspec

from .faults import fault_of
from .limits import Failed
from .wire import Transport, httpx

__all__ = ["Failed", "client_of", "events_in", "events_of", "posted"]

MOVES = 5  # redirects that are followed, all on the same server
MOMENT = 0.1  # seconds
LINE_END = re.compile(rb"\r\n?|\n")


def client_of(url: str, silence: float, seconds: float, direct: bool) -> httpx.Client:
    """A client that asks one server. direct: by no proxy."""
    return httpx.Client(transport=Transport(url, silence, seconds, direct), trust_env=False)


@contextmanager
def posted(http: httpx.Client, url: str, body: Mapping[str, Any]) -> Iterator[httpx.Response]:
    """The answer to one request, its body yet to come. Followed where the server moved it."""
    content = msgspec.json.encode(body)
    for _ in range(MOVES + 1):
        # not by the SDK: its models of what comes back are neither strict nor quick
        request = http.build_request("POST", url, content=content)
        with closing(http.send(request, stream=True)) as response:
            if response.is_success:
                yield response
                return
            fault = fault_of(response.status_code, response.headers, response.read())
        to = urljoin(url, response.headers.get("location", ""))
        if not 300 <= response.status_code < 400:
            raise Failed(fault)
        if response.status_code not in (307, 308) or origin_of(to) != origin_of(url):
            break
        url = to
    raise Failed(replace(fault, message=f"a redirect to {to.partition('?')[0][:200]!r}", wait=None))


def events_of(response: httpx.Response) -> Iterator[bytes]:
    """What a stream says; what is left comes at once or not at all, so the connection is kept."""
    pieces = response.iter_bytes()
    yield from events_in(pieces)
    response.extensions["limits"].hurry(MOMENT)
    with suppress(Failed):
        for _ in pieces:
            pass


def events_in(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """What a stream of server-sent events says, up to its [DONE]."""
    data: list[bytes] = []
    for i, text in enumerate(lines_in(pieces)):
        line = text if i else text.removeprefix(codecs.BOM_UTF8)
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            whole, data = b"\n".join(data), []
            if whole.startswith(b"[DONE]"):
                return
            if whole.strip():  # else it only keeps the connection alive
                yield whole


def lines_in(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Lines end in \\r\\n, \\n or \\r."""
    begun: list[bytes] = []
    half = False  # the last piece ended in \r: a \n that follows belongs to it
    for piece in pieces:
        first, *others = LINE_END.split(piece.removeprefix(b"\n") if half else piece)
        half = piece.endswith(b"\r")
        begun.append(first)
        for line in others:
            yield b"".join(begun)
            begun = [line]


def origin_of(url: str) -> tuple[str, str, int]:
    """What a redirect may not leave."""
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    return parts.scheme, (parts.hostname or "").rstrip("."), port
