"""The runs of the decoding table, data/runs/decoding: every way of decoding on the same tasks.

    python data/build/decoding_runs.py      plays what is missing there, also after a kill

ReAct with our adapters. Every way but the greedy one, which is played first, asks what that asked
until it goes a way of its own: so far its replies are taken, and only what differs is asked anew.
What that costs in CPU time of the model's server is kept in cost.json; how likely the model found
the step with which a greedy run begins to repeat itself, in sure.json.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from react_lab import data, models, store
from react_lab.evaluation import evaluate
from react_lab.lessons import lesson_06
from react_lab.models.answers import tokens_in
from react_lab.models.llama import Local
from react_lab.replay import begun
from react_lab.types import FAULTS, Ask, Reply, Trajectory

__all__ = ["Known", "main", "measure", "seconds_of"]


class Known:
    """The bundled model, which is not asked for what its greedy runs tell already."""

    grammars = True

    def __init__(self, model: Local, runs: Iterable[Trajectory]) -> None:
        self.asked, self.name, self.tuned = model, model.name, model.tuned
        self.context, self.workers = model.context, 1
        self.replies: dict[tuple[str, str], Reply] = {}
        self.cost = {"calls": 0.0, "tokens_out": 0.0, "cpu": 0.0}
        model.complete(Ask("", max_tokens=1))  # it starts
        for run in runs:
            self.replies |= self.told(run)

    def identity(self, leg: str) -> str:
        return self.asked.identity(leg)

    def told(self, run: Trajectory) -> dict[tuple[str, str], Reply]:
        """Its replies, if they cost together what the run did; else none."""
        transcript, replies = begun(run), dict[tuple[str, str], Reply]()
        for i, step in enumerate(run.steps, 1):
            ask, raw = transcript.ask(i), step.raw or ""
            assert isinstance(ask.prompt, str)
            cut = "cut by length" in step.repairs
            ended = run.answer is not None and i == len(run.steps)  # by itself, not at a stop
            wrote = self.count(raw) + 1 if ended else self.count(raw + ask.stop[0])
            settings = {**run.settings.get("effect", {}), "replayed": True}
            reply = Reply(
                raw,
                "length" if cut else "stop",
                self.count(ask.prompt),
                ask.max_tokens if cut else wrote,
                settings,
            )
            replies[ask.prompt, ask.leg] = reply
            transcript.add(step, i)
        spent = [(reply.tokens_in or 0, reply.tokens_out or 0) for reply in replies.values()]
        read, written = map(sum, zip(*spent, strict=True))
        off = abs(written - (run.tokens_out or 0))  # by one: a word that the model wrote in two
        known = (len(spent), read) == (run.calls, run.tokens_in) and off < 2
        return replies if known else {}

    def count(self, text: str) -> int:
        asked = {"content": text, "add_special": False}
        return tokens_in(self.asked._post("../tokenize", asked, lambda answer: answer.read())) or 0

    def complete(
        self, ask: Ask, on_text: Callable[[str], None] | None = None
    ) -> Mapping[int, Reply]:
        plain = ask.temperature == 0 and ask.grammar is None
        if plain and (known := self.replies.get((str(ask.prompt), ask.leg))):
            return {ask.samples[0]: known}
        before = seconds_of(self.asked)
        replies = self.asked.complete(ask, on_text)
        wrote = sum(reply.tokens_out or 0 for reply in replies.values())
        spent = {"calls": len(replies), "tokens_out": wrote, "cpu": seconds_of(self.asked) - before}
        self.cost = {name: self.cost[name] + more for name, more in spent.items()}
        return replies


def seconds_of(model: Local) -> float:
    """CPU time of the model's server so far. Linux alone tells it."""
    fields = Path(f"/proc/{model._child().pid}/stat").read_text().rpartition(")")[2]
    return sum(map(int, fields.split()[11:13])) / os.sysconf("SC_CLK_TCK")


WAYS = ("greedy", "resample", "best-of-n", "formed", "sampled")  # the cheap ones first


def measure(model: Local) -> None:
    """Play what is missing, the greedy runs first: the others begin as they do."""
    folder = lesson_06.folder()
    for name in WAYS:
        path = folder / f"{name}.jsonl"
        greedy = {} if name == "greedy" else lesson_06.by_task()
        done = played(path) if path.exists() else set()
        for task in (task for task in lesson_06.tasks() if task.id not in done):
            known = Known(model, [greedy[task.id]] if greedy else [])
            evaluate("react", task, known, path, decoding=name, progress=False)
            if greedy:
                add_cost(folder / "cost.json", name, known.cost)
            print(name, task.id, known.cost, flush=True)
    runs = [run for run in lesson_06.by_task().values() if lesson_06.loops(run)]
    rows = [sure(model, run) for run in runs]
    data.write(folder / "sure.json", json.dumps(rows, indent=1) + "\n")


def sure(model: Local, run: Trajectory) -> dict[str, object]:
    """The step with which a run begins to repeat itself, and how likely the model found it."""
    transcript, before = begun(run), set[tuple[str | None, str | None]]()
    for i, step in enumerate(run.steps, 1):
        now = step.action, step.observation
        if step.action and now in before:
            break
        before.add(now)
        transcript.add(step, i)
    ask = transcript.ask(i)
    asked = {"prompt": ask.prompt, "stop": ask.stop, "n_predict": ask.max_tokens, "n_probs": 1}
    asked |= {"temperature": 0, **model._scales(ask.leg)}
    answer = json.loads(model._post("../completion", asked, lambda answer: answer.read()))
    chance = math.exp(sum(token["logprob"] for token in answer["completion_probabilities"]))
    return {"run": run.id, "task": run.task.id, "step": i, "act": step.action,
            "chance": round(chance, 4), "as stored": answer["content"] == step.raw}  # fmt: skip


def played(path: Path) -> set[str]:
    return {run.task.id for run in store.open(path) if run.end not in FAULTS}


def add_cost(path: Path, name: str, cost: Mapping[str, float]) -> None:
    """To what it cost before, if the playing was stopped in between."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    before = kept.get(name, {})
    kept[name] = {part: round(before.get(part, 0) + more, 2) for part, more in cost.items()}
    data.write(path, json.dumps(kept, indent=1, sort_keys=True) + "\n")


def main() -> None:
    measure(models.local(threads=1))


if __name__ == "__main__":
    main()
