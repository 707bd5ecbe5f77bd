"""A shopping run as a labeller needs it: what its thoughts say that stands on no page, and rules.

A thought is checked by what can be checked word for word: codes of products, prices, sizes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..analysis.shop import CAUSES, account
from ..asked import world_of
from ..envs.shop.world import INVALID
from ..kinds import kind_of
from ..types import EnvError, Trajectory
from .evidence import Piece, Support, cut, lower

__all__ = ["ShopEvidence", "rules_of"]

CHECKED = re.compile(r"\bb[0-9a-z]{9}\b|(?<![\w.])\d+(?:\.\d+)?(?![\w.])|(?<![\w.])\d+\.\d+")
MODE_OF = {  # what a purchase lacked, as a mode: could it have been bought from what it saw?
    "no purchase": "reasoning error",
    "too dear": "reasoning error",
    "option passed by": "reasoning error",
    "wrong kind": "search result error",
    "no such option": "search result error",
    "attribute": "search result error",
}


class ShopEvidence:
    """What each thought names that stood on no page before, and which acts could not be done."""

    def __init__(self, run: Trajectory) -> None:
        self.steps = run.steps
        known = set(CHECKED.findall(lower(run.task.text)))
        self.supports = []
        for step in run.steps:
            named = set(CHECKED.findall(lower(step.thought or "")))
            self.supports.append(Support(None, tuple(sorted(named - known))))
            known.update(CHECKED.findall(lower(f"{step.action or ''} {step.observation or ''}")))

    def pieces(self, answers: Sequence[str] = ()) -> Iterator[list[Piece]]:
        """Each step's observation; an act that could not be done is marked."""
        for step in self.steps:
            text = step.observation or ""
            yield list(cut(text, {"nothing": [(0, len(text))] if text == INVALID else []}))

    @property
    def first_unseen(self) -> tuple[int, str]:
        """The first step whose thought names what stood on no page; (0, "") for none."""
        found = ((i, ", ".join(s.missing)) for i, s in enumerate(self.supports, 1) if s.missing)
        return next(found, (0, ""))


def rules_of(run: Trajectory, grade: str) -> Iterator[tuple[str, str]]:
    """Modes with their reasons, in the order of the rules: the first one is the suggestion."""
    at, unseen = ShopEvidence(run).first_unseen
    if grade == "success":
        if at:
            yield (
                "false positive",
                f"it earned all, and a thought names what was not seen: {unseen}",
            )
        yield "true positive", "it earned all, and no thought names what was not seen"
        return
    if at:
        yield "hallucination", f"the thought of step {at} names what was not seen: {unseen}"
    cause = cause_of(run)
    if cause in MODE_OF:
        yield MODE_OF[cause], CAUSES[cause]
    yield "reasoning error", "nothing in sight kept it from buying the right thing"


def cause_of(run: Trajectory) -> str:
    """What the purchase lacked; "" where the run's shop is not here."""
    kind = kind_of(run.task.kind)
    try:
        return account(run, world_of(kind)).cause or ""
    except (EnvError, ValueError):
        return ""
