"""From a server's answer to `Reply` objects: the same for all three APIs, streamed or not.

Of what came we take exactly what we use. A part of the wrong type spoils its reply and no other;
what no reply needs, like a count of tokens, is taken as not told.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import msgspec

from ..records import encode, parsed, shallow
from ..types import OnText, Reply
from .faults import Fault, fault_saying

T = TypeVar("T")
Json = dict[str, Any]
WHY: Mapping[str, Any] = {
    "length": "length", "max_output_tokens": "length", "content_filter": "filtered",
    "refusal": "refused",
}  # fmt: skip
LONGEST = 1000  # characters of a name
MOST_TOKENS = 1 << 40
MOST_CALLS = 64  # of one streamed answer: one without end fills no memory


@dataclass
class Said:
    """What a choice says, or a piece of one; None is said by nobody."""

    index: int | None = field(default=None, compare=False)
    text: str | None = None
    refusal: str | None = None
    thoughts: str | None = None
    calls: list[Json] = field(default_factory=list)
    why: str | None = None


@dataclass
class Body:
    """A whole answer, or a chunk of a stream."""

    choices: list[Said] = field(default_factory=list)
    model: str | None = None
    fingerprint: str | None = None
    tokens: tuple[int | None, int | None] = (None, None)  # read and written

    def note(self, found: Json) -> None:
        """What an answer says of itself; of a stream, what its last chunks say. A Fault, if that is
        that it is an error.
        """
        model, mark = (text_or_none(found.get(n), LONGEST) for n in ("model", "system_fingerprint"))
        self.model, self.fingerprint = model or self.model, mark or self.fingerprint
        if isinstance(usage := found.get("usage"), dict):
            self.tokens = (
                count_in(usage, "prompt_tokens", "input_tokens"),  # as the Responses API says it
                count_in(usage, "completion_tokens", "output_tokens"),
            )
        if error := found.get("error"):
            fault = fault_saying(error)
            raise replace(fault, message=f"an error: {fault.message}")


def text_or_none(value: object, most: int = sys.maxsize) -> str | None:
    return value if isinstance(value, str) and len(value) <= most else None


def count_in(usage: Json, *names: str) -> int | None:
    counts = (usage.get(name) for name in names)
    return next((n for n in counts if type(n) is int and 0 <= n <= MOST_TOKENS), None)


def of_type(value: Any, wanted: type[T]) -> T:
    """The value, or a Fault where it is of another type."""
    if isinstance(value, wanted):
        return value
    found = f"{type(value).__name__} in place of {wanted.__name__}"
    raise Fault(200, message=f"JSON of another shape ({found})")


def listed(value: Any) -> list[Any]:
    return [] if value is None else of_type(value, list)


def text_in(value: Any) -> str | None:
    """A text; some servers send it as a list of pieces."""
    if value is None or isinstance(value, str):
        return value
    return "".join(text_in(of_type(piece, dict).get("text")) or "" for piece in listed(value))


def tokens_in(data: bytes) -> int | None:
    with suppress(ValueError, AttributeError):
        tokens = parsed(data).get("tokens")
        return len(tokens) if isinstance(tokens, list) else None
    return None


def choices_in(found: Json) -> list[Said]:
    """The choices of an answer of the chat and completions APIs."""
    choices = [said_in(choice) for choice in listed(found.get("choices"))]
    if not choices:
        raise Fault(200, message="no choices")
    if Said() in choices:
        raise Fault(200, message="a choice that has no text")
    return choices


def read(data: bytes, choices_of: Callable[[Json], list[Said]] = choices_in) -> Body:
    """A whole answer, or a Fault that says what is there instead, and what it has cost."""
    found, body = object_in(data), Body()
    with billed(body):
        body.note(found)
        body.choices = choices_of(found)
        return body


@contextmanager
def billed(body: Body) -> Iterator[None]:
    """An answer that is of no use has been paid for all the same."""
    try:
        yield
    except Fault as fault:
        known = body.tokens != (None, None)
        fault.paid = fault.paid or (Reply("", "stop", *body.tokens) if known else None)
        raise


def object_in(data: bytes) -> Json:
    """The object in JSON, also where only others would read it: half characters, NaN, odd bytes."""
    try:
        try:
            found = msgspec.json.decode(data)
        except ValueError:
            told = data.decode("utf-8-sig", "replace")
            found = msgspec.json.decode(encode(json.loads(told, parse_constant=lambda name: None)))
    except (ValueError, RecursionError):
        start = data[:100].lstrip()
        page = "a web page, as if base_url lacked its end (usually /v1)"
        what = "an empty body" if not start else page if start[:1] == b"<" else "broken JSON"
        raise Fault(200, message=what) from None
    return of_type(found, dict)


def said_in(choice: Any) -> Said:
    """What a choice says; chat keeps it in a message, or in the delta of a stream."""
    part = of_type(choice, dict).get("message") or choice.get("delta") or choice
    content = text_in(of_type(part, dict).get("content"))
    refusal, calls, number = part.get("refusal"), part.get("tool_calls"), choice.get("index")
    thoughts = [text_or_none(part.get(name)) for name in ("reasoning_content", "reasoning")]
    dicts = isinstance(calls, list) and all(isinstance(call, dict) for call in calls)
    return Said(
        number if type(number) is int and 0 <= number <= 10**6 else None,
        text_in(part.get("text")) if content is None else content,
        None if refusal is None else of_type(refusal, str),
        thoughts[0] or thoughts[1],
        calls if dicts and shallow(calls) else [],
        text_or_none(choice.get("finish_reason"), LONGEST) or None,
    )


def replies_in(body: Body, settings: Json, wanted: int) -> tuple[Reply, ...]:
    """At most `wanted` replies, whose token counts and `attempts` add up to the server's own.

    So the first reply carries the prompt's tokens and the attempts; all share the tokens written.
    What the server does not count is None, never 0.
    """
    choices = sorted(body.choices, key=lambda said: said.index or 0)[:wanted]
    n, (read, wrote), replies = len(choices), body.tokens, []
    for i, said in enumerate(choices):
        text, thoughts = apart(said.text or "")
        replies.append(Reply(
            text or said.refusal or "",
            "refused" if said.refusal else WHY.get(said.why or "", "stop"),
            read if i == 0 or read is None else 0,
            None if wrote is None else wrote // n + (i < wrote % n),
            settings if i == 0 else settings | {"attempts": 0},
            body.fingerprint,
            said.thoughts or thoughts,
            tuple(said.calls),
        ))  # fmt: skip
    return tuple(replies)


# ------------------------------------------------------------------ streams


def events_in(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """What a stream of server-sent events says, up to its [DONE]; each says it in one line."""
    begun: list[bytes] = []  # a line of which more is to come
    for piece in pieces:
        first, *others = piece.split(b"\n")
        begun.append(first)
        for line in others:
            kind, _, data = b"".join(begun).partition(b":")
            begun = [line]
            if kind == b"data" and (data := data.strip()):  # else it only keeps the line open
                if data == b"[DONE]":
                    return
                yield data


def gathered(events: Iterable[bytes], relay: Relay) -> Body:
    """A stream put together into the body that an unstreamed request would have got."""
    body, whole, calls, event = Body(), Said(), Calls(), None
    texts: dict[str, list[str]] = {"text": [], "refusal": [], "thoughts": []}
    try:
        with billed(body):
            for event in events:
                body.note(chunk := object_in(event))
                for piece in map(said_in, listed(chunk.get("choices"))):
                    if not piece.index:  # one was asked for
                        for name, pieces in texts.items():
                            pieces.append(getattr(piece, name) or "")
                        whole.why = piece.why or whole.why
                        calls.add(piece.calls)
                        relay(piece.text or "")
            if event is None:
                raise Fault(400, param="stream", message="no stream, though one was asked for")
            if not whole.why:
                raise Fault(message="the stream broke off")
    except Fault as fault:
        fault.final = fault.final or relay.began  # what was heard is not asked for again
        raise
    relay("", last=True)
    for name, pieces in texts.items():
        setattr(whole, name, "".join(pieces) or None)
    whole.calls, body.choices = calls.whole(), [whole]
    return body


# ------------------------------------------------------------------ the Responses API


def output_in(found: Json) -> list[Said]:
    """The one choice of an answer of the Responses API, whose parts stand in a list."""
    output = listed(found.get("output"))
    if not output and (found.get("status") != "incomplete" or found.get("output") is None):
        raise Fault(200, message="no output")
    items: dict[str, list[Json]] = defaultdict(list)
    for item in output:
        items[of_type(of_type(item, dict).get("type", ""), str)].append(item)
    details, calls = found.get("incomplete_details"), items["function_call"]
    reason = details.get("reason") if isinstance(details, dict) else None
    said = Said(
        text="".join(words_in(items["message"], "text")),
        refusal="".join(words_in(items["message"], "refusal")) or None,
        thoughts="\n\n".join(words_in(items["reasoning"], "text")) or None,
        calls=[called(c.get("call_id"), c.get("name"), c.get("arguments")) for c in calls],
        why=text_or_none(reason) or "stop",
    )
    return [said]


def words_in(items: Iterable[Json], name: str) -> Iterator[str]:
    for item in items:
        for one in (*listed(item.get("summary")), *listed(item.get("content"))):
            if text := of_type(one, dict).get(name):
                yield of_type(text, str)


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

    def whole(self) -> list[Json]:
        """The calls in their order. An id or a name that is sent again and again is said once."""
        calls = [self.parts[index] for index in sorted(self.parts)]
        return [called(once(c["id"]), once(c["name"]), "".join(c["arguments"])) for c in calls]


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
    """Hands on a streamed answer as it comes, without the key and what is thought in private.

    What was handed on before a `</think>` that nothing opened turns out to be a thought: the answer
    begins after it.
    """

    def __init__(self, on_text: OnText, secret: Sequence[str] = ()) -> None:
        self.on_text, self.secret = on_text, secret
        self.began = False  # a part of the answer has been handed on
        self.inside = self.trim = False  # this is a thought; one has ended, or white space after it
        self.held = ""  # the end of what came, which may be the start of a tag or of the key

    def __call__(self, piece: str, last: bool = False) -> None:
        text = self.held + piece
        for form in self.secret:
            text = text.replace(form, "***")
        begun = max(begins_at_end(text, mark) for mark in (*TAGS, *self.secret))
        end = len(text) - (0 if last else begun)
        self.held = text[end:]
        for part in TAG.split(text[:end]):
            if part in TAGS:
                self.inside, self.trim = part == TAGS[0], True
            elif not self.inside and (answer := part.lstrip() if self.trim else part):
                self.began, self.trim = True, False
                self.on_text(answer)


def begins_at_end(text: str, mark: str) -> int:
    """How many letters at the end of a text may be the start of a mark."""
    longest = min(len(mark) - 1, len(text))
    return next((n for n in range(longest, 0, -1) if text.endswith(mark[:n])), 0)
