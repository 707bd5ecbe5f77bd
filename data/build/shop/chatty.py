"""Train goals as people would put them: why they ask, and what a label means, in other words."""

from __future__ import annotations

import random
import re
from dataclasses import replace

from react_lab.envs.shop.goals import with_bound
from react_lab.types import Task
from shop.goals import article, joined
from shop.vocabulary import spoken
from shop.wishes import NUMBERS, core, option_of, read_wish

__all__ = ["in_other_words"]

SEED = 20250411
LABELLED = 0.35  # how often a label is named as the shop names it
OPENINGS = (
    "my old one broke, so i need {thing}", "my aunt turns sixty and wished for {thing}",
    "could you pick out {thing}", "do you sell {thing}", "we moved last week and still lack {thing}",
    "my neighbour has one and now i want it too: {thing}", "{thing} for my brother",
    "before we travel i have to buy {thing}", "{thing}, please", "i promised the kids {thing}",
    "after the flood in the cellar we need {thing} again", "i saw {thing} at a friend's house",
    "what i would love is {thing}", "time for {thing}", "mine is worn out: {thing}",
    "my boss asked me to order {thing}", "on my list today: {thing}", "a treat for myself, {thing}",
)  # fmt: skip
MUST = (
    ". it must {all}",
    ", and it should {all}",
    ". important: it has to {all}",
    ", it ought to {all}",
)
LIKE = (" that is {all}", ". i would like it {all}", ", {all}")
IN = {
    "color": (" in {value}", ", {value} of course", ". {value} goes with the rest", ". make it {value}"),
    "size": (", {value}", ". i measured: {value}", ". {value} would be right", ", in {value}"),
    "style": (", {value}", ". the {value} one", ", i think {value}"),
    "scent": (". i like the smell of {value}", ", {value} scented", ", smelling of {value}"),
    "flavor name": (", {value} flavored", ". {value} tastes best", ", in {value}"),
    "option": (", {value}", " in {value}"),
}  # fmt: skip
WORDS = dict(enumerate(NUMBERS.split(), 1))


def in_other_words(task: Task) -> Task:
    """The same goal, asked for less neatly.

    Half of the small numbers become words; options keep their names, most labels do not.
    """
    pick, wish = random.Random(f"{SEED} {task.id}"), read_wish(task.text)
    text = pick.choice(OPENINGS).format(thing=article(wish.kind))
    named = [label for label in wish.labels if pick.random() < LABELLED]
    meant = [spoken()[label] for label in wish.labels if label not in named]
    parts = [pick.choice(LIKE).format(all=joined(named))] if named else []
    parts += [pick.choice(MUST).format(all=joined(meant))] if meant else []
    for value in wish.options:
        parts.append(pick.choice(IN[option_of(value)]).format(value=aloud(core(value), pick)))
    pick.shuffle(parts)
    return replace(task, text=with_bound(text + "".join(parts), wish.most))


def aloud(value: str, pick: random.Random) -> str:
    """A value as it is said: eighteen inches for 18 inch."""
    if not (found := re.match(r"(\d+) (inch|ounce|pound)$", value)) or pick.random() < 0.5:
        return value
    number, unit = int(found[1]), found[2]
    many = "es" if unit == "inch" else "s"
    return f"{WORDS.get(number, number)} {unit}{many * (number > 1)}"
