"""The six modes of success and failure of Table 2, and the guideline that tells them apart."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from .. import data, score
from ..kinds import kind_of
from ..types import Trajectory

__all__ = ["FAILURE", "MODES", "SUCCESS", "Guideline", "as_mode", "grade", "guideline", "offered"]

SUCCESS = ("true positive", "false positive")
FAILURE = ("reasoning error", "search result error", "hallucination", "label ambiguity")
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


def offered(run: Trajectory, override: bool = False) -> tuple[str, ...]:
    """The modes of the run's grade (override: of both); no search error where nothing acts."""
    modes = {"success": SUCCESS, "failure": FAILURE}.get(grade(run) or "", MODES)
    return tuple(m for m in (MODES if override else modes) if searches(run) or m != MODES[3])


def searches(run: Trajectory) -> bool:
    """Did the run act on its world, or only answer?"""
    answer = f"{kind_of(run.task.kind).ends_with.lower()}["
    return any(not s.action.lower().startswith(answer) for s in run.steps if s.action)


@dataclass(frozen=True)
class Guideline:
    """How to label, in a version that every label names."""

    version: str
    text: str
    modes: dict[str, str]  # a mode -> its definition, boundary and examples


@functools.cache
def guideline() -> Guideline:
    """The guideline in data/labels/GUIDELINE.md."""
    text = data.folder("labels", "GUIDELINE.md").read_text(encoding="utf-8")
    version = re.search(r"^Version (\S+)$", text, re.M)
    parts = [part.partition("\n") for part in re.split(r"^## ", text, flags=re.M)]
    modes = {name: body.strip() for name, _, body in parts if name in MODES}
    if version is None or set(modes) != set(MODES):
        raise ValueError("GUIDELINE.md needs a line 'Version ...' and a section '## ...' per mode")
    return Guideline(version[1], text, modes)
