"""Lesson 08: decisions in a web shop. Its goals, its edits, its exercises."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import data, display, running, store, tasks, teach
from ..editing import rethink
from ..kinds import kind_named
from ..prompts import Exemplar, exemplar_text, read_exemplars
from ..types import Model, Task, Trajectory
from . import purchases, shoppers, words
from .boundaries import rounded
from .shoppers import table_row

NAME = "08_web_shop"
LENSES = str.maketrans("【】", "[]")  # sellers love them; not every font has them
SALES: Mapping[str, tuple[str, str, Mapping[str, str]]] = {  # a goal, a product, what was clicked
    "by hand": ("shop-test-067", "B07PIACEU2", {"color": "purple"}),
    "odd": ("shop-test-050", "B0LTJWINZB", {"color": "terracotta", "size": "small"}),
}


ASKS = {  # of exercise 8.1: what to look at again
    "type": "Does it belong to the kind of thing that was asked for? 1, 0.5, 0.1 or 0.",
    "attributes": "Search the title, the features and the product's own attributes for its words.",
    "options": "An option counts if it was clicked, not if it could have been.",
    "price": "1 if it costs no more than was said, else 0.",
    "score": "type x (attributes + options + price) / (how many attributes and options + 1).",
}


# ---------------------------------------------------------------------- the scenes


@dataclass(frozen=True)
class Scenes:
    """The goals that this lesson shows; data/recordings/08_web_shop.scenes.json may name others."""

    play: str = "shop-test-032"  # to be shopped by hand
    apart: str = "shop-test-063"  # bought badly by Act, well by ReAct
    noisy: str = "shop-test-008"  # a wanted option stands there under another name
    thought: str = (
        "Four deodorants of 2.6 ounces is the button 2.6 ounce (pack of 4), and scent has coconut "
        "vanilla. I click both and then Buy Now."
    )
    acts: tuple[str, ...] = (
        "click[coconut vanilla]", "click[2.6 ounce (pack of 4)]", "click[Buy Now]",
    )  # fmt: skip


def scenes() -> Scenes:
    """What was chosen for the adapters that come with the package; without them, any goals."""
    path = data.folder("recordings") / f"{NAME}.scenes.json"
    if not path.exists():
        return Scenes()
    found = json.loads(path.read_text(encoding="utf-8"))
    return Scenes(**found | {"acts": tuple(found["acts"])})


def task(name: str) -> Task:
    """The goal of a scene: play, apart or noisy."""
    return goal(str(getattr(scenes(), name)))


def goal(name: str) -> Task:
    """The bundled goal with this id."""
    return next(each for each in tasks.load("shop", "test") if each.id == name)


def sale(name: str) -> purchases.Purchase:
    """A purchase to reckon with: by hand or odd."""
    asked, asin, chosen = SALES[name]
    return purchases.sold(goal(asked), asin, chosen)


def sale_shown(name: str) -> display.Page:
    """All that the reward knows of a purchase: what was asked for, and what was bought."""
    asked, bought = goal(SALES[name][0]), sale(name)
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


def exemplar() -> Exemplar:
    """The hand-written run that stands in the prompt."""
    kind = kind_named("shop")
    return read_exemplars(exemplar_text(kind.exemplars), kind.layout, [kind.start])[1][0]


# ---------------------------------------------------------------------- whose runs these are


def ready(model: Model, *methods: str) -> bool:
    """Has this model an adapter for each of these methods?"""
    shop = kind_named("shop")
    return {shop.adapter(method) for method in methods} <= model.tuned


def whose(runs: Iterable[Trajectory]) -> str:
    """Who shopped, in a sentence."""
    return f"Shopped by {' and '.join(sorted({run.model for run in runs}))}, a real model."


def recorded() -> Sequence[Trajectory]:
    """The recorded runs of Table 4: each method once on each of our test goals."""
    files = sorted(data.folder("runs").glob("table4/**/*.jsonl"))
    return [run for file in files for run in store.open(file)]


def most_lost(runs: Iterable[Trajectory]) -> str:
    """Which part most of the runs without success have lost, in words."""
    lost = [found.lost if found else ["nothing bought"] for found in map(purchases.of, runs)]
    failed = [parts for parts in lost if parts]
    if not failed:
        return "none of these runs lost a part"
    counts = {name: sum(name in parts for parts in failed) for name in purchases.LOST}
    most = max(counts, key=lambda name: counts[name])
    return f"{most}: {counts[most]} of {len(failed)} runs without success"


# ---------------------------------------------------------------------- edits


def bridge_at(run: Trajectory) -> int:
    """The step right after the bought product was opened: there a thought can say which button."""
    bought = purchases.of(run)
    opened = f"click[{bought.product.asin}]".lower() if bought else ""
    found = [i for i, step in enumerate(run.steps, 1) if (step.action or "").lower() == opened]
    if not found or found[-1] == len(run.steps):
        raise ValueError("nothing is opened and bought in this run")
    return found[-1] + 1


def mended(run: Trajectory, at: int, thought: str, model: Model) -> dict[str, Trajectory]:
    """The run as it was and, where the model can shop, the run after this thought at step `at`."""
    found = {"as it was": run}
    if ready(model, run.method):
        found["with the thought"] = running.resume(rethink(run, at, thought=thought), model=model)
    return found


def for_labels(runs: Iterable[Trajectory], n: int = 3) -> list[Trajectory]:
    """Runs without success to label, each once; where there are too few, silly ones fill up."""
    lost = {run.id: run for run in runs if run.reward != 1.0 and run.steps}
    goals = [task.id for task in tasks.load("shop", "test", n=2 * n, seed=8)]
    silly = {run.task.id: run for run in shoppers.simple() if run.method == shoppers.FIRST}
    more = {silly[id].id: silly[id] for id in goals if silly[id].reward != 1.0}
    lost |= more if len(lost) < n else {}
    return list(lost.values())[:n]


# ---------------------------------------------------------------------- exercises and questions


def lesson() -> teach.Lesson:
    """The exercises and the questions, made afresh."""
    return words.lesson_of("08", CHECKS)


def check_by_hand(answer: Any) -> str | None:
    """The check of 8.1, by the engine: the first part that is not what the engine says."""
    if not isinstance(answer, Mapping):
        return "This exercise asks for a dict, as in dict(type=1, attributes=0)."
    right = sale("by hand").earned
    found = {
        "type": right.type,
        "attributes": sum(part.found for part in right.attributes),
        "options": sum(part.found for part in right.options),
        "price": int(right.price.found),
        "score": right.score,
    }
    if all(answer.get(name) is ... for name in found if name != "type"):
        return teach.UNDONE  # the cell gives the type away
    for name, value in found.items():
        given = answer.get(name)
        if not isinstance(given, int | float) or abs(given - value) > 0.001:
            return f"{name} is not {teach.short(given)}. {ASKS[name]}"
    return None


def check_near(answer: Any) -> str | None:
    """The check of 8.2, by the shop itself: a purchase worth half or more, and no success."""
    if not isinstance(answer, list | tuple) or not all(isinstance(one, str) for one in answer):
        return "This exercise asks for a list of acts, as in ['search[dog lead]', ...]."
    if not 0 < len(answer) <= kind_named("shop").max_steps:
        return "A shopper has 1 to 15 steps."
    run = purchases.shopped(task("play"), answer)
    found = purchases.of(run)
    if found is None:
        failed = [step.action for step in run.steps if step.outcome == "failed"]
        why = f" The shop did not know what to do with {failed[0]}." if failed else ""
        return f"Nothing was bought.{why}"
    if found.earned.score == 1:
        return "That is a success: leave something out."
    if found.earned.score < 0.5:
        return f"That is too little:\n{found.earned}"
    return None


REWARDS: Sequence[Sequence[float | None]] = ([1.0, 0.5, None, 0.0], [1.0], [0.75, 0.75, 1.0, 0.5])
CHECKS: Mapping[str, teach.Check] = {
    "8.1": check_by_hand,
    "8.2": check_near,
    "8.3": words.keys_of("08", "Thought {} does"),
    "8.4": rounded(teach.cases(*(((each,), table_row(each)) for each in REWARDS))),
}
