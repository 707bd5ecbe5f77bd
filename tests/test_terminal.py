"""The commands of the terminal."""

import os
import subprocess
import sys

import pytest
from stub_server import completions_server  # a real HTTP server on loopback
from test_store import fill

from react_lab.__main__ import main


def test_doctor_says_what_works(capsys):
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    for name in ("python", "jupyter", "wiki", "model", "disk", "key", "browser"):
        assert f"\n{name} " in out
    assert "OPENAI_API_KEY is not set" in out and "BROKEN" not in out


def test_doctor_never_shows_the_key(capsys, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-123")
    main(["doctor"])
    out = capsys.readouterr().out
    assert "canary" not in out and "OPENAI_API_KEY is set" in out


def test_table_prints_one_row_per_method(tmp_path, capsys):
    assert main(["table", str(fill(tmp_path / "runs.jsonl", 3))]) == 0
    out = capsys.readouterr().out
    assert "3 runs in" in out and "react" in out and "100.0" in out


def test_a_missing_file_is_one_sentence(tmp_path, capsys):
    assert main(["table", str(tmp_path / "none.jsonl")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_run_stores_what_it_ran(tmp_path, capsys):
    path = tmp_path / "runs.jsonl"
    with completions_server(
        [" look\nAction 1: Search[Danube]", " so\nAction 2: Finish[Danube]"]
    ) as url:
        code = main(
            ["run", "react", "Which river?", "--model", "m", "--base-url", url, "--path", str(path)]
        )
    out = capsys.readouterr().out
    assert code == 0 and "Finish[Danube]" in out and f"stored in {path}" in out
    assert main(["table", str(path)]) == 0


def test_run_without_a_server_is_one_sentence(capsys):
    code = main(["run", "react", "Why?", "--model", "m", "--base-url", "http://127.0.0.1:9/v1"])
    out = capsys.readouterr()
    assert code == 1 and "127.0.0.1:9" in out.out + out.err


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["run", "--help"]])
def test_help_works_as_a_module(words):
    done = subprocess.run(
        [sys.executable, "-m", "react_lab", *words],
        capture_output=True,
        text=True,
        env=dict(os.environ),
    )
    assert done.returncode == 0 and "react_lab" in done.stdout
