"""The bundled model among others and under ill fortune (make test-faults)."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from waiting import running, until

import react_lab as rl
from react_lab.models import weights
from react_lab.models.llama import Child
from react_lab.types import Ask, ModelError

WEIGHTS = weights.cache() / weights.SIZES["135m"].file
pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(sys.platform != "linux", reason="signals, /proc"),
    pytest.mark.skipif(not WEIGHTS.exists(), reason="run `python -m react_lab fetch`"),
]
ROOT = Path(__file__).parents[2]


def word(k):
    """A reply that no other ask could get: the grammar lets the model say nothing else."""
    return Ask(f"Say {k}:", leg="react", max_tokens=32, grammar=f'root ::= " so{k:03d}so"')


@pytest.fixture
def model():
    model = rl.models.local(adapter=None)
    yield model
    os.kill(model._child().pid, signal.SIGCONT)


def test_a_server_halted_for_longer_than_one_waits(model):
    """A sentence; and the next reply is not that which came too late."""
    hurried = rl.models.local(adapter=None, timeout=1.0)  # asks the same server
    hurried.attempts = 1
    server = model._child().pid
    for k in range(5):
        os.kill(server, signal.SIGSTOP)
        with pytest.raises(ModelError, match="no answer from"):
            hurried.complete(word(2 * k))
        os.kill(server, signal.SIGCONT)
        assert model.complete(word(2 * k + 1))[0].text == f" so{2 * k + 1:03d}so"
    assert model._child().pid == hurried._child().pid == server


def test_a_server_killed_again_and_again_under_many_asks(model):
    """Every ask ends: in its own reply, or in a sentence."""
    ends = []

    def asked(k):
        try:
            assert model.complete(word(k))[0].text == f" so{k:03d}so"
            ends.append("reply")
        except ModelError as error:
            assert "\n" not in str(error)
            ends.append("sentence")

    with ThreadPoolExecutor(8) as pool:
        asks = [pool.submit(asked, k) for k in range(100)]
        for k in (10, 30, 50, 70):
            until(lambda k=k: len(ends) >= k)
            os.kill(model._child().pid, signal.SIGKILL)
        for ask in asks:
            ask.result()
    assert model.complete(word(1))[0].text == " so001so"
    print(f"\n{ends.count('reply')} replies, {ends.count('sentence')} sentences")


FORK = """
import os, sys
import react_lab as rl
from react_lab.types import Ask
model = rl.models.local(adapter=None, threads=1)
say = lambda: model.complete(Ask("Question: Who?\\nThought 1:", leg="react", max_tokens=8))[0].text
text, server = say(), model._child().pid
if not (worker := os.fork()):
    assert say() == text and model._child().pid != server
    print(model._child().pid, flush=True)
    os._exit(0)
assert not os.waitpid(worker, 0)[1]
assert say() == text and model._child().pid == server
print(server, flush=True)
"""


def test_a_forked_worker_has_a_server_of_its_own():
    """It neither ends that of its kernel nor leaves its own behind."""
    command = [sys.executable, "-W", "ignore", "-c", FORK]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    servers = done.stdout.split()
    assert len(servers) == 2
    until(lambda: not any(map(running, servers)))


def test_twenty_starts_and_ends_leave_nothing():
    files, pids = Path("/proc/self/fd"), []
    before = len([*files.iterdir()])
    for _ in range(20):
        child = Child({weights.path(): weights.SIZES["135m"].sha256}, threads=1)
        pids.append(child.started().pid)
        child.stop()
    assert not any(map(running, pids)) and len([*files.iterdir()]) <= before + 1
