"""Runs of the shop in the labeller: what a thought made up, and what rules say of a purchase."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from shop.oracle import play
from shop.programs import first_hit

import react_lab as rl
from react_lab.envs.shop import Shop
from react_lab.label import rules
from react_lab.label.failure_modes import offered
from react_lab.label.rules import ShopEvidence
from react_lab.types import Step

GOALS = rl.tasks.load("shop", "old")


def bought(shopper, wanted):
    """The first run of a shopper with this reward."""
    world = Shop()
    runs = (shopper(goal, world(goal)) for goal in GOALS)
    return next(run for run in runs if wanted(run.reward or 0.0))


def test_a_purchase_that_earns_all_is_a_true_positive_unless_a_thought_made_something_up():
    run = bought(play, lambda reward: reward == 1)
    assert rules.suggest(run).mode == "true positive" and ShopEvidence(run).first_unseen == (0, "")
    dreamt = replace(run, steps=(Step("It costs 3.17.", None, "OK."), *run.steps))
    assert rules.suggest(dreamt).mode == "false positive"
    assert "3.17" in rules.suggest(dreamt).reason
    dreamt = replace(run, steps=(*run.steps[:1], Step("B0ZZZZZZZZ costs 3.17.", None, "OK.")))
    assert ShopEvidence(dreamt).first_unseen == (2, "3.17, b0zzzzzzzz")


def test_a_purchase_that_lacks_something_is_no_success_and_the_rule_says_what():
    run = bought(first_hit, lambda reward: 0 < reward < 1)
    found = rules.suggest(run)
    assert found.mode in ("reasoning error", "search result error") and found.reason
    nothing = replace(run, steps=run.steps[:1], reward=None, end="step_limit")
    assert rules.suggest(nothing).reason == "nothing was bought"
    assert "hallucination" not in offered(run)  # it has no thoughts
    away = replace(run, task=replace(run.task, extra={"asin": "B000000000"}))  # of no shop here
    assert rules.suggest(away).mode == "reasoning error"
    assert rules.suggest(away).reason == "nothing in sight kept it from buying the right thing"


@given(st.text(max_size=80))
def test_any_text_can_be_looked_at(text):
    steps = (Step(text, None, "OK."), Step(None, text, text))
    run = replace(play(GOALS[0], Shop()(GOALS[0])), steps=steps, reward=None, end="step_limit")
    assert len(list(ShopEvidence(run).pieces())) == 2
    assert rules.suggest(run).mode in offered(run)
