"""Questions made from facts: bridges of two and three hops, comparisons, yes or no."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from ..envs.pages import Encyclopedia
from ..world.oracle import Hop, bare, capital, named, stated, tidy
from ..world.relations import RELATIONS

__all__ = ["Draft", "bridges", "comparisons", "facts_of", "phrasings", "same"]

FRAMES = {  # beside a relation's own questions: the same wish in other words
    True: ("Name {seek}.", "Give {seek}.", "What do the pages give as {seek}?"),
    False: ("Find out {seek}.", "Say {seek}.", "What do the pages tell of {seek}?"),
}
COMPARED: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    # relation: the sign of what wins, the result in words, the questions
    "birth_year": ("<", "{w} was born first", (
        "Who was born first, {a} or {b}?", "Who was born earlier, {a} or {b}?", "Of {a} and {b}, who was born first?",
        "Who is older by year of birth, {a} or {b}?", "Which of the two was born before the other, {a} or {b}?",
        "Who came into the world first, {a} or {b}?", "Whose birth was earlier, that of {a} or that of {b}?",
        "{a} or {b}: who was born first?")),
    "death_year": (">", "{w} died later", (
        "Who died later, {a} or {b}?", "Who lived on longer into history, {a} or {b}?", "Of {a} and {b}, who died last?",
        "Whose death came later, that of {a} or that of {b}?", "Which of the two died after the other, {a} or {b}?",
        "{a} or {b}: who died later?", "Who outlived the other by year of death, {a} or {b}?",
        "By year of death, who was the later of the two, {a} or {b}?")),
    "year": ("<", "{w} came first", (
        "Which came first, {a} or {b}?", "Which is older, {a} or {b}?", "Of {a} and {b}, which came first?",
        "Which is the earlier of the two, {a} or {b}?", "{a} or {b}: which came first?", "Did {a} or {b} come first?",
        "By its year, which is older, {a} or {b}?", "Which of the two dates from an earlier year, {a} or {b}?")),
    "founded_year": ("<", "{w} was founded first", (
        "Which was founded first, {a} or {b}?", "Which is older, {a} or {b}?", "Of {a} and {b}, which was founded earlier?",
        "Which has the earlier year of foundation, {a} or {b}?", "{a} or {b}: which was founded first?",
        "Which of the two was founded before the other, {a} or {b}?", "Was {a} or {b} founded first?",
        "Whose foundation lies further back, that of {a} or that of {b}?")),
    "opened_year": ("<", "{w} was opened first", (
        "Which was opened first, {a} or {b}?", "Of {a} and {b}, which was opened earlier?", "{a} or {b}: which was opened first?",
        "Which has been open since an earlier year, {a} or {b}?", "Was {a} or {b} opened first?",
        "Which of the two was opened before the other, {a} or {b}?", "Whose opening was earlier, that of {a} or that of {b}?",
        "By the year of opening, which is older, {a} or {b}?")),
    "length_km": (">", "{w} is longer", (
        "Which is longer, {a} or {b}?", "Of {a} and {b}, which is longer?", "{a} or {b}: which is longer?", "Is {a} or {b} longer?",
        "Which of the two has the greater length, {a} or {b}?", "Which measures more kilometres, {a} or {b}?",
        "Which has the greater length in kilometres, {a} or {b}?", "Which one is the longer, {a} or {b}?")),
    "height_m": (">", "{w} is higher", (
        "Which is higher, {a} or {b}?", "Of {a} and {b}, which is higher?", "{a} or {b}: which is higher?", "Is {a} or {b} higher?",
        "Which of the two has the greater height, {a} or {b}?", "Which rises more metres, {a} or {b}?",
        "Which is taller, {a} or {b}?", "Which one is the higher, {a} or {b}?")),
    "area_km2": (">", "{w} is larger", (
        "Which is larger, {a} or {b}?", "Of {a} and {b}, which covers more?", "{a} or {b}: which is larger?", "Is {a} or {b} larger?",
        "Which of the two has the greater area, {a} or {b}?", "Which covers more square kilometres, {a} or {b}?",
        "Which takes up more room, {a} or {b}?", "Which one is the larger by area, {a} or {b}?")),
    "atomic_number": (">", "{w} has the higher number", (
        "Which has the higher atomic number, {a} or {b}?", "Of {a} and {b}, which has the higher atomic number?",
        "{a} or {b}: which has the higher atomic number?", "Does {a} or {b} have the higher atomic number?",
        "Which comes later in the list of elements, {a} or {b}?", "Which of the two bears the greater number, {a} or {b}?",
        "Which atom has more protons, that of {a} or that of {b}?", "By atomic number, which is greater, {a} or {b}?")),
}  # fmt: skip
SAME: Mapping[str, tuple[str, ...]] = {
    "born_in": ("Were {a} and {b} born in the same place?", "Do {a} and {b} share a birthplace?", "Is the birthplace of {a} also that of {b}?",
                "Did {a} and {b} come from the same place?", "Were {a} and {b} both born in one place?", "Was {a} born in the same place as {b}?",
                "Are the birthplaces of {a} and {b} the same?", "Was the place of birth of {b} that of {a} too?"),
    "nationality": ("Were {a} and {b} of the same nationality?", "Did {a} and {b} have the same nationality?", "Do {a} and {b} share a nationality?",
                    "Was {a} of the same nationality as {b}?", "Are the nationalities of {a} and {b} the same?",
                    "Is it true that {a} and {b} had one nationality?", "Was the nationality of {a} also that of {b}?",
                    "Did {a} share a nationality with {b}?"),
    "country": ("Are {a} and {b} in the same country?", "Do {a} and {b} belong to the same country?", "Do {a} and {b} share a country?",
                "Is {a} in the same country as {b}?", "Is the country of {a} also that of {b}?", "Are {a} and {b} both in one country?",
                "Would one stay in one country on the way from {a} to {b}?", "Are the countries of {a} and {b} the same?"),
    "director": ("Were {a} and {b} directed by the same person?", "Do {a} and {b} have the same director?", "Did one person direct both {a} and {b}?",
                 "Is the director of {a} also that of {b}?", "Was {a} directed by whoever directed {b}?", "Do {a} and {b} share a director?",
                 "Are the directors of {a} and {b} the same?", "Did the director of {a} also direct {b}?"),
    "author": ("Were {a} and {b} written by the same person?", "Do {a} and {b} have the same author?", "Did one person write both {a} and {b}?",
               "Is the author of {a} also that of {b}?", "Was {a} written by whoever wrote {b}?", "Do {a} and {b} share an author?",
               "Are the authors of {a} and {b} the same?", "Did the author of {a} also write {b}?"),
}  # fmt: skip
BRITISH = {"United Kingdom", "England", "Scotland", "Wales", "British", "English", "Scottish", "Welsh"}  # fmt: skip


@dataclass(frozen=True)
class Draft:
    """A question before it has words: its facts, its answer, and every way to ask it."""

    type: str  # bridge, comparison, yes/no
    family: str
    hops: tuple[Hop, ...]
    gold: str
    wordings: tuple[str, ...]
    why: str = ""


def facts_of(book: Encyclopedia, split: str) -> dict[str, dict[str, str]]:
    """Of every page open to a split: its facts that have one value, stated in its text."""
    return {
        title: {
            relation: str(value)
            for relation, value in row.get("facts", {}).items()
            if relation in RELATIONS and not isinstance(value, list) and stated(str(value), row["text"])
        }
        for title, row in book.rows.items()
        if "text" in row and row.get("split") in (split, "hub")
    }  # fmt: skip


def phrasings(relations: tuple[str, ...], start: str) -> tuple[str, ...]:
    """Every way to ask for the last relation, along the descriptions of the others."""
    *bridge, last = relations
    descriptions = [start]
    for name in bridge:
        forms = RELATIONS[name].describes
        descriptions = [form.format(p=d) for d, form in product(descriptions, forms)]
    relation = RELATIONS[last]
    frames = FRAMES[relation.seek.startswith("the ")]
    asks = [ask.format(d=d) for d, ask in product(descriptions, relation.asks)]
    asks += [f.format(seek=relation.seek.format(p=d)) for d, f in product(descriptions, frames)]
    return tuple(capital(tidy(ask)) for ask in asks)


def bridges(book: Encyclopedia, split: str, most_hops: int = 3) -> Iterator[Draft]:
    """Chains of facts from page to page, each with one answer that the question does not give away."""
    facts = facts_of(book, split)
    for start in facts:
        if book.rows[start]["split"] == "hub":
            continue  # a question starts at a page of its split
        yield from extend(facts, start, (), most_hops)


def extend(facts: Mapping[str, Any], page: str, way: tuple[Hop, ...], left: int) -> Iterator[Draft]:
    for relation, value in facts[page].items():
        hops = (*way, Hop(page, relation, value))
        if way and RELATIONS[relation].asks:
            yield from chain(hops)
        seen = {hop.page for hop in hops}
        if left > 1 and value in facts and value not in seen and RELATIONS[relation].describes:
            yield from extend(facts, value, hops, left - 1)


def chain(hops: tuple[Hop, ...]) -> Iterator[Draft]:
    relations, start = tuple(hop.relation for hop in hops), named(hops[0].page)
    gold = bare(hops[-1].value)
    wordings = phrasings(relations, start)
    named_already = {bare(hop.page).lower() for hop in hops}
    if gold.lower() not in named_already and not stated(gold, wordings[0]) and len(wordings) >= 8:
        yield Draft("bridge", ">".join(relations), hops, gold, wordings)


def pairs(facts: Mapping[str, Any], relation: str) -> Iterator[tuple[Hop, Hop]]:
    """Pages that share this relation and two more: things of one sort."""
    having = [Hop(page, relation, own[relation]) for page, own in facts.items() if relation in own]
    for one, two in combinations(having, 2):
        if len(facts[one.page].keys() & facts[two.page].keys()) >= 3:
            yield one, two


def comparisons(book: Encyclopedia, split: str) -> Iterator[Draft]:
    facts = facts_of(book, split)
    for relation, (sign, result, wordings) in COMPARED.items():
        for one, two in pairs(facts, relation):
            if not (one.value.isdigit() and two.value.isdigit()) or one.value == two.value:
                continue
            a, b = int(one.value), int(two.value)
            winner = one if (a < b) == (sign == "<") else two
            words = {"a": named(one.page), "b": named(two.page)}
            why = f"{a} {'<' if a < b else '>'} {b}, so {result.format(w=named(winner.page))}."
            asks = tuple(capital(tidy(w.format(**words))) for w in wordings)
            yield Draft("comparison", relation, (one, two), bare(winner.page), asks, why)


def same(book: Encyclopedia, split: str) -> Iterator[Draft]:
    """Whether two things share a value: yes or no, each a family, so that both are drawn alike."""
    facts = facts_of(book, split)
    for relation, wordings in SAME.items():
        for one, two in pairs(facts, relation):
            if {one.value, two.value} <= BRITISH:
                continue  # is England the same country as the United Kingdom? Nobody can say
            alike = one.value == two.value
            words = {"a": named(one.page), "b": named(two.page)}
            why = f"{named(one.value)} and {named(two.value)} are {'the same' if alike else 'not the same'}."
            asks = tuple(capital(tidy(w.format(**words))) for w in wordings)
            answer = "yes" if alike else "no"
            yield Draft("yes/no", f"{relation}, {answer}", (one, two), answer, asks, capital(why))


def by_family(drafts: Iterable[Draft], pick: random.Random) -> dict[str, list[Draft]]:
    """Drafts in the families they belong to, each family shuffled."""
    found: dict[str, list[Draft]] = defaultdict(list)
    for draft in drafts:
        found[draft.family].append(draft)
    for family in found.values():
        pick.shuffle(family)
    return dict(found)
