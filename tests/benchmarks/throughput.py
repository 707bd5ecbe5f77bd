"""How near `rl.evaluate` comes to the ideal time: 500 five-step episodes, 100 ms a call, 64 at once.

python tests/benchmarks/throughput.py [--episodes 500] [--workers 64] [--out throughput.json]

The ideal is the latency alone: calls * 100 ms / 64.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fixed_server import STEPS, WORLD, server, tasks

from react_lab import models
from react_lab.evaluation import evaluate

AIM = 1.15


def measure(episodes: int, latency: float, workers: int, rounds: int) -> dict[str, Any]:
    ideal = episodes * STEPS * latency / workers
    with server(latency) as url:
        model = models.openai("m", url)
        timed(model, workers, workers)  # connections, imports
        taken = [timed(model, episodes, workers) for _ in range(rounds)]
        alone = timed(model, episodes, None)
    return {
        "ideal": ideal,
        "seconds": taken,
        "ratio": min(taken) / ideal,
        "self-sized": alone / ideal,
    }


def timed(model: Any, episodes: int, workers: int | None) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.jsonl"
        began = time.perf_counter()
        runs = evaluate("react", tasks(episodes), model, path, world=WORLD, workers=workers)
        assert len(runs) == episodes
        return time.perf_counter() - began


def show(found: dict[str, Any]) -> None:
    verdict = "met" if found["ratio"] <= AIM else "MISSED"
    print(f"ideal {found['ideal']:.2f} s; taken", ", ".join(f"{t:.2f} s" for t in found["seconds"]))
    print(f"ratio, best round: {found['ratio']:.3f} (aim: at most {AIM:.2f}, {verdict})")
    print(f"where it finds out by itself how many at a time: {found['self-sized']:.3f}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--episodes", type=int, default=500)
    parser.add_argument("--latency", type=float, default=0.1)
    parser.add_argument("--workers", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, help="where to write the figures as JSON")
    given = parser.parse_args(arguments)
    found = measure(given.episodes, given.latency, given.workers, given.rounds)
    show(found)
    if given.out:
        given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8", newline="\n")
    return 0 if found["ratio"] <= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
