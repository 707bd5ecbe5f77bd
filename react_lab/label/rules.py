"""A mode suggested by rules, each with its reason. Shown only after a person's own label.

How often rules and people agree is a number (`agreement`), not a promise.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from .. import score
from ..envs.pages import Pages, bundled
from ..kinds import kind_of
from ..types import Ask, Model, Trajectory, normalise
from . import games, shopping
from .evidence import Evidence, claims, is_closed, sentences, words
from .modes import grade, guideline, is_game, offered, searches, verdict

__all__ = ["Suggestion", "suggest"]

NAME = re.compile(r"[^\W\d_a-z][\w'-]*(?: (?:of |the |and |de )*[^\W\d_a-z][\w'-]*)*")
NEAR = 0.6  # an F1 from which two answers are likely the same one, in other words


class Suggestion(NamedTuple):
    """A mode that somebody or something suggests, and why."""

    mode: str
    reason: str
    by: str = "rules"


def suggest(
    run: Trajectory, *, pages: Pages | None = None, judge: Model | None = None
) -> Suggestion | None:
    """The mode that rules suggest for a run, or that a judge model does; None without a grade.

    pages: where thoughts without acts are compared with facts (None: the bundled encyclopedia).
    judge: a model that is asked with the guideline and the whole run instead.
    """
    if judge is not None:
        return judged(run, judge)
    graded = grade(run)
    if graded and is_game(run):
        modes, of = offered(run), shopping if run.task.kind == "shop" else games
        found = (Suggestion(*rule) for rule in of.rules_of(run, graded) if rule[0] in modes)
        return next(found)
    rules = {"success": of_success, "failure": of_failure}.get(graded or "")
    return next(rules(run, pages or bundled())) if rules else None


def of_success(run: Trajectory, pages: Pages) -> Iterator[Suggestion]:
    if made_up := unsupported(run, pages):
        yield Suggestion(
            "false positive",
            f"the answer is right, and nothing read says: {made_up}",
        )
    yield Suggestion("true positive", "the answer is right, and no thought lacks support")


def of_failure(run: Trajectory, pages: Pages) -> Iterator[Suggestion]:
    """The rules in their order; the first that fits is the suggestion."""
    if reason := other_words(run):
        yield Suggestion("label ambiguity", reason)
    if reason := in_circles(run):
        yield Suggestion("reasoning error", reason)
    if searches(run):
        yield from of_search(run, pages)
    elif made_up := unsupported(run, pages):
        yield Suggestion("hallucination", f"the encyclopedia does not say: {made_up}")
    yield Suggestion("reasoning error", "the facts seem to be there, and the answer is wrong")


def of_search(run: Trajectory, pages: Pages) -> Iterator[Suggestion]:
    seen = observed(run)
    if nothing_found(run):
        yield Suggestion("search result error", "no search and no look-up brought anything")
    answer = normalise(run.answer or "")
    closed = is_closed(answer)
    if closed and (made_up := unsupported(run, pages)):
        yield Suggestion("hallucination", f"nothing read says: {made_up}")
    if answer and not closed and answer not in normalise(" ".join(seen)):
        yield Suggestion("hallucination", "the answer stands in nothing that was read")


def other_words(run: Trajectory) -> str | None:
    """Is the wrong answer right in other words? By F1, or by the task's own list."""
    answer, gold = run.answer or "", run.task.gold or ""
    if score.accepted(run):
        return "the answer is on the task's list of other wordings"
    near = score.f1(answer, gold)
    return f"it is worded much like the gold answer (F1 {near:.2f})" if near >= NEAR else None


def in_circles(run: Trajectory) -> str | None:
    """Did an action come again and show the same? A look-up that shows its next result goes on."""
    rounds = Counter((s.action.lower(), s.observation) for s in run.steps if s.action)
    times = max(rounds.values(), default=0)
    if times > 1 or run.end == "repeated":
        return f"the same action comes {times} times and shows the same"
    if run.end == "step_limit" and not nothing_found(run):
        return "it used up its steps without an answer"
    return None


def observed(run: Trajectory) -> list[str]:
    return [step.observation for step in run.steps if step.action and step.observation]


def nothing_found(run: Trajectory) -> bool:
    """Did no act bring anything?"""
    empty = tuple(words.lower() for words in kind_of(run.task.kind).empty)
    return all(seen.lower().startswith(empty) for seen in observed(run))


def unsupported(run: Trajectory, pages: Pages) -> str:
    """Names and numbers in thoughts that nothing read (without acts: no page named) holds."""
    if searches(run):
        found = {word for support in Evidence(run).supports for word in support.missing}
    else:
        thoughts = " ".join(step.thought or "" for step in run.steps)
        found = claims(thoughts) - words(" ".join([run.task.text, *about(thoughts, pages)]))
    return ", ".join(sorted(found))


def about(text: str, pages: Pages) -> Iterator[str]:
    """The pages of everything that is named in a text: runs of capitalised words."""
    for sentence in sentences(text):
        for name in NAME.findall(sentence):
            yield name  # a page's own title is no claim
            yield pages.get(name.removesuffix("'s")) or ""


# ---------------------------------------------------------------------- a model as the judge


def judged(run: Trajectory, judge: Model) -> Suggestion | None:
    """A model asked with the guideline and the whole run. It reads hostile text: only a mode that
    is offered is taken from its reply, and nothing else."""
    modes = offered(run)
    ask = Ask(question(run, modes), ("\n\n",), max_tokens=120, leg="judge")
    reply = judge.complete(ask)[0].text
    found = re.search("|".join(map(re.escape, modes)), reply, re.I)
    if found is None:
        return None
    reason = " ".join(reply[found.end() :].split()).lstrip(".:,- ")
    return Suggestion(found[0].lower(), reason or "no reason given", judge.name)


def question(run: Trajectory, modes: tuple[str, ...]) -> str:
    meant = guideline(run.task.kind).modes
    meanings = "\n\n".join(f"{mode}: {meant[mode]}" for mode in modes)
    outcome = f"Answer: {run.answer}\nGold answer: {run.task.gold}\nGrade: {grade(run)}"
    if is_game(run):
        outcome = f"Ended: {run.end}\nThe game says: {verdict(run) or 'nothing'}"
    began = f"{text}\n" if is_game(run) and (text := games.opening(run)) else ""
    steps = "\n".join(
        f"{part.capitalize()} {i}: {text}"
        for i, step in enumerate(run.steps, 1)
        for part in ("thought", "action", "observation")
        if (text := getattr(step, part)) is not None
    )
    return (
        f"A program worked on a task. Say which of these modes its run shows.\n\n{meanings}\n\n"
        f"{kind_of(run.task.kind).opener}: {run.task.text}\n{began}{steps}\n{outcome}\n\n"
        f"One of {', '.join(modes)}; then a colon and the reason in one sentence.\nMode:"
    )
