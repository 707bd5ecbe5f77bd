"""Lesson 08: decisions in a web shop: what was bought, what it earns, which part was lost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import react_lab as rl

from .. import display
from ..analysis.shop import Purchase, bought_by
from ..envs.shop import Reward, Shop, reward
from ..plots.picture import Picture
from ..plots.rates import name_of, stacked
from ..support import pd
from ..types import Model, Task, Trajectory
from . import words

LENSES = str.maketrans("【】", "[]")  # sellers love them; not every font has them
LOST = {  # what a shopper can lose, each with its name among the causes
    "nothing bought": "no purchase", "type": "wrong kind", "attribute": "attribute",
    "option, was there": "option passed by", "option, was not": "no such option",
    "price": "too dear",
}  # fmt: skip
BANDS = {  # of a reward: from the best to nothing
    "1: a success": {"color": "#0072B2"},
    "0.5 and more": {"color": "#6FB1DC"},
    "below 0.5": {"color": "#C9CED3"},
    "0, or nothing bought": {"color": "#FFFFFF"},
}
SOLD = ("shop-test-067", "B07PIACEU2", {"color": "purple"})  # a goal, a product, what was clicked

SCENES = {
    "play": "shop-test-1039",  # to be shopped by hand
    "apart": "shop-test-1018",  # bought well by Act; ReAct buys nothing
}
THOUGHT = (  # on the first product's page
    "Flavor name has chocolate cherry, and the title says gluten free and resealable bag. "
    "I choose it, then I buy."
)


def task(name: str) -> Task:
    """The goal of a scene, play or apart; or the bundled goal with this id."""
    name = SCENES.get(name, name)
    split = "test" if len(name) > len(SOLD[0]) else "old"  # their numbers are from 1001 on
    return next(each for each in rl.tasks.load("shop", split) if each.id == name)


goal = task  # as the notebook calls it of a goal that is no scene


def sale_shown() -> display.Page:
    """All that the reward knows of a purchase: what was asked for, and what was bought."""
    asked, bought = task(SOLD[0]), sold()
    product, want = bought.product, asked.extra
    known = (
        f"attributes: {', '.join(want['attributes'])}\noptions: {', '.join(want['options'])}\n"
        f"price: {want['price_upper']} or less"
    )
    options = "; ".join(f"{name}: {', '.join(some)}" for name, some in product.options.items())
    clicked = ", ".join(f"{name}: {value}" for name, value in bought.chosen.items())
    lines = [
        product.title, f"Price: {product.tag}", f"Its attributes: {', '.join(product.attributes)}",
        f"Its features: {' '.join(product.bullets).translate(LENSES)}", f"Its options: {options}",
        f"Clicked: {clicked}",
    ]  # fmt: skip
    pages = [
        display.note("Asked for", asked.text, "hint"),
        display.note("Known to the reward alone", known),
        display.note("Bought", "\n".join(lines), "action"),
    ]
    return display.together(pages)


def check_by_hand(answer: Any) -> str | None:
    """The check of 8.1, by the engine: the first part that is not what the engine says."""
    if not isinstance(answer, Mapping):
        return words.said("08", "no_dict")
    right = sold().earned
    found = {
        "type": right.type,
        "attributes": sum(part.found for part in right.attributes),
        "options": sum(part.found for part in right.options),
        "price": int(right.price.found),
        "score": right.score,
    }
    if all(answer.get(name) is ... for name in found if name != "type"):
        return rl.teach.UNDONE  # the cell gives the type away
    for name, value in found.items():
        given = answer.get(name)
        if not isinstance(given, int | float) or abs(given - value) > 0.001:
            ask = words.said("08", name)
            return words.said("08", "not", name=name, got=rl.teach.short(given), ask=ask)
    return None


def earned(run: Trajectory) -> Reward | None:
    """The reward of a run with its parts, as `print` shows them; None without a purchase."""
    return found.earned if (found := bought_by(run)) else None


def sold() -> Purchase:
    """The purchase of exercise 8.1, which nobody has made."""
    name, asin, chosen = SOLD
    env = Shop()(task(name))
    product = env.known(asin)
    return Purchase(product, chosen, reward(env.goal, product, chosen))


# ---------------------------------------------------------------------- what was lost


def recorded() -> list[Trajectory]:
    """The runs of the bundled model on the 86 test goals."""
    kept = rl.store.open(rl.data.folder("runs", "0.5b", "shop.jsonl"))
    return [run for run in kept if run.task.id.startswith("shop-test-")]


def programs() -> list[Trajectory]:
    """The runs of the shoppers without a model: two silly ones, and our oracle."""
    return list(rl.store.open(rl.data.folder("runs", "programs", "shop.jsonl")))


def mended(run: Trajectory, thought: str, model: Model) -> dict[str, Trajectory]:
    """The run as it was and, where the model can shop, with this in place of its second thought."""
    found = {"as it was": run}
    if f"shop/{run.method}" in model.tuned:
        at = [i for i, step in enumerate(run.steps, 1) if step.action is None][:2][-1]
        found["with the thought"] = rl.resume(rl.rethink(run, at, thought=thought), model=model)
    return found


PRICES = re.compile(r"costs (\d+\.\d\d), the limit is (\d+\.\d\d): (it fits|too dear)")


def prices(runs: Iterable[Trajectory]) -> str:
    """How many prices the thoughts set beside the limit, and how many of them wrongly."""
    thoughts = " ".join(step.thought or "" for run in runs for step in run.steps)
    found = PRICES.findall(thoughts)
    wrong = [each for each in found if (each[2] == "it fits") != (float(each[0]) <= float(each[1]))]
    return f"Prices compared in thoughts: {len(found)}, {len(wrong)} of them wrongly."


def lost(runs: Iterable[Trajectory]) -> pd.DataFrame:
    """How many runs of each shopper lost which part; a purchase may have lost several."""
    rows = []
    for run in runs:
        bought = bought_by(run)
        lacks = bought.lacks if bought else ["no purchase"]
        missing = {part: int(cause in lacks) for part, cause in LOST.items()}
        rows.append({"": name_of(run.method), "runs": 1, "success": int(not lacks), **missing})
    return pd.DataFrame(rows).groupby("", sort=False).sum().rename_axis(None)


def most_lost(runs: Iterable[Trajectory]) -> str:
    """Which part most of the runs without success have lost, in words."""
    counts = lost(runs).sum().to_dict()
    failed = counts["runs"] - counts["success"]
    if not failed:
        return "none of these runs lost a part"
    most = max(LOST, key=lambda name: counts[name])
    return f"{most}: {counts[most]} of {failed} runs without success"


def why(runs: Mapping[str, Trajectory]) -> pd.DataFrame:
    """What each of these runs has bought and lost: one row per part of the reward."""
    rows = {}
    for name, run in runs.items():
        row = rows[name] = {"bought": "nothing"}
        if bought := bought_by(run):
            row["bought"], earned = bought.product.title, bought.earned
            several = {"attribute": earned.attributes, "option": earned.options}
            for kind, parts in {**several, "price": (earned.price,)}.items():
                for part in parts:
                    wanted = part.wanted.removeprefix("a price of ")
                    row[f"{kind}: {wanted}"] = f"{'+' if part.found else '-'} {part.where}"
            row["type"] = f"{earned.type:g}: {earned.type_because}"
            row["score"] = f"{earned.score:.2f}"
    return pd.DataFrame(rows).fillna("–")


# ---------------------------------------------------------------------- Table 4


def people(path: str | None = None) -> Sequence[Trajectory]:
    """The runs of people, as `console.save()` keeps them, as a table of methods takes them."""
    found = rl.data.resolve(path) if path else rl.data.shared("runs/by_hand.jsonl")
    shopped = rl.store.open(found) if found.exists() else []
    ended = (run for run in shopped if run.task.kind == "shop" and run.end != "unfinished")
    return [replace(run, method="human", model=rl.score.NO_MODEL) for run in ended]


def on_the_same(mine: Iterable[Trajectory], others: Iterable[Trajectory]) -> list[Trajectory]:
    """My runs, and those of the others on the same goals."""
    mine = list(mine)
    goals = {run.task.id for run in mine}
    return [*mine, *(run for run in others if run.task.id in goals)]


def rewards(runs: Iterable[Trajectory]) -> Picture:
    """Where the score comes from: the share of each shopper's goals by what they earned."""
    rows = [(name_of(run.method), band(run.reward), run.reward or 0.0) for run in runs]
    earned = pd.DataFrame(rows, columns=["shopper", "band", "reward"])
    scores = earned.groupby("shopper", sort=False)["reward"].mean()
    counts = pd.crosstab(earned["shopper"], earned["band"])
    table = counts.reindex(index=scores.index, columns=[*BANDS], fill_value=0)
    table = table.rename_axis(columns=None)
    goals = sorted(set(table.sum(axis=1)))
    caption = (
        f"What {len(scores)} shoppers earned on {' or '.join(map(str, goals))} goals. The first "
        "part of a bar is the success rate; the diamond is the score, the mean of all rewards. "
        "What lies between the first part and the last earns some score and is no success."
    )
    shares = 100 * table.div(table.sum(axis=1), axis=0)
    figure, ax = stacked(shares, BANDS, caption, "% of the goals")
    ax.plot(100 * scores, range(len(scores)), "D", color="#D55E00", mec="#FFFFFF", ms=10)
    return Picture(figure, caption, {"rewards": table.reset_index()})


def band(reward: float | None) -> str:
    full, half, less, none = BANDS
    return none if not reward else full if reward == 1 else half if reward >= 0.5 else less


lesson = partial(words.lesson_of, "08", {"8.1": check_by_hand})
