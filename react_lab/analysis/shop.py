"""Why a purchase did not earn everything, from what was done; thoughts count for nothing.

Every act is done again in the shop, and the parts of the reward say what the purchase lacked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from .. import score
from ..envs.shop import Product, Shop, ShopEnv
from ..envs.shop.reward import Match, alike, colour
from ..envs.shop.world import INVALID
from ..types import FAULTS, Trajectory, World

if TYPE_CHECKING:
    import pandas as pd

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
COUNTS = {  # what else is counted in a run, whatever it earned
    "invalid": "acts to which the shop said `Invalid action!`",
    "searches": "searches",
    "products": "different products looked at",
    "thoughts": "thoughts",
    "attributes": "% of the attributes asked for that the purchase has",
    "options": "% of the options asked for that were clicked",
}


@dataclass(frozen=True)
class Account:
    """Why a run did not earn everything (None: it did), and its `COUNTS`."""

    cause: str | None
    invalid: int
    searches: int
    products: int
    thoughts: int
    attributes: float | None
    options: float | None


def account(run: Trajectory, world: World | None = None) -> Account:
    """What happened in a run. world: where its goal is found; None is `Shop()`."""
    env = (world or Shop())(run.task) if run.task.kind == "shop" else None
    if not isinstance(env, ShopEnv):
        raise ValueError(f"{run.task!r} is no shopping goal: only those can be accounted for")
    env.reset(run.task)
    acts = [step.action.strip() for step in run.steps if step.action]
    done = [act for act in acts if not act.lower().startswith("think[")]
    seen, looked = [], set[str]()
    for act in done:
        seen.append(env.step(act).text)
        looked |= {env.visit.asin} - {""}
    earned = env.visit.earned
    return Account(
        cause_of(run, env),
        seen.count(INVALID),
        sum(act.lower().startswith("search[") for act in done),
        len(looked),
        len(acts) - len(done) + sum(step.thought is not None for step in run.steps),
        share(earned.attributes if earned else ()),
        share(earned.options if earned else ()),
    )


def cause_of(run: Trajectory, env: ShopEnv) -> str | None:
    """A name in `CAUSES`, the first that fits; None where everything was earned."""
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


def share(matches: tuple[Match, ...]) -> float | None:
    return 100 * sum(match.found for match in matches) / len(matches) if matches else None


def causes(runs: Trajectory | Iterable[Trajectory], world: World | None = None) -> pd.DataFrame:
    """The frame of shopping runs with their `cause` and `COUNTS` as further columns."""
    import pandas as pd

    runs = [runs] if isinstance(runs, Trajectory) else list(runs)
    found = pd.DataFrame([asdict(account(run, world)) for run in runs], columns=["cause", *COUNTS])
    return pd.concat([score.frame(runs), found], axis="columns")
