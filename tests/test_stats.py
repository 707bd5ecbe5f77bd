"""Intervals and paired tests: against scipy, against simulation, and in words."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_lab.stats import bootstrap, mcnemar, needed, paired, pairs, wilson

counts = st.integers(0, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts)
def test_wilson_is_scipys(count):
    from scipy.stats import binomtest  # not at import: slow, and every process imports this file

    right, n = count
    low, high = wilson(right, n)
    assert 0 <= low < high <= 1
    if n:
        assert low - 1e-12 <= right / n <= high + 1e-12
        theirs = binomtest(right, n).proportion_ci(method="wilson")
        assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert wilson(3, 10) < wilson(3.5, 10) < wilson(4, 10)  # a half right task counts half
    with pytest.raises(ValueError, match="no rate"):
        wilson(n + 1, n)


@given(st.integers(0, 200), st.integers(0, 200))
def test_mcnemar_is_the_exact_sign_test(wins, losses):
    from scipy.stats import binom

    p = mcnemar(wins, losses)
    assert p == pytest.approx(mcnemar(losses, wins)) and 0 < p <= 1
    tail = binom.cdf(min(wins, losses), wins + losses, 0.5)
    assert p == pytest.approx(min(1, 2 * tail) if wins + losses else 1)


def test_the_bootstrap_is_the_normal_interval_where_n_is_large():
    values = np.random.default_rng(1).choice([-1, 0, 1], 2000, p=[0.1, 0.7, 0.2])
    low, high = bootstrap(values)
    reach = 1.96 * values.std() / np.sqrt(len(values))
    assert (low, high) == pytest.approx((values.mean() - reach, values.mean() + reach), abs=0.003)
    assert bootstrap(values) == (low, high)  # seeded
    assert bootstrap([1.0]) == (float("-inf"), float("inf"))


@pytest.mark.parametrize("wins, losses, n", [(20, 10, 100), (12, 2, 60), (30, 20, 100)])
def test_the_number_that_is_needed_is_enough_4_times_in_5(wins, losses, n):
    pick, tasks = np.random.default_rng(2), needed(wins, losses, n)
    draws = pick.multinomial(tasks, [wins / n, losses / n, 1 - (wins + losses) / n], size=400)
    power = np.mean([mcnemar(int(won), int(lost)) < 0.05 for won, lost, _ in draws])
    assert 0.7 < power < 0.87
    assert needed(losses, wins, n) == tasks and needed(5, 5, n) is None


def frame(rows):
    df = pd.DataFrame(rows, columns=["task", "method", "correct"])
    return df.assign(model="m", setting="prompted")


def two(wins, losses, both, neither):
    """A frame of methods a and b that differ on so many tasks."""
    grades = [(1, 0)] * wins + [(0, 1)] * losses + [(1, 1)] * both + [(0, 0)] * neither
    named = ((f"t{i}", zip("ab", pair, strict=True)) for i, pair in enumerate(grades))
    return frame([(task, method, bool(grade)) for task, pair in named for method, grade in pair])


def test_a_pair_counts_the_graded_tasks_both_have_once_and_settings_can_be_compared_too():
    df = pd.concat([two(9, 3, 20, 28), frame([("only-a", "a", True), ("only-b", "b", False)])])
    pair = paired(df, "a", "b")
    assert (pair.n, pair.wins, pair.losses) == (60, 9, 3)
    assert pair.difference == pytest.approx(0.1) and pair.low < 0.1 < pair.high
    assert pair.p == mcnemar(9, 3) and not pair.separated
    back = paired(df, "b", "a")
    assert (back.difference, back.low) == pytest.approx((-pair.difference, -pair.high), abs=0.01)
    once = two(9, 3, 20, 28)
    assert paired(pd.concat([once, once, once]), "a", "b") == paired(once, "a", "b")
    once["correct"] = once["correct"].astype(object)
    once.loc[once["task"] == "t0", "correct"] = None
    assert paired(once, "a", "b").n == 59
    df = two(9, 0, 10, 10)
    df = pd.concat([df[df["method"] == "a"].assign(setting="fine-tuned"), df[df["method"] == "b"]])
    df["method"] = "react"
    assert paired(df, "fine-tuned", "prompted", by="setting").separated


@pytest.mark.parametrize("case, words", [
    ((9, 3, 20, 28), "too few to separate the two: about 160 would show"),
    ((20, 2, 20, 18), "Beyond chance, a is better than b here"),
    ((2, 20, 20, 18), "Beyond chance, b is better than a here"),
    ((3, 3, 5, 5), "they are even"),
])  # fmt: skip
def test_the_note_says_what_these_tasks_can_tell(case, words):
    pair = paired(two(*case), "a", "b")
    assert words in pair.note and f"same {sum(case)} tasks" in pair.note


@pytest.mark.parametrize("change, words", [
    (lambda df: df[df["method"] == "a"], "no graded runs of b; there are: a"),
    (lambda df: df[(df["method"] == "a") ^ (df["task"] == "t0")], "no task in common"),
    (lambda df: pd.concat([df, df.assign(setting="fine-tuned")]), "several kinds"),
    (lambda df: pd.concat([df, df.assign(model="other")]), "as in df\\[df\\['model'\\] == 'm'\\]"),
])  # fmt: skip
def test_a_comparison_that_says_nothing_is_refused(change, words):
    with pytest.raises(ValueError, match=words):
        paired(change(two(1, 0, 2, 2)), "a", "b")


def test_every_two_methods_with_holms_correction():
    df = two(12, 2, 20, 26)
    third = df[df["method"] == "b"].assign(method="c")
    plain, holm = (pairs(pd.concat([df, third]), how) for how in (None, "holm"))
    assert list(zip(plain["a"], plain["b"], strict=True)) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert list(plain["p"]) == [mcnemar(12, 2)] * 2 + [1.0] and plain["separated"].sum() == 2
    assert list(holm["p"]) == [3 * mcnemar(12, 2)] * 2 + [1.0]  # 0.013 three times: 0.039
    assert list(pairs(df[df["method"] == "a"])) == list(holm) and len(pairs(two(6, 1, 9, 9))) == 1
    kinds = pd.concat([df.assign(kind="x"), df.assign(kind="y")])
    apart = pairs(kinds, within="kind")  # the two are corrected together
    assert list(apart["kind"]) == ["x", "y"] and list(apart["p"]) == [2 * mcnemar(12, 2)] * 2
    with pytest.raises(ValueError, match="there are 'holm' and None"):
        pairs(df, "bonferroni")
