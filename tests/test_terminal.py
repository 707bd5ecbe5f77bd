"""The commands of the terminal."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from stub_server import Stub, completion
from test_store import fill

import react_lab as rl
from react_lab import store
from react_lab.__main__ import main
from react_lab.apps import doctor
from react_lab.models.weights import SIZES

ROOT = Path(__file__).parents[1]
RUN = ["run", "react", "Which river?", "--model", "m", "--base-url"]


def test_doctor_says_what_works_and_never_shows_the_key(capsys, monkeypatch):
    assert "OPENAI_API_KEY is not set" in str(doctor.key())
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-123")
    monkeypatch.setattr(doctor, "sizes_here", lambda: [SIZES["135m"]])  # it reads every byte
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    for name in ("python", "jupyter", "wiki", "model", "disk", "key"):
        assert f"\n{name} " in out
    assert "BROKEN" not in out and "canary" not in out and "OPENAI_API_KEY is set" in out


def test_a_missing_file_and_no_server_are_one_sentence(tmp_path, capsys):
    for path in (tmp_path / "none.jsonl", "~nobody-at-all/x.jsonl"):
        assert main(["table", str(path)]) == 1
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and ("nobody has here" in said) == isinstance(path, str)
    labels = tmp_path / "labels.jsonl"
    labels.write_text('{"seq": 1}\n', encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # as for everybody
        assert main(["table", str(labels)]) == 1
    assert "there are no runs to make a table of" in capsys.readouterr().err
    assert main([*RUN, "http://127.0.0.1:9/v1"]) == 1
    assert "127.0.0.1:9" in "".join(capsys.readouterr())


def test_run_stores_what_it_ran(tmp_path, capsys):
    path = str(tmp_path / "runs.jsonl")
    replies = [" look\nAction 1: Search[Danube]", " so\nAction 2: Finish[Danube]"]
    with Stub(map(completion, replies)) as stub:
        assert main([*RUN, stub.url, "--path", path]) == 0
    out = capsys.readouterr().out
    assert "Finish[Danube]" in out and f"stored in {path}" in out
    assert main(["table", path]) == 0


ODD = "π ⚄ – Kraków"


def terminal(*words, wrapper="", **around):
    """A child Python, as a shell would start it; its streams are what `wrapper` makes of them."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ["PYTHONPATH"]])}
    command = [sys.executable, "-m", "react_lab", *map(str, words)]
    if wrapper:
        command = ["sh", "-c", f'"$@" {wrapper}', "sh", *command]
    return subprocess.run(command, capture_output=True, env=env | around, timeout=120)


@pytest.fixture
def asks(tmp_path):
    """The words of a `run` at a server that answers once, its file, and what the server was asked."""
    answer = completion(f" {ODD}\nAction 1: Finish[{ODD}]")
    with Stub([answer]) as stub:
        path = tmp_path / "runs.jsonl"
        yield [*RUN, stub.url, "--path", path], path, stub.asked


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell makes these streams")
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
STREAMS = {"<&- >&- 2>&-": 0, "| head -c 1": None, ">/dev/full": 1}


@POSIX
@FULL
@pytest.mark.parametrize("streams", STREAMS)
def test_a_run_is_stored_whatever_becomes_of_the_streams(asks, streams):
    words, path, asked = asks
    done = terminal(*words, wrapper=streams)
    (run,) = store.open(path)
    assert run.answer == ODD and len(asked) == run.calls == 1
    assert b"Traceback" not in done.stderr and b"Exception ignored" not in done.stderr
    assert done.returncode == STREAMS[streams] or "head" in streams, done.stderr
    if streams == ">/dev/full":
        (line,) = done.stderr.decode().splitlines()
        assert line.startswith("react_lab: the output could not be written (")


def test_letters_that_a_terminal_lacks_are_escaped(asks):
    words, path, _ = asks
    done = terminal(*words, PYTHONIOENCODING="cp1252:strict", PYTHONUTF8="0")
    assert done.returncode == 0 and store.open(path)[0].answer == ODD, done.stderr
    shown = ODD.encode("cp1252", "backslashreplace")
    assert shown in done.stdout and b"Traceback" not in done.stderr


@POSIX
@FULL
@pytest.mark.parametrize("streams, says", {
    ">&-": b"there is no output to show runs on: give --path", ">/dev/full": b"could not be written",
}.items())  # fmt: skip
def test_nothing_is_paid_for_that_would_be_neither_shown_nor_stored(asks, streams, says):
    words, _, asked = asks
    done = terminal(*words[:-2], wrapper=streams)
    assert done.returncode == 1 and says in done.stderr and not asked


@POSIX
@FULL
@pytest.mark.parametrize("command, streams, code", [
    ("--help", ">/dev/full", 1), ("table", ">/dev/full", 1), ("table", "<&- >&- 2>&-", 0),
])  # fmt: skip
def test_every_command_tells_by_its_status_whether_it_was_heard(tmp_path, command, streams, code):
    words = [command, fill(tmp_path / "runs.jsonl", 1)] if command == "table" else [command]
    done = terminal(*words, wrapper=streams)
    assert done.returncode == code and b"Traceback" not in done.stderr, done.stderr
    assert command == "--help" or len(done.stderr.splitlines()) == (streams == ">/dev/full")


@pytest.mark.parametrize("where", ["folder", "notebook", "none/of/these", "dangling"])
def test_a_path_that_cannot_be_stored_to_costs_no_call(asks, tmp_path, where, capsys):
    words, path, asked = asks
    if where == "folder":
        path.mkdir()
    elif where == "notebook":
        path.write_text('{\n "cells": []\n}', encoding="utf-8")
    elif where == "dangling":
        path.symlink_to(tmp_path / "no folder" / "x")
    else:
        (tmp_path / "none").write_text("", encoding="utf-8")
        words[-1] = tmp_path / where
    assert main(list(map(str, words))) == 1 and not asked
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("react_lab: ")


def test_the_command_again_shows_what_is_stored(asks, capsys):
    words, path, asked = asks
    shown = [(main(list(map(str, words))), capsys.readouterr()) for _ in range(2)]
    assert shown[0] == shown[1] and len(asked) == len(store.open(path)) == 1


def test_table_prints_one_row_per_method_and_a_warning_is_one_line(tmp_path, capsys):
    path = fill(tmp_path / "runs.jsonl", 3)
    assert main(["table", str(path)]) == 0
    out = capsys.readouterr().out
    assert "3 runs in" in out and "react" in out and "100.0" in out
    path.write_bytes(path.read_bytes()[:-9])
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # as for everybody
        assert main(["table", str(path)]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"react_lab: {path}: the last line was torn")


@pytest.mark.parametrize("call, says", [
    ("rl.run('react', task, model)", "Stopped by hand after step 1. The same cell begins anew."),
    ("list(rl.steps('react', task, model))", "Stopped by hand after step 1. The same cell begins anew."),
    ("rl.evaluate('react', [task], model, path, progress=False)", "runs.jsonl keeps what was"),
])  # fmt: skip
def test_a_notebook_that_is_stopped_shows_one_line(tmp_path, capsys, call, says):
    """It showed 200 lines, through three libraries; what was done by then is at hand."""

    def stopped(ask):
        if len(model.asked) > 1:
            raise KeyboardInterrupt  # as a press of stop arrives
        return "Thought 1: hm\nAction 1: Search[Ulm]"

    model, path = rl.models.scripted(stopped), tmp_path / "runs.jsonl"
    names = {"rl": rl, "task": rl.tasks.question("Who?"), "model": model, "path": path}
    done = InteractiveShell(user_ns=names).run_cell(call)
    told = capsys.readouterr()
    lines = (told.out + told.err).strip().splitlines()
    assert len(lines) == 1 and says in lines[0], lines
    assert isinstance(done.error_in_exec, KeyboardInterrupt)
    if "rl.run(" in call:
        assert [step.action for step in done.error_in_exec.steps] == ["Search[Ulm]"]
