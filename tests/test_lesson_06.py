"""Lesson 06: its set is divided well, its tables say what was said."""

import json
from dataclasses import replace

import labelled
import pytest
import sheets

import react_lab as rl
from react_lab.label.about_runs import tied
from react_lab.lessons import lesson_06

READERS = ("reader-a", "reader-b")


def runs():
    """Eighteen questions by ReAct and by CoT, each second one answered rightly."""
    for i, task in enumerate(rl.tasks.load("multihop", "pool")[:18]):
        answer = task.gold if i % 2 else "Atlantis"
        acts = [" I look.\nAction 1: Search[Nowhere]", f" So.\nAction 2: Finish[{answer}]"]
        yield rl.run("react", task, model=rl.models.scripted(acts))
        yield rl.run("cot", task, model=rl.models.scripted([f" I am sure.\nAnswer: {answer}"]))


def mode_of(run, reader, number):
    """Reader b takes every third failed search for a hallucination."""
    if rl.score.correct(run):
        return "true positive" if run.method == "react" else "false positive"
    odd = run.method == "cot" or (reader == "reader-b" and number % 3 == 0)
    return "hallucination" if odd else "search result error"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    there = tmp_path_factory.mktemp("set")
    for run in runs():
        rl.store.append(there / "all" / "runs.jsonl", run)
    sample = labelled.draw(there, [there / "all" / "runs.jsonl"], ("react", "cot"), n=9)
    for reader in READERS:
        blind, named = [], []
        for i, run in enumerate(sample, 1):
            step = None if rl.score.correct(run) else len(run.steps)
            blind.append({"item": i, "sound": step is None, "first_wrong": step})
            named.append({"item": i, "mode": mode_of(run, reader, i), "note": "as I saw it"})
        for stage, rows in (("blind", blind), ("reveal", named)):
            path = there / "all" / "answers.txt"
            path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
            sheets.take(there, reader, stage, path)
    return there


@pytest.fixture
def ours(folder):
    return lesson_06.labelled(folder)


def test_the_set_is_divided_and_nothing_is_used_twice(ours):
    parts = [ours.for_calibration, (ours.first,), ours.for_class]
    ids = [run.id for part in parts for run in part]
    assert len(ids) == len(set(ids)) and len(ours.for_class) == 10
    assert {(run.method, ours.marks[tied(run)].label) for run in ours.for_calibration} == {
        ("react", "true positive"), ("react", "search result error"),
        ("cot", "false positive"), ("cot", "hallucination"),
    }  # fmt: skip
    assert ours.first.method == "react" and not rl.score.correct(ours.first)


def test_the_run_that_the_player_shows_first_meets_the_world_that_it_met():
    """Pages change, and a run made before shows a warning where its world would stand."""
    first = lesson_06.labelled().first
    player = rl.widgets.player(first)
    assert player.front.runs[0]["world"]["note"] == "" and first.method == "react"


def test_a_calibration_round_compares_with_what_was_agreed(ours, tmp_path):
    gold = lesson_06.gold_file(ours)
    mine = rl.Labeller(ours.for_calibration, tmp_path / "me.jsonl", by="me", gold=gold)
    for run in ours.for_calibration:
        mine.label(mode_of(run, "reader-a", 1))
        assert "as agreed. as I saw it" in mine.session.last
        mine.next()
    assert mine.session.score == (4, 4)


def test_the_readers_stand_in_until_two_of_the_class_share_a_run(ours, folder, tmp_path):
    def found():
        return [path.stem for path in lesson_06.files(tmp_path / "class", folder)]

    mode = rl.label.offered(ours.for_class[0])[0]
    assert found() == list(READERS)
    for by, told in (("ann", [*READERS, "ann"]), ("ben", ["ann", "ben"])):
        path = tmp_path / "class" / f"{by}.jsonl"
        rl.label.Session(ours.for_class, path, by).label(mode)
        assert found() == told


def test_who_labels_alone_has_a_kappa_with_every_ai_reader(ours, folder, tmp_path):
    gold = lesson_06.gold_file(ours)
    practice = rl.label.Session(ours.for_calibration, tmp_path / "me.jsonl", "me", gold=gold)
    practice.label(rl.label.offered(ours.for_calibration[0])[0])
    assert "me" not in repr(rl.label.merge(lesson_06.files(tmp_path, folder)))  # that was practice
    mine = rl.label.Session(ours.for_class, tmp_path / "me.jsonl", "me")
    for run in ours.for_class:
        mine.label(rl.label.offered(run)[0])
    merged = rl.label.merge(lesson_06.files(tmp_path, folder))
    table = lesson_06.pairs(merged)
    assert [name for name in table.index if "me" in name.split(" and ")] == [
        "me and reader-a", "me and reader-b"
    ]  # fmt: skip
    assert "of\xa05:\xa0too\xa0few" in table.loc["me and reader-a"].iloc[1]
    assert "me said" in {lesson_06.board(merged).index.name, lesson_06.board(merged).columns.name}


def test_a_run_that_a_reader_doubts_is_no_example_where_another_is_there(ours):
    first = ours.for_calibration[0]
    marks = tuple(
        replace(mark, note="doubtful") if (mark.id, mark.digest) == tied(first) else mark
        for mark in ours.merged.marks
    )
    others = replace(ours, merged=replace(ours.merged, marks=marks)).for_calibration
    modes = [ours.marks[tied(run)].label for run in (first, *others)]
    assert first not in others and modes[0] in modes[1:] and len(others) == 4
    all_doubted = tuple(replace(mark, note="Not seen.") for mark in ours.merged.marks)
    none_left = replace(ours, merged=replace(ours.merged, marks=all_doubted))
    assert none_left.for_calibration == ours.for_calibration


def test_where_readers_hardly_differ_the_rules_sit_down_at_the_board(ours):
    """A bare diagonal, kappa 1.00, teaches nothing. Its tables are in the notebook's outputs."""
    alike = replace(ours.merged, marks=tuple(
        replace(mark, by=by) for mark in ours.agreed for by in ("ann", "ben")
    ))  # fmt: skip
    found, bare = lesson_06.suggested(ours), lesson_06.board(alike)
    assert bare.to_numpy().trace() == bare.to_numpy().sum() > 0
    board = lesson_06.board(alike, found)
    assert {board.index.name, board.columns.name} == {"ann said", "the rules said"}
    assert board.to_numpy().trace() < board.to_numpy().sum() == bare.to_numpy().sum()
    assert lesson_06.board(ours.merged, found).index.name == "reader-a said"  # these two do differ
    assert list(lesson_06.pairs(alike, found).index) == ["ann and ben", "ann and the rules"]
    assert lesson_06.most(ours.agreed, "cot").startswith("hallucination: 9 of 9")
    with pytest.raises(ValueError, match="merge two files at least"):
        lesson_06.board(replace(alike, marks=alike.marks[:1]))
