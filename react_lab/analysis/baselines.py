"""Programs without a model and without reasoning: what methods have to be measured against.

`by_words` reads only the claim and knows which words the train claims of each label have (naive
Bayes). `one_search` puts the whole question into the search box, opens the first page that comes,
and takes a name from the sentence that is most like the question.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from .. import tasks
from ..envs.pages import Encyclopedia, bundled
from ..envs.wiki import Wiki, sentences
from ..score import NO_MODEL
from ..types import Step, Task, Trajectory, normalise

BY_WORDS, ONE_SEARCH = "the claim's words", "one search"
NAME = re.compile(r"\b[A-Z][\w'.-]*(?: (?:(?:of|the|de|von|van|and) )?[A-Z][\w'.-]*)*")
NUMBER = re.compile(r"\b\d[\d,.]*\d|\b\d")
OF_NUMBERS = re.compile(r"\b(when|year|how (?:many|much|high|long|old|tall|large|far|deep|big))\b")
EITHER = re.compile(r"(?:[:,]|\bis|\bwas|\bdid) (?:the )?([^,:]+?) or (?:the )?([^,?]+)\?")
YES_NO = re.compile(r"(?:is|are|was|were|do|does|did|has|have|would)\b", re.I)


@dataclass(frozen=True)
class Words:
    """How many claims of each label there are, and in how many of these a word stands."""

    claims: Mapping[str, int]
    holding: Mapping[str, Mapping[str, int]]

    def label(self, text: str) -> str:
        """The likeliest label, as if words came one by one, whatever the others are."""
        known = set(normalise(text).split())

        def likely(label: str) -> float:
            n, holding = self.claims[label], self.holding[label]
            return math.log(n) + sum(math.log((holding[w] + 1) / (n + 2)) for w in known)

        return max(sorted(self.claims), key=likely)


@functools.cache
def learned() -> Words:
    """From all claims of the train split, the written and the generated ones."""
    rows = [task for split in ("train", "written") for task in tasks.load("claims", split)]
    holding = {str(task.gold): Counter[str]() for task in rows}
    for task in rows:
        holding[str(task.gold)].update(set(normalise(task.text).split()))
    return Words(Counter(str(task.gold) for task in rows), holding)


def by_words(task: Task) -> Trajectory:
    """The label of a claim by its words alone. No page is opened."""
    return run_of(task, BY_WORDS, (), learned().label(task.text))


def one_search(task: Task, book: Encyclopedia | None = None) -> Trajectory:
    """The whole question into the search box; a name from the first page that this brings."""
    book = book or bundled()
    title = next(iter(book.search(task.text, 1)), "")
    acts = [f"Search[{task.text}]", *([f"Search[{title}]"] if title else [])]
    env = Wiki(book)(task)
    env.reset(task)
    steps = tuple(Step(None, act, env.step(act).text or None) for act in acts)
    return run_of(task, ONE_SEARCH, steps, guess(task.text, book.row(title).get("text", "")))


def guess(question: str, page: str) -> str:
    """The first name, or number, that is new in the sentence most like the question."""
    if either := EITHER.search(question):
        return either[1]
    if YES_NO.match(question):
        return "yes"
    asked = set(normalise(question).split())
    for sentence in sorted(sentences(page), key=lambda one: -len(asked & words_of(one))):
        shape = NUMBER if OF_NUMBERS.search(question.lower()) else NAME
        found = (each for each in shape.findall(sentence) if not words_of(each) <= asked)
        if answer := next(found, ""):
            return answer.rstrip(".")
    return ""


def words_of(text: str) -> set[str]:
    return set(normalise(text).split())


def run_of(task: Task, method: str, steps: tuple[Step, ...], answer: str) -> Trajectory:
    run_id = f"{method} {task.id}"
    return Trajectory(run_id, task, method, NO_MODEL, {}, steps, answer=answer, end="finished")
