"""A game as a labeller needs it: how it began, what its thoughts name unseen, what rules say of it.

There is no page and no gold answer: a game is won, or it is not, and a thought is true if what it
names had been seen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ..analysis.household import Goal, read_task
from ..asked import world_of
from ..envs.household.things import FITS, TRAITS
from ..kinds import kind_of
from ..types import EnvError, Step, Trajectory
from .evidence import Piece, Support, cut, lower, sentences

__all__ = ["GameEvidence", "goal_of", "opening", "rules_of"]

NAME = re.compile(r"\b([a-z]+) (\d+)\b")  # drawer 3
EXPECTS = re.compile(r"\b(may|might|could|likely|maybe|perhaps|if|whether|possibly|or)\b")
AGAIN = 3  # times that the same act may show the same: a player passes a place more than once


def opening(run: Trajectory) -> str:
    """How the game began, from its world made anew; "" where that world is not here."""
    kind = kind_of(run.task.kind)
    if not kind.world or not isinstance(kind.world, str):
        return ""
    try:
        text = world_of(kind)(run.task).reset(run.task)
    except EnvError:
        return ""
    before, task, after = text.partition("\nYour task is to: ")
    return before if task and after.strip() == run.task.text.strip() else ""


def goal_of(run: Trajectory) -> Goal | None:
    """What the task asks for; None of a task that is worded as none of ours is."""
    try:
        return read_task(f"Your task is to: {run.task.text}")
    except ValueError:
        return None


def names(text: str | None) -> list[tuple[str, str]]:
    """The things that a text names by kind and number: (drawer, 3)."""
    return NAME.findall(lower(text or ""))


class GameEvidence:
    """What each thought names that had not been seen, and where the wanted things came in sight."""

    def __init__(self, run: Trajectory) -> None:
        self.steps, self.goal, self.opening = run.steps, goal_of(run), opening(run)
        self.empty = tuple(words.lower() for words in kind_of(run.task.kind).empty)
        seen = {name for step in run.steps for name in names(step.observation)}
        checked = {*TRAITS, *FITS, *(kind for kind, _ in seen)}
        if not self.opening:  # then nobody knows which places there are
            checked -= FITS.keys()
        self.supports = list(self.supported(checked))

    def supported(self, checked: set[str]) -> Iterator[Support]:
        known = set(names(self.opening))
        for step in self.steps:
            named = [name for said in stated(step.thought) for name in names(said)]
            missing = {name for name in named if name[0] in checked and name not in known}
            yield Support(None, tuple(sorted(map(" ".join, missing))))
            known.update(names(step.action), names(step.observation))

    def pieces(self, answers: Sequence[str] = ()) -> Iterator[list[Piece]]:
        """Each step's observation in pieces: what the task is about, and where nothing came."""
        for step in self.steps:
            text = step.observation or ""
            named = NAME.finditer(lower(text))
            wanted = [found.span() for found in named if found[1] in self.wanted]
            nothing = [(0, len(text))] if self.failed(step) else []
            yield list(cut(text, {"wanted": wanted, "nothing": nothing}))

    @property
    def wanted(self) -> tuple[str, ...]:
        return (self.goal.object, self.goal.lamp) if self.goal else ()

    def failed(self, step: Step) -> bool:
        seen = lower(step.observation or "")
        return step.action is not None and bool(self.empty) and seen.startswith(self.empty)

    def first_seen(self, kind: str, many: int = 1) -> int:
        """The step at which the thing was first in sight (many: so many of them); 0 for never."""
        found = set[tuple[str, str]]()
        for i, step in enumerate(self.steps, 1):
            found.update(name for name in names(step.observation) if name[0] == kind)
            if len(found) >= many:
                return i
        return 0

    @property
    def first_unseen(self) -> tuple[int, str]:
        """The first step whose thought names what had not been seen, and what; (0, "") for none."""
        found = ((i, ", ".join(s.missing)) for i, s in enumerate(self.supports, 1) if s.missing)
        return next(found, (0, ""))

    @property
    def first_again(self) -> tuple[int, str]:
        """The first step whose act has shown the same too often, or failed twice on end."""
        rounds = Counter[tuple[str, str | None]]()
        last: Step | None = None
        for i, step in enumerate(self.steps, 1):
            if step.action is None:
                continue
            rounds[step.action, step.observation] += 1
            stuck = last is not None and last.action == step.action and self.failed(step)
            if stuck or rounds[step.action, step.observation] > AGAIN:
                return i, step.action
            last = step
        return 0, ""


def stated(thought: str | None) -> Iterator[str]:
    """The sentences that say how things are; what is only expected states nothing."""
    return (said for said in sentences(thought or "") if not EXPECTS.search(lower(said)))


# ---------------------------------------------------------------------- what rules say


def rules_of(run: Trajectory, grade: str) -> Iterator[tuple[str, str]]:
    """Modes with their reasons, in the order of the rules: the first one is the suggestion."""
    found = GameEvidence(run)
    at, unseen = found.first_unseen
    if grade == "success":
        if at:
            yield "false positive", f"it is won, and a thought names what was not seen: {unseen}"
        yield "true positive", "it is won, and no thought names what was not seen"
        return
    again, act = found.first_again
    if at and not 0 < again < at:
        yield "hallucination", f"the thought of step {at} names what was not seen: {unseen}"
    if again:
        yield "reasoning error", f"at step {again} it does again what led nowhere: {act}"
    if lacking := never_seen(found):
        yield "search result error", f"it never saw {lacking}"
    elif found.goal:
        seen = found.first_seen(found.goal.object)
        yield "reasoning error", f"it saw {found.goal.object} at step {seen}, and did not win"
    yield "reasoning error", "nothing in sight kept it from winning"


def never_seen(found: GameEvidence) -> str:
    """What the task needs and was never in sight."""
    goal = found.goal
    if goal is None:
        return ""
    if not found.first_seen(goal.object, goal.count):
        return f"a second {goal.object}" if found.first_seen(goal.object) else goal.object
    return goal.lamp if goal.lamp and not found.first_seen(goal.lamp) else ""
