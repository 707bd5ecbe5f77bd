"""What a labeller has to know of a run: its grade, how it began, of which kind its task is."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from .. import score, store
from ..kinds import kind_of, world_of
from ..languages import say, word
from ..support.text import inline
from ..types import EnvError, Trajectory

QUESTIONS = "multihop"  # what the labels are of that do not say it: once there were no others
TABLE_2 = ("react", "cot")  # the methods whose runs the paper labels
VERDICTS = {"success": ("right", "won"), "failure": ("wrong", "not won")}


def grade(run: Trajectory) -> str | None:
    """Success or failure, as `score` grades the run; None when nobody can tell."""
    right = score.correct(run)
    return None if right is None else "success" if right else "failure"


def verdict_words(run: Trajectory) -> tuple[str, str]:
    """Who graded a run, and the grade, in a reader's language; "" when nobody can tell."""
    game, graded = is_game(run), grade(run)
    who = say("label.the_game" if game else "label.exact_match")
    return who, word("label.verdicts", VERDICTS[graded][game]) if graded else ""


def tied(run: Trajectory) -> tuple[str, str]:
    """What ties a label to a run: its id, and a hash of what a reader sees."""
    return run.id, store.digest(run)


def searches(run: Trajectory) -> bool:
    """Did the run act on its world, or only answer?"""
    answer = f"{kind_of(run.task.kind).ends_with.lower()}["
    return any(not s.action.lower().startswith(answer) for s in run.steps if s.action)


def is_game(run: Trajectory) -> bool:
    """Does its world say when it is over, and whether it is won? Then there is no answer."""
    kind = kind_of(run.task.kind)
    return kind.grade == "reward" and not kind.ends_with


def opening(run: Trajectory) -> str:
    """How the game began, from its world made anew; "" where that world is not here."""
    kind = kind_of(run.task.kind)
    if kind.world and isinstance(kind.world, str):
        with suppress(EnvError):
            text = world_of(kind)(run.task).reset(run.task)
            before, task, after = text.partition("\nYour task is to: ")
            return before if task and after.strip() == run.task.text.strip() else ""
    return ""


def nouns(kinds: Iterable[str]) -> str:
    return " and ".join(inline(kind_of(kind).noun) for kind in sorted(kinds))


def methods_of(kind: str) -> tuple[str, ...]:
    """The methods whose runs are labelled: the two of Table 2; of games, all that play them."""
    legs = kind_of(kind).legs
    return TABLE_2 if set(TABLE_2) <= set(legs) else legs


def one_kind(kinds: Iterable[str], what: str, instead: str) -> str:
    """The kind that all of these are of; of several kinds nothing is counted together."""
    found = {kind or QUESTIONS for kind in kinds}
    if len(found) > 1:
        raise ValueError(f"{what} are of {nouns(found)}: {instead}")
    return next(iter(found), QUESTIONS)
