"""The claims that are learned from: no word of one gives its label away, so a page must be read."""

import random
import re
from collections import Counter

import pytest

import react_lab as rl
from react_lab.envs.pages import bundled
from react_lab.world import shortcuts
from react_lab.world.gold import LABELS, gold_run
from react_lab.world.oracle import named
from react_lab.world.reader import oracle
from react_lab.world.relations import RELATIONS

OPEN = LABELS[2]
BOOK = bundled()
MADE = ("train", "pool")


def claims(split, label):
    return [task for task in rl.tasks.load("claims", split) if task.gold == label]


def frame(task):
    """A claim without its names: how it is put."""
    text = task.text.casefold()
    said = [task.extra["pages"][0], task.extra.get("claimed", task.extra.get("absent", ""))]
    for name in sorted(map(str, said), key=len, reverse=True):
        for form in (named(name), name.rpartition(" (")[0] or name):
            text = text.replace(form.casefold().removeprefix("the "), "_")
    return re.sub(r"\bthe ", "", text)


@pytest.mark.parametrize("split", MADE)
def test_every_frame_comes_as_often_with_each_label(split):
    frames = {label: Counter(map(frame, claims(split, label))) for label in LABELS}
    assert sum(frames[OPEN].values()) >= 100
    for label in LABELS[:2]:
        alike = (frames[label] & frames[OPEN]).total()
        assert alike >= 0.97 * frames[OPEN].total(), (frames[OPEN] - frames[label]).most_common(5)


def words(tasks):
    return sum(len(task.text.split()) for task in tasks) / len(tasks)


@pytest.mark.parametrize("split", [*MADE, "written"])
def test_open_claims_are_as_long_as_the_others(split):
    long = {label: words(claims(split, label)) for label in LABELS}
    assert long[OPEN] > min(long[LABELS[0]], long[LABELS[1]]) - 0.25, long
    assert max(long.values()) < 1.25 * min(long.values()), long


@pytest.mark.parametrize("split, share", [("train", 1), ("pool", 1), ("written", 0.8)])
def test_open_claims_take_two_pages(split, share):
    left_open = claims(split, OPEN)
    two = sum(len(set(task.extra["pages"])) == 2 for task in left_open)
    assert two >= share * len(left_open)


def test_open_claims_begin_with_a_title_no_more_often_than_the_others():
    def begins(task):
        return any(task.text.startswith(page.partition(" (")[0]) for page in task.extra["pages"])

    often = {label: sum(map(begins, claims("written", label))) for label in LABELS}
    assert often[OPEN] <= min(often.values()) + 5, often


def test_what_an_open_claim_says_stands_on_no_page_of_it():
    for task in [t for split in MADE for t in claims(split, OPEN)]:
        page, relation = task.extra["missing"]
        row = BOOK.rows[page]
        about = "|".join(map(re.escape, RELATIONS[relation].keys))
        assert relation not in row["facts"] and about, task.id
        text = re.sub(r"\bborn in (?=\d)", "", row["text"], flags=re.IGNORECASE)  # when, not where
        assert not re.search(rf"\b(?:{about})", text, re.IGNORECASE), task.id
        assert task.extra["absent"].lower() not in row["text"].lower(), task.id


def test_nobody_is_taught_or_married_by_somebody_of_another_age():
    def life(page):
        facts = BOOK.rows.get(page, {}).get("facts", {})
        years = [str(facts.get(one, "")) for one in ("birth_year", "death_year")]
        return tuple(map(int, years)) if all(year.isdigit() for year in years) else None

    seen = 0
    for task in [t for split in MADE for t in claims(split, OPEN)]:
        page, relation = task.extra["missing"]
        one, two = life(page), life(task.extra["claimed"])
        if relation in ("teacher", "student", "spouse", "father") and one and two:
            seen += 1
            assert one[0] < two[1] and two[0] < one[1], task.text
    assert seen >= 20


def test_words_alone_tell_the_label_of_a_generated_claim_no_better_than_a_guess():
    pool = rl.tasks.load("claims", "pool")
    right = Counter(t.gold for t in pool if rl.score.correct(shortcuts.by_words(t)))
    assert right.total() / len(pool) < 0.42, right
    assert right[OPEN] / 100 < 0.55, right


def test_the_oracle_reads_two_pages_of_every_open_claim_before_it_gives_up():
    for task in random.Random(7).sample(claims("train", OPEN), 120):
        run = oracle.play(task)
        opened = {BOOK.row(step.action[7:-1]).get("title") for step in run.steps
                  if step.action.startswith("Search[")} - {None}  # fmt: skip
        assert run.answer == OPEN and len(opened) >= 2, task.id
        assert any(step.observation == "No more results." for step in run.steps), task.id
        assert rl.score.correct(gold_run(task)) and len(gold_run(task).steps) <= 5
