"""How sure the bundled model is of the step with which a greedy run begins to loop.

    python -m react_lab.authoring.sure 13        writes data/runs/decoding/sure.json

A beam search looks for the likeliest whole step, where greedy decoding takes the likeliest token
each time. Where the greedy step has more than half of all probability no other can have more, and
a beam of any width finds the same step. One request per step tells: llama.cpp gives the probability
of each token. Its server keeps no beams: one of width 4 would need a request per token and beam.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from typing import Any

from .. import data, models
from ..asked import begun
from ..decoding import stuck
from ..lessons import decoded
from ..models.faults import Fault
from ..models.llama import Local
from ..types import Ask, Reply, Trajectory

__all__ = ["first_stuck", "main", "sure"]


def first_stuck(run: Trajectory) -> int | None:
    """The number of the first step that does what the run has done before."""
    numbers = range(1, len(run.steps) + 1)
    return next((i for i in numbers if stuck(run.steps[i - 1], run.steps[: i - 1])), None)


def sure(model: Local, ask: Ask) -> tuple[str, float]:
    """The greedy reply, up to where it is stopped, and its probability."""
    asked = {
        "prompt": ask.prompt, "max_tokens": ask.max_tokens, "temperature": 0, "logprobs": 1,
        "stop": list(ask.stop), **model._extra(ask.leg),
    }  # fmt: skip
    found = model._whole("/completions", asked)
    if isinstance(found, Fault):
        raise RuntimeError(found.message)
    choice = json.loads(found)["choices"][0]
    tokens = choice["logprobs"]["content"]
    return choice["text"], math.exp(sum(token["logprob"] for token in tokens))


def measured(model: Local, run: Trajectory, at: int) -> dict[str, Any]:
    transcript = begun(run)
    for i, step in enumerate(run.steps[: at - 1], 1):
        transcript.add(step, i)
    text, chance = sure(model, transcript.ask(at))
    act = transcript.read(Reply(text), at).action
    told = {"run": run.id, "task": run.task.id, "step": at, "act": act}
    return told | {"chance": round(chance, 4), "as stored": act == run.steps[at - 1].action}


def main(argv: Sequence[str] | None = None) -> None:
    given = sys.argv[1:] if argv is None else argv
    model, path = models.local(threads=1), decoded.folder() / "sure.json"
    rows = decoded.sure() if path.exists() else []
    for set in decoded.SETS:
        places = [(run, at) for run in decoded.greedy(set) if (at := first_stuck(run))]
        for run, at in places[: int(given[0]) if given else None]:
            if run.id not in {row["run"] for row in rows}:
                rows.append(measured(model, run, at))
                print(rows[-1], flush=True)
                data.write(path, json.dumps(rows, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
