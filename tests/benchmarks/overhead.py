"""What a call through `models.openai` costs us in CPU time, against the bare `openai` package.

python tests/benchmarks/overhead.py [--calls 300] [--rounds 12] [--out overhead.json]

Both loops ask the same stub on loopback, which runs in a child process so that only the client's
own CPU time is counted; rounds of both alternate in one run, so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

from stub_server import Stub, completion  # noqa: E402

from react_lab import models  # noqa: E402
from react_lab.types import Ask  # noqa: E402

AIM = 0.80
TEXT = " I need to search the river Danube.\nAction 1: Search[Danube]"
STOP = ("\nObservation 1:",)
PROMPT = "Question: Which river?\nThought 1: Search it.\nAction 1: Search[River]\n" * 60


def serve() -> None:
    """The stub, until standard input closes."""
    with Stub([completion(TEXT)]) as stub:
        print(stub.url, flush=True)
        sys.stdin.read()


@contextmanager
def server() -> Iterator[str]:
    """The address of a stub in a process of its own."""
    command = [sys.executable, __file__, "--serve"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as child:
        assert child.stdin and child.stdout
        yield child.stdout.readline().strip()
        child.stdin.close()


def bare(url: str) -> Callable[[], str]:
    import openai

    client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)

    def call() -> str:
        answer = client.completions.create(
            model="m", prompt=PROMPT, max_tokens=256, temperature=0.0, stop=list(STOP)
        )
        return answer.choices[0].text

    return call


def ours(url: str) -> Callable[[], str]:
    model = models.openai("m", url)

    def call() -> str:
        return model.complete(Ask(PROMPT, STOP, leg="react"))[0].text

    return call


def cpu(call: Callable[[], str], calls: int) -> float:
    """Milliseconds of CPU time a call."""
    began = time.process_time()
    for _ in range(calls):
        assert call() == TEXT
    return (time.process_time() - began) * 1000 / calls


def measure(calls: int, rounds: int) -> dict[str, Any]:
    with server() as url:
        loops = {"bare openai": bare(url), "react_lab": ours(url)}
        for call in loops.values():
            cpu(call, 50)  # connections, imports, caches
        times: dict[str, list[float]] = {name: [] for name in loops}
        for i in range(rounds):
            for name in sorted(loops, reverse=bool(i % 2)):
                times[name].append(cpu(loops[name], calls))
    ratios = [b / a for a, b in zip(times["bare openai"], times["react_lab"], strict=True)]
    return {"ms": times, "ratio": statistics.median(ratios), "ratios": ratios}


def show(found: dict[str, Any]) -> None:
    print(f"{'CPU ms a call':16}{'median':>9}{'least':>9}{'most':>9}")
    for name, times in found["ms"].items():
        print(f"{name:16}{statistics.median(times):9.3f}{min(times):9.3f}{max(times):9.3f}")
    verdict = "met" if found["ratio"] <= AIM else "MISSED"
    print(f"ratio, median of the rounds: {found['ratio']:.3f} (aim: at most {AIM:.2f}, {verdict})")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--calls", type=int, default=300, help="calls a round")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--out", type=Path, help="where to write the figures as JSON")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.serve:
        serve()
        return 0
    found = measure(given.calls, given.rounds) | {
        "calls": given.calls,
        "python": platform.python_version(),
        "openai": metadata.version("openai"),
    }
    show(found)
    if given.out:
        given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8", newline="\n")
    return 0 if found["ratio"] <= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
