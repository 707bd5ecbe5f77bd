"""What a reader should see at a glance: where an answer, a keyword, a thought has its support.

Nothing here judges. It marks words that stand in what was read, and claims that stand nowhere.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..envs.wiki import parts
from ..kinds import KINDS
from ..types import Step, Trajectory, normalise, split_act

__all__ = ["Piece", "Support", "claims", "is_closed", "pieces", "sentences", "support", "words"]

WORD = re.compile(r"\d+|[^\W\d_]+")
PLANS = re.compile(r"\b(need|should|let me|let's|search|look|find|try|so the answer)\b", re.I)
COMMON = {  # words that say nothing of what a sentence is about
    "a", "after", "also", "an", "and", "answer", "are", "as", "at", "be", "been", "before", "but",
    "by", "did", "do", "does", "first", "for", "from", "had", "has", "have", "he", "her", "his",
    "i", "in", "is", "it", "its", "not", "observation", "of", "on", "or", "page", "paragraph",
    "she", "so", "that", "the", "their", "then", "there", "they", "this", "to", "was", "were",
    "what", "when", "where", "which", "who", "whose", "with",
}  # fmt: skip


class Piece(NamedTuple):
    """A stretch of text, and what it is: answer, lookup, used, or nothing special."""

    text: str
    kind: str = ""


class Support(NamedTuple):
    """Where a thought has its facts from: a sentence seen before it, and what stands nowhere."""

    sentence: str | None
    missing: tuple[str, ...]


def sentences(text: str) -> tuple[str, ...]:
    from sentencex import segment

    found = (sentence.strip() for part in parts(text) for sentence in segment("en", part))
    return tuple(sentence for sentence in found if sentence)


def words(text: str) -> set[str]:
    """The words and numbers that say something; `18th` is 18, `U.S.` and single letters nothing."""
    found = (word.lower() for word in WORD.findall(text))
    return {word for word in found if word.isdigit() or len(word) > 1} - COMMON


def verdicts() -> frozenset[str]:
    """The words of answers that stand on no page."""
    closed = (answer for kind in KINDS.values() for answer in kind.closed)
    return frozenset(words(" ".join(closed)))


def is_closed(answer: str) -> bool:
    """Is it one of the few answers that stand on no page, whatever was asked: yes, no, a label?"""
    closed = (known for kind in KINDS.values() for known in kind.closed)
    return normalise(answer) in map(normalise, closed)


def claims(thought: str) -> set[str]:
    """The names and numbers that a thought states; what it only plans to do states nothing.

    >>> sorted(claims("It was Paris in 1889. I need to search Rome."))
    ['1889', 'paris']
    """
    found = set()
    for sentence in sentences(thought):
        stated = [] if PLANS.search(sentence) else WORD.findall(sentence)
        named = (w for i, w in enumerate(stated) if w.isdigit() or (i and w[0].isupper()))
        found |= words(" ".join(named))
    return found - verdicts()


@functools.lru_cache(maxsize=256)
def support(run: Trajectory, i: int) -> Support:
    """What stands behind the thought of step i, in the question and in what was seen before it."""
    thought = run.steps[i - 1].thought or ""
    seen = [step.observation or "" for step in run.steps[: i - 1]]
    missing = tuple(sorted(claims(thought) - words(" ".join([run.task.text, *seen]))))
    return Support(best(words(thought), [s for text in seen for s in sentences(text)]), missing)


def best(thought: set[str], read: Sequence[str]) -> str | None:
    """The sentence that shares most with the words of a thought: at least three and a third."""
    shared = [(len(thought & words(s)), s) for s in read]
    most, sentence = max(shared, default=(0, ""), key=lambda pair: pair[0])
    return sentence if most >= 3 and 3 * most >= len(thought) else None


def pieces(run: Trajectory, i: int, answers: Sequence[str]) -> list[Piece]:
    """The observation of step i in pieces: answers, the keyword looked up, sentences used later."""
    step = run.steps[i - 1]
    later = range(i + 1, len(run.steps) + 1)
    used = {s for j in later if (s := support(run, j).sentence)}
    marks = [(s, "used") for s in used] + [(w, "lookup") for w in looked_up(step)]
    marks += [(a, "answer") for a in answers if a and not is_closed(a)]
    return list(cut(step.observation or "", marks))


def looked_up(step: Step) -> Iterator[str]:
    act = split_act(step.action or "")
    if act and act[0].lower() == "lookup" and act[1].strip():
        yield act[1].strip()


def cut(text: str, marks: Sequence[tuple[str, str]]) -> Iterator[Piece]:
    """The text, cut where a marked string begins or ends; of overlapping marks the last wins."""
    kinds = [""] * len(text)
    for mark, kind in marks:
        for found in re.finditer(re.escape(mark), text, re.I):
            kinds[found.start() : found.end()] = [kind] * (found.end() - found.start())
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or kinds[at] != kinds[start]:
            yield Piece(text[start:at], kinds[start])
            start = at
