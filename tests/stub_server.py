"""A small OpenAI-compatible server on loopback that answers what a test tells it to."""

import functools
import json
import socket
import struct
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl


def complete(model, ask, on_text=None):
    """Every sample's reply, in order, by as many requests as it takes."""
    replies, on_text = {}, on_text if len(ask.samples) == 1 else None
    while missing := tuple(i for i in ask.samples if i not in replies):
        replies.update(model.complete(replace(ask, samples=missing), on_text))
    return tuple(replies[i] for i in ask.samples)


@dataclass(frozen=True)
class Request:
    """What a client sent."""

    method: str
    path: str
    headers: Mapping[str, str]
    data: bytes

    @functools.cached_property
    def body(self) -> dict[str, Any]:
        return json.loads(self.data or b"{}")

    @property
    def chat(self):
        return self.path.endswith("/chat/completions")

    @property
    def query(self):
        return dict(parse_qsl(self.path.partition("?")[2], keep_blank_values=True))


@dataclass(frozen=True)
class Answer:
    """What to send back: a body (a dict becomes JSON), or a broken connection."""

    body: dict[str, Any] | bytes | str = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    delay: float = 0.0
    reset: bool = False  # close the connection instead of answering
    cut: int = 0  # promise so many bytes more than are sent
    drip: float = 0.0  # seconds between two pieces
    piece: int = 1  # bytes, of what drips
    events: Iterable[Any] | None = None  # a stream, one JSON each, then [DONE]
    unfinished: bool = False  # a stream that breaks off


class Stub(ThreadingHTTPServer):
    """`with Stub(answers) as stub:`; stub.url, and stub.asked, every request that came."""

    daemon_threads, block_on_close = True, False

    def __init__(self, answers):
        super().__init__(("127.0.0.1", 0), Handler)
        self.sent = 0  # pieces of bodies
        self.asked, self.make = [], answers if callable(answers) else in_turn(answers)
        self.hung_up = threading.Event()  # a client went away before its answer was whole
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"
        self.thread = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)

    def handle_error(self, request, client_address):
        self.hung_up.set()  # not a word on the screen: some tests want just that

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.shutdown()
        self.server_close()
        self.thread.join()


def in_turn(answers):
    """The answers one after the other; the last one again and again."""
    left, lock = list(answers), threading.Lock()

    def make(request):
        with lock:
            return left.pop(0) if len(left) > 1 else left[0]

    return make


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, self.path, headers, body)
        self.server.asked.append(request)
        answer = self.server.make(request)
        time.sleep(answer.delay)
        if answer.reset:  # with no linger, closing says RST
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
        elif answer.events is not None:
            self.stream(answer)
        else:
            self.whole(answer)

    do_GET = do_HEAD = do_POST

    def log_message(self, *_):
        pass

    def head(self, answer, more):
        self.send_response(answer.status)
        for name, value in {"Content-Type": answer.kind, **more, **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def whole(self, answer):
        body = answer.body
        data = json.dumps(body).encode() if isinstance(body, dict) else body
        data = data.encode() if isinstance(data, str) else data
        self.head(answer, {"Content-Length": str(len(data) + answer.cut)})
        self.close_connection = self.close_connection or bool(answer.cut)
        size = answer.piece if answer.drip else len(data) or 1
        for i in range(0, len(data) if self.command != "HEAD" else 0, size):
            self.wfile.write(data[i : i + size])
            self.server.sent += 1
            time.sleep(answer.drip)

    def stream(self, answer):
        kind = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"}
        self.head(answer, kind)
        for event in answer.events:
            text = event if isinstance(event, str) else json.dumps(event)
            self.chunk(f"data: {text}\n\n".encode())
            time.sleep(answer.drip)
        self.close_connection = self.close_connection or answer.unfinished
        for data in () if answer.unfinished else (b"data: [DONE]\n\n", b""):
            self.chunk(data)

    def chunk(self, data):
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


def completion(*texts, usage=(10, 6), **more):
    """What the completions API answers."""
    choices = [{"index": i, "text": t, "finish_reason": "stop"} for i, t in enumerate(texts)]
    body = {"object": "text_completion", "model": "stub-1", "choices": choices, **more}
    return Answer(body | counted(usage))


def chat(text, usage=(10, 6), **message):
    """What the chat API answers."""
    told = {"role": "assistant", "content": text, **message}
    choices = [{"index": 0, "message": told, "finish_reason": "stop"}]
    body = {"object": "chat.completion", "model": "stub-1", "choices": choices}
    return Answer(body | counted(usage))


def thinker(needs, say):
    """A chat server that thinks in private, for so many tokens, before it says a word."""

    def make(asked):
        if not asked.chat:
            return refusal(404, "This is a chat model")
        if asked.body["max_tokens"] >= needs:
            return chat(say(asked), (10, needs), reasoning_content="Hmm. So it is.")
        answer = chat("", (10, asked.body["max_tokens"]), reasoning_content="Hmm.")
        answer.body["choices"][0]["finish_reason"] = "length"
        return answer

    return make


def response(text, thoughts="", calls=(), cut=False):
    """What the Responses API answers."""
    summary = [{"type": "summary_text", "text": part} for part in thoughts.split("\n\n") if part]
    said = [{"type": "output_text", "text": text}]
    output = [{"type": "reasoning", "id": "rs", "summary": summary}]
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


def only_responses(*bodies):
    """A server whose model answers by the Responses API alone; streamed where that is wanted."""
    left = list(bodies)

    def make(asked):
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
        events = [{"type": "response.created", "response": {"status": "in_progress"}}]
        events += [{"type": kind, "delta": letter} for letter in "".join(letters)]
        return Answer(events=[*events, {"type": f"response.{body['status']}", "response": body}])

    return make


def counted(usage):
    if not isinstance(usage, tuple):
        return {"usage": usage} if usage else {}
    told = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
    return {"usage": told}


def refusal(status, message, headers=None, **more):
    """An error as OpenAI words one."""
    return Answer({"error": {"message": message, **more}}, status, headers or {})
