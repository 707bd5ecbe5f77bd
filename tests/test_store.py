"""Runs on disk: a line a run, durable, lazy, mended after a crash."""

import json
import threading
import time
import warnings

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_agent import BARE, GOOD, TASK, WORLD

import react_lab as rl
from react_lab.store import digest, dump, load
from react_lab.support.files import lock
from react_lab.types import Step, Task, Trajectory


def make(k=0, **changes):
    model = rl.models.scripted(GOOD, tuned=BARE)
    run = rl.run("react", Task(f"t{k}", "multihop", TASK.text, TASK.gold), model=model, world=WORLD)
    return load({**dump(run), **changes})


def fill(path, n=3):
    for k in range(n):
        rl.store.append(path, make(k))
    return path


text = st.none() | st.text(max_size=20)
human = st.just(("thought",)) | st.just(())
step = st.builds(Step, text, text, text, human, text, st.lists(st.text()).map(tuple), st.booleans())
name, count = st.text(min_size=1, max_size=50), st.integers(0, 2**63 - 1)
trajectory = st.builds(
    Trajectory, name, st.builds(Task, name, st.text(), st.text(), text, st.dictionaries(st.text(), count)),
    st.text(), st.text(), st.dictionaries(st.text(), st.booleans() | st.text()), st.lists(step).map(tuple), text,
    votes=st.lists(text).map(tuple), samples=st.lists(st.text()).map(tuple), tokens_in=st.none() | count,
)  # fmt: skip


@given(run=trajectory)
def test_what_is_stored_is_what_is_read(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("s") / "runs.jsonl"
    rl.store.append(path, run)
    assert rl.store.open(path)[0] == run


def test_a_stored_file_is_a_lazy_sequence_and_pandas_reads_it_without_us(tmp_path):
    runs = rl.store.open(fill(tmp_path / "runs.jsonl", 5))
    assert len(runs) == 5 and repr(runs) == "<5 runs in runs.jsonl>"
    assert runs[2].task.id == "t2" and runs[-1].task.id == "t4"
    assert [run.task.id for run in runs[1:3]] == ["t1", "t2"]
    assert list(runs) == [runs[i] for i in range(5)]
    with pytest.raises(IndexError):
        runs[5]
    df = pd.read_json(tmp_path / "runs.jsonl", lines=True)
    assert [file.name for file in tmp_path.iterdir()] == ["runs.jsonl"]  # small: it has no index
    assert list(df["answer"]) == ["Black Sea"] * 5 and set(df["schema"]) == {2}


def test_runs_are_chosen_found_by_id_and_kept(tmp_path):
    runs = rl.store.open(fill(tmp_path / "runs.jsonl", 4))
    some = runs.filter(lambda run: run.task.id != "t1", method=["react", "act"], correct=True)
    assert [run.task.id for run in some] == ["t0", "t2", "t3"] == list(some.frame()["task"])
    assert runs[some[1].id] == runs[2] and not runs.filter(method="cot")
    for _ in range(2):  # again is not twice
        assert list(some.save(tmp_path / "some.jsonl")) == list(some)
    with pytest.raises(ValueError, match=r"holds 3 other runs: name a new file, or add to it"):
        rl.store.save(runs[1], tmp_path / "some.jsonl")
    with pytest.raises(ValueError, match="has the id 'none'"):
        runs["none"]
    with pytest.raises(FileNotFoundError, match="no runs at"):
        rl.store.open(tmp_path / "none.jsonl")
    with pytest.raises(ValueError, match="a run has no right; its columns: id, task"):
        runs.filter(right=True)


@pytest.mark.parametrize("given", [5, ["a"], "runs.jsonl"])
def test_what_is_no_run_is_neither_kept_nor_exported(tmp_path, given):
    write = rl.store.to_dataset, rl.store.to_inspect, rl.store.to_openai
    for do in (*write, lambda path, runs: rl.store.save(runs, path)):
        with pytest.raises(TypeError, match="runs are wanted, not (int|str)"):
            do(tmp_path / "x.jsonl", given)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("cut", [1, 10, 200])
def test_a_torn_last_line_is_passed_over_then_mended_and_kept(tmp_path, cut):
    path = fill(tmp_path / "runs.jsonl", 3)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    with pytest.warns(UserWarning, match="last line was torn"):
        assert len(rl.store.open(path)) == 2
    with pytest.warns(UserWarning, match=r"kept in runs\.jsonl\.torn"):
        rl.store.append(path, make(9))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [run.task.id for run in rl.store.open(path)] == ["t0", "t1", "t9"]
    assert (tmp_path / "runs.jsonl.torn").read_bytes().strip() in whole
    path.write_bytes(whole[:9])
    with pytest.warns(UserWarning, match="torn"):
        assert list(rl.store.open(path)) == []


def test_fields_of_a_later_version_do_not_hurt_and_the_digest_is_what_a_reader_sees():
    run = make()
    assert load(json.loads(json.dumps({**dump(run), "news": 1}))) == run
    run = make()
    assert digest(run) == digest(load({**dump(run), "seconds": 9.0, "calls": 99, "id": "other"}))
    assert digest(run) != digest(load({**dump(run), "answer": "other"}))


FIVE = [json.dumps(dump(make(k))).encode() + b"\n" for k in range(5)]


@given(data=st.data())
def test_a_damaged_file_opens_or_says_what_is_unreadable(data, tmp_path_factory):  # F5
    """Cut short or with bytes changed at random: what reads is whole, the rest is named."""
    path = tmp_path_factory.mktemp("f5") / "runs.jsonl"
    whole = b"".join(FIVE)
    cut = data.draw(st.integers(1, len(whole)))
    damaged = bytearray(whole[:cut])
    for at in data.draw(st.lists(st.integers(0, cut - 1), max_size=3)):
        damaged[at] = data.draw(st.integers(0, 255))
    path.write_bytes(damaged)
    untouched = sum(line + b"\n" in FIVE for line in bytes(damaged).split(b"\n")[:-1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a torn last line is told
        found = [run for _, run in rl.store.open(path).survey()]
    assert sum(run is not None and run in ORIGINALS for run in found) >= untouched
    assert len(found) <= 5 + bytes(damaged).count(b"\n")


ORIGINALS = [load(json.loads(line)) for line in FIVE]


def test_a_fault_that_was_run_again_no_longer_counts(tmp_path):
    path = tmp_path / "runs.jsonl"
    for end in ("error", "env_error", "finished", "error"):
        rl.store.append(path, make(1, end=end, answer=None))
    rl.store.append(path, make(2, end="error"))
    found = [(run.task.id, run.end) for run in rl.store.open(path)]
    assert found == [("t1", "finished"), ("t1", "error"), ("t2", "error")]


def test_who_waits_to_append_says_so(tmp_path):
    """Also a method that appends to the very file that is being evaluated."""
    path, told = tmp_path / "runs.jsonl", []
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *_: told.append(str(message))
        with lock(path):
            thread = threading.Thread(target=rl.store.append, args=(path, make(0)))
            thread.start()
            while not told:
                time.sleep(0.01)
        thread.join()
    assert told == [f"{path} is written to by another: waiting for its end"]
    assert len(rl.store.open(path)) == 1
