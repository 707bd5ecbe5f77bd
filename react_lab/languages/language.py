"""What a run is written in: the words of its transcript and of the world of pages. English here.

The code that reads and shows a transcript knows no language: it takes one of these records.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .. import data
from ..types import Action, normalise

CUTS = "wiki/cuts.json"  # below data/, where somebody has written it

SEARCH = Action(
    "Search[entity]",
    "finds the page with this title and gives its first five sentences; if there is none, "
    "it gives up to five similar titles to search instead",
)
LOOKUP = Action(
    "Lookup[keyword]", "gives the next sentence of the page last found that contains the keyword"
)
FINISH = Action("Finish[answer]", "gives the answer and ends the task")


def segmented(text: str) -> Iterator[str]:
    """A text's sentences: as they were cut before, if it is known, else by `sentencex`."""
    if not (known := cuts().get(key_of(text))):
        yield from cut_of(text)
    start = 0
    for length in known or ():
        yield text[start : start + length]
        start += length


def cut_of(text: str) -> list[str]:
    from sentencex import segment

    return [*segment("en", text)]


@functools.cache
def cuts() -> Mapping[str, Sequence[int]]:
    """Texts by their keys, and how long their sentences are: for where `sentencex` does not run."""
    file = data.folder(*CUTS.split("/"))
    return json.loads(file.read_bytes()) if file.exists() else {}


def key_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


TURNS = {  # what an acting prompt says of its turns
    "react": "Take turns: a Thought, an Action, then an Observation. A Thought reasons about what "
    "is known and what to do next. An Action is one of: {acts}.",
    "act": "Take turns: an Action, then an Observation. An Action is one of: {acts}.",
}


@dataclass(frozen=True)
class Language:
    """One language: headings, the words of the world of pages, how text is read and compared."""

    code: str = "en"
    # a transcript
    thought: str = "Thought"
    action: str = "Action"
    observation: str = "Observation"
    answer: str = "Answer"
    openers: tuple[str, ...] = ("Question", "Claim")
    colon: str = ": "
    space: str = " "  # between two sentences
    listed: str = "({k}) {usage}, which {effect}"  # an act in the instruction
    between: str = "; "  # two of them
    turns_told: Mapping[str, str] = field(default_factory=lambda: TURNS, hash=False)
    # the world of pages
    acts: tuple[Action, Action, Action] = (SEARCH, LOOKUP, FINISH)
    missing: str = "Could not find {entity}. Similar: {similar}."
    result: str = "(Result {at} / {found}) {sentence}"
    nothing: str = "No more results."
    invalid: str = "Invalid action: {act}. Use one of {acts}."
    comma: str = ", "
    # how text is read, shown, cut and compared; `str` leaves it as it is
    turns: Callable[[str], str] = str  # a model's text -> headings and acts as in English
    answers: Callable[[str], str] = str  # so too, where the text ends in an answer
    act: Callable[[str], str] = str  # an act, however it was typed -> `Name[argument]`
    show_act: Callable[[str], str] = str  # and back, as it stands in a transcript
    fold: Callable[[str], str] = str.lower  # what Lookup takes for the same
    sentences: Callable[[str], Iterator[str]] = segmented
    normalise: Callable[[str], str] = normalise  # what exact match takes for the same
    words: Callable[[str], list[str]] = str.split  # of a normalised text: what F1 counts
    closed: tuple[str, ...] = ("yes", "no", "noanswer")  # a part of an answer earns nothing here


ENGLISH = Language()
