"""The player without a browser: what is sent to it, what is live, what a changed step becomes."""

import functools
import json
import threading

import pytest
from test_agent import Broken
from test_display import PAYLOADS, infected

import react_lab as rl
from react_lab.envs.pages import Encyclopedia
from react_lab.support.text import visible
from react_lab.types import Reply, Step, Task, Trajectory
from react_lab.widgets import player
from react_lab.widgets.run_view import run_view

ACTS = ("Search[Copenhagen]", "Lookup[hafnium]", "Finish[hafnium]")
LINES = [f" {'abc'[i]}\nAction {i + 1}: {act}" for i, act in enumerate(ACTS)]
OTHER = [" Search[Denmark]", " d\nAction 3: Finish[Denmark]"]


@pytest.fixture(scope="module")
def task():
    return rl.tasks.load("multihop", "demo")[0]


@pytest.fixture
def run(task):
    return rl.run("react", task, rl.models.scripted(LINES))


class Gated:
    """A model that answers when it is let to."""

    name, tuned, context = "gated", frozenset(), 4000

    def __init__(self, lines):
        self.lines, self.gate, self.asked = list(lines), threading.Semaphore(0), []

    def identity(self, leg):
        return "gated"

    def complete(self, ask, on_text=None):
        self.asked.append(ask.prompt)
        assert self.gate.acquire(timeout=60)
        for word in self.lines[0].split(" ")[1:]:
            on_text(f" {word}")
        return {0: Reply(self.lines.pop(0))}


class Watch:
    """Waits for what the browser is sent."""

    def __init__(self, shown):
        self.shown, self.changed = shown, threading.Condition()
        shown.front.observe(self.hear)

    def hear(self, _):
        with self.changed:
            self.changed.notify_all()

    def until(self, holds):
        with self.changed:
            assert self.changed.wait_for(lambda: holds(self.shown.front), timeout=60)


def heard(shown, **message):
    shown.receive(None, {"ack": "a-1", **message}, [])
    return shown.front.view


def steps_in(front):
    return len(front.live.get("steps", ()))


# ---------------------------------------------------------------------- what is shown
def put_together(prompt, i):
    """The prompt of step i as the browser puts it together."""
    out, gone, tail, _ = prompt["asks"][i - 1]
    turns = [turn[1 if j < out else 0] for j, turn in enumerate(prompt["turns"][: i - 1])][gone:]
    return "".join((prompt["head"], prompt["opening"], "...\n" if gone else "", *turns, tail))


@functools.cache
def shipped():
    found = []
    for name in ("comparison/multihop-tuned", "comparison/multihop-prompted", "table3/unseen", "table4/test"):  # fmt: skip
        runs = rl.store.open(rl.data.folder("runs") / f"{name}.jsonl")
        some = (runs[i] for i in range(0, len(runs), len(runs) // 12))
        found += {kept.method: kept for kept in some}.values()
    return found


def test_the_prompt_that_is_shown_is_the_one_that_was_sent():
    assert len(shipped()) > 8
    for kept in shipped():
        prompt = run_view(kept)["prompt"]
        if "exemplars" in prompt["note"]:  # prompted before an exemplar was played anew
            assert not kept.settings.get("bare") and kept.method in ("act", "react")
            continue
        for i in {1, 2, len(kept.steps)} & {*range(1, len(kept.steps) + 1)}:
            assert put_together(prompt, i) == visible(rl.prompt_of(kept, i)), (kept, i)


def test_a_prompt_that_became_too_long_is_shown_as_it_was(task):
    lines = [f" a\nAction {i}: Search[Copenhagen]" for i in range(1, 8)]
    whole = run_view(rl.run("react", task, rl.models.scripted(lines)))["prompt"]
    room = whole["asks"][4][3]
    short = rl.run("react", task, rl.models.scripted(lines), context=room)
    assert "shortened" in short.flags and short.end == "step_limit"
    prompt = run_view(short)["prompt"]
    for i in range(1, 8):
        assert put_together(prompt, i) == visible(rl.prompt_of(short, i))
    assert prompt["asks"][6][0] > 0 and run_view(short)["context"] == room


def test_the_worlds_are_what_the_acts_have_shown(run):
    page = run_view(run)["world"]
    assert (page["kind"], page["note"], len(page["at"])) == ("page", "", 4)
    assert page["at"][0]["title"] == "" and page["at"][1]["title"] == "Copenhagen"
    found = page["at"][2]
    sentence = page["pages"]["Copenhagen"][found["holding"][found["read"] - 1]]
    assert (found["keyword"], found["read"]) == ("hafnium", 1)
    assert run.steps[1].observation.endswith(sentence)
    kinds = {kept.task.kind: run_view(kept)["world"] for kept in shipped()}
    assert {name: world["kind"] for name, world in kinds.items()} == {
        "multihop": "page", "household": "house", "shop": "shop",
    }  # fmt: skip
    assert not any(world["note"] for world in kinds.values())
    assert kinds["shop"]["at"][0]["page"] == "search" and kinds["household"]["at"][-1]["way"]


def test_another_world_or_none_is_said(run, task):
    other = Trajectory("x", task, "react", "m", {"world": "elsewhere"}, run.steps)
    assert "another world (elsewhere)" in run_view(other)["world"]["note"]
    strange = Trajectory("x", Task("t", "riddles", "What?"), "mine", "m", steps=run.steps)
    shown = run_view(strange)
    assert "no world for riddles" in shown["world"]["note"]
    assert "cannot be shown" in shown["prompt"]["note"]
    steps = (Step("a", "Search[Copenhagen]", "Otherwise."),)
    raw = run_view(Trajectory("x", task, "react", "m", steps=(Step(raw="???"),)))
    assert raw["steps"][0]["raw"] == "???"
    drifted = Trajectory("x", task, "react", "m", steps=steps)
    assert run_view(drifted)["world"]["note"].endswith("from step 1 on it answers otherwise")


# ---------------------------------------------------------------------- live
def test_words_come_as_they_are_written_and_steps_as_they_happen(task):
    model = Gated(LINES)
    shown = player(task=task, model=model)
    watch, texts = Watch(shown), []
    shown.front.observe(lambda change: texts.append(change["new"]), "text")
    assert shown.front.view["playing"] and steps_in(shown.front) == 0
    model.gate.release()
    watch.until(lambda front: steps_in(front) == 1)
    assert texts[-2:] == [" a\nAction 1: Search[Copenhagen]", ""] and len(texts) > 2
    assert shown.run.end == "unfinished" and shown.front.live["context"] == 4000
    model.gate.release(2)
    assert shown.wait().answer == "hafnium" and shown.front.live == {}
    assert shown.run == shown.wait() and shown.front.view["live"] == -1
    for i, prompt in enumerate(model.asked, 1):
        assert put_together(shown.front.runs[0]["prompt"], i) == visible(prompt)


def mine(task, kit):
    return (yield from rl.METHODS["react"](task, kit))


@pytest.mark.parametrize(
    "method", ["cot-sc", "react->cot-sc", "cot-sc->react", "act", "standard", "react", mine]
)
def test_what_is_watched_is_the_run_that_rl_run_makes(task, method):
    def reply(ask):
        if ask.leg in ("cot", "standard"):
            return " b.\nAnswer: x" if ask.leg == "cot" else " x"
        return " a\nAction 1: Search[Copenhagen]" if ask.leg == "react" else " Finish[x]"

    asked = {"method": method, "model": rl.models.scripted(reply), "n": 3, "max_steps": 2}
    watched, plain = player(task=task, **asked).wait(), rl.run(task=task, **asked)
    assert watched.id == plain.id and rl.store.digest(watched) == rl.store.digest(plain)
    assert (watched.settings, watched.calls) == (plain.settings, plain.calls)
    shown = run_view(watched)
    assert shown["world"] == run_view(plain)["world"]
    assert len(shown["samples"]) == len(plain.samples) and bool(shown["votes"]) == bool(plain.votes)


def test_pause_waits_after_the_step_and_step_makes_one_more(task):
    model = Gated(LINES)
    shown = player(task=task, model=model)
    watch = Watch(shown)
    assert not heard(shown, do="pause")["playing"]
    model.gate.release(3)
    watch.until(lambda front: steps_in(front) == 1)
    shown.episode.thread.join(0.2)
    assert len(shown.run.steps) == 1 and len(model.lines) == 2
    assert heard(shown, do="step")["ack"] == "a-1"
    watch.until(lambda front: steps_in(front) == 2)
    shown.episode.thread.join(0.2)
    assert len(shown.run.steps) == 2 and len(model.lines) == 1
    heard(shown, do="play")
    assert shown.wait().answer == "hafnium"


def test_what_the_server_or_the_world_does_wrong_is_an_end_and_so_is_a_stop(task):
    run = player(task=task, model=rl.models.scripted(LINES[:1])).wait()
    assert run.end == "error" and len(run.steps) == 1

    class World(rl.envs.Wiki):
        def __call__(self, task):
            return Broken(Encyclopedia([]))

    broken = player(task=task, model=rl.models.scripted(LINES), world=World())
    assert broken.wait().end == "env_error"
    model = Gated(LINES)
    shown = player(task=task, model=model)
    watch = Watch(shown)
    model.gate.release()
    watch.until(lambda front: steps_in(front) == 1)
    shown.stop()
    model.gate.release(5)
    run = shown.wait()
    assert (run.end, len(run.steps)) == ("cancelled", 1) and len(model.lines) == 2
    assert rl.resume(run, rl.models.scripted(LINES[1:])).answer == "hafnium"


# ---------------------------------------------------------------------- forks
def test_a_fork_is_what_rethink_and_resume_make_and_stands_beside_its_run(run):
    shown = player(run, model=rl.models.scripted(OTHER))
    view = heard(shown, do="fork", run=0, at=2, part="thought", text="I look at Denmark.")
    assert view["alarm"] == "" and view["looks"] == [0, 1]
    fork = shown.wait()
    plain = rl.resume(rl.rethink(run, 2, thought="I look at Denmark."), rl.models.scripted(OTHER))
    assert fork.id == plain.id and fork.steps == plain.steps and fork.parent == run.id
    assert shown.front.view["tree"] == [
        [-1, "react, scripted", ""],
        [0, "react, scripted", "goes on from run 1; a person wrote Thought 2"],
    ]
    assert shown.front.runs[1]["steps"][1]["human"] == ["thought"]
    prompt = put_together(shown.front.runs[1]["prompt"], 2)
    assert prompt.endswith("Thought 2: I look at Denmark.\nAction 2:")  # the act alone is asked for


def test_a_fork_of_a_fork_and_of_a_run_in_the_making(run):
    two = [" e\nAction 2: Finish[q]", " f\nAction 3: Finish[z]"]
    shown = player(run, model=rl.models.scripted(two))
    shown.fork(1, action="Search[Denmark]")
    first = shown.wait()
    shown.fork(2, thought="again", action="Search[Copenhagen]")
    second = shown.wait()
    assert (first.answer, second.answer, second.parent) == ("q", "z", first.id)
    assert [row[0] for row in shown.front.view["tree"]] == [-1, 0, 1]
    model = Gated(LINES)
    live = player(task=run.task, model=model)
    watch = Watch(live)
    model.gate.release()
    watch.until(lambda front: steps_in(front) == 1)
    old = live.episode
    live.fork(1, action="Finish[mine]")
    assert live.wait().answer == "mine"
    model.gate.release(3)
    old.thread.join()
    assert [kept.end for kept in live.runs] == ["cancelled", "finished"]


@pytest.mark.parametrize(("message", "said"), [
    ({"do": "fork", "run": 0, "at": 9, "part": "thought", "text": "x"}, "steps 1 to 3"),
    ({"do": "fork", "run": 0, "at": "x", "text": "x"}, "invalid literal"),
    ({"do": "goto", "number": 3}, "no run 3"), ({"do": "format the disk"}, ""), ({}, ""),
])  # fmt: skip
def test_a_message_that_cannot_be_done_is_answered(run, message, said):
    shown = player(run, model=rl.models.scripted(OTHER))
    assert said in heard(shown, **message)["alarm"] and shown.front.view["ack"] == "a-1"
    assert len(shown.runs) == 1


def test_without_a_model_nothing_goes_on_and_it_is_said(run, task):
    shown = player(run)
    assert not shown.front.still["can_fork"]
    view = heard(shown, do="fork", run=0, at=1, part="action", text="Finish[x]")
    assert "model=" in view["alarm"]
    with pytest.raises(ValueError, match="model="):
        player(task=task)


# ---------------------------------------------------------------------- what is given
def test_one_run_two_several_and_a_file_of_which_one_run_at_a_time_is_read(run, tmp_path):
    assert player(run).looks == [0] and player(run, run).looks == [0, 1]
    assert player([run, run, run]).looks == [0, 1] and player(r for r in [run]).looks == [0]
    path = tmp_path / "runs.jsonl"
    rl.store.append(path, run)
    assert player(path).run == run and player(str(path)).run == run
    assert player().runs == [] and repr(player()) == "<Player: 0 runs>"
    with pytest.raises(ValueError, match="no run in this player"):
        _ = player().run
    for wrong in (7, ["x"], [run, None]):
        with pytest.raises(TypeError):
            player(wrong)
    for given in ({"max_steps": 3}, {"nonsense": 1}, {"method": "act"}):  # options without a task
        with pytest.raises((ValueError, TypeError), match="give task=|nonsense"):
            player(run, **given)
    runs = rl.store.open(rl.data.folder("runs") / "comparison" / "multihop-tuned.jsonl")
    shown = player(runs)
    assert (shown.front.view["of"], len(shown.front.runs)) == (len(runs), 1)
    assert heard(shown, do="goto", number=300)["number"] == 300
    assert shown.run == runs[299]


# ---------------------------------------------------------------------- without a kernel
def test_the_page_is_one_file_that_asks_for_nothing_and_nothing_hidden_is_sent(run, tmp_path):
    shown = player(run)
    html = shown.save(tmp_path / "run.html").read_text(encoding="utf-8")
    assert html == shown.page() == player(run).page()
    rules = html.partition('Content-Security-Policy" content="')[2].partition('"')[0]
    assert rules.startswith("default-src 'none'; script-src 'sha256-") and "http" not in rules
    for word in ("src=", "href=", "url(", "@import", "fetch(", "innerHTML"):
        assert word not in html
    data = json.loads(html.partition('id="data">')[2].partition("</script>")[0])
    assert data["runs"][0] == json.loads(json.dumps(shown.run_views[0]))
    shown = json.dumps(run_view(infected("a\u202eb\x1b[2J")), ensure_ascii=False)
    assert not {"\u202e", "\x1b"} & {*shown} and "<U+202E>" in shown


@pytest.mark.parametrize("payload", [*PAYLOADS, "</script><!--<script>", "]]>", "\u2028\u202e"])
def test_hostile_text_can_end_no_tag_of_the_page(payload):
    bad, calm = player(infected(payload)).page(), player(infected("calm")).page()
    for tag in ("<script", "</script", "<!--", "<img", "<svg", "<iframe"):
        assert bad.lower().count(tag) == calm.lower().count(tag)
    assert "\u202e" not in bad and "\u2028" not in bad


def test_it_reads_without_a_kernel_and_its_name_is_the_same_each_time(run, task):
    bundle = player(run)._repr_mimebundle_()
    assert "hafnium" in bundle["text/html"] and bundle["text/plain"] == "<Player: 1 run>"
    live = player(task=task, model=rl.models.scripted(LINES))
    assert "run this cell" in live._repr_mimebundle_()["text/html"]
    live.wait()
    assert "hafnium" in live._repr_mimebundle_()["text/html"]
