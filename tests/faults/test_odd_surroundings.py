"""F22 in full (make test-faults): odd clocks, folders and processes. It works, or says why not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from stub_server import Stub, completion

from react_lab.models import weights

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(sys.platform != "linux", reason="forks, /proc, time zones"),
]
ROOT = Path(__file__).parents[2]
NOWHERE = "/proc"  # where nobody may write, root included
FORK = """
import os, sys
sys.path.insert(0, "tests")
from experiment import WORLD, tasks
import react_lab as rl
from react_lab.evaluation import evaluate
model = rl.models.openai("m", sys.argv[1], api="completions")
runs = lambda name: evaluate("cot", tasks(60), model, f"{sys.argv[2]}/{name}.jsonl", world=WORLD)
runs("before")
while len(os.listdir("/proc/self/task")) > 1:
    pass  # a thread that ends holds a lock of OpenSSL, which a child would find locked for ever
children = []
for k in range(5):
    if not (child := os.fork()):
        ends = [(run.end, run.answer) for run in runs(k)]
        os._exit(ends != [("finished", f"sea {i}") for i in range(60)])
    children.append(child)
ends = [(run.end, run.answer) for run in runs("parent")]
assert ends == [("finished", f"sea {i}") for i in range(60)], ends
sys.exit(any([os.waitpid(child, 0)[1] for child in children]))
"""


def test_f22_five_forks_share_no_connection(tmp_path):
    """Each gets its own answers, though all inherit the client of their parent."""

    def answer(request):
        question = request.body["prompt"].rpartition("number ")[2].partition("?")[0]
        return completion(f" so\nAnswer: sea {question}")

    with Stub(answer) as stub:
        command = [sys.executable, "-W", "ignore", "-c", FORK, stub.url, tmp_path]
        assert subprocess.run(command, cwd=ROOT).returncode == 0


CODE = """
import sys, matplotlib
matplotlib.use("agg")
from experiment import *
runs = evaluate("react", tasks(3), Player(tuned=frozenset()), sys.argv[1], world=WORLD)
print(rl.plots.table1(rl.frame(rl.store.open(sys.argv[1]))), rl.label.suggest(runs[0]))
"""


def test_f22_neither_home_nor_the_working_folder_can_be_written_to(tmp_path):
    done = anywhere(["-W", "ignore", "-c", CODE, str(tmp_path / "runs.jsonl")])
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("cache", ["", "~nobody-at-all/x", "/dev/null/x", "/proc/x", "x" * 300])
@pytest.mark.parametrize("command", [["fetch"], ["run", "react", "Who?"], ["doctor"]])
def test_f22_a_command_says_in_a_line_what_it_cannot_do(command, cache):
    done = anywhere(["-m", "react_lab", *command], **({"REACT_LAB_CACHE": cache} if cache else {}))
    output = done.stdout + done.stderr
    assert "Traceback" not in output and len(done.stderr.splitlines()) <= 1
    way_out = "set REACT_LAB_CACHE" if cache else "react_lab: "
    told = way_out in output or "python -m react_lab fetch" in output
    assert told or (not cache and done.returncode == 0)


WEIGHTS = weights.cache() / weights.SIZES["135m"].file


@pytest.mark.skipif(not WEIGHTS.exists(), reason="run `python -m react_lab fetch` first")
def test_f22_the_bundled_model_needs_only_its_weights():
    done = anywhere(["-m", "react_lab", "fetch", "135m"], REACT_LAB_CACHE=str(WEIGHTS.parent))
    assert str(WEIGHTS) in done.stdout
    command = ["-m", "react_lab", "run", "cot", "Who wrote Jane Eyre?"]
    around = {"REACT_LAB_CACHE": str(WEIGHTS.parent), "REACT_LAB_SIZE": "135m"}
    done = anywhere(command, **around)
    assert done.returncode == 0 and not done.stderr, done.stderr


def anywhere(arguments, **more):
    """A Python whose home and working folder are no place to write to."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests"), os.environ["PYTHONPATH"]])
    around = {"HOME": NOWHERE, "PYTHONPATH": paths, "PATH": os.environ["PATH"], **more}
    command, how = [sys.executable, *arguments], {"cwd": NOWHERE, "env": around, "text": True}
    return subprocess.run(command, **how, capture_output=True)
