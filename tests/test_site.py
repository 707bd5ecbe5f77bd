"""The static site: what is written is inert, whole and of this folder. In a browser: tests/site."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from test_display import PAYLOADS
from website import course
from website.asked import draw
from website.build import build
from website.markup import RULES, TAGS, Sheet, render_markdown
from website.runs import SETS, Pool, labelled_set, pack, pieces

import react_lab as rl
from react_lab import data, store
from react_lab.__main__ import main
from react_lab.label import merging
from react_lab.label.failure_modes import Sample
from react_lab.teach import Exercise, Lesson, Question
from react_lab.widgets.run_view import run_view

WIDGET = "application/vnd.jupyter.widget-view+json"
OURS = {"html", "head", "meta", "title", "link", "body", "header", "nav", "main", "article", "script", "noscript",
        "section", "fieldset", "legend", "label", "input", "button", "small", "output", "img", "h4"}  # fmt: skip


class Seen(HTMLParser):
    """The elements that a browser would find, and what they say of themselves."""

    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def is_inert(text, allowed):
    for tag, given in Seen(text).tags:
        assert tag in allowed, tag
        for name, value in given.items():
            assert name != "style" and not name.startswith("on"), (tag, name)
            if name in ("href", "src"):
                assert re.match(r"(#|https?://|[\w./-]+$|\?|[\w./-]+#)", value or "x"), value
                assert not (value or "").startswith("//")


@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_is_not_on_the_lists_is_left_out(payload):
    sheet = Sheet()
    for around in ("{}", "<p>{}</p>", '<div style="{}">x</div>', "<td {}>y"):
        shown = sheet.clean(around.format(payload))
        is_inert(shown, TAGS)
        names = {name for _, given in Seen(shown).tags for name in given}
        assert names <= {"class", "href", "open"}
    assert "url" not in sheet.css and "expression" not in sheet.css and "fixed" not in sheet.css


def test_our_own_styles_are_kept_as_classes_and_links_between_notebooks_lead_to_pages():
    sheet = Sheet()
    style = "border-left: 6px solid #0072B2; position: sticky; top: 0"
    assert sheet.clean(f'<div style="{style}">x</div>') == '<div class="s0">x</div>'
    assert style in sheet.css
    text = "[next](01_four_ways_to_prompt.ipynb), [file](../data/x.md), `a<b`"
    shown = render_markdown(text, sheet)
    assert 'href="01_four_ways_to_prompt.html"' in shown and "file (in the package)" in shown
    assert "a&lt;b" in shown and "../data" not in shown


def test_a_hostile_notebook_becomes_a_page_without_anything_of_its_own(tmp_path):
    html = "".join(PAYLOADS)
    shown = [
        {"text/html": html, "application/javascript": "alert(1)"}, {"text/html": html, WIDGET: {}},
        {"image/svg+xml": "<svg onload=alert(1)>", "text/plain": html},
    ]  # fmt: skip
    outputs = [new_output("display_data", each) for each in shown]
    outputs.append(new_output("stream", text=html))
    outputs.append(new_output("error", ename="x", evalue=html, traceback=PAYLOADS))
    cells = [new_markdown_cell(text) for text in ("# <script>alert(1)</script>", *PAYLOADS)]
    cells += [new_code_cell(html, outputs=outputs), new_code_cell("lesson.quiz()", outputs=outputs)]
    nbformat.write(new_notebook(cells=cells), tmp_path / "99_bad.ipynb")
    course.write_course(tmp_path / "site", [course.book_of(tmp_path / "99_bad.ipynb")], live=False)
    for page in ("99_bad", "index"):
        text = (tmp_path / "site" / "course" / f"{page}.html").read_text(encoding="utf-8")
        is_inert(text, TAGS | OURS)
        scripts = [given.get("src") for tag, given in Seen(text).tags if tag == "script"]
        assert scripts[0] == "../assets/opened.js" and scripts[1:] in (["../assets/lesson.js"], [])
        assert RULES.split(";")[0] in text


def test_a_cell_without_an_output_or_a_question_shows_its_code_alone(tmp_path):
    cells = [new_markdown_cell("# 1 Bare"), new_code_cell("x = 1")]
    nbformat.write(new_notebook(cells=cells), tmp_path / "00_bare.ipynb")
    course.write_course(tmp_path, [course.book_of(tmp_path / "00_bare.ipynb")], live=False)
    page = (tmp_path / "course" / "00_bare.html").read_text(encoding="utf-8")
    assert not {"None", "[]"} & {*re.findall(r">([^<]*)</div>", page)}


def test_a_notebook_leads_to_the_run_of_its_player_and_to_no_other(tmp_path):
    runs = course.replay_players()
    assert {"00_start_here", "02_the_loop_by_hand"} <= set(runs)
    (made,) = course.set_of(runs, tmp_path)
    for name, found in runs.items():
        there = course.address(name, runs, rl.show(list(found)).html)
        numbers = [int(number) - 1 for number in re.findall(r"notebooks:(\d+)", there)]
        assert numbers and [made.runs[number] for number in numbers] == [*found]
    run = runs["00_start_here"][0]
    other = replace(run, steps=(replace(run.steps[0], thought="Hm."), *run.steps[1:]))
    assert course.address("00_start_here", runs, rl.show(other).html) == ""
    assert course.address("another", runs, rl.show(run).html) == ""
    assert course.set_of({}, tmp_path / "none") == []


SHOUT = Exercise("Shout <b>.", lambda _: None, "a < b", ("It is <i>.", "upper"))
WHICH = Question("2 < 3?", (("<b>no", False, "count"), ("yes", True, "just so")))
LESSON = Lesson("t", {"1.1": SHOUT}, [WHICH])


@pytest.mark.parametrize("code, holds, times", [
    ('x = 1\nlesson.predict("p", "Which " "one?", options=["a <b>", "c"])', 'value="a &lt;b&gt;"', 1),
    ('lesson.predict("p", "Which?", options=["a", "c"])', 'type="radio"', 2),
    ('lesson.recall("p", outcome=f"{x}")', "see what stands above", 1),
    ('lesson.recall("p", outcome="27 < 28")', "27 &lt; 28", 1),
    ("lesson.quiz()", "just so", 1),
    ("lesson.quiz()", 'data-option="1"', 1),
    ('lesson.help("1.1")', "<details", 3),
])  # fmt: skip
def test_what_a_cell_asks_becomes_something_to_answer(code, holds, times):
    assert draw(code, LESSON).count(holds) == times


def test_a_check_is_a_field_for_code_where_the_site_has_a_python():
    code = 'lesson.check("1.1", kept)'
    shown = draw(code, LESSON, "kept = ...  # a <b>")
    assert 'data-answer="kept"' in shown and "kept = ...  # a &lt;b&gt;</textarea>" in shown
    assert "The notebook checks this" in draw(code, LESSON)
    for code in ('lesson.exercise("1.1")', 'lesson.predict("p", "?", WORDS)', "%magic"):
        assert draw(code, LESSON) is None  # what asks nothing stays as the notebook has it


def test_a_set_is_put_together_again_from_its_pieces_and_every_file_of_runs_is_one():
    runs = store.open(data.folder("runs", "first_questions", "react.jsonl"))
    found = [(start, json.loads(text)) for start, text in pieces(runs)]
    read = [(run, piece["pool"]) for _, piece in found for run in piece["runs"]]
    assert found[0][0] == 0 and len(read) == len(runs)
    for (run, pool), whole in zip(read, map(run_view, runs), strict=True):
        world = run["world"]
        assert {title: pool[at] for title, at in world["pages"].items()} == whole["world"]["pages"]
        assert run["steps"] == json.loads(json.dumps(whole["steps"]))
    pool = Pool()
    twice = [pack(run_view(runs[0]), pool) for _ in range(2)]
    assert twice[0] == twice[1] and len(pool.known) == len({*pool.known})
    files = data.folder("runs").rglob("*.jsonl")
    there = {path.relative_to(data.folder()).with_suffix("").as_posix() for path in files}
    # those of other programs have their own formats
    assert {name for name in there if "/agents/" not in name} | {"labels/runs"} == {*SETS}


def test_a_run_to_label_hides_what_a_blind_reader_may_not_see():
    whole = merging.drawn(data.folder("labels"))
    found = labelled_set(Sample(whole.runs[:3], whole.seed, whole.strata))
    for told, run in zip(found["runs"], whole.runs, strict=False):
        assert (told["id"], told["digest"]) == (run.id, store.digest(run))
        assert told["before"]["facts"] == [] and told["after"]["facts"][0][0] == "Gold answer"
        assert set(told["offered"]) <= set(told["every"])
    assert found["sample"]["ids"] == [run.id for run in whole.runs[:3]]


def test_no_folder_of_others_is_written_into(tmp_path, capsys, monkeypatch):
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ValueError, match="holds other files"):
        build(tmp_path)
    assert main(["site", str(tmp_path / "thesis.txt"), "--no-live"]) == 1
    assert "is a file: name a folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    monkeypatch.setattr(data, "project", lambda: None)
    with pytest.raises(ValueError, match="run this in a checkout"):
        build(tmp_path / "new", with_live=False)
    assert not Path(tmp_path / "new").exists()
