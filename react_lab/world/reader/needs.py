"""What has to be read for a task: which sentences of which page say it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...types import Task
from ..gold import LABELS
from ..oracle import bare, named

__all__ = ["OPEN", "Need", "Plan", "vain"]

OPEN = LABELS[2]


@dataclass(frozen=True)
class Need:
    """One thing to be read: any of these sentences of a page says it.

    Without sentences the page has to be read in vain: it does not say it.
    """

    page: str
    sentences: tuple[str, ...]
    seek: str  # "the year in which Jaws appeared"
    fact: str = ""  # what is then known, in words
    words: tuple[str, ...] = ()  # that may lead to it; in vain: what the page should mention
    names: tuple[str, ...] = ()  # under which a person searched the page
    value: str = ""  # nobody who seeks it can look it up
    relation: str = ""
    quoted: bool = True  # do the sentences say it by themselves?
    compares: bool = False  # does the fact, in words, go beyond them?


@dataclass(frozen=True)
class Plan:
    """A task and all that has to be read for it, in order."""

    task: Task
    needs: tuple[Need, ...]
    rest: str = ""  # what is sought after the first, said of it: "the year in which it appeared"
    why: str = ""  # how two facts compare
    own: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # thoughts and acts by hand

    @property
    def free(self) -> bool:
        """May the facts be read in any order?"""
        return self.task.extra.get("type") in ("comparison", "yes/no")

    @property
    def open(self) -> bool:
        """Is it a claim that nothing settles?"""
        return self.task.kind == "claims" and self.task.gold == OPEN


def vain(page: str, term: str, names: tuple[str, ...] = ()) -> Need:
    words = dict.fromkeys((bare(term), bare(term).split()[-1]))
    return Need(page, (), f"what is said of {named(term)}", "", tuple(words), names, term)
