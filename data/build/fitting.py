"""Values that would fit a page and are not its own: of a like thing, of the same time and country."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

from demonstrations import bare
from relations import RELATIONS

from react_lab.envs.pages import Encyclopedia

Span = tuple[int, int]
YEAR = re.compile(r"(?<!\d)(1\d{3}|20[012]\d)(?!\d)")
LIFE = 75  # years that a person lives, where the pages do not say it
YOUNG = 8  # who can be taught
APART = 40  # years that like things may lie apart
TODAY = 2020
SORTS: Mapping[str, str] = {  # what a page is about, by the first of these that it tells of
    "person": "birth_year death_year born_in died_in spouse father occupation nationality",
    "bridge": "crosses span_m",
    "land": "capital currency_name continent",
    "event": "victor loser war",
    "element": "atomic_number",
    "animal": "eats eaten_by family order endemic_to lives_in",
    "craft": "launch_year vehicle destination crew",
    "mountain": "first_climbed_by first_climbed_year mountain_range",
    "river": "flows_into flows_through source_in tributary",
    "lake or sea": "depth_m on_lake explored_by",
    "film": "director starring",
    "music": "composer librettist performer album",
    "picture": "painter sculptor",
    "book": "author publisher genre",
    "building": "architect builder opened_year completed_year material kept_in",
    "company or school": "headquarters industry product motto owner founder",
    "town": "on_river nickname former_name located_in country",
}
ROLES = frozenset(
    ("director", "author", "composer", "painter", "sculptor", "architect", "designer", "engineer",
     "builder", "inventor", "discoverer", "discovered_by", "commander", "first_climbed_by",
     "explored_by", "performer")
)  # a trade, as pages name those who have it  # fmt: skip
TRADE = frozenset(
    ("teacher", "student", "instrument", "member_of", "taught_at", "worked_at", "nickname")
)
LANDS = ("country", "nationality", "continent")
PEOPLE: Mapping[str, str] = {
    "American": "United States", "English": "England", "British": "England", "United Kingdom": "England",
    "Scottish": "Scotland", "Welsh": "Wales", "Irish": "Ireland", "German": "Germany", "Prussian": "Germany",
    "French": "France", "Italian": "Italy", "Portuguese": "Portugal", "Spanish": "Spain", "Danish": "Denmark",
    "Swedish": "Sweden", "Norwegian": "Norway", "Finnish": "Finland", "Dutch": "Netherlands", "Austrian": "Austria",
    "Hungarian": "Hungary", "Polish": "Poland", "Czech": "Czech Republic", "Bohemian": "Czech Republic", "Russian": "Russia",
    "Soviet": "Russia", "Swiss": "Switzerland", "Japanese": "Japan", "Cuban": "Cuba", "Roman": "Rome", "Ottoman": "Turkey",
}  # fmt: skip
OF_A_PEOPLE = re.compile(rf"\b({'|'.join(PEOPLE)})\b")
WITHIN = ("located_in", "headquarters", "set_in", "source_in", "place", "on_island", "born_in")
NEARBY = frozenset(
    ("on_river", "on_lake", "on_island", "mountain_range", "source_in", "flows_into", "lives_in",
     "endemic_to", "language", "explored_by", "headquarters", "kept_in", "lived_in", "buried_in",
     "born_in", "died_in", "spouse", "father", "teacher", "student", "educated_at", "named_after",
     "author", "composer", "painter", "sculptor")
)  # only another thing of the same country has such a value  # fmt: skip
ANY_TIME = NEARBY & {
    "on_river",
    "on_lake",
    "on_island",
    "mountain_range",
    "source_in",
    "flows_into",
}
AGES: Mapping[str, Span] = {  # by how many years somebody is older than the page's own person
    "father": (18, 55),
    "teacher": (8, 60),
    "student": (-60, -8),
    "spouse": (-20, 20),
}
MADE = frozenset(
    ("director", "author", "composer", "painter", "sculptor", "architect", "designer", "engineer",
     "builder", "inventor", "founder", "discoverer", "discovered_by", "producer", "screenwriter",
     "librettist", "performer", "first_climbed_by", "explored_by")
)  # somebody was alive and grown up when the thing came to be  # fmt: skip
SETTLES = frozenset(
    ("wrote", "discovered", "invented", "capital", "highest_point", "country", "located_in",
     "nationality", "occupation", "birth_name", "symbol", "atomic_number", "victor", "destination",
     "vehicle", "launch_site", "year", "launch_year", "discovery_year", "area_km2")
)  # another page, or anybody, would settle such a claim  # fmt: skip


@functools.lru_cache(maxsize=65536)
def silent(book: Encyclopedia, page: str, relation: str) -> bool:
    """Does nothing tell this of a page? Neither its facts nor its words, nor the pages that name it."""
    row, keys = book.rows[page], RELATIONS[relation].keys
    if not keys or relation in SETTLES or relation in row.get("facts", {}) or row["split"] == "hub":
        return False
    about = re.compile(rf"\b(?:{'|'.join(map(re.escape, keys))})", re.IGNORECASE)
    return not about.search(row["text"]) and not any(map(about.search, said_of(book, page)))


def mentions(book: Encyclopedia, page: str, value: str) -> bool:
    """Does a page have a value, or a number with its commas, anywhere, be it within a word?"""
    text, plain = book.rows[page]["text"].lower(), bare(value).lower()
    return plain in text or (plain.isdecimal() and f"{int(plain):,}" in text)


@functools.lru_cache(maxsize=4096)
def said_of(book: Encyclopedia, page: str) -> tuple[str, ...]:
    """What other pages say where they name a page: in a sentence with a word of its name."""
    names = [bare(page), *book.rows[page].get("aliases", ())]
    last = bare(page).split()[-1]
    return tuple(
        sentence
        for title, row in book.rows.items()
        if (text := row.get("text", "")) and title != page and any(n in text for n in names)
        for sentence in re.split(r"(?<=[.!?]) ", text)
        if last in sentence
    )


# ---------------------------------------------------------------------- values


def fitting(
    book: Encyclopedia, facts: Mapping[str, Mapping[str, str]], page: str, relation: str
) -> list[str]:
    """Values of like things that would fit this page and do not stand on it, in a fixed order."""
    kind, own = RELATIONS[relation].kind, facts[page].get(relation, "")
    if kind == "year":
        return [str(year) for year in years(book, facts, page, relation) if str(year) != own]
    found = dict.fromkeys(
        value
        for other in like(book, page)
        if other in facts and relation in facts[other] and near(book, page, other, relation)
        for value in [facts[other][relation]]
        if value not in (own, page) and value_fits(book, page, relation, value)
    )
    if kind == "number":
        return changed(found, page) if not own else changed([own], page)
    return list(found)


def changed(numbers: Mapping[str, None] | list[str], page: str) -> list[str]:
    """Numbers a little larger or smaller."""
    pick = random.Random(page)
    whole = [int(number) for number in numbers if number.isdigit()]
    near = (n + pick.choice((-1, 1)) * max(1, n // pick.randint(6, 12)) for n in whole)
    return [str(n) for n in near]


def years(
    book: Encyclopedia, facts: Mapping[str, Mapping[str, str]], page: str, relation: str
) -> Iterator[int]:
    """Years that agree with what the page tells of its time."""
    pick = random.Random(f"{page} {relation}")
    own = facts[page].get(relation, "")
    if own.isdigit():
        yield from (int(own) + way * pick.randint(1, 9) for way in (-1, 1))
        return
    told = told_years(book, page)
    born = year_of(facts[page], "birth_year")
    if not told or not any(relation in facts.get(other, {}) for other in like(book, page)):
        return
    if relation == "birth_year":
        yield from (min(told) - pick.randint(18, 32) for _ in range(2))
    elif relation == "death_year" and max(told) < TODAY - 40:
        most = min((born or min(told)) + 88, TODAY - 20)
        if most > max(told):
            yield from (pick.randint(max(told) + 1, most) for _ in range(2))
    elif relation in ("founded_year", "opened_year", "completed_year"):
        yield from (min(told) - pick.randint(2, 30) for _ in range(2))
    elif relation == "destroyed_year" and max(told) < TODAY - 30:
        yield from (max(told) + pick.randint(2, 25) for _ in range(2))
    elif relation in ("first_climbed_year", "patented_year"):
        yield from (year for _ in range(2) if (year := min(told) + pick.randint(-4, 12)) > 1780)


# ---------------------------------------------------------------------- what is like, and when


@functools.lru_cache(maxsize=4096)
def like(book: Encyclopedia, page: str) -> tuple[str, ...]:
    """Other things of the same sort of which two of the same relations are told."""
    own = book.rows[page].get("facts", {}).keys()
    return tuple(
        title
        for title, row in book.rows.items()
        if title != page
        and "text" in row
        and len(own & row.get("facts", {}).keys()) >= 2
        and sort_of(book, title) == sort_of(book, page)
    )


@functools.lru_cache(maxsize=4096)
def sort_of(book: Encyclopedia, page: str) -> str:
    told = book.rows[page].get("facts", {}).keys()
    return next((sort for sort, some in SORTS.items() if told & set(some.split())), "")


@functools.lru_cache(maxsize=4)
def trades(book: Encyclopedia) -> Mapping[str, frozenset[str]]:
    """What people did, as the pages of their works tell it."""
    found: dict[str, set[str]] = {}
    for row in book.rows.values():
        for relation, values in row.get("facts", {}).items():
            if relation in ROLES:
                for value in values if isinstance(values, list) else [values]:
                    found.setdefault(str(value), set()).add(relation)
    return {name: frozenset(some) for name, some in found.items()}


def near(book: Encyclopedia, page: str, other: str, relation: str) -> bool:
    """Do two things belong to the same time and, where that counts, to the same country?"""
    done = trades(book)
    if relation in TRADE and not done.get(page, frozenset()) & done.get(other, frozenset()):
        return False
    if relation == "spouse" and she(book, page) != she(book, other):
        return False
    lands = land(book, page), land(book, other)
    if relation in NEARBY and lands[0] != lands[1] and (relation in ANY_TIME or all(lands)):
        return False
    if RELATIONS[relation].kind == "number" or relation in ANY_TIME:
        return True
    one, two = span(book, page), span(book, other)
    if not one or not two:
        return False
    return one[0] - APART <= two[1] and two[0] - APART <= one[1]


def she(book: Encyclopedia, page: str) -> bool:
    """Does a page speak of a woman?"""
    words = book.rows[page]["text"].lower().split()
    return sum(w in ("she", "her") for w in words) > sum(w in ("he", "his", "him") for w in words)


def value_fits(book: Encyclopedia, page: str, relation: str, value: str) -> bool:
    """Could this person have done so, was this place there: by the years that the pages tell."""
    facts = book.rows.get(value, {}).get("facts", {})
    when, then = span(book, page), span(book, value)
    if relation in AGES and "birth_year" in facts:
        if not when or (relation == "spouse" and "spouse" in facts):
            return False
        low, high = AGES[relation]
        own = book.rows[page].get("facts", {})
        born = year_of(own, "birth_year") or when[0] - 25
        met = not then or then[1] >= born + YOUNG  # alive when the other was old enough
        return met and low <= born - year_of(facts, "birth_year") <= high
    if relation in MADE:
        told = told_years(book, page)
        return bool(told) and then is not None and then[0] + 20 <= min(told) <= then[1]
    built = (year_of(facts, r) for r in ("founded_year", "opened_year", "completed_year"))
    there = [year for year in built if year]
    return not (when and there and min(there) > when[1] - 20)


@functools.lru_cache(maxsize=4096)
def span(book: Encyclopedia, page: str) -> Span | None:
    """The years of a life, or those that a page tells; None where it tells none."""
    facts = book.rows.get(page, {}).get("facts", {})
    born, died = year_of(facts, "birth_year"), year_of(facts, "death_year")
    if born or died:
        first = born or died - LIFE
        return first, died or first + LIFE
    told = told_years(book, page)
    return (min(told), max(told)) if told else None


def year_of(facts: Mapping[str, Any], relation: str) -> int:
    """A year as a number; 0 where it is not told, or lies before our era."""
    year = str(facts.get(relation, ""))
    return int(year) if year.isdigit() else 0


@functools.lru_cache(maxsize=4096)
def told_years(book: Encyclopedia, page: str) -> tuple[int, ...]:
    """All years on a page, from 1000 on; none of a page that goes further back."""
    text = book.rows.get(page, {}).get("text", "")
    return () if " BC" in text else tuple(map(int, YEAR.findall(text)))


@functools.lru_cache(maxsize=4096)
def land(book: Encyclopedia, page: str, deep: int = 3) -> str:
    """The country of a page, if need be by way of the place where it is."""
    facts = book.rows.get(page, {}).get("facts", {})
    if not facts:
        return ""
    for relation in LANDS:
        if isinstance(value := facts.get(relation), str):
            return PEOPLE.get(value, value)
    if "capital" in facts:
        return page
    if sort_of(book, page) == "person" and (told := OF_A_PEOPLE.search(book.rows[page]["text"])):
        return PEOPLE[told[1]]
    within = (str(facts[relation]) for relation in WITHIN if relation in facts)
    return next(filter(None, (land(book, place, deep - 1) for place in within if deep)), "")
