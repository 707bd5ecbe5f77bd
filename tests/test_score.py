"""Scores as the benchmarks compute them, and the frames built from runs."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_agent import BARE, GOOD, TASK, WORLD

import react_lab as rl
from react_lab.score import correct, exact_match, f1
from react_lab.types import Reply, Task, Trajectory, normalise, split_act


@pytest.mark.parametrize("a, b, same", [
    ("The Beatles", "beatles", True), ("Peter Hall.", "peter  hall", True), ("yes", "Yes", True),
    ("1,800 to 7,000 ft", "1800 to 7000 ft", True), ("Ulm", "", False), ("Paris, France", "Paris", False),
])  # fmt: skip
def test_exact_match(a, b, same):
    assert exact_match(a, b) == same


def test_f1_counts_shared_words():
    assert f1("Black Sea", "the Black Sea") == 1
    assert f1("the large Black Sea", "Black Sea") == pytest.approx(0.8)
    assert f1("Danube", "Rhine") == 0 and f1("", "Rhine") == 0
    assert f1("a river b", "the river c") == pytest.approx(0.5)  # articles go, as in HotpotQA
    for closed in ("yes", "no", "noanswer"):  # against these a part earns nothing
        assert f1(f"{closed} it is", closed) == 0 == f1(closed, f"{closed} it is")
        assert f1(closed.upper(), closed) == 1


@given(st.text(), st.text())
def test_f1_is_a_symmetric_share_and_normalising_and_splitting_never_raise(a, b):
    assert 0 <= f1(a, b) <= 1 and f1(a, b) == pytest.approx(f1(b, a))
    assert normalise(normalise(a)) == normalise(a) or not a.isascii()
    split_act(a)


def test_labels_and_rewards():
    claim = Task("c", "claims", "x", "NOT ENOUGH INFO")
    run = Trajectory("i", claim, "react", "m", answer="not enough info")
    assert correct(run) and rl.frame([run])["type"][0] == "NOT ENOUGH INFO"  # its label
    assert not correct(Trajectory("i", claim, "react", "m", answer="SUPPORTS"))
    game = Task("g", "household", "put")
    assert correct(Trajectory("i", game, "react", "m", reward=1.0))
    assert not correct(Trajectory("i", game, "react", "m", reward=0.5))
    assert correct(Trajectory("i", game, "react", "m")) is None


def test_a_frame_has_one_row_a_run_or_a_step():
    model = rl.models.scripted(GOOD * 2 + [" x\nAnswer: Black Sea"], tuned=BARE)
    runs = [rl.run(m, TASK, model=model, world=WORLD) for m in ("react", "react", "cot")]
    df = rl.frame(runs)
    named = {"id", "method", "task", "type", "correct", "f1", "end", "calls", "tokens_in"}
    assert named <= set(df.columns)
    assert list(df["correct"]) == [True] * 3 and list(df["calls"]) == [3, 3, 1]
    assert list(df["repeat"]) == [0] * 3 and df["cost"].isna().all() and df["retries"].isna().all()
    steps = rl.frame(runs, by="step")
    assert len(steps) == 7 and list(steps["i"][:3]) == [1, 2, 3]
    assert steps[["act", "argument"]].to_numpy().tolist()[2] == ["Finish", "Black Sea"]
    table = rl.score.table(df)
    for each in (df, steps, table):  # df.flags would be pandas' own
        assert not [name for name in each if hasattr(pd.DataFrame, name)]
    assert table.loc[("multihop", "react", "scripted"), "n"] == 2
    assert table.loc[("multihop", "react", "scripted"), "% of all"] == 100
    with pytest.raises(ValueError, match="one row per 'run'"):
        rl.frame(runs, by="x")
    assert len(rl.frame([])) == 0


def test_a_frame_says_what_each_run_and_each_step_took():
    told = [Reply(text, tokens_in=1000, tokens_out=10, settings={"attempts": k}, reasoning="Hm.")
            for k, text in enumerate((" a\nAction 1: Search[Nowhere]", " b\nAction 2: Finish[x]"), 1)]  # fmt: skip
    asked = iter(told)
    model = rl.models.scripted(lambda ask: next(asked), tuned=BARE)
    run = rl.run("react", TASK, model, world=WORLD)
    prices = {"scripted": (1.0, 100.0)}
    row = rl.frame(run, prices=prices).iloc[0]
    assert (row["retries"], row["cost"], row["tokens_in"]) == (1, pytest.approx(0.004), 2000)
    steps = rl.frame(run, "step", prices)
    columns = ["act", "argument", "outcome", "tokens_in", "tokens_out", "private", "cost"]
    search, finish = steps[columns].to_numpy().tolist()
    assert search == ["Search", "Nowhere", "failed", 1000, 10, 3, pytest.approx(0.002)]
    assert finish[:2] == ["Finish", "x"]
    assert 0 <= steps["seconds"].sum() <= run.seconds + 0.01
    again = rl.resume(rl.rethink(run, 2, "c", "Finish[y]"), rl.models.scripted([]), world=WORLD)
    assert rl.frame(again, "step")["tokens_in"].iloc[0] == 1000  # it was not asked again


def test_other_wordings_are_accepted_in_a_column_of_their_own():
    runs = [
        rl.run("standard", task, rl.models.scripted([f" {answer}"]))
        for k, answer in enumerate(("Robert Bruce", "Robert I.", "Edward"))
        for task in [Task(f"t{k}", "multihop", "Who?", "Robert Bruce", {"accepted": ["Robert I"]})]
    ]
    df = rl.frame(runs)
    assert list(df["correct"]) == [True, False, False]
    assert list(df["accepted"]) == [True, True, False] and rl.frame(runs[1])["accepted"].all()
    table = rl.score.table(df)
    assert table[["% of all", "% accepted"]].to_numpy().tolist() == [[33.3, 66.7]]
    drawn = rl.plots.table1(runs).table.dropna(subset="n")
    assert drawn[["%", "accepted %"]].to_numpy().tolist() == [[33.3, 66.7]]
