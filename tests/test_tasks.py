"""Task sets: bundled, your own, published."""

import pytest

import react_lab as rl
from react_lab.envs.shop.catalogue import catalogue
from react_lab.types import EnvError


def test_a_bundled_set_is_loaded_by_name_and_split_and_a_question_may_be_your_own():
    tasks = rl.tasks.load("multihop", split="dev")
    assert len(tasks) >= 12 and {task.kind for task in tasks} == {"multihop"}
    assert all(task.gold and task.text and "gold" not in task.extra for task in tasks)
    assert len({task.id for task in tasks}) == len(tasks)
    task = rl.tasks.question("Who?", gold="me")
    assert (task.kind, task.gold) == ("multihop", "me") and task.id == rl.tasks.question("Who?").id
    assert rl.tasks.claim("So.", "REFUTES").kind == "claims"


def test_a_seeded_draw_is_the_same_everywhere_and_by_type_keeps_the_shares():
    some, again, others = (rl.tasks.load("multihop", n=5, seed=seed) for seed in (0, 0, 1))
    assert some == again != others and len({task.id for task in some}) == 5
    everything = rl.tasks.load("multihop")
    drawn = rl.tasks.load("multihop", n=len(everything) // 2, seed=3, by_type=True)
    for kind in {task.extra["type"] for task in everything}:
        shares = [sum(t.extra["type"] == kind for t in ts) / len(ts) for ts in (everything, drawn)]
        assert abs(shares[0] - shares[1]) <= 1 / len(drawn)
    assert drawn == rl.tasks.load("multihop", n=len(everything) // 2, seed=3, by_type=True)


def test_unknown_names_list_the_known_ones_and_a_number_of_tasks_is_a_number():
    with pytest.raises(TypeError, match="n takes a whole number, or None, not '5'"):
        rl.tasks.load("multihop", n="5")
    with pytest.raises(ValueError, match="claims, household, multihop"):
        rl.tasks.load("hotpot")
    with pytest.raises(ValueError, match=r"it has: .*dev"):
        rl.tasks.load("multihop", split="nope")
    with pytest.raises(ValueError, match="9999 tasks were asked for"):
        rl.tasks.load("multihop", n=9999)


# ---------------------------------------------------------------------- a table of one's own
def table(tmp_path, content, name="mine.csv"):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8-sig", newline="")
    return path


def test_a_table_of_questions_becomes_tasks_and_may_stand_in_place_of_a_benchmark(tmp_path):
    rows = "Question;Answer;type", "How warm is it in Rome?;16;value", "", '"Rome; or Oslo?";;', ""
    path = table(tmp_path, "\r\n".join(rows))
    one, two = rl.tasks.read(path, kind="tools")
    assert (one.kind, one.text, one.gold, one.extra) == (
        "tools", "How warm is it in Rome?", "16", {"type": "value"},
    )  # fmt: skip
    assert (two.text, two.gold, two.extra) == ("Rome; or Oslo?", None, {})
    assert one == rl.tasks.read(path, kind="tools")[0] and one.id != two.id
    assert len(rl.tasks.read(path, n=1)) == 1 and rl.tasks.read(path)[0].kind == "multihop"
    path = table(tmp_path, "question,answer\nWho?,Ann\n,\n")
    (task,) = rl.tasks.load("hotpotqa", path=path)
    assert (task.text, task.gold, task.extra["source"]) == ("Who?", "Ann", "hotpotqa (mine)")
    with pytest.raises(ValueError, match="has neither a question nor a claim"):
        rl.tasks.load("hotpotqa", path=table(tmp_path, "a,b\n1,2\n"))


@pytest.mark.parametrize("read", [
    rl.tasks.read, rl.envs.read_pages, catalogue, lambda path: rl.models.local(path),
    lambda path: rl.data.resolve(path), lambda path: rl.store.read_transcript(path),
])  # fmt: skip
def test_a_home_folder_of_nobody_is_a_sentence(read):
    with pytest.raises((OSError, EnvError), match="nobody-at-all/x begins with a home folder that"):
        read("~nobody-at-all/x")


@pytest.mark.parametrize("path", ["a\0b", "\ud800"])
@pytest.mark.parametrize("read", [
    rl.tasks.read, rl.envs.zim, rl.models.local, rl.store.open, lambda path: rl.models.local(adapter={"react": path}),
])  # fmt: skip
def test_what_no_file_can_be_called_is_a_sentence(read, path):
    with pytest.raises(ValueError, match="is no path: it holds a zero or half a character"):
        read(path)


def test_a_table_of_claims_has_labels_and_a_kind_that_there_is_not_is_told(tmp_path):
    with pytest.raises(ValueError, match="there are: multihop, claims"):
        rl.tasks.read(table(tmp_path, "question\nWho?\n"), kind="riddles")
    path = table(tmp_path, "id\tclaim\tlabel\n7\tIt rains.\tREFUTES\n", "mine.tsv")
    (task,) = rl.tasks.read(path)
    assert (task.id, task.kind, task.gold) == ("7", "claims", "REFUTES")


@pytest.mark.parametrize("content, told", [
    ("title,text\na,b\n", "line 2, has neither a question nor a claim"),
    ("question,answer\nWho?,Ann,Bob\n", "line 2, has 3 cells, not 2"),
    ("question,answer\n ,Ann\n", "line 2, has an empty cell"),
    ("question,answer\n\"Who?,Ann\n", "is no row of a table"),
])  # fmt: skip
def test_a_table_that_is_none_is_told(tmp_path, content, told):
    with pytest.raises(ValueError, match=told):
        rl.tasks.read(table(tmp_path, content))
