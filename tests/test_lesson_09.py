"""Lesson 09: what is learned of a line, the losses, and the numbers of its prose."""

from pathlib import Path

import pytest

import react_lab as rl
from react_lab.finetune import draw_gold
from react_lab.lessons import lesson_09

NAME = "09_fine_tuning"
PROSE = (Path(__file__).parents[1] / f"notebooks/{NAME}.ipynb").read_text(encoding="utf-8")


def test_a_line_shows_what_is_learned_and_what_is_not():
    gold = draw_gold(60)
    missed = next(run for run in gold if any(step.outcome == "failed" for step in run.steps))
    told = str(lesson_09.line_shown(missed, "react"))
    assert "not learned: it led nowhere" in told and "Observation 1:" in told
    learned = [turn.learned for turn in rl.finetune.training_line(missed, "react")]
    assert told.count("to be written") == sum(learned) < len(learned)


@pytest.mark.parametrize("leg", ["react", "act", "cot", "standard"])
def test_the_loss_falls_along_the_lines_of_the_card(leg):
    losses, last = lesson_09.losses(leg), lesson_09.card(leg)["rounds"][-1]
    assert losses.iloc[-1] < losses.iloc[0] / 2
    assert losses.index.is_monotonic_increasing and len(losses) >= 10
    assert 0.9 * last["lines"] < losses.index[-1] <= last["lines"]
    assert losses.sum() * 3 == pytest.approx(sum(last["losses_of_20"][: 3 * len(losses)]))


def right(runs, method):
    return sum(bool(rl.score.correct(run)) for run in runs if run.method == method)


def told(sentence):
    assert sentence in PROSE, sentence


def of_type(runs, kind):
    return [run for run in runs if run.task.extra["type"] == kind]


def test_the_numbers_of_the_prose_are_those_of_the_runs():
    small, usual, large = (lesson_09.tested(size) for size in ("135m", "0.5b", "1.5b"))
    told(f"{right(usual, 'react')} and {right(large, 'react')} of 300 right")
    told(f"(ReAct {right(small, 'react')}, Act {right(small, 'act')}, which may be chance)")
    compare, bridge = of_type(large, "comparison"), of_type(large, "bridge")
    told(f"Of the {len(compare) // 4} questions that compare two things")
    told(f"has {right(compare, 'react')} right with ReAct and {right(compare, 'act')} with Act")
    told(f"Of the {len(bridge) // 4} whose second page has to be found first")
    told(f"it has {right(bridge, 'react')} and {right(bridge, 'act')}")
    told("on claims (notebook 04) Act is ahead, and that is not chance")
    assert (right(bridge, "standard"), right(bridge, "cot")) == (1, 1)
    typed = [
        [run for run in rl.store.open(rl.data.folder("runs", size, "questions.jsonl"))
         if run.task.id.startswith("multihop-typed-")] for size in ("0.5b", "1.5b")
    ]  # fmt: skip
    acts, reacts = ([right(runs, method) for runs in typed] for method in ("act", "react"))
    told(f"On {len(typed[0]) // 4} questions typed by")
    told(f"Act has {acts[0]} right and ReAct {reacts[0]} (the 1.5B: {acts[1]} and {reacts[1]})")
    for k, runs in enumerate((large, compare, bridge, small, typed[1])):  # two beyond chance
        assert rl.stats.paired(rl.frame(runs), "react", "act").separated is (k < 2)


def test_the_prompted_are_the_models_as_they_were_published_on_these_questions():
    asked, small, large = lesson_09.tested(), lesson_09.prompted(), lesson_09.prompted("1.5b")
    assert {run.task.id for run in (*small, *large)} <= {run.task.id for run in asked}
    assert not any(run.settings["bare"] for run in (*small, *large))
    assert "1.5b" in large[0].model and "0.5b" in small[0].model
    told(f"asked {len({run.task.id for run in small})} of them in each way")
    a, b, c, d = (right(some, leg) for some in (large, small) for leg in ("standard", "react"))
    told(f"had {a} of 60 right with Standard and {b} with ReAct, the 0.5B {c} and {d}")
    three = lesson_09.sizes()
    assert len({(run.model, bool(run.settings["bare"]), run.method) for run in three}) == 26
    shown = str(lesson_09.verdicts(rl.plots.figure3(three)))
    assert shown.startswith("claim | 135M | 0.5B | 1.5B\n")
    assert "does best with ReAct | not decided | supported | supported" in shown
    assert "above every way of prompting | not decided | supported | –" in shown


@pytest.mark.parametrize("row, file, tasks, separated", [
    ("multihop test", "questions", "multihop-test-", True), ("typed", "questions", "multihop-typed-", False),
    ("unanswerable, said so", "questions", "multihop-unanswerable-", False),
    ("generated, on llama.cpp", "generated", "own-", True), ("claims test", "claims", "claims-test-", True),
])  # fmt: skip
def test_the_page_of_the_adapters_says_what_the_runs_do(row, file, tasks, separated):
    kept = rl.store.open(rl.data.folder("runs", "0.5b", f"{file}.jsonl"))
    runs = [run for run in kept if run.task.id.startswith(tasks)]
    n, found = len({run.task.id for run in runs}), (right(runs, "react"), right(runs, "act"))
    cells = " | ".join(f"{k} ({rl.stats.interval(k, n)})" for k in found)
    page = rl.data.folder("adapters", "0.5b", "README.md").read_text(encoding="utf-8")
    assert f"| {row} | {n} | {cells} |" in page
    assert rl.stats.paired(rl.frame(runs), "react", "act").separated is separated


def test_the_numbers_of_the_training_are_those_of_the_cards():
    last = {leg: lesson_09.card(leg)["rounds"][-1] for leg in ("react", "act", "cot", "standard")}
    own = last["react"]["own_states"]["lines"]
    told(f"{last['react']['lines'] - own:,} of a program; {own:,} where it goes on")
    assert last["cot"]["lines"] == last["standard"]["lines"] == 12_000
    batches = [each["lines"] / each["steps"] for each in last.values()]
    told(f"batches of {min(batches):.0f} to {max(batches):.0f} runs")
    ends = {leg: lesson_09.losses(leg).iloc[-1] for leg in last}  # what is remembered: a surprise
    assert min(ends["cot"], ends["standard"]) > 2 * max(ends["react"], ends["act"])
