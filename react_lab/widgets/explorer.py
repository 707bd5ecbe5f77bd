"""A table of many runs: filter, sort, search, sample, compare; open one, or hand some on.

table = rl.widgets.explorer("runs/my_run.jsonl", labels="labels/*.jsonl")
table.selection               # the ticked runs, or, where none is ticked, all that are shown
table.player                  # what a click opens: one run, or two side by side
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain
from os import PathLike, fspath
from typing import Any, NamedTuple

from .. import display, plots, score, store, teach
from ..label.failure_modes import MODES
from ..label.merging import merge
from ..languages import say, word
from ..store import Runs
from ..support import ipywidgets
from ..support.text import inline, visible
from ..types import Model, Trajectory, World
from .by_hand import Labeller
from .player import Given, Player, all_of
from .widget_model import Widget

WINDOW, MOST = 100, 50  # rows sent at once; values of a facet that a menu lists
LABELS, ME = "labels/me.jsonl", "me"  # where labels go, unless something else is typed
Path = str | PathLike[str]


class Explorer(Widget):
    """A table of the runs of a file, or of a list. What a key or a button does is a method, and
    says what it did.

    labels: files of labels, or patterns such as "labels/*.jsonl", for a column of them. model,
    world: for the player that a click opens, as `rl.widgets.player` takes them.
    """

    name = "explorer"

    def __init__(
        self,
        runs: Given,
        labels: Path | Iterable[Path] = (),
        *,
        model: Model | None = None,
        world: World | None = None,
    ) -> None:
        files = [labels] if isinstance(labels, str | PathLike) else labels
        self.runs = all_of([runs])
        self.rows = rows_of(self.runs, [fspath(path) for path in files])
        self.numbers = {row.number for row in self.rows}
        self.query = Query()
        self.order = list(range(len(self.rows)))
        self.ticked: dict[int, None] = {}  # numbers
        told = {name: count.most_common(MOST) for name, count in counts(self.rows).items()}
        self.menus = {name: [value for value, _ in values] for name, values in told.items()}
        self.start, self.changes, self.orders, self.said = 0, 0, 0, ""
        self.player = Player(model=model, world=world)  # one for all: a click only changes its runs
        self.below = ipywidgets.VBox()
        menus = {
            name: [say("explorer.menu", name=in_words(name, v)[:60], n=n) for v, n in values]
            for name, values in told.items()
        }
        still = {
            "of": len(self.rows), "lost": len(self.runs) - len(self.rows), "menus": menus,
            "columns": Row._fields, "path": LABELS, "by": ME, "patience": 8000,
        }  # fmt: skip
        super().__init__(still=still, view={})
        self.box = ipywidgets.VBox([self.front, self.below])
        self.ask(self.query)

    # ------------------------------------------------------------------ which runs are shown

    def filter(self, **only: str) -> str:
        """Keep the runs of these: method, model, end, grade, flag, label, kind. "" is of any."""
        if strange := only.keys() - set(FACETS):
            raise ValueError(f"no filter {strange.pop()!r}; there are: {', '.join(FACETS)}")
        kept = {**self.query.only, **only}
        return self.ask(replace(self.query, only={name: v for name, v in kept.items() if v}))

    def search(self, text: str) -> str:
        """Keep the runs in which a text stands: in the question, a step, or the answer."""
        hits = found(self.runs, text) if text else None
        return self.ask(replace(self.query, text=text, hits=hits))

    def sample(self, n: int = 0, seed: int = 0) -> str:
        """Keep n runs of those, drawn by chance with a seed; 0 takes the sample away."""
        return self.ask(replace(self.query, sample=(n, seed) if n > 0 else None))

    def sort(self, by: str = "number", down: bool = False) -> str:
        """Order the table by a column; down: the last first."""
        if by not in BY:
            raise ValueError(f"no column {by!r}; there are: {', '.join(BY)}")
        return self.ask(replace(self.query, by=by, down=down))

    def clear(self) -> str:
        """Show all runs again, as they stand in the file."""
        return self.ask(Query())

    def ask(self, query: Query) -> str:
        with self.lock:
            self.query, self.order = query, chosen(self.rows, query)
            self.start, self.orders = 0, self.orders + 1
            self.say("")
            return say("label.of_runs", n=len(self.order), of=f"{len(self.rows):,}")

    # ------------------------------------------------------------------ which runs are meant

    def tick(self, *numbers: int, on: bool = True) -> str:
        """Tick runs by their numbers in the first column (on=False: take the ticks away)."""
        with self.lock:
            for number in numbers:
                self.ticked.pop(self.known(number), None)
                if on:
                    self.ticked[number] = None
            self.changes += 1
            self.say("")
            return say("explorer.now_ticked", n=len(self.ticked))

    def tick_shown(self) -> str:
        """Tick all runs that the table shows."""
        return self.tick(*(self.rows[place].number for place in self.order))

    def untick(self) -> str:
        """Take all ticks away."""
        return self.tick(*self.ticked, on=False)

    @property
    def selection(self) -> list[Trajectory]:
        """The ticked runs; where none is ticked, all that are shown, in the order of the table."""
        numbers = self.ticked or [self.rows[place].number for place in self.order]
        return [self.run(number) for number in numbers]

    def run(self, number: int) -> Trajectory:
        """A run by its number in the table."""
        return self.runs[self.known(number) - 1]

    def known(self, number: int) -> int:
        if type(number) is not int or number not in self.numbers:
            raise ValueError(say("explorer.no_such_run", number=inline(number)[:20]))
        return number

    # ------------------------------------------------------------------ what is done with them

    def open(self, number: int) -> str:
        """Open a run in the player below the table."""
        return self.play(say("explorer.is_open", number=number), number)

    def compare(self, *numbers: int) -> str:
        """Open two runs side by side, step by step: these, or the two that are ticked."""
        two = numbers or tuple(self.ticked)
        if len(two) != 2:
            raise ValueError(say("explorer.tick_two", n=len(two)))
        left, right = two
        return self.play(say("explorer.both_stand", left=left, right=right), *two)

    def play(self, words: str, *numbers: int) -> str:
        """The player is one for all runs, so that no click leaves another at work."""
        self.player.open(*map(self.run, numbers))
        return self.put(self.player.front, words)

    def label(self, path: Path = LABELS, by: str = ME, **options: Any) -> Labeller:
        """Open the labeller on the selection, below the table; `rl.Labeller` has the options."""
        labeller = Labeller(self.some(), path, by, **options)
        self.put(labeller.front, say("explorer.to_label", n=len(labeller.session.runs)))
        return labeller

    def plot(self) -> plots.Picture:
        """Draw below which method got what of the selection, as `rl.plots.grid` does."""
        picture = plots.grid(self.some())
        self.put(teach.exercises.image(picture.caption, picture.png), picture.caption)
        return picture

    def some(self) -> list[Trajectory]:
        if not (runs := self.selection):
            raise ValueError(say("explorer.none_shown"))
        return runs

    def put(self, widget: Any, words: str) -> str:
        if widget is not self.player.front:
            self.player.stop()  # a run that goes on out of sight would only slow the laptop
        self.below.children = (widget,)
        return self.say(words)

    def act(self, message: dict[str, Any]) -> None:
        start = message.get("start")
        self.start = start if type(start) is int else 0
        match message:
            case {"do": "filter", "facet": str(facet), "value": int(i)} if facet in self.menus:
                menu = self.menus[facet]
                self.filter(**{facet: menu[i] if 0 <= i < len(menu) else ""})
            case {"do": "search", "text": str(text)}:
                self.search(text)
            case {"do": "sample", "n": int(n), "seed": int(seed)}:
                self.sample(n, seed)
            case {"do": "sort", "by": str(by), "down": bool(down)}:
                self.sort(by, down)
            case {"do": "tick", "number": int(number), "on": bool(on)}:
                self.tick(number, on=on)
            case {"do": "open", "number": int(number)}:
                self.open(number)
            case {"do": "label", "path": str(path), "by": str(by)}:
                self.label(path, by)
            case {"do": "clear" | "tick_shown" | "untick" | "compare" | "plot" as name}:
                getattr(self, name)()

    def say(self, words: str) -> str:
        self.said = visible(words)
        self.show()
        return self.said

    def show(self, ack: object = None, alarm: str = "") -> None:
        """What the table shows: only the rows around those in sight."""
        self.said = alarm or self.said
        start = max(0, min(self.start, len(self.order) - WINDOW))
        rows = [self.rows[place] for place in self.order[start : start + WINDOW]]
        only = self.query.only.items()
        self.front.view = {
            "ack": ack, "said": self.said, "order": self.orders, "changes": self.changes,
            "start": start, "count": len(self.order), "ticked": len(self.ticked),
            "rows": [[row.number in self.ticked, *map(cell, Row._fields, row)] for row in rows],
            "only": {f: self.menus[f].index(v) for f, v in only if v in self.menus[f]},
            "text": visible(self.query.text), "sample": self.query.sample,
            "by": self.query.by, "down": self.query.down, "open": bool(self.below.children),
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"<Explorer: {len(self.order)} of {len(self.rows)} runs, {len(self.ticked)} ticked>"

    def words(self) -> display.Page:
        lines = [f"{r.number}. {r.method}: {r.question} {r.answer}" for r in self.rows[:20]]
        head = say("explorer.twin", n=len(self.rows))
        return display.note(say("player.runs"), "\n".join([head, *lines]))


def cell(column: str, value: object) -> str | int:
    """What a row says in one column, as one line of visible text."""
    if isinstance(value, tuple):
        return "" if value in NONE else ", ".join(in_words(column, one) for one in value)
    return value if isinstance(value, int) else "" if value is None else in_words(column, value)


def in_words(column: str, value: object) -> str:
    """A value as a reader knows it; a grade keeps its name, by which it is coloured."""
    tables = {"end": "explorer.end_names", "flag": "explorer.flag_names", "label": "modes"}
    return word(tables[column], inline(value)) if column in tables else inline(value)


# ---------------------------------------------------------------------- the rows of the table

FACETS = ("kind", "method", "model", "end", "grade", "flag", "label")
GRADES = {True: "right", False: "wrong", None: "not graded"}
UNFLAGGED, UNLABELLED = "no flag", "no label"
NONE = ((UNFLAGGED,), (UNLABELLED,))
BY = ("number", "question", "kind", "method", "model", "answer", "grade", "end", "steps",
      "tokens", "flag", "label")  # fmt: skip
CUT = 200  # characters of a text that a line of a table can show


class Row(NamedTuple):
    """What the table tells of one run. Flags and labels: several, or a word for none."""

    number: int
    id: str
    kind: str
    method: str
    model: str
    question: str
    answer: str
    grade: str
    end: str
    steps: int
    tokens: int | None
    flag: tuple[str, ...]
    label: tuple[str, ...]


@dataclass(frozen=True)
class Query:
    """What to show. only: a facet -> the one value of it; hits: the numbers of the runs in which
    the text stands; sample: how many, and the seed.
    """

    only: Mapping[str, str] = field(default_factory=dict, hash=False)
    text: str = ""
    hits: Set[int] | None = None
    sample: tuple[int, int] | None = None
    by: str = "number"
    down: bool = False


def rows_of(runs: Iterable[Trajectory], labels: Iterable[str] = ()) -> list[Row]:
    """A row per run that can be read, numbered from 1 by its place; labels: files, or patterns."""
    given, rows = marks(labels), list[Row]()
    labelled = {id for id, _ in given}
    for number, run in readable(runs):
        tokens = (run.tokens_in, run.tokens_out)
        modes = given.get((run.id, store.digest(run))) if run.id in labelled else None
        right, silent = score.correct(run), run.answer is None and run.task.gold is not None
        grade = "no answer" if silent and right is False else GRADES[right]
        rows.append(Row(
            number, run.id, run.task.kind, run.method, run.model, run.task.text[:CUT],
            (run.answer or "")[:CUT], grade, run.end, len(run.steps),
            None if None in tokens else sum(filter(None, tokens)), run.flags or (UNFLAGGED,),
            tuple(modes or [UNLABELLED]),
        ))  # fmt: skip
    return rows


def readable(runs: Iterable[Trajectory]) -> Iterator[tuple[int, Trajectory]]:
    """Each run that can be read, and its place from 1."""
    found = (run for _, run in runs.survey()) if isinstance(runs, Runs) else runs
    yield from ((number, run) for number, run in enumerate(found, 1) if run is not None)


def marks(paths: Iterable[str]) -> Mapping[tuple[str, str], list[str]]:
    """(id, digest) of a run -> the modes that annotators gave it, in the order of Table 2."""
    merged = merge(paths)
    if merged.refused:
        raise ValueError("; ".join(merged.refused.values()))
    given = {key: {mark.label or "" for mark in by.values()} for key, by in merged.runs.items()}
    return {
        key: [mode for mode in MODES if mode in said] + sorted(said - {"", *MODES})
        for key, said in given.items()
    }


# ---------------------------------------------------------------------- what was asked of the table


def values(row: Row, facet: str) -> tuple[str, ...]:
    value = getattr(row, facet)
    return value if isinstance(value, tuple) else (value,)


def counts(rows: Iterable[Row]) -> dict[str, Counter[str]]:
    """Of each facet, the values there are, and how many runs have each."""
    rows = list(rows)
    return {facet: Counter(v for row in rows for v in values(row, facet)) for facet in FACETS}


def found(runs: Iterable[Trajectory], text: str) -> set[int]:
    """The numbers of the runs in which a text stands, in whatever case."""
    wanted, numbers = text.casefold(), set[int]()
    for number, run in readable(runs):
        parts = ((step.thought, step.action, step.observation) for step in run.steps)
        texts = filter(None, (run.task.text, run.answer, *chain.from_iterable(parts)))
        if any(wanted in part.casefold() for part in texts):
            numbers.add(number)
    return numbers


def chosen(rows: Sequence[Row], query: Query) -> list[int]:
    """Places of the rows that a query asks for, in its order."""
    places = [
        place
        for place, row in enumerate(rows)
        if (query.hits is None or row.number in query.hits)
        and all(value in values(row, facet) for facet, value in query.only.items())
    ]
    if query.sample is not None:
        n, seed = query.sample
        places = random.Random(seed).sample(places, min(n, len(places)))
    return sorted(places, key=lambda place: key(rows[place], query), reverse=query.down)


def key(row: Row, query: Query) -> tuple[bool, str | int, int]:
    """Texts as a reader sorts them; what is unknown, empty or none stands last, either way."""
    value = getattr(row, query.by)
    value = " ".join(value) if isinstance(value, tuple) else value
    none = value in (None, "", UNFLAGGED, UNLABELLED)
    number = -row.number if query.down else row.number  # of equals, the first stays the first
    told = "" if none else value.casefold() if isinstance(value, str) else value
    return none is not query.down, told, number


explorer = Explorer
