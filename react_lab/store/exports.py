"""Runs for the tools of others: Inspect's log, OpenAI's messages, a dataset for Hugging Face."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Any

from .. import data, score
from ..chat.tool_calls import PLAIN
from ..records import RUN
from ..support.files import checked, content, write
from ..types import Trajectory
from .runs import listed

ACT = re.compile(r"(\w+)\[(.*)\]", re.S)
STEP = ("thought", "action", "observation")
OWN = ("id", "method", "end", "answer")  # of a run, which a log of ours tells in its metadata
OURS = b"---\nconfigs:"  # begins every card of ours
TEXTS = ("id", "method", "model", "kind", "task", "question", "gold", "answer", "end", "run")
CARD = """---
configs:
- config_name: default
  data_files: runs.jsonl
dataset_info:
  features:
{features}
---

# {n} runs of react_lab

Methods: {methods}. Each row is one run: what was asked, each step with its thought, action and
observation, the answer, and whether it is right. `run` is the whole run as JSON:
`rl.store.load(json.loads(row["run"]))`.
"""


def to_dataset(folder: str | PathLike[str], runs: Trajectory | Iterable[Trajectory]) -> Path:
    """A folder for `datasets.load_dataset`: rows in JSON lines, and a card."""
    folder, runs = data.resolve(folder), listed(runs)
    typed = [(name, "string") for name in TEXTS] + [("correct", "bool"), ("reward", "float64")]
    features = [f"  - name: {name}\n    dtype: {kind}" for name, kind in typed]
    inner = [f"    - name: {name}\n      dtype: string" for name in STEP]
    features.append("\n".join(["  - name: steps\n    list:", *inner]))
    methods = ", ".join(sorted({" ".join(run.method.split())[:60] for run in runs}))
    card = CARD.format(features="\n".join(features), n=len(runs), methods=methods)
    there = folder / "README.md"
    if there.exists() and not content(there).startswith(OURS):
        raise FileExistsError(f"{there} is none of ours: give a folder of its own")
    rows = (json.dumps(row_of(run), ensure_ascii=True) + "\n" for run in runs)
    data.write(folder / "runs.jsonl", "".join(rows))
    data.write(there, card)
    return folder


def row_of(run: Trajectory) -> dict[str, Any]:
    task = run.task
    return {
        "id": run.id, "method": run.method, "model": run.model, "kind": task.kind, "task": task.id,
        "question": task.text, "gold": task.gold, "answer": run.answer, "end": run.end,
        "run": RUN.write(run).decode(), "correct": score.correct(run), "reward": run.reward,
        "steps": [{name: getattr(step, name) for name in STEP} for step in run.steps],
    }  # fmt: skip


def to_inspect(path: str | PathLike[str], runs: Trajectory | Iterable[Trajectory]) -> Path:
    """A log that `inspect view` shows: each run a sample, each act the call of a tool.

    path: "mine.eval".
    """
    path, runs = data.resolve(path), listed(runs)
    if path.suffix != ".eval":
        raise ValueError(f"{path.name}: the name of a log of Inspect ends with .eval")
    now, several = datetime.now(UTC).isoformat(timespec="seconds"), {run.model for run in runs}
    name = hashlib.sha256("\n".join(run.id for run in runs).encode()).hexdigest()[:16]
    about = {
        "eval_id": name, "run_id": name, "created": now, "task": "react_lab",
        "task_id": "react_lab", "dataset": {"name": "react_lab", "samples": len(runs)},
        "model": several.pop() if len(several) == 1 else "several", "config": {},
    }  # fmt: skip
    counts = {"total_samples": len(runs), "completed_samples": len(runs)}
    times = {"started_at": now, "completed_at": now}
    log = {"version": 2, "status": "success", "eval": about, "results": counts, "stats": times}
    found = list(samples(runs))
    brief = ("id", "epoch", "input", "target", "scores", "model_usage", "total_time")
    parts: dict[str, Any] = {
        "_journal/start.json": {"version": 2, "eval": about, "plan": {}},
        "header.json": log,
        "summaries.json": [{key: sample[key] for key in brief} for sample in found],
    }
    for sample in found:
        name = f"samples/{sample['id']}_epoch_{sample['epoch']}".replace("\0", " ")
        while f"{name}.json" in parts:  # only a NUL kept it from another
            name += "_"
        parts[f"{name}.json"] = sample
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
        for name, part in parts.items():
            file.writestr(name, json.dumps(part))
    return write(checked(path), whole.getvalue())


def to_openai(path: str | PathLike[str], runs: Trajectory | Iterable[Trajectory]) -> Path:
    """JSON lines of OpenAI's chat messages, a run each; an act is the call of a tool."""
    rows = ""
    for run in listed(runs):
        said = list(messages(run))
        for each in said:
            each.pop("function", None)  # of a tool's answer: Inspect's word
            for call in each.get("tool_calls", ()):
                arguments = json.dumps(call.pop("arguments"))
                call["function"] = {"name": call["function"], "arguments": arguments}
        rows += json.dumps({"id": run.id, "gold": run.task.gold, "messages": said}) + "\n"
    data.write(path := data.resolve(path), rows)
    return path


def samples(runs: list[Trajectory]) -> Iterator[dict[str, Any]]:
    seen = Counter[str]()
    for run in runs:
        seen[run.task.id] += 1
        right = score.correct(run)
        value: Any = run.reward if run.reward is not None else "C" if right else "I"
        told = {"value": value, "answer": run.answer}
        usage = {"input_tokens": run.tokens_in or 0, "output_tokens": run.tokens_out or 0}
        yield {
            "id": run.task.id, "epoch": seen[run.task.id], "input": run.task.text,
            "target": run.task.gold or "", "messages": list(messages(run)),
            "output": {"model": run.model, "choices": []},
            "scores": {} if right is None else {"react_lab": told},
            "metadata": {name: getattr(run, name) for name in OWN},
            "model_usage": {run.model: usage | {"total_tokens": sum(usage.values())}},
            "total_time": run.seconds,
        }  # fmt: skip


def messages(run: Trajectory) -> Iterator[dict[str, Any]]:
    yield {"role": "user", "content": run.task.text}
    for i, step in enumerate(run.steps, 1):
        said: dict[str, Any] = {"role": "assistant", "content": step.thought or ""}
        if step.private:
            text = {"type": "text", "text": step.thought or ""}
            said["content"] = [{"type": "reasoning", "reasoning": step.private}, text]
        if step.action is None:
            yield said
            yield {"role": "user", "content": step.observation or ""}
            continue
        act = ACT.fullmatch(step.action)  # else it is written plainly
        call = {
            "id": f"call_{i}", "type": "function", "function": act[1] if act else "act",
            "arguments": {"input": act[2]} if act else {PLAIN: step.action},
        }  # fmt: skip
        yield {**said, "tool_calls": [call]}
        result = {"role": "tool", "content": step.observation or "", "tool_call_id": f"call_{i}"}
        yield {**result, "function": call["function"]}
