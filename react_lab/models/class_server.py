"""The server of a class: many kernels, one model (`python -m react_lab serve`).

It stands before the bundled model's own server, which stays on loopback: it checks the class key,
calls the clients in turn, picks the adapter by the leg that asks, and hands the answer through.
"""

from __future__ import annotations

import contextlib
import hmac
import http.client
import json
import posixpath
import re
import secrets
import selectors
import socket
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from ..types import ModelError
from .answers import tokens_in
from .llama import OTHER_VERSION, Child, Local
from .serve import CONTEXT, SLOTS

AT_ONCE = 300  # connections
SECONDS = 60.0  # of silence while a request comes in
UNKNOWN = 15.0  # seconds in which a request has to show the key
TRIES = 3  # how often the model is asked when it dies over a request, perhaps another's
LONGEST, DEEPEST = 100_000, 100  # letters of a grammar, and brackets in brackets: more kill it
NEWS = 20.0  # seconds between two signs of life to who waits, which would else give up
LARGEST = 1_000_000  # bytes of a request
DRAINED = 16 * LARGEST  # bytes that are taken of one that is too large
ASKED = ("/v1/completions", "/v1/chat/completions")
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another on a blackboard


T = TypeVar("T")
Form = TypeVar("Form", bound=msgspec.Struct)
Count = Annotated[int, msgspec.Meta(ge=1, lt=2**31)]  # to llama.cpp, -1 would be without end


class Refused(Exception):
    """A request that is answered with a sentence, and not done."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status, self.words = status, words


class Died(Exception):
    """The model's own server went away before it answered."""


class ForModel(msgspec.Struct, omit_defaults=True):
    """What of a request reaches the model; it has many more parts that are not for a class."""

    prompt: str | None = None
    messages: list[dict[str, Any]] | None = None
    tools: list[dict[str, Any]] | None = None
    max_tokens: Count | None = None
    temperature: float | None = None
    stop: str | list[str] | None = None
    seed: int | None = None
    n: Count | None = None
    grammar: str | None = None
    stream: bool | None = None
    stream_options: dict[str, Any] | None = None


class Asked(ForModel):
    """A request: that, by which leg, of which model, and whose turn it is."""

    leg: str = ""
    identity: str | None = None
    client: str | None = None


class Text(msgspec.Struct):
    """A text to be counted."""

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
        self.turns = Turns(SLOTS, CONTEXT)
        self.known = set[socket.socket]()  # connections that have shown the key
        self.guests: dict[socket.socket, tuple[str, float]] = {}  # the others: whose, since when
        self.lock = threading.Lock()
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
        """In a thread of its own, if there is a place. Who has shown the key keeps it; of the
        others the address with the most connections gives way.
        """
        with self.lock:
            if len(self.known) + len(self.guests) >= AT_ONCE and self.guests:
                crowd = Counter(whose for whose, _ in self.guests.values()).most_common(1)[0][0]
                self.dismiss(next(g for g, (whose, _) in self.guests.items() if whose == crowd))
            full = len(self.known) >= AT_ONCE
            if not full:
                self.guests[request] = client_address[0], time.monotonic()
        if full:
            self.shutdown_request(request)
        else:
            super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self.lock:
                self.guests.pop(request, None)
                self.known.discard(request)

    def service_actions(self) -> None:
        """Called again and again: who has not shown the key in time goes."""
        began = time.monotonic() - UNKNOWN
        with self.lock:
            for guest in [guest for guest, (_, since) in self.guests.items() if since < began]:
                self.dismiss(guest)

    def dismiss(self, guest: socket.socket) -> None:
        del self.guests[guest]
        with contextlib.suppress(OSError):  # it has gone by itself
            guest.shutdown(socket.SHUT_RDWR)

    def welcome(self, guest: socket.socket) -> None:
        with self.lock:
            if self.guests.pop(guest, None):
                self.known.add(guest)

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
            given = self.headers.get("Authorization", "").encode("utf-8", "replace")
            if known := hmac.compare_digest(given, b"Bearer " + self.server.key):
                self.server.welcome(self.connection)
            body = self.body_read()
            if not known:
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
        """What the model says. One that died, perhaps over another's request, is asked again."""
        if path == "/tokenize":
            given = msgspec.to_builtins(request_in(body, Text))
            return self.hand(path, given)
        if path not in ASKED:
            raise Refused(404, f"there is no {path[:100]} here")
        asked = request_in(body, Asked)
        check_grammar(asked.grammar or "")
        model = self.server.model
        here = model.identity(asked.leg)
        if asked.identity not in (None, here):  # the client has other weights or adapters
            named = asked.leg or "no adapter"
            raise Refused(OTHER_VERSION, f"{named}: here {here}, there {asked.identity}")
        given = msgspec.to_builtins(request_in(body, ForModel))
        given |= {"model": model.name, **model._extra(asked.leg)}
        slots, tokens = again(lambda: needs(model._child(), asked))
        client = asked.client or self.client_address[0]
        with self.server.turns.turn(client, slots, tokens, self.gone):
            self.hand(path, given)

    def gone(self) -> bool:
        """Whether the client has gone away; while it waits, it hears that it is not forgotten."""
        self.news()
        return bool(readable(0, self.connection))

    def news(self) -> None:
        """The start of an answer says that more will come."""
        if time.monotonic() - self.last >= NEWS:
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            self.last = time.monotonic()

    def hand(self, path: str, body: Mapping[str, Any]) -> None:
        again(lambda: self.pass_on(self.server.model._child(), path, body))

    def pass_on(self, child: Child, path: str, body: Mapping[str, Any]) -> None:
        """The answer to a request, byte by byte; whoever goes away ends it."""
        begun = False
        with asked_of(child, path, body) as model:
            while self.connection not in (ready := readable(LOOK, model.sock, self.connection)):
                if not ready:
                    if not begun:
                        self.news()
                    continue
                piece = b""
                with contextlib.suppress(ConnectionError):
                    piece = model.sock.recv(65_536)
                if not piece and not begun:
                    raise Died
                if not piece:
                    return
                begun = True
                self.wfile.write(piece)
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


def request_in(body: bytes, form: type[Form]) -> Form:
    try:
        return msgspec.json.decode(body, type=form)
    except (ValueError, RecursionError) as error:
        raise Refused(400, f"this is no request that a model can answer ({error})") from None


def check_grammar(grammar: str) -> None:
    """llama.cpp reads brackets in brackets by calling itself, and dies where they are too many."""
    depth = most = 0
    for mark in re.findall(r'"(?:\\.|[^"\\\n])*+"|[()]', grammar[:LONGEST]):
        depth += {"(": 1, ")": -1}.get(mark, 0)
        most = max(most, depth)
    if len(grammar) > LONGEST or most > DEEPEST:
        raise Refused(400, f"a grammar has at most {LONGEST} letters, {DEEPEST} brackets deep")


def again(ask: Callable[[], T]) -> T:
    """Ask the model, and where it dies another time: it is started again by whoever asks."""
    for _ in range(TRIES):
        with contextlib.suppress(Died):
            return ask()
    raise Refused(503, "the model starts again: ask again")


def needs(child: Child, asked: Asked) -> tuple[int, int]:
    """How many slots and tokens a request takes up while it is answered."""
    texts = [asked.prompt or "", json.dumps(asked.tools or "")]
    texts += [str(message.get("content", "")) for message in asked.messages or ()]
    with asked_of(child, "/tokenize", {"content": "\n".join(texts)}) as model:
        try:
            counted = model.getresponse().read()
        except (http.client.HTTPException, ConnectionError):
            raise Died from None
    n, most = asked.n or 1, CONTEXT if asked.max_tokens is None else asked.max_tokens
    return n, (tokens_in(counted) or 0) + n * most


def readable(seconds: float, *sockets: socket.socket) -> set[Any]:
    """Those of the sockets that have something to be read, or are at their end."""
    with selectors.DefaultSelector() as look:
        for each in sockets:
            look.register(each, selectors.EVENT_READ)
        return {key.fileobj for key, _ in look.select(seconds)}


@contextmanager
def asked_of(
    child: Child, path: str, body: Mapping[str, Any]
) -> Iterator[http.client.HTTPConnection]:
    """A request to the model's own server; its answer is still to be read, and ends with it."""
    head = {"Authorization": f"Bearer {child.key}", "Content-Type": "application/json"}
    head["Connection"] = "close"
    with contextlib.closing(http.client.HTTPConnection(urlsplit(child.address).netloc)) as model:
        try:
            model.request("POST", path, msgspec.json.encode(body), head)
        except OSError:
            raise Died from None
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


class Turns:
    """So many slots and tokens at once. Who asked for much waits as long as who asked for little.

    Clients are called in a circle, one request of each; nobody overtakes the one who is next, so a
    request that needs every slot gets them.
    """

    def __init__(self, slots: int, tokens: int) -> None:
        self.slots, self.tokens = slots, tokens  # that are free
        self.most = slots, tokens
        self.waiting: dict[str, deque[object]] = {}  # clients in the order of their turns
        self.changed = threading.Condition()

    @contextmanager
    def turn(
        self, client: str, slots: int, tokens: int, gone: Callable[[], bool]
    ) -> Iterator[None]:
        """Wait for a turn of this client, then hold its slots. gone: has the client gone away?"""
        slots, tokens, place = min(slots, self.most[0]), min(tokens, self.most[1]), object()

        def is_called() -> bool:
            is_next = next(iter(self.waiting)) == client and self.waiting[client][0] is place
            return is_next and slots <= self.slots and tokens <= self.tokens

        with self.changed:
            self.waiting.setdefault(client, deque()).append(place)
            try:
                while not self.changed.wait_for(is_called, LOOK):
                    if gone():
                        raise Gone
                self.waiting[client] = self.waiting.pop(client)  # its next one waits behind all
                self.hold(slots, tokens)
            finally:
                self.waiting[client].remove(place)
                if not self.waiting[client]:
                    del self.waiting[client]
                self.changed.notify_all()
        try:
            yield
        finally:
            with self.changed:
                self.hold(-slots, -tokens)
                self.changed.notify_all()

    def hold(self, slots: int, tokens: int) -> None:
        self.slots -= slots
        self.tokens -= tokens
