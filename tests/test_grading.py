"""A student hands in a report; a teacher collects a folder of them, whatever else is in it."""

import json
import os
import subprocess
import sys

import pytest

import react_lab as rl
from react_lab.__main__ import main
from react_lab.teach import reports
from react_lab.teach.exercises import Exercise, Question, cases
from react_lab.teach.lesson import Lesson
from react_lab.types import Step, Task, Trajectory

SHOUT = Exercise("Shout.", cases((("a",), "A")), "str.upper", ("It is a method.",))
WHY = Question("Why?", (("To pay", False, "No."), ("No act", True, "Yes.")))


def shout(text):
    return text.upper()


def hand_in(folder, by, lesson="01", passes=True):
    done = Lesson(lesson, {"1.1": SHOUT, "1.2": SHOUT}, [WHY, Question("What?", WHY.options)])
    done.predict("p", "Which?", options=["a", "b"]).box.children[1].value = "b"
    done.check("1.1", str.lower)
    done.hint("1.1")
    if passes:
        done.check("1.1", shout)
    done.quiz().box.children[0].children[1].value = int(passes)
    return done, done.report(by, folder / f"{lesson}-{by}.json")


def labels(folder, by):
    task, steps = Task("t", "multihop", "Who?", "Ann"), (Step("a", "Finish[b]"),)
    run = Trajectory("r", task, "react", "m", steps=steps, answer="b", end="finished")
    rl.label.Session([run], folder / f"{by}.jsonl", by).label(3)


def test_a_report_holds_what_a_student_did(tmp_path):
    _, said = hand_in(tmp_path, "Ann")
    assert f"Your answers are in the file {tmp_path / '01-Ann.json'}." in said.text
    assert "predictions (1), your exercises (1 of 2 right)" in said.text
    assert "quiz (1 of 2 given, 1 right)" in said.text and "<Lesson" not in said.text
    report = reports.read(tmp_path / "01-Ann.json")
    assert (report.by, report.lesson) == ("Ann", "01")
    assert report.predictions == (reports.Predicted("p", "Which?", "b"),)
    first, second = report.exercises
    assert (first.number, first.passed, first.tries, first.hints) == ("1.1", True, 2, 1)
    assert "return text.upper()" in first.given  # the answer itself, to be read
    assert (second.passed, second.tries, second.given) == (False, 0, "")
    assert report.quiz[0] == reports.Chosen("Why?", "No act", True)
    assert report.quiz[1] == reports.Chosen("What?", "", None)


def test_a_report_goes_where_no_name_can_lead_it(tmp_path, monkeypatch):
    monkeypatch.setattr("react_lab.data.project", lambda: tmp_path)
    lesson = Lesson("01")
    lesson.report("../../Ann Müller/x")
    lesson.report("...")
    assert sorted(path.name for path in (tmp_path / "reports").iterdir()) == [
        "01-Ann-Müller-x.json", "01-somebody.json",
    ]  # fmt: skip
    assert "Write your name" in lesson.report(" ").text
    with pytest.raises(ValueError, match="more than 100"):
        lesson.report("a" * 101)


def test_reports_and_labels_are_one_table(tmp_path):
    (tmp_path / "ben").mkdir()
    hand_in(tmp_path, "Ann")
    hand_in(tmp_path / "ben", "Ben", passes=False)
    hand_in(tmp_path, "Ann", "02")
    labels(tmp_path, "Ann")
    found = reports.collect(tmp_path)
    assert found.remarks == ()
    rows = found.table.drop(columns="note").fillna(-1).values.tolist()
    assert [row[:2] for row in rows] == [
        ["Ann", "01"], ["Ann", "02"], ["Ann", "labels"], ["Ben", "01"]
    ]  # fmt: skip
    assert rows[0][2:] == [1, 2, 2, 1, 1, 2, 1, -1] and rows[2][2:] == [-1] * 7 + [1]
    assert rows[3][2:] == [0, 2, 1, 1, 0, 2, 1, -1]


HOSTILE = {
    "empty.json": b"",
    "list.json": b"[" * 100_000,
    "bytes.json": b"\xff\xfe\x00\x01",
    "types.json": b'{"lesson": 1, "by": "x", "predictions": [], "exercises": [], "quiz": []}',
    "lacks.json": b'{"lesson": "01", "by": "x"}',
    "nobody.json": b'{"lesson": "01", "by": " ", "predictions": [], "exercises": [], "quiz": []}',
    "number.json": b'{"lesson":"01","by":"x","predictions":[],"quiz":[],"exercises":'
    b'[{"number":"1","passed":true,"tries":-5,"hints":0,"given":""}]}',
    "huge.json": b" " * (reports.LARGEST + 1),
    "run.jsonl": b'{"not": "a label"}\n',
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_one_sentence_and_the_rest_is_collected(tmp_path, name, no_collection):
    hand_in(tmp_path, "Ann")
    (tmp_path / name).write_bytes(HOSTILE[name])
    found = reports.collect(tmp_path)
    assert list(found.table["by"]) == ["Ann", name][: 1 if name == "run.jsonl" else 2]
    (why,) = found.remarks
    assert (why.startswith(name) and "\n" not in why and "refused" in why) or name == "run.jsonl"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and links are of Unix")
def test_what_is_no_file_is_not_opened(tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()
    hand_in(folder, "Ann")
    os.mkfifo(folder / "pipe.json")
    (folder / "folder.json").mkdir()
    (tmp_path / "secret.json").write_text("{}", encoding="utf-8")
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    (folder / "link.jsonl").symlink_to(tmp_path / "secret.json")
    found = reports.collect(folder)
    assert [*found.table["by"]] == ["Ann", "folder.json", "link.json", "pipe.json"]
    named = [why.partition(":")[0] for why in found.remarks]
    assert named == ["folder.json", "link.json", "pipe.json"]


def test_no_code_of_a_student_is_run(tmp_path):
    """Neither what stands in a report nor a notebook or a script beside it."""
    hand_in(tmp_path, "Ann")
    path = tmp_path / "01-Ann.json"
    proof = tmp_path / "proof"
    harm = f"open({str(proof)!r}, 'w')"
    held = json.loads(path.read_text(encoding="utf-8"))
    held["exercises"][0]["given"] = harm
    held["quiz"][0]["option"] = f"__import__('os').system('touch {proof}')"
    path.write_text(json.dumps(held), encoding="utf-8")
    for name in ("conftest.py", "__init__.py", "react_lab.py", "sitecustomize.py", "a.ipynb"):
        (tmp_path / name).write_text(harm, encoding="utf-8")
    assert len(reports.collect(tmp_path).table) == 1
    assert not proof.exists()


def test_a_name_is_one_however_its_accent_is_written_and_labels_alone_are_a_table(tmp_path):
    labels(tmp_path, "Mu\u0308ller")
    (tmp_path / "names.csv").write_text("name\nM\u00fcller\n", encoding="utf-8")
    found = reports.collect(tmp_path, tmp_path / "names.csv")
    assert found.remarks == () and [*found.table["labels"]] == [1]


def test_the_terminal_prints_and_writes_the_table(tmp_path, capsys):
    assert main(["grade", str(tmp_path)]) == 1
    assert "no reports and no labels" in capsys.readouterr().out
    assert main(["grade", str(tmp_path / "none")]) == 1
    assert "is no folder" in capsys.readouterr().err
    hand_in(tmp_path, "=1+1\x1b[31m")
    (tmp_path / "bad.json").write_bytes(b"\x1b]0;x\x07")
    assert main(["grade", str(tmp_path), "--csv", str(tmp_path / "class.csv")]) == 0
    out, err = capsys.readouterr()
    assert "no answer was run" in out and "bad.json: refused" in err
    assert "\x1b" not in out + err
    assert "'=1+1" in (tmp_path / "class.csv").read_text(encoding="utf-8-sig")
    assert main(["grade", str(tmp_path), "--csv", str(tmp_path / "bad.json")]) == 1
    assert "end it in .csv" in capsys.readouterr().err
    assert (tmp_path / "bad.json").read_bytes() == b"\x1b]0;x\x07"


def test_a_module_in_the_folder_is_none_of_ours(tmp_path):
    """`msgspec.py` among the reports was imported, and ran."""
    (tmp_path / "msgspec.py").write_text("open('ran', 'w')\nraise SystemExit(5)\n")
    command = [sys.executable, "-m", "react_lab", "grade", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert not (tmp_path / "ran").exists() and done.returncode != 5, done.stderr


def test_what_no_notebook_says_is_noted_and_who_is_missing_named(tmp_path, capsys):
    """A report whose every `passed` was flipped passed; a friend's file under one's own name too."""
    for by in ("Ann", "Ben"):
        hand_in(tmp_path, by)
    held = json.loads((tmp_path / "01-Ann.json").read_text(encoding="utf-8"))
    held["by"], held["exercises"] = "Cy", [{**e, "passed": True} for e in held["exercises"]]
    (tmp_path / "01-Cy.json").write_text(json.dumps(held), encoding="utf-8")
    roster = tmp_path / "names.csv"
    roster.write_text("name,group\nann,1\nBen,1\n,\n \nCy,2\nDee,2\nben,2\n", encoding="utf-8")
    held["exercises"] = 2 * [{**held["exercises"][0], "given": " "}]
    held["quiz"] = [{**held["quiz"][0], "option": ""}]
    (tmp_path / "02-Cy.json").write_text(json.dumps({**held, "lesson": "02"}), encoding="utf-8")
    found = reports.collect(tmp_path, roster)
    assert [*found.table["note"]] == [
        "", "", "passed without an answer: 1.2",
        "passed without an answer: 1.1, 1.1, Why?; twice: 1.1",
    ]  # fmt: skip
    same, twice, missing = found.remarks
    assert same == "the same answers to the letter: 01-Ann.json, 01-Ben.json"
    assert twice == "the roster names twice, and they count once: Ben"
    assert missing == "of the roster, nothing came from: Dee"
    assert main(["grade", str(tmp_path), "--roster", str(roster)]) == 0
    assert "nothing came from: Dee" in capsys.readouterr().err
    with pytest.raises(ValueError, match="must name the column name"):
        roster.write_text("who\nann\n", encoding="utf-8")
        reports.collect(tmp_path, roster)
    with pytest.raises(ValueError, match="names the column name twice"):
        roster.write_text("name,Name\nann,Lee\n", encoding="utf-8")
        reports.collect(tmp_path, roster)
    with pytest.raises(ValueError, match="is no table: save it as .csv"):
        reports.collect(tmp_path, roster.with_suffix(".xlsx"))
