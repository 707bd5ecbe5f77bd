"""What a model call inside `rl.evaluate` costs in CPU time, against the bare `openai` package.

python tests/benchmarks/calls.py [--episodes 200] [--workers 64] [--rounds 6] [--out calls.json]

Both send the same prompts to the same server, which runs in a process of its own; no cache. Ours
counts all that an episode is: prompt, parser, world, reply log, fsync. Rounds of both
alternate in one run, so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from fixed_server import STEPS, WORLD, server, tasks
from overhead import show

from react_lab import models
from react_lab.evaluation import evaluate
from react_lab.types import Ask

AIM = 0.80


class Listening:
    """A model that remembers what it was asked."""

    def __init__(self, model: Any):
        self.model, self.name, self.tuned, self.asked = model, model.name, model.tuned, list[Ask]()

    def identity(self, leg: str) -> str:
        return str(self.model.identity(leg))

    def complete(self, ask: Ask, on_text: Any = None) -> Any:
        self.asked.append(ask)
        return self.model.complete(ask, on_text)


def bare(url: str, asks: Sequence[Ask], workers: int) -> Callable[[], None]:
    import openai

    client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)

    def call(ask: Ask) -> str:
        answer = client.completions.create(
            model="m", prompt=ask.prompt, max_tokens=256, temperature=0.0, stop=list(ask.stop)
        )
        return answer.choices[0].text

    def calls() -> None:
        with ThreadPoolExecutor(workers) as pool:
            assert all(pool.map(call, asks))

    return calls


def ours(url: str, episodes: int, workers: int) -> Callable[[], None]:
    model = models.openai("m", url)

    def calls() -> None:
        with tempfile.TemporaryDirectory() as folder:
            runs = evaluate(
                "react", tasks(episodes), model, Path(folder) / "runs.jsonl", world=WORLD,
                workers=workers, progress=False,
            )  # fmt: skip
            assert len(runs) == episodes

    return calls


def cpu(calls: Callable[[], None], count: int) -> float:
    """Milliseconds of CPU time a call."""
    began = time.process_time()
    calls()
    return (time.process_time() - began) * 1000 / count


def measure(episodes: int, rounds: int, workers: int) -> dict[str, Any]:
    with server(0.1 if workers > 1 else 0) as url, tempfile.TemporaryDirectory() as folder:
        listening = Listening(models.openai("m", url))
        path = Path(folder) / "runs.jsonl"
        evaluate("react", tasks(episodes), listening, path, world=WORLD, workers=workers)
        assert len(listening.asked) == episodes * STEPS
        loops = {
            "bare openai": bare(url, listening.asked, workers),
            "rl.evaluate": ours(url, episodes, workers),
        }
        times: dict[str, list[float]] = {name: [] for name in loops}
        for i in range(rounds + 1):
            for name in sorted(loops, reverse=bool(i % 2)):
                times[name].append(cpu(loops[name], episodes * STEPS))
    times = {name: found[1:] for name, found in times.items()}  # the first warms up
    ratios = [b / a for a, b in zip(times["bare openai"], times["rl.evaluate"], strict=True)]
    return {"ms": times, "ratio": statistics.median(ratios), "ratios": ratios}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--episodes", type=int, default=200, help="of five calls, a round")
    parser.add_argument("--workers", type=int, default=64, help="calls at a time")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--out", type=Path, help="where to write the figures as JSON")
    given = parser.parse_args(arguments)
    found = measure(given.episodes, given.rounds, given.workers)
    show(found)
    if given.out:
        given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8", newline="\n")
    return 0 if found["ratio"] <= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
