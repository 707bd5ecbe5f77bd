"""What was bought, what it earns, and which part of the reward was lost (lesson 08)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import models, running
from ..analysis.shop import has_button
from ..envs.shop import Product, Reward, Shop, ShopEnv, reward
from ..envs.shop.world import INVALID
from ..plots.rates import name_of
from ..types import Task, Trajectory

if TYPE_CHECKING:
    import pandas as pd

LOST = (  # what a shopper can lose
    "nothing bought", "type", "attribute", "option, was there", "option, was not", "price",
)  # fmt: skip


@dataclass(frozen=True)
class Purchase:
    """What was bought, with which options, and what that earns."""

    product: Product
    chosen: Mapping[str, str]
    earned: Reward

    @property
    def lost(self) -> list[str]:
        """Which parts of the reward it lost, as in `LOST`."""
        found = ["type"] * (self.earned.type < 1)
        found += ["attribute"] * any(not part.found for part in self.earned.attributes)
        missing = [part.wanted for part in self.earned.options if not part.found]
        there = {has_button(self.product, wanted) for wanted in missing}
        found += [name for name, is_there in zip(LOST[3:5], (True, False), strict=True)
                  if is_there in there]  # fmt: skip
        return found + ["price"] * (not self.earned.price.found)


# ---------------------------------------------------------------------- of a run


def of(run: Trajectory) -> Purchase | None:
    """What a run has bought: its acts are done again in the shop. None: nothing."""
    env = episode(run.task)
    env.reset(run.task)
    for step in run.steps:
        if step.action:
            env.step(step.action)
    visit = env.visit
    return Purchase(env.product, visit.chosen, visit.earned) if visit.earned else None


def earned(run: Trajectory) -> Reward | None:
    """The reward of a run with its parts, as `print` shows them; None without a purchase."""
    found = of(run)
    return found.earned if found else None


def sold(task: Task, asin: str, chosen: Mapping[str, str]) -> Purchase:
    """A purchase that nobody has made: this product, with these options, for this goal."""
    env = episode(task)
    product = env.known(asin)
    return Purchase(product, chosen, reward(env.goal, product, chosen))


def episode(task: Task) -> ShopEnv:
    env = Shop()(task)
    if not isinstance(env, ShopEnv):
        raise TypeError("the shop makes episodes of its own kind")
    return env


def shopped(task: Task, lines: Iterable[str], name: str = "you") -> Trajectory:
    """The run that these lines make in the shop: search[...], click[...], think[...]."""
    given = [*lines]
    return running.run(
        "react", task, models.scripted(given, name=name), max_steps=max(1, len(given))
    )


def same(run: Trajectory, at: int) -> list[str]:
    """The lines of a run before step `at`, so that somebody else may go on from there."""
    return [step.action or f"think[{step.thought}]" for step in run.steps[: at - 1]]


# ---------------------------------------------------------------------- of many runs


def who(run: Trajectory) -> str:
    """The name of a line in a table: the method; of our oracle, that it is one."""
    return "oracle" if run.model == "oracle" else name_of(run.method)


def lost(runs: Iterable[Trajectory]) -> pd.DataFrame:
    """How many runs of each shopper lost which part; a purchase may have lost several."""
    import pandas as pd

    counts: dict[str, dict[str, int]] = {}
    for run in runs:
        row = counts.setdefault(who(run), dict.fromkeys(["runs", "success", *LOST], 0))
        row["runs"] += 1
        bought = of(run)
        parts = bought.lost if bought else ["nothing bought"]
        row["success"] += not parts
        for part in parts:
            row[part] += 1
    return pd.DataFrame(counts).T


def why(runs: Mapping[str, Trajectory]) -> pd.DataFrame:
    """What each of these runs has bought and lost: one row per part of the reward."""
    import pandas as pd

    found = {name: of(run) for name, run in runs.items()}
    rows = {name: parts_of(bought) if bought else {"bought": "nothing"}
            for name, bought in found.items()}  # fmt: skip
    return pd.DataFrame(rows).fillna("–")


def parts_of(bought: Purchase) -> dict[str, str]:
    earned = bought.earned
    parts = [
        *(("attribute", part) for part in earned.attributes),
        *(("option", part) for part in earned.options),
        ("price", earned.price),
    ]
    return {
        "bought": bought.product.title,
        **{f"{kind}: {part.wanted.removeprefix('a price of ')}":
           f"{'+' if part.found else '-'} {part.where}" for kind, part in parts},
        "type": f"{earned.type:g}: {earned.type_because}",
        "score": f"{earned.score:.2f}",
    }  # fmt: skip


def counted(runs: Iterable[Trajectory]) -> pd.DataFrame:
    """How each shopper shops: means per run of steps, thoughts, pages and acts in vain."""
    import pandas as pd

    rows: dict[str, list[list[int]]] = {}
    for run in runs:
        acts = [step.action.lower() for step in run.steps if step.action]
        rows.setdefault(who(run), []).append([
            len(run.steps),
            len(run.steps) - len(acts),
            sum(act.startswith("search[") for act in acts),
            sum(act in ("click[description]", "click[features]") for act in acts),
            sum((step.observation or "").startswith(INVALID) for step in run.steps),
        ])  # fmt: skip
    names = ["steps", "thoughts", "searches", "details read", "invalid acts"]
    means = {name: pd.DataFrame(each, columns=names).mean().round(1) for name, each in rows.items()}
    return pd.DataFrame(means).T
