"""What a person does by hand: label runs, and play a game in the player's seat (section 4).

rl.Labeller(runs, path="labels/me.jsonl", by="me", blind=True)
console = rl.widgets.Console(task)   # type an act and press Enter, or click one
console.run                          # what was played so far, as a run
console.save()                       # keeps it beside the runs of models
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from .. import data, display, plots, store
from ..display.runs import numbered
from ..kinds import kind_of, world_of
from ..label.session import Session, fixed, picture, run_in_sight
from ..languages import say, word
from ..support.text import visible
from ..types import Part, Seen, Step, Task, Trajectory, World
from .widget_model import Widget

KEYS = frozenset({
    "sound", "unsound", "label", "step", "note", "defer", "override", "undo", "redo", "next",
    "back", "goto", "filter",
})  # fmt: skip
LONGEST = 500  # characters of an act or a thought; the rest is cut off
NUMBERS = re.compile(r"(\d+)")


def press(act: Callable[..., str]) -> Callable[..., str]:
    """What a key does, as a method: the session acts, the browser shows the new view."""

    @functools.wraps(act)
    def key(self: Labeller, *arguments: Any, **options: Any) -> str:
        with self.lock:
            answer = act(self.session, *arguments, **options)
            self.show()
        return answer

    return key


class Labeller(Widget):
    """Labels runs with keys or buttons; a label has its tick when it is on the disk.

    runs, path, by: what to label, the file the labels go to, and who gives them. Options as for
    `label.Session`: modes (of one's own, as `label.Modes` takes them), blind (judge first, with
    gold, method, model and grade hidden), gold (a file of agreed labels: a calibration round),
    between (files of annotators: what they differ on), suggestions (what the rules say, after your
    own label), seed (shuffles the order).
    """

    name = "labeller"

    def __init__(
        self, runs: Sequence[Trajectory], path: str | PathLike[str], by: str, **options: Any
    ) -> None:
        self.session = Session(runs, path, by, **options)
        now = {"run": run_in_sight(self.session), "view": picture(self.session)}
        super().__init__(still=fixed(self.session), **now)
        self.sent: tuple[int, bool] | None = None  # the run that the browser has, and how
        self.show()

    sound, unsound, label = press(Session.sound), press(Session.unsound), press(Session.label)
    step, note, defer = press(Session.step), press(Session.note), press(Session.defer)
    override, undo, redo = press(Session.override), press(Session.undo), press(Session.redo)
    next, back, goto = press(Session.next), press(Session.back), press(Session.goto)
    filter = press(Session.filter)

    def receive(self, _: Any, message: dict[str, Any], __: Any) -> None:
        if message.get("key") in KEYS and self.session.order:
            super().receive(_, message, __)
        else:
            self.front.send({"ack": message.get("ack")})  # only to know whether anybody is here

    def act(self, message: dict[str, Any]) -> None:
        """A disk that is full or gone is reported in red where the person is looking."""
        argument = message.get("argument")
        try:
            getattr(self.session, message["key"])(*[] if argument is None else [argument])
        except OSError as error:
            raise ValueError(say("labeller.disk", why=visible(str(error)))) from None

    def show(self, ack: object = None, alarm: str = "") -> None:
        """What a key may have changed, in one message; the run only when another is in sight."""
        view = picture(self.session)
        sight = (self.session.in_sight[0], view["hidden"]) if view["number"] else None
        with self.front.hold_sync():
            if sight != self.sent or not self.front.run:
                self.front.run, self.sent = run_in_sight(self.session), sight
            self.front.view = view | {"ack": ack, "alarm": alarm}

    def words(self) -> display.Page:
        return twin(picture(self.session) | run_in_sight(self.session), self.front.still)

    def __repr__(self) -> str:
        done, all_ = len(self.session.labelled), len(self.session.everything)
        return f"<Labeller by {self.session.file.by!r}: {done} labels, {all_} runs>"


def twin(view: dict[str, Any], still: dict[str, Any]) -> display.Page:
    """The run in sight as inert HTML: for GitHub, a printout, a notebook without its kernel."""
    kind = word("labeller.kinds", still["kind"])
    if not view["number"]:
        return display.note(kind, say("labeller.no_run"))
    where = {"at": view["number"], "of": view["of"], "file": still["file"]}
    blocks: list[Any] = [(kind, say("labeller.twin", n=view["done"], **where))]
    blocks.append((word("parts", view["asked"]), view["question"]))
    if view["opening"]:
        blocks.append((say("labeller.opening"), view["opening"]))
    for part in view["parts"]:
        text = "".join(text for text, _ in part["pieces"])
        blocks.append((numbered(part["name"], part["step"]), text, part["name"]))
    if not view["game"]:
        blocks.append((word("parts", "answer"), view["answer"], "answer"))
    elif view["end"]:
        blocks.append((say("show.ended"), display.ended(view["end"])))
    blocks += map(tuple, view["facts"])
    blocks += [(say("parts.pair", name=by, value=said), why) for by, said, why in view["others"]]
    if view["label"]:
        words = f"{word('modes', view['label'])}\n{view['note']}".strip()
        blocks.append((say("labeller.your_label"), words))
    return display.together(display.note(*block) for block in blocks)


# ---------------------------------------------------------------------- a game


class Console(Widget):
    """A game for one person: a line to type in, buttons of what can be done, what was seen.

    `think: ...`, or `think[...]` in the shop, is a thought, as for a model: it changes nothing in
    the world. Why nothing happened stands beside the transcript; a model never sees it. All that a
    button does is a method, too.
    """

    name = "console"

    def __init__(self, task: Task, world: World | None = None) -> None:
        self.kind = kind_of(task.kind)
        self.task, self.world = task, world_of(self.kind, world)
        self.begin()
        layout = self.kind.layout
        shown = layout.show(Step(say("console.you_think")), 1).splitlines()[0]
        thought = shown.removeprefix(layout.cue(1)).strip()  # how it is typed: `think: ...`
        still = {"task": task.text, "limit": self.kind.max_steps, "thought": thought}
        super().__init__(still=still, view=self.view() | {"said": "", "ack": None}, picture=b"")
        self.show()

    def begin(self) -> None:
        self.env = self.world(self.task)
        self.opening, self.said = self.env.reset(self.task), ""
        self.seen: list[Seen] = []
        name = f"by-hand-{self.task.id}"
        self.run = Trajectory(name, self.task, "by hand", "a person")

    def do(self, line: str) -> str:
        """Do an act, or think: what the game says to it."""
        with self.lock:
            self.said = self.take(line)
            self.show()
            return self.said

    def reset(self) -> None:
        """Begin the game again; what was played is gone."""
        with self.lock:
            self.begin()
            self.show()

    def save(self, path: str | PathLike[str] | None = None) -> Path:
        """Add what was played to a file of runs: a person is a line of the tables, too.

        path: None is runs/by_hand.jsonl, which all notebooks share.
        """
        return store.append(path or data.shared("runs/by_hand.jsonl"), self.run)

    def take(self, line: str) -> str:
        if self.run.end != "unfinished":
            return say("console.over_now")
        step = self.kind.layout.read(line[:LONGEST], len(self.run.steps) + 1)
        if not step.action and not step.thought:
            return say("console.nothing_typed")
        seen = self.env.step(step.action) if step.action else Seen("OK.")
        self.seen.append(seen)
        human: tuple[Part, ...] = ("action",) if step.action else ("thought",)
        step = replace(step, observation=seen.text, human=human)
        self.run = replace(self.run, steps=(*self.run.steps, step))
        if seen.done:
            self.run = replace(self.run, end="finished", reward=seen.reward, answer=seen.answer)
        return seen.text

    def act(self, message: dict[str, Any]) -> None:
        self.said, line = "", message.get("line")
        if isinstance(line, str):
            self.said = self.take(line)
        if message.get("reset"):
            self.begin()

    def show(self, ack: object = None, alarm: str = "") -> None:
        """What was done and seen, and what can be done now; the map follows when it is drawn."""
        self.front.view = self.view() | {"said": alarm or self.said, "ack": ack}
        has_map = self.kind.view == "house" and hasattr(self.env, "view") and self.run.steps
        self.front.picture = plots.house(self.run, world=self.world).png if has_map else b""

    def view(self) -> dict[str, Any]:
        over = self.run.end != "unfinished"
        acts: list[str] = [] if over else [*getattr(self.env, "admissible", list)()]
        acts.sort(key=by_number)
        lines = []  # what was done, what the game said, why nothing happened; was it a thought?
        for step, seen in zip(self.run.steps, self.seen, strict=True):
            texts = step.thought or step.action or "", seen.text, seen.why or ""
            lines.append([*map(visible, texts), step.action is None])
        told = {"opening": visible(self.opening), "lines": lines, "acts": acts}
        return {**told, "over": over, "won": over and self.run.reward == 1.0}

    def words(self) -> display.Page:
        how = f"{self.opening}\n{say('console.to_play')}"
        pages = [display.note(say("console.twin"), how, "hint")]
        for i, step in enumerate(self.run.steps, start=1):
            kind = "thought" if step.action is None else "action"
            texts = {kind: step.thought or step.action, "observation": step.observation}
            pages += [display.note(numbered(k, i), text or "", k) for k, text in texts.items()]
        return display.together(pages)

    def __repr__(self) -> str:
        thoughts = sum(step.action is None for step in self.run.steps)
        each = {"act": len(self.run.steps) - thoughts, "thought": thoughts}
        done = ", ".join(f"{n} {name}{'s' * (n != 1)}" for name, n in each.items())
        return f"<Console: {done if self.run.steps else 'no act yet'}>"


def by_number(act: str) -> list[str]:
    """cabinet 2 before cabinet 10."""
    return [part.zfill(9) if part.isdigit() else part for part in NUMBERS.split(act)]
