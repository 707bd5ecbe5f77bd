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
from ..types import Ask, Model, Trajectory, normalise
from .evidence import CLOSED, claims, sentences, support, words
from .modes import grade, guideline, offered, searches

__all__ = ["Suggestion", "suggest"]

NOTHING = ("could not find", "no more results", "invalid action")
NAME = re.compile(r"[^\W\d_a-z][\w'-]*(?: (?:of |the |and |de )*[^\W\d_a-z][\w'-]*)*")
NEAR = 0.6  # an F1 from which two answers are likely the same one, in other words


class Suggestion(NamedTuple):
    mode: str
    reason: str
    by: str = "rules"


def suggest(
    run: Trajectory, *, pages: Pages | None = None, judge: Model | None = None
) -> Suggestion | None:
    """The mode that rules suggest for a run, or that a judge model does; None without a grade.

    pages: where thoughts without acts are compared with facts (None: the bundled encyclopedia).
    """
    if judge is not None:
        return judged(run, judge)
    found = {"success": of_success, "failure": of_failure}.get(grade(run) or "")
    return next(found(run, pages or bundled())) if found else None


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
    if all(map(empty, seen)):
        yield Suggestion("search result error", "no search and no look-up brought anything")
    answer = normalise(run.answer or "")
    if answer in CLOSED and (made_up := unsupported(run, pages)):  # a verdict stands on no page
        yield Suggestion("hallucination", f"nothing read says: {made_up}")
    if answer and answer not in CLOSED and answer not in normalise(" ".join(seen)):
        yield Suggestion("hallucination", "the answer stands in nothing that was read")


def other_words(run: Trajectory) -> str | None:
    """Is the wrong answer right in other words? By F1, or by the task's own list."""
    answer, gold = run.answer or "", run.task.gold or ""
    if any(score.exact_match(answer, str(also)) for also in run.task.extra.get("accepted", ())):
        return "the answer is on the task's list of other wordings"
    near = score.f1(answer, gold)
    return f"it is worded much like the gold answer (F1 {near:.2f})" if near >= NEAR else None


def in_circles(run: Trajectory) -> str | None:
    """A look-up that comes again and shows its next result goes on; all else that comes again
    goes in circles."""
    rounds = Counter((s.action.lower(), s.observation) for s in run.steps if s.action)
    times = max(rounds.values(), default=0)
    if times > 1 or run.end == "repeated":
        return f"the same action comes {times} times and shows the same"
    if run.end == "step_limit" and not all(map(empty, observed(run))):
        return "it used up its steps without an answer"
    return None


def observed(run: Trajectory) -> list[str]:
    return [step.observation for step in run.steps if step.observation]


def empty(seen: str) -> bool:
    return seen.lower().startswith(NOTHING)


def unsupported(run: Trajectory, pages: Pages) -> str:
    """Names and numbers in thoughts that nothing read (without acts: no page named) holds."""
    if searches(run):
        found = {word for i in range(1, len(run.steps) + 1) for word in support(run, i).missing}
    else:
        said = " ".join(step.thought or "" for step in run.steps)
        found = claims(said) - words(" ".join([run.task.text, *about(said, pages)]))
    return ", ".join(sorted(found))


def about(said: str, pages: Pages) -> Iterator[str]:
    """The pages of everything that is named in a text: runs of capitalised words."""
    for sentence in sentences(said):
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
    told = "\n\n".join(f"{mode}: {guideline().modes[mode]}" for mode in modes)
    steps = "\n".join(
        f"{part.capitalize()} {i}: {text}"
        for i, step in enumerate(run.steps, 1)
        for part in ("thought", "action", "observation")
        if (text := getattr(step, part)) is not None
    )
    return (
        f"A program answered a question. Say which of these modes its run shows.\n\n{told}\n\n"
        f"Question: {run.task.text}\n{steps}\nAnswer: {run.answer}\nGold answer: {run.task.gold}\n"
        f"Grade by exact match: {grade(run)}\n\n"
        f"One of {', '.join(modes)}; then a colon and the reason in one sentence.\nMode:"
    )
