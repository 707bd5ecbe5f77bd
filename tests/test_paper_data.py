"""The paper as data: its numbers, and the traps between them."""

import json

import pytest

from react_lab import data
from react_lab.analysis import paper
from react_lab.kinds import KINDS

FILES = sorted(path.stem for path in data.folder("paper").glob("*.json"))


@pytest.fixture
def source(shared):
    return json.loads((shared / "paper_tables.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_every_number_of_a_table_is_the_papers(number, source):
    ours = paper.read(f"table{number}")
    theirs = source[f"table{number}"]["rows"]
    columns = list(ours["columns"])
    rows = [[row[c] for c in columns] for row in ours["rows"]]
    if number == 5:  # one row per model; the paper prints one column per model
        rows = [list(column) for column in zip(*rows, strict=True)]
    assert rows == [[cell for cell in row if not isinstance(cell, str)] for row in theirs]
    names = [row["name"].replace("→", "->").lower() for row in ours["rows"]]
    for name, row in zip(names, theirs, strict=True) if number != 5 else ():
        assert name in [str(cell).lower() for cell in row]


def test_the_figures_ends_and_the_settings_are_the_papers(source):
    for kind, name in (("multihop", "HotpotQA"), ("claims", "FEVER")):
        ours, end = paper.figure(2), source["figure2"]["anchors_at_21_samples"][name]
        assert list(ours["ends"][kind].values()) == list(end.values())[:3]
        assert ours["lines"][kind] == {"cot": end["CoT line"], "react": end["ReAct line"]}
        settings = paper.settings()[kind]
        assert settings["max_steps"] == KINDS[kind].max_steps
        assert {key: settings[key] for key in ("shots", "max_steps")} == source["settings"][name]
    assert paper.settings()["finetune"]["trajectories"] == 3000
    steps = source["settings"]["finetune"]["steps"]
    for size, ours in paper.settings()["finetune"]["steps"].items():
        assert list(ours.values()) == list(steps[size].values())
    assert list(paper.settings()["cot-sc"].values()) == list(source["settings"]["CoT-SC"].values())
    assert set(source["settings"]["share_of_correct_at_limit_percent"].values()) == {0.84, 1.33}


def test_figure_2_ends_where_table_1_stands():
    table = paper.table(1).set_index("method")
    for kind, ends in paper.figure(2)["ends"].items():
        assert all(table.loc[method, kind] == rate for method, rate in ends.items())
        lines = paper.figure(2)["lines"][kind]
        assert all(table.loc[method, kind] == rate for method, rate in lines.items())
    known = paper.figure(3)["known"]["540B"]
    assert all(table.loc[method, "multihop"] == rate for method, rate in known.items())


def test_trap_best_of_columns_do_not_average_to_all():
    whole, table = paper.read("table3"), paper.table(3)
    games = {name: n for name, n in whole["games"].items() if name != "All"}
    assert sum(games.values()) == whole["games"]["All"] == 134
    for name, row in table.iterrows():
        over = sum(row[game] * n for game, n in games.items()) / 134 - row["All"]
        assert over > 4 if row["best_of"] == row["best_of"] else abs(over) < 1, name
    assert "Act (avg)" not in table.index


def test_every_trap_is_told_beside_its_table_and_a_table_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="no table 6 here; there are: 1, 2, 3, 4, 5"):
        paper.table(6)
    with pytest.raises(ValueError, match="no figure 4 here; there are: 2, 3"):
        paper.figure(4)
    for trap in paper.traps():
        for name in trap["about"]:
            assert name in FILES
            if "notes" in paper.read(name):
                assert trap["text"] in paper.notes(name)


def strings(thing):
    """Every text in parsed JSON."""
    parts = thing.values() if isinstance(thing, dict) else thing if isinstance(thing, list) else ()
    yield from [thing] if isinstance(thing, str) else (s for part in parts for s in strings(part))


@pytest.mark.parametrize("name", FILES)
def test_the_words_are_our_own(name, source):
    theirs = " ".join(strings(source)).lower()
    ours = [text for text in strings(paper.read(name)) if len(text.split()) > 5]
    title = paper.settings()["paper"]["title"]
    assert not [text for text in ours if text.lower() in theirs and text != title]
