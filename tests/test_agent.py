"""The loop: think, act, observe; its bounds, its rescues, its faults, and a person's edits."""

import asyncio
import math
import sys

import pytest
from texts import SEEN_IN_THE_WILD

import react_lab as rl
from react_lab.envs.pages import Encyclopedia
from react_lab.envs.wiki import Wiki, WikiEnv

from react_lab.types import Action, Cancelled, ContextLimit, EnvError, ModelError, Reply, Task  # isort: skip  # fmt: skip

PAGES = Encyclopedia([
    {"title": "Ulm", "text": "Ulm is a city in Germany. It lies on the Danube. It is old. It is busy. It is green. "
     "Its minster has a tall spire. The spire was finished in 1890."},
    {"title": "Danube", "aliases": ["Donau"], "text": "The Danube is a river. It ends in the Black Sea."},
])  # fmt: skip
WORLD = Wiki(PAGES)
TASK = Task("t", "multihop", "Into which sea does the river of Ulm flow?", "Black Sea")
GOOD = [
    " I need the river.\nAction 1: Search[Ulm]", " It is the Danube.\nAction 2: Search[Danube]",
    " It ends in the Black Sea.\nAction 3: Finish[Black Sea]",
]  # fmt: skip
BARE = ("standard", "cot", "act", "react")


def script(*replies):
    """A model of these replies, or of a function."""
    said = replies[0] if replies and callable(replies[0]) else [*replies]
    return rl.models.scripted(said, tuned=BARE)


def play(method, *replies, **options):
    return rl.run(method, TASK, script(*replies), **{"world": WORLD, **options})


def mended(run, model, at=2, world=WORLD, **edit):
    """A run with an edit, gone on with."""
    return rl.resume(rl.rethink(run, at=at, **edit), model=model, world=world)


def test_a_react_run_from_end_to_end():
    model = script(*GOOD)
    run = rl.run("react", TASK, model=model, world=WORLD)
    assert (run.end, run.answer, run.calls, run.method) == ("finished", "Black Sea", 3, "react")
    assert next(step.thought for step in run.steps) == "I need the river."
    assert run.steps[1].observation == "The Danube is a river. It ends in the Black Sea."
    assert run.steps[2].observation is None and run.flags == ()
    assert model.asked[2].prompt == (
        "Question: Into which sea does the river of Ulm flow?\n"
        "Thought 1: I need the river.\nAction 1: Search[Ulm]\n"
        "Observation 1: Ulm is a city in Germany. It lies on the Danube. It is old. It is busy. It is green.\n"
        "Thought 2: It is the Danube.\nAction 2: Search[Danube]\n"
        "Observation 2: The Danube is a river. It ends in the Black Sea.\n"
        "Thought 3:"
    )
    assert model.asked[2].stop == ("\nObservation 3:",) and model.asked[2].temperature == 0


def test_a_thought_without_an_act_is_rescued_by_one_call():
    said = " I need the river.\nLet me see.", " Search[Ulm]\nObservation 1: no"
    model = script(*said, " so\nAction 2: Finish[x]")
    run = rl.run("react", TASK, model=model, world=WORLD)
    assert model.asked[1].prompt.endswith("Thought 1: I need the river.\nAction 1:")
    assert model.asked[1].stop == ("\n",)
    assert run.steps[0].rescued and run.steps[0].action == "Search[Ulm]" and run.calls == 3
    assert not run.steps[1].rescued
    assert "Let me see." in run.steps[0].raw and "Observation 1: no" in run.steps[0].raw


def test_no_act_even_after_the_rescue_is_unreadable_and_the_raw_text_is_kept():
    run = play("react", " I wonder", " \n")
    assert (run.end, run.calls, run.steps[0].thought) == ("unreadable", 2, "I wonder")
    assert run.steps[0].raw.startswith(" I wonder")
    run = play("cot", " I cannot say.")  # here no rescue is made
    assert (run.end, run.answer, run.calls) == ("unreadable", None, 1)


def test_a_bad_act_is_an_observation():
    run = play("react", " a\nAction 1: Fly[Ulm]", " b\nAction 2: Finish[answer]", " c\nAction 3: Finish[x]")  # fmt: skip
    assert run.steps[0].observation.startswith("Invalid action: Fly[Ulm].")
    assert run.steps[1].observation.startswith("Invalid action: Finish[answer].")  # an echo
    assert run.answer == "x"


def test_a_reply_cut_by_length_says_so_and_a_refusal_ends_the_run():
    run = play("react", Reply(" a\nAction 1: Search[Ul", why="length"), GOOD[2])
    assert "cut by length" in run.steps[0].repairs
    for why in ("refused", "filtered"):
        run = play("react", Reply("no", why=why))
        assert run.end == "refused" and run.answer is None


# F10
@pytest.mark.parametrize("reply", [" a\nAction 1: Search[Ulm]", " only a thought", " a\nAction 1: Nonsense"])  # fmt: skip
def test_calls_never_pass_the_bound(reply):
    for bound in (0, 1, 2, 3, 7, 50):
        model = script(lambda ask: " Search[Ulm]" if ask.stop == ("\n",) else reply)
        run = rl.run("react", TASK, model=model, world=WORLD, max_steps=bound)
        rescues = sum(step.rescued for step in run.steps)
        assert run.calls == len(model.asked) == bound + rescues and rescues <= bound
        assert (run.end, len(run.steps), run.answer) == ("step_limit", bound, None)


@pytest.mark.parametrize("said", SEEN_IN_THE_WILD)
@pytest.mark.parametrize("method", BARE)
def test_whatever_a_model_writes_a_run_ends(said, method):
    run = play(method, lambda ask: said)
    assert run.end in ("finished", "step_limit", "unreadable")
    assert run.calls <= 14


def test_a_repeat_is_flagged_and_ends_the_run_only_when_asked():
    again = [" a\nAction 1: Search[Ulm]"] * 7
    run = play("react", *again)
    assert (run.end, run.flags, len(run.steps)) == ("step_limit", ("repeated",), 7)
    run = play("react", *again, end_repeats=True)
    assert (run.end, len(run.steps)) == ("repeated", 2)
    in_turn = [f" a\nAction {i}: Search[{('Ulm', 'Danube')[i % 2]}]" for i in range(1, 6)]
    run = play("react", *in_turn, end_repeats=True)
    assert (run.end, len(run.steps)) == ("repeated", 4)
    looked = [f" a\nAction {i}: Lookup[spire]" for i in (2, 3)]  # the next result is news
    assert play("react", GOOD[0], *looked, GOOD[2]).flags == ()


# Faults that are not the model's
class Broken(WikiEnv):
    def search(self, entity):
        raise EnvError("Wikipedia did not answer")


def test_a_broken_world_is_no_observation_and_keeps_what_was_paid_for():
    def world(task):
        return Broken(PAGES)

    with pytest.raises(EnvError, match="did not answer") as raised:
        play("react", *GOOD, world=world)
    run = play("react", *GOOD, world=world, on_error="record")
    for kept in (raised.value.run, run):
        assert (kept.end, kept.error, kept.calls) == ("env_error", "Wikipedia did not answer", 1)
        assert kept.steps[0].action == "Search[Ulm]" and kept.steps[0].observation is None
    whole = rl.resume(run, model=script(*GOOD[1:]), world=WORLD)  # the network is back
    assert (whole.answer, whole.calls, whole.parent) == ("Black Sea", 2, run.id)


@pytest.mark.parametrize("fault", [ModelError, Cancelled, ContextLimit])
def test_a_dead_server_raises_with_the_run_so_far(fault):
    def reply(ask):
        if "Observation 1" in ask.prompt:
            raise fault("the server is gone")
        return GOOD[0]

    run = play("react", reply, on_error="record")
    if fault is not ContextLimit:  # which is an end like another
        with pytest.raises(fault, match="is gone") as raised:
            play("react", reply)
        run = raised.value.run
    assert len(run.steps) == 1 and run.end == fault.end


def test_a_fault_in_the_rescue_keeps_the_thought():
    def reply(ask):
        if ask.stop == ("\n",):
            raise ModelError("gone")
        return " only a thought"

    run = play("react", reply, on_error="record")
    assert run.steps[0].thought == "only a thought" and run.end == "error"


def test_a_fault_of_a_world_of_ones_own_says_where():
    with pytest.raises(EnvError, match=r"^ZeroDivisionError: .*test_agent.py, line \d+"):
        play("react", world=lambda task: 1 / 0)


# The human in the loop (Figure 5)
def test_an_edited_thought_makes_a_new_run_that_goes_on_from_it():
    run = play("react", *GOOD)
    edit = rl.rethink(run, at=2, thought="It might be the Iller.")
    assert (edit.parent, edit.end, edit.answer, len(edit.steps)) == (run.id, "unfinished", None, 2)
    assert edit.steps[1].human == ("thought",) and edit.id != run.id
    model = script(" Search[Iller]", " no page\nAction 3: Finish[unknown]")
    again = rl.resume(edit, model=model, world=WORLD)
    assert model.asked[0].prompt.endswith("Thought 2: It might be the Iller.\nAction 2:")
    assert again.steps[0] == run.steps[0] and again.steps[1].human == ("thought",)
    assert (again.answer, again.parent, again.calls) == ("unknown", run.id, 2)
    assert not again.steps[1].rescued and run.answer == "Black Sea"  # the old run is as it was


def test_an_edited_act_is_done_in_the_world_and_an_edited_chain_of_thought_answered_anew():
    again = mended(play("react", *GOOD), script(GOOD[2]), action="Search[Donau]")
    assert again.steps[1].observation.startswith("The Danube is a river.")
    assert again.steps[1].thought == "It is the Danube." and again.steps[1].human == ("action",)
    model = script(" Rhine")
    again = mended(play("cot", " a\nAnswer: b"), model, at=1, thought="Think west.")
    assert model.asked[0].prompt.endswith("Thought: Think west.\nAnswer:")
    assert again.answer == "Rhine"


@pytest.mark.parametrize("at, edit, told", [
    (0, {"thought": "x"}, "steps 1 to 3"), (4, {"thought": "x"}, "steps 1 to 3"), (-1, {"thought": "x"}, "steps 1 to 3"),
    (1, {}, "thought=..., action=..., or both"),
])  # fmt: skip
def test_an_edit_is_of_a_step_that_is_there_and_says_what_changes(at, edit, told):
    with pytest.raises(ValueError, match=told):
        rl.rethink(play("react", *GOOD), at=at, **edit)


def test_a_thought_that_is_taken_out_is_not_asked_for_again():
    model = script(" Search[Iller]", " so\nAction 3: Finish[x]")
    again = mended(play("react", *GOOD), model, thought="")
    asked = model.asked[0].prompt.rpartition("Question:")[2]
    assert asked.endswith("\nAction 2:") and "Thought 2" not in asked
    step = again.steps[1]
    assert (step.thought, step.action, step.human) == (None, "Search[Iller]", ("thought",))
    assert not step.rescued and again.answer == "x"
    with pytest.raises(ValueError, match="no thought at step 2 that could be taken out"):
        rl.rethink(again, at=2, thought=" ")


def test_a_resumed_run_keeps_its_settings_and_takes_no_other_world_in_silence():
    run = play("react", *GOOD, max_steps=4, shots=1, end_repeats=True, seed=3)
    again = mended(run, script(" Finish[x]"), thought="Hm.")
    for name in ("max_steps", "shots", "end_repeats", "seed", "prompts", "world"):
        assert again.settings[name] == run.settings[name], name
    with pytest.warns(UserWarning, match="another world"):
        rl.resume(rl.rethink(run, at=1, action="Finish[x]"), model=script())


class Bare:
    """All that a model of your own must have."""

    def complete(self, ask, on_text=None):
        return {sample: rl.types.Reply("I know.\nAction 1: Finish[Ulm]") for sample in ask.samples}


class Odd:
    """A world of one's own that goes wrong in the second act."""

    actions, snapshot = (Action("look", "looks"),), "odd"

    def __init__(self, fault):
        self.fault, self.acts = fault, 0

    def __call__(self, task):
        return Odd(self.fault)

    def reset(self, task):
        return task.text

    def step(self, action):
        self.acts += 1
        return self.fault() if self.acts > 1 else rl.types.Seen("Nothing.")


def given(one, **parts):
    vars(one).update(parts)
    return one


@pytest.mark.parametrize("task, model, options, told", [
    ("Which river?", "m", {}, "a task is wanted, not str"),
    ([TASK], "m", {}, "a task is wanted, not list"),
    (TASK, "gpt", {}, "a model is wanted, not str"), (TASK, rl.models.openai, {}, "not type"),
    (TASK, None, {"world": PAGES}, "maker of Envs"),
    (Task("a", "multihop", "Who?", extra=None), None, {}, "a task's extra is a dict, not NoneType"),
    (Task("a", "multihop", "Who?", extra={5: 1, None: 2}), None, {}, "not all names in its extra are texts"),
    (TASK, None, {"world": Wiki}, "does not say which actions it has"),  # the class
    (TASK, None, {"world": given(Odd(None), actions=5)}, "does not say which actions it has"),
    (TASK, None, {"world": given(Odd(None), actions=("look",))}, "does not say which actions"),
    (TASK, given(Bare(), context="8k"), {"world": WORLD}, "a model's context takes a whole number"),
    (TASK, None, {"n": 0}, "n=0: at least 1"), (TASK, None, {"n": 10**30}, "n=10+: at most 1000"),
    (TASK, None, {"max_steps": -1}, "max_steps=-1: at least 0"),
])  # fmt: skip
def test_a_likely_slip_is_a_sentence(task, model, options, told):
    with pytest.raises((TypeError, ValueError), match=told):
        rl.run("react", task, model=model or rl.models.scripted(GOOD), **options)


@pytest.mark.parametrize("leg", ["react", "react-chat", "react-tools"])
def test_half_characters_of_an_instruction_or_an_act_are_question_marks(leg):
    acts = (Action("look", "looks\ud800"), Action("Finish[answer]", "ends"))
    for options in (
        {"world": given(Odd(None), actions=acts)},
        {"world": WORLD, "instruction": "Look\ud800"},
    ):
        model = rl.models.scripted(["Hm.\nAction 1: look"])
        rl.run(leg, TASK, model, max_steps=1, **options)
        assert "\ud800" not in str(model.asked[0].prompt)


def test_a_model_needs_no_more_than_complete(tmp_path):
    run = rl.run("react", rl.tasks.question("Where?"), Bare())
    assert (run.answer, run.model) == ("Ulm", "Bare")
    assert run.settings["identity"]["react"] == "Bare"
    untuned = Bare()
    untuned.tuned = None
    assert rl.run("react", run.task, untuned).id == run.id
    (kept,) = rl.evaluate("react", run.task, Bare(), tmp_path / "runs.jsonl", progress=False)
    assert kept.id == run.id


class Mute(Exception):
    def __str__(self):
        raise ValueError

    __repr__ = __str__


def raises(error):
    def fault():
        raise error

    return fault


ODD = [raises(ZeroDivisionError("by zero")), raises(Mute()), sys.exit, Mute]
ODD += [raises(asyncio.CancelledError())]
ODDLY = True, "1", [1], 1j, 10**400, math.nan, Mute()
ODD += [lambda r=r: rl.types.Seen("", reward=r) for r in ODDLY]


@pytest.mark.parametrize("fault", ODD, ids=range(len(ODD)))
def test_what_goes_wrong_in_a_world_ends_its_run_alone(fault, tmp_path):
    model, tasks = Bare(), [rl.tasks.question(f"{k}?") for k in "ab"]
    model.complete = lambda ask, on_text=None: {0: rl.types.Reply("Hm.\nAction 1: look")}
    options = {"world": Odd(fault), "max_steps": 3, "progress": False}
    with pytest.warns(UserWarning, match="2 of 2 runs ended in 'env_error'"):
        runs = rl.evaluate("react", tasks, model, tmp_path / "r.jsonl", **options)
    assert [(run.end, len(run.steps)) for run in runs] == [("env_error", 2)] * 2
    assert runs[0].error and "\n" not in runs[0].error
    with pytest.raises(EnvError):
        rl.run("react", tasks[0], model, world=Odd(fault))


def test_odd_settings_hurt_nothing_and_a_beginning_without_a_word_is_told(monkeypatch):
    assert play("react", Reply(GOOD[0], settings={"attempts": "twice"}), max_steps=1).calls == 1
    monkeypatch.setattr(Odd, "reset", lambda world, task: None)
    with pytest.raises(EnvError, match=r"reset\(\) must return a str; it returned None"):
        rl.run("react-chat", TASK, Bare(), world=Odd(None))


@pytest.mark.parametrize("size, steps", [(20_000, 0), (5_000, 3), (1_000, 14)])
def test_replies_too_large_to_keep_end_their_run_and_no_other(size, steps, tmp_path, monkeypatch):
    monkeypatch.setattr("react_lab.agent.MOST_KEPT", 32_000)  # a thousandth
    model = rl.models.scripted(lambda ask: "x" * size + "\nAction 1: look")
    tasks, path = [rl.tasks.question(f"{k}?") for k in "ab"], tmp_path / "r.jsonl"
    options = {"world": Odd(lambda: rl.types.Seen("No.")), "progress": False}
    options |= {"max_steps": 50, "context": None}
    runs = rl.evaluate("react", tasks, model, path, **options)
    assert [run.end for run in runs] == ["context_limit"] * 2
    assert len(runs[0].steps) == steps and "too large to be kept" in runs[0].error
    again = len(model.asked)
    rl.evaluate("react", tasks, model, path, **options)
    assert len(model.asked) == again  # they are done: nothing is asked twice


def test_steps_raises_for_a_fault_as_run_does():
    model = rl.models.openai("m", "http://127.0.0.1:9/v1", attempts=1, timeout=1.0)
    with pytest.raises(rl.types.ModelError, match="no answer from"):
        list(rl.steps("react", TASK, model=model, world=WORLD))
    with pytest.raises(TypeError, match="a task is wanted"):
        rl.steps("react", "Where?", model=model)  # before anybody asks for a step
