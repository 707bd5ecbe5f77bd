"""What a server sends, and how long it takes: every hostile answer is one sentence for its reply."""

import gzip
import itertools
import json
import random
import signal
import socket
import socketserver
import ssl
import subprocess
import sys
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from experiment import WORLD, tasks
from stub_server import Answer, Stub, chat, completion
from waiting import until

from react_lab import models
from react_lab.evaluation import evaluate
from react_lab.support.http import LARGEST, Failed, Limits, unpacked
from react_lab.types import Ask, Halt, ModelError, Reply

ROOT = Path(__file__).parents[1]
ASK = Ask("Question: 1 + 1?\nThought 1:", stop=("\nObservation",), leg="react")
GOOD = completion(" so\nAnswer: Black Sea")
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY",
                 "http_proxy", "https_proxy", "all_proxy"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)


class Raw:
    """A server that says to every request what it is told, byte for byte; `sent` are counted."""

    def __init__(self, sends, tls=None):
        self.sends, self.tls, self.sent, self.asked = sends, tls, 0, 0
        self.met = 0  # connections
        self.server = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.server.getsockname()[1]
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.port}/v1"

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *fault):
        self.server.close()

    def accept(self):
        with suppress(OSError):
            while True:
                threading.Thread(target=self.talk, args=self.server.accept(), daemon=True).start()

    def talk(self, sock, address):
        with suppress(OSError), sock:
            self.met += 1
            to = self.tls.wrap_socket(sock, server_side=True) if self.tls else sock
            with to:
                while self.heard(to):
                    self.asked += 1
                    for data in self.sends(to):
                        to.sendall(data)
                        self.sent += len(data)

    def heard(self, sock):
        data = b""
        while b"\r\n\r\n" not in data:
            if not (more := sock.recv(65536)):
                return b""
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        size = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0] or 0)
        while len(body) < size:
            body += sock.recv(65536)
        return head


def plain(body, more=b""):
    return OK + more + b"Content-Length: %d\r\n\r\n" % len(body) + body


def fault_of(url, on_text=None, **options):
    """The one sentence that an ask ends in, after one request."""
    model = models.openai("m", url, **{"api": "completions", "attempts": 1} | options)
    with pytest.raises(ModelError) as caught:
        model.complete(ASK, on_text)
    text = str(caught.value)
    assert "\n" not in text and len(text) < 600
    assert caught.value.__cause__ is caught.value.__context__ is None
    return text


# ---- what is said --------------------------------------------------------------------------------
VALUES = [
    None, True, 0, 5, -1, -100, 2**70, 1.5, "", "abc", [], {}, [5], ["abc"], [{}], [[]], [None],
    {"a": 1}, {"text": 5}, [{"text": 5}], [{"function": 5}], [{"index": 2**70, "text": "a"}],
]  # fmt: skip
RAW = [b"NaN", b"1e400", b'"\\ud800"', b'"\xff"', b"9" * 5000, b"[" * 100_000, b"", b"\x00", b"<p>", b"{}{}"]  # fmt: skip
FIELDS = [
    (), ("choices",), ("model",), ("system_fingerprint",), ("usage",), ("error",),
    *(("usage", name) for name in ("prompt_tokens", "completion_tokens")),
    *(("choices", 0, name) for name in ("index", "finish_reason", "text", "message", "delta")),
    *(("choices", 0, part, name) for part in ("message", "delta") for name in (
        "content", "text", "reasoning", "reasoning_content", "refusal", "tool_calls")),
]  # fmt: skip


def hostile():
    """A good answer with one field, every one of them, replaced by every kind of JSON, and none."""
    for field, value in itertools.product(FIELDS, [*VALUES, *RAW]):
        said = {"content": "so", "role": "assistant"}
        choice = {"index": 0, "finish_reason": "stop", "message": said, "delta": dict(said)}
        if field[-1:] == ("text",):
            choice = {"index": 0, "finish_reason": "stop"}
        body = {"choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 9}}
        place = {"": body}
        for key, name in itertools.pairwise(["", *field]):
            place = place[key]
            if isinstance(place, dict):
                place.setdefault(name, {})
        place[field[-1] if field else ""] = "HERE" if isinstance(value, bytes) else value
        data = json.dumps(body if field else place[""])
        yield data.encode().replace(b'"HERE"', value if isinstance(value, bytes) else b"")


@pytest.mark.usefixtures("no_collection")
@pytest.mark.parametrize("streamed", [False, True])
def test_every_answer_is_a_reply_or_a_sentence(streamed):
    answers = list(hostile())
    left = iter(answers)

    def make(request):
        data = next(left)
        if request.body.get("stream"):
            event = data.decode("latin-1").replace("\n", " ")
            return Answer(events=[event.encode("latin-1").decode("utf-8", "surrogateescape")])
        return Answer(data)

    ends = []
    with Stub(make) as stub:
        model = models.openai("m", stub.url, api="chat", attempts=1)
        for _ in answers:
            try:
                (reply,) = model.complete(ASK, print if streamed else None).values()
            except Halt as halt:
                assert "\n" not in str(halt)
                ends.append(halt)
            except StopIteration:
                break
            else:
                assert isinstance(reply.text, str)
                assert all(n is None or n >= 0 for n in (reply.tokens_in, reply.tokens_out))
                assert all(isinstance(call, dict) for call in reply.tool_calls)
                json.dumps([reply.text, reply.reasoning, reply.tool_calls, dict(reply.settings)])
                reply.text.encode()
                ends.append(reply)
    assert len(ends) >= len(answers) * 0.9  # a refused stream is asked for again, whole
    assert {type(end) for end in ends} >= {Reply, ModelError}


@pytest.mark.parametrize("usage", [-100, 2**70, True, "9", 1.5, None, [], float("nan")])
def test_a_count_of_tokens_that_is_none_is_not_told(usage, tmp_path):
    """So it cannot walk through a budget: then characters are counted."""
    told = {"prompt_tokens": usage, "completion_tokens": usage}
    with Stub([completion(" so\nAnswer: x", usage=told)]) as stub:
        model = models.openai("m", stub.url, api="completions")
        (reply,) = model.complete(ASK).values()
        assert (reply.text, reply.tokens_in, reply.tokens_out) == (" so\nAnswer: x", None, None)
        counted = pytest.warns(UserWarning, match="counted by characters")
        with counted, pytest.warns(UserWarning, match="of 50 tokens is spent"):
            evaluate("cot", tasks(9), model, tmp_path / "r.jsonl", world=WORLD, workers=1,
                     budget={"tokens": 50}, progress=False)  # fmt: skip


class Mine:
    """A model of one's own, whose replies are not all right."""

    name, tuned = "mine", frozenset[str]()

    def __init__(self, *replies):
        self.replies, self.asked = replies, 0

    def identity(self, leg):
        return "mine"

    def complete(self, ask, on_text=None):
        self.asked += 1
        return dict(zip(ask.samples, self.replies, strict=False))


@pytest.mark.parametrize("own", [False, True])
def test_what_cannot_be_used_has_still_been_paid_for(own, tmp_path):
    mine = Mine(Reply("x", tokens_in=30, tokens_out=30, settings={"raw": object()}))
    with Stub([chat("x", refusal=5, usage=(30, 30))]) as stub:
        model = mine if own else models.openai("m", stub.url, api="chat")
        ended = pytest.warns(UserWarning, match="ended in 'error'")
        with ended, pytest.warns(UserWarning, match="the budget of 100 tokens is spent"):
            runs = evaluate("cot", tasks(9), model, tmp_path / "r.jsonl", world=WORLD, workers=1,
                            budget={"tokens": 100}, progress=False)  # fmt: skip
            first = next(iter(runs))
        assert (mine.asked if own else len(stub.asked)) == 2
    assert (first.calls, first.tokens_in, first.tokens_out) == (1, 30, 30)


def event(text, why=None):
    choices = [{"text": text, "finish_reason": why}]
    return b"data: " + json.dumps({"choices": choices}).encode() + b"\n\n"


EVENTS = event(" so") + event(" it", "stop") + b"data: [DONE]\n\n"
WRITTEN = {
    "nothing": b"data:\n\n" + EVENTS.replace(b"[DONE]", b"\n\ndata: \n\ndata:[DONE]"),
    "\\r\\n": EVENTS.replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("size", [1, 7, 9999])
@pytest.mark.parametrize("what", WRITTEN)
def test_a_stream_is_read_however_it_is_written(what, size):
    sent = WRITTEN[what]
    chunks = (sent[i : i + size] for i in range(0, len(sent), size))
    body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    whole = STREAM + b"Transfer-Encoding: chunked\r\n\r\n" + body + b"0\r\n\r\n"
    with Raw(lambda sock: [whole]) as server:
        model = models.openai("m", server.url, api="completions")
        heard = []
        assert [model.complete(ASK, heard.append)[0].text for _ in range(2)] == [" so it"] * 2
        assert heard == [" so", " it"] * 2 and server.met == 1  # one connection for both


@pytest.mark.parametrize("after", [b"", b": wait\n\n", b"x" * 65536])
def test_nothing_after_the_end_of_a_stream_is_waited_for(after):
    over, waited = threading.Event(), []

    def sends(sock):
        yield STREAM + b"\r\n" + EVENTS
        while after and not over.is_set():
            yield after
        waited.append(not over.wait(20))

    with Raw(sends) as server:
        model = models.openai("m", server.url, api="completions", timeout=9999)
        assert model.complete(ASK, [].append)[0].text == " so it"
        assert not waited
        over.set()


CALL = {"id": 7, "type": "function", "function": {"name": "f", "arguments": {"city": "Ulm"}}}
NEEDLESS = [  # a field, what it holds, and what a reply keeps of it
    *(("tool_calls", odd, "tool_calls", ()) for odd in (5, {}, [5], [{"a": [[]] * 2}, None])),
    ("tool_calls", [CALL], "tool_calls", (CALL,)),
    *((name, odd, "reasoning", None) for name in ("reasoning", "reasoning_content")
      for odd in ({}, 5, ["x"])),
    *(("index", odd, "text", "so") for odd in (0.0, True, "0", {}, -1, 10**9, 1.5, [])),
    *(("model", odd, "text", "so") for odd in (5, {}, "x" * 5000)),
    *(("system_fingerprint", odd, "fingerprint", None) for odd in (5, {}, "x" * 5000)),
]  # fmt: skip


@pytest.mark.parametrize("streamed", [False, True])
def test_a_field_that_nobody_needs_spoils_no_reply(streamed):
    def make(request):
        field, odd, _, _ = NEEDLESS[int(request.body["messages"][1]["content"])]
        said = {"content": "so"}
        choice = {"index": 0, "finish_reason": "stop", "delta" if streamed else "message": said}
        body = {"choices": [choice], "usage": {"prompt_tokens": 9}}
        where = choice if field == "index" else body if field[0] in "ms" else said
        where[field] = odd
        return Answer(events=[body]) if streamed else Answer(body)

    with Stub(make) as stub:
        model = models.openai("m", stub.url, api="chat")
        for number, (field, odd, kept, value) in enumerate(NEEDLESS):
            ask = replace(ASK, prompt=(("system", ""), ("user", str(number))))
            (reply,) = model.complete(ask, [].append if streamed else None).values()
            assert (reply.text, reply.tokens_in) == ("so", 9), (field, odd)
            if not streamed or field != "tool_calls":
                assert getattr(reply, kept) == value, (field, odd)


HALF = json.dumps(completion("so \ud800").body).encode()
ODD = {
    "half a character": (HALF, "so ?"),
    "NaN": (HALF.replace(b"{", b'{"logprobs": NaN, "x": [-Infinity, 1e999], ', 1), "so ?"),
    "a byte order mark": (b"\xef\xbb\xbf" + HALF.replace(b" \\ud800", b""), "so"),
    "a byte of no character": (HALF.replace(b"\\ud800", b"\xff"), "so \ufffd"),
}


@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("streamed", [False, True])
def test_json_that_only_others_read_is_read(what, streamed):
    data, text = ODD[what]
    event = plain(b"data: " + data + b"\n\ndata: [DONE]\n\n")
    with Raw(lambda sock: [event if streamed else plain(data)]) as server:
        model = models.openai("m", server.url, api="completions")
        (reply,) = model.complete(ASK, [].append if streamed else None).values()
    assert (reply.text, reply.tokens_in, reply.tokens_out) == (text, 10, 6)


# ---- how long it takes ---------------------------------------------------------------------------
def drip(*start, byte=b" ", every=0.02):
    """Byte after byte, without an end."""

    def sends(sock):
        yield from start
        while True:
            time.sleep(every)
            yield byte

    return sends


DRIPS = {
    "a body": drip(OK + b"Content-Length: 1000000\r\n\r\n"),
    "a body without end": drip(OK + b"\r\n"),
    "chunks": drip(OK + b"Transfer-Encoding: chunked\r\n\r\n", byte=b"1\r\n \r\n"),
    "a chunk's size": drip(OK + b"Transfer-Encoding: chunked\r\n\r\n", byte=b"0"),
    "trailers": drip(OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", byte=b"a: b\r\n"),
    "the first line": drip(b"HTTP/1.1 200 ", byte=b"O"),
    "headers": drip(OK + b"X-Long: ", byte=b"x"),
    "100 Continue": drip(byte=b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a refusal": drip(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 1000\r\n\r\n"),
    "a stream's comments": drip(STREAM + b"\r\n", byte=b": wait\n\n"),
    "a stream's words": drip(STREAM + b"\r\n", byte=b'data: {"choices":[{"text":"a"}]}\n\n'),
}  # fmt: skip


@pytest.mark.parametrize("what", DRIPS)
def test_a_server_that_drips_ends_at_the_deadline(what):
    heard = []
    with Raw(DRIPS[what]) as server:
        hears = heard.append if "stream" in what else None
        text = fault_of(server.url, hears, deadline=1, attempts=5)
        assert server.asked == 1  # it was paid for: not again
    assert "it was not whole after 1 s" in text and "raise deadline=" in text
    if what == "a body without end":  # the deadline is ten silences
        with Raw(DRIPS[what]) as server:
            assert "not whole after 1 s" in fault_of(server.url, timeout=0.1)


@pytest.mark.usefixtures("key")
@pytest.mark.parametrize("start", [b"HTTP/1.0 200 ", b"HTTP/1.0 200 OK\r\nX-Long: "])
def test_a_proxy_that_drips_ends_at_the_deadline(start, monkeypatch):
    with Raw(drip(start, byte=b"x")) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("NO_PROXY", "")
        text = fault_of("https://api.invalid/v1", deadline=0.3)
    assert "it was not whole after 0.3 s" in text


ASKS = """
import sys
sys.path.insert(0, "tests")
from experiment import WORLD, tasks
from react_lab import models
from react_lab.evaluation import evaluate
from react_lab.types import Ask
model = models.openai("m", sys.argv[1], api="completions")
"""
STOPPED = {  # what waits, the server's first words, and what it then drips
    "a call": ("model.complete(Ask('Q'))", OK, b" "),
    "a stream": ("model.complete(Ask('Q'), print)", STREAM, b": wait\n\n"),
    # what is under way goes on behind its back, but no longer than the deadline
    "an evaluation": ("model.deadline = 1.5; evaluate('cot', tasks(9), model, sys.argv[2], world=WORLD, workers=2, progress=False)", OK, b" "),
}  # fmt: skip


@pytest.mark.parametrize("what", STOPPED)
def test_one_stop_ends_a_program_that_waits_for_a_server_that_drips(what, tmp_path):
    code, start, drops = STOPPED[what]
    many = 2 if what == "an evaluation" else 1
    with Raw(drip(start + b"\r\n", byte=drops)) as server:
        command = [sys.executable, "-c", ASKS + code, server.url, str(tmp_path / "r.jsonl")]
        with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as child:
            until(lambda: server.asked >= many and server.sent > 80)
            child.send_signal(signal.SIGINT)
            _, error = child.communicate(timeout=60)
    assert child.returncode and "KeyboardInterrupt" in error and server.asked < 9


# ---- how large it is -----------------------------------------------------------------------------
def endless(start, piece):
    return lambda sock: itertools.chain([start], itertools.repeat(piece))


CHUNK = b"10000\r\n" + b" " * 65536 + b"\r\n"
SIZES = {
    "a body": endless(OK + b"\r\n", b" " * 65536),
    "chunks": endless(OK + b"Transfer-Encoding: chunked\r\n\r\n", CHUNK),
    "trailers": endless(OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"a: b\r\n" * 9999),
    "100 Continue": endless(b"", b"HTTP/1.1 100 Continue\r\nX: " + b"x" * 4096 + b"\r\n\r\n"),
    "a refusal": endless(b"HTTP/1.1 500 Oh\r\n\r\n", b" " * 65536),
    "a stream's comments": endless(STREAM + b"\r\n", b": " + b"wait" * 9999 + b"\n\n"),
    "a stream's line": endless(STREAM + b"\r\n", b"data: " + b" " * 65536),
    "headers": endless(OK, b"a: b\r\n" * 999),
    "a long header": endless(OK, b"x" * 65536),
}  # fmt: skip


@pytest.mark.parametrize("what", SIZES)
def test_what_has_no_end_is_not_read_to_memory_s_limit(what):
    with Raw(SIZES[what]) as server:
        text = fault_of(server.url, print if "stream" in what else None, attempts=3)
        assert server.asked == 1 and server.sent < 30e6
    words = {"trailers": "headers without an end", "100 Continue": "more than 1 MB"}
    assert words.get(what, "more than 16 MB") in text or "header" in what


@pytest.mark.parametrize("status", [b"200 OK", b"500 Oh"])
def test_a_bomb_ends_at_the_same_limit(status):
    body = gzip.compress(bytes(40_000_000))
    whole = plain(body, b"Content-Encoding: gzip\r\n").replace(b"200 OK", status, 1)
    with Raw(lambda sock: [whole]) as server:
        assert "more than 16 MB" in fault_of(server.url, attempts=3)
        assert server.asked == 1
    sizes = []
    with pytest.raises(Failed):
        limits = Limits(60, 60)
        limits.may_have(LARGEST)
        for piece in unpacked([body], limits):
            sizes.append(len(piece))
    assert max(sizes) < 100_000 and sum(sizes) <= 16e6


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(("name", "packed"), [
    (b"gzip", gzip.compress), (b"X-GZIP", gzip.compress), (b"deflate", zlib.compress),
    *((name, bytes) for name in (b"", b"identity", b"none", b"utf-8")),
])  # fmt: skip
def test_what_a_gateway_compresses_is_read(name, packed, streamed):
    """It was not asked for, but is paid for."""
    body = json.dumps(GOOD.body | {"more": "x" * 200_000}).encode()
    if streamed:
        body = b"data: " + body + b"\n\ndata: [DONE]\n\n"
    with Raw(lambda sock: [plain(packed(body), b"Content-Encoding: %s\r\n" % name)]) as server:
        model = models.openai("m", server.url, api="completions")
        for _ in range(2):
            (reply,) = model.complete(ASK, [].append if streamed else None).values()
            assert (reply.text, reply.tokens_out) == (" so\nAnswer: Black Sea", 6)


@pytest.mark.parametrize(("name", "packed", "words"), [
    *((name, b"x", (name.decode(), "the gateway", "cost again"))
      for name in (b"br", b"zstd", b"gzip, br", b"compress")),
    *((b"gzip", packed, ()) for packed in (b"\x1f\x8bdamaged" * 9, gzip.compress(b"{}" * 99)[:20])),
], ids=range(6))  # fmt: skip
def test_what_cannot_be_unpacked_names_the_gateway_and_damage_is_a_sentence(name, packed, words):
    with Raw(lambda sock: [plain(packed, b"Content-Encoding: %s\r\n" % name)]) as server:
        text = fault_of(server.url, attempts=3)
        assert server.asked == 1
    assert all(word in text for word in words)


@pytest.mark.parametrize("news", [b"100 Continue", b"102 Processing", b"103 Early Hints"])
def test_the_answer_comes_after_the_news_of_it(news):
    body = plain(json.dumps(GOOD.body).encode())
    start = b"HTTP/1.1 " + news + b"\r\nLink: </a>\r\n\r\n"
    with Raw(lambda sock: [start, start + body]) as server:
        model = models.openai("m", server.url, api="completions")
        assert [model.complete(ASK)[0].text for _ in range(2)] == [" so\nAnswer: Black Sea"] * 2


# ---- where it leads ------------------------------------------------------------------------------
def moved(status, to):
    return Answer(b"", status, {"Location": to})


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_to_another_server(status, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-0123456789")
    with Stub([GOOD]) as other, Stub([moved(status, other.url + "/completions?key=sk-x")]) as stub:
        text = fault_of(stub.url, attempts=5)
        assert len(stub.asked) == 1 and not other.asked
    assert f"HTTP {status}" in text and f"a redirect to '{other.url}/completions'" in text
    assert "base_url" in text and "sk-" not in text


@pytest.mark.parametrize("to", ["http://[::1/x", "/\xff", "/v1/completions", ""])
def test_no_redirect_is_followed(to):
    with Stub([moved(307, to)]) as stub:
        assert "HTTP 307 (a redirect to" in fault_of(stub.url, attempts=5)
        assert len(stub.asked) == 1


def test_a_proxy_for_the_web_is_asked(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    with Stub([GOOD]) as proxy:
        address = proxy.url.removesuffix("/v1").replace("//", "//me:pass%21@")
        monkeypatch.setenv("HTTP_PROXY", address)
        monkeypatch.setenv("NO_PROXY", "")
        model = models.openai("m", "http://api.invalid/v1", api="completions")
        assert model.complete(ASK)[0].text
        (asked,) = proxy.asked
    assert asked.path == "http://api.invalid/v1/completions"
    assert asked.headers["proxy-authorization"] == "Basic bWU6cGFzcyE="
    monkeypatch.setenv("HTTP_PROXY", "socks5://127.0.0.1:9")
    assert "does not begin with http://" in fault_of("http://api.invalid/v1")


# ---- whom it belongs to --------------------------------------------------------------------------
def test_every_reply_belongs_to_its_ask():
    """64 at once, of a server that answers in any order."""
    pick = random.Random(1)

    def make(request):
        return replace(completion("echo " + request.body["prompt"]), delay=pick.random() / 50)

    with Stub(make) as stub, ThreadPoolExecutor(64) as pool:
        model = models.openai("m", stub.url, api="completions")
        asks = [replace(ASK, prompt=f"number {i}") for i in range(640)]
        said = list(pool.map(lambda ask: model.complete(ask)[0].text, asks))
    assert said == [f"echo number {i}" for i in range(640)]


def test_what_comes_late_belongs_to_nobody():
    """The answer to a request that was given up, a second answer to one, two that come together."""
    late, both, turns = threading.Event(), threading.Event(), itertools.count()

    def answer(text):
        return plain(json.dumps(completion(text).body).encode())

    def sends(sock):
        turn = next(turns)
        if turn == 0:
            late.wait(60)
        yield answer(f"answer {turn}")
        if turn == 1:
            late.set()
            yield answer("a second answer")
            both.set()

    with Raw(sends) as server:
        model = models.openai("m", server.url, api="completions", timeout=0.5, deadline=60)
        said = [model.complete(ASK)[0].text]
        assert both.wait(60)
        said += [model.complete(ASK)[0].text for _ in range(2)]
    assert len(set(said)) == 3 and not {"answer 0", "a second answer"} & set(said)
    turns = itertools.count()
    with Raw(lambda sock: [answer(f"to {next(turns)}") + answer("to nobody")]) as server:
        model = models.openai("m", server.url, api="completions")
        assert [model.complete(ASK)[0].text for _ in range(5)] == [f"to {k}" for k in range(5)]


# ---- TLS -----------------------------------------------------------------------------------------
@contextmanager
def secure(name="127.0.0.1", **more):
    trustme = pytest.importorskip("trustme", reason="certificates are made by trustme")
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name, **more).configure_cert(context)
    body = json.dumps(GOOD.body).encode()
    with Raw(lambda sock: [plain(body)], context) as server:
        yield server, authority


@pytest.fixture
def key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-0123456789")
    return "sk-secret"


def test_certificates_that_are_trusted_and_that_are_not(key, monkeypatch, tmp_path):
    from datetime import UTC, datetime, timedelta

    with secure() as (server, _):
        text = fault_of(server.url, attempts=3)
        assert "signed by nobody that this machine trusts" in text and "SSL_CERT_FILE" in text
        assert key not in text and server.asked == 0
    day, now = timedelta(days=1), datetime.now(UTC)
    cases = {"has expired": {"not_after": now - day}, "is not valid yet": {"not_before": now + day}}
    for words, more in (cases | {"is for another": {"name": "example.org"}}).items():
        with secure(**more) as (server, authority):
            authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
            assert words in fault_of(server.url, attempts=3)
            assert server.asked == 0
    with secure() as (server, authority):
        authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        model = models.openai("m", server.url, api="completions")
        assert [model.complete(ASK)[0].text for _ in range(3)] == [" so\nAnswer: Black Sea"] * 3


def test_plain_where_tls_is_spoken_and_the_reverse(key):
    with Stub([GOOD]) as stub:
        text = fault_of(stub.url.replace("http:", "https:"), attempts=3)
        assert "does not speak TLS" in text and "http://" in text
    with secure() as (server, _):
        text = fault_of(server.url.replace("https:", "http:"))
        assert "https://" in text


def relayed(sock, to):
    """Hands on what comes, until no more does."""
    with suppress(OSError):
        while data := sock.recv(65536):
            to.sendall(data)
        to.shutdown(socket.SHUT_WR)


@pytest.mark.usefixtures("key")
@pytest.mark.parametrize("streamed", [False, True])
def test_https_through_a_proxy(streamed, monkeypatch, tmp_path):
    """It is asked for a way to the server, and sees no more of what is said."""
    heads = []

    with secure("api.invalid") as (server, authority):

        class Relay(socketserver.StreamRequestHandler):
            def handle(self):
                head = b"".join(iter(self.rfile.readline, b"\r\n"))
                heads.append(head)
                with socket.create_connection(("127.0.0.1", server.port)) as far:
                    self.wfile.write(b"HTTP/1.1 200 Connection established\r\nVia: 1.1 a\r\n\r\n")
                    there = threading.Thread(target=relayed, args=(self.connection, far))
                    there.start()
                    relayed(far, self.connection)
                    there.join()

        authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        monkeypatch.setenv("NO_PROXY", "")
        if streamed:
            server.sends = lambda sock: [plain(EVENTS)]
        with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Relay) as proxy:
            proxy.daemon_threads = True
            threading.Thread(target=proxy.serve_forever, args=(0.01,), daemon=True).start()
            port = proxy.server_address[1]
            monkeypatch.setenv("HTTPS_PROXY", f"http://me:pass%21@127.0.0.1:{port}")
            model = models.openai("m", "https://api.invalid:444/v1", api="completions")
            heard = [].append if streamed else None
            texts = [model.complete(ASK, heard)[0].text for _ in range(3)]
            proxy.shutdown()
            del model  # its connection ends
    assert set(texts) == {" so it" if streamed else " so\nAnswer: Black Sea"}
    (head,) = heads  # one connection for all
    assert head.startswith(b"CONNECT api.invalid:444 HTTP/1.")
    assert b"Proxy-Authorization: Basic bWU6cGFzcyE=\r\n" in head and b"sk-" not in head
