"""The labelled set: drawn, read blind, revealed, adjudicated, reported, all through Session."""

import json

import labelled
import pytest
import sheets

import react_lab as rl

LOST = " I look.\nAction 1: Search[Nowhere]"
AGAIN = " Once more.\nAction 2: Search[Nowhere]"


def runs_of(split, answers):
    """A ReAct run and a CoT run per task; `answers` says whether they are right."""
    for task, right in zip(rl.tasks.load("multihop", split), answers, strict=False):
        answer = task.gold if right else "Atlantis"
        three = rl.models.scripted([LOST, AGAIN, f" So.\nAction 3: Finish[{answer}]"])
        yield rl.run("react", task, model=three)
        yield rl.run("cot", task, model=rl.models.scripted([f" I am sure.\nAnswer: {answer}"]))


def stored(path, runs):
    for run in runs:
        rl.store.append(path, run)
    return path


@pytest.fixture
def call(tmp_path, capsys):
    """The commands, in a folder of their own, and what they print."""

    def called(*words):
        labelled.main([*map(str, words), "--folder", str(tmp_path / "set")])
        return capsys.readouterr().out

    return called


@pytest.fixture
def eight(tmp_path, call):
    """The sample of all tests: two right and two wrong runs of each method."""
    dev = stored(tmp_path / "dev.jsonl", runs_of("dev", [1, 1, 0]))
    pool = stored(tmp_path / "pool.jsonl", runs_of("pool", [0, 0]))
    call("draw", "--runs", dev, pool, "--n", 2)
    return sheets.drawn(tmp_path / "set")


def give(tmp_path, *rows):
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def blind(number, run):
    steps = 1 if run.method == "cot" else 2
    right = rl.score.correct(run)
    return {"item": number, "sound": right, "first_wrong": None if right else steps, "note": "b"}


def modes(number, run, reader):
    """Two readers who differ on the wrong runs of ReAct."""
    if rl.score.correct(run):
        return {"item": number, "mode": "true positive", "note": ""}
    other = "search result error" if reader == "reader-b" else "reasoning error"
    mode = other if run.method == "react" else "hallucination"
    return {"item": number, "mode": mode, "note": f"{reader} saw it"}


def labels_of(call, tmp_path, eight, reader):
    call("take", reader, "blind", give(tmp_path, *map(blind, range(1, 9), eight)))
    rows = [modes(number, run, reader) for number, run in enumerate(eight, 1)]
    return call("take", reader, "reveal", give(tmp_path, *rows))


def test_the_sample_is_balanced_never_from_test_and_can_be_drawn_again(tmp_path, call, eight):
    assert set(eight.strata.values()) == {(2, 2), (2, 3)}
    tested = stored(tmp_path / "test.jsonl", runs_of("test", [1, 0]))
    (tmp_path / "set" / "runs.jsonl").unlink()  # an empty set does not take the place of runs
    out = call("draw", "--runs", tested, tmp_path / "none.jsonl")
    assert "react success: 0 of 0" in out and "not there: none.jsonl" in out
    call("draw", "--runs", tmp_path / "pool.jsonl", tmp_path / "dev.jsonl", "--n", 2)
    assert [run.id for run in sheets.drawn(tmp_path / "set")] == [run.id for run in eight]


def test_a_blind_sheet_shows_the_run_and_nothing_that_is_hidden(tmp_path, call, eight):
    call("sheet", "reader-a", "blind", tmp_path / "s.md")
    text = (tmp_path / "s.md").read_text(encoding="utf-8")
    for number, run in enumerate(eight, 1):
        item = text.split(f"## Item {number}\n")[1].split("## Item")[0]
        assert f"Question: {run.task.text}\n" in item and f"Answer: {run.answer}" in item
        assert "Thought 1: I" in item and run.id not in item
        for hidden in ("Gold", "Exact match", "Modes", run.model, run.method):
            assert hidden not in item
        assert ("Observation 2: (the same as Observation 1)" in item) == (run.method == "react")
        assert rl.score.correct(run) or run.task.gold not in item
    assert not (tmp_path / "set" / "reader-a.jsonl").exists()  # a look is no label


def test_answers_given_twice_change_nothing_and_others_are_refused(tmp_path, call, eight):
    path = tmp_path / "set" / "reader-a.jsonl"
    labels_of(call, tmp_path, eight, "reader-a")
    before = path.read_bytes()
    labels_of(call, tmp_path, eight, "reader-a")
    assert path.read_bytes() == before
    was = blind(1, eight[0])
    turned = was | {"sound": not was["sound"], "first_wrong": 1 if was["sound"] else None}
    with pytest.raises(SystemExit, match="item 1 was judged otherwise before"):
        call("take", "reader-a", "blind", give(tmp_path, turned))
    with pytest.raises(SystemExit, match="its item comes twice"):
        call("take", "reader-b", "blind", give(tmp_path, was, was))
    with pytest.raises(SystemExit, match="labels already .*they would lose their items"):
        call("draw", "--runs", tmp_path / "dev.jsonl")


def test_from_the_draw_to_the_report(tmp_path, call, eight):
    for reader in ("reader-a", "reader-b"):
        assert "8 answers" in labels_of(call, tmp_path, eight, reader)
    call("disagree", tmp_path / "d.md")
    text = (tmp_path / "d.md").read_text(encoding="utf-8")
    assert text.count("## Item") == 2
    assert "reader-a: reasoning error, first wrong at step 2. b\n        reader-a saw it" in text
    differ = [n for n in range(1, 9) if f"## Item {n}\n" in text]
    row = {"mode": "search result error", "note": "no page", "first_wrong": 1}
    rows = [{"item": n, **row} for n in differ]
    with pytest.raises(SystemExit, match="it needs item, mode, note"):
        call("take", "adjudicator", "adjudicate", give(tmp_path, {"item": differ[0], "mode": "x"}))
    call("take", "adjudicator", "adjudicate", give(tmp_path, *rows))
    marks = labelled.agreed(tmp_path / "set")
    assert len(marks) == 8 and all(mark.blind for mark in marks if mark.by != "adjudicator")
    assert {m.step for m in marks if m.label == "search result error"} == {1}
    report = call("report")
    assert "8 runs labelled by two or more, 2 not alike; 8 count below" in report
    assert "kappa, within failure: the same on 2 of 4: too few" in report
    assert "cot   hallucination        2 of 2" in report
    assert "2 of 2, 100% (34% to 100%); the paper (HotpotQA, PaLM) 23%" in report


def test_the_authors_runs_are_drawn_in_the_same_way(tmp_path, call, shared):
    out = call("draw", "--set", "fever", "--runs", str(shared / "gpt3_fever_500_transcript.txt"))
    assert "react success: 50 of 270; react failure: 50 of 230" in out
    text = sheets.sheet(tmp_path / "set", "reader-f", "blind", "1/2")
    assert text.count("## Item") == 50 and "Claim: " in text
