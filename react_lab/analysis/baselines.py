"""Programs without a model and without reasoning: what methods have to be measured against.

`by_words` reads only the claim and knows which words the train claims of each label have (naive
Bayes). `one_search` puts the whole question into the search box, opens the first page that comes,
and takes a name from the sentence that is most like the question.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter, defaultdict

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


@functools.cache
def learned() -> dict[str, tuple[int, Counter[str]]]:
    """Of each label: how many claims there are, and in how many of these a word stands.

    From all claims of the train split, the written and the generated ones.
    """
    texts = defaultdict[str, list[str]](list)
    for split in ("train", "written"):
        for task in tasks.load("claims", split):
            texts[str(task.gold)].append(task.text)
    return {
        label: (len(some), Counter(word for text in some for word in words_of(text)))
        for label, some in texts.items()
    }


def by_words(task: Task) -> Trajectory:
    """The likeliest label of a claim, as if words came one by one. No page is opened."""

    def likely(label: str) -> float:
        n, holding = learned()[label]
        seen = (math.log((holding[word] + 1) / (n + 2)) for word in words_of(task.text))
        return math.log(n) + sum(seen)

    return run_of(task, BY_WORDS, (), max(sorted(learned()), key=likely))


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
