"""Claims made from facts: true ones, near misses, and plausible ones that no page settles."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from ..envs.pages import Encyclopedia
from ..world.gold import LABELS
from ..world.oracle import Hop, bare, capital, named, stated, tidy
from ..world.relations import RELATIONS
from .questions import bridges, facts_of

__all__ = ["claims"]

UNSETTLED: Mapping[str, tuple[str, ...]] = {
    # what a page is, by a relation it has -> a plausible claim, and what its missing word is
    "birth_year": ("{p} once visited {where}.", "{p} spent a summer in {where}.", "{p} knew {who} in person.", "{p} wrote letters to {who}.",
                   "{p} admired {who}.", "{p} gave a talk in {where}.", "{p} could play the {what}.", "{p} kept a {what} at home."),
    "director": ("{p} was first shown in {where}.", "{who} praised {p}.", "A scene of {p} was filmed in {where}.", "{p} was a favourite of {who}."),
    "author": ("{p} was begun in {where}.", "{who} owned a copy of {p}.", "{p} was a favourite of {who}.", "{p} was first read aloud in {where}."),
    "composer": ("{p} was heard by {who}.", "{p} was a favourite of {who}.", "{p} was revised in {where}."),
    "flows_into": ("{who} once fished in {p}.", "{who} wrote a poem about {p}.", "{who} learned to swim in {p}."),
    "height_m": ("{who} once looked at {p} from below.", "{who} painted a picture of {p}.", "{p} is on a stamp with {who}."),
    "country": ("{who} once visited {p}.", "{who} owned a picture of {p}.", "{who} wrote a poem about {p}.", "{p} was a favourite of {who}."),
    "located_in": ("{who} once visited {p}.", "{who} owned a picture of {p}.", "{who} wrote a poem about {p}."),
    "year": ("{who} wrote about {p}.", "{p} was discussed in {where}."),
}  # fmt: skip
THINGS = ("violin", "flute", "barometer", "telescope", "chessboard", "piano", "guitar", "globe", "parrot", "sundial", "harp",
          "microscope")  # fmt: skip


def claims(book: Encyclopedia, split: str, pick: random.Random) -> dict[str, list[dict[str, Any]]]:
    """Every claim the facts allow, by label, in a drawn order."""
    facts = facts_of(book, split)
    pools = values_by_relation(facts)
    found: dict[str, list[dict[str, Any]]] = {label: [] for label in LABELS}
    for hops in statements(book, facts, split):
        found["SUPPORTS"].append(row(hops, hops[-1].value, "SUPPORTS", pick))
        wrong = near_miss(hops[-1], pools, book.rows[hops[-1].page]["text"], pick)
        if wrong:
            found["REFUTES"].append(row(hops, wrong, "REFUTES", pick))
    found["NOT ENOUGH INFO"] += unsettled(book, facts, pick)
    for rows in found.values():
        pick.shuffle(rows)
    return found


def statements(
    book: Encyclopedia, facts: Mapping[str, Any], split: str
) -> Iterator[tuple[Hop, ...]]:
    """One fact of a page of the split, or the end of a chain of two."""
    for page, own in facts.items():
        if book.rows[page]["split"] != "hub":
            yield from ((Hop(page, relation, value),) for relation, value in own.items())
    yield from (draft.hops for draft in bridges(book, split, most_hops=2))


def values_by_relation(facts: Mapping[str, Mapping[str, str]]) -> dict[str, list[str]]:
    pools: dict[str, set[str]] = {}
    for own in facts.values():
        for relation, value in own.items():
            pools.setdefault(relation, set()).add(value)
    return {relation: sorted(values) for relation, values in pools.items()}


def near_miss(
    hop: Hop, pools: Mapping[str, list[str]], text: str, pick: random.Random
) -> str | None:
    """A value of the same kind that the page does not mention: a near year, another such place."""
    if hop.value.isdigit():
        number = int(hop.value)
        near = (
            pick.randint(1, 9)
            if RELATIONS[hop.relation].kind == "year"
            else max(1, number // pick.randint(6, 12))
        )
        wrong = str(number + pick.choice((-1, 1)) * near)
        return None if stated(wrong, text) else wrong
    others = [
        v for v in pools[hop.relation] if v != hop.value and not v.isdigit() and not stated(v, text)
    ]
    return pick.choice(others) if others else None


def row(hops: Sequence[Hop], claimed: str, label: str, pick: random.Random) -> dict[str, Any]:
    subjects = [named(hops[0].page)]
    for hop in hops[:-1]:
        subjects = [
            form.format(p=s) for s, form in product(subjects, RELATIONS[hop.relation].describes)
        ]
    says = pick.choice(RELATIONS[hops[-1].relation].says)
    text = capital(tidy(says.format(p=pick.choice(subjects), v=named(claimed))))
    return {
        "text": text,
        "gold": label,
        "family": f"{'>'.join(hop.relation for hop in hops)}, {label}",
        "pages": [hop.page for hop in hops],
        "hops": [[hop.page, hop.relation, hop.value] for hop in hops],
        "claimed": claimed,
    }


def unsettled(
    book: Encyclopedia, facts: Mapping[str, Any], pick: random.Random
) -> Iterator[dict[str, Any]]:
    """A plausible claim whose telling word is absent from its page."""
    people = [p for p, own in facts.items() if "birth_year" in own]
    places = [
        p for p, own in facts.items() if "capital" in own or "on_river" in own or "country" in own
    ]
    for page, own in facts.items():
        kind = next((relation for relation in UNSETTLED if relation in own), None)
        if kind is None or book.rows[page]["split"] == "hub":
            continue
        for template in pick.sample(UNSETTLED[kind], 2):
            pool = people if "{who}" in template else places if "{where}" in template else THINGS
            term = bare(pick.choice(list(pool)))
            absent = not any(
                word in book.rows[page]["text"].lower()
                for word in term.lower().split()
                if len(word) > 3
            )
            if absent and term != bare(page):
                text = capital(
                    tidy(template.format(p=named(page), who=term, where=term, what=term))
                )
                yield {
                    "text": text,
                    "gold": LABELS[2],
                    "family": f"{kind}, {LABELS[2]}",
                    "pages": [page],
                    "absent": term,
                }
