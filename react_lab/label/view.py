"""What a labeller shows: the run in sight, the counts, and nothing that is still hidden.

Every text is made visible (`display.visible`): no control character, no lone surrogate goes out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..kinds import KINDS, kind_of
from ..languages import say, word
from ..methods import METHODS
from ..support.text import visible
from ..types import Trajectory
from .modes import (
    FAILURE,
    MODES,
    QUESTIONS,
    SUCCESS,
    grader,
    guideline,
    is_game,
    verdict_words,
)
from .results import by_kind, caption, first_wrong, per_hour, shares
from .rules import Evidence, GameEvidence, ShopEvidence, opening
from .session import Session

__all__ = ["fixed", "picture", "run_in_sight"]


def fixed(session: Session) -> dict[str, Any]:
    """What stays the same while labelling: sent once."""
    return {
        "modes": [
            {"name": mode, "group": group}
            for group, modes in (("success", SUCCESS), ("failure", FAILURE))
            for mode in modes
        ],
        "guides": {kind: meanings(kind) for kind in ("", *own_guides())},
        "version": guideline().version,
        "by": visible(session.file.by),
        "file": visible(session.file.path.name),
        "kind": session.kind,
        "patience": 1400,  # ms without an answer, after which the kernel is said to be gone
    }  # fmt: skip


def own_guides() -> list[str]:
    """The kinds of task that the guideline has a part of its own for."""
    return [kind for kind in KINDS if guideline(kind).words]


def meanings(kind: str) -> list[list[str]]:
    """Each mode's meaning for a kind of task: in a few words (of questions none), and in full."""
    guide = guideline(kind or QUESTIONS)
    return [[guide.words.get(mode, ""), guide.modes[mode]] for mode in MODES]


def picture(session: Session) -> dict[str, Any]:
    """The counts, and what stands about the run in sight: what a key may change."""
    counts = {
        "number": 0,
        "of": len(session.order),
        "done": len(session.labelled),
        "deferred": sum(m.deferred for m in session.ledger.marks.values()),
        "undo": bool(session.ledger.done),
        "redo": bool(session.ledger.undone),
        "said": session.said,
        "last": session.last,
        "query": visible(session.query),
        "score": list(session.score),
        **results(session),
    }
    return counts | mark_in_sight(session) if session.order else counts


def mark_in_sight(session: Session) -> dict[str, Any]:
    mark = session.mark
    return {
        "number": session.at + 1,
        "hidden": session.hidden,
        "offered": list(session.modes),
        "overriding": session.overriding,
        "label": mark.label if mark else None,
        "sound": mark.sound if mark else None,
        "step": (mark.step if mark else None) or 0,
        "note": visible(mark.note) if mark else "",
        "put_off": bool(mark and mark.deferred),
        "others": list(others(session)),
    }


def run_in_sight(session: Session) -> dict[str, Any]:
    """What there is to read. Gold, method, model and grade only when they may be seen."""
    if not session.order:
        return {}
    run = session.run
    game = is_game(run)
    return {
        "asked": kind_of(run.task.kind).opener,
        "question": visible(run.task.text),
        "guide": run.task.kind if run.task.kind in own_guides() else "",
        "opening": visible(opening(run)) if game else "",
        "game": game,
        "parts": list(parts_of_game(run) if game else parts(session)),
        "steps": len(run.steps),
        "answer": "" if game else shown(run.answer, say("show.no_answer")),
        "end": "" if game and session.hidden else run.end,  # how a game ends says who won
        "facts": [] if session.hidden else facts(session),
    }


def facts(session: Session) -> list[list[str]]:
    """What stays hidden until the run is judged."""
    run = session.run
    graded, reward = (
        verdict_words(run) or say("label.not_graded"),
        None if run.reward is None else f"{run.reward:g}",
    )
    values = {say("show.reward"): reward} if is_game(run) else {say("label.gold"): run.task.gold}
    values |= {grader(run): graded, say("show.method"): run.method, say("show.model"): run.model}
    return [[name, shown(value, say("show.none"))] for name, value in values.items()]


def parts(session: Session) -> Iterator[dict[str, Any]]:
    """Every thought, action, observation, in pieces; the pieces of interest are named."""
    run = session.run
    answers = [run.answer or ""] + ([] if session.hidden else [run.task.gold or ""])
    found = Evidence(run)
    cuts = zip(run.steps, found.supports, found.pieces(answers), strict=True)
    for i, (step, support, observation) in enumerate(cuts, 1):
        if step.thought is not None:
            yield part(i, "thought", [(step.thought, "")], support.missing)
        if step.action is not None:
            yield part(i, "action", [(step.action, "")])
        if step.thought is None and step.action is None:
            yield part(i, "unreadable text", [(step.raw or "", "")])
        if step.observation:
            yield part(i, "observation", observation)


def parts_of_game(run: Trajectory) -> Iterator[dict[str, Any]]:
    """A thought stands alone with its `OK.`; of an act and what came of it two parts."""
    found = ShopEvidence(run) if run.task.kind == "shop" else GameEvidence(run)
    cuts = zip(run.steps, found.supports, found.pieces(), strict=True)
    for i, (step, support, observation) in enumerate(cuts, 1):
        alone = step.action is None and step.thought is not None and step.observation == "OK."
        if step.thought is not None:
            okay = [("\nOK.", "ok")] if alone else []
            yield part(i, "thought", [(step.thought, ""), *okay], support.missing)
        if step.action is not None:
            yield part(i, "action", [(step.action, "")])
        if step.thought is None and step.action is None:
            yield part(i, "unreadable text", [(step.raw or "", "")])
        if step.observation and not alone:
            yield part(i, "observation", observation)


def part(i: int, name: str, cut: list[Any], missing: tuple[str, ...] = ()) -> dict[str, Any]:
    texts = [[visible(text), kind] for text, kind in cut]
    absent = visible(", ".join(missing))
    return {"step": i, "name": name, "pieces": texts, "missing": absent}


def others(session: Session) -> Iterator[list[str]]:
    """To adjudicate: what the annotators said, with their notes."""
    for by, mark in session.differ.get((session.run.id, session.key[2]), {}).items():
        label = word("modes", mark.label or "")
        words = say("label.from_step", label=label, i=mark.step) if mark.step else label
        yield [visible(by), words, visible(mark.note)]


def results(session: Session) -> dict[str, Any]:
    """Table 2 from the labels so far, where it first goes wrong, and how fast it goes."""
    groups = by_kind(session.labelled) or {QUESTIONS: []}
    tables = [
        {
            "name": visible(caption(kind, groups)).replace("Table 2", say("label.table_2"), 1),
            "rows": [
                [METHODS[s.method].title, s.mode, s.right, s.n, round(s.low, 3), round(s.high, 3),
                 s.paper]
                for s in shares(marks, kind)
            ],
            "wrong": [list(pair) for pair in first_wrong(marks).items()],
        }
        for kind, marks in groups.items()
    ]  # fmt: skip
    speed = per_hour(session.labelled)
    return {"tables": tables, "per_hour": round(speed) if speed else None}


def shown(text: str | None, instead: str) -> str:
    return instead if text is None else visible(text)
