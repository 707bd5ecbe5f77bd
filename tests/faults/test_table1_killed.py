"""Table 1 may be killed at any moment: the same command goes on, and nothing is paid twice."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from stub_server import Stub
from till import KILL, READ, WRITTEN, Till, command

from react_lab import store

pytestmark = pytest.mark.faults


@pytest.fixture
def till():
    told = Till()
    with Stub(told) as stub:
        told.url = stub.url
        yield told


def test_killed_three_times_nothing_is_paid_twice(till, tmp_path):
    """One call at a time: it dies when a call is made that will never be answered."""
    ways = [str(Path(__file__).parents[2]), os.environ["PYTHONPATH"]]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(ways)}
    till.kill_at = [40, 100, 160]  # of some 200 calls
    codes = []
    while not codes or codes[-1]:
        words = [sys.executable, "-m", "react_lab", *command(till, tmp_path / "out", "--yes")]
        with subprocess.Popen(words, env=env, stdout=subprocess.PIPE) as till.victim:
            out = till.victim.communicate()[0].decode()
        codes.append(till.victim.returncode)
        assert len(codes) < 9
    assert len(codes) == 4 and set(codes[:3]) == {-KILL} and not till.kill_at
    assert max(Counter(asked for asked, _ in till.paid).values()) == 1
    runs = list(store.open(tmp_path / "out" / "runs.jsonl"))
    spent = sum(run.tokens_in * READ + run.tokens_out * WRITTEN for run in runs) / 1e6
    assert len(runs) == 110 and spent == pytest.approx(till.bill)
    assert "Supervised SoTA" in out
