"""Play a game by hand in a notebook: the player's seat, without any model (section 4).

from react_lab.widgets import Console
console = Console(task)       # type an act and press Enter, or click one
console.run                   # what was played so far, as a run
console.save()                # keeps it beside the runs of models
"""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from .. import data, display, store
from ..display.runs import numbered
from ..kinds import Kind, kind_of, world_of
from ..languages import say
from ..support.text import visible
from ..types import EnvError, Seen, Step, Task, Trajectory, World
from .scripts import script, style

__all__ = ["Console"]

LONGEST = 500  # characters of an act or a thought; the rest is cut off
NUMBERS = re.compile(r"(\d+)")


class Console:
    """A game for one person: a line to type in, buttons of what can be done, what was seen.

    `think: ...`, or `think[...]` in the shop, is a thought, as for a model: it changes nothing in
    the world. Why nothing happened stands beside the transcript; a model never sees it. All that a
    button does is a method, too.
    """

    def __init__(self, task: Task, world: World | None = None) -> None:
        self.kind = kind_of(task.kind)
        self.task, self.world = task, world_of(self.kind, world)
        self.lock = threading.RLock()  # JupyterLab may run a key's handler beside a cell
        self.begin()
        still = {"task": task.text, "limit": self.kind.max_steps, "thought": thought_in(self.kind)}
        self.front = front(still, view=self.view() | {"said": "", "ack": None})
        self.show()
        self.front.on_msg(self.heard)

    def begin(self) -> None:
        self.env = self.world(self.task)
        self.opening = self.env.reset(self.task)
        self.seen: list[Seen] = []
        name = f"by-hand-{self.task.id}"
        self.run = Trajectory(name, self.task, "by hand", "a person")

    def do(self, line: str) -> str:
        """Do an act, or think: what the game says to it."""
        with self.lock:
            said = self.tried(line)
            self.show(said)
            return said

    def reset(self) -> None:
        """Begin the game again; what was played is gone."""
        with self.lock:
            self.begin()
            self.show()

    def save(self, path: str | PathLike[str] = "runs/by_hand.jsonl") -> Path:
        """Add what was played to a file of runs: a person is a line of the tables, too."""
        return store.append(data.resolve(path), self.run)

    def tried(self, line: str) -> str:
        if self.run.end != "unfinished":
            return say("console.over_now")
        step = self.kind.layout.read(line[:LONGEST], len(self.run.steps) + 1)
        if not step.action and not step.thought:
            return say("console.nothing_typed")
        seen = self.env.step(step.action) if step.action else Seen("OK.")
        self.seen.append(seen)
        step = replace(
            step, observation=seen.text, human=("action",) if step.action else ("thought",)
        )
        self.run = replace(self.run, steps=(*self.run.steps, step))
        if seen.done:
            self.run = replace(self.run, end="finished", reward=seen.reward, answer=seen.answer)
        return seen.text

    # ------------------------------------------------------------------ the browser

    def heard(self, _: Any, message: dict[str, Any], __: Any) -> None:
        """A line or a click from the browser: done, then acknowledged with the new view."""
        ack, line = message.get("ack"), message.get("line")
        with self.lock:
            try:
                said = self.tried(line) if isinstance(line, str) else ""
            except EnvError as error:
                said = visible(str(error))
            if message.get("reset"):
                self.begin()
            self.show(said, ack)

    def show(self, said: str = "", ack: object = None) -> None:
        """What was done and seen, and what can be done now; the map follows when it is drawn."""
        self.front.view = self.view() | {"said": said, "ack": ack}
        house = self.task.kind == "household" and hasattr(self.env, "view")
        picture = map_of(self.run, self.world) if house and self.run.steps else b""
        if picture != self.front.picture:
            self.front.picture = picture

    def view(self) -> dict[str, Any]:
        over = self.run.end != "unfinished"
        can: list[str] = [] if over else [*getattr(self.env, "admissible", list)()]
        done = zip(self.run.steps, self.seen, strict=True)
        return {
            "opening": visible(self.opening),
            "lines": [line_of(step, seen) for step, seen in done],
            "acts": sorted(can, key=by_number),
            "over": over,
            "won": over and self.run.reward == 1.0,
        }

    # ------------------------------------------------------------------ where no kernel runs

    def __repr__(self) -> str:
        thoughts = sum(step.action is None for step in self.run.steps)
        each = {"act": len(self.run.steps) - thoughts, "thought": thoughts}
        done = ", ".join(f"{n} {name}{'s' * (n != 1)}" for name, n in each.items())
        return f"<Console: {done if self.run.steps else 'no act yet'}>"

    def _repr_mimebundle_(self, **asked: Any) -> dict[str, Any]:
        bundle: Any = self.front._repr_mimebundle_(**asked)
        found = bundle[0] if isinstance(bundle, tuple) else bundle
        words = [
            display.note(say("console.twin"), f"{self.opening}\n{say('console.to_play')}", "hint")
        ]
        for i, step in enumerate(self.run.steps, start=1):
            kind = "thought" if step.action is None else "action"
            words += [display.note(numbered(kind, i), step.thought or step.action or "", kind)]
            words += [
                display.note(numbered("observation", i), step.observation or "", "observation")
            ]
        html = display.together(words).html
        return {**found, "text/plain": repr(self), "text/html": html}


def thought_in(kind: Kind) -> str:
    """How a thought is typed: `think: ...` in a house, `think[...]` in the shop."""
    shown = kind.layout.show(Step(say("console.you_think")), 1)
    return shown.splitlines()[0].removeprefix(kind.layout.cue(1)).strip()


def line_of(step: Step, seen: Seen) -> list[object]:
    """What was done, what the game said, why nothing happened, and whether it was a thought."""
    words = (step.thought or step.action, seen.text, seen.why)
    return [*(visible(word or "") for word in words), step.action is None]


def by_number(act: str) -> list[str]:
    """cabinet 2 before cabinet 10."""
    return [part.zfill(9) if part.isdigit() else part for part in NUMBERS.split(act)]


def map_of(run: Trajectory, world: World) -> bytes:
    """The house as far as it was seen."""
    from ..plots import house

    return house(run, world=world).png


def front(still: dict[str, Any], **now: Any) -> Any:
    """The browser's side: what does not change, what an act may change, and the map."""
    import anywidget
    import traitlets

    class Front(anywidget.AnyWidget):
        _esm, _css = script("console"), style("console")
        still = traitlets.Dict().tag(sync=True)
        view = traitlets.Dict().tag(sync=True)
        picture = traitlets.Bytes().tag(sync=True)

    return Front(still=still, **now)
