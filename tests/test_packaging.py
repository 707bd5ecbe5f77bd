"""Two commands, nothing listed twice, and a sentence for what is missing."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import front
import pytest
import yaml

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    {*ROOT.glob("*.md"), *ROOT.glob("notebooks/teaching/*.md"), *ROOT.glob("data/**/*.md")}
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def name_of(requirement):
    return re.split(r"[<>=!~\[; ]", requirement)[0].lower()


def test_the_packages_our_user_fixed_are_required_and_environment_yml_lists_nothing_twice():
    required = {name_of(r) for r in PROJECT["dependencies"]}
    assert {"jupyterlab", "ipywidgets", "openai", "wikipedia", "pandas", "matplotlib"} <= required
    assert "nbval" in {name_of(r) for r in PROJECT["optional-dependencies"]["test"]}
    spec = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    conda = [item for item in spec["dependencies"] if isinstance(item, str)]
    (pip,) = [item["pip"] for item in spec["dependencies"] if isinstance(item, dict)]
    assert pip == ["-e ."]
    assert not {name_of(item) for item in conda} & {name_of(r) for r in PROJECT["dependencies"]}


def test_the_readme_is_short_and_its_table_is_of_the_stored_runs():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = readme.splitlines()
    assert len(lines) <= 90 and max(map(len, lines)) <= 100
    assert "make lab" in readme and "make test" in readme
    for name, words in (("README.md", {}), ("README.zh.md", front.CHINESE)):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert front.with_table(text, words) == text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page):
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)|src=\"([^\"]+)\"", text)
    gone = [a or b for a, b in links if not (a or b).startswith("http")]
    assert [link for link in gone if not (page.parent / link).exists()] == []


def make(folder, *words):
    """What make says in a folder that has our Makefile and no more."""
    shutil.copy(ROOT / "Makefile", folder)
    (folder / "pyproject.toml").touch()
    env = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    command = ["make", "--no-print-directory", *words]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")
@pytest.mark.parametrize("python, sentence", [
    ("no-such-python", "react_lab needs Python 3.11 or newer: install python3."),
    ("false", "react_lab needs Python 3.11 or newer; false is older"),
])  # fmt: skip
def test_a_missing_tool_is_named_in_one_sentence(tmp_path, python, sentence):
    done = make(tmp_path, "setup", f"PYTHON={python}")
    assert done.returncode and sentence in done.stdout
    assert len(done.stdout.strip().splitlines()) == 1


PIP = """
print("Obtaining file:///x", flush=True)
for i in range(30):
    print(f"Collecting p{i}", f"  Downloading p{i}.whl.metadata (1 kB)", f"Downloading p{i}.whl", sep="\\n")
print("Installing collected packages: a, b, c")
raise SystemExit(CODE)
"""


@pytest.mark.parametrize("code", [0, 3])
def test_the_set_up_says_what_it_does_and_how_far_it_is(tmp_path, code):
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "__init__.py").touch()
    (tmp_path / "pip" / "__main__.py").write_text(PIP.replace("CODE", str(code)), encoding="utf-8")
    command = [sys.executable, ROOT / ".ci" / "install.py", "-e", "."]
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == code
    assert "1 packages found, 0 fetched" in done.stdout
    assert "installing 3 packages" in done.stdout
    assert ("done after" if code == 0 else "pip failed after") in done.stdout
    assert 4 <= len(done.stdout.splitlines()) <= 8


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")
@pytest.mark.parametrize("given", [(), ("BUNDLE=../other stick",)])
def test_make_lab_in_a_bundle_asks_no_network(tmp_path, given):
    """What make would do: in the folder `lab` of a bundle, and where BUNDLE names one."""
    lab, where = tmp_path / "a stick" / "lab", "../other stick" if given else ".."
    (lab.parent / "wheels").mkdir(parents=True)
    (lab.parent / "wheels" / "some.whl").touch()
    lab.mkdir()
    done = make(lab, "-n", "lab", *given)
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    (pip,) = [line for line in lines if ".ci/install.py" in line]
    assert f'--no-index --find-links "{where}/wheels"' in pip
    assert any(f'fetch weights --from "{where}/weights"' in line for line in lines)
    assert not any("--upgrade-deps" in line for line in lines)
    assert lines[-1].endswith("python -m react_lab lab")
