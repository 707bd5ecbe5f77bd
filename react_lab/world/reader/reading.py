"""What has been seen in a transcript: the page that is open, what was tried, which names are known."""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ...envs.pages import Encyclopedia, fold
from ...envs.wiki import WikiEnv
from ...types import Seen, Step, split_act
from ..oracle import bare
from .needs import Need

__all__ = ["Reading", "begin"]


@dataclass
class Reading:
    """A transcript, as its reader knows it. `take` does an act and takes in what it brings."""

    book: Encyclopedia
    env: WikiEnv
    known: str  # the task and all observations, folded: names in it can be known
    seen: list[str] = field(default_factory=list)
    acts: list[str] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)  # that were open after each act
    opened: dict[str, int] = field(default_factory=dict)  # page -> after which act, the last time
    looked: dict[tuple[str, str], bool] = field(default_factory=dict)  # page, word -> brought any
    searched: set[str] = field(default_factory=set)  # names that led to no page
    listed: tuple[str, ...] = ()  # the similar titles of the last search, if it failed
    last: Seen = field(default_factory=lambda: Seen(""))
    steps: int = 0

    @property
    def page(self) -> str:
        """The title of the page that is open."""
        return title_of(self.env.title, self.book) if self.env.page else ""

    def fork(self) -> Reading:
        """Another reader who knows the same."""
        other = copy.copy(self)
        other.env = copy.copy(self.env)
        other.env.results = [*self.env.results]
        other.seen, other.acts, other.pages = [*self.seen], [*self.acts], [*self.pages]
        other.opened, other.looked = {**self.opened}, {**self.looked}
        other.searched = {*self.searched}
        return other

    def take(self, act: str) -> Seen:
        """Do an act, and note what it brought."""
        seen, before = self.env.step(act), self.page
        self.steps += 1
        self.note(act, seen, before)
        self.last = seen
        self.acts.append(act)
        self.seen.append(seen.text)
        self.pages.append(self.page)
        return seen

    def note(self, act: str, seen: Seen, before: str) -> None:
        name, words = split_act(act) or ("", "")
        self.listed = ()
        if name.lower() == "search" and seen.why == "no such page":
            self.searched.add(fold(words))
            self.listed = similar(words, self.book)
        elif name.lower() == "search" and not seen.why:
            self.opened[self.page] = len(self.acts)
        elif name.lower() == "lookup" and before:
            brought = seen.text.startswith("(Result")
            key = (before, words.casefold())
            self.looked[key] = self.looked.get(key, False) or brought
        if not seen.text.startswith(("Could not find", "Invalid action")):
            self.known += f" {fold_all(seen.text)}"
        elif self.listed:
            self.known += f" {fold_all(' '.join(map(repr, self.listed)))}"

    def met(self, need: Need, *, hurried: bool = False) -> bool:
        """Has it been seen? In vain: was the page opened, and something looked up without result?"""
        if need.sentences:
            return any(s in text for text in self.seen for s in need.sentences)
        if need.page not in self.opened:
            return False
        return hurried or any(
            page == need.page and not hit for (page, _), hit in self.looked.items()
        )

    def knows(self, name: str) -> bool:
        """Does the name stand in the task, or in anything seen?"""
        return holds(self.known, folded(name))

    def looped(self) -> bool:
        """Did the last act bring what it brought before?"""
        if not self.acts or not self.last.text:
            return False
        *before, last = zip(self.acts, self.seen, self.pages, strict=True)
        return last in before

    def names(self, page: str) -> Iterator[str]:
        """Under which a page may be known: its title, with and without a bracket, and others."""
        yield from dict.fromkeys((page, bare(page), *self.book.row(page).get("aliases", ())))


def begin(text: str, book: Encyclopedia, steps: Iterable[Step] = ()) -> Reading:
    """A reader of a task who has taken these steps."""
    reading = Reading(book, WikiEnv(Remembered(book)), fold_all(text))
    for step in steps:
        if step.action is None:
            reading.steps += 1
            continue
        reading.take(step.action)
    return reading


@dataclass(frozen=True)
class Remembered:
    """Pages whose searches are kept: the same state is thought through again and again."""

    book: Encyclopedia

    def get(self, title: str) -> str | None:
        return self.book.get(title)

    def search(self, query: str, k: int = 5) -> tuple[str, ...]:
        return similar(query, self.book)[:k]


@functools.lru_cache(maxsize=4096)
def similar(name: str, book: Encyclopedia) -> tuple[str, ...]:
    return tuple(book.search(name, 5))


@functools.lru_cache(maxsize=4096)
def title_of(name: str, book: Encyclopedia) -> str:
    """The title of the page that a name leads to; "" where it leads to none."""
    return str(book.row(name).get("title", ""))


@functools.lru_cache(maxsize=4096)
def folded(name: str) -> str:
    return fold(name)


def fold_all(text: str) -> str:
    """A text as titles are compared, sections and all."""
    return " ".join(fold(part) for part in re.findall(r"[^#]{1,1500}", text))


def holds(text: str, name: str) -> bool:
    """Does a text hold a name as whole words? A possessive may be typed without its apostrophe."""
    return len(name) > 1 and bool(re.search(rf"(?<!\w){re.escape(name)}s?(?!\w)", text))
