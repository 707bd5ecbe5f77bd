"""Lesson 02, the loop by hand: its scenes, its bench, its exercises, its questions.

A model speaks in the notebook, recorded. What a person wrote is here: the replies of the bench and
the thought that mends a run. The observations are real: the bundled world makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .. import display, envs, teach
from ..layouts import Numbered
from ..types import Task
from . import question, words

TASKS = {
    "good": "multihop-dev-083",  # the tuned model finds the answer
    "invented": "multihop-dev-083",  # the plain model, not stopped, makes an observation up
    "repeats": "multihop-dev-078",  # the same act, and the same observation, to the end
    "limit": "multihop-pool-0787",  # seven steps and no answer
    "mended": "multihop-pool-0560",  # wrong, and right after the edit below
}
AT = 3  # the first wrong step of that run, and what a person says there instead
THOUGHT = (
    "The composer of the Puccini La bohème was Giacomo Puccini. "
    "Next I need the year in which Giacomo Puccini died."
)
ACTION = "Search[Giacomo Puccini]"
WILD = {  # kinds of replies that users of such loops report; hand-written
    "a forged observation": " I need the city where Marie Curie was born."
    "\nAction 1: Search[Marie Curie]"
    "\nObservation 1: Marie Curie was a French physicist. She was born in Paris."
    "\nThought 2: So the city is Paris, and kings lie there.\nAction 2: Finish[Louis XIV]",
    "several steps in one reply": " First Warsaw, then the heart.\nAction 1: Search[Warsaw]"
    "\nThought 2: Now the heart.\nAction 2: Lookup[heart]",
    "brackets in brackets": " I look for the note.\nAction 1: Search[Foo [bar]]",
    "a code fence": "```\nThought 1: I need Warsaw.\nAction 1: Search[Warsaw]\n```",
    "an empty act": " I need Warsaw.\nAction 1:",
    "an echo of the instruction": " I know it.\nAction 1: Finish[answer]",
}


def task(name: str) -> Task:
    """The question of a scene."""
    return question(TASKS[name])


def reading(reply: str) -> display.Page:
    """What the parser makes of a reply to the cue `Thought 1:`."""
    step = Numbered().read(reply, 1)
    notes = (
        display.note("Thought", step.thought or "(none)", "thought"),
        display.note("Action", step.action or "(none)", "action"),
        display.note("Repairs", ", ".join(step.repairs) or "(none)"),
    )
    return display.together(notes)


def bench() -> teach.Interactive:
    """Write a reply, or choose one, and see at once how it is read."""
    import ipywidgets

    first = next(iter(WILD.values()))
    ready = ipywidgets.Dropdown(options=WILD, description="Start from", layout={"width": "24em"})
    written = ipywidgets.Textarea(value=first, rows=6, layout={"width": "98%"})
    shown = ipywidgets.HTML(reading(first).html)

    def draw(_: Any) -> None:
        shown.value = reading(written.value).html

    ipywidgets.dlink((ready, "value"), (written, "value"))
    written.observe(draw, names="value")
    asked = display.note("The model's reply, after the cue Thought 1:", first)
    twin = display.Page(asked.html + reading(first).html, f"{asked.text}\n{reading(first).text}")
    return teach.Interactive(ipywidgets.VBox([ready, written, shown]), twin)


class Miscounted(Exception):
    """The cue of a student's loop has another number than the step."""


def trial(play: Callable[..., Any], limit: int, finish_at: int | None) -> str | None:
    """One game against a model that goes on for ever, or finishes at a step."""
    prompts: list[str] = []

    def say(prompt: str) -> str:
        prompts.append(prompt)
        cue = prompt.rpartition("\n")[2]
        if cue != f"Thought {len(prompts)}:":
            raise Miscounted(
                f"call {len(prompts)} ended with {cue!r}, not 'Thought {len(prompts)}:'"
            )
        if len(prompts) > limit + 20:
            raise RecursionError(f"no end in sight after {len(prompts)} calls")
        act = "Finish[yes]" if len(prompts) == finish_at else "Search[Warsaw]"
        return f" I go on.\nAction {len(prompts)}: {act}"

    how = f"finishes at step {finish_at}" if finish_at else "never finishes"
    given = f"With max_steps={limit} and a model that {how}"
    calls, expected = finish_at or limit, "yes" if finish_at else None
    try:
        answer = play("Question: Is it?\n", say, envs.Wiki()(Task("", "multihop", "")), limit)
    except Miscounted as fault:
        return f"{given}, {fault}. The first step is number 1, and each further one is one more."
    except Exception as fault:  # noqa: BLE001 (a student's function may raise anything)
        return f"{given}, {teach.raised(fault)}"
    if answer is ...:
        return teach.UNDONE
    faults = (
        (len(prompts) != calls, f"it asked {len(prompts)} times, not {calls}"),
        (answer != expected, f"it gave {teach.short(answer)}, not {expected!r}"),
        (not grown(prompts), "a prompt lacks an earlier observation: the text grows"),
    )
    return next((f"{given}, {words}." for wrong, words in faults if wrong), None)


def grown(prompts: list[str]) -> bool:
    """Whether the last prompt holds all observations."""
    return all(f"Observation {i}: Warsaw" in prompts[-1] for i in range(1, len(prompts)))


def limited(play: Any) -> str | None:
    """The check of 2.3: count the calls of a model that never finishes."""
    if not callable(play):
        return "This exercise asks for a function."
    games = ((3, None), (1, None), (7, None), (5, 2), (3, 3))
    return next(filter(None, (trial(play, *game) for game in games)), None)


def lesson() -> teach.Lesson:
    """The exercises and questions of notebook 02, with nothing done yet."""
    return words.lesson_of("02", CHECKS)


CHECKS: Mapping[str, teach.Check] = {
    "2.1": teach.cases(
        (
            (" a\nAction 1: Search[Warsaw]\nObservation 1: A city.\nThought 2: b", 1),
            " a\nAction 1: Search[Warsaw]",
        ),
        ((" a\nAction 12: Lookup[heart]\nObservation 12:", 12), " a\nAction 12: Lookup[heart]"),
        ((" a\nAction 1: Search[Warsaw]", 1), " a\nAction 1: Search[Warsaw]"),
        (
            (" The line Observation 2: is yours.\nAction 2: Finish[yes]", 2),
            " The line Observation 2: is yours.\nAction 2: Finish[yes]",
        ),
        (
            (" a\nAction 3: Finish[yes]\n\nQuestion: Who?\nObservation 3: b", 3),
            " a\nAction 3: Finish[yes]",
        ),
    ),
    "2.2": teach.cases(
        (("Search[Warsaw]",), ("Search", "Warsaw")),
        (("Search[Foo [bar]]",), ("Search", "Foo [bar]")),
        (("Finish[yes] and then Lookup[heart]",), ("Finish", "yes")),
        (("Search[a [b] c [d]] so [e]",), ("Search", "a [b] c [d]")),
        ((" Lookup[heart]",), ("Lookup", "heart")),
        (("I do not know.",), None),
        (("Search[Warsaw",), None),
    ),
    "2.3": limited,
    "2.4": teach.cases(
        (([],), False),
        (([("Search[Perth]", "none"), ("Search[Perth]", "none")],), True),
        (([("Lookup[sea]", "(Result 1 / 2)"), ("Lookup[sea]", "(Result 2 / 2)")],), False),
        (([("A", "1"), ("B", "2"), ("A", "1"), ("B", "2")],), True),
        (([("X", "0"), ("A", "1"), ("B", "2"), ("A", "1"), ("B", "2")],), True),
        (([("A", "1"), ("B", "2"), ("A", "1")],), False),
        (([("A", "1"), ("A", "1"), ("B", "2")],), False),
    ),
}
