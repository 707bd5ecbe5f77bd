"""Votes and hand-overs: CoT-SC and the two combinations (section 3.2)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_agent import BARE, GOOD, TASK, WORLD, Broken

import react_lab as rl
from react_lab.envs.pages import Encyclopedia
from react_lab.methods import METHODS, gave_up, majority
from react_lab.types import ENDS, ModelError, Reply

LOOP = [" a\nAction 1: Search[Ulm]"] * 7


def answers(*names):
    return [f" think\nAnswer: {name}" if name else " no idea" for name in names]


def script(replies):
    return rl.models.scripted(replies if callable(replies) else [*replies], tuned=BARE)


def play(method, replies, **options):
    return rl.run(method, TASK, script(replies), **{"world": WORLD, **options})


def test_cot_sc_votes_over_normalised_answers_keeps_everything_and_every_vote_is_an_event():
    run = play("cot-sc", answers("Rhine", "the Danube", "Danube!", None, "danube"), n=5)
    assert (run.answer, run.end, run.calls) == ("the Danube", "finished", 5)
    assert run.votes == ("Rhine", "the Danube", "Danube!", None, "danube")
    assert run.samples[0] == " think\nAnswer: Rhine" and len(run.samples) == 5
    assert run.steps[0].thought == "think" and run.flags == ()
    events = list(rl.steps("cot-sc", TASK, script(answers("a", "b", "a")), world=WORLD, n=3))
    assert [(e.leg, e.i, e.seen.answer) for e in events] == [("cot", i, x) for i, x in enumerate("aba", 1)]  # fmt: skip


def test_of_tied_answers_the_first_sampled_wins_and_no_answer_at_all_is_unreadable():
    run = play("cot-sc", answers("b", "a", "a", "b"), n=4)
    assert run.answer == "b" and run.flags == ("tie",)
    run = play("cot-sc", answers(None, None, None), n=3)
    assert (run.end, run.answer, run.votes) == ("unreadable", None, (None, None, None))


def test_the_temperature_that_took_effect_is_on_the_record():
    def used(*temperatures):
        replies = [Reply(" t\nAnswer: a", settings={"temperature": t}) for t in temperatures]
        settings = play("cot-sc", replies, n=len(replies)).settings
        return settings["temperature_used"], settings["paper_setting"], settings["temperature"]

    assert used(*[0.7] * 21) == (0.7, True, 0.7)
    assert used(*[None] * 21) == (None, False, 0.7)  # the model refused 0.7
    assert used(*[0.7] * 20) == (0.7, False, 0.7)  # nor are 20 samples the paper's
    assert used(0.7, 1.0) == ([0.7, 1.0], False, 0.7)


@given(st.lists(st.sampled_from(["a", "A!", "the b", "b", "", None, "c"])))
def test_majority_is_a_plain_count(votes):
    winner, count, tied = majority(votes)

    def same(vote):
        return {"a": "a", "A!": "a!", "the b": "b", "b": "b", "c": "c"}[vote]

    names = [same(v) for v in votes if v]
    if not names:
        assert (winner, count, tied) == (None, 0, False)
        return
    best = max(names.count(n) for n in names)
    top = [n for n in dict.fromkeys(names) if names.count(n) == best]
    assert same(votes[winner]) == top[0]
    assert (count, tied) == (best, len(top) > 1)


# ReAct -> CoT-SC
def test_react_that_answers_or_meets_a_fault_is_the_answer_and_at_its_limit_backs_off():
    run = play("react->cot-sc", GOOD, n=3)
    assert (run.answer, run.branch, run.calls, run.votes) == ("Black Sea", "react", 3, ())
    assert run.method == "react->cot-sc" and set(run.settings["prompt"]) == {"react", "cot"}
    run = play("react->cot-sc", [*LOOP, *answers("a", "b", "a")], n=3)
    assert (run.answer, run.branch, run.end, run.calls) == ("a", "cot-sc", "finished", 10)
    assert len(run.steps) == 7 and run.votes == ("a", "b", "a")  # nothing of either part is lost
    assert run.flags == ("repeated",)
    run = play("react->cot-sc", GOOD, world=lambda t: Broken(Encyclopedia([])), on_error="record")
    assert (run.end, run.branch, run.answer, run.votes) == ("env_error", "react", None, ())

    def reply(ask):
        raise ModelError("gone")

    run = play("react->cot-sc", reply, on_error="record")
    assert (run.end, run.branch, run.calls) == ("error", "react", 0)


@pytest.mark.parametrize("replies, extra", [
    ([" I wonder", " "], {}),  # unreadable
    (LOOP[:2], {"end_repeats": True}),  # repeated
    ([Reply("no", why="refused")], {}),
    ([" a\nAction 1: Finish[]"], {}),  # an empty Finish
    ([" a\nAction 1: Finish[ ]"], {}),
])  # fmt: skip
def test_react_without_an_answer_backs_off(replies, extra):
    run = play("react->cot-sc", [*replies, *answers("a")], n=1, **extra)
    assert (run.answer, run.branch) == ("a", "cot-sc")


def test_the_ends_that_hand_over():
    gives_up = {"step_limit", "repeated", "unreadable", "refused", "context_limit"}
    assert {end for end in ENDS if end != "finished" and gave_up(end, None)} == gives_up


# CoT-SC -> ReAct
def test_a_sure_majority_is_the_answer_and_fewer_than_half_of_all_samples_asks_react():
    run = play("cot-sc->react", answers("a", "a", "b"), n=3)
    assert (run.answer, run.branch, run.calls) == ("a", "cot-sc", 3)
    assert play("cot-sc->react", answers("a", "a", "b", None), n=4).branch == "cot-sc"
    two_of_five = answers("a", "a", "b", "c", None)
    run = play("cot-sc->react", [*two_of_five, *GOOD], n=5)
    assert (run.answer, run.branch, run.calls) == ("Black Sea", "react", 8)
    assert run.votes == ("a", "a", "b", "c", None) and len(run.samples) == 5 and len(run.steps) == 3
    run = play("cot-sc->react", [*answers("a", "b", "c"), *LOOP], n=3)
    assert (run.answer, run.end, run.branch, run.calls) == (None, "step_limit", "react", 10)
    assert play("cot-sc->react", [*answers(None, None), *GOOD], n=2).answer == "Black Sea"


def test_costs_are_those_of_both_parts_and_unknown_stays_unknown():
    def priced(text, tokens):
        return Reply(text, tokens_in=tokens, tokens_out=1)

    votes = [priced(text, 10) for text in answers("a", "b", "c")]
    run = play("cot-sc->react", [*votes, *[priced(text, 100) for text in GOOD]], n=3)
    assert (run.tokens_in, run.tokens_out, run.calls) == (330, 6, 6)
    assert play("cot-sc->react", [*votes, *GOOD], n=3).tokens_in is None


def test_a_combination_can_be_rethought_as_the_run_that_wrote_its_steps():
    run = play("react->cot-sc", [*LOOP, *answers("a")], n=1)
    edit = rl.rethink(run, at=2, thought="Try the river.")
    assert edit.method == "react"
    again = rl.resume(edit, model=rl.models.scripted([" Finish[x]"], tuned=BARE), world=WORLD)
    assert again.answer == "x"
    vote = rl.rethink(play("cot-sc", answers("a"), n=1), at=1, thought="No.")
    assert vote.method == "cot"
    with pytest.raises(ValueError, match="rethink"):
        rl.resume(run, model=None)


def test_the_samples_before_a_fault_are_kept_and_billed(tmp_path):
    """A server that gives one sample per request and then refuses: three replies were paid for."""
    paid = [Reply(f" t\nAnswer: {k}", tokens_in=500, tokens_out=1) for k in range(3)]

    class Breaks:
        name, tuned = "breaks", frozenset(BARE)

        def identity(self, leg):
            return "breaks"

        def complete(self, ask, on_text=None):
            if ask.samples[0] == 3:
                raise ModelError("the key was refused")
            return {ask.samples[0]: paid[ask.samples[0]]}

    model = rl.models.cached(Breaks(), tmp_path / "replies.jsonl")
    run = rl.run("cot-sc", TASK, model=model, world=WORLD, n=5, on_error="record")
    assert (run.end, run.calls, run.tokens_in, len(run.samples)) == ("error", 3, 1500, 3)
    kept = (tmp_path / "replies.jsonl").read_text(encoding="utf-8")
    assert kept.count('"reply"') == 3


def test_a_method_of_your_own_keeps_its_name_and_has_its_source_in_the_id(tmp_path):
    def careful(task, kit):
        """ReAct, but its runs are told apart."""
        return (yield from METHODS["react"](task, kit))

    run = play(careful, GOOD)
    assert run.method == "careful" and run.id != play("react", GOOD).id
    options = {"world": WORLD, "progress": False}
    runs = rl.evaluate(careful, [TASK], script(GOOD), tmp_path / "runs.jsonl", **options)
    assert (runs[0].id, runs[0].method) == (run.id, "careful")
    edited = rl.rethink(run, at=2, thought="Try the river.")
    assert edited.method == "careful"
    with pytest.raises(ValueError, match=r"'careful' is a method of your own: .* method="):
        rl.resume(edited, script([" Finish[x]"]), world=WORLD)
    again = rl.resume(edited, script([" Finish[x]"]), method=careful, world=WORLD)
    assert (again.method, again.answer, again.parent) == ("careful", "x", run.id)
    line = rl.finetune.training_line
    assert line(run, "act") == line(play("react", GOOD), "act")

    def twice(task, kit):
        run = kit.start(task, "twice", ["react"])
        again = yield from METHODS["react"](task, kit)
        return replace(again, id=run.id, method="twice")

    run = play(twice, GOOD)
    runs = rl.evaluate(twice, [TASK], script(GOOD), tmp_path / "twice.jsonl", **options)
    assert (runs[0].id, runs[0].method) == (run.id, "twice")


@pytest.mark.parametrize("returned", [None, "abc", 3])
@pytest.mark.parametrize("yields", [False, True])
def test_a_method_that_returns_no_run_is_a_sentence(returned, yields, tmp_path):
    def mine(task, kit):
        return returned

    def mine_too(task, kit):
        yield from METHODS["react"](task, kit)
        return returned

    for go in (rl.run, lambda *of, **how: rl.evaluate(*of, tmp_path / "runs.jsonl", **how)):
        with pytest.raises(TypeError, match=f"the method mine.* returned no run, but '{returned}'"):
            go(mine_too if yields else mine, TASK, script(GOOD), world=WORLD)


@pytest.mark.parametrize("brought", [{}, {7: Reply("x")}, (Reply("x"),), None])
@pytest.mark.parametrize("method", ["cot", "cot-sc"])
def test_a_model_that_answers_something_else_is_a_sentence(method, brought, tmp_path):
    model = rl.models.scripted([])
    model.complete = lambda ask, on_text=None: brought
    task = rl.tasks.question("Who?")
    with pytest.raises(ModelError, match=r"must return \{sample: Reply\} with at least"):
        rl.run(method, task, model, n=3)
    kept = rl.models.cached(model, tmp_path / "replies.jsonl")
    with pytest.raises(ModelError, match="must return"):
        rl.run(method, task, kept, n=3)
    with pytest.warns(UserWarning, match="1 of 1 runs ended in 'error'"):
        (run,) = rl.evaluate(method, task, model, tmp_path / "runs.jsonl", n=3, progress=False)
    assert run.end == "error"
