"""Modes of one's own: named, labelled blind, merged, measured, adjudicated, drawn and exported."""

import csv
import json
from dataclasses import replace

import pytest
from test_display import Seer
from test_label import RIGHT, lines, runs

import react_lab as rl
from react_lab import label
from react_lab.label.results import shown
from react_lab.widgets.by_hand import Labeller

OWN = {"lazy": "It looked once and gave up.", "hasty": "It read one of two pages.", "R&D": ""}
SAID = {"ann": [1, 2, 1, 3, 2, 1], "ben": [1, 2, 2, 3, 2, 1], "eve": [1, 2, 1, 3, 3, 1]}


def labelled(path, by, keys, modes=OWN, **options):
    session = label.Session(runs(), path, by, modes=modes, **options)
    for key in keys:
        session.label(key)
    return session


@pytest.fixture
def three(tmp_path):
    """The files of three who labelled the same six runs."""
    paths = [tmp_path / f"{by}.jsonl" for by in SAID]
    for path, (by, keys) in zip(paths, SAID.items(), strict=True):
        labelled(path, by, keys)
    return paths


@pytest.mark.parametrize("given", ["list", "dict", "file"])
def test_modes_come_from_names_from_definitions_or_from_a_file(tmp_path, given):
    path = tmp_path / "modes.txt"
    lines = "# ours\n\nlazy: It looked once.\nhasty\nR&D: why: it tries\n"
    path.write_text(lines, encoding="utf-8-sig")
    modes = label.Modes({"list": [*OWN], "dict": OWN, "file": path}[given])
    assert modes.names == tuple(OWN)
    told = {"list": "", "dict": OWN["lazy"], "file": "It looked once."}
    assert modes.meanings["lazy"] == told[given]
    session = label.Session(runs(), tmp_path / "me.jsonl", by="me", modes=modes)
    assert session.modes == modes.names  # right or wrong, all are offered
    assert session.label("LAZY") == "Saved: lazy" and session.label(3) == "Saved: R&D"
    with pytest.raises(ValueError, match="no mode 4; there are 1 to 3: lazy, hasty, R&D"):
        session.label(4)
    path.write_bytes(b"\x89PNG\xff")
    with pytest.raises(ValueError, match=r"modes\.txt is no text"):
        label.Modes(path)


@pytest.mark.parametrize(("modes", "why"), [
    ([], "0 modes: give 1 to 9"), ([*"abcdefghij"], "10 modes: give 1 to 9"), (["a", "A"], "have one name"),
    (["a | b"], "names no mode"), (["a + b"], "names no mode"), ([" a"], "names no mode"), ([""], "names no mode"),
    (["x" * 61], "names no mode"), (["\x1b[31m"], "names no mode"), ([5], "names no mode"), ({"a": 5}, "has to be a text"),
])  # fmt: skip
def test_what_cannot_be_modes_is_refused_in_a_sentence(modes, why):
    with pytest.raises(ValueError, match=why):
        label.Modes(modes)


def test_a_file_of_labels_says_its_modes_and_no_others_can_go_on(tmp_path, three):
    first = json.loads(lines(three[0])[0])
    assert first["event"] == "modes" and dict(first["modes"]) == OWN
    before = three[0].read_bytes()
    for other in (None, ["lazy", "hasty"], label.Modes(OWN, several=True)):
        with pytest.raises(ValueError, match=r"ann\.jsonl was labelled with the modes \(lazy \| "):
            label.Session(runs(), three[0], "ann", modes=other)
    label.Session(runs(1), tmp_path / "table2.jsonl", by="me").label(1)
    with pytest.raises(ValueError, match="labelled with the modes .Table 2's six., not the modes"):
        label.Session(runs(1), tmp_path / "table2.jsonl", by="me", modes=OWN)
    assert three[0].read_bytes() == before
    clearer = label.Modes({**OWN, "lazy": "It looked once, and gave up at once."})
    again = label.Session(runs(), three[0], "ann", modes=clearer)
    again.label("lazy")
    versions = [mark.guideline for mark in again.labelled]
    assert len(again.labelled) == 6 and len(set(versions)) == 2  # each says by which definitions
    three[1].write_text(three[1].read_text().replace('"label":"lazy"', '"label":"hallucination"'))
    assert "none of its modes" in label.merge(three).refused[str(three[1])]


@pytest.mark.parametrize("bad", [
    {"seq": 2, "event": "modes", "modes": [["a", ""]]}, {"event": "modes", "modes": []},
    {"event": "modes", "modes": [["a | b", ""]]}, {"event": "modes", "modes": "x"},
    {"event": "modes", "modes": [["a", ""]] * 10},
])  # fmt: skip
def test_hostile_modes_are_refused(tmp_path, bad):
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps({"seq": 1, "by": "eve", **bad}) + "\n", encoding="utf-8")
    assert list(label.merge(path).refused) == [str(path)]


def test_three_annotators_agree_and_what_they_differ_on_is_adjudicated(tmp_path, three):
    merged = label.merge(three)
    found = label.agreement(merged.runs)
    pairs = {pair: kappas["over all 3 modes"] for pair, kappas in found.pairs.items()}
    assert {pair: (k.n, k.same) for pair, k in pairs.items()} == {
        ("ann", "ben"): (6, 5), ("ann", "eve"): (6, 5), ("ben", "eve"): (6, 4),
    }  # fmt: skip
    assert pairs["ann", "ben"].value == pytest.approx(17 / 23)
    assert found.alphas.keys() == {"over all 3 modes"} and "where ann said lazy" in repr(found)
    judge = label.Session(runs(), tmp_path / "x" / "third.jsonl", "all", modes=OWN, between=three)
    assert len(judge.order) == 2
    for mode in ("lazy", "hasty"):
        judge.note("read again")
        judge.label(mode)
    settled = label.settled(merged.runs, judge.labelled)
    assert sorted(m.id for m in settled) == [f"r{i}" for i in range(6)]
    with pytest.raises(ValueError, match=r"'ann' labelled with the modes \(lazy \| hasty"):
        label.Session(runs(), tmp_path / "y.jsonl", "all", between=three)
    gold = label.Session(runs(), tmp_path / "new.jsonl", "new", modes=OWN, gold=three[0])
    gold.label(1)
    assert "as agreed" in gold.last and gold.score == (1, 1)


def test_labels_of_two_taxonomies_are_never_counted_together(tmp_path, three):
    label.Session(runs(1), tmp_path / "ann2.jsonl", by="ann").label(1)  # the same run, otherwise
    merged = label.merge([*three, tmp_path / "ann2.jsonl"])
    assert len(merged.marks) == 19 and not merged.conflicts
    for count in (lambda: merged.runs, lambda: label.shares(merged.marks)):
        with pytest.raises(ValueError, match=r"different modes, \(Table 2\) and \(lazy \| hasty"):
            count()
    assert len(merged.of(modes=label.Modes(OWN)).runs) == 6
    tables = {table["name"]: table["rows"] for table in shown(merged.marks)["tables"]}
    assert tables["Table 2"][0][:4] == ["ReAct", "true positive", 1, 1]
    assert tables["How often each mode"][0][:2] == ["ReAct", "lazy"]


def test_tables_pictures_and_exports_count_ones_own_modes(tmp_path):
    given = [*runs(3), replace(RIGHT, id="x", method="my_method")]
    session = label.Session(given, tmp_path / "me.jsonl", by="me", modes=OWN)
    for key in (1, 3, 1, 2):
        session.label(key)
    shares = {(s.method, s.mode): (s.right, s.n, s.paper) for s in label.shares(session.labelled)}
    assert shares["react", "lazy"] == (2, 3, None) and shares["my_method", "hasty"] == (1, 1, None)
    frame = label.frame(session.labelled)
    assert label.frame([label.Mark(**row) for row in frame.to_dict("records")]).equals(frame)
    drawn = rl.plots.table2(frame)
    assert drawn.caption.startswith("How often each mode") and "paper" not in drawn.caption
    tex = drawn.latex()
    assert "lazy" in tex and "R\\&D" in tex and "my\\_method" in tex and "paper" not in tex
    text = label.export(session.labelled, tmp_path / "x.csv").read_text(encoding="utf-8")
    assert [row["modes"] for row in csv.DictReader(text.splitlines())] == ["lazy | hasty | R&D"] * 4


def test_a_run_may_have_several_modes(tmp_path):
    several = label.Modes(OWN, several=True)
    keys = {"ann": ([1, 3], [2]), "ben": ([3, 1], [2, 1])}
    for by, chosen in keys.items():
        session = label.Session(runs(2), tmp_path / f"{by}.jsonl", by, modes=several)
        for each in chosen:
            for key in each:
                session.label(key)
            session.next()
    assert [mark.label for mark in session.labelled] == ["lazy + R&D", "lazy + hasty"]
    session.label("lazy")  # once more takes it away
    assert session.mark.label == "hasty" and len(session.filter("r&d")) and len(session.order) == 1
    session.label(1), session.label(3)
    assert session.mark.label is None and session.undo() == "Undo: label"
    merged = label.merge([tmp_path / "ann.jsonl", tmp_path / "ben.jsonl"])
    kappas = label.agreement(merged.runs).pairs["ann", "ben"]
    assert {name: k.same for name, k in kappas.items()} == {"lazy": 1, "hasty": 2, "R&D": 2}
    found = {s.mode: (s.right, s.n) for s in label.shares(merged.of().marks)}
    assert found == {"lazy": (1, 4), "hasty": (2, 4), "R&D": (2, 4)}


def test_the_judge_takes_them_too(tmp_path, three):
    path = tmp_path / "judge.jsonl"
    names = ("R&D", "lazy.", "hasty", "true positive", "?", "Lazy")
    model = rl.models.scripted([f"So.\nStep: 1\nLabel: {name}" for name in names], name="judge")
    shots = [(RIGHT, "lazy", "One look.")]
    said = label.judge(runs(), model, path, modes=OWN, go=True, shots=shots)
    assert said == "4 labels of judge are in judge.jsonl; 2 replies held no label: deferred."
    prompt = model.asked[0].prompt
    told = (OWN["hasty"], "Label: one of lazy, hasty, R&D", "Label: lazy")
    assert all(words in prompt for words in told) and "hallucination" not in prompt
    with pytest.raises(ValueError, match="no mode 'true positive'; there are 1 to 3"):
        label.judge(runs(), model, path, modes=OWN, shots=[(RIGHT, "true positive", "So.")])
    assert label.agreement(label.merge([path, *three]).runs).pairs["ann", "judge"]
    both = rl.models.scripted([f"Both.\nStep: {'9' * 5000}\nLabel: hasty + lazy"], name="judge")
    label.judge([RIGHT], both, tmp_path / "b.jsonl", modes=label.Modes(OWN, several=True), go=True)
    assert label.merge(tmp_path / "b.jsonl").marks[0].label == "lazy + hasty"


def test_rules_know_nothing_of_them(tmp_path):
    with pytest.raises(ValueError, match="rules know Table 2's modes alone"):
        label.Session(runs(), tmp_path / "x.jsonl", "x", modes=OWN, suggestions=True)
    own = lambda run: label.Suggestion("lazy", "one search", "me")  # noqa: E731
    mine = label.Session(runs(), tmp_path / "x.jsonl", "x", modes=OWN, suggestions=own)
    mine.label(2)
    assert "me would say lazy: one search" in mine.last


def test_the_widget_shows_the_modes_and_what_they_mean(tmp_path):
    bad = {"<img src=x onerror=alert(1)>": "<script>alert(2)</script>", "fine": ""}
    widget = Labeller(runs(), tmp_path / "me.jsonl", by="me", modes=bad)
    still = widget.front.still
    assert [mode["name"] for mode in still["modes"]] == list(bad) and still["guides"].keys() == {""}
    assert still["guides"][""][0] == ["<script>alert(2)</script>"] * 2
    widget.label(1)
    widget.back()
    assert widget.front.view["labels"] == [next(iter(bad))]
    html = widget._repr_mimebundle_()["text/html"]
    assert next(iter(bad)) in Seer(html).text and "<img" not in html
