"""What a reader of the labelled set is shown, item by item, and how the answers are stored.

Both go through `label.Session`: what it hides is on no sheet, what it refuses is in no file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from react_lab import label
from react_lab.label.merging import ADJUDICATOR, RUNS, drawn, readers
from react_lab.label.session import picture, run_in_sight
from react_lab.types import Trajectory

__all__ = ["STAGES", "sheet", "take"]

STAGES = ("blind", "reveal", "adjudicate")


def desk(folder: Path, by: str, stage: str, runs: Sequence[Trajectory]) -> label.Session:
    """Where somebody labels: a reader blind, the adjudicator between the readers."""
    if by == RUNS or by != Path(by).name or (by == ADJUDICATOR) != (stage == "adjudicate"):
        sys.exit(f"{by!r} cannot {stage}: a reader has a plain name, {ADJUDICATOR!r} adjudicates")
    path, between = folder / f"{by}.jsonl", readers(folder) if stage == "adjudicate" else []
    if stage == "adjudicate" and len(between) < 2:
        sys.exit("Two readers are needed before anybody can adjudicate")
    return label.Session(runs, path, by, blind=True, between=between)


# ---------------------------------------------------------------------- sheets


def sheet(folder: Path, by: str, stage: str, part: str = "1/1") -> str:
    """What a reader sees at a stage, item by item; `label.Session` hides what is hidden there."""
    session = desk(folder, by, stage, drawn(folder).runs)  # a look writes nothing
    lines: list[str] = []
    k, n = map(int, part.split("/"))
    size = len(session.everything)
    for at in range((k - 1) * size // n, k * size // n):
        session.goto(at + 1)
        if session.hidden == (stage == "blind"):  # else judged already, or not judged yet
            lines += item(session.order[at] + 1, picture(session) | run_in_sight(session))
    return "\n".join([TASKS[stage], "", *lines])


TASKS = {
    "blind": 'Say of each item whether it is sound: {"item": 1, "sound": true, "first_wrong": null, '
    '"note": ""}. Unsound: "first_wrong" is the number of its first wrong step.',
    "reveal": 'Choose of each item the mode of the first thing that went wrong: {"item": 1, "mode": '
    '"reasoning error", "note": ""}. A mode that is not offered takes "override": true and a note.',
    "adjudicate": 'Two readers differ on each item. Decide, and say why: {"item": 1, "mode": '
    '"reasoning error", "note": "...", "first_wrong": 2}.',
}  # fmt: skip


def item(number: int, view: Mapping[str, Any]) -> Iterator[str]:
    yield f"## Item {number}\n"
    yield line(view["asked"], view["question"])
    seen: dict[str, int] = {}
    for part in view["parts"]:
        text, i = "".join(text for text, _ in part["pieces"]), part["step"]
        if part["name"] == "observation" and seen.setdefault(text, i) != i:
            text = f"(the same as Observation {seen[text]})"
        yield line(f"{part['name'].capitalize()} {i}", text)
    ended = "" if view["end"] == "finished" else f" (ended: {view['end']})"
    yield line("Answer", view["answer"] + ended)
    yield from revealed(view)
    yield ""


def revealed(view: Mapping[str, Any]) -> Iterator[str]:
    """What comes to light after the blind judgement: gold, grade, modes; never method or model."""
    if view["hidden"]:
        return
    yield from (line(name, value) for name, value in view["facts"] if name in SHOWN)
    if view["sound"] is not None:
        judged = "sound" if view["sound"] else f"unsound from step {view['step']}"
        yield line("You judged", f"{judged}. {view['note']}".strip())
    yield from (line(by, f"{mode}. {note}".strip()) for by, mode, note in view["others"])
    yield line("Modes offered", ", ".join(view["offered"]))


SHOWN = ("Gold answer", "Exact match")


def line(name: str, text: str) -> str:
    """A part of an item; its further lines are indented, so that no text can pose as a part."""
    return f"{name}: " + text.replace("\n", "\n        ")


# ---------------------------------------------------------------------- answers


SHAPES: Mapping[str, Mapping[str, tuple[type, ...]]] = {
    "blind": {"item": (int,), "sound": (bool,), "first_wrong": (int, type(None)), "note": (str,)},
    "reveal": {"item": (int,), "mode": (str,), "note": (str,), "override": (bool,)},
    "adjudicate": {"item": (int,), "mode": (str,), "note": (str,), "override": (bool,),
                   "first_wrong": (int, type(None))},
}  # fmt: skip
NEEDED = {"blind": {"item", "sound"}, "reveal": {"item", "mode"},
          "adjudicate": {"item", "mode", "note"}}  # fmt: skip


def take(folder: Path, by: str, stage: str, path: Path) -> int:
    """Every answer is checked before the first is written; a second time changes nothing."""
    session = desk(folder, by, stage, drawn(folder))
    rows = [(n, parsed(text, n)) for n, text in enumerate(lines_of(path), 1) if text.strip()]
    taken: set[int] = set()
    for n, row in rows:
        fault = next(faults(session, stage, row), None)
        if fault or row["item"] in taken:
            sys.exit(f"{path.name}, line {n}: {fault or 'its item comes twice'}. Nothing was taken")
        taken.add(row["item"])
    for _, row in rows:
        put(session, stage, row)
    return len(rows)


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")


def parsed(text: str, number: int) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        sys.exit(f"line {number} is not JSON: {text[:60]!r}. Nothing was taken")


def faults(session: label.Session, stage: str, row: Any) -> Iterator[str]:
    """What is wrong with an answer, the first thing first."""
    shape = SHAPES[stage]
    if not isinstance(row, dict) or not NEEDED[stage] <= row.keys():
        yield f"it needs {', '.join(sorted(NEEDED[stage]))}"
    yield from (f"{k!r} is not asked for here" for k in row if k not in shape)
    yield from (f"{k!r} cannot be {v!r}" for k, v in row.items() if type(v) not in shape[k])
    if not find(session, row["item"]):
        yield f"there is no item {row['item']} here"
    yield from (of_judgement if stage == "blind" else of_label)(session, stage, row)


def find(session: label.Session, number: int) -> bool:
    """Go to an item by its number in the sample, whatever the session shows."""
    if number - 1 not in session.order:
        return False
    session.goto(session.order.index(number - 1) + 1)
    return True


def of_judgement(session: label.Session, stage: str, row: Mapping[str, Any]) -> Iterator[str]:
    steps, step, mark = len(session.run.steps), row.get("first_wrong"), session.mark
    if row["sound"] and step is not None:
        yield "a sound run has no first wrong step"
    if not row["sound"] and not (steps == 1 and step is None) and not 1 <= (step or 0) <= steps:
        yield f"an unsound run of {steps} steps names its first wrong one, not {step}"
    step = 1 if steps == 1 and not row["sound"] else step
    if mark and mark.sound is not None and (mark.sound, mark.step) != (row["sound"], step):
        yield f"item {row['item']} was judged otherwise before"


def of_label(session: label.Session, stage: str, row: Mapping[str, Any]) -> Iterator[str]:
    if session.hidden:
        yield f"item {row['item']} has to be judged blind first"
    if row["mode"] not in label.offered(session.run, row.get("override", False)):
        offered = ", ".join(label.offered(session.run))
        yield f"{row['mode']!r} is not offered for item {row['item']}, but {offered}"
    if (row.get("override") or stage == "adjudicate") and not row.get("note", "").strip():
        yield "this label needs its reason in the note"
    if not 1 <= (row.get("first_wrong") or 1) <= len(session.run.steps):
        yield f"there is no step {row['first_wrong']} in item {row['item']}"
    if session.mark and session.mark.label not in (None, row["mode"]):
        yield f"item {row['item']} was labelled otherwise before"


def put(session: label.Session, stage: str, row: Mapping[str, Any]) -> None:
    find(session, row["item"])
    was, note, step = session.mark.note if session.mark else "", row.get("note"), "first_wrong"
    if note and note not in was:  # the blind note stays: the second one stands below it
        session.note("\n".join(filter(None, (was, note))))
    if stage == "blind" and session.hidden:
        session.sound() if row["sound"] else session.unsound(row.get(step))
    if stage != "blind" and not (session.mark and session.mark.label):
        if row.get(step):
            session.step(row[step])
        session.label(row["mode"], override=row.get("override", False))
