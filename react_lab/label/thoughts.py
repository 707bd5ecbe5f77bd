"""What a thought is for, and which sentence it draws on: by simple rules, for a reader to doubt.

The kinds are those of sections 2 and 3.2 of the paper. A rule looks for words; it understands none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..types import Step, Trajectory
from .evidence import Evidence, Library, lower, placed, words
from .games import GameEvidence, names
from .shopping import ShopEvidence

__all__ = ["KINDS_OF_THOUGHTS", "Origin", "kind_of_thought", "origins", "sentences_in"]

# The first rule whose words a thought has is its kind; what it is for, as a reader is told.
KINDS_OF_THOUGHTS: dict[str, tuple[str, str]] = {
    "concludes": (
        r"\b(the answer|so it is|therefore|buy now|supports|refutes|not enough info)\b",
        "puts together what is known, and ends",
    ),
    "changes course": (
        r"\b(nothing happen\w*|no page|not find|not found|could not|do(es)? not (tell|say)|instead|"
        r"i try|no (more )?results?|another|again|wrong|but not|did not)\b",
        "notices that something failed, and tries another way",
    ),
    "calculates": (
        r"\b(\d+ (years?|days?)|earlier than|later than|older|younger|more than|fewer|less than|"
        r"longer|larger|higher|minus|plus)\b",
        "compares or does arithmetic",
    ),
    "draws on what was seen": ("", "keeps a fact out of an observation"),
    "uses common sense": (
        r"\b(likely|usually|often|probably|may be|might be|most (people|places)|normally)\b",
        "adds what everybody knows",
    ),
    "plans": (
        r"\b(need|first|then|next|should|have to|look for|looks? up|search|find|go to|i take)\b",
        "says what to do, and in which order",
    ),
    "other": ("", "none of the words that the rules look for"),
}
BUTTONS = words("Buy Now Back to Search Prev Next click")  # on every page of a shop
RULES = {kind: re.compile(rule) for kind, (rule, _) in KINDS_OF_THOUGHTS.items() if rule}


def kind_of_thought(thought: str, draws: bool = False) -> str:
    """What a thought is for. draws: it has its facts from a sentence that was seen before.

    >>> kind_of_thought("There is no page Darius. I search Darius III instead.")
    'changes course'
    """
    text = lower(thought)
    found = (kind for kind in KINDS_OF_THOUGHTS if fits(kind, text, draws))
    return next(found, "other")


def fits(kind: str, text: str, draws: bool) -> bool:
    return bool(RULES[kind].search(text)) if kind in RULES else kind.startswith("draws") and draws


class Origin(NamedTuple):
    """Of a thought: the step (0: none) and the place of the sentence it draws on; what is nowhere.

    `at` counts the sentences of that step's observation, as `sentences_in` gives them.
    """

    step: int = 0
    at: int = 0
    missing: tuple[str, ...] = ()


def origins(run: Trajectory) -> list[Origin]:
    """Where each step's thought has its facts from, by the rules of the kind of task.

    On pages, the first sentence that shares at least three words with the thought, and a third of
    its words. In a house, the last one that shows most of the things it names by number. In a shop,
    the last line that shares most words with it, two at least.
    """
    if run.task.kind == "household":
        missing = GameEvidence(run).supports
        found = list(last_that_shows(run, lambda text: {*map(" ".join, names(text))}, 1))
    elif run.task.kind == "shop":
        missing = ShopEvidence(run).supports
        found = list(last_that_shows(run, lambda text: words(text) - BUTTONS, 2))
    else:
        evidence = Evidence(run)
        missing, first = evidence.supports, dict[str, tuple[int, int]]()
        for i, step in enumerate(run.steps, 1):
            for at, sentence in enumerate(sentences_in(run, step)):
                first.setdefault(sentence.strip(), (i, at))
        found = [first.get(support.sentence or "", (0, 0)) for support in missing]
    return [Origin(*at, support.missing) for at, support in zip(found, missing, strict=True)]


def last_that_shows(
    run: Trajectory, keys: Callable[[str], set[str]], least: int
) -> Iterator[tuple[int, int]]:
    """For each step the last sentence before it that shares most keys with its thought."""
    library, places = Library(), list[tuple[int, int]]()
    for i, step in enumerate(run.steps, 1):
        most, left = library.most(keys(step.thought or ""))
        yield places[left.bit_length() - 1] if most >= least else (0, 0)
        for at, sentence in enumerate(sentences_in(run, step)):
            places.append((i, at))
            library.hold(sentence, keys(sentence))


def sentences_in(run: Trajectory, step: Step) -> list[str]:
    """A step's observation, cut behind each sentence (in a shop: line). Together it is whole."""
    text = step.observation or ""
    if run.task.kind == "shop":
        return text.splitlines(keepends=True)
    ends = [at for at, _ in placed(text)][1:]
    return [text[a:b] for a, b in zip([0, *ends], [*ends, len(text)], strict=True) if a < b]
