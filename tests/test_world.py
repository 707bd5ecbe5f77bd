"""The bundled world: an oracle that may only use the world's actions sees every answer."""

import itertools
import json
import re
import tracemalloc

import pytest

import react_lab as rl
from react_lab import data
from react_lab.authoring import make, questions
from react_lab.envs.pages import Encyclopedia, bundled
from react_lab.envs.wiki import Wiki, sentences
from react_lab.records import objects
from react_lab.types import Step
from react_lab.world import check, difficulty
from react_lab.world.gold import gold_steps
from react_lab.world.relations import RELATIONS

BOOK = bundled()
PAGES = {title: row for title, row in BOOK.rows.items() if "text" in row}


def test_nothing_is_wrong_that_a_machine_can_see():
    assert check.examine() == []


def test_the_encyclopedia_is_large_and_varied():
    lengths = [len(sentences(row["text"])) for row in PAGES.values()]
    assert len(PAGES) >= 1000 and min(lengths) >= 5 and sum(n > 8 for n in lengths) >= 300
    assert sum("options" in row for row in BOOK.rows.values()) >= 40
    assert sum(len(row.get("aliases", ())) for row in BOOK.rows.values()) >= 200


def test_splits_are_60_20_20_beside_at_most_80_hubs():
    splits = [row["split"] for row in PAGES.values()]
    assert splits.count("hub") <= 80
    pages = len(splits) - splits.count("hub")
    for split, share in (("train", 0.6), ("dev", 0.2), ("test", 0.2)):
        assert abs(splits.count(split) / pages - share) < 0.03, split


def test_the_exemplars_pages_are_train():
    from react_lab.layouts import Numbered
    from react_lab.prompts import exemplar_text, read_exemplars

    for kind in ("multihop", "claims"):
        for exemplar in read_exemplars(exemplar_text(kind), Numbered())[1]:
            for act in (step.action for step in exemplar.steps):
                row = BOOK.row(act.partition("[")[2][:-1])
                assert row.get("split", "train") == "train", act


@pytest.mark.parametrize("split", ["dev", "test"])
def test_the_hand_written_sets_have_their_sizes_and_mix(split):
    tasks = rl.tasks.load("multihop", split)
    share = {
        t: sum(task.extra["type"] == t for task in tasks) / len(tasks)
        for t in ("bridge", "comparison", "yes/no")
    }
    assert len(tasks) >= 150 and 0.75 <= share["bridge"] <= 0.85 and 0.04 <= share["yes/no"] <= 0.08
    claims = rl.tasks.load("claims", split)
    labels = [task.gold for task in claims]
    assert len(claims) >= 120 and {labels.count(label) for label in labels} == {len(labels) // 3}


def of_both(*splits):
    """The open claims of these splits, and the others."""
    claims = [task for split in splits for task in rl.tasks.load("claims", split)]
    is_open = [task.gold == "NOT ENOUGH INFO" for task in claims]
    return [list(itertools.compress(claims, each)) for each in (is_open, [not o for o in is_open])]


@pytest.mark.parametrize("split", ["dev", "test"])
def test_open_claims_are_as_long_as_the_others_and_begin_like_them(split):
    lengths = [[len(task.text.split()) for task in claims] for claims in of_both(split)]
    for n in range(5, 21):
        shares = [sum(length <= n for length in each) / len(each) for each in lengths]
        assert abs(shares[0] - shares[1]) < 0.1, f"{n} words"

    def begins_with_a_title(task):
        rows = [(page, BOOK.rows[page]) for page in task.extra["pages"]]
        names = [n for page, row in rows for n in (page, *row.get("aliases", ()))]
        return task.text.startswith(tuple(name.partition(" (")[0] for name in names))

    def takes_two_pages(task):
        return len(task.extra["pages"]) > 1

    for trait in (begins_with_a_title, takes_two_pages):
        shares = [sum(map(trait, claims)) / len(claims) for claims in of_both(split)]
        assert abs(shares[0] - shares[1]) < 0.15, trait.__name__


def test_no_common_word_tells_that_a_claim_is_open():
    known = [[set(rl.types.normalise(t.text).split()) for t in c] for c in of_both("dev", "test")]
    for word in set().union(*known[0], *known[1]):
        times = [sum(word in words for words in each) for each in known]
        if sum(times) >= 10:
            shares = [(n + 1) / len(each) for n, each in zip(times, known, strict=True)]
            assert 1 / 3 < shares[0] / shares[1] < 3, (word, times)


def test_the_generated_sets_have_their_sizes():
    train = rl.tasks.load("multihop", "train")
    assert len(train) >= 4000 and len(rl.tasks.load("multihop", "pool")) == 1000
    assert len({task.extra["family"] for task in train}) >= 30
    claims = rl.tasks.load("claims", "train")
    assert len(claims) >= 2000 and len({task.text for task in claims}) == len(claims)
    assert len(rl.tasks.load("multihop", "dated")) == 8


def test_every_family_can_be_asked_in_eight_ways():
    for family in {
        task.extra["family"]
        for task in rl.tasks.load("multihop", "train")
        if task.extra["type"] == "bridge"
    }:
        assert len(set(questions.phrasings(tuple(family.split(">")), "X"))) >= 8, family
    for wordings in (*questions.SAME.values(), *(w for *_, w in questions.COMPARED.values())):
        assert len(set(wordings)) >= 8


def test_every_relation_is_worded():
    for name, relation in RELATIONS.items():
        assert relation.asks and relation.says, name
        assert all("{p}" in text and "{v}" in text for text in relation.says), name
        assert all("{d}" in text for text in relation.asks) and "{p}" in relation.seek, name
        assert not re.search(r"\ba [aeio]", " ".join(relation.says)), name


def test_gold_trajectories_recover_and_look_up():
    golds = [gold_steps(task) for task in rl.tasks.load("multihop", "train", n=300, seed=1)]
    seen = [[step.observation or "" for step in steps] for steps in golds]
    assert sum(any(text.startswith("Could not find") for text in texts) for texts in seen) > 30
    assert sum(any(text.startswith("(Result") for text in texts) for texts in seen) > 45
    assert all(
        isinstance(steps[-1], Step) and steps[-1].action.startswith("Finish[") for steps in golds
    )
    assert max(map(len, golds)) <= 7


def test_a_gold_trajectory_is_the_same_each_time():
    task = rl.tasks.load("multihop", "train", n=1, seed=2)[0]
    assert gold_steps(task) == gold_steps(task)


def test_the_files_are_what_the_program_makes():
    """The first questions of the pool, drawn again: the same lines."""
    again = make.draw(BOOK, "dev", 1000, "multihop-pool")
    assert again == check.tasks_of("multihop", "pool")


def test_no_question_gives_its_answer_away():
    for split in ("dev", "test", "pool"):
        for task in rl.tasks.load("multihop", split):
            if task.extra["type"] == "bridge":
                gold = f" {rl.types.normalise(task.gold)} "
                assert gold not in f" {rl.types.normalise(task.text)} ", task.id


def test_dated_questions_have_two_editions():
    for task in rl.tasks.load("multihop", "dated"):
        for edition, answer in (("old", task.gold), ("new", task.extra["now"])):
            book = BOOK.edited({task.extra["pages"][0]: task.extra[edition]["text"]})
            seen = Wiki(book)(task).step(f"Search[{task.extra['pages'][0]}]")
            assert answer.lower() in seen.text.lower(), task.id


def test_the_difficulty_is_printed_and_as_it_should_be():
    table = difficulty.table(BOOK)
    assert "multihop dev, bridge" in table and "guess yes" in table
    for split in ("dev", "test"):
        rows = check.tasks_of("multihop", split)
        bridge = [row for row in rows if row["type"] == "bridge"]
        assert difficulty.share([difficulty.answer_at_once(r, BOOK) for r in bridge]) < 25
        assert difficulty.share([difficulty.two_pages(r, BOOK) for r in rows]) > 70
        assert difficulty.share([difficulty.lookup(r, BOOK) for r in rows]) > 15
        assert difficulty.share([difficulty.ambiguous(r, BOOK) for r in rows]) > 8


@pytest.mark.parametrize("kind, count", [("multihop", 97), ("claims", 40)])
def test_the_typed_tasks_are_short_and_can_be_graded(kind, count):
    tasks = rl.tasks.load(kind, split="typed")
    ids = [task.id for task in tasks]
    assert len(tasks) == count == len(set(ids)) == len({task.text for task in tasks})
    assert all(task.gold and task.id.startswith(f"{kind}-typed-") for task in tasks)
    assert max(len(task.text) for task in tasks) < 100


def test_typed_questions_that_the_pages_leave_open_are_kept_and_not_graded():
    left = rl.tasks.load("multihop", split="typed_unanswerable")
    assert len(left) == 3 and all(task.gold is None for task in left)
    assert not {t.id for t in left} & {t.id for t in rl.tasks.load("multihop", split="typed")}
    run = rl.run("standard", left[0], model=rl.models.scripted([" Nobody knows\n"]))
    assert rl.score.correct(run) is None


@pytest.mark.parametrize("changes, fault", [
    ({"pages": ["Ulm"]}, "no such page"),
    ({"pages": ["Mount Kenya", "K2"]}, "another split"),
    ({"pages": ["Frederic Remington"], "sentences": []}, "another split"),
    ({"sentences": ["It is flat."]}, "no act shows the sentence"),
    ({"text": rl.tasks.load("multihop", "train")[0].text.upper()}, "may have learned from it"),
    ({"text": rl.tasks.load("multihop", "written")[0].text}, "may have learned from it"),
])  # fmt: skip
def test_the_validator_looks_at_typed_questions(changes, fault):
    row = check.tasks_of("multihop", "typed")[1]  # the height of Mount Kenya
    assert list(check.faults_of_typed([row], "multihop", BOOK)) == []
    assert fault in " ".join(check.faults_of_typed([{**row, **changes}], "multihop", BOOK))


# The validator finds what a teacher may do wrong
def faults(**changes):
    row = {
        "id": "x",
        "text": "Q?",
        "gold": "Danube",
        "type": "bridge",
        "pages": ["Ulm", "Danube"],
        "sentences": ["It lies on the Danube."],
    }
    book = Encyclopedia([
        {"title": "Ulm", "split": "dev", "text": "Ulm is a city. It lies on the Danube.", "facts": {"on_river": "Danube"}},
        {"title": "Danube", "split": "dev", "text": "The Danube is a river. It is long. It is wide. It is old. It is blue. It ends in the Black Sea."},
        {"title": "Rhine", "split": "train", "text": "The Rhine is a river."},
    ])  # fmt: skip
    return list(check.faults_of_task({**row, **changes}, "dev", book))


def test_the_validator_passes_a_good_question():
    assert faults() == []
    assert faults(gold="Black Sea", sentences=["It ends in the Black Sea."]) == []  # by Lookup


@pytest.mark.parametrize("changes, fault", [
    ({"pages": ["Ulm", "Rhine"]}, "another split"),
    ({"pages": ["Ulm", "Elbe"]}, "no such page"),
    ({"sentences": ["It lies on the Rhine."]}, "no act shows the sentence"),
    ({"gold": "Neckar"}, "no observation holds the answer"),
    ({"type": "yes/no"}, "yes or no"),
    ({"gold": "NOT ENOUGH INFO", "absent": "city"}, "does mention city"),
    ({"gold": "SUPPORTS", "sentences": []}, "names its evidence"),
])  # fmt: skip
def test_the_validator_names_each_fault(changes, fault):
    assert fault in " ".join(faults(**changes))


def page(**changes):
    row = {
        "title": "Ulm",
        "split": "dev",
        "facts": {"on_river": "Danube"},
        "text": "Ulm is a city on the Danube.",
    }
    return " ".join(check.faults_of_pages(Encyclopedia([{**row, **changes}])))


def test_the_validator_looks_at_pages():
    assert page() == ""
    assert "does not stand in its text" in page(facts={"on_river": "Rhine"})
    assert "no relation" in page(facts={"flies_over": "Danube"})
    assert "its split is None" in page(split=None)
    assert "double spaces" in page(text="Ulm is a city  on the Danube.")
    assert "given twice" in page(aliases=["ULM"])


def test_no_sentence_of_ours_stands_in_the_benchmarks(shared):
    hotpot = json.loads((shared / "hotpotqa_dev.json").read_text(encoding="utf-8"))
    fever = (row for _, row in objects(shared / "fever_paper_dev.jsonl"))
    theirs = {rl.types.normalise(row["question"]) for row in hotpot} | {
        rl.types.normalise(row["claim"]) for row in fever
    }
    for name, split in itertools.product(("multihop", "claims"), ("dev", "test", "typed")):
        ours = {rl.types.normalise(task.text) for task in rl.tasks.load(name, split)}
        assert not ours & theirs
    ours = {rl.types.normalise(s) for row in PAGES.values() for s in sentences(row["text"])}
    assert not ours & theirs


def test_the_pages_take_less_than_40_mb():
    """How long loading and searching take is measured by tests/benchmarks/world.py."""
    tracemalloc.start()
    book = Encyclopedia(
        row for path in sorted(data.folder("wiki").glob("*.jsonl")) for _, row in objects(path)
    )
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used < 40e6 and len(book.rows) > 1000
