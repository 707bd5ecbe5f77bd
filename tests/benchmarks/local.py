"""The bundled model: how soon it speaks, how long an episode takes, what 21 samples cost.

python tests/benchmarks/local.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import react_lab as rl
from react_lab.models.openai_compatible import Compatible
from react_lab.types import Ask

VOTE = Ask("", ("\nQuestion:",), 0.7, tuple(range(21)), 256, leg="cot")


def seconds(do) -> float:
    began = time.perf_counter()
    do()
    return time.perf_counter() - began


def main() -> None:
    tasks = rl.tasks.load("multihop", "dev", n=15, by_type=True)
    model = rl.models.local()
    first = seconds(
        lambda: model.complete(Ask("Question: Who?\nThought 1:", leg="react", max_tokens=1))
    )
    episodes = [seconds(lambda t=task: rl.run("react", t, model)) for task in tasks]
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        beside = [seconds(lambda t=task: rl.run("react", t, model)) for task in tasks]
        busy.kill()
    direct, voted = [], []
    for k, task in enumerate(tasks[:5]):
        ask = replace(VOTE, prompt=f"Question: {task.text}\nThought:", seed=k)
        direct.append(seconds(lambda a=ask: Compatible.complete(model, a)))  # n=21, no more
        voted.append(seconds(lambda t=task, s=k: rl.run("cot-sc", t, model, seed=s + 100)))
    rows = {
        "first token, server started (s)": first,
        "an episode of react, median (s)": statistics.median(episodes),
        "beside a busy core, over alone (15 episodes)": sum(beside) / sum(episodes),
        "cot-sc's 21 samples over n=21 asked directly": sum(voted) / sum(direct),
        "memory of the server (MB)": memory(model._child().pid),
    }
    print("\n".join(f"{name:48}{value:8.2f}" for name, value in rows.items()))


def memory(pid: int) -> float:
    told = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(told.split("VmHWM:")[1].split()[0]) / 1000


if __name__ == "__main__":
    main()
