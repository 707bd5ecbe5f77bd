"""Correct runs -> training lines: exactly what a bare prompt shows, in four formats."""

import json
from dataclasses import replace

import pytest

import react_lab as rl
from react_lab import finetune
from react_lab.__main__ import main
from react_lab.finetune import draw_gold

LEGS = ("react", "act", "cot", "standard")


@pytest.fixture(scope="module")
def gold():
    return draw_gold(60)


def reader(line):
    """A model that is tuned for every leg and writes what a training line says."""
    return rl.models.scripted([turn.written + turn.mark for turn in line], tuned=LEGS)


@pytest.mark.parametrize("leg", LEGS)
def test_a_tuned_prompt_is_a_training_line_up_to_what_is_learned(leg, gold):
    """Byte for byte, at every turn: what the model is asked is what it was trained on."""
    for run in gold[:20]:
        line = finetune.training_line(run, leg)
        model = reader(line)
        done = rl.run(leg, run.task, model)
        text = ""
        for turn, ask in zip(line, model.asked, strict=True):
            text += turn.shown
            assert ask.prompt == text
            text += turn.written + turn.mark
        assert done.end == "finished" and done.answer == run.answer and not done.steps[-1].repairs


def test_a_line_learns_no_word_of_the_world(gold):
    for run in gold:
        for turn, step in zip(finetune.training_line(run, "react"), run.steps, strict=True):
            assert step.thought in turn.written and step.action in turn.written
            assert not step.observation or step.observation not in turn.written + turn.mark
            cue = f"Observation {run.steps.index(step) + 1}:"
            assert turn.mark == (cue if step.observation else "")


def test_a_step_that_goes_astray_is_shown_and_not_taught(gold):
    run = next(r for r in gold if any(len(step) > 2 for step in r.task.extra["steps"]))
    line = finetune.training_line(run, "react")
    astray = [len(step) > 2 for step in run.task.extra["steps"]]
    assert [turn.learned for turn in line] == [not each for each in astray]
    assert len(list(finetune.rows([line]))) == astray.count(False)


def test_only_correct_runs_become_lines_and_teach_no_more_than_they_hold(gold):
    wrong = replace(gold[0], answer="something else")
    assert len(finetune.training_lines([gold[0], wrong], "react")) == 1
    act = rl.run("act", gold[0].task, reader(finetune.training_line(gold[0], "act")))
    assert finetune.training_lines([act], "act") and finetune.training_lines([act], "standard")
    with pytest.raises(ValueError, match="has no thought"):
        finetune.training_lines([act], "react")
    with pytest.raises(ValueError, match="no leg 'reakt'; there are: react"):
        finetune.training_lines([act], "reakt")


def test_cot_is_told_the_facts_and_not_the_searching(gold):
    for run in gold:
        (turn,) = finetune.training_line(run, "cot")
        assert "Search[" not in turn.written and "look up" not in turn.written.lower()
        assert turn.written.endswith(f"\nAnswer: {run.answer}\n")


def test_every_gold_run_is_right_and_within_its_limit_and_a_smaller_draw_is_part_of_a_larger(gold):
    assert all(rl.score.correct(run) for run in gold)
    assert all(len(run.steps) <= rl.kinds.KINDS[run.task.kind].max_steps for run in gold)
    small = draw_gold(30)
    assert sum(run.task.kind == "multihop" for run in small) == 20
    assert {run.task.id.split("-")[1] for run in small} == {"train", "written", "natural"}
    assert {run.id for run in small} < {run.id for run in gold}


def rows_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_openais_file_asks_as_we_ask_and_a_dataset_holds_prompts_and_completions(tmp_path, gold):
    lines = finetune.training_lines(gold[:5], "react")
    rows = rows_of(finetune.write_openai(lines, tmp_path / "react.jsonl", "react"))
    assert len(rows) == sum(turn.learned for line in lines for turn in line)
    for row in rows:
        system, user, assistant = row["messages"]
        assert system["content"].startswith("Continue the transcript; write only the next Thought")
        assert user["content"].endswith(":") and "\nAction " in assistant["content"]
    path = finetune.write_dataset(lines, tmp_path / "set", "react")
    assert all(row.keys() == {"prompt", "completion"} for row in rows_of(path))
    assert "data_files: train.jsonl" in path.with_name("README.md").read_text(encoding="utf-8")


def test_an_export_of_nothing_is_a_sentence(tmp_path, capsys, gold):
    wrong = rl.store.append(tmp_path / "wrong.jsonl", replace(gold[0], answer="something else"))
    export = ["finetune", "--export", "openai", "--out", str(tmp_path / "lines")]
    for more, said in ((["--n", "0"], "n=0: at least 1"), (["--runs", str(wrong)], "is correct")):
        assert main([*export, *more]) == 1 and said in capsys.readouterr().err
    assert not (tmp_path / "lines.jsonl").exists()
