"""The house of a household game as a small map: what the player has seen by a step."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ..types import Step, Trajectory, World
from .floor import (
    EMPTY,
    INK,
    KEY_ROW,
    SHUT,
    UNSEEN,
    WORDS,
    Line,
    door,
    draw_badges,
    draw_cell,
    draw_key,
    draw_player,
    draw_ways,
    key_rows,
    with_marks,
)
from .picture import Picture, drawing, plain, written
from .plan import Plan, columns_of, in_rows, plan_of, thing_kind, wrapped
from .replayed import Replay, one_run, replay
from .rows import name_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["House", "house", "lines_of"]

MOST_LINES = 7  # of what is in a receptacle
HEAD, EDGE = 0.36, 0.17


def house(
    run: Trajectory | Iterable[Trajectory], at: int | None = None, world: World | None = None
) -> Picture:
    """The house as the player knew it after step `at` (0: before the first; None: the end).

    What is on or in a receptacle is drawn as last seen there; a dashed grey one was not looked at
    yet. Small numbers are the steps at which the player came there; arrows are the last moves, the
    newest strongest. A star marks what the task names. world: of a game that does not come with
    react_lab, the world that the run was played in.
    """
    found = House(replay(one_run(run), world))
    at = found.replay.step_number(at)
    caption = found.caption(at)
    return Picture(found.figure(at, caption), caption, {"house": found.table(at)})


@dataclass(frozen=True, eq=False)
class House:
    """A run's house, replayed once; its map has the same places at every step."""

    replay: Replay

    @functools.cached_property
    def wanted(self) -> frozenset[str]:
        """The kinds of things that the task names."""
        return frozenset(re.findall(r"\w+", self.replay.views[0]["task"]))

    @functools.cached_property
    def plan(self) -> Plan:
        """Every cell has room for the most that it shows at any step."""
        names = [place["name"] for place in self.replay.views[0]["receptacles"]]
        columns = columns_of(len(names))
        rows, most = in_rows(names, columns), dict.fromkeys(names, 1)
        narrow = plan_of(rows, most, columns)
        for view in self.replay.views:
            for place in view["receptacles"]:
                lines = self.lines(place, view["done"], narrow.inside)
                most[place["name"]] = max(most[place["name"]], len(lines))
        return plan_of(rows, most, columns)

    def lines(
        self, place: Mapping[str, Any], done: Mapping[str, Any], wide: float
    ) -> tuple[Line, ...]:
        """What a cell says of its contents."""
        if place["contents"] is None:
            return ((UNSEEN if place["open"] is None else SHUT, False),)
        things = place["contents"]
        named = tuple((thing, with_marks(thing, done.get(thing, ()))) for thing in things)
        return lines_of(named, self.wanted, wide)

    # ------------------------------------------------------------------ in words

    def status(self, at: int) -> str:
        """Where the player stands, and with what in hand."""
        view, steps = self.replay.views[at], len(self.replay.run.steps)
        when = f"After step {at} of {steps}" if at else "Before the first step"
        where = f"at {plain(view['at'], 24)}" if view["at"] else "in the middle of the room"
        held = view["held"]
        hand = with_marks(held, view["done"].get(held, ())) if held else "nothing"
        end = "" if at < steps else f" The task is {'' if self.replay.run.reward else 'not '}done."
        failed = " The act led nowhere." if self.replay.why(at) else ""
        return f"{when}: {where}, holding {hand}.{failed}{end}"

    def caption(self, at: int) -> str:
        run = self.replay.run
        by = f"{name_of(run.method)} by {plain(run.model, 32)}"
        said = step_words(run.steps[at - 1], self.replay.why(at)) if at else "Nothing is done yet."
        return f"{self.replay.caution(at)}{by}{f', step {at}' if at else ''}.\n{said}"

    def words(self, at: int) -> str:
        """The whole map as text, a line per receptacle."""
        rows = self.table(at).to_dict("records")
        lines = [
            f"{row['receptacle']}{row['door'] and ', '}{row['door']}: {row['contents'] or SHUT}"
            for row in rows if row["contents"] or row["door"]
        ]  # fmt: skip
        left = [row["receptacle"] for row in rows if not (row["contents"] or row["door"])]
        unseen = [f"Not looked at yet: {', '.join(left)}"] if left else []
        task = f"Task: {plain(self.replay.views[at]['task'], 200)}"
        return "\n".join([task, self.status(at), *lines, *unseen])

    def table(self, at: int) -> pd.DataFrame:
        """One row per receptacle, with the step at which its contents were last seen."""
        import pandas as pd

        view, rows = self.replay.views[at], []
        done, way = view["done"], view["way"]
        seen = {name: step for step, name in self.replay.sights if step <= at}
        for place in view["receptacles"]:
            name, things = place["name"], place["contents"]
            marked = [with_marks(thing, done.get(thing, ())) for thing in things or ()]
            contents = None if things is None else ", ".join(marked) or EMPTY
            rows.append((plain(name), door(place), contents, seen.get(name), way.count(name)))
        names = ["receptacle", "door", "contents", "seen at step", "visits"]
        df = pd.DataFrame(rows, columns=names).astype({"contents": object, "seen at step": "Int64"})
        return df.assign(contents=df["contents"].where(df["contents"].notna(), None))

    # ------------------------------------------------------------------ as a map

    def figure(self, at: int, caption: str = "") -> Figure:
        from matplotlib.figure import Figure

        with drawing():
            plan, view, heads = self.plan, self.replay.views[at], self.heads(at)
            top, below = HEAD * len(heads) + 0.05, KEY_ROW * len(key_rows(self.plan.width)) + 0.08
            figure = Figure(figsize=(plan.width, below + plan.height + top))
            figure.set_layout_engine("none")
            ax = figure.add_axes((0, 0, 1, 1))
            ax.set_axis_off()
            ax.set(xlim=(0, plan.width), ylim=(-below, plan.height + top))
            for i, (words, size, weight) in enumerate(heads):
                y = plan.height + top - HEAD * (i + 0.5)
                ax.text(EDGE, y, words, fontsize=size, weight=weight, va="center", color=INK)
            draw_ways(ax, plan, view["way"])
            stops = [(i, name) for i, name in self.replay.stops if i <= at]
            for place in view["receptacles"]:
                name, cell = place["name"], plan.cells[place["name"]]
                lines = self.lines(place, view["done"], plan.inside)
                star, here = thing_kind(name) in self.wanted, name == view["at"]
                draw_cell(ax, cell, place, lines, star, here)
                draw_badges(ax, cell, [i for i, stop in stops if stop == name])
            draw_player(ax, plan, view)
            draw_key(ax, plan.width)
            if caption:
                written(figure, caption, 13)
        return figure

    def heads(self, at: int) -> list[tuple[str, float, str]]:
        """The task and the status, each with its size and weight, in lines that fit."""
        task = f"Task: {plain(self.replay.views[at]['task'], 200)}"
        looks = ((task, 16.0, "bold", 0.66), (self.status(at), 14.0, "normal", 0.58))
        return [
            (line, size, weight)
            for words, size, weight, letter in looks
            for line in wrap(words, int((self.plan.width - 2 * EDGE) * 72 / (letter * size)))
        ]


# ---------------------------------------------------------------------- words


@functools.lru_cache(maxsize=4096)
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
