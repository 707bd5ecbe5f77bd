"""The timeline of a household game: which subgoal each act served."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..types import Trajectory, World
from .house_map import House, replay, several, text_width
from .picture import Picture, drawing, plain, written
from .rates import name_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..analysis.household import Served

COLOURS = {  # Okabe and Ito's; the rows are named, so that none is needed to read them
    "find": "#56B4E9", "take": "#E69F00", "clean": "#CC79A7", "heat": "#CC79A7", "cool": "#CC79A7",
    "put": "#009E73", "light": "#009E73", "detour": "#BDBDBD", "led nowhere": "#D55E00",
}  # fmt: skip
THOUGHT, WRITTEN, HEAD = "#222222", 12, 13
LEFT, RIGHT, ROW, TITLE, FEWEST = 1.6, 0.5, 0.32, 0.62, 24  # inches; steps on the axis
BROAD = 9.0  # a notebook in a window of 1,000 px shows it at 60 dots an inch


@dataclass(frozen=True)
class Line:
    """A run, and what each of its acts served."""

    house: House
    names: list[str]  # the subgoals of its task
    acts: list[Served]

    @property
    def run(self) -> Trajectory:
        return self.house.run

    @property
    def thoughts(self) -> list[int]:
        return [i for i, step in enumerate(self.run.steps, start=1) if step.thought]

    def title(self, task: str) -> str:
        done = "done" if self.run.reward else "not done"
        counts = f"{number(self.acts, 'act')}, {number(self.thoughts, 'thought')}"
        name = f"{name_of(self.run.method)} by {plain(self.run.model, 28)}"
        return f"{name}: {done} after {number(self.run.steps, 'step')} ({counts}){task}"

    def counts(self) -> dict[str, int]:
        rows = [*self.names, *ELSE]
        return {name: sum(act.subgoal == name for act in self.acts) for name in rows}


def number(things: Sequence[object], word: str) -> str:
    return f"{len(things)} {word}{'s' * (len(things) != 1)}"


ELSE = ("detour", "led nowhere")


def subgoals(run_or_runs: Trajectory | Iterable[Trajectory], world: World | None = None) -> Picture:
    """Which subgoal each act of a household run served; several runs one below the other.

    It is read from what the acts did, not from what the thoughts say. A detour did something, but
    brought no subgoal nearer. A dot marks the act that reached a subgoal, and the word beside it
    names what was found, taken or put. world: of games that do not come with react_lab, the world
    that they were played in.
    """
    lines = [line_of(run, world) for run in several(run_or_runs)]
    caption = caption_of(lines)
    with drawing():
        figure = drawn(lines)
        written(figure, caption, 12.5)
    return Picture(figure, caption, {"acts per subgoal": counted(lines), "acts": listed(lines)})


def line_of(run: Trajectory, world: World | None) -> Line:
    from ..analysis.household import read_task, served, subgoals_of

    done = replay(run, world)
    acts = served(done.opening, run.steps)
    return Line(done, subgoals_of(read_task(done.opening)), acts)


def caption_of(lines: Sequence[Line]) -> str:
    tasks = dict.fromkeys(line.house.views[0]["task"] for line in lines)
    warnings = dict.fromkeys(line.house.caution(len(line.run.steps)) for line in lines)
    about = f"Task: {plain(next(iter(tasks)), 120)}" if len(tasks) == 1 else "Several tasks."
    return (
        f"{''.join(warnings)}{about} One square per act, in the row of the subgoal that it "
        "served; a dot: it reached it. A detour did something, but brought no subgoal nearer. "
        "Triangles are thoughts; the line is the end."
    )


# ---------------------------------------------------------------------- tables


def counted(lines: Sequence[Line]) -> pd.DataFrame:
    """One row per run: how many of its acts served what."""
    import pandas as pd

    rows = [
        {
            "run": name_of(line.run.method), "model": plain(line.run.model),
            "task": plain(line.house.views[0]["task"], 80), "done": bool(line.run.reward),
            "steps": len(line.run.steps), "thoughts": len(line.thoughts), "acts": len(line.acts),
            **line.counts(),
        }
        for line in lines
    ]  # fmt: skip
    served = dict.fromkeys([*(name for line in lines for name in line.names), *ELSE], "Int64")
    columns = ["run", "model", "task", "done", "steps", "thoughts", "acts", *served]
    return pd.DataFrame(rows, columns=columns).astype(served)


def listed(lines: Sequence[Line]) -> pd.DataFrame:
    """One row per act."""
    import pandas as pd

    rows = [
        {
            "run": name_of(line.run.method), "step": act.step, "act": plain(act.act, 80),
            "subgoal": act.subgoal, "reached": plain(act.reached) or None,
        }
        for line in lines for act in line.acts
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["run", "step", "act", "subgoal", "reached"])


# ---------------------------------------------------------------------- the picture


def drawn(lines: Sequence[Line]) -> Figure:
    from matplotlib.figure import Figure

    last = max(FEWEST, *(len(line.run.steps) for line in lines))
    scale = (BROAD - LEFT - RIGHT) / (last + 1)
    talls = [ROW * (len(line.names) + len(ELSE) + 1) for line in lines]
    height = sum(talls) + TITLE * len(lines) + 0.55
    figure, top = Figure(figsize=(BROAD, height)), height
    figure.set_layout_engine("none")
    tasks = {line.house.views[0]["task"] for line in lines}
    for line, tall in zip(lines, talls, strict=True):
        bottom = top - TITLE - tall
        box = (LEFT / BROAD, bottom / height, 1 - (LEFT + RIGHT) / BROAD, tall / height)
        ax, task = figure.add_axes(box), plain(line.house.views[0]["task"], 70)
        ax.set_title(line.title(f"\n{task}" if len(tasks) > 1 else ""), x=-LEFT / (BROAD - LEFT),
                     fontsize=HEAD)  # fmt: skip
        draw_line(ax, line, last, scale)
        if line is not lines[-1]:
            ax.tick_params(labelbottom=False)
        top = bottom
    ax.set_xlabel("step")
    return figure


def draw_line(ax: Axes, line: Line, last: int, scale: float) -> None:
    """One run: a row per subgoal, thoughts above them, time to the right."""
    from matplotlib.patches import Rectangle

    names = ["thought", *line.names, *ELSE]
    row = {name: -i for i, name in enumerate(names)}
    ax.set(xlim=(0.3, last + 1.3), ylim=(-len(names) + 0.5, 0.5))
    ax.set_yticks([*row.values()], [*row])
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", visible=False)
    ax.axhline(row["detour"] + 0.5, color="#555555", lw=1, ls=":")
    ax.scatter(line.thoughts, [0] * len(line.thoughts), marker="v", s=100, color=THOUGHT, lw=0)
    spots = [(act.step, row[act.subgoal]) for act in line.acts]
    if spots:
        ax.plot(*zip(*spots, strict=True), color="#9A9A9A", lw=1.2, zorder=1.5)
    for act in line.acts:
        x, y = act.step, row[act.subgoal]
        look: dict[str, Any] = {"fc": COLOURS[act.subgoal], "ec": "#222222", "lw": 0.8, "zorder": 3}
        ax.add_patch(Rectangle((x - 0.45, y - 0.36), 0.9, 0.72, **look))
        if act.reached:
            ax.scatter(x, y, s=26, color="black", zorder=5, lw=0)
        if act.subgoal == "led nowhere":
            ax.scatter(x, y, s=34, marker="x", color="white", zorder=5, lw=2)
    final = len(line.run.steps)
    for act, after in with_next(line.acts):
        words = plain(act.reached, 28)
        free = after or (final + 1 if act.step < final else None)  # to the line of the end
        room = (free - act.step - 1) * scale if free else (last + 1.3 - act.step) * scale + 0.3
        if act.reached and text_width(words, WRITTEN) + 0.1 < room:
            box = {"fc": "white", "ec": "none", "pad": 0.8}
            ax.text(act.step + 0.65, row[act.subgoal], words, fontsize=WRITTEN, va="center",
                    zorder=4, bbox=box)  # fmt: skip
    ax.axvline(final + 0.5, color="#222222", lw=1.5)


def with_next(acts: Sequence[Served]) -> list[tuple[Served, int | None]]:
    """Each act, and the step of the next one in its row."""
    found: list[tuple[Served, int | None]] = []
    after: dict[str, int] = {}
    for act in reversed(acts):
        found.append((act, after.get(act.subgoal)))
        after[act.subgoal] = act.step
    return found
