"""The house of a household game as a small map: what the player has seen by a step."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import islice, pairwise
from textwrap import wrap
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ..analysis.acts import Again, act_again
from ..envs.household.alfworld import kind_of as thing_kind
from ..kinds import kind_of, world_of
from ..support.text import inline
from ..types import EnvError, Step, Trajectory, World
from .picture import Picture, drawing, plain, written
from .rates import marks_of, name_of

MOST_LINES = 7  # of what is in a receptacle
MOST_STOPS = 3  # that are named at a receptacle: the last ones
MOST_RUNS = 8  # in one picture
UNSEEN, SHUT, EMPTY = "not looked at yet", "not opened yet", "empty"
# In inches: a cell, the gap beside it, the street below it; an empty cell, a line of contents.
WIDE, GAP, STREET, EMPTY_CELL, LINE = 2.1, 0.17, 0.4, 0.5, 0.21
TITLE_ROW, KEY_ROW = 0.36, 0.62
LETTERS = 20  # of a line in a cell
INK, FAINT, PALE = "#222222", "#5A5A5A", "#E3E3E3"
HERE, BLUE = "#E69F00", "#0072B2"  # Okabe and Ito's, as all colours here
TRAIL = (("#D55E00", 4.0), ("#E08A4C", 2.8), ("#EBB792", 2.0))  # newest first
KEYS: dict[str, dict[str, Any]] = {  # the marks of the map; what has a face is a box
    "the player": {"fc": HERE, "ec": "black", "lw": 1.2},
    UNSEEN: {"fc": PALE, "ec": FAINT, "ls": (0, (3, 2)), "lw": 1.2},
    "as last seen": {"fc": "white", "ec": INK, "lw": 1.2},
    "steps at which it came here": {"marker": "s", "mfc": "white", "mec": FAINT, "ms": 11, "lw": 0},
    "last moves": {"marker": ">", "color": TRAIL[0][0], "ms": 9, "lw": TRAIL[0][1]},
    "named in the task": {"marker": "*", "color": BLUE, "ms": 11, "mec": "none", "lw": 0},
}
Line = tuple[str, bool]  # words, and does the task name them?


def house(
    run: Trajectory | Iterable[Trajectory], at: int | None = None, world: World | None = None
) -> Picture:
    """The house as the player knew it after step `at` (0: before the first; None: the end).

    What is on or in a receptacle is drawn as last seen there; a dashed grey one was not looked at
    yet. Small numbers are the steps at which the player came there; arrows are the last moves, the
    newest strongest. A star marks what the task names. world: of a game that does not come with
    react_lab, the world that the run was played in.
    """
    [run] = several(run, 1)
    done, last = replay(run, world), len(run.steps)
    at = last if at is None else at
    if type(at) is not int:
        raise TypeError(f"at= takes the number of a step, not {inline(repr(at))[:40]}")
    if not 0 <= at <= last:
        raise ValueError(
            f"step {at} is not in this run: at= takes 0 (before the first step) to {last}"
        )
    view, seen = done.views[at], done.seen[at - 1] if at else None
    why = seen.why if seen else None
    said = step_words(run.steps[at - 1], why) if at else "Nothing is done yet."
    by = f"{name_of(run.method)} by {plain(run.model, 32)}{f', step {at}' if at else ''}"
    caption = f"{caution_of(done, at)}{by}.\n{said}"

    when = f"After step {at} of {last}" if at else "Before the first step"
    where = f"at {plain(view['at'], 24)}" if view["at"] else "in the middle of the room"
    hand = with_marks(view["held"], view["done"]) if view["held"] else "nothing"
    failed = " The act led nowhere." if why else ""
    end = "" if at < last else f" The task is {'' if run.reward else 'not '}done."
    with drawing():
        figure = drawn(done, at, f"{when}: {where}, holding {hand}.{failed}{end}")
        written(figure, caption, 13)
    return Picture(figure, caption, {"house": table_of(view)})


def table_of(view: Mapping[str, Any]) -> pd.DataFrame:
    """One row per receptacle: what the player knows of it."""
    rows = []
    for place in view["receptacles"]:
        things = place["contents"]
        marked = [with_marks(thing, view["done"]) for thing in things or ()]
        contents = None if things is None else ", ".join(marked) or EMPTY
        visits = view["way"].count(place["name"])
        rows.append((plain(place["name"]), door(place), contents, visits))
    names = ["receptacle", "door", "contents", "visits"]
    return pd.DataFrame(rows, columns=names, dtype=object).astype({"visits": int})


def step_words(step: Step, why: str | None) -> str:
    """A step, a line per part; what is long is cut."""
    said = plain(step.observation or "", 200) if step.action else ""
    parts = (("Thought", step.thought, 300), ("Act", step.action, 100), ("The game", said, 200),
             ("Why", why, 200))  # fmt: skip
    lines = [f"{name}: {plain(text, most)}" for name, text, most in parts if text]
    return "\n".join(lines) or "This step could not be read."


def door(place: Mapping[str, Any]) -> str:
    return {True: "open", False: "closed"}.get(place["open"], "")


def with_marks(thing: str, done: Mapping[str, Iterable[str]]) -> str:
    """`lettuce 1 (clean + hot)`: a thing, and what was done to it."""
    marks = " + ".join(done.get(thing, ()))  # a comma parts things
    return f"{plain(thing, 22)} ({marks})" if marks else plain(thing, 22)


def lines_of(
    place: Mapping[str, Any], done: Mapping[str, Any], wanted: Collection[str]
) -> list[Line]:
    """What a cell says of its contents: what the task names first, each with a star."""
    if place["contents"] is None:
        return [(UNSEEN if place["open"] is None else SHUT, False)]
    named, rest = list[str](), list[str]()
    for thing in place["contents"]:
        words = with_marks(thing, done).replace(" ", "\u00a0", 1)  # `mug 1` is not broken
        if thing_kind(thing) in wanted:
            named += wrap(f"★ {words}", LETTERS)
        else:
            rest.append(words)
    rest = wrap(", ".join(rest) or EMPTY * (not named), LETTERS)
    lines = [(line.replace("\u00a0", " "), line in named) for line in [*named, *rest]]
    return lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], ("and more", False)]


# ------------------------------------------------------------------ the map


def drawn(done: Again, at: int, status: str) -> Figure:
    """Receptacles in rows, each as high as the most that one in it shows at any step."""
    view = done.views[at]
    wanted = set(re.findall(r"\w+", view["task"]))
    places = sorted(view["receptacles"], key=lambda place: numbered(place["name"]))
    columns = 4 if len(places) <= 12 else 5 if len(places) <= 30 else 6
    rows = [places[i : i + columns] for i in range(0, len(places), columns)]
    most = Counter[str]()  # lines
    for each in done.views:
        now = {p["name"]: len(lines_of(p, each["done"], wanted)) for p in each["receptacles"]}
        most |= Counter(now)  # the larger number of both
    talls = [EMPTY_CELL + LINE * max(most[place["name"]] for place in row) for row in rows]

    width = GAP + columns * (WIDE + GAP)
    heads = [(line, 16, "bold") for line in wrap(f"Task: {plain(view['task'], 200)}", 70)]
    heads += [(line, 14, "normal") for line in wrap(status, 80)]
    height = sum(talls) + STREET * (len(rows) + 0.5) + TITLE_ROW * len(heads)
    figure = Figure(figsize=(width, KEY_ROW + height))
    figure.set_layout_engine("none")
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    ax.set(xlim=(0, width), ylim=(-KEY_ROW, height))
    ax.legend(handles=marks_of(KEYS), loc="lower left", ncols=3, fontsize=11, borderaxespad=0.3,
              handleheight=1.2, columnspacing=2.5)  # fmt: skip
    for i, (line, letters, weight) in enumerate(heads):
        y = height - TITLE_ROW * (i + 0.5)
        ax.text(GAP, y, line, fontsize=letters, weight=weight, va="center", color=INK)

    stops: dict[str, list[int]] = {}
    for i, (before, after) in enumerate(pairwise(done.views[: at + 1]), 1):
        if len(after["way"]) > len(before["way"]):
            stops.setdefault(after["way"][-1], []).append(i)
    cells = dict[str, Rectangle]()
    top = height - TITLE_ROW * len(heads) - STREET / 2
    for row, tall in zip(rows, talls, strict=True):
        for j, place in enumerate(row):
            cell = Rectangle((GAP + j * (WIDE + GAP), top - tall), WIDE, tall, zorder=4)
            cells[place["name"]] = cell
            draw_cell(ax, cell, place, stops.get(place["name"], []), wanted, view)
        top -= tall + STREET
    moves = reversed([*pairwise(view["way"])][-len(TRAIL) :])
    for (start, goal), (colour, wide) in zip(moves, TRAIL, strict=False):
        if {start, goal} <= cells.keys():
            draw_move(ax, cells[start], cells[goal], colour, wide)
    return figure


def numbered(name: str) -> tuple[str, int, str]:
    """`drawer 2` stands before `drawer 10`."""
    kind, _, number = name.rpartition(" ")
    return kind, int(number) if number.isdecimal() and len(number) < 9 else 0, name


def draw_cell(
    ax: Axes, cell: Rectangle, place: Mapping[str, Any], stops: list[int], wanted: Collection[str],
    view: Mapping[str, Any],
) -> None:  # fmt: skip
    """A receptacle: its name, its door, what was last seen there, when the player came."""
    unseen, here = place["contents"] is None, place["name"] == view["at"]
    dashes = {"fc": PALE, "ec": FAINT, "ls": (0, (4, 3))} if unseen else {"fc": "white", "ec": INK}
    cell.set(lw=1.3, **dashes)
    if here:
        cell.set(ec=HERE, lw=4.5, ls="-")
    ax.add_patch(cell)
    (left, bottom), top = cell.get_xy(), cell.get_y() + cell.get_height()
    star = thing_kind(place["name"]) in wanted
    name: Line = (f"{'★ ' * star}{plain(place['name'], 18)}", star)
    for i, (line, named) in enumerate([name, *lines_of(place, view["done"], wanted)]):
        colour = BLUE if named else FAINT if line in (UNSEEN, SHUT, EMPTY) else INK
        weight, y = "bold" if named or i == 0 else "normal", top - 0.25 - i * LINE
        ax.text(left + 0.1, y, line, color=colour, va="center", weight=weight, zorder=6)
    if shut := door(place):
        fill, ink = ("#333333", "white") if shut == "closed" else ("white", INK)
        boxed(ax, left + 0.1, top, shut, fill, color=ink, ha="left")
    if stops:
        shown = ["…"] * (len(stops) > MOST_STOPS) + [*map(str, stops[-MOST_STOPS:])]
        boxed(ax, left + WIDE - 0.1, top, "  ".join(shown), "white", ha="right")
    if here:
        boxed(ax, left + WIDE / 2, bottom, "● here", HERE, weight="bold", ha="center")


def boxed(ax: Axes, x: float, y: float, words: str, fill: str, **look: Any) -> None:
    box = {"boxstyle": "square,pad=0.2", "fc": fill, "ec": INK, "lw": 1}
    ax.text(x, y, words, fontsize=11, va="center", zorder=7, bbox=box, **look)


def draw_move(ax: Axes, start: Rectangle, goal: Rectangle, colour: str, wide: float) -> None:
    """An arrow below the cells, seen in the streets: it ends at the edge that is nearer."""
    aside, rises = goal.get_x() - start.get_x(), goal.get_y() - start.get_y()
    x, y = (start.get_x() + WIDE / 2, start.get_y() + start.get_height() * (rises > 0))
    to = (x + aside, goal.get_y() + goal.get_height() * (rises < 0))
    bend = 0 if rises or not aside else 0.5 / aside  # in a row: through the street below it
    arrow = {"arrowstyle": "-|>", "color": colour, "lw": wide, "mutation_scale": 8 * wide,
             "connectionstyle": f"arc3,rad={bend}", "shrinkA": 0, "shrinkB": 0}  # fmt: skip
    ax.annotate("", to, (x, y), zorder=3, arrowprops=arrow)


# ------------------------------------------------------------------ done again


def replay(run: Trajectory, world: World | None = None) -> Again:
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
    view = getattr(env, "view", dict)
    again = act_again(run, env, lambda env: view())
    if not again.views[0].get("receptacles"):
        raise ValueError("nothing to draw: this world has no view() with receptacles")
    return again


def caution_of(done: Again, at: int) -> str:
    """A banner, from the step on at which the world and the stored run part."""
    if done.drifted is None or at < done.drifted:
        return ""
    return (
        f"CAREFUL: at step {done.drifted} the world answers otherwise than this run has it; "
        "from there on the picture may be wrong. "
    )


def several(data: Trajectory | Iterable[Trajectory], most: int = MOST_RUNS) -> list[Trajectory]:
    runs = [data] if isinstance(data, Trajectory) else list(islice(data, MOST_RUNS + 1))
    for run in runs:
        if not isinstance(run, Trajectory):
            raise TypeError(f"this picture is drawn of runs, not of {type(run).__name__}")
    if not runs:
        raise ValueError("there are no runs to draw")
    if len(runs) > most:
        number = "one run" if most == 1 else f"{most} runs"
        raise ValueError(f"this picture has room for {number}: give runs[:{most}]")
    return runs
