"""rl.evaluate: nothing lost, nothing paid for twice, inside the budget, whatever happens."""

import _thread
import inspect
import math
import os
import re
import sys
import threading
import time
import traceback
import warnings
from base64 import b64encode
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from multiprocessing import get_context
from urllib.parse import quote

import pytest
from experiment import WORLD, Experiment, Player, killed_often, table, tasks
from stub_server import Stub, completion, refusal
from test_agent import BARE, GOOD, TASK
from waiting import until

import react_lab as rl
from react_lab.evaluation import evaluate
from react_lab.types import EnvError, ModelError, Reply, Seen

MANY = pytest.mark.filterwarnings("ignore:.* runs ended in")  # faults, as they should
ALL = ["standard", "cot", "cot-sc", "act", "react", "react->cot-sc", "cot-sc->react"]


def run(path, model=None, n=6, methods="react", **options):
    model = Player() if model is None else model
    return evaluate(methods, tasks(n), model, path, **{"world": WORLD, "progress": False} | options)


def left_beside(path):
    return sorted(file.name for file in path.parent.iterdir())


# what it does
def test_every_method_on_every_task_in_the_order_of_the_plan(tmp_path):
    path = tmp_path / "runs.jsonl"
    runs = run(path, methods=ALL, n=4, repeats=2, workers=5)
    assert len(runs) == 4 * 7 * 2 == len({r.id for r in runs})
    assert [(r.task.id, r.method) for r in runs][:8] == [("t0", m) for m in ALL] + [("t0", ALL[0])]
    assert [r.task.id for r in runs] == sorted(r.task.id for r in runs)
    assert {r.settings["repeat"] for r in runs} == {0, 1}
    assert table(runs) == table(rl.store.open(path))


def test_the_same_call_again_asks_for_nothing(tmp_path):
    path, model = tmp_path / "runs.jsonl", Player()
    first = list(run(path, methods=ALL, n=3))
    assert list(run(path, model, methods=ALL, n=3)) == first and not model.asked
    more = run(path, model, methods=ALL, n=4)  # only the new task is asked about
    assert list(more)[:21] == first and {call.split()[0] for call in model.asked} == {"3"}


def test_options_are_those_of_run(tmp_path):
    runs = run(tmp_path / "runs.jsonl", methods=["react", "cot-sc"], n=1, max_steps=2)
    assert (runs[0].end, runs[0].calls, len(runs[1].votes)) == ("step_limit", 2, 21)
    with pytest.raises(TypeError, match="nonsense"):
        run(tmp_path / "runs.jsonl", nonsense=1)
    of_run, ours = (inspect.signature(each).parameters.keys() for each in (rl.run, evaluate))
    assert of_run - {"method", "task"} < ours


@pytest.mark.parametrize("wrong", [tasks(2), tasks(1)[0]])
def test_swapped_arguments_are_one_sentence(tmp_path, wrong):
    with pytest.raises(TypeError, match=r"^methods come before tasks: evaluate\(methods, tasks,"):
        evaluate(wrong, "react", Player(), tmp_path / "runs.jsonl")
    with pytest.raises(TypeError, match="a task is wanted, not str"):
        evaluate("react", "Who?", Player(), tmp_path / "runs.jsonl")


def test_runs_under_other_settings_are_counted_and_passed_over(tmp_path):
    path = tmp_path / "runs.jsonl"
    run(path, n=5)
    with pytest.warns(UserWarning, match="5 runs in .* under other settings: they are passed over"):
        runs = run(path, n=5, max_steps=2)
    assert len(runs) == 5 and {r.end for r in runs} == {"step_limit"}
    assert len(rl.store.open(path)) == 10
    run(path, methods="cot", n=5)  # another method is no other setting: no word


@pytest.mark.parametrize("wrong, what", [
    ({"workers": 0}, "workers=0: at least 1"), ({"workers": "2"}, "workers takes a whole number, or None, not '2'"),
    ({"n": "21"}, "n takes a whole number, not '21'"), ({"n": 2.0}, "n takes a whole"), ({"n": True}, "n takes a whole"),
    ({"seed": "a"}, "seed takes a whole number, not 'a'"), ({"seed": None}, "seed takes"), ({"shots": "2"}, "shots takes"),
    ({"max_steps": "3"}, "max_steps takes"), ({"temperature": "x"}, "temperature takes a number, not 'x'"),
    ({"temperature": math.nan}, "temperature=nan: at least 0"), ({"repeats": 0}, "repeats=0: at least 1"),
    ({"end_repeats": "no"}, "end_repeats is True or False"), ({"on_error": "rase"}, "on_error is one of raise, record"),
    ({"executor": 3}, "executor takes a concurrent"),
    ({"budget": {"money": 1}}, "no budget in money; there are: calls"),
    ({"budget": {5: 1}}, "no budget in 5; there are: calls"),
    ({"budget": {"cost": 1}}, "needs prices="),
    ({"budget": {"tokens": 10**400}}, "a budget or a price is a number, 0 or more"),
    ({"budget": {"cost": 1}, "prices": {Player().name: (1,)}}, "a price is two numbers"),
    ({"budget": ["calls", 3]}, "budget takes limits by name"),
    ({"prices": (0.15, 0.6)}, "prices are told by model"),
    ({"budget": {"tokens": math.nan}}, "a budget or a price is a number, 0 or more: tokens is nan"),
    ({"budget": {"calls": math.inf}}, "calls is inf"), ({"budget": {"calls": "x"}}, "calls is 'x'"),
    ({"budget": {"seconds": -1}}, "seconds is -1"), ({"methods": "recat"}, "no method 'recat'"),
])  # fmt: skip
def test_slips_are_one_sentence_before_any_call(tmp_path, wrong, what):
    model = Player()
    given = {"methods": "cot-sc", "tasks": tasks(6), "model": model}
    with pytest.raises((TypeError, ValueError), match=what):
        evaluate(path=tmp_path / "runs.jsonl", **given | wrong)
    assert not model.asked and not left_beside(tmp_path / "x")


@pytest.mark.parametrize("path", ["deep/er/runs.jsonl", "a name with spaces.jsonl", "läufe/Σ🙂.jsonl"])  # fmt: skip
def test_any_path_will_do_and_nothing_is_left_beside_it(tmp_path, path):  # F22
    run(tmp_path / path)
    assert len(run(tmp_path / path)) == 6
    assert left_beside(tmp_path / path) == [(tmp_path / path).name]


def test_a_clock_that_jumps_hurts_nothing(tmp_path, monkeypatch):  # F22
    real, jumps = time.time, iter([-7200, 7200, 0] * 10_000)
    monkeypatch.setattr(time, "time", lambda: real() + next(jumps))
    runs = run(tmp_path / "runs.jsonl", budget={"seconds": 3600})
    assert len(runs) == 6 and all(0 <= r.seconds < 3600 for r in runs)


# F1, F2: a kill
def test_a_killed_experiment_loses_nothing_and_pays_for_nothing_twice(tmp_path):
    slowly = 0.016  # so that a kill finds some episodes on the disk
    killed = killed_often(tmp_path / "killed", 100, 8, kills=3, seed=8, delay=slowly)
    assert killed.kills == 3 and killed.finished[2] and len(killed.stored()) == 100
    killed.check()
    whole = Experiment(tmp_path, 100, 8)
    assert whole.session(None) and not whole.check()
    one, other = (folder / "table.csv" for folder in (tmp_path, tmp_path / "killed"))
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("window", ["open:9", "os.rename:2"])
def test_a_kill_at_a_named_window(tmp_path, window):
    """Between a reply and its line; while the reply log is made new. All: faults/test_faults.py."""
    experiment = Experiment(tmp_path, 5, 2)
    assert not experiment.session(None, "--die", window) and experiment.session(None)
    assert len(experiment.stored()) == 5
    experiment.check()


def test_a_vote_killed_after_any_sample_pays_for_none_twice(tmp_path):  # F12
    whole = run(tmp_path / "whole.jsonl", methods="cot-sc", n=1)[0]
    for j in range(21):
        path, first, second = tmp_path / f"{j}.jsonl", Player(), Player()
        with pytest.warns(UserWarning, match="is spent"):
            run(path, first, methods="cot-sc", n=1, budget={"calls": j})
        (again,) = run(path, second, methods="cot-sc", n=1)
        assert len(first.asked) == j and len(set(first.asked + second.asked)) == 21
        assert len(first.asked + second.asked) == 21
        assert (again.votes, again.samples, again.calls) == (whole.votes, whole.samples, 21)
        assert (again.tokens_in, again.tokens_out) == (whole.tokens_in, whole.tokens_out)


@MANY
def test_a_server_that_takes_no_n_is_logged_sample_by_sample(tmp_path):
    """After 10 single answers the account is empty; the others come when it is filled."""
    answers = [completion(f" so\nAnswer: {k}") for k in range(21)]
    answers.insert(10, refusal(429, "no money", code="insufficient_quota"))
    with Stub(answers) as stub:
        model = rl.models.openai("m", stub.url)
        (broken,) = run(tmp_path / "runs.jsonl", model, methods="cot-sc", n=1)
        assert (broken.end, broken.calls, len(stub.asked)) == ("error", 10, 11)
        (whole,) = run(tmp_path / "runs.jsonl", model, methods="cot-sc", n=1)
    assert (whole.id, whole.end, len(stub.asked)) == (broken.id, "finished", 22)
    assert whole.votes == tuple(map(str, range(21))) and whole.calls == 21


# F3: Ctrl-C
def test_an_interrupt_returns_at_once_and_what_is_under_way_is_kept(tmp_path):
    """Ctrl-C while eight second calls wait for the server, which answers when we are back."""
    path, before = tmp_path / "runs.jsonl", {*threading.enumerate()}
    first, second = threading.Barrier(8), threading.Barrier(8, _thread.interrupt_main)
    server = threading.Event()

    class Interrupted(Player):
        def note(self, call):
            super().note(call)
            if "react 1 " in call:
                first.wait(60)
            else:
                second.wait(60)
                assert server.wait(60), "it waited for the calls under way"

    model = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        run(path, model, n=40, workers=8)
    assert len(model.asked) == 16
    server.set()
    for thread in {*threading.enumerate()} - before:
        thread.join(60)
    assert len(model.asked) == 16, "a call began after the stop"
    kept = (tmp_path / "runs.jsonl.calls").read_text(encoding="utf-8").splitlines()
    assert len(kept) == 16
    again = Player()
    assert len(run(path, again, n=40, workers=8)) == 40
    assert not set(again.asked) & set(model.asked)


def test_an_interrupt_does_not_wait_for_a_slow_server(tmp_path):
    slow, before = refusal(429, "slow down", {"retry-after": "30"}), {*threading.enumerate()}
    timer = threading.Timer(0.5, _thread.interrupt_main)
    with Stub([slow]) as stub:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path / "runs.jsonl", rl.models.openai("m", stub.url), workers=3)
        for thread in {*threading.enumerate()} - before:
            if not thread.daemon:  # the stub's are
                thread.join(60)
        asked = len(stub.asked)
        assert asked <= 3  # one each: nobody waited the 30 seconds, to ask again
        run(tmp_path / "other.jsonl", n=1)
        assert len(stub.asked) == asked


# F6-F8: a bad server
@pytest.mark.parametrize("progress", [True, False])
def test_a_fault_of_most_episodes_is_one_sentence(tmp_path, recwarn, progress):
    model = rl.models.scripted([], tuned=BARE)
    run(tmp_path / "runs.jsonl", model, n=20, progress=progress)
    (warning,) = recwarn
    told = r"^20 of 20 runs ended in 'error' \(the first: the script.*which tries those runs again$"
    assert re.search(told, str(warning.message))
    assert warning.filename == __file__
    recwarn.clear()

    def once_in_three(task, kit):
        found = yield from rl.METHODS["cot"](task, kit)
        return found if int(task.id[1:]) % 3 else replace(found, end="env_error", error="no net")

    run(tmp_path / "few.jsonl", n=6, methods=["cot", once_in_three])
    assert not recwarn.list


@MANY
def test_a_fault_is_recorded_then_tried_again_with_what_it_had_paid_for(tmp_path):
    class Broken(Player):
        def complete(self, ask, on_text=None):
            if "Thought 3" in ask.prompt:
                raise ModelError("the server is gone")
            return super().complete(ask)

    path = tmp_path / "runs.jsonl"
    broken, mended = Broken(), Player()
    runs = run(path, broken, n=4)
    assert {(r.end, r.error, r.calls) for r in runs} == {("error", "the server is gone", 2)}
    runs = run(path, mended, n=4)
    assert {(r.end, r.calls) for r in runs} == {("finished", 5)} and len(mended.asked) == 4 * 3
    assert len(rl.store.open(path)) == 4  # the faults are in the file, and no longer count
    assert len(path.read_bytes().splitlines()) == 8


def test_raise_stops_at_the_first_fault(tmp_path):
    model = rl.models.scripted(GOOD[:1] * 3, tuned=BARE)
    with pytest.raises(ModelError, match="gives? it more") as caught:
        run(tmp_path / "runs.jsonl", model, workers=1, on_error="raise")
    assert caught.value.run.calls >= 1


class Leaky:
    """A world without a network for t3, and wrong for t5."""

    actions = WORLD(TASK).actions

    def reset(self, task):
        self.task = task
        return f"Question: {task.text}"

    def step(self, act):
        if self.task.id == "t3":
            raise EnvError("no network")
        return Seen("", done=True, answer="Rhine" if self.task.id == "t5" else "Black Sea")


def test_a_world_out_of_reach_is_an_env_error_and_bannered(tmp_path):
    runs = run(tmp_path / "runs.jsonl", n=10, world=lambda task: Leaky())
    rows = rl.score.table(rl.frame(runs))
    assert rows["note"].tolist() == [
        "10% env_error: the world failed, these rates do not count"
    ] and rows["faults"].tolist() == [1]
    assert rows[["% of all", "% finished", "% of finished"]].values.tolist() == [[80, 90, 88.9]]
    assert "note" not in rl.score.table(rl.frame(run(tmp_path / "good.jsonl"))).columns


def test_a_bug_in_our_own_code_is_raised_and_says_where(tmp_path):
    path = tmp_path / "runs.jsonl"

    def buggy(task, kit):
        if task.id == "t3":
            raise ZeroDivisionError
        return (yield from rl.METHODS["react"](task, kit))

    with pytest.raises(ZeroDivisionError) as caught:
        run(path, n=10, methods=buggy, workers=1)
    assert "in buggy on task t3" in "".join(traceback.format_exception(caught.value))
    deadline = time.monotonic() + 10  # what was under way ends behind our back
    while path.read_bytes().count(b"\n") < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(rl.store.open(path)) == 3


# F16
CANARY = "sk-canary/7+Q4z9xy=w8"


@MANY
def test_a_key_is_nowhere_in_what_an_evaluation_leaves(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("CANARY_KEY", CANARY)
    forms = [CANARY, quote(CANARY, safe=""), b64encode(CANARY.encode()).decode(), CANARY[:8]]
    texts = []
    for k, status in enumerate((401, 403, 400, 500)):
        with Stub([refusal(status, f"key {' '.join(forms[:3])}")]) as stub:
            model = rl.models.openai("m", stub.url, key_env="CANARY_KEY", attempts=1)
            runs = run(tmp_path / f"{k}.jsonl", model, methods=ALL, n=2)
            texts += [repr(runs), repr(model), str(rl.show(list(runs)[:12])), table(runs)]
            with pytest.raises(ModelError) as caught:
                run(tmp_path / f"r{k}.jsonl", model, n=2, on_error="raise")
            texts += traceback.format_exception(caught.value)
            whole = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
            texts += [str(frame.locals) for frame in whole.stack if frame.filename != __file__]
            assert stub.asked[0].headers["authorization"] == f"Bearer {CANARY}"
    texts += [*capfd.readouterr()]
    texts += [file.read_text(encoding="utf-8") for file in tmp_path.rglob("*") if file.is_file()]
    for form in (form.strip("=") for form in forms):
        assert not [text for text in texts if form in text]


# F18
HOSTILE = [
    b"\x80\x04\x95\x0c\x00\x00\x00cposix system", b"[" * 1_000_000, b'{"id": "../../x", "end": "finished"}',
    b"PK\x03\x04" + b"\0" * 1000, b'{"schema": 1, "id": "x", "task": {"id": "../../etc"}}', b"\xff" * 5000,
]  # fmt: skip


@pytest.mark.usefixtures("no_collection")
@pytest.mark.parametrize("line", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_file_is_told_and_passed_over(tmp_path, line):
    path = tmp_path / "runs.jsonl"
    run(path, n=2)
    path.write_bytes(line + b"\n" + path.read_bytes())
    (tmp_path / "runs.jsonl.calls").write_bytes(line + b'\n{"run": "x", "key": 1}\n')
    with pytest.warns(UserWarning, match="1 lines of .* are no runs that can be read"):
        assert len(run(path, n=4)) == 4
    with pytest.raises(ValueError, match=r"runs\.jsonl, line 1: not a run that can be read"):
        rl.store.open(path)[0]
    assert left_beside(path) == ["runs.jsonl"]


# F20
@pytest.mark.parametrize("limit", [0, 1, Fraction(7), 50, 99])
def test_a_budget_in_calls_is_never_overshot(tmp_path, limit):
    path, model = tmp_path / "runs.jsonl", Player(delay=0.001)
    told = rf"budget of {limit} calls is spent.*of 40 runs are stored"
    with pytest.warns(UserWarning, match=told):
        run(path, model, n=20, methods=["react", "cot-sc"], workers=8, budget={"calls": limit})
    assert limit - 8 <= len(model.asked) <= limit
    again = Player()
    assert len(run(path, again, n=20, methods=["react", "cot-sc"], workers=8)) == 40
    assert len(again.asked) + len(model.asked) == 20 * 26  # what was paid for was not lost


def test_a_budget_in_seconds_ends_with_the_calls_under_way(tmp_path):
    model = Player(delay=0.01)
    with pytest.warns(UserWarning, match="seconds is spent"):
        run(tmp_path / "runs.jsonl", model, n=100, workers=8, budget={"seconds": 0.3})
    assert len(model.asked) <= 8 * (0.3 / 0.01) + 8


@pytest.mark.parametrize("read, written", [(30, 20), (None, None), (0, 0)])
@pytest.mark.parametrize("prices", [{}, {"player": (1e6, 1e6)}])
def test_a_budget_in_tokens_or_money_is_kept_to_the_call(tmp_path, read, written, prices):
    """Eight at a time overshot it 4.4 times: what a call under way may cost is held back."""
    spent = []

    class Dear(Player):
        def complete(self, ask, on_text=None):
            time.sleep(0.01)
            spent.append(50)
            said = " so" * 20 + "\nAnswer: x"
            return dict.fromkeys(ask.samples, Reply(said, tokens_in=read, tokens_out=written))

    limit = {"cost" if prices else "tokens": 1000}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        run(tmp_path / "runs.jsonl", Dear(), methods="cot", n=60, workers=8, budget=limit,
            prices=prices)  # fmt: skip
    said, told = " ".join(str(one.message) for one in said), bool(read)
    assert "is spent" in said and ("counted by characters" in said) is not told
    assert 500 <= sum(spent) <= 1000 + 50 or (not told and 3 <= len(spent) <= 30)


def test_replies_from_a_cache_are_free(tmp_path):
    model = Player()
    cached = rl.models.cached(model, tmp_path / "cache.jsonl")
    run(tmp_path / "a.jsonl", cached, methods=["react", "cot-sc"], n=5)
    asked, both = len(model.asked), ["react->cot-sc", "cot-sc->react"]
    assert len(run(tmp_path / "b.jsonl", cached, methods=both, n=5, budget={"calls": 1})) == 10
    assert len(model.asked) == asked


# how many calls at once
def test_calls_under_way_follow_the_limit_of_a_server(tmp_path):
    """The server takes 4 at a time; more are told to slow down."""
    lock, now, most = threading.Lock(), [0], []

    def answer(request):
        with lock:
            now[0] += 1
            most.append(now[0])
            busy = now[0] > 4
        time.sleep(0.002)
        with lock:
            now[0] -= 1
        slow = refusal(429, "slow down", {"retry-after-ms": "3"})
        return slow if busy else completion(" so\nAnswer: x")

    with Stub(answer) as stub:
        model = rl.models.openai("m", stub.url, api="completions", attempts=50)
        runs = run(tmp_path / "runs.jsonl", model, methods="cot", n=300)
    assert [r.end for r in runs] == ["finished"] * 300
    assert len(stub.asked) < 2 * 300 and sum(most[150:]) / len(most[150:]) < 8


def test_a_model_may_say_how_many_calls_it_bears(tmp_path):
    class One(Player):
        workers, under_way, most = 1, 0, 0

        def complete(self, ask, on_text=None):
            self.under_way += 1
            self.most = max(self.most, self.under_way)
            replies = super().complete(ask)
            self.under_way -= 1
            return replies

    model = One(delay=0.001)
    run(tmp_path / "runs.jsonl", model)
    assert model.most == 1
    run(tmp_path / "more.jsonl", model, workers=4)  # unless somebody says otherwise
    assert model.most > 1
    One.workers = "4"
    with pytest.raises(TypeError, match=r"model\.workers takes a whole number"):
        run(tmp_path / "other.jsonl", One())


# what a person sees
def test_a_bar_tells_done_correct_errors_and_rates_where_one_looks(tmp_path, monkeypatch, capfd):
    run(tmp_path / "unseen.jsonl", progress=True)
    assert capfd.readouterr() == ("", "")
    shown = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stderr, "write", shown.append, raising=False)
    run(tmp_path / "runs.jsonl", n=7, progress=True, prices={"player": (1, 1)})
    monkeypatch.undo()
    last = [text for text in shown if "correct" in text][-1]
    told = r"correct 6, errors 0, tokens [\d,]+, cost 0\.0\d+, .* calls/s"
    assert "7/7" in last and re.search(told, last)
    assert not [t for t in threading.enumerate() if "tqdm" in type(t).__module__]


# elsewhere
def check_executor(path, pool):
    asked = {"n": 20, "methods": ["react", "cot-sc"]}
    here = table(run(path.with_name("here.jsonl"), **asked))
    asked |= {"executor": pool, "workers": 2}
    with pytest.warns(UserWarning, match="is spent"):
        part = run(path, budget={"calls": 100}, **asked)
    assert 0 < len(part) < 40 and sum(r.calls for r in part) <= 100
    assert table(run(path, **asked)) == here
    assert left_beside(path) == ["here.jsonl", "runs.jsonl"]


class Brief(Player):
    """Takes a while, and 20 tokens."""

    def complete(self, ask, on_text=None):
        time.sleep(0.01)
        text = " a\nAction 1: Finish[x]"
        self.note(f"{ask.prompt}")
        return dict.fromkeys(ask.samples, Reply(text, tokens_in=10, tokens_out=10))


@pytest.mark.parametrize("limit", [{"tokens": 600}, {"tokens": 50}, {"seconds": 0.2}, {"cost": 600}, {"calls": 2}, {"calls": 7}])  # fmt: skip
def test_a_budget_that_is_spent_elsewhere_is_one_sentence(tmp_path, limit):
    """What came back over its share made the next share negative; two calls for four were none."""
    (what, most), model = *limit.items(), Brief()
    told = {"budget": limit, "prices": {"player": (1e6, 1e6)}, "workers": 4}
    spent = pytest.warns(UserWarning, match=f"of {most} {what} is spent")
    with ThreadPoolExecutor(4) as pool, spent:
        run(tmp_path / "runs.jsonl", model, n=300, executor=pool, **told)
    if what != "seconds":
        took = len(model.asked) * (1 if what == "calls" else 20)
        assert took == most if what == "calls" else most / 2 < took < most + 4 * 20


class Late(Brief):
    """The first two tasks wait until three others were asked."""

    def complete(self, ask, on_text=None):
        if any(task.text in ask.prompt for task in tasks(2)):
            until(lambda: len(self.asked) > 2)
        return super().complete(ask, on_text)


def test_a_budget_that_is_lent_in_parts_is_spent_whole(tmp_path):
    """Parts of calls were lent, and of what was left nobody had a whole one."""
    model, told = Late(), {"budget": {"calls": 7}, "workers": 4}
    with ThreadPoolExecutor(4) as pool, pytest.warns(UserWarning, match="of 7 calls is spent"):
        run(tmp_path / "runs.jsonl", model, n=300, executor=pool, **told)
    assert len(model.asked) == 7


def test_processes_of_our_own(tmp_path):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        check_executor(tmp_path / "runs.jsonl", pool)


@pytest.mark.cluster
@pytest.mark.filterwarnings("ignore")  # theirs
@pytest.mark.parametrize("kind", ["dask", "ipyparallel"])
def test_a_cluster_of_two_processes(tmp_path, monkeypatch, kind):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    path = tmp_path / "there" / "runs.jsonl"
    if kind == "dask":
        from distributed import Client, LocalCluster

        options = {"threads_per_worker": 1, "dashboard_address": None}
        with LocalCluster(2, **options) as cluster, Client(cluster) as client:
            check_executor(path, client.get_executor())
    else:
        from ipyparallel import Cluster

        with Cluster(n=2, log_level=40) as client:
            check_executor(path, client.load_balanced_view().executor)
