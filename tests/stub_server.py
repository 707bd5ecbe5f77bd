"""A small OpenAI-compatible server on loopback that answers what a test tells it to."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from react_lab.types import Ask, Model, Reply

Json = dict[str, Any]


def complete(
    model: Model, ask: Ask, on_text: Callable[[str], None] | None = None
) -> tuple[Reply, ...]:
    """Every sample's reply, in order, by as many requests as it takes."""
    replies, on_text = dict[int, Reply](), on_text if len(ask.samples) == 1 else None
    while missing := tuple(i for i in ask.samples if i not in replies):
        replies.update(model.complete(replace(ask, samples=missing), on_text))
    return tuple(replies[i] for i in ask.samples)


@dataclass(frozen=True)
class Request:
    """What a client sent."""

    path: str
    headers: Mapping[str, str]
    body: Json

    @property
    def chat(self) -> bool:
        return self.path.endswith("/chat/completions")


@dataclass(frozen=True)
class Answer:
    """What to send back: a body (a dict becomes JSON), or a broken connection."""

    body: Json | bytes | str = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    delay: float = 0.0
    reset: bool = False  # close the connection instead of answering
    cut: bool = False  # promise more bytes than are sent
    drip: float = 0.0  # seconds between two bytes
    events: Iterable[Any] | None = None  # a stream, one JSON each, then [DONE]
    unfinished: bool = False  # a stream that breaks off


Make = Callable[[Request], Answer]


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, stub: Stub) -> None:
        super().__init__(("127.0.0.1", 0), handler_for(stub))
        self.stub = stub

    def handle_error(self, request: Any, client_address: Any) -> None:
        self.stub.hung_up.set()  # not a word on the screen: some tests want just that


class Stub:
    """`with Stub(answers) as stub:`; stub.url, and stub.asked, every request that came."""

    def __init__(self, answers: Make | Iterable[Answer]) -> None:
        self.asked: list[Request] = []
        self.hung_up = threading.Event()  # a client went away before its answer was whole
        self._lock = threading.Lock()
        self._make = answers if callable(answers) else in_turn(answers)
        self._server = QuietServer(self)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    def answer(self, request: Request) -> Answer:
        with self._lock:
            self.asked.append(request)
            made = self._make
        return made(request)

    def __enter__(self) -> Stub:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def in_turn(answers: Iterable[Answer]) -> Make:
    """The answers one after the other; the last one again and again."""
    left, lock = list(answers), threading.Lock()

    def make(request: Request) -> Answer:
        with lock:
            return left.pop(0) if len(left) > 1 else left[0]

    return make


def handler_for(stub: Stub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.path, headers, json.loads(data))
            send(self, stub.answer(request))

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            send(self, stub.answer(Request(self.path, headers, {})))

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


def send(to: BaseHTTPRequestHandler, answer: Answer) -> None:
    time.sleep(answer.delay)
    if answer.reset:
        hang_up(to)
    elif answer.events is not None:
        stream(to, answer)
    else:
        whole(to, answer)


def hang_up(to: BaseHTTPRequestHandler) -> None:
    """A reset: with no linger, closing says RST."""
    to.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    to.close_connection = True
    to.connection.close()


def whole(to: BaseHTTPRequestHandler, answer: Answer) -> None:
    body = answer.body
    data = json.dumps(body).encode() if isinstance(body, dict) else body
    data = data.encode() if isinstance(data, str) else data
    head(to, answer, {"Content-Length": str(len(data) + 10 * answer.cut)})
    to.close_connection = to.close_connection or answer.cut
    if answer.drip:
        for i in range(len(data)):
            to.wfile.write(data[i : i + 1])
            time.sleep(answer.drip)
    else:
        to.wfile.write(data)


def head(to: BaseHTTPRequestHandler, answer: Answer, more: Mapping[str, str]) -> None:
    to.send_response(answer.status)
    for name, value in {"Content-Type": answer.kind, **more, **answer.headers}.items():
        to.send_header(name, value)
    to.end_headers()


def stream(to: BaseHTTPRequestHandler, answer: Answer) -> None:
    head(to, answer, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
    for event in answer.events or ():
        text = event if isinstance(event, str) else json.dumps(event)
        chunk(to, f"data: {text}\n\n".encode())
        time.sleep(answer.drip)
    if answer.unfinished:
        to.close_connection = True
    else:
        chunk(to, b"data: [DONE]\n\n")
        chunk(to, b"")


def chunk(to: BaseHTTPRequestHandler, data: bytes) -> None:
    to.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    to.wfile.flush()


def completion(*texts: str, usage: tuple[int, int] | Json | None = (10, 6), **more: Any) -> Answer:
    """What the completions API answers."""
    choices = [{"index": i, "text": t, "finish_reason": "stop"} for i, t in enumerate(texts)]
    body: Json = {"object": "text_completion", "model": "stub-1", "choices": choices, **more}
    return Answer(body | counted(usage))


@contextmanager
def completions_server(texts: Iterable[str]) -> Iterator[str]:
    """The address of a server that says these texts, one a request."""
    with Stub([completion(text) for text in texts]) as stub:
        yield stub.url


def chat(
    text: str | None, usage: tuple[int, int] | Json | None = (10, 6), **message: Any
) -> Answer:
    """What the chat API answers."""
    told = {"role": "assistant", "content": text, **message}
    choices = [{"index": 0, "message": told, "finish_reason": "stop"}]
    return Answer(
        {"object": "chat.completion", "model": "stub-1", "choices": choices} | counted(usage)
    )


def thinker(needs: int, say: Callable[[Request], str]) -> Make:
    """A chat server that thinks in private, for so many tokens, before it says a word."""

    def make(asked: Request) -> Answer:
        if not asked.chat:
            return refusal(404, "This is a chat model")
        if asked.body["max_tokens"] >= needs:
            return chat(say(asked), (10, needs), reasoning_content="Hmm. So it is.")
        answer = chat("", (10, asked.body["max_tokens"]), reasoning_content="Hmm.")
        answer.body["choices"][0]["finish_reason"] = "length"  # type: ignore[index, call-overload]
        return answer

    return make


def response(
    text: str, thoughts: str = "", calls: Iterable[tuple[str, Json]] = (), cut: bool = False
) -> Json:
    """What the Responses API answers."""
    summary = [{"type": "summary_text", "text": part} for part in thoughts.split("\n\n") if part]
    said = [{"type": "output_text", "text": text}]
    output: list[Json] = [{"type": "reasoning", "id": "rs", "summary": summary}]
    output += [{"type": "message", "role": "assistant", "content": said}] if text else []
    for i, (name, arguments) in enumerate(calls):
        told = {"name": name, "arguments": json.dumps(arguments)}
        output.append({"type": "function_call", "id": "fc", "call_id": f"c{i}", **told})
    return {
        "object": "response", "model": "stub-1", "output": output, "error": None,
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "usage": {"input_tokens": 10, "output_tokens": 6, "total_tokens": 16},
    }  # fmt: skip


def only_responses(*bodies: Json) -> Make:
    """A server whose model answers by the Responses API alone; streamed where that is wanted."""
    left = list(bodies)

    def make(asked: Request) -> Answer:
        if not asked.path.endswith("/responses"):
            path = "chat/completions" if asked.chat else "completions"
            told = f"This model is only supported in v1/responses and not in v1/{path}."
            return refusal(404, told, param="model")
        for part in ("stop", "seed", "n", "max_tokens", "messages", "prompt", "temperature"):
            if part in asked.body:
                return refusal(400, f"Unsupported parameter: '{part}'", param=part)
        body = left.pop(0) if len(left) > 1 else left[0]
        if not asked.body.get("stream"):
            return Answer(body)
        letters = [piece["text"] for item in body["output"] for piece in item.get("content", ())]
        kind = "response.output_text.delta"
        events: list[Json] = [{"type": "response.created", "response": {"status": "in_progress"}}]
        events += [{"type": kind, "delta": letter} for letter in "".join(letters)]
        return Answer(events=[*events, {"type": f"response.{body['status']}", "response": body}])

    return make


def counted(usage: tuple[int, int] | Json | None) -> Json:
    if not isinstance(usage, tuple):
        return {"usage": usage} if usage else {}
    told = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
    return {"usage": told}


def refusal(
    status: int, message: str, headers: Mapping[str, str] | None = None, **more: Any
) -> Answer:
    """An error as OpenAI words one."""
    return Answer({"error": {"message": message, **more}}, status, headers or {})
