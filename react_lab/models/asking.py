"""How a server is asked: by which API, in which words, and what an answer says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..types import Ask, Message, ToolCall

__all__ = ["Manner", "as_sent", "effective", "system_line"]

WRITES = {"act": "the next Action", "cot": "the Thought and the Answer", "standard": "the Answer"}


@dataclass(frozen=True)
class Manner:
    """How a server wants to be asked: by which API, and without what."""

    chat: bool = False
    without: frozenset[str] = frozenset()


def system_line(leg: str) -> str:
    """What a chat model is asked to do: to write what the leg's transcript lacks, and no more."""
    wanted = WRITES.get(leg.rpartition("/")[2], "the next Thought and Action")
    return f"Continue the transcript; write only {wanted}, then stop."


def as_sent(prompt: str | tuple[Message, ...], chat: bool, leg: str) -> dict[str, Any]:
    """The prompt as it is, or as chat messages."""
    if isinstance(prompt, str) and not chat:
        return {"prompt": sendable(prompt)}
    if isinstance(prompt, str):
        prompt = (Message("system", system_line(leg)), Message("user", prompt))
    return {"messages": [as_message(Message(*each)) for each in prompt]}


def as_message(message: Message) -> dict[str, Any]:
    """A message in the words of the chat API; without text a call has no content."""
    row: dict[str, Any] = {"role": message.role, "content": sendable(message.text)}
    if message.calls:
        row["content"] = row["content"] or None
        row["tool_calls"] = [as_call(call) for call in message.calls]
    return row | ({"tool_call_id": message.answers} if message.answers else {})


def as_call(call: ToolCall) -> dict[str, Any]:
    told = {"name": call.name, "arguments": sendable(call.arguments)}
    return {"id": call.id, "type": "function", "function": told}


def sendable(text: str) -> str:
    """Text without lone surrogates, which JSON may bring in but UTF-8 cannot carry out."""
    return text.encode("utf-8", "replace").decode()


def effective(ask: Ask, manner: Manner, body: Mapping[str, Any]) -> dict[str, Any]:
    """What a request really asked for, whatever `ask` wanted."""
    settings = {
        "api": "chat" if manner.chat else "completions",
        "temperature": body.get("temperature"),
        "seed": body.get("seed"),
        "stop_sent": "stop" in body,
    }
    if manner.chat and isinstance(ask.prompt, str):
        settings["system"] = system_line(ask.leg)
    if manner.without:
        settings["refused"] = sorted(manner.without)
    return settings
