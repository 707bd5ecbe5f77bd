"""The rows of other tools as runs: Inspect's samples, OpenAI's messages, LangSmith's traces."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ..calls import act_of
from ..types import ENDS, End, Step, Task, Trajectory
from .logs import Json, Row
from .messages import answer_in, judged, method_of, said, steps_in

__all__ = ["of_messages", "of_sample", "of_trace"]

VERDICTS = {"C": 1.0, "I": 0.0}  # what Inspect's scorers say
FEW = 1 << 62  # more tokens than that nobody counted


def of_messages(row: Row, kind: str) -> Iterator[Trajectory]:
    """A list of messages, or an object that has one."""
    about = row.content if isinstance(row.content, dict) else {}
    yield conversation(row, about.get("messages", row.content), about, kind, "openai")


def conversation(row: Row, messages: Any, about: Json, kind: str, source: str) -> Trajectory:
    if not isinstance(messages, list) or not messages:
        raise ValueError("it has no list of messages")
    told = [said(message) for message in messages]
    first = next((i for i, one in enumerate(told) if one.role == "assistant"), len(told))
    asked = "\n".join(one.text for one in told[:first] if one.role == "user")
    run = run_of(row, asked, tuple(steps_in(told)), about, kind, source)
    return replace(run, calls=sum(one.role == "assistant" for one in told))


def run_of(
    row: Row, asked: str, steps: tuple[Step, ...], about: Json, kind: str, source: str,
    answer: str | None = None,
) -> Trajectory:  # fmt: skip
    seen = json.dumps([row.where, row.content], default=str).encode()
    name, answer = hashlib.sha256(seen).hexdigest()[:16], answer or answer_in(steps)
    golds = texts(about.get("gold", about.get("target", about.get("ideal"))))
    extra = {"source": source} | ({"accepted": golds} if len(golds) > 1 else {})
    own = about.get("id")
    task = Task(
        str(own)[:300] if isinstance(own, str | int) and own != "" else f"{source}-{name}",
        kind, asked, golds[0] if golds else None, extra,
    )  # fmt: skip
    end: End = "finished" if answer is not None else "unfinished"
    return Trajectory(
        name, task, method_of(steps), text_in(about.get("model")) or "not said",
        {"source": source}, steps, answer, end=end, calls=len(steps), tokens_in=None,
        tokens_out=None,
    )  # fmt: skip


def object_in(row: Json, name: str) -> Json:
    value = row.get(name)
    return value if isinstance(value, dict) else {}


def objects(values: Iterable[Any]) -> list[Any]:
    return [value for value in values if isinstance(value, dict)]


def texts(value: Any) -> list[str]:
    """A text, a number or several of them as texts."""
    several = value if isinstance(value, list) else [value]
    return [str(one) for one in several if isinstance(one, str | int | float) and one != ""]


def text_in(value: Any) -> str:
    return value if isinstance(value, str) else ""


def of_sample(row: Row, kind: str) -> Iterator[Trajectory]:
    """A sample of Inspect: its messages, its target, what it used and how it ended."""
    sample = row.content
    if not isinstance(sample, dict):
        raise ValueError("a sample must be an object")
    messages = restored(sample.get("messages"), object_in(sample, "attachments"))
    model = object_in(sample, "output").get("model") or row.about.get("model")
    about = {**sample, "gold": sample.get("target"), "model": model}
    run = conversation(row, messages, about, kind, "inspect")
    usage = sample.get("model_usage")
    used = (
        [one for one in usage.values() if isinstance(one, dict)] if isinstance(usage, dict) else []
    )
    changes: dict[str, Any] = {
        "tokens_in": counted(used, "input_tokens"), "tokens_out": counted(used, "output_tokens"),
        "seconds": seconds(sample.get("total_time")),
    }  # fmt: skip
    scores = sample.get("scores")
    if run.task.gold is None and isinstance(scores, dict):
        changes["reward"] = next(
            filter(lambda one: one is not None, map(verdict, scores.values())), None
        )
    if sample.get("error"):
        changes |= {"end": "error", "error": json.dumps(sample["error"])[:1000]}
    elif sample.get("limit") and run.answer is None:
        changes |= {"end": "step_limit"}
    yield Trajectory(**(vars(run) | changes | ours_in(row)))


def ours_in(row: Row) -> dict[str, Any]:
    """What a log that `to_inspect` wrote says of a run beside its messages."""
    told = object_in(row.content, "metadata")
    if row.about.get("task") != "react_lab" or told.get("end") not in ENDS:
        return {}
    answer = told.get("answer")
    own = {"answer": answer if isinstance(answer, str) else None, "end": told["end"]}
    return own | ({"method": told["method"]} if isinstance(told.get("method"), str) else {})


def restored(value: Any, attached: Json) -> Any:
    """Long texts of a log lie apart, under their hashes."""
    match value:
        case str() if value.startswith("attachment://"):
            return text_in(attached.get(value.removeprefix("attachment://"), value))
        case dict():
            return {key: restored(inner, attached) for key, inner in value.items()}
        case list():
            return [restored(inner, attached) for inner in value]
    return value


def counted(used: list[Any], name: str) -> int | None:
    found = [one.get(name) for one in used]
    whole = [n for n in found if type(n) is int and 0 <= n < FEW]
    return min(sum(whole), FEW) if whole else None


def seconds(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and 0 <= value < 1e9 else 0.0


def verdict(score: Any) -> float | None:
    value = score.get("value") if isinstance(score, dict) else None
    if isinstance(value, str):
        return VERDICTS.get(value)
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else None


def of_trace(row: Row, kind: str) -> Iterator[Trajectory]:
    """A run of LangSmith: its messages, its intermediate steps, or the tools it called."""
    run = row.content
    if not isinstance(run, dict):
        raise ValueError("a run must be an object")
    put, got = (
        part if isinstance(part, dict) else {} for part in (run.get("inputs"), run.get("outputs"))
    )
    wanted = run.get("reference_outputs")
    about = {"id": run.get("id"), "model": model_in(run)}
    if isinstance(wanted, dict) and len(wanted) == 1:
        about["gold"] = next(iter(wanted.values()))
    if isinstance(got.get("messages"), list) and got["messages"]:
        first = put.get("messages") if not any(is_user(one) for one in got["messages"]) else []
        messages = [*(first if isinstance(first, list) else []), *got["messages"]]
        yield conversation(row, messages, about, kind, "langchain")
        return
    steps = tuple(intermediate(got.get("intermediate_steps")))
    steps = steps or tuple(tools_below(run, row.about))
    asked = only_text(put, ("input", "question", "query"))
    answer = only_text(got, ("output", "answer", "result")) or None
    if not asked:
        raise ValueError("it has neither messages nor an input")
    if answer is not None:
        steps = (*steps, Step(None, f"Finish[{answer}]", ""))
    done = run_of(row, asked, steps, about, kind, "langchain", answer)
    fault = text_in(run.get("error"))
    yield Trajectory(**(vars(done) | {"end": "error", "error": fault[:1000]})) if fault else done


def is_user(message: Any) -> bool:
    return said(message).role == "user"


def model_in(run: Json) -> str:
    return text_in(object_in(object_in(run, "extra"), "metadata").get("ls_model_name"))


def only_text(values: Json, names: tuple[str, ...]) -> str:
    """The text under one of these names, or the only one that there is."""
    found = [values[name] for name in names if isinstance(values.get(name), str)]
    return str((found or [one for one in values.values() if isinstance(one, str)] or [""])[0])


def intermediate(pairs: Any) -> Iterator[Step]:
    """The steps of an AgentExecutor: what it did, with the thought that led there, and saw."""
    for pair in pairs if isinstance(pairs, list) else ():
        match pair:
            case [{"tool": str(tool), **rest}, seen]:
                thought = text_in(rest.get("log")).partition("\nAction")[0]
                thought = thought.strip().removeprefix("Thought:").strip()
                act = act_of(tool, rest.get("tool_input"))
                yield judged(Step(thought or None, act, shown(seen)))
            case _:
                raise ValueError("an intermediate step must be an action and what it brought")


def tools_below(run: Json, below: Json) -> Iterator[Step]:
    """The tools that were called below a run, in their order, however deep."""
    waiting, seen = [run], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:  # a run that says it is below itself
            continue
        seen.add(id(one))
        if one.get("run_type") == "tool":
            given, got = (unpacked(one.get(part), part[:-1]) for part in ("inputs", "outputs"))
            yield judged(Step(None, act_of(text_in(one.get("name")), given), shown(got)))
        inner = one.get("child_runs") or below.get(str(one.get("id")))
        inner = objects(inner) if isinstance(inner, list) else []
        waiting += sorted(inner, key=lambda each: str(each.get("start_time")), reverse=True)


def unpacked(value: Any, name: str) -> Any:
    return value.get(name, value) if isinstance(value, dict) else value


def shown(value: Any) -> str:
    if isinstance(value, dict) and isinstance(value.get("content"), str):
        value = value["content"]  # a tool's message
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
