"""F6 to F8 in full (make test-faults): servers that fail, answer nonsense, or refuse."""

import itertools
import random
import threading
import time
from collections import defaultdict
from dataclasses import replace

import pytest
from experiment import WORLD, tasks
from stub_server import Answer, Stub, completion, refusal

import react_lab as rl
from react_lab.evaluation import evaluate

pytestmark = [pytest.mark.faults, pytest.mark.filterwarnings("ignore:.* runs ended in")]
GOOD = completion(" so\nAnswer: Black Sea")


def played(path, url, n, **options):
    """n questions, put to a server."""
    model = rl.models.openai("m", url, api="completions", **options)
    return evaluate("cot", tasks(n), model, path, world=WORLD, progress=False)


# F6: faults that pass
BUSY = {
    "429 seconds": refusal(429, "slow", {"retry-after": "0.01"}),
    "503": refusal(503, "oh", {"retry-after-ms": "1"}), "slow drip": replace(GOOD, drip=0.0002),
}  # fmt: skip
OURS = {  # they do not say how long to wait: the pauses are of our own choice, and longer
    "429 garbage": refusal(429, "slow", {"retry-after": "soon"}), "reset": Answer(reset=True),
    "cut": Answer({"a": 1}, cut=True), "too slow": replace(GOOD, delay=1.0),
}  # fmt: skip
VOLUME = {0.01: (500, 500), 0.1: (500, 100), 0.5: (500, 8)}  # calls: BUSY, OURS


@pytest.mark.parametrize("rate", VOLUME)
@pytest.mark.parametrize("kind", [*BUSY, *OURS])
def test_f6_a_server_that_fails_now_and_then(tmp_path, kind, rate):
    n, pick, lock = VOLUME[rate][kind in OURS], random.Random(7), threading.Lock()
    came = defaultdict(list)

    def answer(request):
        with lock:
            came[request.body["prompt"]].append(time.monotonic())
            failing = pick.random() < rate
        return (BUSY | OURS)[kind] if failing else GOOD

    timeout = 0.5 if kind == "too slow" else 60.0
    with Stub(answer) as stub:
        runs = played(tmp_path / "runs.jsonl", stub.url, n, attempts=6, timeout=timeout)
    ends, asked = [run.end for run in runs], sum(map(len, came.values()))
    assert len(runs) == n and set(ends) <= {"finished", "error"}
    assert all(len(times) <= 6 for times in came.values())
    assert all(run.error for run in runs if run.end == "error")
    gaps = [b - a for times in came.values() for a, b in itertools.pairwise(times)]
    assert min(gaps, default=9) >= 0.01 * (kind == "429 seconds")  # what the server asks for
    errors = ends.count("error")
    print(f"\nF6 {kind} at {rate:.0%}: {asked / n:.2f} requests a call, {errors} errors")
