"""The house of a household game as a small map: what the player has seen by a step."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from textwrap import wrap
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.patches import Rectangle

from ..analysis.household import kind_of as thing_kind
from ..kinds import kind_of, world_of
from ..replay import Again, act_again
from ..support.text import inline
from ..types import EnvError, Step, Trajectory, World
from .picture import Picture, drawing, plain, written
from .rates import marks_of, name_of

MOST_LINES = 7  # of what is in a receptacle
TITLE_ROW = 0.36


def house(
    run: Trajectory | Iterable[Trajectory], at: int | None = None, world: World | None = None
) -> Picture:
    """The house as the player knew it after step `at` (0: before the first; None: the end).

    What is on or in a receptacle is drawn as last seen there; a dashed grey one was not looked at
    yet. Small numbers are the steps at which the player came there; arrows are the last moves, the
    newest strongest. A star marks what the task names. world: of a game that does not come with
    react_lab, the world that the run was played in.
    """
    found = replay(several(run, 1)[0], world)
    at = found.step_number(at)
    caption = found.caption(at)
    return Picture(found.figure(at, caption), caption, {"house": found.table(at)})


@dataclass(frozen=True, eq=False)
class House(Again):
    """A run in a house, done again; its views are the house as the player knew it.

    stops: at which step the player went to a receptacle. The map has the same places at every step.
    """

    run: Trajectory
    stops: tuple[tuple[int, str], ...]

    def step_number(self, at: int | None) -> int:
        """None is the end; 0 is before the first step."""
        last = len(self.run.steps)
        at = last if at is None else at
        if type(at) is not int:
            raise TypeError(f"at= takes the number of a step, not {inline(repr(at))[:40]}")
        if not 0 <= at <= last:
            raise ValueError(
                f"step {at} is not in this run: at= takes 0 (before the first step) to {last}"
            )
        return at

    def why(self, at: int) -> str | None:
        """Why the act of a step led nowhere, if it did."""
        seen = self.seen[at - 1] if at else None
        return seen.why if seen else None

    def caution(self, at: int) -> str:
        """A banner, from the step on at which the world and the stored run part."""
        if self.drifted is None or at < self.drifted:
            return ""
        return (
            f"CAREFUL: at step {self.drifted} the world answers otherwise than this run has it; "
            "from there on the picture may be wrong. "
        )

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The kinds of things that the task names."""
        return frozenset(re.findall(r"\w+", self.views[0]["task"]))

    @cached_property
    def plan(self) -> Plan:
        """Every cell has room for the most that it shows at any step."""
        names = [place["name"] for place in self.views[0]["receptacles"]]
        columns = next(wide for most, wide in WIDTHS.items() if len(names) <= most)
        wide, most = max(WIDE, (NARROWEST - BETWEEN) / columns - BETWEEN), dict.fromkeys(names, 1)
        for view in self.views:
            for place in view["receptacles"]:
                lines = self.lines(place, view["done"], wide - 2 * INSIDE)
                most[place["name"]] = max(most[place["name"]], len(lines))
        return plan_of(in_rows(names, columns), most, columns, wide)

    def lines(
        self, place: Mapping[str, Any], done: Mapping[str, Any], wide: float
    ) -> tuple[Line, ...]:
        """What a cell says of its contents."""
        if place["contents"] is None:
            return ((UNSEEN if place["open"] is None else SHUT, False),)
        named = tuple((thing, with_marks(thing, done)) for thing in place["contents"])
        return lines_of(named, self.wanted, wide)

    # ------------------------------------------------------------------ in words

    def status(self, at: int) -> str:
        """Where the player stands, and with what in hand."""
        view, steps = self.views[at], len(self.run.steps)
        when = f"After step {at} of {steps}" if at else "Before the first step"
        where = f"at {plain(view['at'], 24)}" if view["at"] else "in the middle of the room"
        held = view["held"]
        hand = with_marks(held, view["done"]) if held else "nothing"
        end = "" if at < steps else f" The task is {'' if self.run.reward else 'not '}done."
        failed = " The act led nowhere." if self.why(at) else ""
        return f"{when}: {where}, holding {hand}.{failed}{end}"

    def caption(self, at: int) -> str:
        run = self.run
        by = f"{name_of(run.method)} by {plain(run.model, 32)}"
        said = step_words(run.steps[at - 1], self.why(at)) if at else "Nothing is done yet."
        return f"{self.caution(at)}{by}{f', step {at}' if at else ''}.\n{said}"

    def table(self, at: int) -> pd.DataFrame:
        """One row per receptacle: what the player knows of it."""
        view, rows = self.views[at], []
        done, way = view["done"], view["way"]
        for place in view["receptacles"]:
            name, things = place["name"], place["contents"]
            marked = [with_marks(thing, done) for thing in things or ()]
            contents = None if things is None else ", ".join(marked) or EMPTY
            rows.append((plain(name), door(place), contents, way.count(name)))
        names = ["receptacle", "door", "contents", "visits"]
        return pd.DataFrame(rows, columns=names, dtype=object).astype({"visits": int})

    # ------------------------------------------------------------------ as a map

    def figure(self, at: int, caption: str = "") -> Figure:
        with drawing():
            plan, view = self.plan, self.views[at]
            task, wide = f"Task: {plain(view['task'], 200)}", (plan.width - 2 * EDGE) * 72
            heads = [(line, 16, "bold") for line in wrap(task, int(wide / (0.66 * 16)))]
            status = wrap(self.status(at), int(wide / (0.58 * 14)))
            heads += [(line, 14, "normal") for line in status]
            top = TITLE_ROW * len(heads) + 0.05
            figure = Figure(figsize=(plan.width, BELOW + plan.height + top))
            figure.set_layout_engine("none")
            ax = figure.add_axes((0, 0, 1, 1))
            ax.set_axis_off()
            ax.set(xlim=(0, plan.width), ylim=(-BELOW, plan.height + top))
            for i, (line, letters, weight) in enumerate(heads):
                y = plan.height + top - TITLE_ROW * (i + 0.5)
                ax.text(EDGE, y, line, fontsize=letters, weight=weight, va="center", color=INK)
            draw_ways(ax, plan, view["way"])
            for place in view["receptacles"]:
                name, cell = place["name"], plan.cells[place["name"]]
                lines = self.lines(place, view["done"], plan.inside)
                star, here = thing_kind(name) in self.wanted, name == view["at"]
                came = [i for i, stop in self.stops if stop == name and i <= at]
                draw_cell(ax, cell, place, lines, came, star, here)
            held = view["held"]
            words = f"● here with {with_marks(held, view['done'])}" if held else "● here"
            size = min(WORDS, WORDS * 2.2 / text_width(words, WORDS, bold=True))
            here_cell = plan.cells.get(view["at"] or "")
            x, y = (here_cell.middle, here_cell.y - 0.01) if here_cell else plan.start
            boxed(ax, x, y, words, HERE, fontsize=size, weight="bold", ha="center", zorder=9)
            ax.legend(handles=marks_of(KEYS), loc="lower left", ncols=3, fontsize=SMALL,
                      borderaxespad=0.3, handleheight=1.2, columnspacing=2.5)  # fmt: skip
            if caption:
                written(figure, caption, 13)
        return figure


# ---------------------------------------------------------------------- words


@lru_cache(maxsize=4096)
def lines_of(
    named: tuple[tuple[str, str], ...], wanted: frozenset[str], wide: float
) -> tuple[Line, ...]:
    """The contents of a receptacle in lines, what the task names first, each with a star.

    named: each thing, and how it is written.
    """
    if not named:
        return ((EMPTY, False),)
    first = [(f"★ {words}", True) for thing, words in named if thing_kind(thing) in wanted]
    rest = [words for thing, words in named if thing_kind(thing) not in wanted]
    lines = [*first, *((line, False) for line in wrapped(rest, wide, WORDS))]
    if len(lines) <= MOST_LINES:
        return tuple(lines)
    kept = lines[: MOST_LINES - 1]
    shown = sum(1 if star else line.count(",") for line, star in kept)
    return (*kept, (f"and {len(named) - shown} more", False))


def step_words(step: Step, why: str | None) -> str:
    """A step, a line per part; what is long is cut."""
    said = plain(step.observation or "", 200) if step.action else ""
    parts = (("Thought", step.thought, 300), ("Act", step.action, 100), ("The game", said, 200),
             ("Why", why, 200))  # fmt: skip
    lines = [f"{name}: {plain(text, most)}" for name, text, most in parts if text]
    return "\n".join(lines) or "This step could not be read."


# ------------------------------------------------------------------ plan

Point = tuple[float, float]
WIDE, BETWEEN, STREET = 2.08, 0.17, 0.38  # a cell, the gap beside it, the street below it
HEAD, LINE, FOOT = 0.47, 0.21, 0.17  # of a cell: its name, a line of contents, what is below
INSIDE, NARROWEST = 0.1, 8.6  # between a cell and its words; of a whole map
WIDTHS = {6: 3, 12: 4, 30: 5, math.inf: 6}  # up to so many receptacles stand in so many columns


@dataclass(frozen=True)
class Cell:
    """A receptacle's place: its left and lower edge, its size, its row and column."""

    x: float
    y: float
    wide: float
    tall: float
    row: int
    column: int

    @property
    def middle(self) -> float:
        return self.x + self.wide / 2


@dataclass(frozen=True)
class Plan:
    """Cells by name. streets: the height of the street below each row; gaps: beside the columns;
    inside: how wide the words in a cell may be."""

    cells: Mapping[str, Cell]
    width: float
    height: float
    streets: tuple[float, ...]
    gaps: tuple[float, ...]
    inside: float

    @property
    def start(self) -> Point:
        """The middle of the room, where every player begins."""
        return self.gaps[len(self.gaps) // 2], self.streets[(len(self.streets) - 1) // 2]

    def way(self, start: str | None, goal: str, aside: float = 0.0) -> list[Point]:
        """From one receptacle (None: where the player began) to another, along the streets."""
        to = self.cells[goal]
        end, street = to.middle + aside, self.streets[to.row] + aside
        last = [(end, street), (end, to.y)]
        if start is None:
            (x, y), row = self.start, (len(self.streets) - 1) // 2
            first = [(x, y + aside)]
        else:
            cell = self.cells[start]
            x, row = cell.middle + aside, cell.row
            first = [(x, cell.y), (x, self.streets[row] + aside)]
        if row != to.row:
            gap = self.gaps[to.column + (x > to.middle)] + aside / 2
            first += [(gap, self.streets[row] + aside), (gap, street)]
        return [*first, *last]


def in_rows(names: Iterable[str], columns: int) -> list[list[str]]:
    """The receptacles in rows: those of a kind beside each other, in as few rows as they take."""
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(thing_kind(name), []).append(name)
    rows: list[list[str]] = []
    for group in sorted(kinds.values(), key=lambda group: (-len(group), group[0])):
        group.sort(key=numbered)
        for at in range(0, len(group), columns):
            part = group[at : at + columns]
            fits = [row for row in rows if len(row) + len(part) <= columns]
            if not fits:
                rows.append(part)
            else:
                max(fits, key=len).extend(part)
    return rows


def numbered(name: str) -> tuple[int, str]:
    """`drawer 2` stands before `drawer 10`."""
    number = name.rpartition(" ")[2]
    return (int(number) if number.isdecimal() and len(number) < 9 else 0), name


def plan_of(
    rows: Sequence[Sequence[str]], lines: Mapping[str, int], columns: int, wide: float
) -> Plan:
    """The plan of a house. lines: of contents, the most that a cell ever shows; wide: a cell."""
    talls = [HEAD + LINE * max(lines[name] for name in row) + FOOT for row in rows]
    height, cells, streets = sum(talls) + STREET * (len(rows) + 0.5), dict[str, Cell](), []
    top = height - STREET / 2
    for i, (row, tall) in enumerate(zip(rows, talls, strict=True)):
        for j, name in enumerate(row):
            x = BETWEEN + j * (wide + BETWEEN)
            cells[name] = Cell(x, top - tall, wide, tall, i, j)
        streets.append(top - tall - STREET / 2)
        top -= tall + STREET
    gaps = tuple(BETWEEN / 2 + j * (wide + BETWEEN) for j in range(columns + 1))
    whole = BETWEEN + columns * (wide + BETWEEN)
    return Plan(cells, whole, height, tuple(streets), gaps, wide - 2 * INSIDE)


# ---------------------------------------------------------------------- how wide words are


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """In inches, as it will be drawn."""
    weight = "bold" if bold else "normal"
    font: Any = get_font(findfont(FontProperties(family="DejaVu Sans", weight=weight)))
    font.set_size(100, 72)
    font.set_text(text, 0.0)
    return float(font.get_width_height()[0]) / 64 * size / 7200


def wrapped(items: Sequence[str], wide: float, size: float) -> list[str]:
    """A list of things in lines that are so wide; no thing is broken in two."""
    lines: list[str] = []
    for word in (*(f"{item}," for item in items[:-1]), *items[-1:]):
        if lines and text_width(longer := f"{lines[-1]} {word}", size) <= wide:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


# ------------------------------------------------------------------ floor

INK, FAINT, PALE, ROAD = "#222222", "#5A5A5A", "#E3E3E3", "#A8A8A8"
HERE, BLUE = "#E69F00", "#0072B2"  # Okabe and Ito's, as all colours here
TRAIL = (("#D55E00", 4.0, 150.0), ("#E08A4C", 2.8, 80.0), ("#EBB792", 2.0, 45.0))  # newest first
NAMES, WORDS, SMALL = 13.0, 12.0, 11.0  # sizes of letters
UNSEEN, SHUT, EMPTY = "not looked at yet", "not opened yet", "empty"
STOPS = 4  # that are named at a receptacle; of more, the last ones
EDGE, BELOW = 0.17, 0.62  # at the left of the words; the key below the map
Line = tuple[str, bool]  # words, and does the task name them?


KEYS: dict[str, dict[str, Any]] = {  # the marks of the map; what has a face is a box
    "the player": {"fc": HERE, "ec": "black", "lw": 1.2},
    UNSEEN: {"fc": PALE, "ec": FAINT, "ls": (0, (3, 2)), "lw": 1.2},
    "as last seen": {"fc": "white", "ec": INK, "lw": 1.2},
    "steps at which it came here": {"marker": "s", "mfc": "white", "mec": FAINT, "ms": 11, "lw": 0},
    "last moves": {"marker": ">", "color": TRAIL[0][0], "ms": 9, "lw": TRAIL[0][1]},
    "named in the task": {"marker": "*", "color": BLUE, "ms": 11, "mec": "none", "lw": 0},
}


def door(place: Mapping[str, Any]) -> str:
    return {True: "open", False: "closed"}.get(place["open"], "")


def with_marks(thing: str, done: Mapping[str, Iterable[str]]) -> str:
    """`lettuce 1 (clean + hot)`: a thing, and what was done to it."""
    marks = " + ".join(done.get(thing, ()))  # a comma parts things
    return f"{plain(thing, 22)} ({marks})" if marks else plain(thing, 22)


def draw_cell(
    ax: Axes, cell: Cell, place: Mapping[str, Any], lines: Iterable[Line], stops: Sequence[int],
    star: bool, here: bool,
) -> None:  # fmt: skip
    """A receptacle: its name, its door, what was last seen there, when the player came."""
    look: dict[str, Any] = {"fc": "white", "ec": INK, "lw": 1.3}
    if place["contents"] is None:
        look = {"fc": PALE, "ec": FAINT, "lw": 1.3, "ls": (0, (4, 3))}
    if here:
        look |= {"ec": HERE, "lw": 4.5, "ls": "-"}
    ax.add_patch(Rectangle((cell.x, cell.y), cell.wide, cell.tall, zorder=4, **look))
    top, shut = cell.y + cell.tall, door(place)
    words = f"{'★ ' * star}{plain(place['name'], 22)}"
    room = cell.wide - 2 * INSIDE - (text_width(shut, SMALL) + 0.2 if shut else 0)
    size = min(NAMES, NAMES * room / text_width(words, NAMES, bold=True))
    ax.text(cell.x + INSIDE, top - 0.25, words, fontsize=size, weight="bold", va="center", zorder=6,
            color=BLUE if star else INK)  # fmt: skip
    if shut:
        fill, ink = ("#333333", "white") if shut == "closed" else ("white", INK)
        boxed(ax, cell.x + cell.wide - INSIDE - 0.04, top - 0.25, shut, fill, color=ink)
    for i, (line, named) in enumerate(lines):
        colour = BLUE if named else FAINT if line in (UNSEEN, SHUT, EMPTY) else INK
        weight = "bold" if named else "normal"
        ax.text(cell.x + INSIDE, top - 0.44 - i * LINE, line, fontsize=WORDS, color=colour,
                va="top", weight=weight, zorder=6)  # fmt: skip
    if stops:
        shown = ["…"] * (len(stops) > STOPS) + [*map(str, stops[-STOPS:])]
        boxed(ax, cell.x + cell.wide - 0.1, top, "  ".join(shown), "white")


def boxed(ax: Axes, x: float, y: float, words: str, fill: str, **options: Any) -> None:
    """Words in a box, which end at x."""
    box = {"boxstyle": "square,pad=0.2", "fc": fill, "ec": INK, "lw": 1}
    look = {"fontsize": SMALL, "ha": "right", "va": "center", "zorder": 7, "bbox": box, **options}
    ax.text(x, y, words, **look)


def draw_ways(ax: Axes, plan: Plan, way: Sequence[str]) -> None:
    """Every move as a grey line along the streets, the last ones in colour with arrows."""
    moves = [*zip([None, *way], way, strict=False)]
    for start, goal in dict.fromkeys(moves[: -len(TRAIL)]):
        ax.plot(*zip(*plan.way(start, goal), strict=True), color=ROAD, lw=1.4, zorder=1)
    last = enumerate(zip(reversed(moves), TRAIL, strict=False))
    for i, ((start, goal), (colour, wide, size)) in last:
        points, layer = plan.way(start, goal, aside=0.055 * i - 0.03), 3 - i / 4
        ax.plot(*zip(*points, strict=True), color=colour, lw=wide, zorder=layer,
                solid_joinstyle="round", solid_capstyle="round")  # fmt: skip
        for (a, b), (c, d) in pairwise(points):  # a mark in the middle of each long part
            if abs(c - a) + abs(d - b) >= 0.3:
                mark = "<>"[c > a] if abs(c - a) > abs(d - b) else "v^"[d > b]
                x, y = (a + c) / 2, (b + d) / 2
                ax.scatter(x, y, s=size, marker=mark, color=colour, zorder=layer, lw=0)
    if way:
        ax.scatter(*plan.start, s=70, marker="o", fc="white", ec=FAINT, zorder=2, lw=1.5)


# ------------------------------------------------------------------ replayed

MOST = 8  # runs in one picture


def replay(run: Trajectory, world: World | None = None) -> House:
    """Do the acts of a run again. Where no picture can come of it, a sentence says why."""
    kind = kind_of(run.task.kind)
    if kind.view != "house" and world is None:
        noun = inline(kind.noun)
        raise ValueError(f"this run is of {noun}: only a run of a household game has a house")
    try:
        env = world_of(kind, world)(run.task)
    except EnvError as error:
        raise ValueError(
            f"the house of this run cannot be drawn: {error}. If the game was played in a world of "
            "your own, give that as world="
        ) from None
    if not hasattr(env, "view"):
        raise ValueError("this world has no house to draw: its Env lacks view()")
    again = act_again(run, env, lambda env: env.view())  # type: ignore[attr-defined]
    if not again.views[0].get("receptacles"):
        raise ValueError("this house has no receptacle: there is nothing to draw")
    ways = [view["way"] for view in again.views]
    moves = enumerate(pairwise(ways), 1)
    stops = tuple((i, after[-1]) for i, (before, after) in moves if len(after) > len(before))
    return House(**vars(again), run=run, stops=stops)


def several(data: Trajectory | Iterable[Trajectory], most: int = MOST) -> list[Trajectory]:
    """One run or a few, or a sentence."""
    runs = [data] if isinstance(data, Trajectory) else list(islice(data, MOST + 1))
    for run in runs:
        if not isinstance(run, Trajectory):
            raise TypeError(f"this picture is drawn of runs, not of {type(run).__name__}")
    if not runs:
        raise ValueError("there are no runs to draw")
    if len(runs) > most == 1:
        raise ValueError("this picture is of one run: give runs[0], or another one of them")
    if len(runs) > most:
        raise ValueError(f"this picture has room for {most} runs: give runs[:{most}]")
    return runs
