"""Table 4 from runs of all sorts: what a purchase lacked, and what stands beside what."""

from dataclasses import replace

import pytest
from shop.programs import first_hit, first_hit_named
from shop_small import task, written

import react_lab as rl
from react_lab import plots
from react_lab.analysis.shop import CAUSES, cause_of, causes
from react_lab.envs.shop import Shop
from react_lab.score import NO_MODEL
from react_lab.types import FAULTS, Step, Task, Trajectory


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    return Shop(written(tmp_path_factory.mktemp("shop") / "products.jsonl"))


def run_of(acts, end="finished", goal=None, method="act"):
    steps = tuple(Step(None, act) for act in acts)
    return Trajectory(f"{method} {len(acts)}", goal or task(), method, "m", steps=steps, end=end)


CLICKS = ("B000000001", "navy blue", "small", "Buy Now")
GOOD = ["search[desk lamp]", *map("click[{}]".format, CLICKS)]
GAPS = {
    "option passed by": ([*GOOD[:2], "click[wine red]", "click[small]", GOOD[-1]], {}),
    "no such option": (GOOD, {"options": ["navy blue", "huge"]}),
    "too dear": (GOOD, {"price_upper": 5.0}),
    "attribute": (GOOD, {"attributes": ["waterproof"]}),
    "wrong kind": (GOOD, {"title": "Garden Hose", "query": "hose", "category": "Garden"}),
    "no purchase": (GOOD[:-1], {}),
}


@pytest.mark.parametrize("cause", GAPS)
def test_what_a_purchase_lacks_is_told_by_what_was_done(shop, cause):
    acts, goal = GAPS[cause]
    assert cause_of(run_of(acts, goal=task(**goal)), shop) == cause


def test_the_first_cause_that_fits_is_the_one_and_a_purchase_that_has_all_lacks_nothing(shop):
    both = task(attributes=["waterproof"], price_upper=5.0)
    assert cause_of(run_of(GOOD[:2] + GOOD[-1:], goal=both), shop) == "too dear"
    assert list(CAUSES).index("too dear") < list(CAUSES).index("option passed by")
    for acts in (GOOD, [*GOOD, "click[Buy Now]"]):
        assert cause_of(run_of(acts), shop) is None


@pytest.mark.parametrize("end, cause", [
    *((end, "fault") for end in sorted(FAULTS)), ("step_limit", "no purchase"),
    *((end, "broke off") for end in ("unreadable", "refused", "context_limit")),
])  # fmt: skip
def test_a_fault_or_a_run_that_broke_off_is_no_failure_to_shop(shop, end, cause):
    assert cause_of(run_of(GOOD[:2], end), shop) == cause


def test_causes_are_of_shopping_goals_alone(shop):
    with pytest.raises(ValueError, match="no shopping goal"):
        cause_of(run_of([], goal=Task("q", "multihop", "Who?", "x")))
    assert "cause" in causes([], shop)


# ---------------------------------------------------------------------- shoppers without a model
def test_the_first_hit_is_bought_as_it_is_and_with_what_is_named(shop):
    wanted = task("desk lamp in navy blue")
    plain, named = first_hit(wanted, shop(wanted)), first_hit_named(wanted, shop(wanted))
    assert [step.action for step in plain.steps][1:] == ["click[B000000001]", "click[Buy Now]"]
    assert "click[navy blue]" in [step.action for step in named.steps]
    assert plain.reward < named.reward and plain.model == NO_MODEL


# ---------------------------------------------------------------------- the pictures
def asked(method, rewards, **changed):
    return [
        replace(
            run_of(GOOD, method=method), id=f"{method}{i}", reward=reward,
            task=Task(f"shop-test-{i}", "shop", "buy"), **changed,
        )
        for i, reward in enumerate(rewards)
    ]  # fmt: skip


def test_methods_are_compared_by_score_and_by_success_on_the_same_goals_of_one_shop():
    runs = asked("act", [1.0, 0.5, 0.0, 0.5]) + asked("react", [1.0, 1.0, 0.5, None])
    picture = plots.table4(runs)
    tables = picture.tables
    assert "it earned more on 1 goals, the other on 2" in picture.caption  # a score is not won
    assert "0 goals only it won, 1 only the other" in picture.caption
    score = tables["same goals, score"].iloc[0]
    success = tables["same goals, success rate"].iloc[0]
    assert (score["points"], score["only it"], score["only the other"]) == (-12.5, 1, 2)
    assert (success["points"], success["only it"], success["only the other"]) == (-25.0, 0, 1)
    (run,) = asked("act", [1.0])
    theirs = replace(run, task=replace(run.task, id="webshop-test-0"))
    with pytest.raises(ValueError, match="choose one"):
        plots.table4([run, theirs])
    with pytest.raises(ValueError, match="none of these runs is"):
        plots.table4([replace(run, task=Task("q", "multihop", "Who?", "x"))])


def test_failures_are_drawn_for_one_kind_of_task(shop):
    runs = [replace(run_of(acts, goal=task(id=name, **goal)), reward=0.5)
            for name, (acts, goal) in GAPS.items()]  # fmt: skip
    picture = plots.failures(runs, shop)
    became = dict(picture.table[["row", "n"]].values)
    assert became == dict.fromkeys(GAPS, 1)
    assert "shopping goals" in picture.caption
    game = Trajectory("g", rl.tasks.load("household", "old")[0], "act", "m", end="step_limit")
    with pytest.raises(ValueError, match="one kind at a time"):
        plots.failures([*runs, game])
