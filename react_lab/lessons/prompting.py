"""Lesson 01: Standard, Chain-of-Thought, Act and ReAct, side by side (Figure 1 of the paper).

The replies in the notebook are the bundled model's, recorded; the pages are the bundled ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .. import lab, models, tasks, teach
from ..envs.pages import bundled
from ..envs.wiki import Wiki, sentences
from ..layouts import Numbered
from ..prompts import KEEP, Exemplar, exemplar_text, read_exemplars
from ..types import Step, Task, normalise, split_act

__all__ = ["TASKS", "THOUGHTS", "exemplars", "lesson", "saying", "task"]
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
    split = TASKS[name].split("-")[1]
    return next(each for each in tasks.load("multihop", split) if each.id == TASKS[name])


def saying(task: Task, words: str) -> list[str]:
    """The sentences with these words on the pages that the question is about."""
    told, asked = bundled(), f" {normalise(words)} "
    found = (s for title in task.extra["pages"] for s in sentences(told.get(title) or ""))
    return [sentence for sentence in found if asked in f" {normalise(sentence)} "]


def exemplars() -> tuple[Exemplar, ...]:
    """Our six exemplars, parsed."""
    return read_exemplars(exemplar_text("multihop"), Numbered())[1]


def lesson() -> teach.Lesson:
    """The exercises and the questions, made afresh."""
    return teach.Lesson("01", {"1.1": KEEPS, "1.2": BLIND, "1.3": REPLY, "1.4": OWN}, QUESTIONS)


# ---------------------------------------------------------------------- what is wrong, if anything

KEPT = {
    "react": "ReAct is the whole thing: switch everything on and read the prompt",
    "act": "Act looks things up and never says why",
    "cot": "Chain-of-Thought reasons, and without acts there is nothing to observe",
    "standard": "only questions and answers are left, and an answer is none of the three parts",
}


def check_kept(answer: object) -> str | None:
    if not isinstance(answer, Mapping):
        return "This exercise asks for a dict: a method and the set of its parts."
    if missing := [leg for leg in KEEP if leg not in answer]:
        return f"A method is missing: {', '.join(missing)}."
    return next(filter(None, (fault_of_kept(leg, answer[leg]) for leg in KEEP)), None)


def fault_of_kept(leg: str, parts: object) -> str | None:
    if not isinstance(parts, set | frozenset | list | tuple) and parts != {}:
        return f"{leg}: give a set of parts, such as {{'thought'}}; the empty set is set()."
    if unknown := [part for part in parts if part not in PARTS]:
        return f"{leg}: {unknown[0]!r} is no part. The parts are: {', '.join(PARTS)}."
    return None if set(parts) == KEEP[leg] else f"Not quite {leg}: {KEPT[leg]}."


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
        return f"It raised {type(fault).__name__}: {fault}"
    if not isinstance(got, tuple):
        return f"It gave a {type(got).__name__}. The exercise asks for a tuple of Steps."
    if len(got) != len(STEPS):
        return f"{len(STEPS)} steps went in and {len(got)} came out. The steps stay, less a part."
    pairs = enumerate(zip(STEPS, got, strict=True), start=1)
    return next(filter(None, (fault_of_blind(i, *pair) for i, pair in pairs)), None)


def fault_of_blind(i: int, given: Step, got: object) -> str | None:
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
    step = lab.run("react", asked, models.scripted([answer, ""]), max_steps=1).steps[0]
    if {"forged observation", "several steps"} & set(step.repairs):
        return "You wrote on after the action. The observation is the world's turn: stop before it."
    if step.action is None:
        return "No action could be read. It needs a line of its own: Action 1: Search[...]"
    if step.thought is None:
        return "There is an action and no thought. Say first what you need; then act."
    seen = step.observation or "nothing, because the run is over"
    if any(seen in (bundled().get(title) or "") for title in asked.extra["pages"]):
        return None
    return f"Your action was read as {step.action}. The world answered: {seen}"


def check_own(answer: object) -> str | None:
    if not isinstance(answer, str):
        return "This exercise asks for a text that begins with 'Question: '."
    _, found = read_exemplars(answer, Numbered())
    if len(found) != 1:
        return f"Write one exemplar, beginning with 'Question: '. There are {len(found)} here."
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
        said = world.step(step.action or "").text
        if said != step.observation:
            yield f"Observation {i} is not what the world says. It says: {said}"


KEEPS = teach.Exercise(
    "Say which parts each method keeps. Give a dict with the keys 'react', 'act', 'cot' and "
    "'standard'. Each value is a set with some of 'thought', 'action' and 'observation' in it.",
    check_kept,
    """kept = {"react": {"thought", "action", "observation"}, "act": {"action", "observation"},
        "cot": {"thought"}, "standard": set()}""",
    (
        "Go back to the switches. Find the setting at which the line above the prompt reads Act.",
        "One of the four keeps nothing. In Python {} is an empty dict; the empty set is set().",
    ),
    minutes=4,
)

BLIND = teach.Exercise(
    "Write a function without_observations(steps). It takes a tuple of Steps and gives a tuple of "
    "the same Steps, each without its observation. Everything else in a step stays as it is.",
    check_blind,
    """from dataclasses import replace


def without_observations(steps):
    return tuple(replace(step, observation=None) for step in steps)""",
    (
        "A Step is frozen: it cannot be changed, so make a new one.",
        "dataclasses.replace(step, observation=None) makes a copy with one part changed.",
    ),
    minutes=6,
    dots=2,
)

REPLY = teach.Exercise(
    "Now you are the model. The question is: Who composed the music for nearly all films of the "
    "director of Jaws? Write the first reply, a string that follows the cue 'Thought 1:'. It holds "
    "a thought and an action, and the action has to open a page that helps. We really run it.",
    check_reply,
    'reply = " I need the director of the film Jaws.\\nAction 1: Search[Jaws (film)]"',
    (
        "Write a thought, then \\n, then 'Action 1: Search[...]'.",
        "The world opens a page at its exact title only: read what it says to Search[Jaws].",
    ),
    minutes=6,
    dots=2,
)

OWN = teach.Exercise(
    "Write an exemplar of your own: a text with a Question, a Rationale and numbered Thoughts, "
    "Actions and Observations, which ends with Finish. Two things have to be looked up. The world "
    "does your actions again, and every observation has to agree with it, word for word.",
    check_own,
    '''bach = world.step("Search[Johann Sebastian Bach]").text
town = world.step("Search[Eisenach]").text
own = f"""Question: Which castle stands above the town where Johann Sebastian Bach was born?
Rationale: Bach was born in Eisenach. Its castle is the Wartburg, so the answer is Wartburg.
Thought 1: I need the town where Bach was born, then its castle.
Action 1: Search[Johann Sebastian Bach]
Observation 1: {bach}
Thought 2: Bach was born in Eisenach. Now its castle.
Action 2: Search[Eisenach]
Observation 2: {town}
Thought 3: The Wartburg stands above Eisenach, so the answer is Wartburg.
Action 3: Finish[Wartburg]"""''',
    (
        "Find two pages that lead from one to the other; read them with world.step('Search[...]').",
        "Let Python copy what the world says: f'Observation 1: {world.step(...).text}'.",
        "After the question comes 'Rationale: ', one line of reasoning that speaks of no search.",
    ),
    minutes=15,
    dots=4,
)

QUESTIONS = (
    teach.Question(
        "Act and ReAct are prompted with the same six exemplars. What does Act not see?",
        (
            ("The observations", False, "Act acts, so the world answers: it keeps them."),
            ("The thoughts", True, "They are taken away, and so is the sentence about them."),
            ("The answers", False, "The answer stays in every one of the four prompts."),
        ),
    ),
    teach.Question(
        "Why does an exemplar have a Rationale line?",
        (
            ("ReAct's thoughts are too long", False, "Length is not it. What do they talk about?"),
            ("They speak of searching", True, "CoT cannot search; it should not learn to say so."),
            ("It holds the right answer", False, "The answer is in the last action already."),
        ),
    ),
    teach.Question(
        "What is the stop of a ReAct call for?",
        (
            ("It ends the run", False, "A run ends with Finish, or at the step limit."),
            ("It shortens the prompt", False, "It cuts what the model writes, not what it reads."),
            ("The world should write next", True, "Else the model makes up its own observation."),
        ),
    ),
    teach.Question(
        "A Chain-of-Thought run states, quite surely, what is on no page. The paper calls this:",
        (
            ("Hallucination", True, "A made-up fact: 56% of CoT's failures that the authors read."),
            ("Search result error", False, "CoT never searches, so no search can fail it."),
            ("Label ambiguity", False, "There the answer is right, only worded unlike the label."),
        ),
    ),
    teach.Question(
        "A chat model says: It was the University of Cincinnati. How does exact match take it?",
        (
            ("It counts as right", False, "To a reader it is. Exact match compares whole answers."),
            ("It counts as wrong", True, "So the manner of asking decides a part of the score."),
            ("It counts in part", False, "F1 does so. Exact match is all or nothing."),
        ),
    ),
)
