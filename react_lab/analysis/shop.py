"""Why a purchase did not earn everything, from what was done; thoughts count for nothing.

Every act is done again in the shop, and the parts of the reward say what the purchase lacked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import score
from ..envs.shop import Product, Shop, ShopEnv
from ..envs.shop.reward import alike, colour
from ..support.lazy import pd
from ..types import FAULTS, Trajectory, World

CAUSES = {  # in this order: the first that fits is the one that counts
    "fault": "the model or the shop could not be reached",
    "broke off": "no act could be read, the model refused, or its context was full",
    "no purchase": "nothing was bought",
    "wrong kind": "the product is of another kind than was asked for",
    "too dear": "it costs more than was asked for",
    "option passed by": "an option that was asked for had its button there, and was not clicked",
    "no such option": "the product does not come in an option that was asked for",
    "attribute": "only an attribute that was asked for is not there",
}


def cause_of(run: Trajectory, world: World | None = None) -> str | None:
    """A name in `CAUSES`, the first that fits; None where everything was earned.

    world: where the run's goal is found; None is `Shop()`.
    """
    env = (world or Shop())(run.task) if run.task.kind == "shop" else None
    if not isinstance(env, ShopEnv):
        raise ValueError(f"{run.task!r} is no shopping goal: only those have these causes")
    env.reset(run.task)
    for step in run.steps:
        if step.action and not step.action.strip().lower().startswith("think["):
            env.step(step.action.strip())
    earned = env.visit.earned
    if run.end in FAULTS:
        return "fault"
    if earned is None:
        broke = run.end in ("unreadable", "refused", "context_limit")
        return "broke off" if broke else "no purchase"
    missing = [match.wanted for match in earned.options if not match.found]
    fits = {
        "wrong kind": earned.type < 1,
        "too dear": not earned.price.found,
        "option passed by": any(has_button(env.product, wanted) for wanted in missing),
        "no such option": bool(missing),
        "attribute": not all(match.found for match in earned.attributes),
    }
    return next((cause for cause, so in fits.items() if so), None)


def has_button(product: Product, wanted: str) -> bool:
    """Could this option have been chosen on the product's page?"""
    values = (value for some in product.options.values() for value in some)
    return any(alike(colour(value), colour(wanted)) for value in values)


def causes(runs: Trajectory | Iterable[Trajectory], world: World | None = None) -> pd.DataFrame:
    """The frame of shopping runs with their `cause` as a further column."""
    runs = [runs] if isinstance(runs, Trajectory) else list(runs)
    found: Any = [cause_of(run, world) for run in runs]
    return score.frame(runs).assign(cause=found)
