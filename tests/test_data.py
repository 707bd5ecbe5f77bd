"""Data is found in the checkout and in an installed wheel; a path is resolved and said."""

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

import react_lab as rl
from react_lab.__main__ import main

ROOT = Path(__file__).parents[1]


def test_a_path_starts_where_its_typist_stands(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    task, model = rl.tasks.question("Who?", "me"), rl.models.scripted(lambda ask: " me\n")
    run = rl.run("standard", task, rl.models.cached(model, "a/replies.jsonl"))
    assert list(rl.store.open(rl.store.append("a/runs.jsonl", run))) == [run]
    assert len(rl.evaluate(["standard"], [task], model, "a/evaluated.jsonl")) == 1
    rl.to_csv(rl.frame(rl.store.open("a/runs.jsonl")), "a/frame.csv")
    rl.store.to_inspect("a/inspect.eval", run)
    rl.label.export(rl.label.merge("a/labels.jsonl").marks, "a/labels.csv")
    rl.widgets.player(run).save("a/player.html")
    rl.plots.table(rl.frame([run])).save("a/table.md")
    names = "evaluated.jsonl frame.csv inspect.eval labels.csv replies.jsonl runs.jsonl"
    names += " player.html table.md"
    assert {path.name for path in (tmp_path / "a").iterdir()} >= {*names.split()}
    main(["grade", "a"])
    assert "no reports and no labels" in capsys.readouterr().out


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The wheel, built and unpacked into an empty folder, as pip would, without the network."""
    wheels, site = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", wheels]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = wheels.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(site)
    return site


def told(code, here, installed, **env):
    """What a program prints that finds react_lab in the wheel alone."""
    env = {**os.environ, "PYTHONPATH": str(installed), **env}
    command = [sys.executable, "-c", code, installed]
    done = subprocess.run(command, cwd=here, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_installed_wheel_carries_its_data(installed, tmp_path):
    code = (
        "import react_lab as rl, react_lab.data as d;"
        "m = rl.models.scripted([' a\\nAction 1: Search[Danube]', ' b\\nAction 2: Finish[x]']);"
        "run = rl.run('react', rl.tasks.load('multihop', 'demo')[0], model=m);"
        "print(d.project(), d.folder(), run.end, rl.store.append('runs/a.jsonl', run), sep='|')"
    )
    project, folder, end, path = told(code, tmp_path, installed).strip().split("|")
    assert (project, end, path) == ("None", "finished", str(tmp_path / "runs" / "a.jsonl"))
    assert folder.startswith(str(installed)) and folder.endswith("_data")


LESSONS = """
import importlib, pkgutil, sys
import react_lab as rl, react_lab.lessons
assert rl.__file__.startswith(sys.argv[1]), rl.__file__
for module in pkgutil.iter_modules(react_lab.lessons.__path__):
    room = importlib.import_module(f"react_lab.lessons.{module.name}")
    if hasattr(room, "lesson"):
        room.lesson()
        print(module.name)
assert react_lab.lessons.lesson_06.labelled().runs, "the labelled set comes with the package"
"""


def test_every_lesson_and_what_a_notebook_imports_work_from_an_installed_wheel(installed, tmp_path):
    """In an empty folder, with an empty home."""
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir(), here.mkdir()
    books = sorted((ROOT / "notebooks").glob("*.ipynb"))
    cells = [cell for book in books for cell in nbformat.read(book, as_version=4).cells]
    code = (ast.parse(cell.source) for cell in cells if cell.cell_type == "code")
    imports = [node for tree in code for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]  # fmt: skip
    code = LESSONS + "\n".join(dict.fromkeys(map(ast.unparse, imports)))
    homes = dict.fromkeys(("HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_DATA_HOME"), str(home))
    made = told(code, here, installed, **homes)
    lessons = [book for book in books if book.name[2] == "_"]  # NNb_ asks nothing
    assert len(made.split()) == len(lessons)
    assert not list(here.iterdir())


def test_every_file_names_its_encoding(tmp_path):
    """`open` without an encoding reads other letters on other machines."""
    code = "import react_lab as rl; rl.tasks.load('multihop', 'demo'); rl.prompt_of('react'); rl.envs.pages.bundled()"
    strict = ["-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
    subprocess.run([sys.executable, *strict, "-c", code], check=True)
