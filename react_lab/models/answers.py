"""From a server's answer to `Reply` objects: the same for all three APIs, streamed or not.

Read strictly, as raw bytes, for exactly what we use of it. A part of the wrong type spoils its
reply and no other; what no reply needs, like a count of tokens, is taken as not told.
"""

from __future__ import annotations

import codecs
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

from ..records import encode, shallow
from ..types import Reply
from .faults import Fault, fault_named

T = TypeVar("T")
Told = TypeVar("Told", "Body", "Response", "Happened")
Json = dict[str, Any]
OnText = Callable[[str], None]
Name = Annotated[str, Meta(max_length=1000)]
Count = Annotated[int, Meta(ge=0, le=2**40)]
WHY: Mapping[str, Any] = {"length": "length", "content_filter": "filtered", "refusal": "refused"}
TEXTS = ("text", "content", "reasoning_content", "reasoning", "refusal")
NOTHING = Raw(b"null")
MOST = 1_000_000  # bytes of an answer that is put right
FALSY = (b"null", b'""', b"false", b"{}", b"[]", b"0")
LINE_END = re.compile(rb"\r\n?|\n")
BROKEN = "the stream broke off"


def text_or_none(value: object, most: int = sys.maxsize) -> str | None:
    return value if isinstance(value, str) and len(value) <= most else None


class Piece(Struct):
    text: str | None = None


class Part(Struct):
    """What is said: chat keeps it in a message, or in the delta of a stream."""

    text: str | list[Piece] | None = None
    content: str | list[Piece] | None = None
    refusal: str | None = None
    reasoning_content: Any = None
    reasoning: Any = None
    tool_calls: Any = None

    def __post_init__(self) -> None:
        self.reasoning_content = text_or_none(self.reasoning_content)
        self.reasoning = text_or_none(self.reasoning)
        calls = self.tool_calls if isinstance(self.tool_calls, list) else []
        whole = all(isinstance(call, dict) for call in calls) and shallow(calls)
        self.tool_calls = calls if whole else None


class Choice(Part):
    index: Any = None
    finish_reason: Name | None = None
    message: Part | None = None
    delta: Part | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        number = self.index if type(self.index) in (int, float) else -1
        self.index = int(number) if 0 <= number <= 10**6 and number % 1 == 0 else None

    @property
    def part(self) -> Part:
        return self.message or self.delta or self

    @property
    def speaks(self) -> bool:
        said = any(getattr(self.part, name) is not None for name in TEXTS)
        return said or bool(self.finish_reason or self.part.tool_calls)


class Usage(Struct):
    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    input_tokens: Count | None = None  # as the Responses API calls them
    output_tokens: Count | None = None

    def __post_init__(self) -> None:
        if self.prompt_tokens is None:
            self.prompt_tokens = self.input_tokens
        if self.completion_tokens is None:
            self.completion_tokens = self.output_tokens


class Body(Struct):
    """A whole answer, or a chunk of a stream."""

    choices: list[Choice] | None = None
    model: Any = None
    system_fingerprint: Any = None
    usage: Raw = NOTHING
    error: Raw = NOTHING

    def __post_init__(self) -> None:
        self.model = text_or_none(self.model, most=1000)
        self.system_fingerprint = text_or_none(self.system_fingerprint, most=1000)

    @property
    def tokens(self) -> Usage:
        try:
            return msgspec.json.decode(self.usage, type=Usage | None) or Usage()
        except (ValueError, RecursionError):
            return Usage()


class Bill(Struct):
    """What can be read of an answer that is no reply."""

    usage: Usage | None = None


BODY, BILL = msgspec.json.Decoder(Body), msgspec.json.Decoder(Bill)


class Tokens(Struct):
    """What llama.cpp makes of a text."""

    tokens: list[int]


def tokens_in(data: bytes) -> int | None:
    try:
        return len(msgspec.json.decode(data, type=Tokens).tokens)
    except (ValueError, RecursionError):
        return None


def read(data: bytes) -> Body:
    """A whole answer, or a Fault that says what is there instead, and what it has cost."""
    with billed(data):
        body = decoded(BODY, data)
        if not body.choices:
            raise Fault(200, message="no choices")
        if not all(choice.speaks for choice in body.choices):
            raise Fault(200, message="a choice that has no text")
        return body


@contextmanager
def billed(data: bytes) -> Iterator[None]:
    """An answer that is of no use has been paid for all the same."""
    try:
        yield
    except Fault as fault:
        with suppress(ValueError, RecursionError):
            fault.paid = bill(strictly(BILL, data).usage or Usage())
        raise


def decoded(decoder: msgspec.json.Decoder[Told], data: bytes) -> Told:
    """What is in JSON, if it is of that shape and no error."""
    try:
        found = strictly(decoder, data)
    except msgspec.ValidationError as error:
        raise Fault(200, message=f"JSON of another shape ({error})") from None
    except (ValueError, RecursionError):
        raise Fault(200, message=what_is(data)) from None
    if bytes(found.error) not in FALSY:
        raise error_in(bytes(found.error))
    return found


def error_in(data: bytes) -> Fault:
    fault = fault_named(data)
    return replace(fault, message=f"an error: {fault.message}")


def strictly(decoder: msgspec.json.Decoder[T], data: bytes) -> T:
    """What is in JSON, also where only others would read it: half characters, NaN, odd bytes."""
    try:
        return decoder.decode(data)
    except (ValueError, RecursionError) as error:
        if isinstance(error, msgspec.ValidationError) or len(data) > MOST:
            raise
        found = json.loads(data.decode("utf-8-sig", "replace"), parse_constant=lambda name: None)
        return decoder.decode(encode(found))


def what_is(data: bytes) -> str:
    """What stands where JSON was promised."""
    start = data[:100].lstrip()
    page = "a web page, as if base_url lacked its end (usually /v1)"
    return "an empty body" if not start else page if start.startswith(b"<") else "broken JSON"


def bill(usage: Usage) -> Reply | None:
    """What an answer has cost, if the server says it."""
    known = usage.prompt_tokens is not None or usage.completion_tokens is not None
    return Reply("", "stop", usage.prompt_tokens, usage.completion_tokens) if known else None


def replies_in(body: Body, settings: Json, wanted: int) -> tuple[Reply, ...]:
    """At most `wanted` replies, whose token counts and `attempts` add up to the server's own.

    So the first reply carries the prompt's tokens and the attempts; all share the tokens written.
    """
    choices = distinct(body.choices or [])[:wanted]
    tokens = counts(body.tokens, len(choices))
    told = [settings, *[settings | {"attempts": 0}] * (len(choices) - 1)]
    about = {"fingerprint": body.system_fingerprint}
    return tuple(
        reply_in(choice, tokens_in=read, tokens_out=wrote, settings=each, **about)
        for choice, (read, wrote), each in zip(choices, tokens, told, strict=False)
    )


def counts(usage: Usage, n: int) -> list[tuple[int | None, int | None]]:
    """Tokens in and out for each of n replies. What the server does not count is None, never 0."""
    read, wrote = usage.prompt_tokens, usage.completion_tokens
    ins = [None] * n if read is None else [read, *[0] * (n - 1)]
    outs = [None] * n if wrote is None else [wrote // n + (i < wrote % n) for i in range(n)]
    return list(zip(ins, outs, strict=True))


def distinct(choices: list[Choice]) -> list[Choice]:
    """Every choice once, in the order of their indices: some servers send one twice."""
    found: dict[tuple[int, str | None], Choice] = {}
    for place, choice in enumerate(choices):
        index = choice.index
        key = (place, None) if index is None else (index, words(choice.part))
        found.setdefault(key, choice)
    return [found[key] for key in sorted(found, key=lambda key: key[0])]


def reply_in(choice: Choice, **about: Any) -> Reply:
    part = choice.part
    text, thoughts = apart(words(part))
    return Reply(
        text=text or part.refusal or "",
        why="refused" if part.refusal else WHY.get(choice.finish_reason or "", "stop"),
        reasoning=part.reasoning_content or part.reasoning or thoughts,
        tool_calls=tuple(part.tool_calls or ()),
        **about,
    )


def words(part: Part) -> str:
    """The text of a message or choice; some servers send it as a list of pieces, or null."""
    return joined(part.content or part.text or "")


def joined(text: str | list[Piece]) -> str:
    return text if isinstance(text, str) else "".join(piece.text or "" for piece in text)


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


def gathered(events: Iterable[bytes], on_text: OnText) -> Body:
    """A stream put together into the body that an unstreamed request would have got."""
    body, choice, said, calls = Body(), Choice(), dict[str, list[str]](), Calls()
    with heard(on_text, body) as relay:
        for event in some(events):
            chunk = decoded(BODY, event)
            for name in ("model", "system_fingerprint"):
                setattr(body, name, getattr(chunk, name) or getattr(body, name))
            body.usage = body.usage if bytes(chunk.usage) == b"null" else chunk.usage
            for piece in chunk.choices or ():
                if not piece.index:  # one was asked for
                    add(choice, said, piece)
                    calls.add(piece.part.tool_calls or ())
                    relay(words(piece.part))
        if not choice.finish_reason:
            raise Fault(message=BROKEN)
    for name, texts in said.items():
        setattr(choice, name, "".join(texts))
    choice.tool_calls = calls.whole()
    body.choices = [choice]
    return body


@contextmanager
def heard(on_text: OnText, body: Body) -> Iterator[Relay]:
    """Hand on a stream as it comes; where a part of it was heard, it is not asked for again."""
    relay = Relay(on_text)
    try:
        yield relay
    except Fault as fault:
        fault.final = fault.final or relay.began
        fault.paid = fault.paid or bill(body.tokens)
        raise
    relay("", last=True)


def some(events: Iterable[bytes]) -> Iterator[bytes]:
    """The events of a stream, which has at least one."""
    event = None
    for event in events:
        yield event
    if event is None:
        raise Fault(400, param="stream", message="no stream, though one was asked for")


def add(choice: Choice, said: dict[str, list[str]], piece: Choice) -> None:
    """One more piece of a streamed choice; `said` are its texts, in pieces."""
    for name in TEXTS:
        if more := getattr(piece.part, name):
            said.setdefault(name, []).append(joined(more))
    choice.finish_reason = piece.finish_reason or choice.finish_reason


# ------------------------------------------------------------------ the Responses API


class Words(Struct):
    """What is said, or in private thought, in an item."""

    text: str | None = None
    refusal: str | None = None


class Item(Struct):
    type: str = ""
    content: list[Words] | None = None
    summary: list[Words] | None = None
    call_id: Any = None
    name: Any = None
    arguments: Any = None

    def words(self, part: str) -> list[str]:
        every = [*(self.summary or ()), *(self.content or ())]
        return [text for one in every if (text := getattr(one, part))]


class Reason(Struct):
    reason: Name | None = None


class Response(Struct):
    """A whole answer of the Responses API."""

    output: list[Item] | None = None
    status: Name | None = None
    incomplete_details: Reason | None = None
    model: Any = None
    usage: Raw = NOTHING
    error: Raw = NOTHING

    @property
    def body(self) -> Body:
        """It, as the chat API would have put it."""
        items = self.output or []
        said = [item for item in items if item.type == "message"]
        calls = [item for item in items if item.type == "function_call"]
        thoughts = [item for item in items if item.type == "reasoning"]
        details = self.incomplete_details or Reason()
        choice = Choice(
            text="".join(text for item in said for text in item.words("text")),
            refusal="".join(text for item in said for text in item.words("refusal")) or None,
            reasoning="\n\n".join(t for item in thoughts for t in item.words("text")) or None,
            tool_calls=[called(call.call_id, call.name, call.arguments) for call in calls],
            finish_reason=CUT.get(details.reason or "", details.reason) or "stop",
        )
        return Body([choice], self.model, usage=self.usage)


class Happened(Struct):
    """One event of a stream of the Responses API."""

    type: Name = ""
    delta: Any = None
    response: Raw = NOTHING
    error: Raw = NOTHING


CUT = {"max_output_tokens": "length"}
LAST = ("response.completed", "response.incomplete", "response.failed")
RESPONSE, HAPPENED = msgspec.json.Decoder(Response), msgspec.json.Decoder(Happened)


def read_response(data: bytes) -> Body:
    """A whole answer of the Responses API as a body of the chat API, or a Fault as in `read`."""
    with billed(data):
        found = decoded(RESPONSE, data)
        if found.output is None or (not found.output and found.status != "incomplete"):
            raise Fault(200, message="no output")
        return found.body


def gathered_response(events: Iterable[bytes], on_text: OnText) -> Body:
    """What a stream of the Responses API ends with: the answer as a whole stands there."""
    with heard(on_text, Body()) as relay:
        for event in some(events):
            told = decoded(HAPPENED, event)
            if told.type == "response.output_text.delta" and isinstance(told.delta, str):
                relay(told.delta)
            elif told.type == "error":
                raise error_in(event)
            elif told.type in LAST:
                return read_response(bytes(told.response))
        raise Fault(message=BROKEN)


# ------------------------------------------------------------------ called

MOST_CALLS = 64  # calls of one answer; a stream without end fills no memory


def called(id: Any, name: Any, arguments: Any) -> Json:
    """A call in the words of the chat API."""
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


class Calls:
    """The calls of one streamed answer, as they would have come in one piece."""

    def __init__(self) -> None:
        self.parts: dict[int, dict[str, list[str]]] = {}
        self.last = 0

    def add(self, pieces: Iterable[Mapping[str, Any]]) -> None:
        for piece in pieces:
            index = piece.get("index")
            if type(index) is not int:  # some servers send whole calls, and no index
                index = len(self.parts) if piece.get("id") else self.last
            if index not in self.parts and len(self.parts) >= MOST_CALLS:
                continue
            self.last = index
            told = piece.get("function")
            told = told if isinstance(told, Mapping) else {}
            call = self.parts.setdefault(index, {"id": [], "name": [], "arguments": []})
            for name, text in (("id", piece.get("id")), *told.items()):
                if name in call and isinstance(text, str):
                    call[name].append(text)

    def whole(self) -> list[dict[str, Any]] | None:
        """The calls in their order. An id or a name that is sent again and again is said once."""
        if not self.parts:
            return None
        calls = [self.parts[index] for index in sorted(self.parts)]
        return [
            called(once(call["id"]), once(call["name"]), "".join(call["arguments"]))
            for call in calls
        ]


def once(pieces: list[str]) -> str:
    return pieces[0] if len(set(pieces)) == 1 else "".join(pieces)


# ------------------------------------------------------------------ thinking

THINKING = re.compile(r"<think>(.*?)(?:</think>\s*|\Z)", re.S)
TAG, TAGS = re.compile("(</?think>)"), ("<think>", "</think>")


def apart(text: str) -> tuple[str, str | None]:
    """What a model says, and apart from it what it thought."""
    if "<think>" not in text and "</think>" not in text:
        return text, None
    if "<think>" not in text.partition("</think>")[0]:
        text = "<think>" + text  # some servers keep the opening tag on the prompt's side
    return THINKING.sub("", text), "\n".join(THINKING.findall(text)).strip() or None


class Relay:
    """Hands on a streamed answer piece by piece, without what is thought in private.

    What was handed on before a `</think>` that nothing opened turns out to be a thought: the answer
    begins after it.
    """

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self.on_text = on_text
        self.began = False  # a part of the answer has been handed on
        self.tagged = self.inside = False  # there was a tag; this is a thought
        self.trim = False  # a thought has ended: the white space behind it goes with it
        self.held = ""  # the end of what came, which may be the start of a tag

    def __call__(self, piece: str, last: bool = False) -> None:
        text = self.held + piece
        end = len(text) if last else len(text) - begun(text, TAGS)
        self.held = text[end:]
        if answer := "".join(map(self.said, TAG.split(text[:end]))):
            self.began = True
            self.on_text(answer)

    def said(self, part: str) -> str:
        """What of a text, or of a tag, belongs to the answer."""
        if part == "<think>" or (part == "</think>" and (self.inside or not self.tagged)):
            self.tagged, self.inside = True, part == "<think>"
            self.trim = not self.inside
            return ""
        if self.inside:
            return ""
        answer = part.lstrip() if self.trim else part
        self.trim = self.trim and not answer
        return answer


def begun(text: str, forms: Sequence[str]) -> int:
    """How many letters at the end of a text may be the start of one of these."""
    most = max(map(len, forms))
    ends = (text[-k:] for k in range(min(most - 1, len(text)), 0, -1))
    return next((len(end) for end in ends if any(form.startswith(end) for form in forms)), 0)
