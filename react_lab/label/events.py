"""One JSON line per event: judged, labelled, noted, undone. What stands is their replay.

A file of labels only grows. It lies beside the runs, never in them, and is tied to what was read by
a hash of it (`store.digest`). Of modes of one's own its first event says which they are.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .. import data
from ..records import LONGEST_ID, Record, shallow
from ..support.files import Format, add_line, checked, lock, mend
from .failure_modes import TABLE_2_MODES, Modes

Key = tuple[str, str, str]  # round, id, digest: what a label is about
UNDOABLE = ("judge", "label", "step", "note", "defer")
SAYS = {"judge": ("sound", "blind"), "label": ("label", "override", "guideline")}
KINDS = ("modes", "sample", "undo", "redo", *UNDOABLE)


@dataclass(frozen=True)
class Entry:
    """One event. Only what it says differs from the defaults is written."""

    seq: int
    by: str
    event: str
    at: str = ""
    id: str = ""
    digest: str = ""
    label: str | None = None
    sound: bool | None = None
    step: int | None = None  # where it first goes wrong; 0 takes the mark away
    note: str | None = None
    method: str = ""
    kind: str = ""  # of its task; "" where no other than questions could be labelled yet
    grade: str | None = None
    override: bool = False  # a mode that the grade does not offer
    blind: bool = False  # judged before gold, method, model and grade were shown
    round: str = ""  # "calibration", or "" for the labels that count
    ms: int = 0  # spent on it
    item: int = 0  # its place among the runs, to go on from
    of: int | None = None  # the event that is undone or redone
    guideline: str = ""
    sample: Mapping[str, Any] = field(default_factory=dict, hash=False)
    modes: tuple[tuple[str, str], ...] = ()  # of one's own, each with its definition
    several: bool = False  # may a run have more than one of them?
    schema: int = 1

    @property
    def key(self) -> Key:
        return self.round, self.id, self.digest


@dataclass(frozen=True)
class Mark:
    """What stands about one run, after all undoing: the last word of each kind."""

    by: str
    id: str
    digest: str
    round: str = ""
    label: str | None = None
    sound: bool | None = None
    step: int | None = None
    note: str = ""
    deferred: bool = False
    method: str = ""
    grade: str | None = None
    override: bool = False
    blind: bool = False  # of the judgement
    ms: int = 0  # in all
    at: str = ""
    guideline: str = ""
    modes: str = ""  # of one's own, "slow | wrong | lazy"; "" is Table 2's
    kind: str = ""  # of its task; "" is of a question


# ---------------------------------------------------------------------- a line and an event


def wrong_entry(entry: Entry) -> str:
    numbers = (entry.seq, entry.step or 0, entry.ms, entry.item, entry.of or 0)
    if entry.schema != 1:
        return "it is not an event of schema 1"
    if entry.event not in KINDS or not entry.by.strip():
        return "its event is none of ours, or nobody wrote it"
    if entry.event == "modes" and entry.seq != 1:
        return "modes are said before all else"
    if len(dict(entry.modes)) < len(entry.modes):
        return "a mode is there twice"
    if entry.event in UNDOABLE and not (entry.id and entry.digest):
        return "it does not say which run it is about"
    if not all(0 <= number < 2**53 for number in numbers):
        return "a number is out of bounds"
    if len(entry.id) > LONGEST_ID or not shallow(entry.sample):
        return "its id or its sample is beyond all measure"
    return ""


ENTRY = Record(Entry, wrong_entry, most=16 << 20)  # a sample names each of its runs
LABELS = Format("labels", ("seq", "by", "event"))
LARGEST = 64 << 20  # bytes of a file that anybody labelled by hand


def read(path: str | os.PathLike[str]) -> list[Entry]:
    """The events of a file, every one checked: a file that holds anything else is refused."""
    path = checked(data.resolve(path))
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path.name}: refused, {LARGEST >> 20} MB is more than labels take")
    text = path.read_bytes()
    if text and b"\n" not in text:
        raise ValueError(f"{path.name}: refused, it holds no whole line")
    return [entry for entry, _ in entries(path, text, 1)]


def entries(
    path: Path, text: bytes, first: int, by: str = "", modes: Modes = TABLE_2_MODES
) -> Iterator[tuple[Entry, Modes]]:
    """The whole lines, and the modes after each; a torn last one (a crash) is passed over.

    by, modes: who wrote the lines before these, and with which modes.
    """
    *lines, torn = text.split(b"\n")
    if torn:
        left_out = f"{path.name}: the last line was torn ({len(torn)} bytes) and is left out"
        warnings.warn(left_out, stacklevel=3)
    for number, line in enumerate(lines, first):
        if line.strip():
            try:
                entry = ENTRY.read(line)
                modes = modes_after(entry, modes if entry.by == by else TABLE_2_MODES)
            except ValueError as error:
                where = f"{path.name}, line {number}"
                raise ValueError(f"{where}: not an event of labelling ({error})") from None
            by = entry.by
            yield entry, modes


def modes_after(entry: Entry, before: Modes) -> Modes:
    """The modes of a file after an event, whose label is one of them."""
    modes = Modes(dict(entry.modes), entry.several) if entry.event == "modes" else before
    label = entry.label
    if label is not None and not (label and label == modes.join(modes.split(label))):
        raise ValueError("its label is none of its modes")
    return modes


# ---------------------------------------------------------------------- replay


class Ledger:
    """Replays events: what stands about each run, and what can be undone.

    An event is known by its place: in two files that git or a hand made one, numbers come twice.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries: dict[int, Entry] = {}
        self.places: dict[int, int] = {}  # of an event by its number, the last one of that number
        self.done: dict[int, str] = {}  # its place, and the modes then; the last one last
        self.undone: dict[int, str] = {}
        self.modes = TABLE_2_MODES
        self.standing: dict[Key, Mark] | None = None  # None: something came in since
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        place = len(self.entries) + 1
        self.entries[place], self.standing = entry, None
        about = self.places.get(entry.of or 0, place)
        self.places[entry.seq] = place
        if entry.event == "modes":
            self.modes = modes_after(entry, self.modes)
        elif entry.event == "undo" and about in self.done:
            self.undone[about] = self.done.pop(about)
        elif entry.event == "redo" and about in self.undone:
            self.done[about] = self.undone.pop(about)
        elif entry.event in UNDOABLE:
            self.done[place] = self.modes.text
            self.undone.clear()

    @property
    def marks(self) -> Mapping[Key, Mark]:
        """What stands about each run; nothing, if all of it was undone."""
        if self.standing is None:
            self.standing = {}
            for place in sorted(self.done):
                entry = self.entries[place]
                was = self.standing.get(entry.key)
                self.standing[entry.key] = after(was, entry, self.done[place])
        return self.standing

    def seen(self, key: Key) -> bool:
        """Was gold shown for this run before? An undone judgement has been made all the same."""
        return any(e.key == key and e.event in ("judge", "label") for e in self.entries.values())

    def labelled(self, round: str = "") -> list[Mark]:
        return [m for m in self.marks.values() if m.label is not None and m.round == round]


def after(was: Mark | None, e: Entry, modes: str) -> Mark:
    """What stands about a run after one more event."""
    was = was or Mark(e.by, e.id, e.digest, e.round)
    now: dict[str, Any] = {"ms": was.ms + e.ms, "at": e.at, "modes": modes}
    now |= {name: getattr(e, name) or getattr(was, name) for name in ("method", "grade", "kind")}
    if e.event in ("label", "defer"):
        now["deferred"] = e.event == "defer"
    now |= {name: getattr(e, name) for name in SAYS.get(e.event, ())}
    if e.step is not None:
        now["step"] = e.step or None
    if e.note is not None:
        now["note"] = e.note
    return replace(was, **now)


# ---------------------------------------------------------------------- the file


class LabelFile:
    """One annotator's events: an event is on the disk when `append` returns."""

    def __init__(self, path: str | os.PathLike[str], by: str, modes: Modes = TABLE_2_MODES) -> None:
        self.path, self.by, self.modes = checked(data.resolve(path)), by, modes
        self.ledger, self.seq, self.read_to = Ledger(), 0, 0
        if not isinstance(by, str) or not by.strip():
            raise ValueError("by= takes a name: every label says who gave it")
        if self.path.exists():
            self.catch_up()

    def append(self, event: str, **details: Any) -> Entry:
        """Add an event; who else writes to the file waits, and is read first."""
        with lock(self.path):
            torn = mend(self.path, LABELS)
            self.catch_up()
            if self.modes.own and not self.ledger.entries:
                own = tuple(self.modes.meanings.items())
                self.add("modes", modes=own, several=self.modes.several)
            seq = self.add(event, **details)
            self.catch_up()
        if torn:
            warnings.warn(torn, stacklevel=2)
        return self.ledger.entries[self.ledger.places[seq]]

    def add(self, event: str, **details: Any) -> int:
        """Write an event, and give its number; the file is locked meanwhile."""
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        entry = Entry(self.seq + 1, self.by, event, at, **details)
        try:
            modes_after(entry, self.modes)
            told = {k: v for k, v in vars(entry).items() if v != getattr(Entry, k, {})}
            line = ENTRY.write(told)
        except ValueError as error:
            raise ValueError(f"not written to {self.path.name}: {error}") from None
        add_line(self.path, line, durable=True)
        self.seq = entry.seq
        return entry.seq

    def catch_up(self) -> None:
        """Read what was added since, by this process or by another."""
        size = self.path.stat().st_size if self.path.exists() else 0
        if size < self.read_to:
            raise OSError(f"{self.path} was cut or taken away: put it back, or start anew")
        if size == self.read_to:
            return
        with self.path.open("rb") as file:
            file.seek(self.read_to)
            text = file.read()
        known = len(self.ledger.entries)
        fresh = list(entries(self.path, text, known + 1, self.by, self.ledger.modes))  # all or none
        modes = fresh[-1][1] if fresh else self.modes
        if by := next((entry.by for entry, _ in fresh if entry.by != self.by), ""):
            raise ValueError(
                f"{self.path.name} holds the labels of {by!r}: open it with by={by!r}, or give a "
                "path of your own"
            )
        if (modes.text, modes.several) != (self.modes.text, self.modes.several):
            raise ValueError(
                f"{self.path.name} was labelled with {modes}, not {self.modes}: give modes= of the "
                "file, or a path of your own"
            )
        for entry, _ in fresh:
            self.seq = max(self.seq, entry.seq)
            self.ledger.add(entry)
        self.read_to += text.rfind(b"\n") + 1
