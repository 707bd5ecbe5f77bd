"""The command for Table 1, against a server on loopback that counts what it is paid for.

That it may be killed at any moment is tested in tests/faults.
"""

import argparse
import dataclasses
import io
import json
import math
import re
import sys
from collections import Counter

import pandas as pd
import pytest
from stub_server import Stub, refusal, thinker
from till import READ, WRITTEN, Till, command, said

import react_lab as rl
from react_lab import store
from react_lab.__main__ import main
from react_lab.analysis.preview import preview_of
from react_lab.apps import parser
from react_lab.apps import table1 as app
from react_lab.envs import pages

FORMS = app.FORMS


@pytest.fixture
def till(monkeypatch):
    monkeypatch.setattr(app, "FORMS", ("csv",))  # pictures take seconds: one test has them drawn
    told = Till()
    with Stub(told) as stub:
        told.url = stub.url
        yield told


def wanted(till, tmp_path, **more):
    usual = {"n": 3, "samples": 3, "tasks": "bundled", "yes": True, "workers": 4}
    usual |= {"model": "m", "base_url": till.url, "out": str(tmp_path / "out")}
    return options(**usual | {"price": (READ, WRITTEN)} | more)


def options(**given):
    return argparse.Namespace(**vars(parser.parse_args(["table1"])) | given)


def told_by(wanted):
    lines = []
    code = app.table1(wanted, lines.append)
    return code, "\n".join(lines)


def foreseen(text):
    """Of the cost: in all, from, to, spent already."""
    said = re.search(r"^cost: about (\S+) in all \((\S+) to (\S+)\), (\S+) of it", text, re.M)
    return [float(number) for number in said.groups()]


def test_the_preview_is_within_a_fifth_of_the_bill_and_is_not_paid_again(till, tmp_path):
    code, text = told_by(wanted(till, tmp_path, n=20))
    whole, low, high, spent = foreseen(text)
    assert code == 0 and abs(whole - till.bill) <= 0.2 * till.bill and low <= till.bill <= high
    assert max(Counter(asked for asked, _ in till.paid).values()) == 1 and 0 < spent < whole
    runs = list(store.open(tmp_path / "out" / "runs.jsonl"))
    stored = preview_of(runs, {"multihop": 20, "claims": 20}, app.METHODS, (READ, WRITTEN), 1)
    assert (cost := stored.amount("cost")).whole == pytest.approx(till.bill) == cost.spent
    assert len(runs) == 20 * 2 * 5 and not stored.left


def test_the_table_has_the_papers_rows_and_what_differs(till, tmp_path, monkeypatch):
    monkeypatch.setattr(app, "FORMS", FORMS)
    code, text = told_by(wanted(till, tmp_path))
    assert code == 0 and "the server says stub-1" in text and "in place of HotpotQA" in text
    for row in ("Standard .*28.7", "ReAct .*27.4", "SC → ReAct .*34.2", "ReAct → CoT-SC .*62"):
        assert re.search(row, text), row
    for word in (
        "Model: m ",
        "API: completions",
        "Date: finished on 20",
        "encyclopedia",
        "3 samples",
    ):
        assert word in text
    page = (tmp_path / "out" / "table1.md").read_text(encoding="utf-8")
    assert "| ReAct |" in page and "* Sample: 3 claims of ours" in page
    begins = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml", "tex": b"\\begin{table}"}
    for ending, begin in begins.items():
        assert (tmp_path / "out" / f"table1.{ending}").read_bytes().startswith(begin)
    pairs = pd.read_csv(tmp_path / "out" / "table1-Pairs.csv")
    assert len(pairs) == 2 * 21 and set(pairs["kind"]) == {"claims", "multi-hop questions"}
    before = len(till.paid)
    again, text = told_by(wanted(till, tmp_path, yes=False))  # nothing is left to be asked about
    assert again == 0 and len(till.paid) == before and "The rest" not in text


def test_of_a_file_of_ones_own_nothing_else_is_asked(till, tmp_path):
    mine = tmp_path / "mine.jsonl"
    rows = [{"question": f"Who painted picture {i}?", "answer": "X"} for i in range(2)]
    mine.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "Picture.txt").write_text("X painted picture 0.", encoding="utf-8")
    own = wanted(
        till, tmp_path, tasks="paper", hotpotqa=str(mine), pages=str(pages), n=500,
        methods=("cot", "react"),
    )  # fmt: skip
    code, text = told_by(own)
    runs = list(store.open(tmp_path / "out" / "runs.jsonl"))
    assert code == 0 and len(runs) == 4 and {run.task.kind for run in runs} == {"multihop"}
    assert "2 multi-hop questions of your file hotpotqa (mine)" in text


@pytest.mark.filterwarnings("ignore:1 of 10 runs ended")
def test_its_costs_are_the_bill_also_where_a_run_was_run_again(till, tmp_path):
    answers = iter([refusal(503, "busy", {"retry-after-ms": "1"}), refusal(401, "no such key")])
    with Stub(lambda asked: (next(answers, None) if asked.body else None) or till(asked)) as stub:
        till.url = stub.url
        with pytest.raises(ValueError, match="1 of 10 runs ended in a fault"):
            told_by(wanted(till, tmp_path, n=1, workers=1))
        assert told_by(wanted(till, tmp_path, n=1, workers=1))[0] == 0
    cost = pd.read_csv(tmp_path / "out" / "table1-Cost.csv")
    assert cost["retries"].sum() == 0
    assert cost["cost"].sum() == pytest.approx(till.bill, rel=1e-3)
    assert list(cost["runs"]) == [1] * 10


def test_any_frame_and_any_picture_is_written_by_its_ending(tmp_path):
    import mistune

    df = pd.DataFrame({"=name": ["<b>x</b>", "$y_1$"], "n": [1, 2]})
    table = rl.plots.table(df, "Two rows & no more.")
    for ending in ("png", "pdf", "svg", "csv", "tex", "md"):
        assert table.save(tmp_path / "prints" / f"t.{ending}").stat().st_size
    tmp_path /= "prints"
    assert pd.read_csv(tmp_path / "t.csv")["n"].tolist() == [1, 2]
    assert "'=name" in (tmp_path / "t.csv").read_text("utf-8-sig")  # no formula
    assert r"\$y\_1\$ & 2 \\" in (tmp_path / "t.tex").read_text("utf-8")
    assert "&lt;b&gt;" in mistune.html((tmp_path / "t.md").read_text("utf-8"))
    several = dataclasses.replace(table, tables={"a": df, "b/c": df, "b c": df})
    several.save(tmp_path / "s.csv")
    assert sorted(path.name for path in tmp_path.glob("s*")) == ["s-b-c.csv", "s-b-c_.csv", "s.csv"]
    with pytest.raises(ValueError, match=r"t\.doc ends in none of .*\.csv"):
        table.save(tmp_path / "t.doc")
    whole = rl.plots.table(pd.DataFrame({"n": range(99)}))
    assert len(whole.table) == 99 and "the first 60 of 99 rows" in whole.figure.texts[-1].get_text()


def test_it_asks_before_the_rest_is_paid_for(till, tmp_path, monkeypatch, capsys):
    """Who says no, or nothing, has paid for ten episodes; who says yes then pays for the others."""
    for answer, code, stored in (("", 1, 100), ("\n", 0, 100), ("n\n", 0, 100), ("y\n", 0, 110)):
        monkeypatch.setattr(sys, "stdin", io.StringIO(answer))
        assert main(command(till, tmp_path / "out")) == code
        out, err = capsys.readouterr()
        assert "Go on? [y/N]" in out and ("--yes" in err) == (not answer)
        assert ("stays in" in out) == (answer in ("\n", "n\n"))
        assert len(store.open(tmp_path / "out" / "runs.jsonl")) == stored
    assert max(Counter(asked for asked, _ in till.paid).values()) == 1


def test_unknown_prices_and_tokens_are_called_unknown_and_faults_stop_it(tmp_path):
    for price, tokens in ((None, True), ((READ, WRITTEN), False)):
        told = Till(tokens)
        with Stub(told) as stub:
            told.url = stub.url
            code, text = told_by(wanted(told, tmp_path / str(tokens), n=2, price=price))
        assert code == 0 and "cost: unknown" in text
        assert ("tokens read: unknown" in text) == (not tokens)
        assert ("--price READ WRITTEN" in text) == (not price)
    with Stub([refusal(404, "no such model")]) as stub:
        given = {"model": "m", "base_url": stub.url, "n": 1, "tasks": "bundled"}
        asked = options(**given, out=str(tmp_path))
        with pytest.warns(UserWarning), pytest.raises(ValueError, match="10 of 10 runs ended in"):
            told_by(asked)


def test_a_price_of_yours_counts_and_a_budget_ends_it(till, tmp_path):
    code, text = told_by(wanted(till, tmp_path, n=2, price=(0.0, 1000.0)))
    written = sum(used[1] for _, used in till.paid)
    assert foreseen(text)[0] == pytest.approx(written / 1000, abs=1e-3) and code == 0
    limited = wanted(till, tmp_path / "b", n=2, budget=till.bill / 2)
    spent = pytest.raises(ValueError, match="the budget is spent")
    with spent, pytest.warns(UserWarning, match="budget"):
        told_by(limited)


def think(asked):
    return said(asked.body["messages"][-1]["content"], asked.body.get("seed", 0))


@pytest.mark.filterwarnings("ignore:40 runs in .* made under other settings")
def test_a_model_that_thinks_its_tokens_away_is_not_paid_for_in_full(tmp_path, capsys):
    """The preview stops it and says what helps; with that it goes on, and its table says so."""
    command = ["table1", "--model", "m", "--tasks", "bundled", "--methods", "act", "react"]
    command += ["--n", "11", "--workers", "1", "--yes", "--out", str(tmp_path), "--timeout", "9"]
    with Stub(thinker(1000, think)) as stub:
        extra = '{"top_p": 0.5, "temperature": 0.6}'
        command += ["--base-url", stub.url, "--api", "chat", "--extra", extra]
        assert main(command) == 1
        said = "40 of 40 replies ended in the middle: give --max-tokens 4096"
        assert said in capsys.readouterr().err
        asked = len(stub.asked)
        assert main([*command, "--max-tokens", "2000"]) == 0
        bodies = [asked.body for asked in stub.asked if asked.body]
    runs = store.open(tmp_path / "runs.jsonl")
    lost = [run for run in runs if "cut" in run.flags]
    assert len(lost) == 40 == sum(run.end == "unreadable" for run in runs) and len(runs) == 84
    assert {run.settings["cut"] for run in lost} == {1} and asked <= 42
    assert {body["top_p"] for body in bodies} == {0.5} and bodies[-1]["temperature"] == 0.6
    page = (tmp_path / "table1.md").read_text(encoding="utf-8")
    assert f"Requests: each says {extra}" in page and "CoT-SC: " not in page


@pytest.mark.parametrize("more, said", [
    ({"tasks": "paper", "hotpotqa": "h", "fever": "f"}, "No such file"),
    ({"n": 0}, "at least one"), ({"tasks": "all"}, "neither 'paper' nor 'bundled'"),
    ({"pages": "live"}, "need --contact"), ({"pages": "none.zim"}, "no ZIM file"), ({"price": (-1, 2)}, "a price and a budget"), ({"price": (math.nan, 2)}, "a price and a budget"), ({"budget": math.inf}, "0 or more"), ({"budget": 1, "price": None}, "a budget needs --price READ WRITTEN"),
    ({"model": None}, "--model NAME"), ({"model": None, "base_url": None, "api": "chat"}, "--api is for a server"), ({"extra": "[]"}, "a JSON object"), ({"extra": "{"}, "a JSON object"), ({"max_tokens": 0}, "at least one"), ({"methods": ["react", "cots"]}, "methods: cots; there are standard,"),
])  # fmt: skip
def test_what_is_wrong_with_the_options_is_said_before_any_call(till, tmp_path, more, said):
    with pytest.raises((ValueError, OSError), match=said):
        told_by(wanted(till, tmp_path, **more))
    assert not till.paid


def test_the_papers_sets_over_a_wiki_of_your_own(till, tmp_path, zim_file):
    """The files as published, cut short; pages of a ZIM file; a draw with a seed."""
    questions = [{"question": f"Who is {i}?", "answer": "yes", "type": "bridge"} for i in range(5)]
    claims = [{"id": i, "claim": f"So is {i}.", "label": "REFUTES"} for i in range(5)]
    (tmp_path / "h.json").write_text(json.dumps(questions), encoding="utf-8")
    (tmp_path / "f.jsonl").write_text("\n".join(map(json.dumps, claims)), encoding="utf-8")
    files = {"hotpotqa": str(tmp_path / "h.json"), "fever": str(tmp_path / "f.jsonl")}
    files |= {"n": 3, "tasks": "paper", "pages": str(zim_file)}
    code, text = told_by(wanted(till, tmp_path, seed=1, **files))
    assert code == 0 and "3 claims of your file fever (f), drawn with seed 1" in text
    assert "Pages: zim" in text
    _, text = told_by(wanted(till, tmp_path, **files))
    assert "of your file fever (f), drawn with seed 0" in text


@pytest.fixture(scope="module")
def zim_file(tmp_path_factory):
    pytest.importorskip("libzim")
    import zim_book

    book = pages.Encyclopedia([{"title": f"place {i}", "text": "A place. Far."} for i in range(9)])
    return zim_book.write_zim(tmp_path_factory.mktemp("zim") / "small.zim", book)
