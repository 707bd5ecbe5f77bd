"""The rooms of the house: who may import whom, what import costs, what is exported."""

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import react_lab as rl

HOUSE = Path(rl.__file__).parent
CORE = {"types", "layouts", "data", "prompts"}
MAY_IMPORT = {  # the table of the architecture: a room and the rooms below it
    "types": set(),
    "data": set(),
    "repairs": {"types"},  # of `layouts`: what reading a model's text has to put right
    "layouts": {"types", "repairs"},
    "prompts": {"types", "layouts", "data"},
    "agent": {"types", "layouts", "prompts"},
    "methods": {"types", "layouts", "prompts", "agent"},
    "models": {"types", "data"},
    "envs": {"types", "data"},
    "tasks": {"types", "data"},
    "index": {"types"},  # of `store`: where each run of a file begins
    "transcripts": {"types"},
    "store": {"types", "data", "index", "transcripts"},
    "label": {"types", "data", "store", "score", "stats", "paper", "page", "envs"},
    "score": {"types", "data", "index"},
    "lab": CORE | {"agent", "methods", "models", "envs", "tasks", "store", "score"},
    "evaluation": CORE | {"agent", "lab", "methods", "models", "store", "index", "score"},
    "stats": set(),
    "paper": {"data"},
    "plots": {"types", "stats", "paper", "score", "methods", "page"},
    "finetune": CORE | {"lab", "methods", "models", "score"},
    "adapter": set(),
    "trainer": CORE | {"finetune", "adapter"},
    "training": CORE | {"trainer", "finetune", "adapter", "models"},
    "doctor": {"types", "data", "envs", "models"},
    "authoring": CORE
    | {"envs", "tasks", "score", "lab", "models", "store", "stats", "evaluation", "plots"}
    | {"finetune", "adapter", "training", "label"},
    "page": {"types"},
    "teach": {"page"},
    "widgets": CORE | {"lab", "label", "store", "page", "teach", "envs"},
    "lessons": CORE
    | {
        "agent",
        "methods",
        "lab",
        "page",
        "teach",
        "envs",
        "score",
        "widgets",
        "tasks",
        "models",
        "store",
        "doctor",
        "authoring",
        "finetune",
        "stats",
        "paper",
        "plots",
        "label",
        "evaluation",
    },
    "__init__": None,  # the door: it may open every room
    "__main__": None,
}
HEAVY = (
    "openai",
    "pandas",
    "matplotlib",
    "ipywidgets",
    "torch",
    "IPython",
    "requests",
    "sentencex",
    "numpy",
    "scipy",
    "PIL",
)


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


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(HOUSE)))
def test_a_room_imports_only_the_rooms_below_it(path):
    room = room_of(path)
    assert room in MAY_IMPORT, f"{room} is not in the table"
    if MAY_IMPORT[room] is None:
        return
    beyond = (
        {name for name in imported_rooms(path) if name != "__version__"} - MAY_IMPORT[room] - {room}
    )
    assert not beyond, f"{path.name} may not import {beyond}"


def run_python(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout


def test_import_is_light_and_prints_nothing():
    code = f"import sys, react_lab; print([m for m in {HEAVY} if m in sys.modules])"
    assert run_python(code) == "[]\n"


def test_import_takes_less_than_150_ms():
    code = "import time; t = time.process_time(); import react_lab; print(time.process_time() - t)"
    assert min(float(run_python(code)) for _ in range(3)) < 0.15


def test_the_loop_runs_without_the_heavy_tools():
    code = (
        "import sys, react_lab as rl; m = rl.models.scripted([' a\\nAction 1: Finish[x]']);"
        "rl.run('react', rl.tasks.load('multihop', 'demo')[0], model=m);"
        f"print([m for m in {HEAVY} if m in sys.modules])"
    )
    assert run_python(code) == "[]\n"


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
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield f"{path.name}:{node.name}", node.end_lineno - node.lineno + 1


def test_functions_fit_on_a_screen_and_modules_in_a_reading():
    lengths = dict(functions())
    assert not {name: n for name, n in lengths.items() if n > 40}
    assert sorted(lengths.values())[len(lengths) // 2] <= 8
    long = {
        p.name: n for p in modules() if (n := len(p.read_text(encoding="utf-8").splitlines())) > 300
    }
    assert not long


def test_nothing_happens_at_import():
    code = "import os; before = set(os.listdir('.')); import react_lab; print(set(os.listdir('.')) - before)"
    assert run_python(code) == "set()\n"
