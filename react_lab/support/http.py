"""One HTTP request that ends: bounded in time and in bytes. Models, wikis and files come by it.

By httpcore, which the `openai` package brings: what it is given as a timeout it hands on as it is,
so `Limits` is asked before every single wait, and counts every byte that comes.
"""

from __future__ import annotations

import base64
import ipaddress
import re
import ssl
import time
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

if TYPE_CHECKING:
    import httpcore
    import httpx
else:
    try:
        import httpcore2 as httpcore  # as newer versions of `openai` call it
        import httpx2 as httpx
    except ImportError:
        import httpcore
        import httpx

HEAD = 1_000_000  # bytes of an answer's head, with all news that goes before it
LARGEST = 16_000_000  # bytes of one answer, with its headers, and again unpacked
CONNECT = 10.0  # seconds to connect
IDLE = 5.0  # seconds after which a connection is not used again: it may have been forgotten
PIECE = 65536
PRINTED = "".join(map(chr, range(33, 127)))  # what an address keeps as it is
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
NO_PROXY = (
    "cannot be reached: this machine names a proxy whose address does not begin with http://, the "
    "only kind that can be used: change HTTPS_PROXY or HTTP_PROXY, or name the server in NO_PROXY"
)
TROUBLE = (
    OSError, ValueError, httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
)  # fmt: skip
# may pass; came too slowly; was too large; damaged; cannot work, and the reason is a whole sentence
Kind = Literal["lost", "late", "large", "damaged", "hopeless"]


class Failed(Exception):
    """A request that failed before its answer was whole."""

    def __init__(self, why: str, kind: Kind = "lost") -> None:
        super().__init__(why)
        self.kind = kind


class Limits:
    """How long one request may still wait, and how much it may still read."""

    news: Callable[[bytes], object] | None = None

    def __init__(self, silence: float, seconds: float, connect: float = CONNECT) -> None:
        self.silence, self.seconds, self.connect = silence, seconds, connect
        self.end = time.monotonic() + seconds
        self.may_have(HEAD)

    def may_have(self, most: int) -> None:
        self.most = self.left = most

    def wait(self, most: float = 10**9) -> float:
        """Seconds that the next wait may last."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise Failed(f"it was not whole after {self.seconds:g} s", "late")
        return min(left, self.silence, most)

    def count(self, data: bytes) -> bytes:
        self.left -= len(data)
        if self.left < 0:
            raise Failed(f"more than {self.most / 1e6:g} MB", "large")
        return data

    def hurry(self, seconds: float) -> None:
        """Wait no longer than this from now on."""
        self.end = min(self.end, time.monotonic() + seconds)


class Stream(httpcore.NetworkStream):
    """A connection on which every wait is within the limits of its request."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.get_extra_info, self.close = stream.get_extra_info, stream.close  # type: ignore[method-assign]

    def read(self, most: int, timeout: Any = None) -> bytes:
        try:
            data: bytes = timeout.count(self.stream.read(most, timeout.wait()))
        except httpcore.ReadTimeout:
            timeout.wait()  # was it the silence, or the end?
            raise
        if timeout.news and data.startswith(b"HTTP/1.1 100"):
            timeout.news(data)
        return data

    def write(self, data: bytes, timeout: Any = None) -> None:
        for start in range(0, len(data), PIECE):
            self.stream.write(data[start : start + PIECE], timeout.wait())

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: Any = None
    ) -> Stream:
        wait = timeout.wait(timeout.connect)
        return Stream(self.stream.start_tls(ssl_context, server_hostname, wait))


class Network(httpcore.SyncBackend):
    def connect_tcp(
        self, host: str, port: int, timeout: Any = None, local_address: str | None = None,
        socket_options: Any = None,
    ) -> Stream:  # fmt: skip
        return Stream(super().connect_tcp(host, port, timeout.wait(timeout.connect)))


class Answer:
    """An answer whose head has come, and whose body is yet to come."""

    def __init__(self, response: httpcore.Response, limits: Limits, most: int) -> None:
        limits.may_have(most)
        self.response, self.limits, self.status = response, limits, response.status
        self.headers = {k.decode().lower(): v.decode("latin-1") for k, v in response.headers}

    def pieces(self) -> Iterator[bytes]:
        """The body as it comes, unpacked where it is packed."""
        coding = self.headers.get("content-encoding", "").strip().lower()
        if coding not in PACKED and COMPRESSED.search(coding):
            raise Failed(STRANGE.format(coding[:50]), "hopeless")
        with failures():
            raw = self.response.iter_stream()
            yield from unpacked(raw, self.limits) if coding in PACKED else raw

    def read(self) -> bytes:
        return b"".join(self.pieces())


class Web:
    """Connections to one server, by the proxy that this machine names for it. Follows no redirect.

    silence: seconds of a wait; seconds: until an answer has to be whole; most: bytes that it may
    have. headers: of every request. direct: by no proxy. `news` hears of an answer yet to come.
    """

    news: Callable[[bytes], object] | None = None

    def __init__(
        self, url: str, silence: float, seconds: float = 10**9, most: int = LARGEST, *,
        headers: Mapping[str, str] | None = None, direct: bool = False, connect: float = CONNECT,
    ) -> None:  # fmt: skip
        self.limits, self.most = partial(Limits, silence, seconds, connect), most
        self.headers = {"Accept-Encoding": "identity", **(headers or {})}
        parts = urlsplit(url)
        self.tls = httpx.create_ssl_context() if parts.scheme == "https" else None
        self.proxy = None if direct else proxy_for(parts)
        at = self.proxy and f"http://{self.proxy.hostname}:{self.proxy.port or 80}"
        # it makes the connections; those at leisure are in a list, which 64 threads share faster
        self.made = httpcore.ConnectionPool(
            ssl_context=self.tls, keepalive_expiry=IDLE, network_backend=Network(),
            proxy=httpcore.Proxy(at, headers=credentials(self.proxy)) if at else None,
        )  # fmt: skip
        self.idle: list[httpcore.ConnectionInterface] = []  # adding and taking are atomic
        self.close = weakref.finalize(self, close_all, self.idle)

    @contextmanager
    def ask(self, url: str, method: str = "GET", content: bytes = b"") -> Iterator[Answer]:
        """The answer to one request, its body yet to come."""
        if self.proxy and (self.proxy.scheme != "http" or not self.proxy.hostname):
            raise Failed(NO_PROXY, "hopeless")
        limits = self.limits()
        limits.news = self.news
        with failures(perhaps_tls=not self.tls):
            url = quote(url, safe=PRINTED)  # a redirect may hold any letter
            parts = urlsplit(url)
            told = {"Host": parts.netloc.rpartition("@")[2], **self.headers}
            told |= {"Content-Length": str(len(content))} if method == "POST" else {}
            waits = dict.fromkeys(("connect", "read", "write"), limits)
            request = httpcore.Request(
                method, url, content=content, extensions={"timeout": waits},
                headers=[*told.items(), *credentials(parts, "Authorization").items()],
            )  # fmt: skip
            connection = self.taken(request) or self.made.create_connection(request.url.origin)
            try:
                response = connection.handle_request(request)
            except BaseException:  # also somebody who pressed stop
                connection.close()
                raise
        try:
            yield Answer(response, limits, self.most)
        finally:
            more = more_came(response)  # the next request would take it for its answer
            response.close()
            if connection.is_idle() and not more:
                self.idle.append(connection)
            else:
                connection.close()

    def taken(self, request: httpcore.Request) -> httpcore.ConnectionInterface | None:
        """A connection that is open and silent. What has come late belongs to nobody."""
        while self.idle:
            with suppress(IndexError):  # another thread was faster
                connection = self.idle.pop()
                ours = connection.can_handle_request(request.url.origin)
                if ours and not connection.has_expired():
                    return connection
                connection.close()
        return None


def close_all(idle: list[httpcore.ConnectionInterface]) -> None:
    while idle:
        with suppress(IndexError):
            idle.pop().close()


def more_came(response: httpcore.Response) -> bool:
    """Whether a server sent more than its answer: h11 keeps it, httpcore does not look."""
    connection: Any = response.stream
    for name in ("_connection", "_h11_state"):
        connection = getattr(connection, name, connection)
    return bool(connection.trailing_data[0])


def proxy_for(url: SplitResult) -> SplitResult | None:
    found = getproxies()
    proxy = found.get(url.scheme) or found.get("all")
    if not proxy or proxy_bypass(url.netloc):
        return None
    return urlsplit(proxy if "://" in proxy else f"http://{proxy}")


def credentials(url: SplitResult | None, name: str = "Proxy-Authorization") -> dict[Any, str]:
    """The header for the name and the password in an address."""
    if not url or url.username is None:
        return {}
    pair = f"{unquote(url.username)}:{unquote(url.password or '')}"
    return {name: f"Basic {base64.b64encode(pair.encode()).decode()}"}


@contextmanager
def failures(perhaps_tls: bool = False) -> Iterator[None]:
    """Whatever goes wrong on the way is a Failed, which says why in plain words."""
    try:
        yield
    except (httpcore.TimeoutException, TimeoutError):
        raise Failed("it took too long") from None
    except TROUBLE as error:
        raise why_failed(error, perhaps_tls) from None


def why_failed(error: Exception, perhaps_tls: bool) -> Failed:
    cause = error.__cause__ or error.__context__ or error
    if isinstance(cause, ssl.SSLCertVerificationError):
        what = CERTIFICATE.get(cause.verify_code, UNKNOWN)
        return Failed(f"cannot be trusted: its certificate {what}", "hopeless")
    if isinstance(cause, ssl.SSLError) and cause.reason in NO_TLS:
        what = "does not speak TLS: base_url has to begin with http://, or name another port"
        return Failed(what, "hopeless")
    message = str(error) or type(cause).__name__
    if message == "Receive buffer too long":
        return Failed("headers without an end", "large")
    if perhaps_tls and (
        isinstance(cause, ConnectionResetError) or isinstance(error, httpcore.RemoteProtocolError)
    ):
        message = f"{message[:200]}; perhaps base_url has to begin with https://"
    return Failed(message)


# ------------------------------------------------------------------ packed

PACKED = {"gzip", "x-gzip", "deflate"}
COMPRESSED = re.compile("gzip|deflate|compress|br|zstd")
STRANGE = (
    "answered in the coding {!r}, which was not asked for and is not read here: look into the "
    "settings of the gateway that compresses; to ask again would cost again"
)
GZIP_OR_ZLIB = 47  # as zlib calls it


def unpacked(pieces: Iterable[bytes], limits: Limits) -> Iterator[bytes]:
    """The pieces as they were before they were compressed; these count for the limits too."""
    inflate = zlib.decompressobj(GZIP_OR_ZLIB)
    for piece in pieces:
        left, found = piece, None
        while not inflate.eof and (found is None or left or len(found) == PIECE):
            try:
                found = inflate.decompress(left, PIECE)
            except zlib.error:
                raise Failed("a damaged compressed answer", "damaged") from None
            left = inflate.unconsumed_tail
            if limits.count(found):
                yield found


# ------------------------------------------------------------------ addresses


def moved(url: str, location: str) -> str:
    """Where a redirect leads; "" where that is no address."""
    try:
        to = urljoin(url, location)
        _ = urlsplit(to).port  # which is looked at only here
    except ValueError:
        return ""
    return to


def is_local(url: str) -> bool:
    """Whether a server is on this machine. What is sent to it never goes through a proxy."""
    host = (urlsplit(url).hostname or "").removesuffix(".")
    with suppress(ValueError):  # a name, not a number
        number = ipaddress.ip_address(host)
        number = getattr(number, "ipv4_mapped", None) or number
        return number.is_loopback or number.is_unspecified
    return host == "localhost" or host.endswith(".localhost")
