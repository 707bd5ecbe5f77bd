"""The labeller's Python side: what a key does, what goes to the browser, what stands without one."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from test_display import MARK, PAYLOADS, Seer, infected
from test_label import fill, lines, runs

from react_lab.label.session import fixed, picture, run_in_sight
from react_lab.support.text import visible
from react_lab.types import Step, Task, Trajectory
from react_lab.widgets.by_hand import KEYS, Labeller, twin

SECRET = ("GOLDWORD", "MODELWORD", "METHODWORD")


def made(path, given=None, by="me", **options):
    return Labeller(runs() if given is None else given, path, by=by, **options)


def hear(widget, key, argument=None, ack="x-1"):
    """A key, as the browser says it."""
    widget.receive(widget.front, {"key": key, "argument": argument, "ack": ack}, [])
    return widget.front.view


def test_a_key_from_the_browser_is_done_and_acknowledged_or_said_to_be_lost(tmp_path):
    widget = made(tmp_path / "me.jsonl")
    view = hear(widget, "label", 2)
    assert (view["ack"], view["number"], view["done"], view["alarm"]) == ("x-1", 2, 1, "")
    assert hear(widget, "back", ack="x-2")["label"] == "false positive"
    assert hear(widget, "undo", ack="x-3")["label"] is None
    assert [json.loads(x)["event"] for x in lines(tmp_path / "me.jsonl")] == ["label", "undo"]
    hear(widget, "label", 1)
    (tmp_path / "me.jsonl").write_bytes(b"")  # a disk that fails is said in red
    view = hear(widget, "label", 3, ack="x-9")
    assert view["alarm"].startswith("NOT SAVED:") and view["ack"] == "x-9" and view["number"] == 2


def test_every_key_is_a_method_that_does_the_same(tmp_path):
    takes = {"label": 1, "step": 1, "note": "x", "goto": 3, "filter": "open", "unsound": 1}
    for key in sorted(KEYS):
        argument, views = [takes[key]] if key in takes else [], []
        for way in ("heard", "called"):
            widget = made(tmp_path / way / f"{key}.jsonl", blind=key in ("sound", "unsound"))
            hear(widget, key, *argument) if way == "heard" else getattr(widget, key)(*argument)
            views.append({**widget.front.view, "ack": None, "per_hour": None})
        assert views[0] == views[1], key


def test_what_the_browser_is_told_first_is_a_whole_run(tmp_path, monkeypatch):
    """What follows right after may be missed there, when a whole notebook runs on a busy machine."""
    from ipywidgets import Widget

    born, opened = [], Widget.open
    monkeypatch.setattr(Widget, "open", lambda w: (born.append(w.get_state()), opened(w)))
    made(tmp_path / "me.jsonl")
    first = next(state for state in born if "run" in state)
    assert first["run"]["parts"] and first["view"]["number"] == 1


def test_only_keys_are_done(tmp_path):
    widget = made(tmp_path / "me.jsonl")
    before = widget.front.view
    for key in ("run", "add", "__init__", "file", None, "", "judge"):
        assert hear(widget, key) == before
    assert widget.session.ledger.entries == {}


def test_what_is_hidden_does_not_leave_the_kernel(tmp_path):
    """Neither in the state of the widget nor in its static twin."""
    task = Task("t", "multihop", "Who?", "GOLDWORD")
    steps = (Step("Now.", "Search[Bob]", "Bob was a miner."), Step("So.", "Finish[Bob]", ""))
    named = "METHODWORD", "MODELWORD"
    run = Trajectory("r", task, *named, steps=steps, answer="Bob", end="finished")
    widget = made(tmp_path / "me.jsonl", [run], blind=True, suggestions=True)
    for _ in range(2):
        state, bundle = widget.front.get_state(), widget._repr_mimebundle_()
        everything = json.dumps(state, default=str) + str(bundle)
        assert not any(word in everything for word in SECRET)
        assert widget.front.view["offered"] == [] and widget.front.run["facts"] == []
        widget.note("a note reveals nothing")
        widget.step(1)
    widget.unsound()
    everything = str(widget.front.run)
    assert all(word in everything for word in SECRET)


def test_a_twin_and_a_repr_stand_where_no_kernel_runs(tmp_path):
    widget = made(tmp_path / "me.jsonl")
    bundle = widget._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == repr(widget) == "<Labeller by 'me': 0 labels, 6 runs>"
    assert all(text in bundle["text/html"] for text in ("Observation 1", "To label, run this cell"))
    assert "no run to label" in made(tmp_path / "e.jsonl", [])._repr_mimebundle_()["text/html"]


def shown(path, text):
    widget = made(path / "me.jsonl", [infected(text)])
    shown = visible(text)
    view = picture(widget.session) | run_in_sight(widget.session)
    view |= {"note": shown, "label": "true positive", "others": [[shown] * 3]}
    return twin(view, fixed(widget.session) | {"file": shown, "by": shown})


@pytest.mark.parametrize("payload", [p for p in PAYLOADS if p.strip()])
def test_hostile_text_in_every_field_of_the_twin_is_text(tmp_path, payload):
    (tmp_path / "a").mkdir(), (tmp_path / "b").mkdir()
    found, calm = Seer(shown(tmp_path / "a", payload).html), Seer(shown(tmp_path / "b", MARK).html)
    assert found.shape == calm.shape
    assert visible(payload).strip() in found.text


@pytest.mark.parametrize("text", ["\ud800", "\x00", "\u202e", "a\x1b[2J", "\U000e0041"])
def test_what_goes_out_can_be_sent(tmp_path, text):
    """No lone surrogate (the kernel could not encode it), no control character."""
    widget = made(tmp_path / "me.jsonl", [infected(f"x {text}")])
    widget.note(text)
    sent = json.dumps([widget.front.view, widget.front.run], ensure_ascii=False)
    assert sent.encode("utf-8") and text not in sent


def test_adjudication_shows_both_and_calibration_its_score(tmp_path):
    one, two = fill(tmp_path / "a.jsonl", "ann", [1, 3]), fill(tmp_path / "b.jsonl", "ben", [2, 3])
    widget = made(tmp_path / "c.jsonl", by="both", between=[one, two])
    assert widget.front.still["kind"] == "Adjudication" and widget.front.view["of"] == 1
    others = [row[:2] for row in widget.front.view["others"]]
    assert others == [["ann", "true positive"], ["ben", "false positive"]]
    calibrated = made(tmp_path / "d.jsonl", gold=one)
    assert calibrated.front.still["kind"] == "Calibration"
    assert hear(calibrated, "label", 1)["score"] == [1, 1]


def test_two_threads_press_at_once_and_nothing_is_lost(tmp_path):
    """JupyterLab may run a handler beside a cell."""
    widget = made(tmp_path / "me.jsonl")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(widget.note, map(str, range(60))))
    assert sorted(widget.session.ledger.entries) == list(range(1, 61))
