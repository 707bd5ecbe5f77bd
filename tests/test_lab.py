"""`make lab`: notebooks of one's own, and what a saved one shows on the next day."""

import asyncio
import os
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from traitlets.config import Configurable

from react_lab import data
from react_lab.__main__ import main
from react_lab.apps import lab


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A checkout with one notebook, a picture and a page for the teacher."""
    monkeypatch.setattr(data, "project", lambda: tmp_path)
    for name in ("pictures/a.png", "teaching/plans.md", ".x/00.md"):
        path = tmp_path / "notebooks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"ours")
    said = [new_output("stream", text="said")]
    cells = [new_code_cell(name, outputs=said, execution_count=1) for name in ("opens", "ends")]
    cells[0].metadata.tags = ["demo"]
    nbformat.write(new_notebook(cells=cells), tmp_path / "notebooks" / lab.FIRST)
    return tmp_path


def copies(root):
    there = root / lab.MINE
    files = (path for path in there.rglob("*.*") if path.is_file())
    return {path.relative_to(there).as_posix(): path.read_bytes() for path in files}


def test_a_pupils_copy_is_made_once_and_never_written_over(root):
    lab.copy_notebooks(root)
    first = copies(root)
    assert first.keys() == {lab.FIRST, "pictures/a.png", "teaching/plans.md"}
    (root / lab.MINE / lab.FIRST).write_bytes(b"mine")
    (root / "notebooks" / lab.FIRST).write_bytes(b"new")
    (root / "notebooks" / "01.md").write_bytes(b"new")
    lab.copy_notebooks(root)
    assert copies(root) == first | {lab.FIRST: b"mine", "01.md": b"new"}
    (root / lab.MINE / "02.md.part").symlink_to(root / "notebooks" / "01.md")
    (root / "notebooks" / "02.md").write_bytes(b"two")
    lab.copy_notebooks(root)  # what lies beside is not written through
    assert (root / "notebooks" / "01.md").read_bytes() == b"new"


def test_a_copy_shows_the_run_that_opens_it_and_no_answer_of_a_later_cell(root):
    lab.copy_notebooks(root)
    opens, ends = nbformat.read(root / lab.MINE / lab.FIRST, as_version=4).cells
    assert opens.outputs and not ends.outputs and ends.execution_count is None
    assert [opens.source, ends.source] == ["opens", "ends"]


@pytest.mark.skipif(os.name != "posix", reason="elsewhere it is a child")
def test_the_command_opens_the_copy_of_the_first_notebook(root, monkeypatch, capsys):
    asked = []
    monkeypatch.setattr(os, "execve", lambda *given: asked.append(given))
    monkeypatch.setattr("subprocess.call", lambda *given, **named: 0)
    assert main(["lab", "--no-browser"]) == 0
    ((_, command, settings),) = asked
    assert "--LabApp.default_url=/lab/tree/my_notebooks/00_start_here.ipynb" in command
    assert "--no-browser" in command and settings["JUPYTER_CONFIG_PATH"] == str(root / ".jupyter")
    assert (root / "my_notebooks" / "00_start_here.ipynb").exists()
    monkeypatch.setattr(data, "project", lambda: None)
    assert main(["lab"]) == 1 and "clone it" in capsys.readouterr().err


def test_a_notebook_whose_kernel_has_ended_shows_words_in_the_place_of_widgets(tmp_path):
    """It said "Error displaying widget: model not found" in every cell with a widget."""
    words = {"text/plain": "You said: b", "text/html": "<p>You said: b</p>"}
    widget = {lab.WIDGET: {"model_id": "gone"}}
    outputs = [new_output("execute_result", one) for one in (words | widget, widget)]
    book = new_notebook(cells=[new_code_cell("x", outputs=outputs)])
    nbformat.write(book, tmp_path / "a.ipynb")
    running, server = [], Configurable()  # in its place
    server.session_manager = SimpleNamespace(list_sessions=lambda: running)
    files = lab.Contents(root_dir=str(tmp_path), parent=server)

    def opened():
        model = asyncio.run(files.get("a.ipynb", content=True))
        return [output["data"] for output in model["content"]["cells"][0]["outputs"]]

    shown, other = opened()
    assert shown.keys() == words.keys() and other == widget  # which has nothing else to say
    assert shown["text/html"].startswith(words["text/html"])
    assert "What you have answered in it is kept" in shown["text/html"]
    running.append({"path": "a.ipynb"})
    assert opened() == [words | widget, widget]
    assert not asyncio.run(files.get("", content=True))["content"][0]["content"]
