"""The server of a class: many kernels, one model (`python -m react_lab serve`).

It stands before the bundled model's own server, which stays on loopback: it checks the class key,
calls the clients in turn, one request at a time, tells who waits how many come before, picks the
adapter by the leg that asks, and hands the answer through.
"""

from __future__ import annotations

import bisect
import contextlib
import hmac
import http.client
import itertools
import posixpath
import re
import secrets
import selectors
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from ..decoding import RULES
from ..types import ModelError
from .llama import BEFORE, OTHER_VERSION, REPLY, Local

SECONDS = 60.0  # of silence while a request comes in
TURN = 300.0  # seconds in which the model has to answer; then it is started again
# what `decoding` makes; other grammars may kill llama.cpp, or keep it busy for ever
ACTS = r'(?:"(?:\\.|[^"\\\n])*+"|words|thing|[ |])++'
GRAMMAR = re.compile(rf'root ::= " "\? \({ACTS}\) "\\n"\n{re.escape(RULES)}')
# of a tool's parameters, what llama.cpp makes a grammar of that no bound holds
UNBOUND = re.compile(rb'"(\$ref|pattern|m(?:in|ax)(?:Length|Items))":["\d]')
SLOW = "the model had no answer in {:g} seconds: ask for fewer tokens"
DIED = "the model starts again: ask again"  # perhaps over another's request; a client does ask
NEWS = 20.0  # seconds between two signs of life to who waits, which would else give up
LARGEST = 1_000_000  # bytes of a request
DRAINED = 16 * LARGEST  # bytes that are taken of one that is too large
ASKED = ("/v1/completions", "/v1/chat/completions")
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another on a blackboard


Form = TypeVar("Form", bound=msgspec.Struct)
Count = Annotated[int, msgspec.Meta(ge=1, le=4096)]  # to llama.cpp, -1 would be without end


class Refused(Exception):
    """A request that is answered with a sentence, and not done."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status, self.words = status, words


class Asked(msgspec.Struct, omit_defaults=True):
    """What of a request is read; the model has many more parts that are not for a class."""

    leg: str = ""  # which asks
    identity: str | None = None  # of the model that is asked for
    client: str | None = None  # whose turn it is; this and the two above are not for the model
    prompt: str | None = None
    messages: Annotated[list[dict[str, Any]], msgspec.Meta(max_length=1000)] | None = None
    tools: list[dict[str, Any]] | None = None
    max_tokens: Count | None = None
    temperature: float | None = None
    stop: str | list[str] | None = None
    seed: int | None = None
    n: Count | None = None
    grammar: str | None = None
    stream: bool | None = None
    stream_options: dict[str, Any] | None = None


class Text(msgspec.Struct):
    content: str
    add_special: bool


class Classroom(ThreadingHTTPServer):
    """A model for a class at `url`; it serves until `shutdown`."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, model: Local, key: str, host: str = "127.0.0.1", port: int = 0) -> None:
        if not 0 <= port < 65_536:
            raise ValueError(f"port {port}: it is 1 to 65535, or 0 for any that is free")
        if ":" in host:
            self.address_family = socket.AF_INET6
        self.model, self.key = model, key.encode()
        self.turns = Turns()
        try:
            super().__init__((host, port), Handler)
        except OSError as error:
            raise ValueError(
                f"nothing can be served at {host} port {port} ({error.strerror or error}): name "
                "an address of this machine with --host, or another --port"
            ) from None
        named = f"[{host}]" if ":" in host else host
        self.url = f"http://{named}:{self.server_address[1]}"

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # http.server would ask the network for this machine's name

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no error."""
        if not isinstance(sys.exception(), OSError | Gone):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """One request per connection."""

    server: Classroom
    server_version, sys_version = "react_lab", ""
    timeout = SECONDS

    def setup(self) -> None:
        super().setup()
        self.told, self.last = 0, time.monotonic()  # how many come before this client, and when

    def do_POST(self) -> None:
        try:
            given = self.headers.get("Authorization", "").encode("utf-8", "replace")
            body = self.body_read()
            if not hmac.compare_digest(given, b"Bearer " + self.server.key):
                raise Refused(401, "the class key is another")
            self.answer(posixpath.normpath(self.path), body)
        except Refused as refused:
            self.refuse(refused.status, refused.words)
        except ModelError as error:  # of weights that changed, of a server that cannot start
            self.refuse(500, str(error))

    def body_read(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 10):
            raise Refused(411, "a request says its length")
        if int(length) > LARGEST:
            left = min(int(length), DRAINED)  # taken: hung up on, the client would not read why
            while left > 0 and (piece := self.rfile.read1(min(left, 65_536))):
                left -= len(piece)
            raise Refused(413, f"a request has at most {LARGEST} bytes")
        return self.rfile.read(int(length))

    def answer(self, path: str, body: bytes) -> None:
        if path == "/tokenize":
            return self.hand(path, msgspec.to_builtins(request_in(body, Text)))
        if path not in ASKED:
            raise Refused(404, f"there is no {path[:100]} here")
        asked = request_in(body, Asked)
        if asked.grammar and not GRAMMAR.fullmatch(asked.grammar):
            raise Refused(400, "this is no grammar of a world's acts, as rl.decoding makes them")
        if found := UNBOUND.search(msgspec.json.encode(asked.tools)):
            raise Refused(400, f"a tool's parameters have no {found[1].decode()} here")
        model = self.server.model
        here = model.identity(asked.leg)
        if asked.identity not in (None, here):  # the client has other weights or adapters
            named = asked.leg or "no adapter"
            raise Refused(OTHER_VERSION, f"{named}: here {here}, there {asked.identity}")
        given = {"max_tokens": REPLY} | msgspec.to_builtins(asked)
        given |= {"model": model.name, **model._extra(asked.leg)}
        for ours in ("leg", "identity", "client"):
            given.pop(ours, None)
        client = asked.client or self.client_address[0]
        with self.server.turns.turn(client, self.tell):
            self.tell(0)
            self.hand(path, given)

    def tell(self, before: int) -> bool:
        """Say how many come before this client; if unchanged, now and then. Is it still there?"""
        if before != self.told or time.monotonic() - self.last >= NEWS:
            self.wfile.write(f"HTTP/1.1 100 Continue\r\n{BEFORE}: {before}\r\n\r\n".encode())
            self.told, self.last = before, time.monotonic()
        return not readable(0, self.connection)

    def hand(self, path: str, body: Mapping[str, Any]) -> None:
        """The model's answer, byte by byte; whoever goes away ends it."""
        child, begun, end = self.server.model._child(), False, time.monotonic() + TURN
        head = {"Authorization": f"Bearer {child.key}", "Content-Type": "application/json"}
        head["Connection"] = "close"
        own = http.client.HTTPConnection(urlsplit(child.address).netloc)
        with contextlib.closing(own) as model:
            try:
                model.request("POST", path, msgspec.json.encode(body), head)
            except OSError:
                raise Refused(503, DIED) from None
            while self.connection not in (ready := readable(LOOK, model.sock, self.connection)):
                if path in ASKED and time.monotonic() > end:
                    child.stop()
                    if not begun:
                        raise Refused(400, SLOW.format(TURN))
                if ready:
                    piece = b""
                    with contextlib.suppress(ConnectionError):
                        piece = model.sock.recv(65_536)
                    if not piece and begun:
                        return
                    if not piece:
                        raise Refused(503, DIED)
                    begun = True
                    self.wfile.write(piece)
                elif not begun:
                    self.tell(0)
        raise Gone

    def refuse(self, status: int, words: str) -> None:
        body = msgspec.json.encode({"error": {"message": words}})
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What http.server itself refuses: it would write a page."""
        self.refuse(code, message or explain or "this is no request")

    def log_message(self, format: str, *args: Any) -> None:
        pass


def request_in(body: bytes, form: type[Form]) -> Form:
    try:
        return msgspec.json.decode(body, type=form)
    except (ValueError, RecursionError) as error:
        raise Refused(400, f"this is no request that a model can answer ({error})") from None


def readable(seconds: float, *sockets: socket.socket) -> set[Any]:
    """Those of the sockets that have something to be read, or are at their end."""
    with selectors.DefaultSelector() as look:
        for each in sockets:
            look.register(each, selectors.EVENT_READ)
        return {key.fileobj for key, _ in look.select(seconds)}


def new_key() -> str:
    """A key that a person can type: 12 letters of 31, so one of 10 to the power of 17."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(3))


def own_address() -> str:
    """The address that this machine has in its network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that is nobody's: it only picks the way
        except OSError:
            raise ValueError(
                "this machine is in no network: join one, or name an address with --host"
            ) from None
        return str(probe.getsockname()[0])


@contextmanager
def open_classroom(
    model: Local, key: str, host: str = "127.0.0.1", port: int = 0
) -> Iterator[Classroom]:
    """Serve behind the caller's back, the model started."""
    with Classroom(model, key, host, port) as room:
        model._child()
        thread = threading.Thread(target=room.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield room
        finally:
            room.shutdown()
            thread.join()


# ------------------------------------------------------------------ turns

LOOK = 0.25  # seconds between looks at whether who waits is still there


class Gone(Exception):
    """Who waited has gone away."""


class Turns:
    """One request at a time: together they would all be done when the last is (benchmarks/pupils).

    Clients are called in rounds, one request of each, so who asks for much waits as long as who
    asks for little.
    """

    def __init__(self) -> None:
        self.taken, self.round = False, 0
        self.waiting: list[tuple[int, int, str]] = []  # its round, its number, its client
        self.numbers = itertools.count()
        self.changed = threading.Condition()

    @contextmanager
    def turn(self, client: str, stays: Callable[[int], bool]) -> Iterator[None]:
        """Wait for a turn of this client. stays: hears how many come before; is it still there?"""
        with self.changed:
            rounds = [self.round, *(round for round, _, other in self.waiting if other == client)]
            place = max(rounds) + 1, next(self.numbers), client
            bisect.insort(self.waiting, place)
            try:
                while not self.changed.wait_for(lambda: not self.before(place), LOOK):
                    if not stays(self.before(place)):
                        raise Gone
                self.taken, self.round = True, place[0]
            finally:
                self.waiting.remove(place)
                self.changed.notify_all()
        try:
            yield
        finally:
            with self.changed:
                self.taken = False
                self.changed.notify_all()

    def before(self, place: tuple[int, int, str]) -> int:
        """How many requests are answered before this one is."""
        return self.taken + self.waiting.index(place)
