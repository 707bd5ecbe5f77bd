"""The fault matrix in full (make test-faults): each prints a figure. The short ones stand beside
test_evaluation.py; F6 to F8 and F22 in files of their own."""

import errno
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from experiment import WORLD, Experiment, Player, killed_often, tasks
from stub_server import Stub
from till import KILL, READ, WRITTEN, Till, command

import react_lab as rl
from react_lab import store
from react_lab.evaluation import evaluate

pytestmark = pytest.mark.faults


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    whole = Experiment(tmp_path_factory.mktemp("whole"), 1000, 8)
    assert whole.session(None)
    return (whole.folder / "table.csv").read_bytes()


@pytest.mark.parametrize("workers", [1, 8])
def test_f1_eight_runs_of_a_thousand_episodes_each_killed_at_least_three_times(
    tmp_path, undisturbed, workers
):
    def play(seed):  # slowly, so that a kill finds many episodes on the disk
        kills, slowly = 3 + seed % 3, 0.0005 * workers
        return killed_often(tmp_path / str(seed), 1000, workers, kills, seed, delay=slowly)

    kills = twice = 0
    for run in two_at_a_time(play, range(8)):
        assert len(run.stored()) == 1000 and run.finished[-2]
        assert (run.folder / "table.csv").read_bytes() == undisturbed
        kills, twice = kills + run.kills, twice + sum(run.check().values())
    print(f"\nF1, {workers} at a time: {kills} kills, 0 episodes lost, {twice} calls repeated")


def two_at_a_time(play, seeds):
    """Experiments are processes: two cores play two of them."""
    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(play, seeds)


WINDOWS = [f"open:{k}" for k in (1, 2, 3, 4, 7, 20, 40)]
WINDOWS += ["os.rename:1", "os.rename:2", "os.remove:1"]


@pytest.mark.parametrize("window", WINDOWS)
def test_f2_a_kill_at_every_named_window(tmp_path, window):
    def play(k):
        (tmp_path / str(k)).mkdir()
        run = Experiment(tmp_path / str(k), 5, 1 + k, methods=("react", "cot-sc"))
        assert not run.session(None, "--die", window) and run.session(None)
        return run

    for run in two_at_a_time(play, range(5)):
        assert len(run.stored()) == 10
        run.check()


class Trap:
    """Makes the k-th opening for writing of a file of the experiment fail, as a full disk does."""

    left, error, hits = -1, 0, 0

    def __call__(self, event, about):
        if event != "open" or not self.left or "runs.jsonl" not in str(about[0]):
            return
        if ".lock" in str(about[0]) or not about[2] & (os.O_WRONLY | os.O_RDWR):
            return
        self.left -= 1
        if not self.left:
            self.hits += 1
            raise OSError(self.error, "injected", str(about[0]))


@pytest.fixture(scope="module")
def trap():
    trap = Trap()
    sys.addaudithook(trap)
    yield trap
    trap.left = 0


@pytest.mark.filterwarnings("ignore:.*last line was torn")
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EACCES])
def test_f4_every_kth_write_fails(tmp_path, trap, error):
    trap.hits, how = 0, {"world": WORLD, "progress": False}
    for k in range(1, 201, 3):
        path, trap.error, trap.left = tmp_path / f"{k}" / "runs.jsonl", error, k
        try:
            runs = evaluate("react", tasks(45), Player(), path, workers=3, **how)
            assert len(runs) == 45  # not reached, or only the reply log could not be cleared away
        except OSError as caught:
            assert caught.errno == error
        trap.left = 0
        until_quiet()
        assert all(run.end == "finished" for run in rl.store.open(path)) if path.exists() else True
        again = evaluate("react", tasks(45), Player(), path, **how)
        assert len(again) == len(rl.store.open(path)) == 45
    print(f"\nF4, {errno.errorcode[error]}: {trap.hits} failed writes, nothing torn was counted")


def until_quiet():
    """The threads that end what was under way."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(10)


def child(code, *given):
    command = [sys.executable, "-c", code, *given]
    root = Path(__file__).parents[2]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)


@pytest.mark.filterwarnings("ignore")  # a torn line is warned of
@pytest.mark.skipif(sys.platform == "win32", reason="no RLIMIT_FSIZE there")
def test_f4_a_disk_that_fills_in_the_middle_of_a_line(tmp_path):
    """The kernel writes a part of the line and refuses the rest."""
    code = (
        "import resource, sys; sys.path.insert(0, 'tests'); from experiment import *;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2);"
        "evaluate('react', tasks(30), Player(), sys.argv[1], world=WORLD, workers=2)"
    )
    for size in range(300, 40_000, 2_999):
        path = tmp_path / f"{size}" / "runs.jsonl"
        done = child(code, path, str(size))
        assert done.returncode == 1
        assert "File too large" in done.stderr or "is full" in done.stderr
        before = len(rl.store.open(path)) if path.exists() else 0
        runs = evaluate("react", tasks(30), Player(), path, world=WORLD, progress=False)
        assert before < 30 == len(runs) == len(rl.store.open(path))


def test_f3_twenty_interrupts(tmp_path):
    import _thread

    path, made, longest, sessions = tmp_path / "runs.jsonl", [], 0.0, 0
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it
    for k in range(20):
        model = Player(delay=0.05)
        timer = threading.Timer(random.Random(k).uniform(0.1, 0.6), _thread.interrupt_main)
        timer.start()
        try:
            evaluate("react", tasks(400), model, path, world=WORLD, workers=8, progress=False)
        except KeyboardInterrupt:
            began = time.monotonic()
            sessions += 1
            until_quiet()
            longest = max(longest, time.monotonic() - began)
        timer.cancel()
        made += model.asked
    signal.signal(signal.SIGINT, before)
    runs = evaluate("react", tasks(400), last := Player(), path, world=WORLD, progress=False)
    made += last.asked
    assert len(made) == len(set(made)) == 2000 and len(runs) == 400
    assert sessions == 20
    print(f"\nF3: {sessions} interrupts, no call twice, the last thread gone in {longest:.2f} s")


def test_f12_a_vote_killed_after_any_sample(tmp_path):
    """kill -9 after j of 21 samples, for every j; the same vote, and no sample asked for twice."""
    (tmp_path / "whole").mkdir()
    whole = Experiment(tmp_path / "whole", 1, 1, methods=("cot-sc",))
    assert whole.session(None)

    def play(j):
        (tmp_path / str(j)).mkdir()
        run = Experiment(tmp_path / str(j), 1, 1, methods=("cot-sc",), delay=0.02)
        assert not run.session(j) and run.session(None)
        return run

    twice = 0
    for run in two_at_a_time(play, range(1, 21)):
        twice += sum(run.check().values())
        assert votes(run) == votes(whole)
    print(f"\nF12: 20 kills, {twice} samples asked for twice (those under way)")


def votes(run):
    (found,) = rl.store.open(run.folder / "runs.jsonl")
    assert len(found.samples) == found.calls == 21
    return found.votes, found.samples, found.answer


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_f18_memory_stays_small(tmp_path):
    """A line of a million brackets, and one of 100 MB."""
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"[" * 1_000_000 + b"\n" + b'{"id": "' + b"x" * 100_000_000 + b"\n")
    code = (
        "import sys, warnings; sys.path.insert(0, 'tests'); from experiment import *;"
        "warnings.simplefilter('ignore');"
        "print(len(evaluate('react', tasks(3), Player(), sys.argv[1], world=WORLD)), int(peak()))"
    )
    runs, most = map(int, child(code, path).stdout.split())
    assert runs == 3 and most <= 512
    print(f"\nF18: {most} MB")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_f21_ten_thousand_episodes_of_a_gigabyte(tmp_path):
    path = tmp_path / "runs.jsonl"
    (run,) = evaluate("react", tasks(1), Player(), path, world=WORLD, progress=False)
    row = path.read_text(encoding="utf-8").replace('"A river.', '"' + "A river. " * 11_000, 1)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for k in range(10_000):
            file.write(row.replace(run.id, f"{k:016x}"))
    assert path.stat().st_size > 0.95e9
    code = (
        "import sys, time; sys.path.insert(0, 'tests'); from experiment import peak, rl;"
        "t = time.time(); sum(map(len, open(sys.argv[1], 'rb'))); print(time.time() - t);"
        "t = time.time(); runs = rl.store.open(sys.argv[1]); print(time.time() - t);"
        "t = time.time(); runs[7777]; print(time.time() - t); rl.frame(runs); print(peak())"
    )
    plain, opened, one, memory = map(float, child(code, path).stdout.split())
    print(
        f"\nF21: read {plain:.2f} s, open {opened:.2f} s, an episode {1000 * one:.1f} ms, {memory:.0f} MB"
    )
    assert opened < 20 * plain and one < plain and memory < 300  # beside other work, too


# ---------------------------------------------------------------------- Table 1
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
