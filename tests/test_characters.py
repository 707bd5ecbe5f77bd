"""Text of files, models and people stays text wherever it leaves: reprs, tables, errors."""

import re
import unicodedata
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import react_lab as rl
from react_lab import label, store
from react_lab.__main__ import main
from react_lab.apps.doctor import Finding
from react_lab.evaluation.runners import Tally
from react_lab.label.events import Mark
from react_lab.stats import paired
from react_lab.support.text import inline, visible
from react_lab.types import FAULTS, Halt, Step, Task, Trajectory

HOSTILE = "a\x1b[2J\u202eb\nforged: line\r\x9b0m"


def is_inert(text, lines=1):
    """Nothing hidden is in it, and no line that the text brought."""
    hidden = [c for c in text if unicodedata.category(c) in {"Cc", "Cf", "Cs"} and c not in "\n"]
    rows, named = text.split("\n"), "<U+001B>" in text or "\\x1b" in text
    forged = [row for row in rows if row.lstrip().startswith("forged")]
    return named and not hidden and not forged and len(rows) == lines


def hostile_run(**changes):
    task = Task(HOSTILE, "multihop", "Who?", "Ann")
    step = Step("Now.", "Search[Ann]", "Ann")
    run = Trajectory("r", task, HOSTILE, HOSTILE, steps=(step,), answer="Ann", end="finished")
    return replace(run, **changes)


@given(st.text(st.characters(exclude_categories=())))
def test_inline_is_one_line_with_nothing_hidden(text):
    found = inline(text)
    assert len(found.splitlines()) <= 1 and found == visible(found) and inline(found) == found
    shown = {*visible(text)} - {*"\n\t\u200c\u200d"}
    assert not {*map(unicodedata.category, shown)} & {"Cc", "Cf", "Cs"}


def marks(by):
    runs = [replace(hostile_run(), id=f"{i}") for i in range(3)]
    return [Mark(by, r.id, "d", label=label.MODES[2 + (by != "ben") * (i % 2)], grade="failure")
            for i, r in enumerate(runs)]  # fmt: skip


def test_labels_of_many_people(tmp_path):
    paths = []
    for k in range(2):  # twice the same person, of two minds
        session = label.Session([hostile_run()], tmp_path / f"{k}.jsonl", by=HOSTILE)
        session.note("x"), session.label(1 + k)
        paths.append(session.file.path)
    (tmp_path / "\x1b[2J.jsonl").write_text("{}\n", encoding="utf-8")
    assert is_inert(repr(label.merge(paths)))
    assert is_inert(repr(label.merge(paths[:1])))
    assert is_inert(repr(label.merge(tmp_path / "\x1b[2J.jsonl")))
    both = {(m.id, "d"): {HOSTILE: m, "ben": n} for m, n in zip(marks(HOSTILE), marks("ben"), strict=True)}  # fmt: skip
    told = repr(label.agreement(both))
    assert is_inert(told, len(told.split("\n"))) and len(told.split("\n")) == 6


def test_a_sample_and_a_session(tmp_path):
    run = hostile_run()
    assert is_inert(repr(label.sample([run], methods=[HOSTILE])))
    agreed = label.Session([run], tmp_path / "gold.jsonl", by="gold")
    agreed.file.append("note", id=run.id, digest=store.digest(run), note="x\x1b[2J")
    agreed.label(1)
    session = label.Session([run], tmp_path / "me.jsonl", by="me", gold=agreed.file.path)
    session.label(2)
    assert "x<U+001B>[2J" in session.last
    odd = label.Session([run], tmp_path / "a\x1b[2J.jsonl", by="me")
    assert "a<U+001B>[2J.jsonl" in odd.said


def test_a_comparison():
    runs = [hostile_run(id=f"{i}{m}", method=m, task=Task(f"{i}", "multihop", "?", "Ann"))
            for i in range(4) for m in (HOSTILE, "act")]  # fmt: skip
    found = paired(rl.frame(runs), HOSTILE, "act")
    assert is_inert(str(found))
    with pytest.raises(ValueError, match="no graded runs") as caught:
        paired(rl.frame(runs), "cot", "act")
    assert is_inert(str(caught.value))


def test_tasks_runs_faults_an_evaluation_and_the_doctor(tmp_path):
    run, tally = hostile_run(id=HOSTILE), Tally()
    tally.ended(hostile_run(end="error", error=HOSTILE))
    told = repr(run), repr(run.task), repr(replace(run.task, kind=HOSTILE, id="t"))
    assert all(map(is_inert, (*told, tally.common_fault(), str(Finding("model", True, HOSTILE)))))
    assert is_inert(str(Finding("model", False, "x", HOSTILE)), 2)
    name = "a\x1b[2J.jsonl"
    assert "<U+001B>" in repr(store.open(store.append(tmp_path / name, run)))
    for kind in (Halt, *FAULTS.values()):  # what ends an episode
        said = str(kind(HOSTILE))
        assert visible(said) == said and "\x1b" not in said


def test_the_table_in_a_terminal(tmp_path, capsys):
    path = store.append(tmp_path / "runs.jsonl", hostile_run(task=Task("t", "multihop", "?", "a")))
    assert main(["table", str(path)]) == 0
    told = capsys.readouterr().out
    assert is_inert(told, len(told.split("\n"))) and len(told.strip().split("\n")) == 4
    assert main(["table", str(tmp_path / HOSTILE.replace("\n", " "))]) == 1
    assert "\x1b" not in capsys.readouterr().err


FORMULAS = [
    "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1,2)", "\t=1", "\r=1", "  =1", "\u3000＝1", "＋1",
    "－1", "＠SUM(1)", '=HYPERLINK("https://x.example")', "a;=1+1", "a\n=1+1", "a\t@b", "-1",
]  # fmt: skip


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_in_a_spreadsheet_is_a_formula(tmp_path, text):
    """Not in a cell, a column's name, an index; nor where a semicolon parts the cells."""
    index = pd.Index([text], name=text)
    frame = pd.DataFrame({"é": [text], text: [-1.5], "n": [None]}, index=index)
    path = rl.to_csv(frame, tmp_path / "sheets" / "a.csv")
    written = path.read_bytes()
    assert written.startswith(b"\xef\xbb\xbf")
    cells = [cell.strip(' "\u3000') for cell in re.split("[\r\n;\t]", written.decode("utf-8-sig"))]
    assert not [cell for cell in cells if cell.startswith(tuple("=+-@＝＋－＠"))]
    assert not [c for c in written.decode("utf-8-sig").split(",") if c.startswith(("=", "+", "@"))]
    back = pd.read_csv(path)
    assert back["é"][0].replace("'", "") == visible(text).replace("'", "")
    assert list(back.iloc[0])[2] == -1.5 and len(back.columns) == 4


def test_a_frame_of_runs_comes_back_as_it_was(tmp_path):
    runs = [hostile_run(id=f"{k}", method="react", answer=a) for k, a in enumerate(("Zoë; x", '"q", 1', "a\nb"))]  # fmt: skip
    frame = rl.frame(runs)
    back = pd.read_csv(rl.to_csv(frame, tmp_path / "a.csv"))
    assert list(back.columns) == list(frame.columns)
    assert list(back["answer"]) == list(frame["answer"])
    assert list(back["f1"]) == list(frame["f1"]) and list(back["correct"]) == list(frame["correct"])
    rates = rl.score.table(frame)
    assert list(pd.read_csv(rl.to_csv(rates, tmp_path / "b.csv")).columns)[:4] == ["kind", "method", "model", "n"]  # fmt: skip
