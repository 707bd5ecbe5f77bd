"""Lesson 01: Standard, Chain-of-Thought, Act and ReAct, side by side (Figure 1 of the paper)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ..envs.pages import bundled
from ..envs.wiki import sentences
from ..layouts import Numbered
from ..prompts import KEEP, Exemplar, exemplar_text, read_exemplars
from ..types import Task, normalise
from . import question, words

PARTS = ("thought", "action", "observation")
said = partial(words.said, "01")


def task() -> Task:
    """The question of this lesson: the tuned model is right with ReAct alone."""
    return question("multihop-dev-372")


def saying(task: Task, words: str) -> list[str]:
    """The sentences with these words on the pages that the question is about."""
    pages, asked = bundled(), f" {normalise(words)} "
    found = (s for title in task.extra["pages"] for s in sentences(pages.get(title) or ""))
    return [sentence for sentence in found if asked in f" {normalise(sentence)} "]


def exemplars() -> tuple[Exemplar, ...]:
    """Our six exemplars, parsed."""
    return read_exemplars(exemplar_text("multihop"), Numbered())[1]


def thoughts() -> list[tuple[str, str, int, int]]:
    """Each kind of thought (section 3.2), what it does, and one of ours: exemplar and number."""
    return [(kind, *rest) for kind, rest in words.read("01")["thoughts"].items()]


def check_kept(answer: object) -> str | None:
    if not isinstance(answer, Mapping):
        return said("no_dict")
    if missing := [leg for leg in KEEP if leg not in answer]:
        return said("lacks", names=", ".join(missing))
    for leg, kept in KEEP.items():
        parts = answer[leg]
        if not isinstance(parts, set | frozenset | list | tuple):
            return said("no_set", leg=leg)
        if unknown := [part for part in parts if part not in PARTS]:
            return said("no_part", leg=leg, part=repr(unknown[0]), parts=", ".join(PARTS))
        faults = [said("missing", part=p) for p in PARTS if p in kept and p not in parts]
        faults += [said("too_much", part=p) for p in PARTS if p in parts and p not in kept]
        if faults:
            return said("not_quite", leg=leg, faults=said("and").join(faults), why=said(leg))
    return None


lesson = partial(words.lesson_of, "01", {"1.1": check_kept})
