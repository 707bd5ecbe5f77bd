"""The modes that runs are labelled with: Table 2's six and their guideline, or a taxonomy of one's
own; and the runs drawn to label."""

from __future__ import annotations

import functools
import hashlib
import os
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from .. import data
from ..kinds import kind_of
from ..languages import spoken, words_of
from ..support.files import checked
from ..support.text import inline, visible
from ..types import Trajectory
from .about_runs import QUESTIONS, grade, is_game, methods_of, one_kind, searches

SUCCESS = ("true positive", "false positive")
FAILURE = ("reasoning error", "search result error", "hallucination", "label ambiguity")
MODES = SUCCESS + FAILURE  # in the order of the keys 1 to 6


def offered(run: Trajectory, override: bool = False) -> tuple[str, ...]:
    """The modes of the run's grade (override: of both); no search error where nothing acts.

    Nor in a game a hallucination where nothing thinks: there it takes a thought to state something.
    """
    modes = {"success": SUCCESS, "failure": FAILURE}.get(grade(run) or "", MODES)
    none = {
        "search result error": not searches(run),
        "hallucination": is_game(run) and not any(step.thought for step in run.steps),
    }
    return tuple(m for m in (MODES if override else modes) if not none.get(m))


# ---------------------------------------------------------------------- the guideline

WRAPPED = re.compile(r"\n(?![-*\n])")  # a line of a file, no line of its text


@dataclass(frozen=True, repr=False)
class Guideline:
    """How to label, in a version that every label names. A notebook shows its text."""

    version: str
    text: str
    modes: dict[str, str]  # a mode -> its definition, boundary and examples
    words: dict[str, str]  # a mode -> what it means here, in a few words; of questions none

    def __repr__(self) -> str:
        return self.text

    _repr_markdown_ = __repr__


def guideline(kind: str = QUESTIONS, lang: str = "") -> Guideline:
    """The guideline for a kind of task: its own part, or the first; in the language chosen.

    data/labels/GUIDELINE.md, or GUIDELINE.zh.md after `rl.speak("zh")`; the modes keep their names.
    """
    return guideline_in(lang or spoken(), kind)


@functools.cache
def guideline_in(lang: str, kind: str) -> Guideline:
    file = data.folder("labels", f"GUIDELINE.{lang}.md")
    if not file.exists():
        lang, file = "en", data.folder("labels", "GUIDELINE.md")
    text = file.read_text(encoding="utf-8")
    version = re.search(r"^Version (\S+)$", text, re.M)
    first, *others = re.split(r"^# ", text.removeprefix("# "), flags=re.M)
    own = re.compile(rf"(.+（)?{re.escape(kind_of(kind).noun)}）?\n", re.I)
    part = next((other for other in others if own.match(other)), first)
    called = {words_of(lang)[f"modes.{mode}"]: mode for mode in MODES}
    modes, words = dict[str, str](), dict[str, str]()
    for section in re.split(r"^## ", part, flags=re.M)[1:]:
        head, _, body = section.partition("\n")
        name, _, meaning = head.replace("：", ": ").partition(": ")
        if mode := called.get(name):
            modes[mode] = WRAPPED.sub(" ", body.strip())
            words |= {mode: meaning} if meaning else {}
    if version is None or set(modes) != set(MODES):
        raise ValueError(f"{file.name} needs a line 'Version ...' and a section '## ...' per mode")
    return Guideline(version[1], f"# {part}", modes, words)


# ---------------------------------------------------------------------- taxonomies

NewModes = Mapping[str, str] | Iterable[str] | os.PathLike[str] | str
KEYS = 9  # so many modes have a key
BOTH = " + "  # between the modes of a run that has several
NAME = re.compile(r"[^\s|+](?:[^|+\n]{0,58}[^\s|+])?")  # of a mode


def plain_name(label: object) -> str:
    return str(label).strip().casefold().replace("_", " ").replace("-", " ")


class Modes:
    """A taxonomy of one's own, to label with instead of Table 2's six modes.

    modes: names; or a dict, name -> definition; or the path of a text file with one mode a line,
    `name: definition` (empty lines, and those that begin with #, are passed over). They have the
    keys 1 to 9 in this order. several: a run may have more than one of them. own=False: they are
    Table 2's, of which a run's grade says which are offered, and each kind of task has its words.
    """

    def __init__(self, modes: NewModes, several: bool = False, own: bool = True) -> None:
        self.own, self.several = own, several
        if isinstance(modes, str | os.PathLike):
            file = checked(data.resolve(modes))
            try:
                lines = file.read_text(encoding="utf-8-sig").splitlines()
            except UnicodeDecodeError:
                why = f"{file.name} is no text: write a mode a line, name: definition"
                raise ValueError(why) from None
            parts = (one.partition(":") for one in map(str.strip, lines) if one and one[0] != "#")
            given = [(name.strip(), meaning.strip()) for name, _, meaning in parts]
        else:
            given = list(modes.items() if isinstance(modes, Mapping) else ((m, "") for m in modes))
        for name, meaning in given:
            if not (isinstance(name, str) and NAME.fullmatch(name) and visible(name) == name):
                raise ValueError(f"{name!r} names no mode: take up to 60 letters without | and +")
            if not isinstance(meaning, str):
                raise ValueError(f"the definition of {name!r} has to be a text, not {meaning!r}")
        if not 1 <= len(given) <= KEYS:
            raise ValueError(f"{len(given)} modes: give 1 to {KEYS}, one for each key")
        self.names = tuple(name for name, _ in given)
        self.meanings = {name: " ".join(visible(meaning).split()) for name, meaning in given}
        self.by_name = {plain_name(name): name for name in self.names}
        if len(self.by_name) < len(given):
            raise ValueError(f"two modes have one name: {', '.join(self.names)}")

    def __repr__(self) -> str:
        names = " | ".join(self.names) if self.own else "Table 2's six"
        return f"the modes ({names}{', several for a run' * self.several})"

    @property
    def text(self) -> str:
        """What a label says of its taxonomy: the names; nothing, if it is Table 2's."""
        return " | ".join(self.names) if self.own else ""

    def find(self, label: str | int) -> str:
        """A mode by its key or its name; `reasoning_error` will do."""
        if type(label) is int and 1 <= label <= len(self.names):
            return self.names[label - 1]
        if (name := self.by_name.get(plain_name(label))) is None:
            names = ", ".join(self.names)
            raise ValueError(f"no mode {label!r}; there are 1 to {len(self.names)}: {names}")
        return name

    def split(self, label: str | None) -> list[str]:
        """The modes that a label names."""
        return (label.split(BOTH) if self.several else [label]) if label else []

    def join(self, names: Iterable[str]) -> str:
        """A label of these modes, in the order of their keys; "" of none."""
        chosen = set(names)
        return BOTH.join(name for name in self.names if name in chosen)

    def offered(self, run: Trajectory, override: bool = False) -> tuple[str, ...]:
        """The modes that a run can have: of one's own, all."""
        return self.names if self.own else offered(run, override)

    def guideline(self, kind: str, lang: str = "") -> Guideline:
        """The definitions, in a version that changes with them."""
        if not self.own:
            return guideline(kind, lang)
        parts = (f"## {name}\n\n{meaning}".strip() for name, meaning in self.meanings.items())
        text = "\n\n".join(["# The modes", *parts])
        version = hashlib.sha256(text.encode()).hexdigest()[:8]
        return Guideline(version, text, self.meanings, self.meanings)


TABLE_2_MODES = Modes(MODES, own=False)
AnyModes = Modes | NewModes | None


def as_modes(modes: AnyModes) -> Modes:
    """Modes, or what they can be made from; None is Table 2's."""
    return TABLE_2_MODES if modes is None else modes if isinstance(modes, Modes) else Modes(modes)


def modes_of(texts: Iterable[str]) -> Modes:
    """The taxonomy that all of these labels name; labels of several are never counted together."""
    found = set(texts)
    if len(found) > 1:
        names = " and ".join(sorted(f"({text or 'Table 2'})" for text in found))
        raise ValueError(f"these labels are of different modes, {names}: take those of one")
    text = next(iter(found), "")
    return Modes(text.split(" | "), several=True) if text else TABLE_2_MODES


# ---------------------------------------------------------------------- which runs to label


@dataclass(frozen=True, repr=False)
class Sample(Sequence[Trajectory]):
    """Runs in the order in which to label them, and how they were drawn."""

    runs: tuple[Trajectory, ...]
    seed: int
    strata: Mapping[str, tuple[int, int]] = field(hash=False)  # name -> drawn, of how many

    def __len__(self) -> int:
        return len(self.runs)

    def __getitem__(self, i: Any) -> Any:
        return self.runs[i]

    @property
    def drawn_how(self) -> dict[str, Any]:
        """Seed, strata and ids: what a file of labels keeps of it."""
        strata = {name: list(counts) for name, counts in self.strata.items()}
        return {"seed": self.seed, "strata": strata, "ids": [run.id for run in self.runs]}

    def __repr__(self) -> str:
        counts = "; ".join(f"{inline(name)}: {n} of {of}" for name, (n, of) in self.strata.items())
        return f"<{len(self)} runs drawn with seed {self.seed} ({counts})>"


def sample(
    runs: Iterable[Trajectory],
    n: int = 50,
    methods: Sequence[str] | None = None,
    seed: int = 0,
    kind: str | None = None,
) -> Sample:
    """n successes and n failures of each method, by exact match (section 3.3), shuffled by a seed.

    methods: None is those of Table 2, react and cot; of games, those that games are played by.
    kind: of the tasks ("household"), where the runs are of several. A stratum with fewer gives all
    it has, its count stands in the repr, and nothing is weighted.
    """
    found: dict[tuple[str, str | None], list[Trajectory]] = {}
    kinds = set[str]()
    for run in runs:
        if kind in (None, run.task.kind):
            kinds.add(run.task.kind)
            if run.method in (methods or methods_of(run.task.kind)):
                found.setdefault((run.method, grade(run)), []).append(run)
    mine = one_kind(kinds, "these runs", "sample(runs, kind='household') draws of one kind")
    drawn, strata, pick = list[Trajectory](), dict[str, tuple[int, int]](), random.Random(seed)
    for stratum in product(dict.fromkeys(methods or methods_of(mine)), ("success", "failure")):
        # the same draw, in whatever order they came
        those = sorted(found.get(stratum, []), key=lambda run: run.id)
        strata[" ".join(stratum)] = (min(n, len(those)), len(those))
        drawn += pick.sample(those, min(n, len(those)))
    pick.shuffle(drawn)
    return Sample(tuple(drawn), seed, strata)
