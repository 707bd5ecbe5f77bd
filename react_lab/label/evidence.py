"""What a reader should see at a glance: where an answer, a keyword, a thought has its support.

Nothing here judges. It marks words that stand in what was read, and claims that stand nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..envs.wiki import parts
from ..kinds import KINDS
from ..types import Step, Trajectory, normalise, split_act

__all__ = ["Evidence", "Piece", "Support", "claims", "is_closed", "sentences", "words"]

WORD = re.compile(r"\d+|[^\W\d_]+")
RESULT = re.compile(r"\(Result \d+ / \d+\) ")
STRETCH = re.compile(rb"\x00+|\x01+|\x02+|\x03+")
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
    return tuple(sentence for _, sentence in placed(text))


def placed(text: str) -> Iterator[tuple[int, str]]:
    """Every sentence, and where it begins."""
    from sentencex import get_sentence_boundaries

    at = 0
    for part in parts(text):
        for found in get_sentence_boundaries("en", part):
            if sentence := found["text"].strip():
                yield at + found["start_index"] + found["text"].index(sentence), sentence
        at += len(part)


def words(text: str) -> set[str]:
    """The words and numbers that say something; `18th` is 18, `U.S.` and single letters nothing."""
    found = set(WORD.findall(lower(text))) - COMMON
    return {word for word in found if len(word) > 1 or word.isdigit()}


def lower(text: str) -> str:
    """In small letters, and as long as before: the small İ would be two characters."""
    return text.replace("İ", "i").lower()


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
    return stated(thought) - verdicts()


def stated(thought: str) -> set[str]:
    found = list[str]()
    for sentence in sentences(thought):
        stated = [] if PLANS.search(sentence) else WORD.findall(sentence)
        found += [w for i, w in enumerate(stated) if w.isdigit() or (i and w[0].isupper())]
    return words(" ".join(found))


class Evidence:
    """What a run has read, sentence by sentence, and what of it its thoughts draw on."""

    def __init__(self, run: Trajectory) -> None:
        self.steps = run.steps
        texts = [step.observation or "" for step in run.steps]
        once = {text: list(placed(text)) for text in set(texts)}  # what is seen again is cut once
        self.read = [once[text] for text in texts]
        self.supports = list(self.supported(words(run.task.text) | verdicts()))

    def supported(self, known: set[str]) -> Iterator[Support]:
        """What stands behind each step's thought, in the question and in what was seen before."""
        library = Library()
        for step, read in zip(self.steps, self.read, strict=True):
            thought = step.thought or ""
            missing = stated(thought) - known - library.holders.keys()
            yield Support(library.best(words(thought)), tuple(sorted(missing)))
            for _, sentence in read:
                library.add(sentence)

    def pieces(self, answers: Sequence[str]) -> Iterator[list[Piece]]:
        """Each step's observation in pieces: answers, the word looked up, sentences used later."""
        last = {s.sentence: i for i, s in enumerate(self.supports)}  # the last step to use it
        named = [answer for answer in answers if answer and not is_closed(answer)]
        for i, (step, read) in enumerate(zip(self.steps, self.read, strict=True)):
            text = step.observation or ""
            marks = {
                "used": [(at, at + len(s)) for at, s in repeated(read) if last.get(s, 0) > i],
                "lookup": [span for word in looked_up(step) for span in spans(text, word)],
                "answer": [span for answer in named for span in spans(text, answer)],
            }
            yield list(cut(text, marks))


class Library:
    """The sentences read so far, each with a bit of its own."""

    def __init__(self) -> None:
        self.sentences, self.known = list[str](), set[str]()
        self.holders: dict[str, int] = {}  # a word -> the bits of the sentences that hold it

    def add(self, sentence: str) -> None:
        if sentence not in self.known:
            self.known.add(sentence)
            self.hold(sentence, words(sentence))

    def hold(self, sentence: str, keys: Iterable[str]) -> None:
        """One more sentence, to be found by these keys."""
        bit = 1 << len(self.sentences)
        self.sentences.append(sentence)
        for key in keys:
            self.holders[key] = self.holders.get(key, 0) | bit

    def best(self, thought: set[str]) -> str | None:
        """The first that shares most with the words of a thought: at least three and a third."""
        most, left = self.most(thought)
        enough = most >= 3 and 3 * most >= len(thought)
        return self.sentences[(left & -left).bit_length() - 1] if enough else None

    def most(self, keys: Iterable[str]) -> tuple[int, int]:
        """How many of the keys a sentence has at most, and the bits of those that have so many.

        All sentences are counted at once: bit k of `digits` is digit k of every sentence's count.
        """
        digits: list[int] = []
        for key in keys:
            carry = self.holders.get(key, 0)
            for k, digit in enumerate(digits):
                digits[k], carry = digit ^ carry, digit & carry
            digits += [carry] if carry else []
        most, left = 0, (1 << len(self.sentences)) - 1
        for k in reversed(range(len(digits))):
            if left & digits[k]:
                most, left = most + (1 << k), left & digits[k]
        return most, left


def repeated(read: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The sentences; a look-up repeats one of a page behind the number of its result."""
    for at, sentence in read:
        yield at, sentence
        if number := RESULT.match(sentence):
            yield at + number.end(), sentence[number.end() :]


def looked_up(step: Step) -> Iterator[str]:
    act = split_act(step.action or "")
    if act and act[0].lower() == "lookup" and act[1].strip():
        yield act[1].strip()


def spans(text: str, mark: str) -> Iterator[tuple[int, int]]:
    """Where a marked string stands, in small or capital letters."""
    text, mark = lower(text), lower(mark)
    at = text.find(mark)
    while at >= 0:
        yield at, at + len(mark)
        at = text.find(mark, at + len(mark))


def cut(text: str, marks: Mapping[str, Sequence[tuple[int, int]]]) -> Iterator[Piece]:
    """The text, cut where a marked stretch begins or ends; of overlapping marks the last wins."""
    kinds, names = bytearray(len(text)), ["", *marks]  # each character's kind, by its number
    for number, places in enumerate(marks.values(), 1):
        for start, end in places:
            kinds[start:end] = bytes([number]) * (end - start)
    for found in STRETCH.finditer(kinds):
        yield Piece(text[found.start() : found.end()], names[kinds[found.start()]])
