"""HotpotQA, FEVER and the authors' prompts: from a file, or fetched once from where they lie."""

import contextlib
import hashlib
import itertools
import json
from collections import Counter
from dataclasses import replace

import pytest
from file_server import server
from stub_server import Answer, Stub
from test_paper import LEGS, rows

import react_lab as rl
from react_lab.__main__ import main
from react_lab.data import downloads
from react_lab.tasks import published
from react_lab.types import EnvError

SIMPLE = [{"question": f"Who is {i}?", "answer": f"A{i}", "type": "bridge"} for i in range(4)]
FULL = [{"_id": f"5a{i}", "level": "hard", "supporting_facts": [["T", 0]], "context": [["T", ["secret"]]], **row} for i, row in enumerate(SIMPLE)]  # fmt: skip
CLAIMS = [{"id": 70 + i, "verifiable": "VERIFIABLE", "label": label, "claim": f"So is {i}.", "evidence": [[[1, 2, "T", 0]]]} for i, label in enumerate(["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"])]  # fmt: skip
LINES = "".join(json.dumps(row) + "\n" for row in CLAIMS).encode()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("REACT_LAB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def offered(monkeypatch, url, content=LINES):
    """FEVER's file, as if it were this one."""
    kind, fever = published.SETS["fever"]
    told = {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
    monkeypatch.setitem(published.SETS, "fever", (kind, replace(fever, url=url, **told)))


# ---------------------------------------------------------------------- files as published
@pytest.mark.parametrize("rows, id", [(SIMPLE, ""), (FULL, "5a")])
def test_hotpotqa_simplified_and_full(tmp_path, rows, id):
    (tmp_path / "h.json").write_text(json.dumps(rows), encoding="utf-8")
    tasks = rl.tasks.load("hotpotqa", path=tmp_path / "h.json")
    assert [task.id for task in tasks] == [f"{id}{i}" for i in range(4)]
    assert {task.kind for task in tasks} == {"multihop"}
    assert [task.gold for task in tasks] == ["A0", "A1", "A2", "A3"]
    assert "secret" not in str(vars(tasks[0]))
    assert tasks[0].extra == {"source": "hotpotqa (h)", "type": "bridge"}
    assert len(rl.tasks.load("hotpotqa", n=2, seed=3, path=tmp_path / "h.json")) == 2


def test_fever_the_wrong_file_and_the_draw_of_the_authors(tmp_path, cache):
    (tmp_path / "f.jsonl").write_bytes(LINES)
    tasks = rl.tasks.load("fever", path=tmp_path / "f.jsonl")
    told = {"70": "SUPPORTS", "71": "REFUTES", "72": "NOT ENOUGH INFO"}
    assert {task.id: task.gold for task in tasks} == told
    assert {task.kind for task in tasks} == {"claims"}
    with pytest.raises(ValueError, match="holds claims, not multi-hop questions"):
        rl.tasks.load("hotpotqa", path=tmp_path / "f.jsonl")
    with pytest.raises(ValueError, match="hotpotqa has no split 'test'; it has: dev"):
        rl.tasks.load("hotpotqa", "test")
    with pytest.raises(ValueError, match="as their authors publish them, hotpotqa, fever"):
        rl.tasks.load("hotpot")
    with pytest.raises(ValueError, match="all of hotpotqa's or fever's dev"):
        rl.tasks.load("fever", n=2, seed="authors", path=tmp_path / "f.jsonl")
    with pytest.raises(ValueError, match="the authors drew from 7,405"):
        published.as_the_authors(8000)
    assert published.as_the_authors(4) == [3687, 6238, 5388, 3522]  # as their notebook prints them
    assert len(set(published.as_the_authors(7405))) == 7405


def test_all_published_records_load(shared):
    questions = rl.tasks.load("hotpotqa", path=shared / "hotpotqa_dev.json")
    claims = rl.tasks.load("fever", path=shared / "fever_paper_dev.jsonl")
    assert (len(questions), len(claims)) == (7405, 9999)
    assert Counter(task.extra["type"] for task in questions) == {"bridge": 5918, "comparison": 1487}
    assert set(Counter(task.gold for task in claims).values()) == {3333}
    for tasks in (questions, claims):
        assert len({task.id for task in tasks}) == len(tasks)
        assert all(task.text and task.gold for task in tasks)


def test_the_authors_own_500(shared):
    """What the notebook of FEVER printed, in its order, is what we draw."""
    tasks = rl.tasks.load("fever", n=500, seed="authors", path=shared / "fever_paper_dev.jsonl")
    runs = rl.store.read_transcript(shared / "gpt3_fever_500_transcript.txt")
    assert [task.text.strip() for task in tasks] == [run.task.text for run in runs]
    assert [task.gold for task in tasks] == [run.task.gold for run in runs]
    assert [f"fever-{at}" for at in published.as_the_authors(500)] == [run.task.id for run in runs]


# ---------------------------------------------------------------------- fetched once
def test_a_file_is_fetched_once(cache, monkeypatch, capsys):
    with server(LINES, name="paper_dev.jsonl") as (url, asked):
        offered(monkeypatch, url)
        assert main(["fetch", "fever"]) == 0 == main(["fetch", "fever"])
        assert len(rl.tasks.load("fever")) == 3 and asked == [None]
        assert rl.tasks.load("fever")[0].extra == {"source": "fever-dev"}
    assert str(cache / "paper_dev.jsonl") in capsys.readouterr().out


class Bar(contextlib.nullcontext):
    n = 0

    def __init__(self, **about):
        self.total = about["total"]

    def __enter__(self):
        return self

    def update(self, more):
        self.n += more


def test_a_broken_download_goes_on_and_shows_how_far_it_is(cache, monkeypatch):
    bars = []
    monkeypatch.setattr(
        downloads, "line", lambda: lambda **about: bars.append(Bar(**about)) or bars[-1]
    )
    with server(LINES, stops=(100, 50), name="paper_dev.jsonl") as (url, asked):
        offered(monkeypatch, url)
        for _ in range(2):
            with pytest.raises(EnvError, match=rf"of {len(LINES)} bytes of .* came; .* goes on"):
                rl.tasks.load("fever")
        path = downloads.fetch(published.SETS["fever"][1])
    assert asked == [None, "bytes=100-", "bytes=150-"] and path.read_bytes() == LINES
    assert [(bar.n, bar.total) for bar in bars] == [(n, len(LINES)) for n in (100, 150, len(LINES))]


@pytest.mark.parametrize("content", [LINES.replace(b"So is 0", b"So is 9"), LINES * 2])
def test_a_login_page_or_another_copy_is_not_taken_for_the_file(cache, monkeypatch, content):
    with server(content, name="paper_dev.jsonl") as (url, _):
        offered(monkeypatch, url)
        with pytest.raises(EnvError, match=r"what came is not the file of fever \(sha256 "):
            rl.tasks.load("fever")
    assert [path.suffix for path in cache.iterdir()] == [".lock"]


def test_a_file_that_has_changed_is_not_read(cache, monkeypatch):
    with server(LINES, name="paper_dev.jsonl") as (url, asked):
        offered(monkeypatch, url)
        path = downloads.fetch(published.SETS["fever"][1])
        path.write_bytes(LINES.replace(b"So is 0", b"So is 9"))
        assert (
            len(rl.tasks.load("fever")) == 3 == len({task.text for task in rl.tasks.load("fever")})
        )
        assert len(asked) == 2 and path.read_bytes() == LINES


def test_a_file_that_was_put_there_by_hand_is_taken(cache, monkeypatch):
    offered(monkeypatch, "http://127.0.0.1:9/paper_dev.jsonl")
    with pytest.raises(EnvError, match=r"not be downloaded .* tasks.load\('fever', path=...\)"):
        rl.tasks.load("fever")
    (cache / "paper_dev.jsonl").write_bytes(LINES)
    assert len(rl.tasks.load("fever")) == 3


@pytest.mark.parametrize("to", ["", "http://[", "/a"])
def test_a_file_that_has_moved_is_followed_to_where_it_is(cache, monkeypatch, to):
    def answer(asked):
        return Answer(LINES) if asked.path.endswith("/b") else Answer(b"", 307, {"Location": to})

    with Stub(answer) as stub:
        offered(monkeypatch, f"{stub.url}/paper_dev.jsonl")
        if to:
            with pytest.raises(EnvError, match="could not be downloaded"):
                rl.tasks.load("fever")
        to = "/v1/b"
        assert len(rl.tasks.load("fever")) == 3


def test_no_file_is_without_end(cache, monkeypatch):
    monkeypatch.setattr(downloads, "MORE", 50)
    with server(LINES * 9, name="paper_dev.jsonl") as (url, _):
        offered(monkeypatch, url)
        with pytest.raises(EnvError, match="what came is not|only .* bytes of the file"):
            rl.tasks.load("fever")
    assert sum(file.stat().st_size for file in cache.iterdir()) <= len(LINES) + 50


# ---------------------------------------------------------------------- the authors' prompts
REACT = "\nQuestion: Which sea?\nThought 1: I look.\nAction 1: Search[Danube]\nObservation 1: A river.\nThought 2: The Black Sea.\nAction 2: Finish[Black Sea]\n"
COT = "Question: Which sea?\nThought: Let's think step by step. It flows east.\nAnswer: Black Sea\n"
CLAIM = "\nSay which. \nClaim: Ulm is new.\nThought 1: I look.\nAction 1:Search[Ulm]\nObservation 1: Old.\nAction 2:Finish[REFUTES]\n\n"
GAME = "You are in the middle of a room. You see {}.\nYour task is to: look.\n> think: Well.\nOK.\n> look\nNothing.\n"
PROMPTS = {  # in the form of their files, in our own words
    "prompts_naive.json": {"webthink_simple6": REACT, "cotqa_simple6": COT, "other": "x"},
    "fever.json": {"webthink_simple3": CLAIM, "cotqa_simple3": "Say which. \nClaim: Ulm is new.\nThought: It is old.\nAnswer:REFUTES\n"},
    "alfworld_3prompts.json": {f"{leg}_put_{i}": GAME.format(f"a mug {i}") for leg in ("react", "act") for i in range(3)},
}  # fmt: skip


@contextlib.contextmanager
def given(monkeypatch, files):
    files = {n: f if isinstance(f, bytes) else json.dumps(f).encode() for n, f in files.items()}
    for name, content in files.items():
        told = hashlib.sha256(content).hexdigest(), len(content)
        monkeypatch.setitem(published.FILES, name, told)
    with server(files, name="") as (url, asked):
        monkeypatch.setattr(published, "REACT", url.rstrip("/"))
        yield asked


def test_the_authors_prompts_are_fetched_when_asked_for(cache, monkeypatch):
    with given(monkeypatch, PROMPTS) as asked:
        react = rl.prompt_of("react", prompts="authors").head
        cot = rl.prompt_of("cot", prompts="authors").head
        assert rl.prompt_of("act", "claims", prompts="authors").head.startswith("Say which.")
        assert main(["fetch", "prompts"]) == 0
        assert len(asked) == 3
    assert react.endswith(f"{REACT}\n") and cot.strip() == COT.strip()
    assert "Observation" in react
    assert "It is old." in rl.prompt_of("cot", "claims", prompts="authors").head
    assert rl.prompt_of("react", prompts="ours").head != react


def of_games(prompts, leg="react", type="pick_and_place_simple"):
    return rl.prompt_of(leg, "household", prompts=prompts, type=type).head


def test_games_and_their_order(cache, monkeypatch):
    with given(monkeypatch, PROMPTS):
        for prompts, mugs in (("authors", "012"), ("authors 2+1", "10"), ("authors 3", "2")):
            begun = [row for row in of_games(prompts).split("\n") if row.startswith("You are")]
            assert [row[-2] for row in begun] == list(mugs)
    with pytest.raises(ValueError, match="no prompt of household games for react-im"):
        of_games("authors", "react-im")
    with pytest.raises(ValueError, match="authors published no prompt of shopping goals"):
        rl.prompt_of("act", "shop", prompts="authors")


def test_a_run_with_their_prompts_goes_on_without_a_network(cache, monkeypatch):
    model = rl.models.scripted([" a\nAction 1: Finish[x]", " b\nAction 1: Finish[y]"])
    with given(monkeypatch, PROMPTS):
        run = rl.run("react", rl.tasks.question("Who?"), model, prompts="authors")
    assert run.settings["prompts"] == "authors" and rl.prompt_of(run, 1).count("Black Sea") == 2
    again = rl.resume(rl.rethink(run, 1, thought="No."), model)
    assert again.settings["prompt"] == run.settings["prompt"]


REAL = {"multihop": ("prompts_naive.json", "simple6"), "claims": ("fever.json", "simple3")}


def test_their_real_prompts_come_out_as_they_are(cache, monkeypatch, shared):
    """Line by line; but for our sentence on the acts, and the slips that test_paper.py names."""
    files = {name: (shared / "authors_prompts" / name).read_bytes() for name in PROMPTS}
    slips = {"Answer: yes": "Answer: Yes", "Answer: REFUTES": "Answer:REFUTES"}
    with given(monkeypatch, files):
        for (kind, (name, tag)), (leg, key) in itertools.product(REAL.items(), LEGS.items()):
            wanted = rows(json.loads(files[name])[f"{key}_{tag}"])
            head = rl.prompt_of(leg, kind, prompts="authors").head
            ours = [row for row in rows(head) if not row.startswith("Take turns")]
            assert [row if row in wanted else slips.get(row, row) for row in ours] == wanted
        for type in {task.extra["type"] for task in rl.tasks.load("household", "old")}:
            assert of_games("authors 2+1", type=type).count("in the middle of a room.") == 2
    paths = rl.data.folder("exemplars").rglob("*.txt")
    ours = "".join(path.read_text(encoding="utf-8") for path in paths)
    theirs = rows(json.loads(files["prompts_naive.json"])["webthink_simple6"])
    assert not [row for row in theirs if row.startswith("Question") and row in ours]
