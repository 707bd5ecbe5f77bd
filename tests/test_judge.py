"""A model as a labeller: blind, resumable, one annotator like any other, and nothing before go."""

from pathlib import Path

import pytest

import react_lab as rl

RUNS = [*rl.store.open(Path(__file__).parents[1] / "data/runs/labelled/pool-react.jsonl")][:6]


def judged(path, replies, **options):
    model = rl.models.scripted(replies, name="judge-1")
    return model, rl.label.judge(RUNS, model, path, **options)


def test_first_it_says_what_it_will_cost(tmp_path):
    model, said = judged(tmp_path / "j.jsonl", [], price=(1.0, 4.0))
    assert "Nothing was asked" in said and "6 runs" in said and " at your price" in said
    assert not model.asked and not (tmp_path / "j.jsonl").exists()


def test_its_labels_are_an_annotator_like_any_other(tmp_path):
    replies = [f" It stumbles. {i}\nStep: 1\nLabel: reasoning error" for i in range(6)]
    _, said = judged(tmp_path / "j.jsonl", replies, go=True)
    assert said == "6 labels of judge-1 are in j.jsonl."
    session = rl.label.Session(RUNS, tmp_path / "me.jsonl", by="me")
    for _ in RUNS:
        session.label("reasoning error", override=True)
    merged = rl.label.merge([tmp_path / "j.jsonl", tmp_path / "me.jsonl"])
    assert {mark.by for mark in merged.marks} == {"judge-1", "me"}
    mark = next(mark for mark in merged.marks if mark.by == "judge-1")
    assert (mark.label, mark.step, mark.note) == ("reasoning error", 1, "It stumbles. 0")
    assert "judge-1" in str(rl.label.agreement(merged.runs))


def test_it_sees_no_gold_answer_no_method_and_no_model(tmp_path):
    shots = [(RUNS[5], "hallucination", "It made the year up.")]
    model, _ = judged(tmp_path / "j.jsonl", ["x"] * 6, go=True, shots=shots)
    for ask, run in zip(model.asked, RUNS, strict=True):
        asked = ask.prompt.rpartition("Label: hallucination\n")[2]
        seen = run.task.text + "".join(f"{s.thought}{s.action}{s.observation}" for s in run.steps)
        assert run.task.text in asked and run.model not in asked
        assert run.task.gold not in asked or run.task.gold in seen + str(run.answer)
        assert "It made the year up." in ask.prompt and rl.label.guideline().text[:80] in ask.prompt


def test_a_model_that_only_completes_is_a_labeller_too(tmp_path):
    class Strict:
        def complete(self, ask, on_text=None):
            return {0: rl.types.Reply("No fact.\nStep: 1\nLabel: reasoning error")}

    rl.label.judge(RUNS[:1], Strict(), tmp_path / "s.jsonl", go=True)
    assert rl.label.read(tmp_path / "s.jsonl")[-1].by == "Strict"


def test_it_goes_on_where_it_was_and_defers_what_says_nothing(tmp_path):
    path = tmp_path / "j.jsonl"
    with pytest.raises(rl.types.ModelError):
        judged(path, ["Reason: a.\nLabel: true positive", "no idea"], go=True)
    _, said = judged(path, [])
    assert said.startswith("4 runs")
    model, said = judged(path, ["b\n**Step:** 99\n**Label:** false_positive."] * 4, go=True)
    assert len(model.asked) == 4 and said.startswith("5 labels") and "1 replies held no" in said
    assert "\nLabel: one of" in model.asked[0].prompt and "\nStep: " in model.asked[0].prompt
    marks = rl.label.Ledger(rl.label.read(path)).labelled()
    assert [mark.label for mark in marks].count("true positive") == 1
    assert max(mark.step or 0 for mark in marks) <= 7
