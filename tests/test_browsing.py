"""The run browser without a browser: which runs it shows, what is selected, what it hands on."""

import json
import threading
from dataclasses import replace

import pytest
from ipywidgets.widgets.widget import _instances
from test_display import PAYLOADS, infected

from react_lab import store
from react_lab.models import scripted
from react_lab.types import Step, Task, Trajectory
from react_lab.widgets import explorer
from react_lab.widgets.explorer import WINDOW

METHODS = ("standard", "cot", "act", "react")


def made(i):
    """The i-th run: every fourth is right, every fifth was stopped, every sixth has a flag."""
    task = Task(f"t{i}", "multihop", f"Question {i}: which river?", "Danube")
    steps = (Step(f"I need page {i}.", f"Search[Ulm {i}]", "Ulm lies on the Danube.", raw="RAW"),)
    return Trajectory(
        f"{i:016x}", task, METHODS[i % 4], "m", {"x": "SETTING"}, steps,
        answer="Danube" if i % 4 == 0 else "Rhine" if i % 5 else None,
        end="finished" if i % 5 else "step_limit", flags=("repeated",) * (i % 6 == 0),
        samples=("SAMPLE",), tokens_in=i, tokens_out=1,
    )  # fmt: skip


RUNS = [made(i) for i in range(60)]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "runs.jsonl"
    for run in RUNS:
        store.append(path, run)
    return path


@pytest.fixture
def table():
    return explorer(RUNS)


def shown(table):
    """The numbers in the first column, as the browser has them."""
    return [row[1] for row in table.front.view["rows"]]


def column(table, name):
    at = table.front.still["columns"].index(name) + 1
    return [row[at] for row in table.front.view["rows"]]


def heard(table, **message):
    table.receive(None, message, [])
    return table.front.view


def test_a_file_and_a_list_are_shown_alike(path, table):
    of_file = explorer(path)
    assert of_file.front.view == table.front.view and of_file.front.still == table.front.still
    assert of_file.selection == table.selection == RUNS
    assert shown(table)[:3] == [1, 2, 3] and column(table, "grade")[:2] == ["right", "wrong"]
    assert explorer(RUNS[0]).selection == explorer(iter(RUNS[:1])).selection == RUNS[:1]
    assert explorer([]).front.view["count"] == 0


def test_filters_are_joined_and_taken_away(table):
    assert table.filter(method="react") == "15 of 60 runs"
    table.filter(end="step_limit", grade="no answer")
    wanted = [r for r in RUNS if r.method == "react" and r.end == "step_limit"]
    assert table.selection == wanted and len(wanted) > 1
    table.filter(method="")
    assert {run.method for run in table.selection} == {"cot", "act", "react"}
    assert table.clear() == "60 of 60 runs"
    assert table.filter(flag="repeated") == "10 of 60 runs"
    assert table.filter(flag="no flag") == "50 of 60 runs"
    assert table.filter(method="none such") == "0 of 60 runs"
    table.clear()
    table.search("rhine")
    table.filter(method="cot")
    assert {(run.method, run.answer) for run in table.selection} == {("cot", "Rhine")}
    with pytest.raises(ValueError, match="no filter 'methods'; there are: kind, method"):
        table.filter(methods="react")


@pytest.mark.parametrize(
    ("text", "n"),
    [("QUESTION 7:", 1), ("page 12", 1), ("search[ulm 3]", 1), ("on the danube", 60), ("rhine", 36),
     ("SETTING", 0), ("SAMPLE", 0), ("RAW", 0), ("", 60)],
)  # fmt: skip
def test_a_search_reads_every_text_that_a_reader_sees(path, table, text, n):
    assert table.search(text) == explorer(path).search(text) == f"{n} of 60 runs"


def test_a_sample_is_of_what_is_shown_and_the_seed_decides(table):
    table.filter(method="act")
    table.sample(5, seed=1)
    first = {run.id for run in table.selection}
    assert len(first) == 5 and {run.method for run in table.selection} == {"act"}
    table.sort("tokens", down=True)
    assert {run.id for run in table.selection} == first
    table.sample(5, seed=2)
    assert {run.id for run in table.selection} != first
    assert table.sample(0) == table.sample(1000) == "15 of 60 runs"


def test_it_is_sorted_by_any_column_and_nothing_stands_last(table):
    table.sort("answer")
    assert column(table, "answer")[:2] == ["Danube", "Danube"]
    up = column(table, "answer")
    table.sort("answer", down=True)
    assert up[-1] == column(table, "answer")[-1] == "" and column(table, "answer")[0] == "Rhine"
    table.sort("tokens", down=True)
    assert shown(table)[:3] == [60, 59, 58]
    table.sort("method")
    assert shown(table)[:2] == [3, 7]  # of equals, the first stays the first
    with pytest.raises(ValueError, match="no column 'colour'; there are: number, question"):
        table.sort("colour")


def test_only_the_rows_around_those_in_sight_are_sent():
    many = explorer([replace(RUNS[0], id=str(i)) for i in range(5000)])
    assert many.front.view["count"] == 5000 and len(many.front.view["rows"]) == WINDOW
    view = heard(many, do="look", start=3000, ack="a")
    assert (view["start"], len(view["rows"]), view["ack"]) == (3000, WINDOW, "a")
    assert view["rows"][0][1] == 3001
    assert heard(many, do="look", start=10**9)["start"] == 5000 - WINDOW
    assert heard(many, do="look", start=-5)["start"] == 0


def test_a_line_that_cannot_be_read_is_counted_and_keeps_its_number(path, tmp_path):
    lines = path.read_text(encoding="utf-8").splitlines()
    bad = tmp_path / "bad.jsonl"
    negative = json.dumps(json.loads(lines[0]) | {"calls": -1})
    text = "\n".join([lines[0], '{"id": 7}', '{"id": "x", "task": 3}', *lines[1:3], negative])
    bad.write_text(text + "\n", encoding="utf-8")
    table = explorer(bad)
    assert shown(table) == [1, 4, 5] and table.front.still["lost"] == 3
    assert table.selection == RUNS[:3]


def test_the_selection_is_what_is_ticked_or_all_that_is_shown(table):
    table.filter(method="react")
    assert len(table.selection) == 15
    table.tick(8, 4)
    assert table.selection == [RUNS[7], RUNS[3]]
    table.clear()
    assert table.selection == [RUNS[7], RUNS[3]]  # ticks outlive a filter
    assert table.tick(8, on=False) == "1 ticked"
    table.untick()
    table.filter(end="step_limit")
    assert table.tick_shown() == "12 ticked" and len(table.selection) == 12
    with pytest.raises(ValueError, match="no run 61 is in the table"):
        table.tick(61)


def test_a_click_opens_the_player_and_two_runs_stand_side_by_side(table):
    assert table.open(3) == "Run 3 is open below"
    assert table.below.children == (table.player.front,) and table.player.runs == [RUNS[2]]
    table.tick(1)
    with pytest.raises(ValueError, match="1 run is ticked: tick two to compare them"):
        table.compare()
    table.tick(2)
    both = "Run 1 stands below on the left (there Run 1), run 2 on the right (there Run 2)"
    assert table.compare() == both
    assert table.player.runs == RUNS[:2] and table.player.looks == [0, 1]
    assert table.compare(6, 5).startswith("Run 6 stands below on the left")
    assert table.player.runs == [RUNS[5], RUNS[4]] and len(table.player.front.runs) == 2
    before = len(_instances)
    for number in (2, 3, 4):
        table.open(number)
    assert len(_instances) == before and table.player.runs == [RUNS[3]]  # one player for all


@pytest.mark.parametrize("click", ["open", "plot"])
def test_a_run_that_is_being_made_is_stopped_by_another_click(click):
    asked, gate = threading.Event(), threading.Event()

    def waiting(ask):
        asked.set()
        assert gate.wait(60)
        return " Finish[Inn]"

    table = explorer(RUNS, model=scripted(waiting))
    table.open(4)
    table.player.fork(1, thought="Which one?")
    made, step = table.player.episode, table.player.front.view
    assert step["live"] == 1 and asked.wait(60)
    table.open(5) if click == "open" else table.plot()
    gate.set()
    made.thread.join()
    assert made.run.end == "cancelled"
    assert table.player.runs == ([RUNS[4]] if click == "open" else [RUNS[3], made.run])


def test_a_selection_goes_to_the_labeller_and_its_labels_come_back(path, tmp_path):
    file = tmp_path / "me.jsonl"
    table = explorer(path)
    table.filter(method="react", grade="wrong")
    labeller = table.label(file, "me")
    assert table.below.children == (labeller.front,) and len(labeller.session.runs) == 12
    labeller.label("hallucination")
    labeller.label("reasoning error")
    again = explorer(path, labels=file)
    menu = ["no label (58)", "hallucination (1)", "reasoning error (1)"]
    assert again.front.still["menus"]["label"] == menu
    again.filter(label="hallucination")
    assert again.selection == [RUNS[3]] and column(again, "label") == ["hallucination"]
    other = replace(RUNS[3], answer="Ulm")  # a label is of the run that was read, not of its id
    assert explorer([RUNS[3]], labels=[file]).filter(label="hallucination") == "1 of 1 runs"
    assert explorer([other], labels=file).filter(label="hallucination") == "0 of 1 runs"
    bad = tmp_path / "not_labels.jsonl"
    bad.write_text('{"a": 1}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="not_labels"):
        explorer(RUNS, labels=bad)


def test_a_selection_goes_to_a_plot(table):
    table.sample(12, seed=3)
    picture = table.plot()
    assert bytes(table.below.children[0].png).startswith(b"\x89PNG")
    assert picture.caption in table.front.view["said"].replace("<U+", "") and len(picture.table) > 1
    table.filter(method="none such")
    with pytest.raises(ValueError, match="no run is shown, and none is ticked"):
        table.plot()


@pytest.mark.parametrize(
    "message",
    [{}, {"do": "nothing"}, {"do": "open"}, {"do": "open", "number": "7"}, {"do": "tick", "number": 99, "on": True},
     {"do": "tick", "number": True, "on": True}, {"do": "filter", "facet": "id", "value": 0}, {"do": "filter", "facet": "method", "value": 99},
     {"do": "sort", "by": "__class__", "down": False}, {"do": "still"}, {"do": "sample", "n": -3, "seed": 0}, {"start": "x"},
     {"do": "label", "path": "", "by": " "}],
)  # fmt: skip
def test_a_message_that_makes_no_sense_does_nothing(table, message):
    before = table.front.view
    after = heard(table, ack="x", **message)
    kept = ("count", "rows", "ticked", "only", "by", "open", "start")
    assert after["ack"] == "x" and all(after[name] == before[name] for name in kept)


@pytest.mark.parametrize("payload", [*PAYLOADS, "half \ud83d"])
def test_a_payload_in_every_field_is_sent_as_visible_text(payload):
    table = explorer([infected(payload, payload), RUNS[0]])
    sent = json.dumps([table.front.view, table.front.still])
    assert not any(sign in sent for sign in ("\\u202e", "\\u001b", "\\u0000", "\\ufeff"))
    heard(table, do="search", text=payload)
    for facet in table.front.still["menus"]:
        heard(table, do="filter", facet=facet, value=0)
    table.clear()
    heard(table, do="open", number=1)
    opened = [table.player.front.runs, table.player.front.view]
    told = json.dumps(opened, ensure_ascii=False).encode().decode()  # no half of a letter is in it
    assert not {*"\u202e\x1b\0\ufeff"} & {*told}
    assert "<script" not in table._repr_mimebundle_()["text/html"]


def test_it_reads_without_a_kernel_and_its_name_is_the_same_each_time(table):
    bundle = table._repr_mimebundle_()
    assert repr(table) == bundle["text/plain"] == "<Explorer: 60 of 60 runs, 0 ticked>"
    assert "To browse them, run this cell" in bundle["text/html"]
    assert "Question 19" in bundle["text/html"] and "Question 20" not in bundle["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in bundle
