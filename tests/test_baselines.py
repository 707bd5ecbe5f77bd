"""The programs that think nothing: what they may see, and that they are not better than they can be."""

import pytest

import react_lab as rl
from react_lab.analysis import baselines
from react_lab.envs.pages import Encyclopedia

BOOK = Encyclopedia([
    {"title": "Ulm", "text": "Ulm is a city. The painter Anna Lind was born in Ulm in 1870."},
    {"title": "Bern", "text": "Bern is a city. It has 3 bridges."},
])  # fmt: skip


def asked(text, gold=""):
    return baselines.one_search(rl.tasks.question(text, gold), BOOK)


def test_one_search_asks_the_whole_question_and_opens_what_comes_first():
    run = asked("Which painter was born in Ulm?", "Anna Lind")
    acts = ["Search[Which painter was born in Ulm?]", "Search[Ulm]"]
    assert [s.action for s in run.steps] == acts
    assert run.steps[1].observation.startswith("Ulm is a city.")
    assert run.answer == "Anna Lind" and rl.score.correct(run)
    assert run.model == rl.score.NO_MODEL and not any(step.thought for step in run.steps)


@pytest.mark.parametrize("question, answer", [
    ("When was Anna Lind born in Ulm?", "1870"), ("How many bridges has Bern?", "3"), ("Is Ulm a city?", "yes"),
    ("Which is older: Ulm or Bern?", "Ulm"), ("Who?", ""), ("", ""),
])  # fmt: skip
def test_one_search_takes_a_name_or_a_number_that_the_question_has_not(question, answer):
    assert asked(question).answer == answer


def test_it_has_learned_the_generated_claims_and_never_sees_a_label():
    """It does better on claims that it has seen than on others (data/build/check.py counts both)."""
    claims = rl.tasks.load("claims", "train", n=300, seed=1)
    right = sum(rl.score.correct(baselines.by_words(claim)) for claim in claims)
    assert right / len(claims) > 0.5
    unlabelled = [rl.tasks.claim(claim.text) for claim in claims[:20]]
    told = [baselines.by_words(claim).answer for claim in claims[:20]]
    assert [baselines.by_words(claim).answer for claim in unlabelled] == told


def test_words_that_no_claim_has_do_not_stop_it():
    for text in ("", "zzz qqq", "\x00", "行动", "a " * 5000):
        assert baselines.by_words(rl.tasks.claim(text or " ")).answer in baselines.learned()
