"""Makes the questions of `train` from the facts of the pages, asked as people ask, with notes.

    python data/build/questions.py        writes data/tasks/multihop/train.jsonl

A draft that the acts do not bear out (see `demonstrations`) is left out.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from demonstrations import bare, demonstrate, faults, kind_of, rationale
from fitting import like, she, silent, sort_of
from relations import IN_ONE_BREATH, RELATIONS, Relation

from react_lab import data
from react_lab.envs.pages import Encyclopedia, bundled, fold
from react_lab.envs.wiki import sentences
from react_lab.types import normalise

Row = dict[str, Any]
Facts = Mapping[str, Mapping[str, str]]
MIX = {  # how many of each type
    "bridge": 1250, "comparison": 600, "three pages": 330, "yes/no": 260, "choosing": 400,
    "wrong first page": 90, "unanswerable": 240,
}  # fmt: skip
AT_ONCE = 0.55  # at most this share needs no Lookup: a model must learn that a page has more
CASUAL, CONTRACTED = 0.12, 0.12  # shares of the questions typed without care, and with "what's"
MOST_WORDS = 20
NOUN = re.compile(  # the first of these words in the sentence that opens a page
    r"\b(city|town|village|country|kingdom|republic|island|peninsula|county|region|state|province|river|lake|sea|ocean|strait|mountain|volcano|"
    r"castle|palace|church|cathedral|abbey|museum|university|college|school|academy|conservatory|theatre|house|cemetery|hospital|capital)\b"
)
WORD = re.compile(r"[^\W_]+")
FIRST_LAST: dict[str, tuple[str, str, str, str, str]] = {
    # year: asks for the first, asks for the last, in so many words, how many years, before
    "birth_year": ("Who was born first", "Who was born last", "was born {}", "after {a} was {b} born", "Was {a} born before {b}?"),
    "death_year": ("Who died first", "Who died last", "died {}", "after {a} did {b} die", "Did {a} die before {b}?"),
    "year": ("Which came first", "Which came last", "came {}", "after {a} did {b} come", "Did {a} come before {b}?"),
    "founded_year": ("Which was founded first", "Which was founded last", "was founded {}", "after {a} was {b} founded", "Was {a} founded before {b}?"),
    "opened_year": ("Which opened first", "Which opened last", "opened {}", "after {a} did {b} open", "Did {a} open before {b}?"),
    "completed_year": ("Which was finished first", "Which was finished last", "was finished {}", "after {a} was {b} finished", "Was {a} finished before {b}?"),
    "discovery_year": ("Which was discovered first", "Which was discovered last", "was discovered {}", "after {a} was {b} discovered", "Was {a} discovered before {b}?"),
    "launch_year": ("Which was launched first", "Which was launched last", "was launched {}", "after {a} was {b} launched", "Was {a} launched before {b}?"),
    "first_climbed_year": ("Which was climbed first", "Which was climbed last", "was climbed {}", "after {a} was {b} climbed", "Was {a} climbed before {b}?"),
}  # fmt: skip
OTHER_WORDS = {  # for two of them
    "birth_year": ("Who is older, {a} or {b}?", "Who is younger, {a} or {b}?"),
    "death_year": ("Who was the first to die, {a} or {b}?", "Who was the last to die, {a} or {b}?"),
    "year": ("Which is older, {a} or {b}?", "Which is newer, {a} or {b}?"),
    "founded_year": ("Which is older, {a} or {b}?", "Which is younger, {a} or {b}?"),
}
SIZES: dict[str, tuple[str, str, str, str, str]] = {  # more, less, unit, in words, how much
    "length_km": ("Which is longer", "Which is shorter", "km", "long", "How many kilometres longer is {b} than {a}?"),
    "height_m": ("Which is higher", "Which is lower", "m", "high", "How many metres higher is {b} than {a}?"),
    "depth_m": ("Which is deeper", "Which is shallower", "m", "deep", "How many metres deeper is {b} than {a}?"),
    "span_m": ("Which has the longer span", "Which has the shorter span", "m", "wide", "How many metres longer is the span of {b} than that of {a}?"),
    "area_km2": ("Which is larger", "Which is smaller", "km2", "large", "How many square kilometres larger is {b} than {a}?"),
    "atomic_number": ("Which has the higher atomic number", "Which has the lower atomic number", "", "", "By how much is the atomic number of {b} higher than that of {a}?"),
}  # fmt: skip
SAME = {
    "born_in": ("Were {a} and {b} born in the same place?", "Do {a} and {b} share a birthplace?", "Did {a} and {b} come from the same place?", "Is the birthplace of {a} the same as that of {b}?"),
    "nationality": ("Were {a} and {b} of the same nationality?", "Did {a} and {b} have the same nationality?", "Did {a} and {b} share a nationality?", "Were {a} and {b} from the same nation?"),
    "country": ("Are {a} and {b} in the same country?", "Is {a} in the same country as {b}?", "Do {a} and {b} belong to the same country?", "Are {a} and {b} both in one country?"),
    "director": ("Were {a} and {b} directed by the same person?", "Do {a} and {b} have the same director?", "Did one person direct {a} and {b}?", "Is the director of {a} also that of {b}?"),
    "author": ("Were {a} and {b} written by the same person?", "Do {a} and {b} have the same author?", "Did one person write {a} and {b}?", "Is the author of {a} also that of {b}?"),
    "composer": ("Were {a} and {b} written by the same composer?", "Do {a} and {b} have the same composer?", "Did one person compose {a} and {b}?", "Is the composer of {a} also that of {b}?"),
    "buried_in": ("Are {a} and {b} buried in the same place?", "Do {a} and {b} share a burial place?", "Is {a} buried where {b} is?", "Do {a} and {b} lie in the same place?"),
    "educated_at": ("Did {a} and {b} study at the same place?", "Did {a} go to the same school or university as {b}?", "Did {a} and {b} share a school or university?", "Were {a} and {b} educated at the same place?"),
}  # fmt: skip
BRITISH = {"United Kingdom", "England", "Scotland", "Wales", "British", "English", "Scottish", "Welsh"}  # fmt: skip
UNIQUE = {
    "spouse",
    "wrote",
    "student",
    "child",
    "lived_in",
    "worked_at",
}  # relations that may have another value unsaid


@dataclass(frozen=True)
class Fact:
    """A value, and the sentence of its page that says so."""

    page: str
    relation: str
    value: str
    s: int  # the sentence
    said: str  # the value in its words


class Book:
    """The pages of a split, their facts, and how one names them."""

    def __init__(self, book: Encyclopedia, split: str) -> None:
        self.book, self.split = book, split
        self.facts: dict[str, dict[str, Fact]] = {}
        for title, row in book.rows.items():
            if "text" in row and row.get("split") in (split, "hub"):
                text = sentences(row["text"])
                found = (fact_of(title, r, str(v), text) for r, v in row.get("facts", {}).items()
                         if r in RELATIONS and not isinstance(v, list))  # fmt: skip
                self.facts[title] = {fact.relation: fact for fact in found if fact}
        self.named = {title: name for title in self.facts if (name := self.name_of(title))}

    def name_of(self, title: str) -> str | None:
        """How people name a page in a question: `the film Jaws`, `the Brooklyn Bridge`."""
        name, inside = bare(title), kind_of(title)
        if name == title:
            text = self.book.rows[title]["text"]
            return f"the {name}" if re.match(rf"The {re.escape(name)}\b", text) else name
        if year := re.fullmatch(r"(\d{4}) (\w+)", title[len(name) :].strip(" ()")):
            return f"the {year[2]} {name} of {year[1]}"
        return f"the {inside} {name}" if inside else None

    def words(self, text: str, fact: Fact) -> str:
        """A wording for this very fact: a wife or a husband, a town or a country, came out or took place."""
        if "<" not in text:
            return text
        woman = (
            she(self.book, fact.value)
            if "text" in self.book.rows.get(fact.value, {})
            else not she(self.book, fact.page)
        )
        work = (
            sort_of(self.book, fact.page) in ("film", "music", "picture", "book")
            or "author" in self.book.rows[fact.page]["facts"]
        )
        text = text.replace("<spouse>", "wife" if woman else "husband").replace(
            "<noun>", self.noun(fact.value, woman)
        )
        return text.replace("<came>", "came out" if work else "took place").replace(
            "<come>", "come out" if work else "take place"
        )

    def noun(self, value: str, woman: bool = False) -> str:
        """What a thing is, by the first sentence of its page: a town, a river, a woman."""
        row = self.book.rows.get(value, {})
        if sort_of(self.book, value) == "person" if row else False:
            return "woman" if woman else "man"
        first = sentences(row.get("text", ""))[:1]
        found = NOUN.search(first[0]) if first else None
        return found[1] if found else "place"

    def pronoun(self, fact: Fact) -> str:
        kind = RELATIONS[fact.relation].kind
        return {"who": "that person", "where": f"that {self.noun(fact.value)}"}.get(kind, "it")

    def name(self, value: str) -> str:
        return self.named.get(value) or bare(value)

    def own(self) -> list[str]:
        """Pages at which a question may start."""
        return [t for t in self.named if self.book.rows[t]["split"] == self.split]


def fact_of(page: str, relation: str, value: str, text: tuple[str, ...]) -> Fact | None:
    """Where a page says a fact: a sentence with the value and a word of the relation."""
    keys = RELATIONS[relation].keys
    forms = [
        value,
        bare(value),
        *([f"{int(value):,}"] if value.isdecimal() and len(value) < 12 else []),
    ]
    if relation.endswith("_year") or relation == "year":
        forms = [value]
    for s, sentence in enumerate(text, 1):
        for form in forms:
            if re.search(rf"(?<!\w){re.escape(form)}(?!\w)", sentence) and any(
                k in sentence.lower() for k in keys
            ):
                return Fact(page, relation, value, s, form)
    return None


# ---------------------------------------------------------------------- drafts


def hop(book: Book, fact: Fact, of: str | None = None) -> Row:
    """What to ask of a page, and where it stands."""
    relation = RELATIONS[fact.relation]
    found = fact.said
    if relation.kind == "number":
        unit = SIZES[fact.relation][2]
        found = f"{fact.said} {unit}".strip() if unit != "km2" else f"{fact.said} square kilometres"
    ask = tidy(book.words(relation.asks[0], fact).format(d=of or book.name(fact.page)))
    row = {"ask": ask, "page": fact.page, "s": fact.s, "found": found}
    if fact.s > 5 and (key := key_of(book, fact)):
        row["key"] = key
    return row


def key_of(book: Book, fact: Fact) -> str | None:
    """A whole word of the sentence that a person would look up."""
    text = sentences(book.book.rows[fact.page]["text"])
    for start in RELATIONS[fact.relation].keys:
        word = re.search(rf"\b{re.escape(start.strip())}\w*", text[fact.s - 1], re.I)
        if word and len(word[0]) > 3:
            hits = [s for s in text if fold(word[0]) in fold(s)]
            if text[fact.s - 1] in hits[:2] and fold(word[0]) not in fold(fact.said):
                return word[0]
    return None


def plain_forms(forms: Iterable[str], of: str, name: str) -> list[str]:
    """Without "'s" behind a long name or one that ends in s."""
    if name.endswith("s") or " of " in name or " who " in name or name.startswith("the "):
        return [form for form in forms if f"{{{of}}}'s" not in form]
    return [*forms]


def describe(book: Book, way: tuple[Fact, ...], name: str, pick: random.Random) -> str:
    """The thing at the end of a chain: `the wife of the painter of Nighthawks`."""
    for fact in way:
        first, *others = plain_forms(RELATIONS[fact.relation].describes, "p", name)
        form = first if not others or pick.random() < 0.55 else pick.choice(others)
        name = tidy(book.words(form, fact).format(p=name))
    return name


EMPTY = {
    "country>highest_point",
    "highest_point>country",
    "capital>country",
    "country>country",
    "located_in>country",
    "located_in>capital",
    "on_island>country",
}


def leads(book: Book, fact: Fact) -> bool:
    """Can a question go on from this value?"""
    if fact.value not in book.facts or not RELATIONS[fact.relation].describes:
        return False
    if fact.relation == "named_after":
        return sort_of(book.book, fact.value) == "person"
    return fact.relation != "composer" or "director" not in book.facts[fact.page]


def chains(book: Book, hops: int) -> Iterator[tuple[Fact, ...]]:
    def extend(way: tuple[Fact, ...]) -> Iterator[tuple[Fact, ...]]:
        if len(way) == hops:
            yield way
            return
        there = way[-1].value
        if leads(book, way[-1]) and there not in {f.page for f in way}:
            for fact in book.facts[there].values():
                if f"{way[-1].relation}>{fact.relation}" not in EMPTY:
                    yield from extend((*way, fact))

    for page in book.own():
        for fact in book.facts[page].values():
            yield from extend((fact,))


def bridge(book: Book, way: tuple[Fact, ...], pick: random.Random) -> Row:
    relations = [RELATIONS[fact.relation] for fact in way]
    family = ">".join(fact.relation for fact in way)
    ends = ">".join(fact.relation for fact in way[-2:])
    name = describe(book, way[: -2 if ends in IN_ONE_BREATH else -1], book.name(way[0].page), pick)
    asks = IN_ONE_BREATH.get(ends, relations[-1].asks)
    text = book.words(pick.choice(plain_forms(asks, "d", name)), way[-1]).format(d=name)
    needs = [book.words(relations[0].seek, way[0]).format(p=book.name(way[0].page))]
    needs += [
        book.words(r.seek, f).format(p=book.pronoun(before))
        for before, f, r in zip(way, way[1:], relations[1:], strict=False)
    ]
    hops = [hop(book, way[0])]
    hops += [hop(book, fact, book.name(fact.page)) for fact in way[1:]]
    return {
        "text": text, "gold": way[-1].said, "accepted": accepted(hops[-1]["found"], way[-1].said),
        "type": "bridge" if len(way) < 3 else "three pages",
        "family": family, "pages": [f.page for f in way], "plan": joined(needs, pick), "hops": hops,
    }  # fmt: skip


def accepted(found: str, gold: str) -> list[str]:
    return [found] if found != gold else []


def joined(needs: list[str], pick: random.Random) -> str:
    first, *rest = needs
    glue = pick.choice((", then {}", ", and then {}", ", and after that {}", ", then I need {}"))
    return first + "".join(glue.format(r) for r in rest)


def of_one_sort(
    book: Book, relation: str, n: int, pick: random.Random
) -> Iterator[tuple[Fact, ...]]:
    """Things of one sort with this fact: they share two more relations."""
    having = [f[relation] for p in book.own() if relation in (f := book.facts[p])]
    for _ in range(4000):
        if len(having) < n:
            return
        some = tuple(pick.sample(having, n))
        if len({sort_of(book.book, f.page) or f.page for f in some}) == 1 and not any(
            "BC" in f.value for f in some
        ):
            yield some


def number(fact: Fact) -> int:
    return int(re.sub(r"\D", "", fact.value) or 0)


def listed(names: list[str], word: str = "or") -> str:
    return (
        f"{names[0]} {word} {names[1]}"
        if len(names) == 2
        else f"{', '.join(names[:-1])} {word} {names[-1]}"
    )


BEFORE = ("is before", "is earlier than", "comes before", "is earlier than", "comes before")
AFTER = ("is after", "is later than", "comes after", "is later than", "comes after")


def compared(book: Book, relation: str, some: tuple[Fact, ...], pick: random.Random) -> Row | None:
    """Which is first, last, longer, shorter; or by how much: of two or three things."""
    names = {f: book.name(f.page) for f in some}
    order = sorted(some, key=number)
    if len({number(f) for f in some}) < len(some) or (
        len(some) > 2 and any("," in n for n in names.values())
    ):
        return None
    low, high = order[0], order[-1]
    if relation in SIZES:
        more, less, _, _how, much = SIZES[relation]
        wanted, ask = pick.choice(((high, more), (low, less)))
        best = ask.removeprefix("Which is ").removeprefix("Which has ")
        if len(some) > 2:
            if relation in ("span_m", "atomic_number"):
                return None
            best = {"longer": "longest", "shorter": "shortest", "higher": "highest", "lower": "lowest", "deeper": "deepest",
                    "shallower": "shallowest", "larger": "largest", "smaller": "smallest"}[best]  # fmt: skip
            ask = f"Which is the {best}"
        text = f"{ask}, {listed([names[f] for f in some])}?"
        reason = (
            f"{some[0].said} is {'less' if some[0] is low else 'more'} than {some[1].said}, and the {best} is asked for"
            if len(some) == 2
            else f"Of {listed([f.said for f in some], 'and')}, {wanted.said} is the {'most' if wanted is high else 'least'}"
        )
        difference = much.format(a=names[low], b=names[high])
    else:
        first, last, _done, years, _ = FIRST_LAST[relation]
        wanted, ask = pick.choice(((low, first), (high, last)))
        if len(some) == 2:
            ask = ask.replace(" last", pick.choice((" later", " last")))
        text = f"{ask}, {listed([names[f] for f in some])}?"
        if len(some) == 2 and relation in OTHER_WORDS and pick.random() < 0.4:
            text = OTHER_WORDS[relation][wanted is high].format(a=names[some[0]], b=names[some[1]])
        elif len(some) == 3 and pick.random() < 0.5:
            who, rest = text.split(" ", 1)[0], ask.split(" ", 1)[1]
            text = f"{who} of {listed([names[f] for f in some], 'and')} {rest}?"
        # the first that is named stands first: which one it is to be is said before the name
        than = pick.choice(BEFORE if some[0] is low else AFTER)
        asked = "earlier" if wanted is low else "later"
        reason = f"{some[0].said} {than} {some[1].said}, and the {asked} is asked for"
        if len(some) > 2:
            reason = f"Of {listed([f.said for f in some], 'and')}, {wanted.said} is the {'earliest' if wanted is low else 'latest'}"
        difference = f"How many years {years.format(a=names[low], b=names[high])}?"
    gold = bare(wanted.page)
    so = f"{reason}, so {pick.choice(('the answer is ', 'it is ', 'I take '))}{gold}."
    if len(some) == 2 and pick.random() < 0.35:
        gap = number(high) - number(low)
        if relation in ("atomic_number",) and pick.random() < 0.7:
            return None
        text, gold = difference, str(gap)
        so = pick.choice(
            (
                f"{high.said} - {low.said} = {gap}, so the answer is {gap}.",
                f"From {low.said} to {high.said} it is {gap}. So the answer is {gap}.",
                f"{high.said} minus {low.said} is {gap}, so {gap}.",
            )
        )
    needs = [book.words(RELATIONS[relation].seek, f).format(p=names[f]) for f in some]
    return {
        "text": text, "gold": gold, "accepted": [], "type": "comparison" if len(some) == 2 else "choosing",
        "family": f"{relation}, {len(some)}", "pages": [f.page for f in some],
        "plan": needs[0] + "".join(f"{' and' if k == len(needs) - 2 else ','} {n}" for k, n in enumerate(needs[1:])) + pick.choice((", to compare them", ", and then I compare", ", to see which is right", ", and to compare the two" if len(some) == 2 else ", and to compare the three")),
        "hops": [hop(book, f) for f in some], "so": so,
    }  # fmt: skip


def same(book: Book, relation: str, some: tuple[Fact, ...], pick: random.Random) -> Row | None:
    one, two = some
    if {one.value, two.value} <= BRITISH:
        return None
    alike = one.value == two.value
    a, b = book.name(one.page), book.name(two.page)
    gold = "yes" if alike else "no"
    why = (
        f"{one.said} and {two.said} are {'the same' if alike else 'not the same'}"
        if one.said != two.said
        else f"Both times it is {one.said}"
    )
    return {
        "text": pick.choice(SAME[relation]).format(a=a, b=b), "gold": gold, "accepted": [], "type": "yes/no",
        "family": f"{relation}, {gold}", "pages": [one.page, two.page],
        "plan": f"{book.words(RELATIONS[relation].seek, one).format(p=a)} and {book.words(RELATIONS[relation].seek, two).format(p=b)}, to see whether they are the same",
        "hops": [hop(book, one), hop(book, two)], "so": f"{why}, so the answer is {gold}.",
    }  # fmt: skip


def before(book: Book, relation: str, some: tuple[Fact, ...], pick: random.Random) -> Row | None:
    one, two = some
    if number(one) == number(two):
        return None
    a, b = book.name(one.page), book.name(two.page)
    gold = "yes" if number(one) < number(two) else "no"
    return {
        "text": FIRST_LAST[relation][4].format(a=a, b=b), "gold": gold, "accepted": [], "type": "yes/no",
        "family": f"{relation} before, {gold}", "pages": [one.page, two.page],
        "plan": f"{book.words(RELATIONS[relation].seek, one).format(p=a)} and {book.words(RELATIONS[relation].seek, two).format(p=b)}, to see which is earlier",
        "hops": [hop(book, one), hop(book, two)],
        "so": f"{one.said} is {'before' if gold == 'yes' else 'after'} {two.said}, so the answer is {gold}.",
    }  # fmt: skip


COUNTS = {
    "birth_year": "were born",
    "death_year": "died",
    "year": "came",
    "founded_year": "were founded",
    "opened_year": "were opened",
    "completed_year": "were finished",
    "launch_year": "were launched",
}
WORDS = ("none", "one", "two", "three")


def counted(book: Book, relation: str, some: tuple[Fact, ...], pick: random.Random) -> Row | None:
    """How many of three things came before a year between them."""
    if (
        relation not in COUNTS
        or len({number(f) for f in some}) < 3
        or any("," in f.page or "BC" in f.said for f in some)
    ):
        return None
    order = sorted(map(number, some))
    low, high = pick.choice(((order[0], order[1]), (order[1], order[2])))
    if high - low < 4:
        return None
    bound = next(
        (
            y
            for y in (low // 100 * 100 + 100, low // 50 * 50 + 50, low // 10 * 10 + 10, low + 2)
            if low < y < high
        ),
        0,
    )
    if not bound:
        return None
    side = pick.choice(("before", "after"))
    hits = [number(f) < bound if side == "before" else number(f) > bound for f in some]
    gold, names = str(sum(hits)), [book.name(f.page) for f in some]
    said = ", ".join(
        f"{f.said} is {'' if h else 'not '}{side} {bound}" for f, h in zip(some, hits, strict=True)
    )
    return {
        "text": f"How many of {listed(names, 'and')} {COUNTS[relation]} {side} {bound}?", "gold": gold, "accepted": [WORDS[sum(hits)]], "type": "choosing",
        "family": f"{relation}, count", "pages": [f.page for f in some],
        "plan": f"{listed([book.words(RELATIONS[relation].seek, f).format(p=n) for f, n in zip(some, names, strict=True)], 'and')}, and to count those {side} {bound}",
        "hops": [hop(book, f) for f in some], "so": f"{said}. So the answer is {gold}.",
    }  # fmt: skip


PLACED = {  # how many of them; which of them
    "born_in": ("were born in {}", "Which of {} was born in {}?"),
    "died_in": ("died in {}", "Which of {} died in {}?"),
    "buried_in": ("are buried in {}", "Which of {} is buried in {}?"),
    "educated_at": ("studied at {}", "Which of {} studied at {}?"),
    "country": ("are in {}", "Which of {} is in {}?"),
    "author": ("were written by {}", "Which of {} was written by {}?"),
    "composer": ("were composed by {}", "Which of {} was composed by {}?"),
    "director": ("were directed by {}", "Which of {} was directed by {}?"),
}


def placed(book: Book, relation: str, pick: random.Random, most: int) -> Iterator[Row]:
    """How many of three were born in Paris; or who of them, where it is one."""
    having = [f[relation] for p in book.own() if relation in (f := book.facts[p])]
    sharing: dict[str, list[Fact]] = defaultdict(list)
    for fact in having:
        if fact.value not in BRITISH and "," not in fact.page:
            sharing[fact.value].append(fact)
    often = sorted(value for value, some in sharing.items() if len(some) > 1)
    for _ in range(most if often else 0):
        value = pick.choice(often)
        inside = pick.sample(sharing[value], pick.choice((1, 1, 2, min(3, len(sharing[value])))))
        others = [f for v, each in sharing.items() if not named_in(v, value) and not named_in(value, v)
                  for f in each if sort_of(book.book, f.page) == sort_of(book.book, inside[0].page)]  # fmt: skip
        if len(others) < 3:
            continue
        some = [*inside, *pick.sample(others, 3 - len(inside))]
        if any(named_in(value, f.said) != (f in inside) for f in some):
            continue
        pick.shuffle(some)
        names = [book.name(f.page) for f in some]
        many, which = PLACED[relation]
        at = book.name(value)
        said = ", ".join(
            f"{n}: {f.said}, so {'yes' if f in inside else 'no'}"
            for f, n in zip(some, names, strict=True)
        )
        gold, accepted = str(len(inside)), [WORDS[len(inside)]]
        text, aim = f"How many of {listed(names, 'and')} {many.format(at)}?", "to count them"
        if len(inside) == 1 and pick.random() < 0.6:
            gold, accepted = bare(inside[0].page), []
            text, aim = which.format(listed(names, "and"), at), "to see which it is"
        yield {
            "text": text, "gold": gold, "accepted": accepted, "type": "choosing",
            "family": f"{relation}, placed", "pages": [f.page for f in some],
            "plan": f"{listed([book.words(RELATIONS[relation].seek, f).format(p=n) for f, n in zip(some, names, strict=True)], 'and')}, {aim}",
            "hops": [hop(book, f) for f in some], "so": f"{said}. So the answer is {gold}.",
        }  # fmt: skip


def misled(book: Book, way: tuple[Fact, ...], pick: random.Random) -> Row | None:
    """A question about a thing with a namesake, whose page is opened first."""
    title = way[0].page
    rivals = [t for t in book.facts if t != title and bare(t) == bare(title) and kind_of(t)]
    if not kind_of(title) or not rivals:
        return None
    rival = pick.choice(rivals)
    row = bridge(book, way, pick) if len(way) > 1 else single(book, way[0], pick)
    why = pick.choice(
        (
            f"this page is about the {kind_of(rival)}, and I need the {kind_of(title)}.",
            f"this is the {kind_of(rival)}, and the question is about the {kind_of(title)}.",
            f"here it is the {kind_of(rival)}, not the {kind_of(title)}.",
        )
    )
    first = {**row["hops"][0], "wrong": {"page": rival, "why": why}}
    return {
        **row,
        "type": "wrong first page",
        "family": f"wrong, {row['family']}",
        "hops": [first, *row["hops"][1:]],
    }


def single(book: Book, fact: Fact, pick: random.Random) -> Row:
    relation, name = RELATIONS[fact.relation], book.name(fact.page)
    found = hop(book, fact)
    asks = plain_forms(relation.asks, "d", name)
    return {
        "text": book.words(pick.choice(asks), fact).format(d=name), "gold": fact.said, "accepted": accepted(found["found"], fact.said), "type": "one page",
        "family": fact.relation, "pages": [fact.page], "plan": book.words(relation.seek, fact).format(p=name), "hops": [found],
    }  # fmt: skip


def unanswerable(
    book: Book, silent: Callable[[str, str], bool], pick: random.Random
) -> Iterator[Row]:
    """What no page tells of a page, at once or after a fact that one does."""
    pages, relations = book.own(), [r for r in RELATIONS if len(RELATIONS[r].keys) > 1]
    for _ in range(6000):
        page, name = pick.choice(pages), pick.choice(relations)
        relation = RELATIONS[name]
        way: list[Fact] = []
        if pick.random() < 0.45:
            ways = [
                f for f in book.facts[page].values() if f.value in book.named and leads(book, f)
            ]
            if not ways:
                continue
            way = [pick.choice(ways)]
        last = way[0].value if way else page
        if (
            book.book.rows[last]["split"] == "hub"
            or not silent(last, name)
            or not fits(book, last, name)
        ):
            continue
        subject = describe(book, tuple(way), book.name(page), pick)
        missing = Fact(last, name, "", 0, "")
        keys = key_words(relation, pick)
        if len(keys) < 2:
            continue
        needs = [book.words(RELATIONS[f.relation].seek, f).format(p=book.name(f.page)) for f in way]
        needs += [
            book.words(relation.seek, missing).format(
                p=book.pronoun(way[0]) if way else book.name(page)
            )
        ]
        yield {
            "text": book.words(pick.choice(plain_forms(relation.asks, "d", subject)), missing).format(d=subject), "gold": "NOT ENOUGH INFO", "accepted": [], "type": "unanswerable",
            "family": f"{'>'.join(f.relation for f in way)}>{name}, not told".lstrip(">"), "pages": [*(f.page for f in way), last],
            "plan": joined(needs, pick), "hops": [hop(book, f) for f in way],
            "not_told": {"ask": tidy(book.words(relation.asks[0], missing).format(d=book.name(last))), "page": last, "keys": keys},
        }  # fmt: skip


def key_words(relation: Relation, pick: random.Random) -> list[str]:
    """Two words that one would look up, or fewer."""
    keys = [KEY_WORDS.get(w, w) for k in relation.keys if len(w := k.strip()) > 3]
    return pick.sample(keys, min(2, len(keys)))


KEY_WORDS = {"compos": "composed", "direct": "director", "buil": "built", "invent": "invented", "discover": "discovered", "educat": "educated", "climb": "climbed", "establish": "established",
             "marri": "marriage", "produc": "produced", "translat": "translated", "teach": "teacher", "publish": "published", "premier": "premiere", "headquarter": "headquarters",
             "receiv": "received", "complet": "completed", "destroy": "destroyed", "collapse": "collapsed", "sculpt": "sculptor", "paint": "painted", "rise": "rises", "adapt": "adapted"}  # fmt: skip


def fits(book: Book, page: str, relation: str) -> bool:
    """Have things like this one such a fact? At least three that share two of its relations."""
    alike = like(book.book, page)
    return sum(relation in book.book.rows[t]["facts"] for t in alike) >= max(3, len(alike) // 8)


# ---------------------------------------------------------------------- drawing


def tidy(text: str) -> str:
    return re.sub(r"\b([Tt]he) the\b", r"\1", text)


def typed(text: str, pick: random.Random) -> str:
    """As people type: now and then in lower case, without a question mark, with "what's"."""
    text = tidy(text)
    text = text[:1].upper() + text[1:]
    if pick.random() < CONTRACTED:
        text = re.sub(r"^(What|Who|Where) is\b", r"\1's", text)
    if pick.random() < CASUAL:
        text = text.rstrip("?").lower() if pick.random() < 0.7 else text.rstrip("?")
    return text


def in_turn(drafts: Iterable[Row | None], pick: random.Random, most: int) -> Iterator[Row]:
    """One of every family, then a second of every family, and so on."""
    families: dict[str, list[Row]] = defaultdict(list)
    for draft in drafts:
        if draft and len(families[draft["family"]]) < most:
            families[draft["family"]].append(draft)
    for family in families.values():
        pick.shuffle(family)
    for k in range(most):
        yield from (family[k] for family in families.values() if k < len(family))


def named_in(value: str, text: str) -> bool:
    """Does a text hold a value as whole words?"""
    words = [f" {' '.join(WORD.findall(fold(each)))} " for each in (value, text)]
    return bool(words[0].strip()) and words[0] in words[1]


def drafts(book: Book, pick: random.Random) -> dict[str, Iterator[Row]]:
    """Rows of each type, well mixed."""
    two, three = list(chains(book, 2)), list(chains(book, 3))
    pick.shuffle(two)
    pick.shuffle(three)
    ones = [(fact,) for page in book.own() for fact in book.facts[page].values()]
    years, sizes = list(FIRST_LAST), list(SIZES)

    def many(
        make: Callable[..., Row | None], relations: Iterable[str], n: int
    ) -> Iterator[Row | None]:
        ways = [list(islice(of_one_sort(book, r, n, pick), 400)) for r in relations]
        for r, some in zip(relations, ways, strict=True):
            yield from (make(book, r, each, pick) for each in some)

    def balanced(rows: Iterable[Row | None]) -> Iterator[Row]:
        """As many yes as no."""
        kept: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            if row:
                kept[row["gold"]].append(row)
        for pair in zip(kept["yes"], kept["no"], strict=False):
            yield from pair

    some = [*many(compared, (*years, *sizes), 3), *many(counted, years, 3)]
    some += [row for relation in PLACED for row in placed(book, relation, pick, 400)]
    return {
        "bridge": in_turn((bridge(book, way, pick) for way in two), pick, 40),
        "three pages": in_turn((bridge(book, way, pick) for way in three), pick, 6),
        "comparison": in_turn(many(compared, (*years, *sizes), 2), pick, 200),
        "yes/no": balanced([*in_turn(many(before, years, 2), pick, 60), *in_turn(many(same, SAME, 2), pick, 60)]),
        "choosing": in_turn(some, pick, 40),
        "wrong first page": in_turn((misled(book, way, pick) for way in (*two, *ones)), pick, 12),
        "unanswerable": in_turn(unanswerable(book, lambda p, r: silent(book.book, p, r), pick), pick, 8),
    }  # fmt: skip


def draw(book: Encyclopedia, split: str, name: str) -> list[Row]:
    """The questions of a split, in the shares of MIX, each with its demonstration."""
    pick = random.Random(f"{name} 2026")
    found: list[Row] = []
    texts = set[str]()
    for kind, rows in drafts(Book(book, split), pick).items():
        uses, kept, at_once = Counter[str](), 0, 0
        for draft in rows:
            row = {"id": f"{name}-{len(found) + 1:04}", **draft}
            row["text"] = typed(row["text"], pick)
            if kept == MIX[kind]:
                break
            if (
                normalise(row["text"]) in texts
                or uses[row["pages"][0]] > 14
                or not sound(row, book)
            ):
                continue
            row["steps"], row["rationale"] = demonstrate(row, book), rationale(row)
            if not any(step[1].startswith("Lookup") for step in row["steps"]):
                if at_once >= AT_ONCE * MIX[kind]:
                    continue
                at_once += 1
            texts.add(normalise(row["text"]))
            uses[row["pages"][0]] += 1
            kept += 1
            found.append(row)
    return found


def sound(row: Row, book: Encyclopedia) -> bool:
    """Is it short, not given away, and borne out by the acts?"""
    if len(row["text"].split()) > MOST_WORDS or any(
        len(h["ask"].split()) > 16 for h in row["hops"]
    ):
        return False
    chain = row["type"] not in ("comparison", "choosing", "yes/no", "unanswerable")
    if chain and any(named_in(bare(row["gold"]), t) for t in (row["text"], row["plan"])):
        return False
    if (
        chain
        and len(row["hops"]) > 1
        and any(named_in(row["gold"], quote_of(h, book)) for h in row["hops"][:-1])
    ):
        return False  # the first page tells it already
    return not next(faults(row, book), None)


def quote_of(hop: Row, book: Encyclopedia) -> str:
    return sentences(book.rows[hop["page"]]["text"])[hop["s"] - 1]


def main() -> None:
    rows = draw(bundled(), "train", "multihop-train")
    write("multihop", "train", rows)
    print(
        Counter(row["type"] for row in rows), sum(len(r["text"].split()) for r in rows) / len(rows)
    )


def write(name: str, split: str, rows: Iterable[Mapping[str, Any]]) -> None:
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    data.write(data.folder("tasks", name, f"{split}.jsonl"), "".join(lines))


if __name__ == "__main__":
    main()
