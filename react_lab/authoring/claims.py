"""Claims made from facts, in threes of one wording: a true one, a near miss, an open one.

What an open claim says of its last page stands on no page: neither this nor anything against it.
The three have the same frame, so that no word of it tells the label.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

from ..envs.pages import Encyclopedia
from ..world.gold import LABELS
from ..world.oracle import Hop, bare, capital, named, tidy
from ..world.relations import RELATIONS
from .fitting import fitting, mentions, silent
from .questions import bridges, facts_of

__all__ = ["frames", "threes"]

Row = dict[str, Any]
Three = tuple[Row, Row, Row]
Ways = list[tuple[Hop, ...]]  # chains of facts; of an open claim the last has no value
MOST = 12  # claims of each label that one family may give


def threes(book: Encyclopedia, split: str, pick: random.Random) -> dict[str, list[Three]]:
    """By family, claims that can be supported, refuted, and neither, worded alike."""
    facts = facts_of(book, split)
    settled, found = by_family(statements(book, facts, split)), dict[str, list[Three]]()
    left_open = by_family(unsettled(book, facts, split, settled))
    for family in sorted(settled.keys() & left_open.keys()):
        ways = (settled[family], settled[family], left_open[family])
        found[family] = list(worded(book, facts, family, ways, pick))
    return {family: some for family, some in found.items() if some}


def by_family(ways: Iterator[tuple[Hop, ...]]) -> dict[str, list[tuple[Hop, ...]]]:
    found: dict[str, list[tuple[Hop, ...]]] = defaultdict(list)
    for hops in ways:
        found[">".join(hop.relation for hop in hops)].append(hops)
    return found


def statements(
    book: Encyclopedia, facts: Mapping[str, Any], split: str
) -> Iterator[tuple[Hop, ...]]:
    """One fact of a page of the split, or the end of a chain of two."""
    for page, own in facts.items():
        if book.rows[page]["split"] != "hub":
            yield from ((Hop(page, relation, value),) for relation, value in own.items())
    yield from (draft.hops for draft in bridges(book, split, most_hops=2))


def unsettled(
    book: Encyclopedia, facts: Mapping[str, Any], split: str, families: Mapping[str, Any]
) -> Iterator[tuple[Hop, ...]]:
    """The same without a last value: of a page that does not tell it."""
    for page, own in facts.items():
        if book.rows[page]["split"] == "hub":
            continue
        yield from (
            (Hop(page, relation, ""),)
            for relation in RELATIONS
            if relation in families and silent(book, page, relation)
        )
        yield from (
            (Hop(page, first, there), Hop(there, relation, ""))
            for first, there in own.items()
            if there in facts and there != page
            for relation in RELATIONS
            if f"{first}>{relation}" in families and silent(book, there, relation)
        )


def wrong_values(
    book: Encyclopedia, facts: Mapping[str, Mapping[str, str]], hops: Sequence[Hop]
) -> list[str]:
    """What a claim may say that is not true, or not told: it stands on none of the pages."""
    last, pages = hops[-1], [hop.page for hop in hops]
    named_already = {bare(page).lower() for page in pages}
    found = [
        value
        for value in fitting(book, facts, last.page, last.relation)
        if bare(value).lower() not in named_already
        and not any(mentions(book, page, value) for page in pages)
    ]
    if last.value or len(hops) > 1:
        return found
    return [v for v in found if "text" in book.rows.get(v, {}) and apart(book, last.page, v)]


def apart(book: Encyclopedia, one: str, two: str) -> bool:
    """Does neither of two pages mention the other?"""
    return not any(
        bare(other).lower().split()[-1] in book.rows[page]["text"].lower()
        for page, other in ((one, two), (two, one))
    )


# ---------------------------------------------------------------------- in words


def worded(
    book: Encyclopedia,
    facts: Mapping[str, Mapping[str, str]],
    family: str,
    ways: tuple[Ways, Ways, Ways],
    pick: random.Random,
) -> Iterator[Three]:
    """Threes of one wording each; a chain of facts comes again only where there is no other."""

    def values(hops: Sequence[Hop]) -> list[str]:
        found = wrong_values(book, facts, hops)
        return pick.sample(found, len(found))

    wordings = frames(family)
    pick.shuffle(wordings)
    supported = drawn(ways[0], lambda hops: [hops[-1].value] * MOST, pick)
    drafts = zip(
        supported, drawn(ways[1], values, pick), drawn(ways[2], values, pick), strict=False
    )
    for k, three in enumerate(islice(drafts, MOST)):
        frame = wordings[k % len(wordings)]
        one, two, last = (row(*way, label, frame) for way, label in zip(three, LABELS, strict=True))
        yield one, two, last


def drawn(
    ways: Ways, values: Callable[[Sequence[Hop]], list[str]], pick: random.Random
) -> Iterator[tuple[tuple[Hop, ...], str]]:
    """Chains of facts in a drawn order, each with a value, then each with another."""
    left = []
    for hops in pick.sample(ways, len(ways)):
        if found := values(hops):
            left.append((hops, found[1:]))
            yield hops, found[0]
    while left := [(hops, found) for hops, found in left if found]:
        yield from ((hops, found[0]) for hops, found in left)
        left = [(hops, found[1:]) for hops, found in left]


def frames(family: str) -> list[str]:
    """Every way to state the last relation, along the descriptions of the others."""
    *bridge, last = family.split(">")
    subjects = ["{p}"]
    for relation in bridge:
        forms = RELATIONS[relation].describes
        subjects = [form.replace("{p}", s) for s, form in product(subjects, forms)]
    return [says.replace("{p}", s) for s, says in product(subjects, RELATIONS[last].says)]


def row(hops: Sequence[Hop], claimed: str, label: str, frame: str) -> Row:
    family = ">".join(hop.relation for hop in hops)
    found: Row = {
        "text": capital(tidy(frame.format(p=named(hops[0].page), v=named(claimed)))),
        "gold": label,
        "family": f"{family}, {label}",
        "pages": [hop.page for hop in hops],
        "hops": [[hop.page, hop.relation, hop.value] for hop in hops if hop.value],
        "claimed": claimed,
    }
    if label == LABELS[2]:
        found["missing"] = [hops[-1].page, hops[-1].relation]
        found["absent"] = bare(claimed)
        if len(hops) == 1:
            found["pages"].append(claimed)
    return found
