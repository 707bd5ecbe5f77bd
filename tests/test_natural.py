"""The questions worded as students type them, and the program that checks them."""

import copy

import pytest

import react_lab as rl
from react_lab import finetune
from react_lab.finetune.gold import draw_gold
from react_lab.world import check, natural
from react_lab.world.gold import ASTRAY, gold_run

BOOK = rl.envs.pages.bundled()
ROWS = check.tasks_of("multihop", "natural")


def test_there_are_as_many_as_the_readme_says_and_of_the_mix():
    readme = rl.data.folder("README.md").read_text(encoding="utf-8")
    assert len(ROWS) >= 800 and f"**natural** holds {len(ROWS)} questions" in readme
    share = natural.shares(ROWS)
    assert 0.5 <= share["one page"] <= 0.62
    assert share["I need"] < 0.15 and share["any three words"] < 0.05
    two = [row for row in ROWS if row["type"] in ("comparison", "yes/no")]
    assert 0.12 <= len(two) / len(ROWS) <= 0.18


def test_no_fault_is_found_in_them():
    assert [*natural.faults_of_natural(ROWS, check.kept_apart("multihop"), BOOK)] == []


def test_they_are_loaded_as_every_set_is_and_their_runs_are_right():
    tasks = rl.tasks.load("multihop", "natural")
    assert [task.id for task in tasks] == [row["id"] for row in ROWS]
    for task in tasks:
        run = gold_run(task)
        assert rl.score.correct(run) and len(run.steps) <= 7, task.id
        assert run.answer not in ("NOT ENOUGH INFO", ""), task.id


def test_they_look_like_what_is_typed():
    texts = [row["text"] for row in ROWS]
    assert sum(text == text.lower() for text in texts) > len(texts) / 2
    assert sum(not text.endswith("?") for text in texts) > len(texts) / 2
    assert sum(len(text.split()) for text in texts) / len(texts) < 12


def test_what_led_nowhere_is_shown_and_never_learned():
    rows = [row for row in ROWS if any(len(step) == 3 for step in row["steps"])]
    marked = [step for row in rows for step in row["steps"] if len(step) == 3]
    assert 40 < len(marked) < 0.05 * sum(len(row["steps"]) for row in ROWS)
    ids = {row["id"] for row in rows}
    tasks = [task for task in rl.tasks.load("multihop", "natural") if task.id in ids]
    for leg in ("react", "act"):
        lines = finetune.training_lines([gold_run(task) for task in tasks], leg)
        kept = [turn for line in lines for turn in line if not turn.learned]
        assert len(kept) == len(marked)
        assert all(act in turn.written for turn, (_, act, _) in zip(kept, marked, strict=True))
        learned = [row["completion"] for row in finetune.rows(lines)]
        assert len(learned) == sum(map(len, lines)) - len(marked)


def test_the_first_draw_stays_and_these_come_on_top():
    plain, more = draw_gold(60), draw_gold(60, natural=25)
    assert not [run for run in plain if "-natural-" in run.id]
    extra = [run for run in more if "-natural-" in run.id]
    assert len(extra) == 25 and len(more) == 85
    assert {run.id for run in more} - {run.id for run in extra} == {run.id for run in plain}
    assert [run.id for run in draw_gold(60, natural=0)] == [run.id for run in plain]


def faults(change, known=()):
    """What is found when a row is bent."""
    row = copy.deepcopy(next(row for row in ROWS if row["text"].startswith("how high is the matt")))
    row["id"] = "multihop-natural-0001"
    change(row)
    return [
        fault
        for fault in natural.faults_of_natural([row], dict(known), BOOK)
        if "of the thoughts begin" not in fault and "of the questions are" not in fault
    ]


def put(part, value):
    return lambda row: row.update({part: value})


def think(at, text):
    return lambda row: row["steps"][at].__setitem__(0, text)


def add(at, *step):
    return lambda row: row["steps"].insert(at, [*step])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (put("id", "multihop-natural-0009"), "it stands where multihop-natural-0001"),
        (put("type", "riddle"), "its type is 'riddle'"),
        (put("gold", "yes"), "its type is 'one page' and its answer 'yes'"),
        (put("type", "comparison"), "its type is 'comparison' and it has 1 pages"),
        (put("type", "bridge"), "its type is 'bridge' and it has 1 pages"),
        (put("sentences", []), "a part of it is empty"),
        (put("sentences", ["It is flat."]), "no act shows the sentence 'It is flat.'"),
        (put("more", 1), "its parts are"),
        (put("steps", [["It is there.", "Finish[4,478 m]"]]), "its solution has one step"),
        (think(0, "It has 4,478 m."), "a thought says '4,478' before it was seen"),
        (think(0, "Zermatt lies below."), "a thought says 'zermatt' before it was seen"),
        (think(0, "It stands above Zermatt."), "a thought says 'zermatt' before it was seen"),
        (add(1, "A height.", "Lookup[zebra]"), "led nowhere and is not marked"),
        (add(1, "A height.", "Lookup[Italian]", ASTRAY), "found something and is marked"),
        (add(1, "Odd.", "Lookup[zebra]", "x"), "a step is a thought, an act and"),
        (add(1, "There.", "Search[Mount Kenya]"), "it opens a page of another split"),
    ],
)
def test_each_fault_is_said(change, said):
    assert any(said in fault for fault in faults(change)), faults(change)


@pytest.mark.parametrize(
    "change",
    [
        lambda row: None,
        think(0, "I think it is near Zermatt."),  # it says that it guesses
        think(1, "The village of Zermatt is named, and 4,478 m."),  # it has been seen
        add(1, "A height.", "Lookup[zebra]", ASTRAY),
    ],
)
def test_what_is_right_has_no_fault(change):
    assert faults(change) == []


def test_what_is_asked_in_dev_or_test_is_not_asked_again():
    near = faults(lambda row: None, {"multihop-dev-001": "The Matterhorn: how high is it?"})
    assert near == ["multihop-natural-0001: it is nearly multihop-dev-001"]
    assert faults(lambda row: None, {"multihop-dev-001": "How high is Ararat?"}) == []
    assert natural.nearness("Who wrote it?", "who wrote les mis") == pytest.approx(1 / 3)


def test_twice_the_same_question_and_moulds_are_found():
    row = {**ROWS[0], "steps": [["I need the page.", step[1]] for step in ROWS[0]["steps"]]}
    found = [*natural.faults_of_natural([row, {**row, "id": "multihop-natural-0002"}], {}, BOOK)]
    for said in ("is asked twice", "begin with I need", "begin with any three words", "one page"):
        assert any(said in fault for fault in found), said
