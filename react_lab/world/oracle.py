"""Solves a task by the acts of the world alone, and writes down the trajectory.

The oracle is told which fact stands on which page, but it sees only what Search and Lookup show it:
where they do not lead to a fact, the task has no gold trajectory and is not used.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..envs.pages import Encyclopedia
from ..envs.wiki import WikiEnv
from ..types import Step
from .relations import RELATIONS

__all__ = ["Hop", "Lost", "Oracle", "bare", "named", "stated"]

MOST_LOOKUPS = 3
BEGIN = (
    "I need {first}, and then {rest}.",
    "First I have to find {first}. With that I can find {rest}.",
    "The way leads over {first} to {rest}.",
    "Let me find {first} first and then {rest}.",
)
NEXT = (
    "{fact} Next I need {seek}.",
    "{fact} So now I look for {seek}.",
    "{fact} What is missing is {seek}.",
    "{fact} The next thing to find is {seek}.",
)
DEEPER = (
    "The first sentences do not tell me {seek}. I look for {key} further down the page.",
    "Nothing so far about {seek}, but the page has more. I look up {key}.",
    "I do not see {seek} yet. The word {key} may lead to it.",
)
AGAIN = ("That is not it. I look further.", "This sentence does not help. The next one may.")
INSTEAD = (
    "There is no page with this title, but {title} is among the similar ones and fits. I search that.",
    "{title} must be the page I mean, so I search it instead.",
    "Of the similar titles {title} is the right one.",
)
DONE = (
    "{fact} So the answer is {answer}.",
    "{fact} That answers the question: {answer}.",
    "{fact} The answer is {answer}.",
)


class Lost(Exception):
    """The acts of the world do not lead to the fact."""


@dataclass(frozen=True)
class Hop:
    """One fact to be read: on which page, which relation, which value."""

    page: str
    relation: str
    value: str

    def seek(self, of: str) -> str:
        return tidy(RELATIONS[self.relation].seek.format(p=of))

    def fact(self, of: str, pick: random.Random) -> str:
        says = pick.choice(RELATIONS[self.relation].says)
        return capital(tidy(says.format(p=of, v=named(self.value))))


@dataclass
class Oracle:
    """One episode. `search` and `find` act and look; `steps` is the trajectory so far."""

    book: Encyclopedia
    pick: random.Random
    wrong_search: float = 0.12  # how often it searches in a way that leads astray first
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.env = WikiEnv(self.book)
        self.seen = ""
        self.thought = ""

    def act(self, action: str) -> str:
        seen = self.env.step(action)
        self.steps.append(Step(self.thought, action, seen.text or None, outcome=seen.outcome))
        self.seen = seen.text
        return seen.text

    def think(self, *choices: str, **words: str) -> None:
        self.thought = capital(tidy(self.pick.choice(choices).format(**words)))

    def search(self, title: str, name: str) -> None:
        """Search under the name that stands in the text; take the right one of the similar titles."""
        entity = self.entity(title, name)
        seen = self.act(f"Search[{entity}]")
        if self.book.row(entity).get("title") == title:
            return
        if repr(title) not in seen:
            raise Lost(f"{entity} does not lead to {title}")
        self.think(*INSTEAD, title=title)
        self.act(f"Search[{title}]")

    def entity(self, title: str, name: str) -> str:
        found = self.book.row(name)
        if found.get("title") != title:
            return name
        if title != name and self.pick.random() < 0.5:
            return title
        astray = f"{name} {self.pick.choice(('history', 'facts', 'biography', 'page'))}"
        if self.pick.random() < self.wrong_search and title in self.book.search(astray, 5):
            return astray
        return name

    def find(self, hop: Hop) -> None:
        """See the value: among the first sentences, else by looking up a likely word."""
        if stated(hop.value, self.seen):
            return
        key, times = self.best_key(hop)
        self.think(*DEEPER, seek=hop.seek(named(hop.page)), key=key)
        for _ in range(times):
            self.act(f"Lookup[{key}]")
            if stated(hop.value, self.seen):
                return
            self.think(*AGAIN)
        raise Lost(f"no word leads to {hop.value} on {hop.page}")

    def best_key(self, hop: Hop) -> tuple[str, int]:
        """The likely word that leads to the value soonest, and how often to look it up."""
        found = []
        for key in RELATIONS[hop.relation].keys:
            hits = [s for s in self.env.page if key in s.lower()]
            where = next((k for k, s in enumerate(hits, 1) if stated(hop.value, s)), None)
            if where and where <= MOST_LOOKUPS:
                found.append((where, key))
        if not found:
            raise Lost(f"no likely word leads to {hop.value} on {hop.page}")
        times, key = min(found, key=lambda pair: pair[0])
        return key, times

    def finish(self, answer: str) -> tuple[Step, ...]:
        self.act(f"Finish[{answer}]")
        return tuple(self.steps)

    def bridge(self, hops: Sequence[Hop], answer: str, name: str) -> tuple[Step, ...]:
        """Follow the facts from page to page; the last value is the answer."""
        rest = " and ".join(hop.seek(pronoun(before)) for before, hop in itertools.pairwise(hops))
        self.think(*BEGIN, first=hops[0].seek(name), rest=rest)
        self.follow(hops)
        self.think(*DONE, fact=hops[-1].fact(named(hops[-1].page), self.pick), answer=answer)
        return self.finish(answer)

    def follow(self, hops: Sequence[Hop]) -> None:
        """Search and find, hop by hop, under the names that the texts themselves give."""
        name = bare(hops[0].page)
        for hop, after in zip(hops, (*hops[1:], None), strict=True):
            self.search(hop.page, name)
            self.find(hop)
            if after:
                name = shown(self.seen, after.page, self.book)
                fact = hop.fact(named(hop.page), self.pick)
                self.think(*NEXT, fact=fact, seek=after.seek(name))

    def pair(self, hops: Sequence[Hop], answer: str, why: str) -> tuple[Step, ...]:
        """Read one relation on two pages and compare."""
        one, two = hops
        names = named(one.page), named(two.page)
        self.think(*BEGIN, first=one.seek(names[0]), rest=two.seek(names[1]))
        self.search(one.page, bare(one.page))
        self.find(one)
        self.think(*NEXT, fact=one.fact(names[0], self.pick), seek=two.seek(names[1]))
        self.search(two.page, bare(two.page))
        self.find(two)
        self.think(*DONE, fact=f"{two.fact(names[1], self.pick)} {why}", answer=answer)
        return self.finish(answer)


def bare(title: str) -> str:
    """A title without its bracket: `Jaws (film)` -> `Jaws`."""
    return bracket_of(title)[0]


def named(title: str) -> str:
    """How a question names a page: `Jaws (film)` -> `the film Jaws`."""
    name, inside = bracket_of(title)
    return f"the {inside} {name}" if name and inside is not None else title


def bracket_of(title: str) -> tuple[str, str | None]:
    """A title and what stands in the bracket at its end, if there is one."""
    name, bracket, inside = title.removesuffix(")").rpartition("(")
    if not bracket or not title.endswith(")") or ")" in inside:
        return title, None
    return name.rstrip(), inside


def stated(value: str, text: str) -> bool:
    """Does the text hold the value, as a whole word?"""
    forms = {value, bare(value)}
    if value.isdecimal() and len(value) < 20:
        forms.add(f"{int(value):,}")
    return any(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text) for form in forms)


def shown(text: str, title: str, book: Encyclopedia) -> str:
    """The name under which a text that was seen speaks of a page."""
    names = [title, bare(title), *book.row(title).get("aliases", ())]
    return next((name for name in names if name in text), bare(title))


def pronoun(hop: Hop) -> str:
    kind = RELATIONS[hop.relation].kind
    return {"who": "that person", "where": "that place"}.get(kind, "it")


def tidy(text: str) -> str:
    """`the the` reads badly: once is enough."""
    return re.sub(r"\b([Tt]he) the\b", r"\1", text)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
