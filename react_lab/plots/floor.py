"""The parts of the map of a house: a receptacle, the ways between them, the player, the key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .picture import plain
from .plan import INSIDE, LINE, Cell, Plan, halves, text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "BLUE", "EMPTY", "INK", "KEY_ROW", "UNSEEN", "WORDS", "Line", "door", "draw_badges",
    "draw_cell", "draw_key", "draw_player", "draw_ways", "key_rows", "with_marks",
]  # fmt: skip

INK, FAINT, PALE, ROAD = "#222222", "#5A5A5A", "#E3E3E3", "#A8A8A8"
HERE, BLUE = "#E69F00", "#0072B2"  # Okabe and Ito's, as all colours here
TRAIL = (("#D55E00", 4.0, 150.0), ("#E08A4C", 2.8, 80.0), ("#EBB792", 2.0, 45.0))  # newest first
NAMES, WORDS, SMALL = 13.0, 12.0, 11.0  # sizes of letters
UNSEEN, SHUT, EMPTY = "not looked at yet", "not opened yet", "empty"
BADGES = 4  # stops that are named at a receptacle; of more, the last ones
EDGE, KEY_ROW = 0.17, 0.34
Line = tuple[str, bool]  # words, and does the task name them?
KEYS = (  # how it looks, and what it means
    ("here", "the player"),
    ("unseen", UNSEEN),
    ("seen", "as last seen"),
    ("badge", "came here at this step"),
    ("trail", "last moves"),
    ("star", "named in the task"),
)


def door(place: Mapping[str, Any]) -> str:
    return {True: "open", False: "closed"}.get(place["open"], "")


def with_marks(thing: str, marks: Iterable[str]) -> str:
    """`lettuce 1 (clean + hot)`: a thing, and what was done to it."""
    done = " + ".join(marks)  # a comma parts things
    return f"{plain(thing, 22)} ({done})" if done else plain(thing, 22)


def draw_cell(
    ax: Axes, cell: Cell, place: Mapping[str, Any], lines: Iterable[Line], star: bool, here: bool
) -> None:
    """A receptacle: its name, its door, and what was last seen there."""
    from matplotlib.patches import Rectangle

    look: dict[str, Any] = {"fc": "white", "ec": INK, "lw": 1.3}
    if place["contents"] is None:
        look = {"fc": PALE, "ec": FAINT, "lw": 1.3, "ls": (0, (4, 3))}
    if here:
        look |= {"ec": HERE, "lw": 4.5, "ls": "-"}
    ax.add_patch(Rectangle((cell.x, cell.y), cell.wide, cell.tall, zorder=4, **look))
    draw_name(ax, cell, place, star)
    y = cell.y + cell.tall - 0.44
    for words, named in lines:
        colour = BLUE if named else FAINT if words in (UNSEEN, SHUT, EMPTY) else INK
        ax.text(cell.x + INSIDE, y, words, fontsize=WORDS, color=colour, va="top", zorder=6,
                weight="bold" if named else "normal")  # fmt: skip
        y -= LINE


def draw_name(ax: Axes, cell: Cell, place: Mapping[str, Any], star: bool) -> None:
    words, shut = f"{'★ ' * star}{plain(place['name'], 22)}", door(place)
    room = cell.wide - 2 * INSIDE - (text_width(shut, SMALL) + 0.2 if shut else 0)
    size = min(NAMES, NAMES * room / text_width(words, NAMES, bold=True))
    y = cell.y + cell.tall - 0.25
    ax.text(cell.x + INSIDE, y, words, fontsize=size, weight="bold", va="center", zorder=6,
            color=BLUE if star else INK)  # fmt: skip
    if shut:
        fill, ink = ("#333333", "white") if shut == "closed" else ("white", INK)
        box = {"boxstyle": "square,pad=0.2", "fc": fill, "ec": INK, "lw": 1}
        ax.text(cell.x + cell.wide - INSIDE - 0.04, y, shut, fontsize=SMALL, color=ink, ha="right",
                va="center", zorder=6, bbox=box)  # fmt: skip


def draw_badges(ax: Axes, cell: Cell, steps: Sequence[int]) -> None:
    """The steps at which the player came here."""
    shown = [str(step) for step in steps[-BADGES:]]
    if len(steps) > BADGES:
        shown[0] = "…"
    x = cell.x + cell.wide - 0.06
    for words in reversed(shown):
        wide = max(text_width(words, SMALL) + 0.12, 0.22)
        box = {"boxstyle": "round,pad=0.18", "fc": "white", "ec": FAINT, "lw": 1}
        ax.text(x - wide / 2, cell.y + cell.tall, words, fontsize=SMALL, ha="center", va="center",
                color=INK, zorder=7, bbox=box)  # fmt: skip
        x -= wide + 0.07


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
        for (x, y), mark in halves(points):
            ax.scatter(x, y, s=size, marker=mark, color=colour, zorder=layer, lw=0)
    if way:
        ax.scatter(*plan.start, s=70, marker="o", fc="white", ec=FAINT, zorder=2, lw=1.5)


def draw_player(ax: Axes, plan: Plan, view: Mapping[str, Any]) -> None:
    """A label where the player stands: what is in hand."""
    held = view["held"]
    hand = f" with {with_marks(held, view['done'].get(held, ()))}" if held else ""
    cell = plan.cells.get(view["at"] or "")
    x, y = (cell.middle, cell.y - 0.01) if cell else plan.start
    words = f"● here{hand}"
    size = min(WORDS, WORDS * 2.2 / text_width(words, WORDS, bold=True))
    box = {"boxstyle": "round,pad=0.25", "fc": HERE, "ec": "black", "lw": 1.2}
    ax.text(x, y, words, fontsize=size, weight="bold", ha="center", va="center", color="black",
            zorder=9, bbox=box)  # fmt: skip


def key_rows(width: float) -> list[list[tuple[str, str, float]]]:
    """The key in rows that fit: each mark, its words, and where it begins."""
    rows: list[list[tuple[str, str, float]]] = [[]]
    x = EDGE
    for mark, words in KEYS:
        wide = 0.42 + text_width(words, SMALL) + 0.3
        if x + wide - 0.3 > width and rows[-1]:
            rows.append([])
            x = EDGE
        rows[-1].append((mark, words, x))
        x += wide
    return rows


def draw_key(ax: Axes, width: float) -> None:
    from matplotlib.patches import Rectangle

    looks: dict[str, dict[str, Any]] = {
        "here": {"fc": HERE, "ec": "black"},
        "unseen": {"fc": PALE, "ec": FAINT, "ls": (0, (3, 2))},
        "seen": {"fc": "white", "ec": INK},
        "badge": {"fc": "white", "ec": FAINT},
    }
    signs = {"badge": "7", "star": "★", "trail": "➜"}
    for i, row in enumerate(key_rows(width)):
        y = -0.16 - KEY_ROW * i
        for mark, words, x in row:
            if mark in looks:
                ax.add_patch(Rectangle((x, y - 0.1), 0.32, 0.2, lw=1.2, **looks[mark]))
            colour = {"star": BLUE, "trail": TRAIL[0][0]}.get(mark, INK)
            ax.text(x + 0.16, y, signs.get(mark, ""), fontsize=SMALL + 2 * (mark == "trail"),
                    ha="center", va="center", color=colour)  # fmt: skip
            ax.text(x + 0.42, y, words, fontsize=SMALL, va="center", color=INK)
