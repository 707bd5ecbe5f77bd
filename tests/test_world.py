"""The bundled world: its pages, questions and claims, and what a model learns from."""

import itertools
import json
from collections import Counter

import check
import pytest

import react_lab as rl
from react_lab.analysis import baselines
from react_lab.envs.pages import Encyclopedia, bundled
from react_lab.envs.wiki import sentences
from react_lab.finetune import demonstration
from react_lab.layouts import Numbered
from react_lab.prompts import exemplar_text, read_exemplars
from react_lab.records import objects

BOOK = bundled()
PAGES = {title: row for title, row in BOOK.rows.items() if "text" in row}


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.long)])
def test_nothing_is_wrong_that_a_machine_can_see(every, monkeypatch):
    """Of the tasks that a model learns from, some; `make data` looks at all of them."""
    whole = check.tasks_of

    def some(name, split):
        return whole(name, split)[:: every if split in check.LEARNED.get(name, ()) else 1]

    monkeypatch.setattr(check, "tasks_of", some)
    assert check.examine() == []


def test_pages_are_many_and_split_60_20_20_beside_80_hubs_and_the_exemplars_are_train():
    splits = [row["split"] for row in PAGES.values()]
    assert len(PAGES) >= 1000 and splits.count("hub") <= 80
    pages = len(splits) - splits.count("hub")
    for split, share in (("train", 0.6), ("dev", 0.2), ("test", 0.2)):
        assert abs(splits.count(split) / pages - share) < 0.03, split
    for kind in ("multihop", "claims"):
        for exemplar in read_exemplars(exemplar_text(kind), Numbered())[1]:
            for act in (step.action for step in exemplar.steps):
                row = BOOK.row(act.partition("[")[2][:-1])
                assert row.get("split", "train") == "train", act


SIZES = {"dev": (150, 120), "test": (300, 240)}


def rows(kind, *splits):
    return [row for split in splits for row in check.tasks_of(kind, split)]


@pytest.mark.parametrize("split", SIZES)
def test_questions_are_asked_directly_and_in_their_shares(split):
    found = rows("multihop", split)
    types = Counter(row["type"] for row in found)
    assert len(found) == SIZES[split][0]
    for kind, share in check.SHARES.items():
        assert abs(100 * types[kind] / len(found) - share) <= 1, (kind, types[kind])
    words = [len(row["text"].split()) for row in found]
    assert sum(words) / len(words) <= 13 and max(words) <= 20
    names = check.names_of(BOOK)
    assert sum(check.names_a_page(row["text"], names) for row in found) >= 0.85 * len(found)


def test_what_the_pages_do_not_tell_is_to_be_said_and_no_question_gives_its_answer_away():
    found = rl.tasks.load("multihop", "unanswerable")
    assert len(found) == 40
    told = rl.run("standard", found[0], rl.models.scripted([" Not enough info.\n"]))
    guess = rl.run("standard", found[0], rl.models.scripted([" 1.80 metres\n"]))
    assert rl.score.correct(told) and not rl.score.correct(guess)
    for split in ("dev", "test", "pool"):
        for task in rl.tasks.load("multihop", split):
            if task.extra["type"] == "bridge":
                gold = f" {rl.types.normalise(task.gold)} "
                assert gold not in f" {rl.types.normalise(task.text)} ", task.id


@pytest.mark.parametrize("split", SIZES)
def test_claims_are_short_balanced_and_do_not_tell_their_label(split):
    claims = rl.tasks.load("claims", split)
    labels = Counter(claim.gold for claim in claims)
    assert len(claims) == SIZES[split][1] and set(labels.values()) == {len(claims) // 3}
    assert sum(len(claim.text.split()) for claim in claims) / len(claims) <= 9
    names = check.names_of(BOOK)
    assert sum(check.names_a_page(claim.text, names) for claim in claims) >= 0.95 * len(claims)
    told = sum(bool(rl.score.correct(baselines.by_words(claim))) for claim in claims)
    assert told <= 0.4 * len(claims), told


def test_a_demonstration_is_played_today_and_is_right():
    for kind in check.LEARNED:
        for task in rl.tasks.load(kind, "train", n=40, seed=1):
            assert rl.score.correct(demonstration(task)), task.id
    with pytest.raises(ValueError, match="comes with no demonstration"):
        demonstration(rl.tasks.load("multihop", "dev")[0])


# The validator finds what a teacher may do wrong
ULM = {"title": "Ulm", "split": "dev", "text": "Ulm is a city. It lies on the Danube.", "facts": {"on_river": "Danube"}}  # fmt: skip
SMALL = Encyclopedia([
    ULM, {"title": "Rhine", "split": "train", "text": "The Rhine is a river."},
    {"title": "Danube", "split": "dev", "text": "The Danube is a river. It is long. It is wide. It is old. It is blue. It ends in the Black Sea."},
])  # fmt: skip


@pytest.mark.parametrize("changes, fault", [
    ({}, ""), ({"gold": "Black Sea", "sentences": ["It ends in the Black Sea."]}, ""),  # by Lookup
    ({"pages": ["Ulm", "Rhine"]}, "another split"), ({"pages": ["Ulm", "Elbe"]}, "no such page"),
    ({"sentences": ["It lies on the Rhine."]}, "no act shows the sentence"),
    ({"gold": "Neckar"}, "no observation holds the answer"), ({"type": "yes/no"}, "yes or no"),
    ({"gold": "NOT ENOUGH INFO", "absent": "city"}, "does mention city"),
    ({"gold": "SUPPORTS", "sentences": []}, "names its evidence"),
])  # fmt: skip
def test_the_validator_names_each_fault(changes, fault):
    row = {"id": "x", "text": "Q?", "gold": "Danube", "type": "bridge", "pages": ["Ulm", "Danube"]}
    row |= {"sentences": ["It lies on the Danube."], **changes}
    told = " ".join(check.faults_of_task(row, "dev", SMALL))
    assert fault in told and bool(fault) == bool(told)


def test_no_sentence_of_ours_stands_in_the_benchmarks(shared):
    hotpot = json.loads((shared / "hotpotqa_dev.json").read_text(encoding="utf-8"))
    fever = (row for _, row in objects(shared / "fever_paper_dev.jsonl"))
    theirs = {row["question"] for row in hotpot} | {row["claim"] for row in fever}
    ours = {s for row in PAGES.values() for s in sentences(row["text"])}
    for name, split in itertools.product(("multihop", "claims"), ("dev", "test", "typed")):
        ours |= {task.text for task in rl.tasks.load(name, split)}
    assert not {*map(rl.types.normalise, ours)} & {*map(rl.types.normalise, theirs)}
