"""A conversation in messages (OpenAI's, Inspect's, LangChain's) as the steps of a run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..calls import act_of
from ..layouts import Numbered
from ..types import Step, split_act

__all__ = ["Call", "Said", "answer_in", "method_of", "said", "steps_in"]

ROLES = {  # what others call them
    "human": "user", "ai": "assistant", "aimessagechunk": "assistant", "function": "tool",
    "developer": "system",
}  # fmt: skip
PARTS = ("text", "reasoning", "thinking")  # of a content in parts; pictures and the like stay out
SEEN = re.compile(r"\AObservation(?: \d+)?:\s*+")
FAILED = ("Could not find", "Invalid action", "Nothing happens")


class Call(NamedTuple):
    """A tool that was called, written as an act."""

    id: str
    act: str


class Said(NamedTuple):
    """One message, whoever's format it was in."""

    role: str
    text: str
    calls: tuple[Call, ...] = ()
    answers: str = ""  # the call that it is the result of


def said(row: Any) -> Said:
    """A message as OpenAI, Inspect or LangChain write it."""
    if isinstance(row, dict) and isinstance(row.get("kwargs"), dict):  # LangChain's constructor
        name = row.get("id")
        kind = str(name[-1]) if isinstance(name, list) and name else ""
        row = {"type": kind.removesuffix("Chunk").removesuffix("Message"), **row["kwargs"]}
    if not isinstance(row, dict):
        raise ValueError(f"a message must be an object, not {type(row).__name__}")
    role = str(row.get("role") or row.get("type") or "").lower()
    role = ROLES.get(role, role)
    if role not in ("system", "user", "assistant", "tool"):
        raise ValueError(f"a message has the role {role[:50]!r}, which nobody knows")
    text = content_of(row.get("content"))
    if thinking := row.get("reasoning_content"):
        text = "\n".join(filter(None, (content_of(thinking), text)))
    return Said(role, text, tuple(calls_in(row)), str(row.get("tool_call_id") or ""))


def content_of(content: Any) -> str:
    match content:
        case None:
            return ""
        case str():
            return content.strip()
        case list():
            parts = (
                part if isinstance(part, str) else part.get(str(part.get("type")), "")
                for part in content
                if isinstance(part, str) or (isinstance(part, dict) and part.get("type") in PARTS)
            )
            return "\n".join(part.strip() for part in parts if isinstance(part, str) and part)
    raise ValueError(f"the content of a message must be a text, not {type(content).__name__}")


def calls_in(row: Mapping[str, Any]) -> Iterator[Call]:
    calls = row.get("tool_calls") or ()
    if not isinstance(calls, list | tuple):
        raise ValueError("tool_calls must be a list")
    for call in calls:
        if not isinstance(call, dict):
            raise ValueError("a tool call must be an object")
        told = call["function"] if isinstance(call.get("function"), dict) else call
        name = told.get("name") or told.get("function")
        if not isinstance(name, str):
            raise ValueError("a tool call has no name")
        given = told.get("arguments", told.get("args"))
        yield Call(str(call.get("id") or ""), act_of(name, given))


def steps_in(messages: Sequence[Said]) -> Iterator[Step]:
    """Each message of the model with what it saw next. A text at the very end is its answer.

    Where no tool is called, acts are read from the texts, as the paper writes them.
    """
    turns = list[tuple[Said, list[Said]]]()
    for message in messages:
        if message.role == "assistant":
            turns.append((message, []))
        elif turns:
            turns[-1][1].append(message)
    by_text = not any(message.calls for message in messages)
    for i, (message, after) in enumerate(turns, 1):
        last = i == len(turns) and not after
        if message.calls:
            yield from called(message, after)
        else:
            yield spoken(message, after, i, by_text, last)


def called(message: Said, after: Sequence[Said]) -> Iterator[Step]:
    results = [one for one in after if one.role == "tool"] or list(after)
    by_id = {one.answers: one.text for one in results if one.answers}
    loose = iter([one.text for one in results if not one.answers])
    thought = message.text or None
    for call in message.calls:
        seen = by_id[call.id] if call.id in by_id else next(loose, "")
        yield judged(Step(thought, call.act, "" if call.act.startswith("Finish[") else seen))
        thought = None


def spoken(message: Said, after: Sequence[Said], i: int, by_text: bool, last: bool) -> Step:
    seen = SEEN.sub("", "\n".join(one.text for one in after))
    read = Numbered().read(message.text, i) if by_text else Step(message.text)
    if read.action is not None:
        return judged(Step(read.thought, read.action, seen, raw=read.raw, repairs=read.repairs))
    return Step(None, f"Finish[{message.text}]", "") if last else Step(message.text, None, seen)


def judged(step: Step) -> Step:
    """The step, which says so if its act led nowhere."""
    failed = (step.observation or "").startswith(FAILED)
    return replace(step, outcome="failed") if failed else step


def answer_in(steps: Sequence[Step]) -> str | None:
    act = split_act(steps[-1].action or "") if steps else None
    return act[1] if act and act[0].lower() == "finish" else None


def method_of(steps: Sequence[Step]) -> str:
    """The method whose parts these are; a run without a thought counts as act."""
    acts = any(step.action and not step.action.startswith("Finish[") for step in steps)
    thinks = any(step.thought for step in steps)
    return ("react" if thinks else "act") if acts else ("cot" if thinks else "standard")
