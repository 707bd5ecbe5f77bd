"""Task sets: bundled, your own, published."""

import json

import pytest

import react_lab as rl


def test_a_bundled_set_is_loaded_by_name_and_split():
    tasks = rl.tasks.load("multihop", split="dev")
    assert len(tasks) >= 12 and {task.kind for task in tasks} == {"multihop"}
    assert all(task.gold and task.text and "gold" not in task.extra for task in tasks)
    assert len({task.id for task in tasks}) == len(tasks)


def test_a_seeded_draw_is_the_same_everywhere():
    ids = [task.id for task in rl.tasks.load("multihop", n=5, seed=0)]
    assert ids == [task.id for task in rl.tasks.load("multihop", n=5, seed=0)]
    assert (
        ids != [task.id for task in rl.tasks.load("multihop", n=5, seed=1)] and len(set(ids)) == 5
    )


def test_a_draw_by_type_keeps_the_shares():
    everything = rl.tasks.load("multihop")
    drawn = rl.tasks.load("multihop", n=len(everything) // 2, seed=3, by_type=True)
    for kind in {task.extra["type"] for task in everything}:
        shares = [sum(t.extra["type"] == kind for t in ts) / len(ts) for ts in (everything, drawn)]
        assert abs(shares[0] - shares[1]) <= 1 / len(drawn)
    assert drawn == rl.tasks.load("multihop", n=len(everything) // 2, seed=3, by_type=True)


def test_unknown_names_list_the_known_ones():
    with pytest.raises(ValueError, match="claims, household, multihop"):
        rl.tasks.load("hotpot")
    with pytest.raises(ValueError, match=r"it has: .*dev"):
        rl.tasks.load("multihop", split="nope")
    with pytest.raises(ValueError, match="9999 tasks were asked for"):
        rl.tasks.load("multihop", n=9999)


def test_the_answers_of_the_bundled_tasks_stand_on_their_pages():
    book = rl.envs.pages.bundled()
    for task in rl.tasks.load("multihop", "dev"):
        pages = [book.get(title) for title in task.extra["pages"]]
        assert all(pages), task.id
        if task.extra["type"] == "bridge":
            assert any(task.gold.lower() in page.lower() for page in pages), task.id


def test_a_question_of_your_own():
    task = rl.tasks.question("Who?", gold="me")
    assert (task.kind, task.gold) == ("multihop", "me") and task.id == rl.tasks.question("Who?").id
    assert rl.tasks.claim("So.", "REFUTES").kind == "claims"


def test_a_published_file_must_hold_questions_or_claims(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps([{"foo": 1}]), encoding="utf-8")
    with pytest.raises(ValueError, match="neither a question nor a claim"):
        rl.tasks.read(path)
    path = tmp_path / "x.jsonl"
    path.write_text("{]\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 1, cannot be read: it is not whole, clean JSON"):
        rl.tasks.read(path)
