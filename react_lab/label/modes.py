"""The six modes of success and failure of Table 2, and the guideline that tells them apart."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass

from .. import data, score, store
from ..kinds import kind_of
from ..languages import say, word
from ..support.text import inline
from ..types import Trajectory

__all__ = [
    "FAILURE", "MODES", "QUESTIONS", "SUCCESS", "Guideline", "as_mode", "grade", "guideline",
    "methods_of", "offered",
]  # fmt: skip

SUCCESS = ("true positive", "false positive")
FAILURE = ("reasoning error", "search result error", "hallucination", "label ambiguity")
TABLE_2 = ("react", "cot")  # the methods whose runs the paper labels
MODES = SUCCESS + FAILURE  # in the order of the keys 1 to 6


def as_mode(label: str | int) -> str:
    """A mode by its key (1 to 6) or its name; `reasoning_error` will do."""
    if isinstance(label, int) and 1 <= label <= len(MODES):
        return MODES[label - 1]
    name = str(label).strip().lower().replace("_", " ").replace("-", " ")
    if name not in MODES:
        raise ValueError(f"no mode {label!r}; there are 1 to 6: {', '.join(MODES)}")
    return name


def grade(run: Trajectory) -> str | None:
    """Success or failure, as `score` grades the run; None when nobody can tell."""
    right = score.correct(run)
    return None if right is None else "success" if right else "failure"


def verdict(run: Trajectory) -> str:
    """The grade in words: right or wrong, of a game won or not won; "" when nobody can tell."""
    words = ("won", "not won") if is_game(run) else ("right", "wrong")
    return dict(zip(("success", "failure"), words, strict=True)).get(grade(run) or "", "")


def grader(run: Trajectory) -> str:
    """Who graded a run, in words."""
    return say("label.the_game" if is_game(run) else "label.exact_match")


def verdict_words(run: Trajectory) -> str:
    """The grade in words; "" when nobody can tell."""
    graded = verdict(run)
    return word("label.verdicts", graded) if graded else ""


def tied(run: Trajectory) -> tuple[str, str]:
    """What ties a label to a run: its id, and a hash of what a reader sees."""
    return run.id, store.digest(run)


def offered(run: Trajectory, override: bool = False) -> tuple[str, ...]:
    """The modes of the run's grade (override: of both); no search error where nothing acts.

    Nor in a game a hallucination where nothing thinks: there it takes a thought to state something.
    """
    modes = {"success": SUCCESS, "failure": FAILURE}.get(grade(run) or "", MODES)
    none = {
        "search result error": not searches(run),
        "hallucination": is_game(run) and not any(step.thought for step in run.steps),
    }
    return tuple(m for m in (MODES if override else modes) if not none.get(m))


def searches(run: Trajectory) -> bool:
    """Did the run act on its world, or only answer?"""
    answer = f"{kind_of(run.task.kind).ends_with.lower()}["
    return any(not s.action.lower().startswith(answer) for s in run.steps if s.action)


def is_game(run: Trajectory) -> bool:
    """Does its world say when it is over, and whether it is won? Then there is no answer."""
    kind = kind_of(run.task.kind)
    return kind.grade == "reward" and not kind.ends_with


# ---------------------------------------------------------------------- labels of one kind of task

QUESTIONS = "multihop"  # what the labels are of that do not say it: once there were no others


def nouns(kinds: Iterable[str]) -> str:
    return " and ".join(inline(kind_of(kind).noun) for kind in sorted(kinds))


def methods_of(kind: str) -> tuple[str, ...]:
    """The methods whose runs are labelled: the two of Table 2; of games, all that play them."""
    legs = kind_of(kind).legs
    return TABLE_2 if set(TABLE_2) <= set(legs) else legs


def one_kind(kinds: Iterable[str], what: str, instead: str) -> str:
    """The kind that all of these are of; of several kinds nothing is counted together."""
    found = {kind or QUESTIONS for kind in kinds}
    if len(found) > 1:
        raise ValueError(f"{what} are of {nouns(found)}: {instead}")
    return next(iter(found), QUESTIONS)


# ---------------------------------------------------------------------- the guideline


@dataclass(frozen=True)
class Guideline:
    """How to label, in a version that every label names."""

    version: str
    text: str
    modes: dict[str, str]  # a mode -> its definition, boundary and examples
    words: dict[str, str]  # a mode -> what it means here, in a few words; of questions none


@functools.cache
def guideline(kind: str = QUESTIONS) -> Guideline:
    """The guideline in data/labels/GUIDELINE.md for a kind of task: its own part, or the first."""
    text = data.folder("labels", "GUIDELINE.md").read_text(encoding="utf-8")
    version = re.search(r"^Version (\S+)$", text, re.M)
    first, *others = re.split(r"^# ", text.removeprefix("# "), flags=re.M)
    own = f"{kind_of(kind).noun}\n".lower()
    part = next((other for other in others if other.lower().startswith(own)), first)
    sections = [section.partition("\n") for section in re.split(r"^## ", part, flags=re.M)[1:]]
    heads = [(*head.partition(": ")[::2], body.strip()) for head, _, body in sections]
    modes = {name: body for name, _, body in heads if name in MODES}
    if version is None or set(modes) != set(MODES):
        raise ValueError("GUIDELINE.md needs a line 'Version ...' and a section '## ...' per mode")
    words = {name: words for name, words, _ in heads if words and name in MODES}
    return Guideline(version[1], f"# {part}", modes, words)
