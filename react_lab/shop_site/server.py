"""The server: what a request may be, and how long and how large. On loopback alone.

A web page elsewhere that names this machine (DNS rebinding), or sends a form here, is refused: the
Host of a request must be a loopback name, its Origin this site.
"""

from __future__ import annotations

import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any, BinaryIO
from urllib.parse import parse_qsl

from .players import Players
from .routes import Answer, Request, Routes, trouble

__all__ = ["Site", "open_site"]

AT_ONCE = 200  # connections
SECONDS = 10.0  # for a client to send a request, and to take its answer
HEAD, BODY = 16_384, 8_192  # bytes that a request may have
LONGEST_PATH = 1_000
DRAINED = 1 << 20  # bytes of a refused request that are still taken, so that its answer arrives
LOCAL = ("127.0.0.1", "localhost", "[::1]")
FORM = "application/x-www-form-urlencoded"
SAFE = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
WORDS = {  # what http.server finds wrong with a request
    400: "This request cannot be read.",
    405: "This address does not take such requests.",
    414: "This address is too long.",
    431: "The head of this request is too long.",
}


class Refused(Exception):
    """A request that is answered, and not done."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.answer = trouble(status, words)


class Bounded:
    """The first bytes of a connection: nothing is read beyond them."""

    def __init__(self, file: BinaryIO, left: int) -> None:
        self.file, self.left = file, left

    def readline(self, size: int = -1) -> bytes:
        return self.counted(self.file.readline(self.most(size)))

    def read(self, size: int = -1) -> bytes:
        return self.counted(self.file.read(self.most(size)))

    def most(self, size: int) -> int:
        return self.left if size < 0 else min(size, self.left)

    def counted(self, piece: bytes) -> bytes:
        self.left -= len(piece)
        return piece

    def close(self) -> None:
        self.file.close()


class Site(ThreadingHTTPServer):
    """The shop's site at `url`; it serves until `shutdown`."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, players: Players, port: int = 0, seconds: float = SECONDS) -> None:
        if not 0 <= port < 65_536:
            raise ValueError(f"port {port}: it is 1 to 65535, or 0 for any that is free")
        super().__init__(("127.0.0.1", port), Handler)
        port = self.server_address[1]
        self.url, self.seconds = f"http://127.0.0.1:{port}/", seconds
        self.routes = Routes(players, f"react_lab_shop_{port}")
        self.places = threading.BoundedSemaphore(AT_ONCE)
        self.since: dict[socket.socket, float] = {}  # when each open connection began

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # http.server would ask the network for this machine's name

    def process_request(self, request: Any, client_address: Any) -> None:
        """In a thread of its own, if there is a place."""
        if not self.places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        self.since[request] = time.monotonic()
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.since.pop(request, None)
            self.places.release()

    def service_actions(self) -> None:
        """Between requests: hang up on those who take too long."""
        for request, began in list(self.since.items()):
            if time.monotonic() - began > self.seconds:
                hang_up(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away, or was hung up on, is no error."""
        if not isinstance(sys.exception(), OSError | ValueError):
            super().handle_error(request, client_address)


def hang_up(request: socket.socket) -> None:
    with suppress(OSError):  # it is gone
        request.shutdown(socket.SHUT_RDWR)


class Handler(BaseHTTPRequestHandler):
    """One request per connection: what passes its checks goes to the routes."""

    server: Site
    server_version, sys_version = "react_lab", ""

    def setup(self) -> None:
        super().setup()
        self.rfile: Any = Bounded(self.rfile, HEAD + BODY)

    def do_GET(self) -> None:
        self.reply()

    def do_HEAD(self) -> None:
        self.reply()

    def do_POST(self) -> None:
        self.reply()

    def reply(self) -> None:
        try:
            request = self.request_read()
            self.server.since.pop(self.connection, None)  # from here on it is we who are slow
            answer = self.server.routes.answer(request)
        except Refused as refused:
            answer = refused.answer
        self.send(answer)

    def send(self, answer: Answer) -> None:
        body = answer.body.encode("utf-8", "replace")
        self.request_version = self.protocol_version  # else one without a version gets no head
        self.server.since[self.connection] = time.monotonic()
        self.send_response(answer.status)
        length = {"Content-Type": answer.kind, "Content-Length": str(len(body))}
        for name, value in {**length, **SAFE, **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        if answer.status >= 400:
            self.drain()

    def drain(self) -> None:
        """Take what a refused client still sends: hung up on at once, it would not read why."""
        hang_up_half(self.connection)
        left = DRAINED
        while left > 0 and (piece := self.rfile.file.read1(min(left, 65_536))):
            left -= len(piece)

    def send_error(self, code: int, message: Any = None, explain: Any = None) -> None:
        """What http.server refuses gets our page; a method that it does not know is a 405."""
        code = {501: 405, 505: 400}.get(code, code)
        allow = {"Allow": "GET, HEAD, POST"} if code == 405 else {}
        refused = trouble(code, WORDS.get(code, WORDS[400]))
        self.command = getattr(self, "command", None) or "GET"
        self.close_connection = True
        self.send(Answer(refused.status, refused.body, headers=allow))

    def log_message(self, format: str, *args: Any) -> None:
        pass

    # ------------------------------------------------------------------ checks

    def request_read(self) -> Request:
        """The request, or a refusal."""
        self.check_head()
        path, _, query = self.path.partition("?")
        form = self.form_read() if self.command == "POST" else {}
        note = query if query.isalpha() else ""
        return Request(self.command, path, note, self.cookie(), form)

    def check_head(self) -> None:
        hosts = self.headers.get_all("Host") or []
        origins = self.headers.get_all("Origin") or []
        if self.rfile.left <= BODY:
            raise Refused(431, WORDS[431])
        if len(self.path) > LONGEST_PATH:
            raise Refused(414, WORDS[414])
        if len(hosts) != 1 or not is_loopback(hosts[0]):
            raise Refused(421, "This site answers to 127.0.0.1 and localhost only.")
        if any(origin != f"http://{hosts[0]}" for origin in origins):
            raise Refused(403, "This request comes from another site.")
        site = self.headers.get("Sec-Fetch-Site", "same-origin")
        if self.command == "POST" and site not in ("same-origin", "none"):
            raise Refused(403, "This form comes from another site.")

    def form_read(self) -> dict[str, str]:
        """The fields of a form; of two with the same name, the first."""
        length = self.headers.get_all("Content-Length") or []
        if len(length) != 1 or "Transfer-Encoding" in self.headers:
            raise Refused(411, "A form says its length once.")
        if not (length[0].isascii() and length[0].isdigit()):
            raise Refused(400, "The length of this form is no number.")
        if len(length[0]) > 9 or int(length[0]) > BODY:
            raise Refused(413, "This form is too large.")
        if self.headers.get("Content-Type", "").partition(";")[0].strip().lower() != FORM:
            raise Refused(415, "This is no form.")
        body = self.rfile.read(int(length[0]))
        if len(body) < int(length[0]):
            raise Refused(400, "This form is not whole.")
        try:
            text = body.decode("ascii")
            fields = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=8)
        except ValueError:
            raise Refused(400, "This form cannot be read.") from None
        return dict(reversed(fields))

    def cookie(self) -> str:
        name = self.server.routes.cookie
        for line in self.headers.get_all("Cookie") or []:
            for part in line.split(";"):
                key, _, value = part.strip().partition("=")
                if key == name:
                    return str(value)
        return ""


def hang_up_half(connection: socket.socket) -> None:
    """Say that no more will come; what the other side still says can be read."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_WR)


def is_loopback(host: str) -> bool:
    """Whether a Host is this machine; a tunnel may give it another port."""
    name, colon, port = host.rpartition(":") if host[-1:] != "]" else (host, "", "")
    if not colon:
        name, port = host, "80"
    return name.lower() in LOCAL and port.isascii() and port.isdigit() and len(port) <= 5


@contextmanager
def open_site(players: Players, port: int = 0) -> Iterator[Site]:
    """Serve behind the caller's back; at the end all players leave, and their runs are kept."""
    with Site(players, port) as site:
        thread = threading.Thread(target=site.serve_forever, args=(0.05,), name="shop", daemon=True)
        thread.start()
        try:
            yield site
        finally:
            site.shutdown()
            thread.join()
            players.close()
