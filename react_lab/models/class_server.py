"""The server of a class: many kernels, one model (`python -m react_lab serve`).

It stands before the bundled model's own server, which stays on loopback: it checks the class key,
calls the clients in turn, picks the adapter by the leg that asks, and hands the answer through.
"""

from __future__ import annotations

import hmac
import http.client
import json
import posixpath
import secrets
import selectors
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any
from urllib.parse import urlsplit

import msgspec

from ..types import ModelError
from .answers import tokens_in
from .llama import OTHER_VERSION, Child, Local
from .serve import CONTEXT, SLOTS

AT_ONCE = 300  # connections
SECONDS = 60.0  # of silence while a request comes in
NEWS = 20.0  # seconds between two signs of life to who waits, which would else give up
LARGEST = 1_000_000  # bytes of a request
DRAINED = 16 * LARGEST  # bytes that are taken of one that is too large
ASKED = ("/v1/completions", "/v1/chat/completions")
PARTS = {  # of a request that reach the model; it has many more that are not for a class
    "prompt", "messages", "tools", "max_tokens", "temperature", "stop", "seed", "n", "grammar",
    "stream", "stream_options",
}  # fmt: skip
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another on a blackboard


class Refused(Exception):
    """A request that is answered with a sentence, and not done."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status, self.words = status, words


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
        self.turns = Turns(SLOTS, CONTEXT)
        self.places = threading.BoundedSemaphore(AT_ONCE)
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

    def process_request(self, request: Any, client_address: Any) -> None:
        """In a thread of its own, if there is a place."""
        if self.places.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.places.release()

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
        self.last = time.monotonic()  # when the client heard of us

    def do_POST(self) -> None:
        try:
            body = self.body_read()
            self.check_key()
            self.answer(posixpath.normpath(self.path), request_in(body))
        except Refused as refused:
            self.refuse(refused.status, refused.words)
        except ModelError as error:  # of weights that changed, of a server that cannot start
            self.refuse(500, str(error))
        except http.client.HTTPException:
            self.refuse(503, "the model starts again: ask again")

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

    def check_key(self) -> None:
        given = self.headers.get("Authorization", "").encode("utf-8", "replace")
        if not hmac.compare_digest(given, b"Bearer " + self.server.key):
            raise Refused(401, "the class key is another")

    def answer(self, path: str, request: dict[str, Any]) -> None:
        child = self.server.model._child()
        if path == "/tokenize":
            self.hand(child, path, {k: request[k] for k in ("content", "add_special")})
        elif path not in ASKED:
            raise Refused(404, f"there is no {path[:100]} here")
        else:
            leg = self.leg_of(request)
            body = {k: v for k, v in request.items() if k in PARTS}
            body |= {"model": self.server.model.name, **self.server.model._extra(leg)}
            slots, tokens = needs(child, body)
            client = str(request.get("client", self.client_address[0]))
            with self.server.turns.turn(client, slots, tokens, self.gone):
                self.hand(child, path, body)

    def leg_of(self, request: Mapping[str, Any]) -> str:
        """The leg that asks; refused where the client expects other weights or adapters."""
        leg = str(request.get("leg", ""))
        here, there = self.server.model.identity(leg), request.get("identity")
        if there is not None and there != here:
            raise Refused(OTHER_VERSION, f"{leg or 'no adapter'}: here {here}, there {there}")
        return leg

    def gone(self) -> bool:
        """Whether the client has gone away; while it waits, it hears that it is not forgotten."""
        self.news()
        with selectors.DefaultSelector() as look:
            look.register(self.connection, selectors.EVENT_READ)
            return bool(look.select(0))

    def news(self) -> None:
        """The start of an answer says that more will come."""
        if time.monotonic() - self.last >= NEWS:
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            self.last = time.monotonic()

    def hand(self, child: Child, path: str, body: Mapping[str, Any]) -> None:
        """The answer to a request, byte by byte; whoever goes away ends it."""
        with asked(child, path, body) as model, selectors.DefaultSelector() as look:
            look.register(model, selectors.EVENT_READ)
            look.register(self.connection, selectors.EVENT_READ)
            while not (ready := {key.fileobj for key, _ in look.select(LOOK)}):
                self.news()
            while self.connection not in ready:
                if not (piece := model.recv(65_536)):
                    return
                self.wfile.write(piece)
                ready = {key.fileobj for key, _ in look.select()}
            raise Gone

    def refuse(self, status: int, words: str) -> None:
        body = msgspec.json.encode({"error": {"message": words}})
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def request_in(body: bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refused(400, "this request is no JSON object")
    return found


def needs(child: Child, body: Mapping[str, Any]) -> tuple[int, int]:
    """How many slots and tokens a request takes up while it is answered."""
    texts = [str(body.get("prompt", ""))]
    texts += [json.dumps(body.get("tools") or "")]
    texts += [str(m.get("content", "")) for m in body.get("messages", ()) if isinstance(m, dict)]
    counted = b""
    with asked(child, "/tokenize", {"content": "\n".join(texts)}) as model:
        answer = http.client.HTTPResponse(model)
        answer.begin()
        counted = answer.read()
    n = number(body.get("n"), 1)
    return n, (tokens_in(counted) or 0) + n * number(body.get("max_tokens"), CONTEXT)


def number(given: object, otherwise: int) -> int:
    return max(1, min(given, CONTEXT)) if isinstance(given, int) else otherwise


@contextmanager
def asked(child: Child, path: str, body: Mapping[str, Any]) -> Iterator[socket.socket]:
    """A request to the model's own server; its answer is still to be read, and ends with it."""
    content, parts = msgspec.json.encode(body), urlsplit(child.address)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nAuthorization: Bearer {child.key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        "Connection: close\r\n\r\n"
    )
    try:
        model = socket.create_connection((parts.hostname or "", parts.port or 80))
    except OSError:
        raise Refused(503, "the model starts again: ask again") from None
    with model:
        model.sendall(head.encode() + content)
        yield model


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


@dataclass(eq=False)
class Place:
    """What one request needs while it is answered, and whether its turn has come."""

    slots: int
    tokens: int
    called: bool = False


class Turns:
    """So many slots and tokens at once. Who asked for much waits as long as who asked for little.

    Clients are called in a circle, one request of each; nobody overtakes the one who is next, so a
    request that needs every slot gets them.
    """

    def __init__(self, slots: int, tokens: int) -> None:
        self.slots, self.tokens = slots, tokens  # that are free
        self.most = Place(slots, tokens)
        self.waiting: dict[str, deque[Place]] = {}  # clients in the order of their turns
        self.changed = threading.Condition()

    @contextmanager
    def turn(
        self, client: str, slots: int, tokens: int, gone: Callable[[], bool]
    ) -> Iterator[None]:
        """Wait for a turn of this client, then hold its slots. gone: has the client gone away?"""
        place = Place(min(slots, self.most.slots), min(tokens, self.most.tokens))
        with self.changed:
            self.waiting.setdefault(client, deque()).append(place)
            self.call()
        try:
            self.wait(place, gone)
            yield
        finally:
            with self.changed:
                self.leave(client, place)
                self.call()

    def wait(self, place: Place, gone: Callable[[], bool]) -> None:
        with self.changed:
            while not place.called:
                if gone():
                    raise Gone
                self.changed.wait(LOOK)

    def call(self) -> None:
        """Call those whose turn it is, as long as there is room for the next."""
        while self.waiting:
            client, places = next(iter(self.waiting.items()))
            place = places[0]
            if place.slots > self.slots or place.tokens > self.tokens:
                return
            del self.waiting[client]
            places.popleft()
            if places:
                self.waiting[client] = places  # its next request waits behind all others
            self.slots -= place.slots
            self.tokens -= place.tokens
            place.called = True
            self.changed.notify_all()

    def leave(self, client: str, place: Place) -> None:
        if place.called:
            self.slots += place.slots
            self.tokens += place.tokens
            return
        places = self.waiting[client]
        places.remove(place)
        if not places:
            del self.waiting[client]
