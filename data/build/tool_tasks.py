"""How the questions for tools were made, and how the shipped adapter for them was measured.

python data/build/tool_tasks.py tasks     writes data/tasks/tools/train.jsonl and dev.jsonl
python data/build/tool_tasks.py           prints how often the adapter is right: data/runs/tools is by
python data/build/gpu.py play tools/react=shipped tools/test,tools/dev react tools
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tool_questions import HELD_OUT, SEED, Maker, rows

from react_lab import data, score, store, tasks
from react_lab.envs.tools import Tools
from react_lab.stats import interval
from react_lab.types import Step, Task, Trajectory

LINES, DEV = 300, 32
SPLITS = {
    "test": "written by hand, in other wordings",
    "dev": "generated: the wordings of the train questions, other cities and numbers",
}


def made(split: str) -> Iterator[dict[str, Any]]:
    """The generated questions of a split; those of dev ask about the cities of test."""
    train = list(rows(LINES))
    if split == "train":
        yield from train
        return
    known = {row["text"] for row in train}
    yield from rows(DEV, "dev", Maker(HELD_OUT, SEED + 1), without=known)


def gold_run(task: Task) -> Trajectory:
    """The thoughts and acts of a train question, with what the tools say today."""
    env = Tools()(task)
    env.reset(task)
    steps = tuple(
        Step(thought, act, seen.text or None, outcome=seen.outcome)
        for thought, act in task.extra["steps"]
        for seen in [env.step(act)]
    )
    return Trajectory(
        f"gold-{task.id}", task, "react", "gold", {}, steps, answer=task.gold, end="finished"
    )


def gold_runs() -> list[Trajectory]:
    """Also what is said of a failed call is learned: the thought after it, not the call itself."""
    runs = [gold_run(task) for task in tasks.load("tools", "train")]
    random.Random(SEED).shuffle(runs)
    return runs


# ---------------------------------------------------------------------- how well it does


def path(split: str) -> Path:
    return data.folder("runs", "tools", f"{split}.jsonl")


def baselines(split: str) -> dict[str, int]:
    """How many answers are right without any model: the commonest one, and the first number."""
    asked = tasks.load("tools", split)
    golds = [task.gold or "" for task in asked]
    most = max(sorted(set(golds)), key=golds.count)
    return {
        f"always {most}": golds.count(most),
        "what the weather of the first city begins with": sum(map(first_seen, asked)),
    }


def first_seen(task: Task) -> bool:
    env = Tools()(task)
    places = [(task.text.find(city), city) for city in HELD_OUT if city in task.text]
    seen = env.step(f"Weather[{min(places)[1]}]").text if places else ""
    return score.exact_match(seen.partition(",")[0], task.gold or "")


def rates() -> str:
    """The table of the card: every rate with its interval, the baselines below."""
    lines = ["| questions | who | right | 95% interval |", "|:--|:--|--:|:--|"]
    for split, what in SPLITS.items():
        runs = list(store.open(path(split)))
        found = {"the adapter": sum(bool(score.correct(run)) for run in runs)} | baselines(split)
        lines += [
            f"| {split}, {what} | {who} | {right} of {len(runs)} | {interval(right, len(runs))} |"
            for who, right in found.items()
        ]
    return "\n".join(lines)


def main() -> None:
    if "tasks" in sys.argv:
        for split in ("train", "dev"):
            lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in made(split))
            data.write(data.folder("tasks", "tools", f"{split}.jsonl"), "".join(lines))
    else:
        print(rates())


if __name__ == "__main__":
    main()
