"""Under which name to search a page: only one that stands in the task or in something seen."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from .needs import Need, Plan
from .reading import Reading, folded, similar, title_of
from .words import DULL

__all__ = ["name_for"]

OPENERS = "Which What Who Whom Whose Where When How Why The A An In On At Of By For From"
FIRST = frozenset(re.findall(r"\w+", OPENERS))  # capitals that begin no name


def name_for(plan: Plan, need: Need, reading: Reading) -> str | None:
    """What to search next to come to a page: its name if it is known, else what lists its title."""
    if need.page in reading.listed:
        return need.page
    pick = random.Random(f"{plan.task.id} {need.page}")
    fresh = [name for name in straight(need, reading) if f"Search[{name}]" not in reading.acts]
    used = [name for name in straight(need, reading) if f"Search[{name}]" in reading.acts]
    if fresh:
        return fresh[0] if pick.random() < 0.75 else pick.choice(fresh)
    if used:
        return used[0]
    return next(roundabout(plan, need, reading), None)


def straight(need: Need, reading: Reading) -> list[str]:
    """The known names that lead straight to the page, as they are best written."""
    names = dict.fromkeys((*reading.names(need.page), *need.names))
    leads = (name for name in names if title_of(name, reading.book) == need.page)
    return [name for name in leads if reading.knows(name)]


def roundabout(plan: Plan, need: Need, reading: Reading) -> Iterator[str]:
    """Known names that lead nowhere, but have the title among the similar ones."""
    own = (*need.names, *reading.names(need.page))
    for name in dict.fromkeys((*own, *phrases(f"{plan.task.text}\n{need.seek}"))):
        if folded(name) in reading.searched or not reading.knows(name):
            continue
        if not reading.book.get(name) and need.page in similar(name, reading.book):
            yield name


def is_name(run: list[str]) -> bool:
    """Does it begin and end with a capital, with nothing but `of` and `the` between?"""
    inside = all(w[:1].isupper() or w in ("of", "the", "de", "la", "von", "van") for w in run)
    return inside and run[0][:1].isupper() and run[-1][:1].isupper() and run[0] not in FIRST


def phrases(text: str) -> Iterator[str]:
    """Names in a text, and pairs of words that say something, the longest first."""
    words = [w.strip(".,;:?!\"'()“”").removesuffix("'s") for w in text.split()]
    runs = [
        words[k : k + size]
        for size in range(min(5, len(words)), 0, -1)
        for k in range(len(words) - size + 1)
    ]
    proper = [run for run in runs if is_name(run)]
    plain = [
        r
        for r in runs
        if 1 < len(r) < 4 and all(len(w) > 3 and w.lower() not in DULL for w in (r[0], r[-1]))
    ]
    yield from (" ".join(run) for run in (*proper, *plain))
    yield from (w for w in words if re.fullmatch(r"\w{5,}", w) and w.lower() not in DULL)
