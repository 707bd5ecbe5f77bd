"""Two commands, nothing listed twice, and a sentence for what is missing."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def name_of(requirement):
    return re.split(r"[<>=!~\[; ]", requirement)[0].lower()


def test_the_packages_our_user_fixed_are_required():
    required = {name_of(r) for r in PROJECT["dependencies"]}
    assert {"jupyterlab", "ipywidgets", "openai", "wikipedia", "pandas", "matplotlib"} <= required
    assert "nbval" in {name_of(r) for r in PROJECT["optional-dependencies"]["test"]}


def test_environment_yml_installs_this_checkout_and_lists_nothing_twice():
    spec = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    conda = [item for item in spec["dependencies"] if isinstance(item, str)]
    (pip,) = [item["pip"] for item in spec["dependencies"] if isinstance(item, dict)]
    assert pip == ["-e ."]
    assert not {name_of(item) for item in conda} & {name_of(r) for r in PROJECT["dependencies"]}


def test_the_readme_names_why_each_package_is_there():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for requirement in PROJECT["dependencies"]:
        assert f"`{name_of(requirement)}`" in readme, requirement
    assert "make lab" in readme and "make test" in readme


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")
@pytest.mark.parametrize(
    "python, sentence",
    [
        ("no-such-python", "react_lab needs Python 3.11 or newer: install python3."),
        ("false", "react_lab needs Python 3.11 or newer; false is older"),
    ],
)
def test_a_missing_tool_is_named_in_one_sentence(tmp_path, python, sentence):
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    done = subprocess.run(
        ["make", "--no-print-directory", "setup", f"PYTHON={python}"],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if "MAKE" not in name},
        capture_output=True,
        text=True,
    )
    assert done.returncode and sentence in done.stdout
    assert len(done.stdout.strip().splitlines()) == 1


def test_the_gate_is_a_script():
    gate = ROOT / ".ci" / "run"
    text = gate.read_text(encoding="utf-8")
    assert all(f"make {target}" in text for target in ("test", "check", "test-browser"))
