"""The runs of the decoding table, data/runs/decoding: every way of decoding on the same tasks.

    python data/build/decoding_runs.py      plays what is missing there, also after a kill

ReAct with our adapters. The greedy runs are those of the comparison and of Table 3. Every other way
asks what they asked until it goes a way of its own: so far their replies are taken, and only what
differs is asked anew. What that costs in CPU time of the model's server is kept in cost.json.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from itertools import product
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


ROUNDS = (  # the cheap ones first; a page lists no acts, so there what is formed is admissible
    ("household", ("formed",)),
    ("multihop", ("resample", "best-of-n")),
    ("household", ("resample", "admissible")),
    ("multihop", ("formed", "sampled")),
    ("household", ("best-of-n", "sampled")),
)


def measure(model: Local, folder: Path | None = None) -> None:
    """Play what is missing, task by task: what a task's runs share is read once."""
    folder = folder or lesson_06.folder()
    for tasks, names in ROUNDS:
        greedy = {run.task.id: run for run in lesson_06.greedy(tasks)}
        for task, name in product(lesson_06.tasks_of(tasks), names):
            path = folder / f"{tasks}-{name}.jsonl"
            if path.exists() and task.id in played(path):
                continue
            known = Known(model, [greedy[task.id]])
            evaluate("react", task, known, path, decoding=name, progress=False)
            add_cost(folder / "cost.json", f"{tasks}-{name}", known.cost)
            print(tasks, name, task.id, known.cost, flush=True)


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
