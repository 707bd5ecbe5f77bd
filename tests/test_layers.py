"""The rooms of the house: who may import whom, what import costs, what is exported."""

import ast
import graphlib
import importlib
import inspect
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import react_lab as rl

HOUSE = Path(rl.__file__).parent
# The table of the architecture, from the ground up: a room, and the rooms below it that it uses.
# `python tests/test_layers.py` prints it as the code is now, and who is imported by most.
TABLE = """
address:
characters:
files:
stats: characters
streams: characters
types: characters
data: files
forks: types
records: files types
repairs: types
downloads: data files streams types
languages: data types
paper: data
calls: records types
tables: records types
published: downloads records
blocks: characters languages
layouts: languages repairs types
spoken: calls repairs types
kinds: languages layouts types
envs: address calls characters data downloads files kinds languages records tables types
models: address characters data files kinds records types
parts: blocks kinds languages types
prompts: data kinds layouts records repairs types
tasks: data envs kinds languages published records tables types
doctor: characters data envs models types
columns: blocks forks kinds languages parts prompts types
authors: downloads kinds layouts prompts published records
edits: kinds prompts records types
transcript: prompts types
display: blocks characters columns kinds languages parts types
chat: calls kinds prompts records repairs spoken transcript types
decoding: prompts repairs transcript types
asked: authors chat edits kinds prompts transcript types
agent: chat decoding prompts records repairs transcript types
score: characters data decoding kinds languages types
methods: agent decoding kinds prompts transcript types
store: calls characters data files layouts records score types
world: data envs kinds records score tasks types
lab: agent asked characters decoding kinds methods models prompts types
shop_site: agent characters data envs files kinds methods score store types
label: asked characters data display envs files kinds languages methods paper records score stats store types world
evaluation: agent characters data decoding files kinds lab methods records score store streams types
plots: asked blocks characters kinds label methods paper score stats types world
teach: characters data display files label languages records
finetune: asked data edits envs kinds lab layouts models plots prompts records score stats store tasks types world
reproduce: characters data envs evaluation kinds models paper plots store tasks types
widgets: agent asked blocks characters columns display edits forks kinds lab label languages methods parts plots prompts score store tasks teach transcript types
lessons: asked calls characters chat data decoding display edits envs finetune kinds lab label layouts methods models paper plots prompts reproduce score stats store tasks teach transcript types widgets world
authoring: asked data decoding edits envs evaluation finetune kinds lab label layouts lessons models plots prompts score stats store tasks types world
site: asked characters data display downloads edits envs files kinds lab label languages lessons methods models records score store tasks teach types widgets
"""
DOORS = {"__init__", "__main__", "commands"}  # they may open every room


def modules():
    return sorted(path for path in HOUSE.rglob("*.py") if "_data" not in path.parts)


def room_of(path):
    return path.relative_to(HOUSE).with_suffix("").parts[0]


def imported_rooms(path):
    """Rooms of ours that a file imports, wherever in the file the import stands."""
    depth = len(path.relative_to(HOUSE).parts) - 1
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            whole = (node.module or "").split(".")
            if node.level:
                above = list(path.relative_to(HOUSE).parts[:depth])[: depth - node.level + 1]
                whole = [*above, *filter(None, whole)]
            elif whole[0] == "react_lab":
                whole = whole[1:]
            else:
                continue
            yield from [whole[0]] if whole else [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from [a.name.split(".")[1] for a in node.names if a.name.startswith("react_lab.")]


def imports():
    """Each room, and the other rooms that it imports."""
    found = {}
    for path in modules():
        found.setdefault(room_of(path), set()).update(imported_rooms(path))
    return {room: names - {room} for room, names in found.items() if room not in DOORS}


def table(text=TABLE):
    rows = (line.partition(":") for line in text.split("\n") if line)
    return {room: set(below.split()) for room, _, below in rows}


def drawn(used):
    """The table of these imports: a room stands below all that use it."""
    order = graphlib.TopologicalSorter({room: sorted(used[room]) for room in sorted(used)})
    return "\n".join(
        f"{room}: {' '.join(sorted(used[room]))}".rstrip() for room in order.static_order()
    )


def fan_in(used):
    """By how many rooms a room is imported, the most first."""
    return Counter(name for names in used.values() for name in names).most_common()


def test_a_room_imports_what_the_table_allows_and_all_of_that():
    used, allowed = imports(), table()
    assert used.keys() == allowed.keys()
    beyond = {room: names for room in used if (names := used[room] - allowed[room])}
    assert not beyond, f"not allowed: {beyond}"
    unused = {room: names for room in used if (names := allowed[room] - used[room])}
    assert not unused, f"allowed, and not in use: {unused}"


def test_the_table_goes_from_the_ground_up():
    below = set()
    for room, names in table().items():
        assert names <= below, f"{room} imports what stands above it: {names - below}"
        below.add(room)


def run_python(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout


# what came into this Python that is neither its own nor ours
FOREIGN = "print(sorted({m.split('.')[0] for m in {*sys.modules} - before} - sys.stdlib_module_names - {'react_lab'}))"


def test_import_is_light_and_prints_nothing():
    """How long it takes is measured by tests/benchmarks/startup.py."""
    code = f"import sys; before = {{*sys.modules}}; import react_lab; {FOREIGN}"
    assert run_python(code) == "[]\n"


def test_the_loop_runs_without_the_heavy_tools():
    code = (
        "import sys; before = {*sys.modules}; import react_lab as rl;"
        "m = rl.models.scripted([' a\\nAction 1: Finish[x]']);"
        "rl.run('react', rl.tasks.load('multihop', 'demo')[0], model=m);" + FOREIGN
    )
    brought = ast.literal_eval(run_python(code))  # msgspec takes the other where it is there
    assert {*brought} - {"typing_extensions"} == {"msgspec"}


def all_modules():
    names = [
        ".".join(("react_lab", *path.relative_to(HOUSE).with_suffix("").parts))
        for path in modules()
    ]
    return [name.removesuffix(".__init__") for name in names if not name.endswith("__main__")]


def test_public_functions_answer_twice_after_every_submodule_is_imported():
    """With lazy import the second call could meet a module of the same name."""
    loaded = [importlib.import_module(name) for name in all_modules()]
    assert len(loaded) > 15
    for _ in range(2):
        for name in rl.__all__:
            thing = getattr(rl, name)
            home = f"react_lab.{rl.ROOMS[name]}" if name in rl.ROOMS else f"react_lab.{name}"
            assert inspect.ismodule(thing) == (name not in rl.ROOMS), name
            assert not inspect.isfunction(thing) or thing.__module__ == home
    model = rl.models.scripted([" a\nAction 1: Finish[x]"] * 4)
    task = rl.tasks.load("multihop", "demo")[0]
    for _ in range(2):
        run = rl.run("react", task, model=model)
        assert next(iter(rl.steps("react", task, model=model))).i == 1
        assert rl.resume(rl.rethink(run, 1, action="Finish[y]"), model=model).answer == "y"
        assert len(rl.frame([run])) == 1 and str(rl.show(run)) and rl.prompt_of("act").head


@pytest.mark.parametrize("name", all_modules())
def test_all_is_what_there_is(name):
    module = importlib.import_module(name)
    exported = getattr(module, "__all__", [])
    assert all(hasattr(module, item) for item in exported)
    own = {
        key for key, thing in vars(module).items()
        if (inspect.isfunction(thing) or inspect.isclass(thing)) and thing.__module__ == name and not key.startswith("_")
    }  # fmt: skip
    assert exported or not own, f"{name} names nothing in __all__"
    assert len(set(exported)) == len(exported)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(AttributeError, match="it has: METHODS"):
        rl.evalute  # noqa: B018
    assert set(rl.__all__) == set(dir(rl))


def functions():
    """Every function, methods, nested and asynchronous ones too: where it stands, how long it is."""
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                where = f"{path.relative_to(HOUSE)}:{node.lineno} {node.name}"
                yield node.end_lineno - node.lineno + 1, where


def test_functions_fit_on_a_screen_and_modules_in_a_reading():
    lengths = sorted(functions())
    assert not [row for row in lengths if row[0] > 40]
    assert lengths[len(lengths) // 2][0] <= 8
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert not {path: n for path, n in lines.items() if n > 300}


def test_nothing_happens_at_import():
    code = "import os; before = set(os.listdir('.')); import react_lab; print(set(os.listdir('.')) - before)"
    assert run_python(code) == "set()\n"


# who reads the clock on the wall: to write a date down, or to compare it with a server's
DATED = {
    "authoring/course.py", "authoring/table3.py", "authoring/table4.py", "envs/live.py", "label/events.py",
    "models/cache.py", "models/faults.py", "reproduce/job.py", "store/exports.py", "world/export.py",
}  # fmt: skip
WALL = r"\btime\.(time|time_ns|localtime|gmtime|ctime|clock_\w+)\b|\b(datetime|date)\.(now|utcnow|today)\b|from time "


def test_no_wait_is_measured_by_a_clock_that_jumps():
    """Waits are measured by `time.monotonic`."""
    code = {path: ast.unparse(ast.parse(path.read_text(encoding="utf-8"))) for path in modules()}
    found = {path for path in code if re.search(WALL, code[path])}
    assert {path.relative_to(HOUSE).as_posix() for path in found} == DATED


if __name__ == "__main__":
    print(drawn(imports()))
    print("\nimported by most rooms:", *(f"{room} {n}" for room, n in fan_in(imports())[:5]))
