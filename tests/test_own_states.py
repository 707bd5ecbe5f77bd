"""Learning on one's own states: what becomes a line, and what of it is learned."""

import random

import pytest

from react_lab import finetune, score, tasks
from react_lab.authoring import own_states
from react_lab.types import Ask, Reply


class Wanderer:
    """A model tuned for React and Act that does what comes to its mind, and keeps what it was asked."""

    name, tuned = "wanderer", frozenset(("react", "act"))

    def __init__(self, leg):
        self.leg, self.asked = leg, []

    def identity(self, leg):
        return f"wanderer {leg}"

    def complete(self, ask: Ask, on_text=None):
        self.asked.append(ask.prompt)
        words = ask.prompt.splitlines()[0].split()
        i = ask.prompt.count("Observation ") + 1
        act = random.Random(ask.prompt).choice(
            [f"Search[{words[-1]}]", "Lookup[music]", "Search[Vienna]", "Search[Rome]", "Hm[]"]
        )
        text = f" I wonder.\nAction {i}: {act}\n" if self.leg == "react" else f" {act}\n"
        return {0: Reply(text, "stop", 1, 1, {})}


@pytest.fixture(scope="module", params=["react", "act"])
def wandered(request, tmp_path_factory):
    leg, path = request.param, tmp_path_factory.mktemp("own") / "own.jsonl"
    model = Wanderer(leg)
    return leg, model, own_states.rolled(leg, own_states.train_tasks(8), model, path), path


def test_a_line_shows_what_the_model_was_asked_and_learns_what_the_oracle_says(wandered):
    leg, model, runs, _ = wandered
    chosen = own_states.own(runs, leg, 12)
    assert len(chosen) == 12
    shown = "".join(turn.shown for state in chosen for turn in state.line(leg))
    assert "Vienna is" in shown or "Rome is" in shown  # acts that did bring something
    for state in chosen:
        line = state.line(leg)
        first = [turn.learned for turn in line].index(True)
        assert all(turn.learned for turn in line[first:])  # the oracle goes on to the end
        shown = "".join(turn.shown + turn.written + turn.mark for turn in line[:first])
        assert shown + line[first].shown in model.asked  # byte for byte
        last = state.run.steps[-1]
        assert last.action == f"Finish[{state.run.task.gold}]"
        for step, turn in zip(state.run.steps[first:], line[first:], strict=True):
            assert step.action in turn.written and (step.thought is None) == (leg == "act")
            if step.observation:
                assert turn.mark.startswith("Observation")  # the model learns that its turn ends
        rows = list(finetune.lines.rows([line]))
        assert rows[0]["prompt"] == shown + line[first].shown
        assert [row["completion"] for row in rows] == [turn.written for turn in line[first:]]


def test_slips_come_first_and_the_draw_is_the_same_each_time(wandered):
    leg, _, runs, _ = wandered
    chosen = own_states.own(runs, leg, 12)
    assert own_states.own(runs, leg, 12) == chosen
    assert sum(state.slip for state in chosen) >= 8
    with pytest.raises(ValueError, match="let it do more tasks"):
        own_states.own(runs, leg, 1000)


def test_what_was_done_is_not_done_again(wandered):
    leg, model, runs, path = wandered
    calls = len(model.asked)
    again = own_states.rolled(leg, own_states.train_tasks(8), model, path)
    assert [run.id for run in again] == [run.id for run in runs] and len(model.asked) == calls


def test_the_rounds_have_their_own_tasks():
    rounds = range(1, len(own_states.ROUNDS) + 1)
    seen = [task.id for n in rounds for some in own_states.tasks_of(n) for task in some]
    assert (
        len(seen)
        == len(set(seen))
        == sum(max(now.tasks, now.lines) + now.lines for now in own_states.ROUNDS)
    )
    claims = sum(name.startswith("claims") for name in seen)
    assert claims == sum(now.lines * (now.claims + now.shown) for now in own_states.ROUNDS)
    by_hand = sum("train" not in name for name in seen)
    assert abs(by_hand / len(seen) - 2 / 3) < 0.02
    assert not any(
        name.startswith(("multihop-dev", "multihop-test", "claims-dev")) for name in seen
    )


def test_every_leg_gets_as_many_lines(wandered, monkeypatch):
    leg, _, runs, _ = wandered
    now = own_states.Round(8, 10, 1 / 3, 1 / 2, 1e-3)
    monkeypatch.setattr(own_states, "ROUNDS", (now, now))
    one = own_states.lines_of(leg, 1, runs=lambda *_: runs)
    assert len(one) == len(own_states.lines_of(leg, 2, runs=lambda *_: runs)) == 20
    assert sum(not turn.learned for line in one for turn in line) > 0
    assert own_states.lines_of(leg, 1, runs=lambda *_: runs) == one  # or no checkpoint would fit
    for other in ("cot", "standard"):
        assert len(own_states.lines_of(other, 1)) == 20
    plain = own_states.lines_of(leg, 1, plain=True)
    assert len(plain) == 20


def test_whole_runs_of_the_oracle_are_right_and_have_a_rationale():
    for task in own_states.train_tasks(12, 1 / 3, (1500, 400)):
        run = own_states.with_rationale(task)
        assert score.correct(run) and run.task.extra["rationale"]
        assert finetune.training_line(run, "cot") and finetune.training_line(run, "standard")


def test_no_claim_is_given_up_after_one_page():
    known = {task.id for task in own_states.ordered("claims")}
    left_out = [task for task in tasks.load("claims", "written") if task.id not in known]
    assert 0 < len(left_out) < 10 and {task.gold for task in left_out} == {"NOT ENOUGH INFO"}
