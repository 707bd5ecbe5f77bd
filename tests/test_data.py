"""Data is found in the checkout and in an installed wheel; a path is resolved and said."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from react_lab import data

ROOT = Path(__file__).parents[1]


def test_in_the_checkout():
    assert data.project() == ROOT and data.folder("wiki", "pages.jsonl").is_file()
    assert data.resolve("runs/x.jsonl") == ROOT / "runs" / "x.jsonl"
    assert data.resolve(ROOT / "x") == ROOT / "x"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The wheel, built and installed into an empty folder, without the network."""
    wheels, site = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    build = [
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "-w",
        str(wheels),
        str(ROOT),
    ]
    subprocess.run([*pip, *build], check=True, capture_output=True)
    (wheel,) = wheels.glob("*.whl")
    into = ["install", "--no-deps", "--no-index", "--target", str(site), str(wheel)]
    subprocess.run([*pip, *into], check=True, capture_output=True)
    return site


def test_an_installed_wheel_carries_its_data(installed, tmp_path):
    code = (
        "import react_lab as rl, react_lab.data as d, pathlib;"
        "m = rl.models.scripted([' a\\nAction 1: Search[Danube]', ' b\\nAction 2: Finish[x]']);"
        "run = rl.run('react', rl.tasks.load('multihop', 'demo')[0], model=m);"
        "print(d.project(), d.folder().name, rl.__file__, len(run.settings['prompt']), run.end);"
        "print(rl.store.append('runs/a.jsonl', run))"
    )
    env = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert (
        first.startswith("None _data") and str(installed) in first and first.endswith("1 finished")
    )
    assert second == str(tmp_path / "runs" / "a.jsonl")


def test_every_file_names_its_encoding(tmp_path):
    """`open` without an encoding reads other letters on other machines."""
    code = "import react_lab as rl; rl.tasks.load('multihop', 'demo'); rl.prompt_of('react'); rl.envs.pages.bundled()"
    command = [
        sys.executable,
        "-X",
        "warn_default_encoding",
        "-W",
        "error::EncodingWarning",
        "-c",
        code,
    ]
    subprocess.run(command, check=True)


def test_json_lines_survive_any_text(tmp_path):
    path = tmp_path / "a" / "x.jsonl"
    rows = [{"t": "\ud800 ü \u2028 \x00"}, {"t": "</script>\r\n"}]
    for row in rows:
        data.add_line(path, row)
    assert list(data.lines(path)) == rows
