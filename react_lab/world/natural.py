"""Checks of the questions of `natural`, which are worded as students type them.

Their trajectories are to be learned: what a thought says has been seen before it, an act that leads
nowhere is marked, and no wording comes so often that it would become a mould.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..envs.pages import Encyclopedia, fold
from ..types import Step, Task
from .gold import ASTRAY, replay

__all__ = ["faults_of_natural", "nearness", "shares"]

PARTS = ("id", "text", "gold", "accepted", "type", "pages", "sentences", "rationale", "steps")
TYPES = ("one page", "bridge", "comparison", "yes/no")
NEAR = 0.5  # of the words of two questions, all that carry meaning: more is the same question
MOST = {"I need": 0.15, "any three words": 0.05}  # of the thoughts that begin so
ONE_PAGE = (0.5, 0.62)
WORDS = (
    "a an and are as at by did do does first for from had has have he her his how in into is it its "
    "of on or she than that the their there these this to was were what when where which who whom "
    "whose why with"
)
SMALL = frozenset(WORDS.split())
GUESS = re.compile(  # a thought may name what it only supposes
    r"\b(?:I (?:think|believe|suppose|guess|recall|remember|imagine|bet|hope|doubt|know|wonder|heard"
    r"|would|could|mix|feel|connect)|I'd|perhaps|probably|maybe|may|might|must|should|could|surely"
    r"|sounds?|if)\b|\?",
    re.IGNORECASE,
)


def faults_of_natural(
    rows: Sequence[Mapping[str, Any]], known: Mapping[str, str], book: Encyclopedia
) -> Iterator[str]:
    """Every fault of these questions. known: questions that nothing may be trained on."""
    whole = []
    for number, row in enumerate(rows, 1):
        fault = wrong_form(row, f"multihop-natural-{number:04}")
        if fault:
            yield f"{row.get('id', number)}: {fault}"
        else:
            whole.append(row)
    texts = Counter(fold(row["text"]) for row in whole)
    yield from (f"the question {text!r} is asked twice" for text, n in texts.items() if n > 1)
    yield from near_ones(whole, known)
    common = {word for row in book.rows.values() for word in small_words(row.get("text", ""))}
    for row in whole:
        yield from (f"{row['id']}: {fault}" for fault in faults_of_trajectory(row, common, book))
    yield from moulds(whole)


def wrong_form(row: Mapping[str, Any], name: str) -> str:
    """What is wrong with the form of a row, or nothing."""
    if tuple(row) != PARTS:
        return f"its parts are {', '.join(row)}; they should be {', '.join(PARTS)}"
    if row["id"] != name:
        return f"it stands where {name} should stand"
    if row["type"] not in TYPES or (row["type"] == "yes/no") != (row["gold"] in ("yes", "no")):
        return f"its type is {row['type']!r} and its answer {row['gold']!r}"
    if row["type"] != "yes/no" and (row["type"] == "one page") != (len(row["pages"]) == 1):
        return f"its type is {row['type']!r} and it has {len(row['pages'])} pages"
    if not row["sentences"] or not row["rationale"] or not row["text"].strip():
        return "a part of it is empty"
    steps = row["steps"]
    if not all(len(step) == 2 or step[2:] == [ASTRAY] for step in steps):
        return f"a step is a thought, an act and, if the act leads nowhere, {ASTRAY!r}"
    return "" if len(steps) > 1 else "its solution has one step"


def near_ones(rows: Iterable[Mapping[str, Any]], known: Mapping[str, str]) -> Iterator[str]:
    having: dict[str, list[str]] = {}  # a word -> the known questions that hold it
    for name, text in known.items():
        for word in telling(text):
            having.setdefault(word, []).append(name)
    for row in rows:
        shared = Counter(name for word in telling(row["text"]) for name in having.get(word, ()))
        yield from (
            f"{row['id']}: it is nearly {name}"
            for name, n in shared.items()
            if n > 1 and nearness(row["text"], known[name]) > NEAR
        )


def nearness(one: str, other: str) -> float:
    """Which share of the words of two questions, all that carry meaning, they have in common.

    >>> nearness("who wrote les mis", "Who wrote Les Mis?")
    1.0
    """
    mine, theirs = telling(one), telling(other)
    return len(mine & theirs) / max(1, len(mine | theirs))


def telling(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", fold(text))) - SMALL


def small_words(text: str) -> list[str]:
    return re.findall(r"\b[a-z]+\b", text)


def faults_of_trajectory(
    row: Mapping[str, Any], common: Collection[str], book: Encyclopedia
) -> Iterator[str]:
    """What was not seen before it was said, or was seen where nobody may look."""
    steps = replay(Task(row["id"], "multihop", row["text"], row["gold"], dict(row)), book)
    seen, folded = row["text"], fold(row["text"])
    for step, (thought, act, *mark) in zip(steps, row["steps"], strict=True):
        early = numbers_unseen(thought, f"{seen} {act}")
        if not GUESS.search(thought):
            early += [n for n in names_in(thought, common) if n not in f"{folded} {fold(act)}"]
        yield from (f"a thought says {what!r} before it was seen: {thought}" for what in early)
        yield from (f"{fault} ({act})" for fault in faults_of_act(step, mark, book))
        seen += f" {step.observation or ''}"
        folded += f" {fold(step.observation or '')}"
    yield from (
        f"no act shows the sentence {sentence!r}"
        for sentence in row["sentences"]
        if sentence not in seen
    )


def numbers_unseen(thought: str, seen: str) -> list[str]:
    plain = seen.replace(",", "")
    found = re.findall(r"\d[\d,.]*\d|\d", thought)
    return [n for n in found if n not in seen and n.replace(",", "") not in plain]


def names_in(thought: str, common: Collection[str]) -> Iterator[str]:
    """Words with a capital; the first of a sentence if no page writes that word small."""
    for sentence in re.split(r"(?<=[.?!:;])\s+", thought):
        for at, word in enumerate(re.findall(r"[^\W\d_][\w'’-]*", sentence)):
            plain = fold(word).removesuffix("'s").rstrip("'")
            if len(word) < 2 or not word[0].isupper() or word.startswith("I'"):
                continue
            if at or (plain not in common and f"{plain}s" not in common and "'" not in plain):
                yield plain


def faults_of_act(step: Step, mark: Sequence[str], book: Encyclopedia) -> Iterator[str]:
    act, seen = step.action or "", step.observation or ""
    nothing = seen.startswith(("Could not find", "No more results"))
    if nothing and not mark:
        yield f"an act led nowhere and is not marked {ASTRAY!r}"
    if mark and act.startswith("Lookup[") and not nothing:
        yield f"an act found something and is marked {ASTRAY!r}"
    opened = book.row(act.removeprefix("Search[").removesuffix("]"))
    if act.startswith("Search[") and "text" in opened and opened["split"] not in ("train", "hub"):
        yield "it opens a page of another split"


def shares(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """How much is of one page, and how often thoughts begin alike."""
    thoughts = [step[0] for row in rows for step in row["steps"]]
    starts = Counter(" ".join(fold(thought).split()[:3]) for thought in thoughts)
    return {
        "one page": sum(len(row["pages"]) == 1 for row in rows) / max(1, len(rows)),
        "I need": sum(t.startswith("I need") for t in thoughts) / max(1, len(thoughts)),
        "any three words": max(starts.values(), default=0) / max(1, len(thoughts)),
    }


def moulds(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    share = shares(rows)
    for start, most in MOST.items():
        if share[start] >= most:
            yield f"{share[start]:.1%} of the thoughts begin with {start}: less than {most:.0%}"
    low, high = ONE_PAGE
    if not low <= share["one page"] <= high:
        yield f"{share['one page']:.0%} of the questions are of one page: {low:.0%} to {high:.0%}"
