"""Lesson 02: the loop by hand. The thought that mends a run is a person's, all else is recorded."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import react_lab as rl

from ..languages import say
from ..types import Task
from . import question, words

TASKS = {
    "good": "multihop-dev-320",  # the tuned model finds the answer
    "invented": "multihop-dev-320",  # the plain model, not stopped, makes an observation up
    "repeats": "multihop-dev-326",  # the same act, and the same observation, to the end
    "mended": "multihop-dev-379",  # wrong, and right after this thought in step 2
}
THOUGHT = (
    'Who was the architect of Vaux-le-Vicomte? I can read it: "employed Louis Le Vau as '
    'architect". That gives Louis Le Vau. Now I ask: Who took over the work of Louis Le Vau when '
    "he died?"
)


def task(name: str) -> Task:
    return question(TASKS[name])


def play(text: str, say: Callable[[str], str], world: Any, max_steps: int) -> str | None:
    """Think, act, observe, until Finish."""
    for i in range(1, max_steps + 1):
        said = say(text + f"Thought {i}:").partition(f"\nObservation {i}:")[0]
        name, argument = said.partition(f"Action {i}: ")[2].rstrip("]\n").split("[", 1)
        if name == "Finish":
            return argument
        seen = world.search(argument) if name == "Search" else world.lookup(argument)
        text += f"Thought {i}:{said}\nObservation {i}: {seen.text}\n"
    return None


# ---------------------------------------------------------------------- what is wrong, if anything


class Miscounted(Exception):
    """The cue of a student's loop has another number than the step."""


def check_loop(play: Any) -> str | None:
    """Count the calls of models that never finish, and of some that do."""
    if not callable(play):
        return say("teach.asks_for_a_function")
    games = ((3, None), (1, None), (7, None), (5, 2), (3, 3))
    return next(filter(None, (trial(play, *game) for game in games)), None)


def trial(play: Callable[..., Any], limit: int, finish_at: int | None) -> str | None:
    """One game against a model that goes on for ever, or finishes at a step."""
    prompts: list[str] = []

    def say(prompt: str) -> str:
        prompts.append(prompt)
        cue = prompt.rpartition("\n")[2]
        if cue != f"Thought {len(prompts)}:":
            raise Miscounted(words.said("02", "miscounted", i=len(prompts), cue=repr(cue)))
        if len(prompts) > limit + 20:
            raise RecursionError(words.said("02", "no_end", i=len(prompts)))
        act = "Finish[yes]" if len(prompts) == finish_at else "Search[Warsaw]"
        made_up = f"\nObservation {len(prompts)}: It is in France."
        return f" I go on.\nAction {len(prompts)}: {act}{made_up}"

    game = "finishes" if finish_at else "never_finishes"
    given = partial(words.said, "02", game, limit=limit, at=finish_at)
    calls, expected = finish_at or limit, "yes" if finish_at else None
    try:
        answer = play("Question: Is it?\n", say, rl.envs.Wiki()(Task("", "multihop", "")), limit)
    except Miscounted as fault:
        return given(fault=fault)
    except Exception as fault:  # noqa: BLE001 (a student's function may raise anything)
        return given(fault=rl.teach.raised(fault))
    if answer is ...:
        return rl.teach.UNDONE
    real = all(f"Observation {i}: Warsaw" in prompts[-1] for i in range(1, len(prompts)))
    faults = {
        "calls": len(prompts) != calls,
        "answer": answer != expected,
        "made_up": "in France" in "".join(prompts[-1:]),  # there may be none
        "lacks": not real,
    }
    known = {"i": len(prompts), "calls": calls, "got": rl.teach.short(answer)}
    for key, is_so in faults.items():
        if is_so:
            return given(fault=words.said("02", key, **known, expected=repr(expected)))
    return None


lesson = partial(words.lesson_of, "02", {"2.1": check_loop})
