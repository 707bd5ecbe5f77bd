"""The timeline of a household game: which subgoal each act served."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ..analysis.household import VERBS, Served, read_task, served
from ..types import Trajectory, World
from .house_map import caution_of, replay, several
from .picture import Picture, drawing, plain, written
from .rates import name_of

COLOURS = {  # Okabe and Ito's; the rows are named, so that none is needed to read them
    "find": "#56B4E9", "take": "#E69F00", "clean": "#CC79A7", "heat": "#CC79A7", "cool": "#CC79A7",
    "put": "#009E73", "light": "#009E73", "detour": "#BDBDBD", "led nowhere": "#D55E00",
}  # fmt: skip
ELSE = ("detour", "led nowhere")
LEFT, RIGHT, ROW, TITLE, FEWEST = 1.6, 0.5, 0.32, 0.62, 24  # inches; steps on the axis
BROAD = 9.0  # a notebook in a window of 1,000 px shows it at 60 dots an inch


@dataclass(frozen=True)
class Line:
    """A run, and what each of its acts served."""

    run: Trajectory
    task: str
    names: list[str]  # the subgoals of its task
    acts: list[Served]
    thoughts: list[int]  # at which steps

    @property
    def counts(self) -> dict[str, int]:
        counts = (len(self.run.steps), len(self.acts), len(self.thoughts))
        return dict(zip(("steps", "acts", "thoughts"), counts, strict=True))

    @property
    def title(self) -> str:
        name = f"{name_of(self.run.method)} by {plain(self.run.model, 28)}"
        told = [f"{n} {word if n != 1 else word[:-1]}" for word, n in self.counts.items()]
        done = "done" if self.run.reward else "not done"
        return f"{name}: {done} after {told[0]} ({', '.join(told[1:])})"


def subgoals(run_or_runs: Trajectory | Iterable[Trajectory], world: World | None = None) -> Picture:
    """Which subgoal each act of a household run served; several runs one below the other.

    It is read from what the acts did, not from what the thoughts say. A detour did something, but
    brought no subgoal nearer. A dot marks the act that reached a subgoal, and the word beside it
    names what was found, taken or put. world: of games that do not come with react_lab, the world
    that they were played in.
    """
    lines, warnings = list[Line](), dict[str, None]()
    for run in several(run_or_runs):
        done = replay(run, world)
        warnings[caution_of(done, len(run.steps))] = None
        goal = read_task(done.opening)
        made = [VERBS[goal.need]] if goal.need else []
        names = ["find", "take", *made, "light" if goal.lamp else "put"]
        thoughts = [i for i, step in enumerate(run.steps, 1) if step.thought]
        task = plain(done.views[0]["task"], 120)
        lines.append(Line(run, task, names, [*served(done.opening, run.steps)], thoughts))
    several_tasks = len({line.task for line in lines}) > 1
    caption = (
        f"{''.join(warnings)}{'Several tasks.' if several_tasks else f'Task: {lines[0].task}'} "
        "One square per act, in the row of the subgoal that it "
        "served; a dot: it reached it. A detour did something, but brought no subgoal nearer. "
        "Triangles are thoughts; the line is the end."
    )
    with drawing():
        figure = drawn(lines, several_tasks)
        written(figure, caption, 12.5)
    acts = [
        (name_of(line.run.method), act.step, plain(act.act, 80), act.subgoal,
         plain(act.reached) or None)
        for line in lines for act in line.acts
    ]  # fmt: skip
    columns = ["run", "step", "act", "subgoal", "reached"]
    tables = {"acts per subgoal": counted(lines), "acts": pd.DataFrame(acts, columns=columns)}
    return Picture(figure, caption, tables)


def counted(lines: Iterable[Line]) -> pd.DataFrame:
    """One row per run: how many of its acts served what."""
    rows = [
        {
            "run": name_of(line.run.method), "model": plain(line.run.model),
            "task": plain(line.task, 80), "done": bool(line.run.reward), **line.counts,
            **dict.fromkeys((*line.names, *ELSE), 0),
            **Counter(act.subgoal for act in line.acts),
        }
        for line in lines
    ]  # fmt: skip
    table = pd.DataFrame(rows)
    others = [name for name in table if name not in ELSE]
    return table[[*others, *ELSE]].astype(dict.fromkeys((*others[7:], *ELSE), "Int64"))


def drawn(lines: list[Line], several_tasks: bool) -> Figure:
    last = max(FEWEST, *(len(line.run.steps) for line in lines))
    talls = [ROW * (len(line.names) + len(ELSE) + 1) for line in lines]
    height = sum(talls) + TITLE * len(lines) + 0.55
    figure, top = Figure(figsize=(BROAD, height)), height
    figure.set_layout_engine("none")
    for line, tall in zip(lines, talls, strict=True):
        bottom = top - TITLE - tall
        box = (LEFT / BROAD, bottom / height, 1 - (LEFT + RIGHT) / BROAD, tall / height)
        ax, below = figure.add_axes(box), f"\n{plain(line.task, 70)}" if several_tasks else ""
        ax.set_title(f"{line.title}{below}", x=-LEFT / (BROAD - LEFT), fontsize=13)
        draw_line(ax, line, last)
        if line is not lines[-1]:
            ax.tick_params(labelbottom=False)
        top = bottom
    ax.set_xlabel("step")
    return figure


def draw_line(ax: Axes, line: Line, last: int) -> None:
    """One run: a row per subgoal, thoughts above them, time to the right."""
    row = {name: -i for i, name in enumerate(("thought", *line.names, *ELSE))}
    ax.set(xlim=(0.3, last + 1.3), ylim=(-len(row) + 0.5, 0.5))
    ax.set_yticks([*row.values()], [*row])
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", visible=False)
    ax.axhline(row["detour"] + 0.5, color="#555555", lw=1, ls=":")
    ax.scatter(line.thoughts, [0] * len(line.thoughts), marker="v", s=100, color="#222222", lw=0)
    ax.plot([act.step for act in line.acts], [row[act.subgoal] for act in line.acts],
            color="#9A9A9A", lw=1.2, zorder=1.5)  # fmt: skip
    final, letter = len(line.run.steps), 0.105 * (last + 1) / (BROAD - LEFT - RIGHT)
    after: dict[str, float] = {}  # of each row the step of the next act in it
    for act in reversed(line.acts):
        x, y = act.step, row[act.subgoal]
        look: dict[str, Any] = {"fc": COLOURS[act.subgoal], "ec": "#222222", "lw": 0.8, "zorder": 3}
        ax.add_patch(Rectangle((x - 0.45, y - 0.36), 0.9, 0.72, **look))
        if act.subgoal == "led nowhere":
            ax.scatter(x, y, s=34, marker="x", color="white", zorder=5, lw=2)
        if act.reached:
            ax.scatter(x, y, s=26, color="black", zorder=5, lw=0)
            words = plain(act.reached, 28)
            free = after.get(act.subgoal, final + 1 if x < final else last + 2)  # or the end's line
            if x + 1 + letter * len(words) < free:
                box = {"fc": "white", "ec": "none", "pad": 0.8}
                ax.text(x + 0.65, y, words, fontsize=12, va="center", zorder=4, bbox=box)
        after[act.subgoal] = x
    ax.axvline(final + 0.5, color="#222222", lw=1.5)
