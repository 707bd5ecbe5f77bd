"""One HTTP request that ends: bounded in time, in bytes and to one server.

A transport for the client of the `openai` package, on the standard library's `http.client`. Every
wait for the server, whatever it sends or does not send, lasts no longer than what is left.
"""

from __future__ import annotations

import base64
import codecs
import http.client
import io
import re
import select
import socket
import ssl
import sys
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, unquote, urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

import msgspec
import openai  # noqa: F401

from ..types import ModelError
from .faults import LATE, PLAIN, Fault, fault_of

if TYPE_CHECKING:
    import httpx
else:
    httpx = sys.modules.get("httpx2") or sys.modules["httpx"]  # `openai` has imported its own


IDLE = 5.0  # seconds after which a connection is not used again: it may have been forgotten
PIECE = 65536

CERTIFICATE = {  # the numbers of OpenSSL's X509_V_ERR_...
    9: "is not valid yet: check the clock of this machine",
    10: "has expired: its owner must renew it; check the clock of this machine too",
    62: "is for another name: check the host in base_url",
    64: "is for another address: check the host in base_url",
}
UNKNOWN = (
    "is signed by nobody that this machine trusts: check base_url, and if you do trust that server "
    "name the file of its certificate in the environment variable SSL_CERT_FILE"
)
NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "UNKNOWN_PROTOCOL")
TROUBLE = (OSError, http.client.HTTPException, ValueError)


class Bounded(io.RawIOBase):
    """What comes in through a socket, within limits."""

    def __init__(self, file: Any, sock: socket.socket, limits: Limits):
        self.file, self.sock, self.limits = file, sock, limits

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.sock.settimeout(self.limits.wait())
        try:
            count: int = self.file.readinto(buffer)
        except TimeoutError:
            self.limits.wait()  # was it the silence, or the end?
            raise
        self.limits.read(count)
        return count

    def close(self) -> None:
        super().close()
        self.file.close()


class Answer(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, limits: Limits, method: str | None = None):
        super().__init__(sock, method=method)
        self.limits = limits
        self.fp: Any = io.BufferedReader(Bounded(self.fp.detach(), sock, limits), PIECE)


class Body(httpx.SyncByteStream):
    """The rest of an answer, as it comes."""

    def __init__(self, transport: Transport, sock: socket.socket, answer: Answer):
        self.transport, self.answer = transport, answer
        self.sock: socket.socket | None = sock

    def __iter__(self) -> Iterator[bytes]:
        answer, failed = self.answer, None
        # `read` would wait for a whole piece of a stream, `read1` past the end of a known length
        read = answer.read1 if answer.length is None else answer.read
        pieces = iter(partial(read, PIECE), b"")
        try:
            yield from unpacked(pieces, answer.getheader("content-encoding", ""), answer.limits)
            if answer.length:
                raise http.client.IncompleteRead(b"", answer.length)
        except TROUBLE as error:
            failed = fault_in(error, self.transport.tls)
        finally:
            self.close()
        if failed:
            raise Failed(failed)

    def close(self) -> None:
        """Keep a connection on which nothing more can come, close any other."""
        sock, self.sock = self.sock, None
        if sock and self.answer.isclosed() and not self.answer.will_close:
            self.transport.idle.append((time.monotonic(), sock))
        elif sock:
            self.answer.close()
            sock.close()


class Transport(httpx.BaseTransport):
    """Connections to one server. No redirect is followed, no compressed answer asked for."""

    def __init__(self, url: str, silence: float, seconds: float, direct: bool):
        parts = urlsplit(url)
        self.silence, self.seconds = silence, seconds
        self.host = parts.netloc  # whatever a request names, it goes there
        self.proxy = None if direct else proxy_for(parts)
        self.tls = httpx.create_ssl_context() if parts.scheme == "https" else None
        self.idle: list[tuple[float, socket.socket]] = []  # adding and taking are atomic

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        limits = Limits(self.seconds, time.monotonic() + self.seconds, self.silence)
        sock = None
        try:
            sock = self.taken() or self.opened(limits)
            answer = self.exchange(sock, request, limits)
        except TROUBLE as error:
            failed = fault_in(error, self.tls)
        except BaseException:  # also somebody who pressed stop
            close(sock)
            raise
        else:
            headers = [(name.encode("latin-1"), value.encode("latin-1", "replace"))
                       for name, value in answer.getheaders()
                       if name.lower() != "content-encoding"]  # fmt: skip
            body, more = Body(self, sock, answer), {"limits": limits}
            return httpx.Response(answer.status, headers=headers, stream=body, extensions=more)
        close(sock)
        raise Failed(failed)

    def exchange(self, sock: socket.socket, request: httpx.Request, limits: Limits) -> Answer:
        """Send a request and read the head of its answer."""
        sock.settimeout(limits.wait())
        with suppress(BrokenPipeError, ConnectionResetError):  # it may answer before it has read
            sock.sendall(self.head(request) + request.read())
        answer = Answer(sock, limits)
        answer.begin()
        while answer.status < 200:  # only news of the answer to come
            answer.headers = None  # type: ignore[assignment]
            answer.begin()
        if not readable(coding := answer.getheader("content-encoding", "")):
            what = (
                f"answered in the coding {coding[:50]!r}, which was not asked for and is not read "
                "here: look into the settings of the gateway that compresses; to ask again would "
                "cost again"
            )
            raise Failed(Fault(200, PLAIN, message=what, final=True))
        return answer

    def head(self, request: httpx.Request) -> bytes:
        """Holds the key, so it is nobody's variable."""
        relayed = self.proxy and not self.tls  # then it is told the whole address
        return b"\r\n".join(
            [
                b"%s %s%s HTTP/1.1"
                % (
                    request.method.encode(),
                    f"http://{self.host}".encode() * bool(relayed),
                    request.url.raw_path,
                ),
                *(b"%s: %s" % header for header in request.headers.raw),
                *(b"%s: %s" % header for header in (credentials(self.proxy) if relayed else ())),
                b"\r\n",
            ]
        )

    def taken(self) -> socket.socket | None:
        """A connection that is open and silent. What has come late belongs to nobody."""
        while self.idle:
            try:
                since, sock = self.idle.pop()
            except IndexError:  # another thread was faster
                return None
            if time.monotonic() - since < IDLE and not has_come(sock):
                return sock
            sock.close()
        return None

    def opened(self, limits: Limits) -> socket.socket:
        """A new connection."""
        if self.proxy and (self.proxy.scheme != "http" or not self.proxy.hostname):
            raise ModelError(
                "this machine names a proxy whose address does not begin with http://, the only "
                "kind that can be used: change HTTPS_PROXY or HTTP_PROXY, or name the server in "
                "NO_PROXY"
            )
        parts, timeout = urlsplit(f"//{self.host}"), min(10.0, limits.wait())
        host, port = parts.hostname or "", parts.port
        near = (self.proxy.hostname or "", self.proxy.port or 80) if self.proxy else (host, port)
        connection: Any
        if self.tls:
            connection = http.client.HTTPSConnection(*near, timeout=timeout, context=self.tls)
            if self.proxy:
                named = {k.decode(): v.decode() for k, v in credentials(self.proxy)}
                connection.set_tunnel(host, port or 443, named)
                connection.response_class = partial(Answer, limits=limits)
        else:
            connection = http.client.HTTPConnection(*near, timeout=timeout)
        try:
            connection.connect()
        except BaseException:
            connection.close()
            raise
        sock: socket.socket = connection.sock
        return sock

    def close(self) -> None:
        while self.idle:
            with suppress(IndexError):
                self.idle.pop()[1].close()


def close(sock: socket.socket | None) -> None:
    if sock:
        sock.close()


def has_come(sock: socket.socket) -> bool:
    """Whether there is something to read, if only the end."""
    if not hasattr(select, "poll"):  # Windows
        return bool(select.select([sock], [], [], 0)[0])
    poll = select.poll()  # `select` knows no number above 1023
    poll.register(sock, select.POLLIN)
    return bool(poll.poll(0))


def proxy_for(url: SplitResult) -> SplitResult | None:
    """The proxy that this machine uses for the web."""
    found = getproxies()
    proxy = found.get(url.scheme) or found.get("all")
    if not proxy or proxy_bypass(url.netloc):
        return None
    return urlsplit(proxy if "://" in proxy else f"http://{proxy}")


def credentials(proxy: SplitResult | None) -> list[tuple[bytes, bytes]]:
    if not proxy or proxy.username is None:
        return []
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return [(b"Proxy-Authorization", b"Basic " + base64.b64encode(pair.encode()))]


def fault_in(error: Exception, tls: ssl.SSLContext | None) -> Fault:
    """What went wrong, as plain data."""
    if isinstance(error, ssl.SSLCertVerificationError):
        what = CERTIFICATE.get(error.verify_code, UNKNOWN)
        return Fault(kind=PLAIN, message=f"cannot be trusted: its certificate {what}", final=True)
    if isinstance(error, ssl.SSLError) and error.reason in NO_TLS:
        what = "does not speak TLS: base_url has to begin with http://, or name another port"
        return Fault(kind=PLAIN, message=what, final=True)
    if isinstance(error, TimeoutError):
        return Fault(message="it took too long")
    message = str(error) or type(error).__name__
    if not tls and isinstance(error, ConnectionResetError | http.client.BadStatusLine):
        message = f"{message[:200]}; perhaps base_url has to begin with https://"
    return Fault(message=message)


# ------------------------------------------------------------------ packed

PACKED = {"gzip", "x-gzip", "deflate"}
COMPRESSED = re.compile("gzip|deflate|compress|br|zstd", re.I)

ANY, BARE = 47, -15  # zlib's names: a head of gzip or zlib, or none


def readable(coding: str) -> bool:
    return coding.strip().lower() in PACKED or not COMPRESSED.search(coding)


def unpacked(pieces: Iterable[bytes], coding: str, limits: Limits) -> Iterator[bytes]:
    """The pieces as they were before they were compressed; these count for the limits too."""
    if coding.strip().lower() not in PACKED:
        yield from pieces
        return
    inflate = None
    for piece in pieces:
        # some servers leave out the head that `deflate` has
        inflate = inflate or zlib.decompressobj(ANY if has_head(piece) else BARE)
        left, found = piece, None
        while not inflate.eof and (found is None or left or len(found) == PIECE):
            try:
                found = inflate.decompress(left, PIECE)
            except zlib.error:
                raise Failed(Fault(200, message="a damaged compressed answer")) from None
            left = inflate.unconsumed_tail
            limits.read(len(found))
            if found:
                yield found


def has_head(data: bytes) -> bool:
    return data[:1] == b"\x1f" or data[0] & 15 == zlib.DEFLATED


# ------------------------------------------------------------------ limits

LARGEST = 16_000_000  # bytes of one answer, with its headers, and again unpacked


class Failed(Exception):
    """A request that failed before its answer was whole."""

    def __init__(self, fault: Fault):
        super().__init__(fault.message)
        self.fault = fault


@dataclass
class Limits:
    """How long one request may still wait, and how much it may still read."""

    seconds: float
    end: float
    silence: float
    left: int = LARGEST

    def wait(self) -> float:
        """Seconds that the next wait may last."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise Failed(
                Fault(kind=LATE, message=f"it was not whole after {self.seconds:g} s", final=True)
            )
        return min(left, self.silence)

    def read(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            much = f"more than {LARGEST / 1e6:g} MB, where a reply has some kB"
            raise Failed(Fault(200, message=much))

    def hurry(self, seconds: float) -> None:
        """Wait no longer than this from now on."""
        self.end = min(self.end, time.monotonic() + seconds)


# ------------------------------------------------------------------ exchange

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
        to = moved(url, response.headers.get("location", ""))
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


def moved(url: str, location: str) -> str:
    """Where a redirect leads; "" where that is no address."""
    try:
        to = urljoin(url, location)
        origin_of(to)
    except ValueError:
        return ""
    return to


def origin_of(url: str) -> tuple[str, str, int]:
    """What a redirect may not leave."""
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    return parts.scheme, (parts.hostname or "").rstrip("."), port
