"""From a server's answer to `Reply` objects: the same for both APIs, streamed or not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..types import Reply
from .faults import Fault, message_in
from .thinking import Relay, apart

__all__ = ["decoded", "gathered", "replies_in", "trouble_in"]

Json = dict[str, Any]
OnText = Callable[[str], None]
WHY: Mapping[str, Any] = {"length": "length", "content_filter": "filtered", "refusal": "refused"}
TEXTS = ("text", "content", "reasoning_content", "reasoning", "refusal")


def decoded(text: str) -> Any:
    """The JSON in `text`, or a Fault that says what is there instead."""
    if not text.strip():
        return Fault(200, message="an empty body")
    if text.lstrip().startswith("<"):
        return Fault(200, message="a web page, as if base_url lacked its end (usually /v1)")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return Fault(200, message="broken JSON")


def trouble_in(body: Any) -> Fault | None:
    """What keeps a body from being an answer, if anything does."""
    if isinstance(body, Fault):
        return body
    if not isinstance(body, dict):
        return Fault(200, message="JSON that is no object")
    if error := body.get("error"):
        return trouble_named(error)
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        return Fault(200, message="no choices")
    if not all(isinstance(choice, dict) and speaks(choice) for choice in choices):
        return Fault(200, message="a choice that has no text")
    return None


def trouble_named(error: Any) -> Fault:
    """Some gateways send a refusal as 200 and put the true status inside."""
    fields = error if isinstance(error, dict) else {}
    code = fields.get("code")
    status = code if isinstance(code, int) and 400 <= code < 600 else 200
    return Fault(status, f"{code} {fields.get('type')}", message=f"an error: {message_in(error)}")


def speaks(choice: Json) -> bool:
    part = part_of(choice)
    has_text = any(isinstance(part.get(name), str | list) for name in TEXTS)
    return has_text or bool(choice.get("finish_reason") or part.get("tool_calls"))


def part_of(choice: Json) -> Json:
    """Where a choice keeps its texts: chat wraps them in a message."""
    message = choice.get("message")
    return message if isinstance(message, dict) else choice


def replies_in(body: Json, settings: Json, wanted: int) -> tuple[Reply, ...]:
    """At most `wanted` replies, whose token counts and `attempts` add up to the server's own.

    So the first reply carries the prompt's tokens and the attempts; all share the tokens written.
    """
    choices = distinct(body["choices"])[:wanted]
    tokens = counts(body.get("usage"), len(choices))
    others = settings | {"attempts": 0}
    return tuple(
        reply_in(
            choice,
            tokens_in=read,
            tokens_out=wrote,
            settings=others if i else settings,
            fingerprint=body.get("system_fingerprint"),
        )
        for i, (choice, (read, wrote)) in enumerate(zip(choices, tokens, strict=True))
    )


def counts(usage: Any, n: int) -> list[tuple[int | None, int | None]]:
    """Tokens in and out for each of n replies. What the server does not count is None, never 0."""
    given = usage if isinstance(usage, dict) else {}
    read, wrote = given.get("prompt_tokens"), given.get("completion_tokens")
    ins = [read, *[0] * (n - 1)] if isinstance(read, int) else [None] * n
    outs = [wrote // n + (i < wrote % n) for i in range(n)] if isinstance(wrote, int) else ins[:0]
    return list(zip(ins, outs or [None] * n, strict=True))


def distinct(choices: list[Json]) -> list[Json]:
    """Every choice once, in the order of their indices: some servers send one twice."""
    found: dict[tuple[int, str | None], Json] = {}
    for place, choice in enumerate(choices):
        index = choice.get("index")
        key = (index, words(part_of(choice))) if isinstance(index, int) else (place, None)
        found.setdefault(key, choice)
    return [found[key] for key in sorted(found, key=lambda key: key[0])]


def reply_in(choice: Json, **about: Any) -> Reply:
    part = part_of(choice)
    text, thoughts = apart(words(part))
    refusal = part.get("refusal")
    return Reply(
        text=text or refusal or "",
        why="refused" if refusal else WHY.get(str(choice.get("finish_reason")), "stop"),
        reasoning=part.get("reasoning_content") or part.get("reasoning") or thoughts,
        tool_calls=tuple(part.get("tool_calls") or ()),
        **about,
    )


def words(part: Json) -> str:
    """The text of a message or choice; some servers send it as a list of pieces, or null."""
    text = part.get("content") or part.get("text") or ""
    if isinstance(text, list):
        return "".join(str(piece.get("text") or "") for piece in text if isinstance(piece, dict))
    return str(text)


def gathered(events: Iterable[Any], on_text: OnText) -> Any:
    """A stream put together into the body that an unstreamed request would have got."""
    body: Json = {}
    choice: Json = {}
    said: dict[str, list[str]] = {}
    relay = Relay(on_text)
    for event in events:
        if fault := trouble_in_event(event):
            return replace(fault, final=relay.began)
        body |= {key: value for key, value in event.items() if value is not None}
        for piece in event.get("choices") or ():
            if isinstance(piece, dict):
                add(choice, said, piece)
                relay(words(piece.get("delta") or piece))
    if not body:
        return Fault(400, param="stream", message="no stream, though one was asked for")
    if not choice.get("finish_reason"):
        return Fault(message="the stream broke off", final=relay.began)
    relay("", last=True)
    return body | {"choices": [choice | {name: "".join(texts) for name, texts in said.items()}]}


def trouble_in_event(event: Any) -> Fault | None:
    if isinstance(event, dict) and not event.get("error"):
        return None
    return trouble_in(event)


def add(choice: Json, said: dict[str, list[str]], piece: Json) -> None:
    """One more piece of a streamed choice; `said` are its texts, in pieces."""
    delta = piece.get("delta") or piece
    for name in TEXTS:
        if isinstance(delta.get(name), str):
            said.setdefault(name, []).append(delta[name])
    choice["finish_reason"] = piece.get("finish_reason") or choice.get("finish_reason")
