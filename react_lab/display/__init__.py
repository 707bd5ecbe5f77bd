"""Runs to look at: one from top to bottom, several side by side, an edit beside its run."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from react_lab.kinds import kind_of
from react_lab.languages import say, word
from react_lab.types import Trajectory

from .html import COLOURS, LONG, MOST, Block, Page, frame, html_of, inert, text_of
from .runs import ended, run_blocks, side_by_side

__all__ = [
    "COLOURS", "LONG", "Page", "ended", "inert", "note", "show", "together",
]  # fmt: skip


def show(run_or_runs: Trajectory | Iterable[Trajectory]) -> Page:
    """One run from top to bottom, or up to 12 side by side under the question they share.

    What all have in common (question, model, settings) stands once, above; then a column per run,
    aligned by step, or one run after the other where it is narrow. A run that was edited stands
    beside the run it was made of, if both are given, and the columns begin where they part.
    """
    several = (run_or_runs,) if isinstance(run_or_runs, Trajectory) else run_or_runs
    runs = list(islice(several, MOST + 1))
    if not runs:
        return note(say("show.no_runs"), say("show.nothing"))
    if len(runs) > MOST:
        raise ValueError(f"a page holds up to {MOST} runs: show(runs[:{MOST}])")
    if len(runs) > 1:
        return side_by_side(runs)
    task = runs[0].task
    blocks = [Block(word("parts", kind_of(task.kind).opener), task.text), *run_blocks(runs[0])]
    return Page(frame(html_of(blocks)), text_of(blocks))


def together(pages: Iterable[Page]) -> Page:
    """Several pages as one, the first at the top."""
    several = list(pages)
    return Page("".join(p.html for p in several), "\n".join(p.text for p in several))


def note(name: str, text: str, kind: str = "", marks: tuple[str, ...] = ()) -> Page:
    """One named text, as inert as a run."""
    blocks = [Block(name, text, kind, marks)]
    return Page(frame(html_of(blocks)), text_of(blocks))
