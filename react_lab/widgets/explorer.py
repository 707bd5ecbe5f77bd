"""A table of many runs: filter, sort, search, sample, compare; open one, or hand some on.

table = rl.widgets.explorer("runs/my_run.jsonl", labels="labels/*.jsonl")
table.selection               # the ticked runs, or, where none is ticked, all that are shown
table.player                  # what a click opens: one run, or two side by side
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

from .. import display, plots, teach
from ..characters import inline, visible
from ..languages import say, word
from ..types import Model, Trajectory, World
from .browsing import BY, FACETS, NONE, Query, Row, chosen, counts, found, rows_of
from .labeller import Labeller
from .player import Player, all_of
from .scripts import script, style

__all__ = ["Explorer", "explorer"]

WINDOW, MOST = 100, 50  # rows sent at once; values of a facet that a menu lists
LABELS, ME = "labels/me.jsonl", "me"  # where labels go, unless something else is typed
Paths = str | PathLike[str]


def explorer(
    runs: Paths | Trajectory | Iterable[Trajectory],
    labels: Paths | Iterable[Paths] = (),
    *,
    model: Model | None = None,
    world: World | None = None,
) -> Explorer:
    """A table of the runs of a file, or of a list.

    labels: files of labels, or patterns such as "labels/*.jsonl", for a column of them. model,
    world: for the player that a click opens, as `rl.widgets.player` takes them.
    """
    files = [labels] if isinstance(labels, str | PathLike) else labels
    return Explorer(all_of([runs]), [fspath(path) for path in files], model, world)


class Explorer:
    """Many runs in a table. What a key or a button does is a method, and says what it did."""

    def __init__(
        self,
        runs: Sequence[Trajectory],
        labels: Sequence[str] = (),
        model: Model | None = None,
        world: World | None = None,
    ) -> None:
        import ipywidgets

        self.runs, self.rows = runs, rows_of(runs, labels)
        self.place = {row.number: place for place, row in enumerate(self.rows)}
        self.query, self.hits = Query(), None  # type: Query, set[int] | None
        self.order = list(range(len(self.rows)))
        self.ticked: dict[int, None] = {}  # numbers
        self.counts = {name: count.most_common(MOST) for name, count in counts(self.rows).items()}
        self.menus = {name: [value for value, _ in count] for name, count in self.counts.items()}
        self.start, self.changes, self.orders, self.said = 0, 0, 0, ""
        self.lock = threading.RLock()  # JupyterLab may run a key's handler beside a cell
        self.player = Player(model=model, world=world)  # one for all: a click only changes its runs
        self.below = ipywidgets.VBox()
        self.front = front(self.still())
        self.box = ipywidgets.VBox([self.front, self.below])
        self.ask(self.query)
        self.front.on_msg(self.heard)

    # ------------------------------------------------------------------ which runs are shown

    def filter(self, **only: str) -> str:
        """Keep the runs of these: method, model, end, grade, flag, label, kind. "" is of any."""
        if strange := only.keys() - set(FACETS):
            raise ValueError(f"no filter {strange.pop()!r}; there are: {', '.join(FACETS)}")
        kept = {**self.query.only, **only}
        return self.ask(replace(self.query, only={name: v for name, v in kept.items() if v}))

    def search(self, text: str) -> str:
        """Keep the runs in which a text stands: in the question, a step, or the answer."""
        with self.lock:
            self.hits = found(self.runs, text) if text else None
            return self.ask(replace(self.query, text=text))

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
        with self.lock:
            self.hits = None
            return self.ask(Query())

    def ask(self, query: Query) -> str:
        with self.lock:
            self.query, self.order = query, chosen(self.rows, query, self.hits)
            self.start, self.orders = 0, self.orders + 1
            self.say("")
            return say("label.of_runs", n=len(self.order), of=f"{len(self.rows):,}")

    # ------------------------------------------------------------------ which runs are meant

    def tick(self, *numbers: int, on: bool = True) -> str:
        """Tick runs by their numbers in the first column (on=False: take the ticks away)."""
        with self.lock:
            for number in numbers:
                self.row(number)
                self.ticked.pop(number, None)
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
        if self.ticked:
            return [self.run(number) for number in self.ticked]
        return [self.run(self.rows[place].number) for place in self.order]

    def run(self, number: int) -> Trajectory:
        """A run by its number in the table."""
        return self.runs[self.row(number).number - 1]

    def row(self, number: int) -> Row:
        if type(number) is not int or number not in self.place:
            raise ValueError(say("explorer.no_such_run", number=inline(number)[:20]))
        return self.rows[self.place[number]]

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

    def label(self, path: Paths = LABELS, by: str = ME, **options: Any) -> Labeller:
        """Open the labeller on the selection, below the table; `rl.Labeller` has the options."""
        labeller = Labeller(self.some(), path, by, **options)
        self.put(labeller.front, say("explorer.to_label", n=len(labeller.session.runs)))
        return labeller

    def plot(self) -> plots.Picture:
        """Draw below which method got what of the selection, as `rl.plots.grid` does."""
        picture = plots.grid(self.some())
        self.put(teach.controls.image(picture.caption, picture.png), picture.caption)
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

    # ------------------------------------------------------------------ the browser

    def heard(self, _: Any, message: dict[str, Any], __: Any) -> None:
        """A key or a click: done, then acknowledged with the new view, in one message."""
        start = message.get("start")
        with self.lock, self.front.hold_sync():
            self.start = start if type(start) is int else 0
            try:
                self.done(message)
            except (ValueError, OSError) as error:
                self.said = visible(str(error))
            self.show(message.get("ack"))

    def done(self, message: dict[str, Any]) -> None:
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

    def show(self, ack: object = None) -> None:
        """What the table shows: only the rows around those in sight."""
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

    def still(self) -> dict[str, Any]:
        """What stays the same: how many runs, the columns, and the menus."""
        menus = {
            name: [say("explorer.menu", name=in_words(name, value)[:60], n=n) for value, n in count]
            for name, count in self.counts.items()
        }
        return {
            "of": len(self.rows), "lost": len(self.runs) - len(self.rows), "menus": menus,
            "columns": Row._fields, "path": LABELS, "by": ME, "patience": 8000,
        }  # fmt: skip

    # ------------------------------------------------------------------ where no kernel runs

    def __repr__(self) -> str:
        return f"<Explorer: {len(self.order)} of {len(self.rows)} runs, {len(self.ticked)} ticked>"

    def _repr_mimebundle_(self, **asked: Any) -> dict[str, Any]:
        bundle: Any = self.box._repr_mimebundle_(**asked)
        found = bundle[0] if isinstance(bundle, tuple) else bundle
        lines = [f"{r.number}. {r.method}: {r.question} {r.answer}" for r in self.rows[:20]]
        words = say("explorer.twin", n=len(self.rows))
        return {
            **found,
            "text/plain": repr(self),
            "text/html": display.note(say("player.runs"), "\n".join([words, *lines])).html,
        }


def cell(column: str, value: object) -> str | int:
    """What a row says in one column, as one line of visible text."""
    if isinstance(value, tuple):
        return "" if value in NONE else ", ".join(in_words(column, one) for one in value)
    return value if isinstance(value, int) else "" if value is None else in_words(column, value)


def in_words(column: str, value: object) -> str:
    """A value as a reader knows it; a grade keeps its name, by which it is coloured."""
    tables = {"end": "explorer.end_names", "flag": "explorer.flag_names", "label": "modes"}
    return word(tables[column], inline(value)) if column in tables else inline(value)


def front(still: dict[str, Any]) -> Any:
    """The browser's side: what stays the same, and what a key may change."""
    import anywidget
    import traitlets

    class Front(anywidget.AnyWidget):
        _esm, _css = script("explorer"), style("explorer")
        still = traitlets.Dict().tag(sync=True)
        view = traitlets.Dict().tag(sync=True)

    return Front(still=still)
