"""Lesson 01: Standard, Chain-of-Thought, Act and ReAct, side by side (Figure 1 of the paper).

The replies in the notebook are the bundled model's, recorded; the pages are the bundled ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .. import display, models, running, tasks, teach
from ..envs.pages import bundled
from ..envs.wiki import Wiki, sentences
from ..layouts import Numbered
from ..plots.picture import Picture, canvas, drawing
from ..prompts import KEEP, Exemplar, exemplar_text, read_exemplars
from ..running import prompt_of
from ..types import Step, Task, normalise, split_act
from . import question, words

KINDS = {"Question": "", "Thought": "thought", "Action": "action", "Observation": "observation"}
PARTS = ("thought", "action", "observation")

TASKS = {
    "four": "multihop-dev-010",  # the tuned model is right with ReAct alone
    "play": "multihop-demo-003",  # lab B: the reader is the model
    "jaws": "multihop-demo-004",  # exercise 1.3
}

# A kind of thought (section 3.2), what it does, and one of ours: which exemplar, which thought.
THOUGHTS = (
    ("Decompose the goal", "says what to find, and in which order", 1, 1),
    ("Extract from an observation", "keeps the one fact that is needed", 1, 2),
    ("Reformulate a search", "tries another title when no page was found", 2, 2),
    ("Use common sense", "adds what everybody knows", 6, 1),
    ("Calculate or compare", "does arithmetic with what was found", 5, 3),
    ("Synthesise the answer", "puts the facts together and concludes", 1, 5),
)


def task(name: str = "four") -> Task:
    """A question of this lesson."""
    return question(TASKS[name])


def saying(task: Task, words: str) -> list[str]:
    """The sentences with these words on the pages that the question is about."""
    pages, asked = bundled(), f" {normalise(words)} "
    found = (s for title in task.extra["pages"] for s in sentences(pages.get(title) or ""))
    return [sentence for sentence in found if asked in f" {normalise(sentence)} "]


def exemplars() -> tuple[Exemplar, ...]:
    """Our six exemplars, parsed."""
    return read_exemplars(exemplar_text("multihop"), Numbered())[1]


def fillings() -> Picture:
    """Which kind of line fills the six-shot prompts, in characters."""
    import pandas as pd

    heads = {leg: prompt_of(leg).head.splitlines() for leg in reversed(KEEP)}
    rows = {leg: [sum(len(s) for s in head if s.startswith(kind)) for kind in KINDS]
            for leg, head in heads.items()}  # fmt: skip
    table = pd.DataFrame.from_dict(rows, orient="index", columns=list(KINDS))
    with drawing():
        figure, [ax] = canvas(1, 7.5, 2.8)
        colours: Any = [display.COLOURS[kind] for kind in KINDS.values()]
        table.plot.barh(stacked=True, ax=ax, color=colours).legend(fontsize=11)
        ax.set_xlabel("characters in six exemplars")
    caption = "Which kind of line fills the prompts with six exemplars: characters of each kind."
    return Picture(figure, caption, {"characters": table.iloc[::-1]})


def lesson() -> teach.Lesson:
    """The exercises and the questions, made afresh."""
    return words.lesson_of("01", CHECKS)


# ---------------------------------------------------------------------- what is wrong, if anything

KEPT = {
    "react": "ReAct is the whole thing: switch everything on and read the prompt",
    "act": "Act looks things up, reads what comes back, and never says why",
    "cot": "Chain-of-Thought reasons, and without acts there is nothing to observe",
    "standard": "Only questions and answers are left, and an answer is none of the three parts",
}


def check_kept(answer: object) -> str | None:
    if not isinstance(answer, Mapping):
        return "This exercise asks for a dict: a method and the set of its parts."
    if missing := [leg for leg in KEEP if leg not in answer]:
        return f"A method is missing: {', '.join(missing)}."
    return next(filter(None, (fault_of_kept(leg, answer[leg]) for leg in KEEP)), None)


def fault_of_kept(leg: str, parts: object) -> str | None:
    if not isinstance(parts, set | frozenset | list | tuple):
        return (
            f"{leg}: give a set of parts, such as {{'thought'}}; the empty set is set(), "
            "for {} is an empty dict."
        )
    if unknown := [part for part in parts if part not in PARTS]:
        return f"{leg}: {unknown[0]!r} is no part. The parts are: {', '.join(PARTS)}."
    faults = [f"{part} is missing" for part in PARTS if part in KEEP[leg] and part not in parts]
    faults += [f"{part} is too much" for part in PARTS if part in parts and part not in KEEP[leg]]
    return f"Not quite {leg}: {' and '.join(faults)}. {KEPT[leg]}." if faults else None


STEPS = (
    Step("I need the bridge.", "Search[Brooklyn Bridge]", "It spans the East River."),
    Step("It may be older.", None, "OK.", human=("thought",)),
    Step("It is.", "Finish[East River]"),
)


def check_blind(function: Any) -> str | None:
    if not callable(function):
        return "This exercise asks for a function."
    try:
        got = function(STEPS)
    except Exception as fault:  # noqa: BLE001 (a student's function may raise anything)
        return f"When it was called, {teach.raised(fault)}"
    if not isinstance(got, tuple):
        return f"It gave a {type(got).__name__}. The exercise asks for a tuple of Steps."
    if len(got) != len(STEPS):
        return f"{len(STEPS)} steps went in and {len(got)} came out. The steps stay, less a part."
    pairs = enumerate(zip(STEPS, got, strict=True), start=1)
    return next(filter(None, (fault_of_blind(i, *pair) for i, pair in pairs)), None)


def fault_of_blind(i: int, given: Step, got: object) -> str | None:
    if getattr(got, "observation", None) == "":
        return f"Step {i} has an empty observation, ''. What is not there is None in Python."
    if getattr(got, "observation", None) is not None:
        return f"Step {i} still has its observation: {given.observation}"
    if got != replace(given, observation=None):
        return f"Step {i} lost more than its observation. Compare its thought, action and human."
    return None


def check_reply(answer: object) -> str | None:
    """Really run it: one step, and if no act is found the loop asks once more, in vain."""
    if not isinstance(answer, str):
        return "This exercise asks for a string: what the model says after the cue 'Thought 1:'."
    asked = task("jaws")
    step = running.run("react", asked, models.scripted([answer, ""]), max_steps=1).steps[0]
    if {"forged observation", "several steps"} & set(step.repairs):
        return "You wrote on after the action. The observation is the world's turn: stop before it."
    if step.action is None:
        return "No action could be read. It needs a line of its own: Action 1: Search[...]"
    if step.thought is None:
        return "There is an action and no thought. Say first what you need; then act."
    seen = step.observation or "nothing, because the run is over"
    if any(seen in (bundled().get(title) or "") for title in asked.extra["pages"]):
        return None
    opened = f"Your action was read as {step.action}; the world answered: {seen}"
    return f"That opens no page which helps. {opened}"


def check_own(answer: object) -> str | None:
    if not isinstance(answer, str):
        return "This exercise asks for a text that begins with 'Question: '."
    begun = re.search("^Question: ", answer, re.M)
    found = read_exemplars(answer, Numbered())[1] if begun else ()
    if len(found) != 1:
        return f"Write one exemplar, beginning with 'Question: '. There are {len(found)} here."
    if found[0].rationale is None and re.search("^Rationale:", answer, re.M):
        return "The Rationale line has to come right after the Question, before Thought 1."
    return next(faults_of_own(found[0]), None)


def faults_of_own(own: Exemplar) -> Iterator[str]:
    if own.opening in [ours.opening for ours in exemplars()]:
        yield "This question is in our file already. Ask one of your own."
    if own.rationale is None:
        yield "The Rationale line is missing, so CoT would be taught to say 'I search'."
    for i, step in enumerate(own.steps, start=1):
        if not step.thought or not step.action:
            yield f"Step {i} needs a line 'Thought {i}: ' and a line 'Action {i}: '."
    last = split_act(own.steps[-1].action or "") if own.steps else None
    if last is None or last[0] != "Finish" or not last[1].strip():
        yield "The last action has to be Finish[...], with the answer in the brackets."
    if len(own.steps) < 3:
        yield "That is no multihop question yet: look up two things at least, then finish."
    yield from unlike_the_world(own)


def unlike_the_world(own: Exemplar) -> Iterator[str]:
    """Where the observations are not what the world says when the acts are done again."""
    world = Wiki()(tasks.question(own.opening))
    for i, step in enumerate(own.steps[:-1], start=1):
        seen = world.step(step.action or "").text
        if seen != step.observation:
            yield f"Observation {i} is not what the world says. It says: {seen}"


CHECKS: Mapping[str, teach.Check] = {
    "1.1": check_kept,
    "1.2": check_blind,
    "1.3": check_reply,
    "1.4": check_own,
}
