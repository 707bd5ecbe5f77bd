"""The same five questions through `react-tools`, LangGraph's prebuilt agent and DSPy's ReAct.

    python -m venv /somewhere && /somewhere/bin/pip install -e . -r data/build/agents.txt
    /somewhere/bin/python data/build/agents.py --out data/runs/agents

What each sends goes through a recorder. Twice: `written`, where the model's turns are written by
hand and the same for all (so that what is sent can be compared), and `bundled`, where the bundled
model answers by itself on llama.cpp. All tokens are counted by llama.cpp, with its chat template.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT)]

import httpx  # noqa: E402
from stub_server import Answer, Request, Stub  # noqa: E402

import react_lab as rl  # noqa: E402
from react_lab.envs import tools  # noqa: E402
from react_lab.models import weights  # noqa: E402
from react_lab.models.llama import child_for  # noqa: E402
from react_lab.types import Task  # noqa: E402

Json = dict[str, Any]
Turn = tuple[str, str, Json]  # a thought, a tool, and what it is given
TOOLS = (tools.clock, tools.weather, tools.convert, tools.calculate)
STEPS, LONGEST = 5, 128  # steps of a run, tokens of a turn
PACKAGES = (
    "langgraph",
    "langgraph-prebuilt",
    "langchain-core",
    "langchain-openai",
    "dspy",
    "openai",
)
PLANS: Mapping[str, tuple[Turn, ...]] = {  # the model's turns, written by hand
    "tools-test-012": (
        ("I need the temperature in both cities. First Nairobi.", "weather", {"city": "Nairobi"}),
        ("Nairobi has 26 degrees. Now Oslo.", "weather", {"city": "Oslo"}),
        ("Oslo has -2 degrees. I subtract.", "calculate", {"expression": "26 - -2"}),
        ("The gap is 28 degrees.", "finish", {"answer": "28"}),
    ),
    "tools-test-021": (
        ("I need the temperature in Cairo.", "weather", {"city": "Cairo"}),
        ("It is 24 degrees Celsius. I convert them.", "convert",
         {"amount": 24, "unit": "celsius", "into": "fahrenheit"}),
        ("That is 75.2 degrees Fahrenheit.", "finish", {"answer": "75.2"}),
    ),
    "tools-test-029": (
        ("I divide the pages by the pages of a day.", "calculate", {"expression": "612 / 36"}),
        ("It takes 17 days.", "finish", {"answer": "17"}),
    ),
    "tools-test-035": (
        ("I ask for the weather in Mordor.", "weather", {"city": "Mordor"}),
        ("There is no weather for Mordor, so nobody can tell.", "finish", {"answer": "unknown"}),
    ),
    "tools-test-037": (
        ("I look at the clock.", "clock", {}),
        ("It is Monday.", "finish", {"answer": "Monday"}),
    ),
}  # fmt: skip


@dataclass
class Recorder:
    """Stands between an agent and the model: keeps what is sent, counts it, and answers."""

    model: str  # "written" or "bundled"
    ask: Callable[[Json], Json]  # llama.cpp
    plan: tuple[Turn, ...] = ()
    kept: list[Json] = field(default_factory=list)

    def __call__(self, request: Request) -> Answer:
        sent = {k: v for k, v in request.body.items() if k not in ("stream", "stream_options")}
        row: Json = {"sent": sent, "bytes": len(json.dumps(sent, ensure_ascii=False).encode())}
        if self.model == "bundled":
            body = self.ask({**sent, "temperature": 0, "seed": 0, "max_tokens": LONGEST})
            row |= {"read": body["usage"]["prompt_tokens"]}
            row |= {"wrote": body["usage"]["completion_tokens"]}
        else:
            counted = self.ask({**plain(sent), "max_tokens": 1})
            row |= {"read": counted["usage"]["prompt_tokens"], "wrote": None}
            body = reply_to(sent, self.plan, row["read"])
        self.kept.append({**row, "reply": body["choices"][0]["message"]})
        return Answer(body)


def plain(sent: Json) -> Json:
    """What is counted: messages and tools, without what an agent wants of the answer's form."""
    return {k: sent[k] for k in ("model", "messages", "tools") if k in sent}


def reply_to(sent: Json, plan: tuple[Turn, ...], read: int) -> Json:
    """The next turn of the plan, in the form that the agent reads."""
    texts = [str(message.get("content") or "") for message in sent["messages"]]
    if not sent.get("tools"):
        message = in_fields(texts, plan)
    else:
        at = sum(message["role"] == "tool" for message in sent["messages"])
        names = {
            tool["function"]["name"].lower(): tool["function"]["name"] for tool in sent["tools"]
        }
        message = as_call(plan[at], names, at)
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": read, "completion_tokens": 0, "total_tokens": read}
    return {"id": "x", "object": "chat.completion", "created": 0, "model": "written",
            "choices": [choice], "usage": usage}  # fmt: skip


def as_call(turn: Turn, names: Mapping[str, str], at: int) -> Json:
    """A call of a tool; where there is none to end with, the answer itself."""
    thought, tool, given = turn
    if tool not in names:
        return {"role": "assistant", "content": str(given["answer"])}
    call = {"name": names[tool], "arguments": json.dumps(given)}
    calls = [{"id": f"call{at:05d}", "type": "function", "function": call}]
    return {"role": "assistant", "content": thought, "tool_calls": calls}


def in_fields(texts: list[str], plan: tuple[Turn, ...]) -> Json:
    """What DSPy reads: a field per part, each under its heading."""
    at = len(re.findall(r"\[\[ ## observation_\d+ ## \]\]", texts[-1]))
    thought, tool, given = plan[min(at, len(plan) - 1)]
    if "[[ ## reasoning ## ]]" in texts[0]:
        parts = {"reasoning": thought, "answer": given["answer"]}
    else:
        given = {} if tool == "finish" else given
        parts = {"next_thought": thought, "next_tool_name": tool,
                 "next_tool_args": json.dumps(given)}  # fmt: skip
    lines = [f"[[ ## {name} ## ]]\n{value}\n" for name, value in parts.items()]
    return {"role": "assistant", "content": "\n".join([*lines, "[[ ## completed ## ]]"])}


# ---------------------------------------------------------------------- three agents


def ours(url: str, task: Task) -> tuple[str | None, list[Json]]:
    model = rl.models.openai("m", url, "chat", attempts=1)
    run = rl.run("react-tools", task, model, max_steps=STEPS)
    return run.answer, []


def langgraph(url: str, task: Task) -> tuple[str | None, list[Json]]:
    from langchain_core.messages import convert_to_openai_messages
    from langchain_openai import ChatOpenAI
    from langgraph.prebuilt import create_react_agent

    model = ChatOpenAI(model="m", base_url=url, api_key="none", temperature=0, max_retries=0)
    with warnings.catch_warnings():  # it has moved to langchain.agents and is still the same
        warnings.simplefilter("ignore")
        agent = create_react_agent(model, [*TOOLS])
    asked = {"messages": [{"role": "user", "content": task.text}]}
    found = agent.invoke(asked, {"recursion_limit": 2 * STEPS + 1})["messages"]
    return str(found[-1].content), convert_to_openai_messages(found)


def dspy_react(url: str, task: Task) -> tuple[str | None, list[Json]]:
    import dspy

    model = dspy.LM(
        "openai/m", api_base=url, api_key="none", temperature=0, cache=False, num_retries=0
    )
    with dspy.context(lm=model):
        found = dspy.ReAct("question -> answer", tools=[*TOOLS], max_iters=STEPS)(
            question=task.text
        )
    return str(found.answer), messages_of(task.text, dict(found.trajectory), str(found.answer))


def messages_of(question: str, trajectory: Json, answer: str) -> list[Json]:
    """DSPy's trajectory as chat messages, which `read_transcript` reads."""
    said: list[Json] = [{"role": "user", "content": question}]
    for i in range(sum(key.startswith("tool_name_") for key in trajectory)):
        name, given = trajectory[f"tool_name_{i}"], trajectory[f"tool_args_{i}"]
        if name == "finish":
            break
        call = {"name": name, "arguments": json.dumps(given)}
        calls = [{"id": f"call{i}", "type": "function", "function": call}]
        thought = str(trajectory[f"thought_{i}"])
        seen = str(trajectory.get(f"observation_{i}", ""))
        said.append({"role": "assistant", "content": thought, "tool_calls": calls})
        said.append({"role": "tool", "tool_call_id": f"call{i}", "content": seen})
    return [*said, {"role": "assistant", "content": answer}]


AGENTS: Mapping[str, Callable[[str, Task], tuple[str | None, list[Json]]]] = {
    "react-tools": ours, "LangGraph": langgraph, "DSPy": dspy_react,
}  # fmt: skip


# ---------------------------------------------------------------------- measuring


def episode(name: str, task: Task, recorder: Recorder, url: str) -> tuple[Json, list[Json]]:
    """One question by one agent: what was sent, and how it ended."""
    recorder.kept, error = [], None
    answer: str | None = None
    messages: list[Json] = []
    try:
        answer, messages = AGENTS[name](url, task)
    except Exception as raised:  # noqa: BLE001  (whatever an agent raises is a finding)
        error = f"{type(raised).__name__}: {str(raised)[:200]}"
    kept = recorder.kept
    right = bool(answer) and rl.score.exact_match(answer, task.gold or "")
    wrote = [row["wrote"] for row in kept]
    found = {
        "agent": name, "model": recorder.model, "task": task.id, "calls": len(kept),
        "bytes": sum(row["bytes"] for row in kept), "read": sum(row["read"] for row in kept),
        "wrote": None if None in wrote else sum(wrote), "answer": answer, "right": right,
        "error": error,
    }  # fmt: skip
    return found | {"kept": kept}, messages


def measure(out: Path) -> Json:
    base = weights.path()
    child = child_for({base: weights.SIZES["135m"].sha256}, None).started()
    client = httpx.Client(headers={"Authorization": f"Bearer {child.key}"}, timeout=600)

    def ask(body: Json) -> Json:
        answer = client.post(f"{child.address}/v1/chat/completions", json={**body, "lora": []})
        answer.raise_for_status()
        found: Json = answer.json()
        return found

    tasks = {task.id: task for task in rl.tasks.load("tools", "test")}
    rows, sent, said = [], {}, {}
    for model in ("written", "bundled"):
        recorder = Recorder(model, ask)
        with Stub(recorder) as stub:
            for name in AGENTS:
                for id, plan in PLANS.items():
                    recorder.plan = plan
                    row, messages = episode(name, tasks[id], recorder, stub.url)
                    kept = row.pop("kept")
                    rows.append(row)
                    print(row, flush=True)
                    said.setdefault(f"{name} {model}", []).append(
                        {"id": id, "messages": messages, "gold": tasks[id].gold}
                    )
                    if id == "tools-test-012":
                        sent[f"{name} {model}"] = [each["sent"] for each in kept][:2]
    versions = {name: metadata.version(name) for name in PACKAGES}
    found = {
        "date": datetime.now(UTC).date().isoformat(), "python": platform.python_version(),
        "versions": versions | {"xllamacpp": metadata.version("xllamacpp")},
        "weights": weights.SIZES["135m"].file, "rows": rows,
    }  # fmt: skip
    out.mkdir(parents=True, exist_ok=True)
    write(out / "measured.json", found)
    write(out / "sent.json", sent)
    for name, lines in said.items():
        if any(line["messages"] for line in lines):
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            path = out / f"{name.lower().replace(' ', '-')}.jsonl"
            path.write_text(text, encoding="utf-8", newline="\n")
    return found


def write(path: Path, found: Any) -> None:
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="a folder")
    measure(parser.parse_args().out)
