"""Where each receptacle stands on the map of a house: a grid, kind by kind, and the ways between.

All lengths are inches, from the lower left corner.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

__all__ = [
    "Cell", "Plan", "columns_of", "halves", "in_rows", "plan_of", "text_width", "thing_kind",
    "wrapped",
]  # fmt: skip

Point = tuple[float, float]
WIDE, BETWEEN, STREET = 2.08, 0.17, 0.38  # a cell, the gap beside it, the street below it
HEAD, LINE, FOOT = 0.47, 0.21, 0.17  # of a cell: its name, a line of contents, what is below
INSIDE, NARROWEST = 0.1, 8.6  # between a cell and its words; of a whole map


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
    """Cells by name. streets: the height of the street below each row; gaps: beside the columns."""

    cells: Mapping[str, Cell]
    width: float
    height: float
    streets: tuple[float, ...]
    gaps: tuple[float, ...]

    @property
    def inside(self) -> float:
        """How wide the words in a cell may be."""
        return next(cell.wide for cell in self.cells.values()) - 2 * INSIDE

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


def thing_kind(name: str) -> str:
    """`fridge 1` is a fridge."""
    return name.partition(" ")[0]


def columns_of(n: int) -> int:
    """So many columns that a map is a little wider than tall."""
    return 3 if n <= 6 else 4 if n <= 12 else 5 if n <= 30 else 6


def in_rows(names: Iterable[str], columns: int) -> list[list[str]]:
    """The receptacles in rows: those of a kind beside each other, in as few rows as they take."""
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(thing_kind(name), []).append(name)
    rows: list[list[str]] = []
    ragged: dict[int, list[list[str]]] = {}  # rows that have room for so many more
    for group in sorted(kinds.values(), key=lambda group: (-len(group), group[0])):
        group.sort(key=numbered)
        for at in range(0, len(group), columns):
            part = group[at : at + columns]
            room = next((n for n in range(len(part), columns) if ragged.get(n)), 0)
            row: list[str] = ragged[room].pop(0) if room else []
            if not room:
                rows.append(row)
            row += part
            ragged.setdefault(columns - len(row), []).append(row)
    return rows


def numbered(name: str) -> tuple[int, str]:
    """`drawer 2` stands before `drawer 10`."""
    number = name.rpartition(" ")[2]
    return (int(number) if number.isdecimal() and len(number) < 9 else 0), name


def plan_of(rows: Sequence[Sequence[str]], lines: Mapping[str, int], columns: int) -> Plan:
    """The plan of a house. lines: of contents, the most that a cell ever shows."""
    wide = max(WIDE, (NARROWEST - BETWEEN) / columns - BETWEEN)
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
    return Plan(cells, BETWEEN + columns * (wide + BETWEEN), height, tuple(streets), gaps)


# ---------------------------------------------------------------------- how wide words are


def text_width(text: str, size: float, bold: bool = False) -> float:
    """In inches, as it will be drawn; the font is asked only once for a text."""
    return measured(text, bold) * size / 720


@lru_cache(maxsize=4096)
def measured(text: str, bold: bool) -> float:
    """In points, at size 10."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    weight = "bold" if bold else "normal"
    font: Any = get_font(findfont(FontProperties(family="DejaVu Sans", weight=weight)))
    font.set_size(100, 72)
    font.set_text(text, 0.0)
    return float(font.get_width_height()[0]) / 64 / 10


def wrapped(items: Sequence[str], wide: float, size: float) -> list[str]:
    """A list of things in lines that are so wide; no thing is broken in two."""
    lines: list[str] = []
    for i, item in enumerate(items):
        word = item if i == len(items) - 1 else f"{item},"
        longer = f"{lines[-1]} {word}" if lines else ""
        if longer and text_width(longer, size) <= wide:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def halves(points: Sequence[Point], shortest: float = 0.3) -> list[tuple[Point, str]]:
    """The middle of each long part of a way, and a mark that points along it."""
    found = []
    for (a, b), (c, d) in pairwise(points):
        if abs(c - a) + abs(d - b) >= shortest:
            mark = (">" if c > a else "<") if abs(c - a) > abs(d - b) else ("^" if d > b else "v")
            found.append((((a + c) / 2, (b + d) / 2), mark))
    return found
