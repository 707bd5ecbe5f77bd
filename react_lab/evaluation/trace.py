"""Episodes as OpenTelemetry spans, under its conventions for generative AI.

    invoke_agent react -> text_completion MODEL, execute_tool Search, text_completion MODEL, ...

OpenTelemetry's own variables say where they go: OTEL_EXPORTER_OTLP_ENDPOINT, ..._HEADERS. With
OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=false no text goes with them. Pages that list
traces, as those of Phoenix and MLflow, show input.value and output.value (OpenInference's names).
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ..agent import AroundWorld, Kit, tokens_of
from ..chat.tool_calls import calls_in
from ..records import replies_to, seen_in, whole
from ..types import (
    FAULTS,
    Ask,
    Env,
    Halt,
    Message,
    OnText,
    Reply,
    Seen,
    Task,
    Trajectory,
    Wrapped,
    split_act,
)  # fmt: skip

try:
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
except ImportError:
    raise ModuleNotFoundError("trace=True needs: pip install 'react-lab[trace]'") from None

CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
LONGEST = 30.0  # seconds that spans may take to leave
Facts = Mapping[str, Any]


@contextmanager
def sending() -> Iterator[None]:
    """Spans are sent by OTLP, unless this program has told OpenTelemetry already where they go;
    at the end all have gone. A collector that is away, or never done, costs spans, never a run.
    """
    if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        name = {"service.name": os.environ.get("OTEL_SERVICE_NAME", "react_lab")}
        made = TracerProvider(resource=Resource.create(name))
        made.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        trace.set_tracer_provider(made)
    provider = trace.get_tracer_provider()
    try:
        yield
    finally:
        if isinstance(provider, TracerProvider):
            flush = threading.Thread(target=provider.force_flush, daemon=True)
            flush.start()  # it takes no timeout, and a collector may answer without end
            flush.join(LONGEST)


@contextmanager
def traced(method: str, task: Task, kit: Kit) -> Iterator[tuple[Kit, Callable[[Trajectory], None]]]:
    """An episode's span: the kit whose calls and acts are watched, and how to say what came of it.

    The texts in it are the task and the answer; the calls hold the rest.
    """
    facts = {"gen_ai.agent.name": method, "react_lab.task": task.id, "react_lab.kind": task.kind}
    question = content("gen_ai.input.messages", [spoken(Message("user", task.text))])
    asked = content("input.value", task.text)
    with span("invoke_agent", method, {**facts, **question, **asked}) as current:
        world = AroundWorld(kit.world, TracedEnv)
        watched = replace(kit, model=TracedModel(kit.model), world=world)
        yield watched, lambda run: close(current, run)


def close(current: trace.Span, run: Trajectory) -> None:
    answer = {**spoken(Message("assistant", run.answer or "")), "finish_reason": run.end}
    facts = {
        "gen_ai.request.model": run.model, "gen_ai.conversation.id": run.id,
        "gen_ai.usage.input_tokens": run.tokens_in, "gen_ai.usage.output_tokens": run.tokens_out,
        "react_lab.calls": run.calls, "react_lab.end": run.end, "react_lab.flags": run.flags,
    }  # fmt: skip
    said = content("output.value", run.answer) if run.answer else {}
    note(current, {**facts, **content("gen_ai.output.messages", [answer]), **said})
    if run.end in FAULTS:
        fail(current, run.end, run.error or "")


class TracedModel(Wrapped):
    def complete(self, ask: Ask, on_text: OnText | None = None) -> Mapping[int, Reply]:
        operation = "text_completion" if isinstance(ask.prompt, str) else "chat"
        with span(operation, self.name, asked(ask, self.name), trace.SpanKind.CLIENT) as current:
            replies = replies_to(ask, super().complete(ask, on_text))
            note(current, answered([*replies.values()]))
        return replies


def asked(ask: Ask, name: str) -> Facts:
    messages = [Message("user", ask.prompt)] if isinstance(ask.prompt, str) else ask.prompt
    return {
        "gen_ai.request.model": name, "gen_ai.request.max_tokens": ask.max_tokens,
        "gen_ai.request.temperature": ask.temperature, "gen_ai.request.seed": ask.seed,
        "gen_ai.request.choice.count": len(ask.samples), "gen_ai.request.stop_sequences": ask.stop,
        **content("gen_ai.input.messages", [spoken(message) for message in messages]),
    }  # fmt: skip


def answered(replies: Sequence[Reply]) -> Facts:
    said = []
    for reply in replies:
        message = spoken(Message("assistant", reply.text, tuple(calls_in(reply.tool_calls))))
        if reply.reasoning:
            message["parts"].insert(0, {"type": "reasoning", "content": reply.reasoning})
        said.append({**message, "finish_reason": reply.why})
    took = tokens_of(replies)
    return {
        "gen_ai.response.finish_reasons": tuple(reply.why for reply in replies),
        "gen_ai.usage.input_tokens": took["tokens_in"],
        "gen_ai.usage.output_tokens": took["tokens_out"],
        **content("gen_ai.output.messages", said),
    }


def spoken(message: Message) -> dict[str, Any]:
    parts: list[Facts] = [{"type": "text", "content": message.text}] if message.text else []
    if message.answers:
        parts = [{"type": "tool_call_response", "id": message.answers, "response": message.text}]
    parts += [{"type": "tool_call", **call._asdict()} for call in message.calls]
    return {"role": message.role, "parts": parts}


class TracedEnv:
    def __init__(self, env: Env):
        self.env = env

    def __getattr__(self, name: str) -> Any:
        return getattr(self.env, name)

    def step(self, action: str) -> Seen:
        name, given = split_act(action) or ("act", action)
        facts = {"gen_ai.tool.name": name, **content("gen_ai.tool.call.arguments", given)}
        with span("execute_tool", name, {**facts, **content("input.value", given)}) as current:
            seen = seen_in(self.env.step(action))
            result = content("gen_ai.tool.call.result", seen.text)
            note(current, {"react_lab.outcome": seen.outcome, **result})
        return seen


# ------------------------------------------------------------------ spans


@contextmanager
def span(
    operation: str, name: str, facts: Facts, kind: trace.SpanKind = trace.SpanKind.INTERNAL
) -> Iterator[trace.Span]:
    """A span around what is done in it. Of an error it holds the kind, and the words of a Halt:
    other errors' words, and tracebacks, may hold a key.
    """
    start = trace.get_tracer("react_lab").start_as_current_span
    title = whole(f"{operation} {name}")
    with start(title, kind=kind, record_exception=False, set_status_on_exception=False) as current:
        note(current, {"gen_ai.operation.name": operation, "gen_ai.provider.name": "react_lab"})
        note(current, facts)
        try:
            yield current
        except Halt as halt:
            fail(current, halt.end, str(halt))
            raise
        except BaseException as error:
            fail(current, type(error).__name__)
            raise


def note(current: trace.Span, facts: Facts) -> None:
    for name, fact in facts.items():
        if fact is not None:
            current.set_attribute(name, whole(fact) if isinstance(fact, str) else fact)


def fail(current: trace.Span, kind: str, words: str = "") -> None:
    said = content("words", whole(words)) if words else {}
    note(current, {"error.type": kind})
    current.set_status(trace.Status(trace.StatusCode.ERROR, said.get("words", kind)))


def content(name: str, what: Any) -> Facts:
    """A text, or messages as JSON; nothing where texts are not wanted."""
    if os.environ.get(CONTENT, "true").lower() == "false":
        return {}
    return {name: what if isinstance(what, str) else json.dumps(what, ensure_ascii=False)}
