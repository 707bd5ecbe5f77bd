"""Lesson 00: one run, the words for its parts, and a run that the reader writes."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import react_lab as rl

from .. import display
from ..languages import spoken
from ..types import Task, Trajectory, normalise
from ..widgets import Proposed
from . import question, words


def task() -> Task:
    """The question at the top: right with ReAct, wrong from memory."""
    return replace(question("multihop-pool-0055"), text="Whom did the painter of Nighthawks marry?")


def questions() -> list[Proposed]:
    """Questions and claims to try: what the bundled model did, and what to watch."""
    folder = rl.data.folder("runs") / "first_questions"
    runs = {run.task.text: run for run in rl.store.open(folder / "0.5b.jsonl")}
    path = folder / f"0.5b.watch.{spoken()}.json"
    path = path if path.exists() else folder / "0.5b.watch.json"
    watch = json.loads(path.read_text(encoding="utf-8"))
    return [Proposed(runs[text], words) for text, words in watch.items()]


def losing() -> Trajectory:
    """A run of ReAct that a misread sentence leads astray."""
    return next(one.run for one in questions() if "Vitus Bering" in one.run.task.text)


# ---------------------------------------------------------------------- the reader is the model


def played(lines: object) -> list[Trajectory]:
    """The run that a student's lines make, as far as they go; none without lines."""
    if not (lines and isinstance(lines, list | tuple) and all(isinstance(s, str) for s in lines)):
        return []
    (asked,) = (each for each in rl.tasks.load("multihop", "demo") if "Noongar" in each.text)
    model, most = rl.models.scripted(lines, name="your lines"), min(len(lines), 7)
    run = rl.run("react", asked, model, max_steps=most, on_error="record")
    if run.end == "step_limit" and most < 7:  # the lines were at their end, not the steps
        run = replace(run, end="unfinished")
    return [replace(run, error=words.said("00", "short")) if run.end == "error" else run]


def shown(lines: object) -> display.Page:
    """That run, or where it will stand."""
    runs = played(lines)
    empty = display.note(words.said("00", "your_run"), words.said("00", "stands_here"), "hint")
    return display.show(runs) if runs else empty


def check_lines(lines: object) -> str | None:
    runs = played(lines)
    if not runs:
        return words.said("00", "no_lines")
    for i, step in enumerate(runs[0].steps, start=1):
        if step.action is None or step.rescued:
            return words.said("00", "no_action", i=i)
        if (step.observation or "").startswith("Invalid action"):
            return words.said("00", "unknown_act", i=i, act=step.action)
    run = runs[0]  # all its steps can be read
    if run.answer is None:
        return words.said("00", "no_finish", i=len(run.steps))
    if "rottnest" in normalise(run.answer):
        return words.said("00", "on_maps")
    if not rl.score.correct(run):
        return words.said("00", "wrong", answer=repr(run.answer))
    seen = " ".join(step.observation or "" for step in run.steps)
    if normalise(run.answer) not in normalise(seen):
        return words.said("00", "from_memory")
    return None


lesson = partial(words.lesson_of, "00", {"0.1": check_lines})
