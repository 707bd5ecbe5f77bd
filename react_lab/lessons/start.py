"""Lesson 00: one run, the words for its parts, and a run that the reader writes.

The runs are the bundled model's, recorded. Two exercises are made from the run at the top, so that
another question, or another model, changes them too.
"""

from __future__ import annotations

import json
from dataclasses import replace

from .. import data, display, models, running, score, store, teach
from ..types import Step, Task, Trajectory, normalise
from ..widgets import Proposed
from . import question, words

SHORT = "Your lines end here. After its thought this step needs a line break and an action."
TASKS = {"first": "multihop-pool-0055"}  # new pages; right with ReAct, wrong from memory


def task(name: str = "first") -> Task:
    """The question of this lesson."""
    return question(TASKS[name])


def quokkas() -> Task:
    """The question of exercise 0.2."""
    return question("multihop-demo-005")


def first_questions() -> list[Proposed]:
    """Twelve questions and six claims to try: what the bundled model did, and what to watch."""
    folder = data.folder("runs") / "first_questions"
    runs = {run.task.text: run for run in store.open(folder / "react.jsonl")}
    watch = json.loads((folder / "watch.json").read_text(encoding="utf-8"))
    return [Proposed(runs[text], words) for text, words in watch.items()]


def played(lines: object) -> list[Trajectory]:
    """The run that a student's lines make, to show, as far as they go; none without lines."""
    if not isinstance(lines, list | tuple) or not all(isinstance(line, str) for line in lines):
        return []
    if not lines:
        return []
    model, most = models.scripted(lines, name="your lines"), min(len(lines), 7)
    run = running.run("react", quokkas(), model, max_steps=most, on_error="record")
    if run.end == "step_limit" and most < 7:  # the lines were at their end, not the steps
        run = replace(run, end="unfinished")
    return [replace(run, error=SHORT) if run.end == "error" else run]


def shown(lines: object) -> display.Page:
    """That run, or where it will stand."""
    runs = played(lines)
    empty = display.note("Your run", "It stands here when you have written lines above.", "hint")
    return display.show(runs) if runs else empty


def lesson(run: Trajectory) -> teach.Lesson:
    """The exercises and the questions, made afresh; `run` is the one at the top."""
    checks: dict[str, teach.Check] = {
        "0.1": lambda answer: fault_of_number(answer, run),
        "0.2": check_lines,
        "0.3": check_names,
    }
    step, acts = named_at(run), acts_of(run)
    return words.lesson_of("00", checks, step=step, acts=acts, answer=repr(run.answer))


def named_at(run: Trajectory) -> int:
    """The first step whose observation names the answer; 0 if none does."""
    answer = normalise(run.answer or "")
    seen = (f" {normalise(step.observation or '')} " for step in run.steps)
    found = (i for i, text in enumerate(seen, start=1) if answer and f" {answer} " in text)
    return next(found, 0)


def acts_of(run: Trajectory) -> list[str]:
    """The names of its acts, in order."""
    return [step.action.partition("[")[0] for step in run.steps if step.action]


# ---------------------------------------------------------------------- what is wrong, if anything


def fault_of_number(answer: object, run: Trajectory) -> str | None:
    right, last = named_at(run), len(run.steps)
    if not isinstance(answer, int) or isinstance(answer, bool):
        return "This exercise asks for the number of a step, such as 1."
    if answer == right:
        return None
    if answer == 0:
        return "One page does name it: read the observations once more."
    if not 0 < answer <= last:
        return f"The run has the steps 1 to {last}."
    if run.steps[answer - 1].observation is None:
        return f"Step {answer} observes nothing. In which step before it did a page say so?"
    if right and answer > right:
        return f"Observation {answer} is too late: an earlier one names it already."
    return f"Observation {answer} does not name it. Search it for the words of the answer."


def check_lines(lines: object) -> str | None:
    runs = played(lines)
    if not runs:
        return "This exercise asks for a list of strings, one for each step."
    run = runs[0]
    faults = (fault_of_step(i, step) for i, step in enumerate(run.steps, start=1))
    return next(filter(None, faults), None) or fault_of(run)


def fault_of_step(i: int, step: Step) -> str | None:
    if step.action is None or step.rescued:
        return (
            f"Step {i} is a thought without an action: after it goes '\\nAction {i}: Search[title]'"
        )
    if (step.observation or "").startswith("Invalid action"):
        return f"Step {i}: the world knows Search[...], Lookup[...], Finish[...]; not {step.action}"
    return None


def fault_of(run: Trajectory) -> str | None:
    """What is wrong with a run whose steps can all be read."""
    if run.answer is None:
        return f"The run stopped after step {len(run.steps)}: no line said Finish[...]."
    if "rottnest" in normalise(run.answer):
        return "That is the name on the maps. The question asks for the one the Noongar people use."
    if not score.correct(run):
        return f"The run finished, but {run.answer!r} is not what the pages say."
    seen = " ".join(step.observation or "" for step in run.steps)
    if normalise(run.answer) not in normalise(seen):
        return "Right, but from memory: no page said so. Search until a page names it."
    return None


def check_names(answer: object) -> str | None:
    if not callable(answer):
        return "This exercise asks for a function."
    for what, run, names in SEVERAL:
        if fault := teach.cases(((run,), list(names)))(answer):
            return f"{fault} ({what})"
    return None


def run_of(*steps: Step) -> Trajectory:
    return Trajectory("", Task("", "multihop", ""), "react", "nobody", steps=steps)


SEVERAL = (
    (
        "a run of three acts",
        run_of(
            Step("a", "Search[Warsaw]", "b"),
            Step("c", "Lookup[heart]", "d"),
            Step("e", "Finish[f]"),
        ),
        ("Search", "Lookup", "Finish"),
    ),
    ("a run from memory", run_of(Step(None, "Finish[radium]")), ("Finish",)),
    (
        "a run in which step 1 is a thought alone: its action is None",
        run_of(Step("a"), Step(None, "Search[Quokka]", "b")),
        ("Search",),
    ),
    ("an act with brackets inside", run_of(Step("a", "Search[Queen [band]]", "b")), ("Search",)),
    ("a run without steps", run_of(), ()),
)
