"""The package's core under Pyodide, in node: the same worlds give the same observations."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from react_lab import data

HERE = Path(__file__).parent
TAKEN = {"comparison/multihop-tuned": 50, "comparison/claims-tuned": 30, "table3/unseen": 24,
         "table4/test": 16}  # recorded runs, and how many of each  # fmt: skip
OLD = ("tasks/household/old.jsonl", "tasks/shop/old.jsonl", "shop/old.jsonl.gz")
pytestmark = [pytest.mark.live, pytest.mark.skipif(not shutil.which("node"), reason="needs node")]


def recorded():
    for name, n in TAKEN.items():
        lines = data.folder("runs", f"{name}.jsonl").read_text(encoding="utf-8").split("\n")
        acting = [line for line in lines if line and json.loads(line)["method"] in ("act", "react")]
        yield from acting[:: max(1, len(acting) // n)][:n]


@pytest.fixture(scope="module")
def there(site, tmp_path_factory):
    """What the browser's Python says."""
    runs = tmp_path_factory.mktemp("runs") / "runs.jsonl"
    runs.write_text("\n".join(recorded()), encoding="utf-8")
    files = [site / "live", runs, HERE / "replayed.py", data.folder(), *OLD]
    command = ["node", HERE / "replay.mjs", *files]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_a_hundred_runs_give_the_same_observations_in_the_browsers_python(there):
    from replayed import replayed

    here, found = json.loads(replayed("\n".join(recorded()))), there["said"]
    assert len(found) >= 100 and sum(len(run) - 1 for run in found) >= 1000
    assert found == here
    acts = [act for run in found for act in run[1:]]
    assert not [act for act in acts if act[0] != act[-1]], "not what was recorded"
    assert there["platform"] == "emscripten"
    assert not there["cutter"]
    ask = there["asked"]["ask"]
    assert ask["prompt"].endswith("Thought 1:") and ask["scales"] == [0.0, 0.0, 1.0, 0.0]
