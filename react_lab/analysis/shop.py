"""Why a purchase did not earn everything, from what was done; thoughts count for nothing.

Every act is done again in the shop, and the parts of the reward say what the purchase lacked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from .. import score
from ..envs.shop import Product, Reward, Shop, ShopEnv
from ..envs.shop.reward import alike, colour
from ..types import FAULTS, Trajectory, World
from .acts import act_again

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


@dataclass(frozen=True)
class Purchase:
    """What was bought, with which options, and what that earns."""

    product: Product
    chosen: Mapping[str, str]
    earned: Reward

    @property
    def lacks(self) -> list[str]:
        """All of the `CAUSES` that fit it."""
        missing = [part.wanted for part in self.earned.options if not part.found]
        there = {has_button(self.product, wanted) for wanted in missing}
        fits = {
            "wrong kind": self.earned.type < 1,
            "too dear": not self.earned.price.found,
            "option passed by": True in there,
            "no such option": False in there,
            "attribute": not all(part.found for part in self.earned.attributes),
        }
        return [cause for cause, so in fits.items() if so]


def has_button(product: Product, wanted: str) -> bool:
    """Could this option have been chosen on the product's page?"""
    values = (value for some in product.options.values() for value in some)
    return any(alike(colour(value), colour(wanted)) for value in values)


def bought_by(run: Trajectory, world: World | None = None) -> Purchase | None:
    """What a run has bought: its acts are done again in the shop. None: nothing.

    world: where the run's goal is found; None is `Shop()`.
    """
    env = (world or Shop())(run.task) if run.task.kind == "shop" else None
    if not isinstance(env, ShopEnv):
        raise ValueError(f"{run.task!r} is no shopping goal: only those have these causes")
    visit = act_again(run, env, lambda _: env.visit).views[-1]
    return Purchase(env.product, visit.chosen, visit.earned) if visit.earned else None


def cause_of(run: Trajectory, world: World | None = None) -> str | None:
    """A name in `CAUSES`, the first that fits; None where everything was earned."""
    bought = bought_by(run, world)
    if run.end in FAULTS:
        return "fault"
    if bought is None:
        broke = run.end in ("unreadable", "refused", "context_limit")
        return "broke off" if broke else "no purchase"
    return next(iter(bought.lacks), None)


causes = partial(score.with_causes, cause_of)
