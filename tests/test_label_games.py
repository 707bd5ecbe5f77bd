"""Labels of games: what is offered, shown, suggested, and counted apart from those of questions."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest
from house.gold import gold_runs
from hypothesis import given
from hypothesis import strategies as st
from test_label import RIGHT, WRONG

import react_lab as rl
from react_lab import label
from react_lab.label.events import ENTRY
from react_lab.label.results import shown
from react_lab.label.rules import GameEvidence, opening
from react_lab.label.session import fixed, picture, run_in_sight
from react_lab.types import Step, Task, Trajectory
from react_lab.widgets.by_hand import Labeller

GAME = rl.tasks.load("household", "old_train")[0]  # put some winebottle on cabinet
LOOK = [" think: I look in the fridge first.", " go to fridge 1", " open fridge 1"]
BRING = [" go to countertop 1", " take winebottle 1 from countertop 1", " go to cabinet 1",
         " put winebottle 1 in/on cabinet 1"]  # fmt: skip
PLACES = [f" {act} {place}" for place in ("cabinet 3", "cabinet 4", "drawer 1") for act in ("go to", "open")]  # fmt: skip


def play(*acts, method="react", steps=None, task=GAME):
    model = rl.models.scripted(acts)
    return rl.run(method, task, model, max_steps=len(acts) if steps is None else steps)


@pytest.fixture(scope="module")
def runs():
    made = " think: The winebottle 3 is in the fridge 1."
    return SimpleNamespace(
        won=play(*LOOK, *BRING),
        lucky=play(*LOOK, made, *BRING),
        circles=play(*LOOK, *[" go to cabinet 2", " go to cabinet 3"] * 5),
        stuck=play(*LOOK, *[" take winebottle 1 from fridge 1"] * 3),
        not_found=play(*LOOK, *PLACES),
        made_up=play(*LOOK, made, *[" take winebottle 3 from fridge 1"] * 3),
        held=play(*LOOK, *BRING[:2], " go to drawer 1", " look"),
        act=play(*[" take winebottle 3 from fridge 1"] * 3, method="act"),
    )


def session(path, given, **options):
    return label.Session(given, path, "me", **options)


def test_a_game_is_a_success_when_it_is_won(runs):
    assert label.offered(runs.won) == label.SUCCESS and label.offered(runs.held) == label.FAILURE
    assert label.offered(replace(runs.held, end="unfinished")) == label.MODES
    assert "hallucination" not in label.offered(runs.act)  # no thought states anything
    assert "search result error" in label.offered(runs.act)


@pytest.mark.parametrize(("name", "mode", "reason"), [
    ("won", "true positive", "no thought names what was not seen"),
    ("lucky", "false positive", "winebottle 3"),
    ("circles", "reasoning error", "at step 10 it does again what led nowhere: go to cabinet 2"),
    ("stuck", "reasoning error", "at step 5 it does again"),
    ("not_found", "search result error", "it never saw winebottle"),
    ("made_up", "hallucination", "the thought of step 4 names what was not seen: winebottle 3"),
    ("held", "reasoning error", "it saw winebottle at step 4"),
    ("act", "reasoning error", "does again"),
])  # fmt: skip
def test_rules_suggest_a_mode_of_a_game(runs, name, mode, reason):
    run = getattr(runs, name)
    found = label.suggest(run)
    assert found.mode == mode and reason in found.reason and mode in label.offered(run)
    assert {"answer", "page", "read", "gold"}.isdisjoint(found.reason.split())


@pytest.mark.parametrize("leg", ["act", "react", "react-im"])
def test_no_thought_of_a_good_player_names_what_was_not_seen(leg):
    """Neither where slips stand in between."""
    for run in gold_runs(12, leg):
        assert GameEvidence(run).first_unseen == (0, "")
        assert label.suggest(run).mode == "true positive"


def test_what_is_only_expected_states_nothing(runs):
    said = {
        "There may be a winebottle 9 in drawer 1.": (),
        "Winebottle 9 is in drawer 1. It may be full.": ("winebottle 9",),
        "I need 2 bottles and look in drawer 1.": (),
        "I take the CELLPHONE 7 from the sofa 8.": ("cellphone 7", "sofa 8"),
    }
    for thought, missing in said.items():
        run = replace(runs.held, steps=(Step(thought, None, "OK."), *runs.held.steps))
        assert GameEvidence(run).origins[0].missing == missing
    unknown = replace(run, task=Task("x", "household", GAME.text, extra={"game": "none such"}))
    assert GameEvidence(unknown).origins[0].missing == ("cellphone 7",)  # who knows the places?
    tried = Step(None, "take mug 9 from drawer 1", "Nothing happens.")  # an act has named it
    run = replace(runs.held, steps=(tried, Step("There is no mug 9 here.", None, "OK.")))
    assert GameEvidence(run).origins[1].missing == ()


def test_a_judge_model_reads_the_guideline_of_games(tmp_path, runs):
    path = tmp_path / "judge.jsonl"
    judge = rl.models.scripted(["It was not there.\nStep: 4\nLabel: hallucination"], name="judge-1")
    label.judge([runs.made_up], judge, path, go=True)
    assert label.merge(path).marks[0].label == "hallucination"
    asked = judge.asked[0].prompt
    assert "that drawer was never opened" in asked and "You are in the middle of a room." in asked
    assert not any(word in asked for word in ("not won", "Gold", "Answer: none"))


def test_a_game_begins_with_its_opening(runs):
    assert opening(runs.won).startswith("You are in the middle of a room.")
    assert "Your task" not in opening(runs.won)
    odd = Task("x", "household", "x", extra={"game": "../../etc/passwd"})
    another = replace(GAME, text="put a mug in fridge.")  # in a game of that name
    for task in (another, odd, *(Task("x", kind, "x") for kind in ("shop", "mine", "household"))):
        assert opening(replace(runs.won, task=task)) == ""


def test_a_game_is_shown_as_a_game(tmp_path, runs):
    s = session(tmp_path / "me.jsonl", [runs.made_up])
    view = run_in_sight(s)
    assert view["game"] and view["guide"] == "household" and view["end"] == "step_limit"
    facts = {"Reward": "none", "The game": "not won", "Method": "react", "Model": "scripted"}
    assert dict(view["facts"]) == facts
    parts = [(p["step"], p["name"], "".join(t for t, _ in p["pieces"])) for p in view["parts"]]
    assert parts[:3] == [
        (1, "thought", "I look in the fridge first.\nOK."), (2, "action", "go to fridge 1"),
        (2, "observation", "The fridge 1 is closed."),
    ]  # fmt: skip
    assert view["parts"][5]["missing"] == "winebottle 3"
    assert view["parts"][-1]["pieces"] == [["Nothing happens.", "nothing"]]
    seen = run_in_sight(session(tmp_path / "w.jsonl", [runs.won]))["parts"]
    assert ["winebottle 1", "wanted"] in [piece for part in seen for piece in part["pieces"]]
    assert [words for words, _ in fixed(s)["guides"]["household"]][4] == "said what it had not seen"


def test_blind_hides_who_won(tmp_path, runs):
    for run in (runs.won, runs.held):
        given, path = [replace(run, model="MODELWORD")], tmp_path / f"{run.id}.jsonl"
        widget = Labeller(given, path, by="me", blind=True)
        sent = json.dumps([widget.front.run, widget.front.view]) + str(widget._repr_mimebundle_())
        assert not any(word in sent for word in ("step_limit", "finished", "Reward", "MODELWORD"))
        assert widget.front.run["end"] == "" and widget.front.run["facts"] == []
        said = widget.sound()
        assert said == f"You say sound; the game says {'won' if run is runs.won else 'not won'}"
        assert widget.front.run["end"] == run.end and "MODELWORD" in str(widget.front.run)
        words = widget._repr_mimebundle_()["text/html"]
        assert "Reward" in words and "Answer" not in words and "You are in the middle" in words


@given(st.text("<>&mug 12.\n\x00\u202e\ud800İ", max_size=60))
def test_any_text_can_be_read_as_a_game(text):
    steps = (Step(text, None, text), Step(None, text, text), Step(raw=text), Step(text, text, text))
    run = Trajectory("r", Task("t", "household", text), "react", "m", steps=steps, end="step_limit")
    found = GameEvidence(run)
    for step, pieces in zip(steps, found.pieces(), strict=True):
        assert "".join(piece for piece, _ in pieces) == (step.observation or "")
    assert label.suggest(run).mode in label.offered(run)


def mixed(runs):
    return [runs.won, runs.made_up, RIGHT, WRONG]


def labelled(path, runs):
    s = session(path, mixed(runs))
    for mode in (1, 5, 1, 3):
        s.step(1)
        s.label(mode)
    return s


def test_a_sample_is_of_one_kind(runs):
    given = [replace(run, id=f"{i}") for i, run in enumerate([*mixed(runs), runs.act])]
    with pytest.raises(ValueError, match="are of household games and multi-hop questions: sample"):
        label.sample(given)
    games = label.sample(given, kind="household")
    drawn = {name: count for name, count in games.strata.items() if count != (0, 0)}
    assert drawn == dict.fromkeys(["act failure", "react success", "react failure"], (1, 1))
    assert len(games.strata) == 6 and {run.task.kind for run in games} == {"household"}
    assert len(label.sample(given, kind="multihop").strata) == 4
    assert len(label.sample(given, kind="household", methods=["act"])) == 1


def test_a_label_says_of_what_kind_its_task_is(tmp_path, runs):
    s = labelled(tmp_path / "me.jsonl", runs)
    assert [m.kind for m in s.labelled] == ["household", "household", "multihop", "multihop"]
    s.undo()
    assert len(s.labelled) == 3
    assert session(tmp_path / "me.jsonl", mixed(runs)).mark.kind == "multihop"
    told = b'{"seq":1,"by":"a","event":"label","id":"r","digest":"d","label":"hallucination"}'
    old = ENTRY.read(told)
    assert old.kind == "" and label.Ledger([old]).labelled()[0].kind == ""


def test_table_2_never_counts_games_and_questions_together(tmp_path, runs):
    marks = labelled(tmp_path / "me.jsonl", runs).labelled
    with pytest.raises(ValueError, match=r"games and multi-hop questions: shares\(marks, kind="):
        label.shares(marks)
    games, questions = label.shares(marks, "household"), label.shares(marks, "multihop")
    assert {share.method for share in games} == {"react"}
    assert {share.paper for share in games} == {None}  # the paper's are of questions
    assert [(s.right, s.n) for s in games if s.mode == "hallucination"] == [(1, 1)]
    assert [s.paper for s in questions if s.mode == "hallucination"] == [0, 56]
    frame = label.frame(marks)
    with pytest.raises(ValueError, match="a table is of one kind"):
        rl.plots.table2(frame)
    caption = rl.plots.table2(frame[frame["kind"] == "household"]).caption
    assert "household games" in caption and "Diamonds" not in caption
    asked = frame[frame["kind"] == "multihop"]
    assert all("Diamonds" in rl.plots.table2(f).caption for f in (asked, asked.assign(kind="")))


KINDS = ("household games", "multi-hop questions")


def test_exports_and_the_widget_keep_them_apart(tmp_path, runs):
    s = labelled(tmp_path / "me.jsonl", runs)
    csv = label.export(s.labelled, tmp_path / "x.csv").read_text(encoding="utf-8")
    assert csv.splitlines()[0].endswith(",kind") and csv.splitlines()[1].endswith(",household")
    tables = picture(s)["tables"]
    assert [table["name"].partition(", ")[2] for table in tables] == [*KINDS]
    assert [row[2] for row in tables[0]["rows"]] == [1, 0, 0, 0, 1, 0]
    assert tables[0]["wrong"] == [[1, 2]]
    (alone,) = shown([m for m in s.labelled if m.kind == "multihop"])["tables"]
    assert alone["name"] == "Table 2" and alone["rows"][0][:4] == ["ReAct", "true positive", 1, 1]


def test_annotators_agree_on_one_kind_at_a_time(tmp_path, runs):
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for by, path in zip(("ann", "ben"), files, strict=True):
        s = label.Session(mixed(runs), path, by)
        for mode in (1, 5, 1, 3):
            s.label(mode)
    merged = label.merge(files)
    assert "ann: 2 labels of household games" in repr(merged)
    with pytest.raises(ValueError, match="take one kind"):
        label.agreement(merged.runs)
    found = label.agreement(merged.of("household").runs).pairs["ann", "ben"]
    assert [k.n for k in found.values()] == [1, 1, 2]
    assert len(merged.of("multihop").runs) == 2 and not merged.of("claims").runs
