"""What a labeller shows: the run in sight, the counts, and nothing that is still hidden.

Every text is made visible (`display.visible`): no control character, no lone surrogate goes out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..characters import visible
from ..kinds import kind_of
from ..methods import METHODS
from .evidence import Evidence
from .modes import FAILURE, SUCCESS, grade, guideline
from .results import first_wrong, per_hour, shares
from .session import Session

__all__ = ["fixed", "picture", "run_in_sight"]


def fixed(session: Session) -> dict[str, Any]:
    """What stays the same while labelling: sent once."""
    guide = guideline()
    return {
        "modes": [
            {"name": mode, "group": group, "means": guide.modes[mode]}
            for group, modes in (("success", SUCCESS), ("failure", FAILURE))
            for mode in modes
        ],
        "version": guide.version,
        "by": visible(session.file.by),
        "file": visible(session.file.path.name),
        "kind": session.kind,
        "patience": 1400,  # ms without an answer, after which the kernel is said to be gone
    }  # fmt: skip


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
    return {
        "asked": kind_of(run.task.kind).opener,
        "question": visible(run.task.text),
        "parts": list(parts(session)),
        "steps": len(run.steps),
        "answer": shown(run.answer, "no answer"),
        "end": run.end,
        "facts": [] if session.hidden else facts(session),
    }


def facts(session: Session) -> list[list[str]]:
    """What stays hidden until the run is judged."""
    run = session.run
    graded = {"success": "right", "failure": "wrong"}.get(grade(run) or "", "not graded")
    values = {
        "Gold answer": run.task.gold,
        "Exact match": graded,
        "Method": run.method,
        "Model": run.model,
    }
    return [[name, shown(value, "none")] for name, value in values.items()]


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


def part(i: int, name: str, cut: list[Any], missing: tuple[str, ...] = ()) -> dict[str, Any]:
    texts = [[visible(text), kind] for text, kind in cut]
    absent = visible(", ".join(missing))
    return {"step": i, "name": name, "pieces": texts, "missing": absent}


def others(session: Session) -> Iterator[list[str]]:
    """To adjudicate: what the annotators said, with their notes."""
    for by, mark in session.differ.get((session.run.id, session.key[2]), {}).items():
        step = f", first wrong at step {mark.step}" if mark.step else ""
        yield [visible(by), f"{mark.label}{step}", visible(mark.note)]


def results(session: Session) -> dict[str, Any]:
    """Table 2 from the labels so far, where it first goes wrong, and how fast it goes."""
    marks = session.labelled
    table = [
        [METHODS[s.method].title, s.mode, s.right, s.n, round(s.low, 3), round(s.high, 3), s.paper]
        for s in shares(marks)
    ]
    speed = per_hour(marks)
    wrong = [list(pair) for pair in first_wrong(marks).items()]
    return {"table": table, "wrong": wrong, "per_hour": round(speed) if speed else None}


def shown(text: str | None, instead: str) -> str:
    return instead if text is None else visible(text)
