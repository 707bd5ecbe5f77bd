"""Lesson 04: its tables count rightly."""

import react_lab as rl
from react_lab import data, stats, store
from react_lab.lessons import compared, lesson_04
from react_lab.types import Step, Task, Trajectory

SUP, REF, NEI = lesson_04.LABELS


def run_of(gold, answer, method="cot", thought="", seen=None):
    steps = (Step(thought, "Search[a]", seen), Step("", f"Finish[{answer}]"))
    task = Task(f"{gold} {answer} {method}", "claims", "?", gold)
    return Trajectory(task.id, task, method, "m", steps=steps, answer=answer, end="finished")


RUNS = [
    run_of(SUP, "SUPPORTS"), run_of(SUP, "supports."), run_of(REF, SUP), run_of(NEI, "maybe"),
    run_of(NEI, None), run_of(NEI, NEI), run_of(SUP, REF, "react"),
]  # fmt: skip


def test_rates_above_guessing():
    many = [run_of(SUP, SUP, "act")] * 9 + [run_of(REF, SUP, "react")] * 9
    told = lesson_04.above_guessing(rl.frame(many))["above guessing"]
    assert dict(told) == {"act": "yes", "react": "no"}  # a method without runs has no row


def test_the_picture_has_the_tables_in_words_beside_it():
    shown = lesson_04.draw_said(rl.frame(RUNS))
    assert shown.png.startswith(b"\x89PNG") and len(shown.png) < 30_000
    assert repr(shown).index("said by cot") < repr(shown).index("said by react")


def test_the_examples_are_one_of_each_label_and_pairs_of_twins():
    assert [task.gold for task in lesson_04.of_each_label()] == list(lesson_04.LABELS)
    pairs = lesson_04.twins()
    for one, other in zip(pairs[::2], pairs[1::2], strict=True):
        words = zip(one.text.split(), other.text.split(), strict=True)
        assert sum(mine != theirs for mine, theirs in words) == 1
        assert (one.gold, other.gold) == (SUP, REF)


def test_what_the_notebook_says_of_act_and_react():
    dev = list(compared.runs("claims", "tuned"))
    pair = stats.paired(rl.frame(dev), "react", "act")
    assert pair.difference < 0 and stats.mcnemar(pair.wins, pair.losses) > 0.05
    beyond = lesson_04.above_guessing(rl.frame(dev))["above guessing"]
    told = {"standard": "no", "cot": "no", "cot-sc": "no", "act": "yes", "react": "yes"}
    assert dict(beyond) == told
    counts = rl.frame(dev).groupby("method")["task"].count()
    assert dict(counts) == dict.fromkeys(told, 120) | {"cot-sc": 60}
    stored = store.open(data.folder("runs", "0.5b", "claims.jsonl"))
    test = [run for run in stored if run.task.id.startswith("claims-test-")]
    right = rl.frame(test).groupby("method")["correct"].agg(["sum", "count"])
    assert right.loc["act"].to_list() == [129, 240] and right.loc["react"].to_list() == [109, 240]
    pair = stats.paired(rl.frame(test), "react", "act")
    assert round(stats.mcnemar(pair.wins, pair.losses), 2) == 0.04
    for runs in (dev, test):  # as often read, less often right then
        table = lesson_04.reading(runs)
        assert table.loc["react", "read"] >= table.loc["act", "read"]
        assert table.loc["react", "right of these"] < table.loc["act", "right of these"]
