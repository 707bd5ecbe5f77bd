"""The floors of the house: who may import whom, what import costs; names and examples are true."""

import ast
import doctest
import functools
import graphlib
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import react_lab as rl

HOUSE = Path(rl.__file__).parent
# From the ground up: a room (a module or package, or `react_lab` as its users import it) imports
# those below, and of its own floor, without a circle. One that is gone may stay here.
FLOORS = """support
types
data languages records stats
kinds layouts repairs
agent chat decoding methods prompts transcript
envs models tasks
running score store
analysis evaluation replay
display label plots
finetune teach widgets
react_lab
apps lessons"""
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS.split("\n")) for room in rooms.split()}
DOORS = {"__init__", "__main__"}  # they may open every room
PATHS = {path.relative_to(HOUSE.parent).with_suffix(""): path for path in HOUSE.rglob("*.py")}
MODULES = {".".join(at.parts).removesuffix(".__init__"): path for at, path in PATHS.items()}


def imported(name, path):
    """The modules of ours that a module imports, wherever in its file the import stands."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            inner = [f"{base}.{alias.name}" for alias in node.names if base in MODULES]
            yield from (one if one in MODULES else base for one in inner)


@functools.cache
def graph():
    """Each module, and those of ours that it imports."""
    return {one: {*imported(one, MODULES[one])} - {one} for one in sorted(MODULES)}


@functools.cache
def rooms():
    """Each room, but the doors, and the rooms that it imports."""
    found = {}
    for name in graph():
        if "." in name and (room := name.split(".")[1]) not in DOORS:
            there = {one.removeprefix("react_lab.").split(".")[0] for one in graph()[name]} - {room}
            found.setdefault(room, set()).update(there)
    return found


def test_a_room_stands_on_a_floor_and_imports_nothing_from_above():
    assert not (new := rooms().keys() - FLOOR_OF.keys()), f"write {', '.join(new)} into FLOORS"
    up = {(a, b) for a in rooms() for b in rooms()[a] if FLOOR_OF[a] < FLOOR_OF.get(b, len(FLOORS))}
    assert not up, "; ".join(f"{a} imports {b}, which stands above it" for a, b in sorted(up))


@pytest.mark.parametrize("these", [rooms, graph])
def test_nothing_imports_in_a_circle(these):
    graphlib.TopologicalSorter(these()).prepare()  # the error names the circle


BROUGHT = """
import sys
before = {*sys.modules}
def brought():
    new = {name.split(".")[0] for name in {*sys.modules} - before}
    print(*sorted(new - sys.stdlib_module_names))
import react_lab
brought()
import react_lab.envs.household
brought()
import react_lab.teach
react_lab.models.openai("m", "http://localhost:1/v1").identity("")
brought()
"""


def test_import_brings_nothing_heavy_and_prints_and_writes_nothing(tmp_path):
    """Python itself and react_lab alone; a household a little, and nothing what it has no need of."""
    run = [sys.executable, "-c", BROUGHT]
    said = subprocess.run(run, capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    alone, household, later = said.splitlines()
    assert (alone, household) == ("react_lab", "msgspec react_lab typing_extensions")
    assert not {"ipywidgets", "openai", "httpx", "httpx2", "pydantic"} & {*later.split()}
    assert not [*tmp_path.iterdir()]


IN_A_TAB = """
import sys
sys.modules |= dict.fromkeys(("IPython", "PIL", "ipywidgets", "matplotlib", "numpy", "pandas", "tqdm"))
from react_lab import lessons
print(*(len(lessons.lesson_named(f"{number:02}").exercises) for number in range(11)))
"""


def test_the_lessons_check_without_what_draws():
    """A browser tab, where exercises are checked, has no pandas and no matplotlib."""
    done = subprocess.run([sys.executable, "-c", IN_A_TAB], capture_output=True, text=True)
    assert len(done.stdout.split()) == 11, done.stderr[-800:]


def test_what_all_names_is_there_and_the_examples_in_docstrings_are_true():
    for name in (name for name in MODULES if not name.endswith("__main__")):
        module = importlib.import_module(name)
        assert not doctest.testmod(module).failed
        named = getattr(module, "__all__", ())
        gone = [one for one in named if not hasattr(module, one) or one not in dir(module)]
        assert not gone, f"{name}.__all__ names {', '.join(gone)}, which it has not"
