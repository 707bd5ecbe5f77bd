"""Watch an agent think, step by step: a run that is being made, or one that is kept.

rl.widgets.player(run)                      # one run; player(run_a, run_b): side by side
rl.widgets.player(task=task, model=model)   # live: steps as they happen, words as they are written
rl.widgets.player("runs/my_run.jsonl")      # the runs of a file, one at a time
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from string import Template
from typing import Any

from .. import store
from ..agent import AroundWorld, Events, with_step
from ..display import note, show
from ..display.html import MOST, Page, inert
from ..display.runs import edited, families
from ..kinds import kind_of, world_of
from ..languages import say, spoken
from ..methods import Play, with_vote
from ..replay import going_on, rethink
from ..running import kit_for, play, start_of, with_options
from ..support.files import expand, write
from ..support.text import visible
from ..types import Ask, Cancelled, Env, Model, OnText, Reply, Task, Trajectory, World, Wrapped
from .run_view import run_view, view_of
from .widget_model import HERE, Widget, script, style

Given = Trajectory | Iterable[Trajectory] | str | PathLike[str]
START = """
const given = JSON.parse(document.getElementById("data").textContent);
const model = { get: (name) => given[name], on() {}, off() {}, send() {} };
document.getElementById("words").open = false;
render({ model, el: document.getElementById("player") });
"""  # of a page without a kernel


@with_options
def player(
    *runs: Given,
    task: Task | None = None,
    method: str | Play = "react",
    model: Model | None = None,
    world: World | None = None,
    **options: Any,
) -> Player:
    """Play runs: one, two side by side, those of a file; or a task, live.

    runs: trajectories, a list of them, or the path of a file. task: played live by a method and a
    model. model: also what goes on from a step that you change.
    """
    if task is None and (options or method != "react"):
        raise ValueError("a method and options are of a task that is played live: give task=, too")
    made = Player(*runs, model=model, world=world)
    if task is not None:
        made.live(task, method, **options)
    return made


class Player(Widget):
    """Plays runs in a notebook. What a button does in the kernel is a method, too."""

    name = "player"

    def __init__(
        self, *runs: Given, model: Model | None = None, world: World | None = None
    ) -> None:
        self.model, self.world = model, world
        self.episode: Episode | None = None  # the run in the making, in a thread of its own
        self.on_end: Callable[[Trajectory], None] = lambda run: None  # called when one has ended
        still = {"can_fork": model is not None, "why_not": say("player.no_model")}
        super().__init__(still={"patience": 8000, **still}, runs=[], live={}, text="", view={})
        self.looked = 0  # how often other runs came in sight
        self.open(*runs)

    def open(self, *runs: Given) -> None:
        """Show other runs. Of more than 12 one at a time."""
        source = all_of(runs)
        self.stop()
        with self.lock:
            self.source, self.number = source, 0
            shown = source if len(source) <= MOST else [source[0]]
            self.set_runs(shown, [*range(len(shown))][:2])

    def goto(self, number: int) -> None:
        """Of more than 12 runs, show this one; the first is 1."""
        if not 1 <= number <= len(self.source):
            raise ValueError(say("player.no_such_run", number=number, n=len(self.source)))
        self.stop()
        with self.lock:
            self.number = number - 1
            self.set_runs([self.source[self.number]], [0])

    def set_runs(self, runs: Iterable[Trajectory], looks: list[int]) -> None:
        """looks: those in sight, one, or two side by side."""
        self.runs, self.places = list(runs), dict[Episode, int]()
        for run in self.runs:
            if not isinstance(run, Trajectory):
                raise TypeError(f"a player plays runs, not {type(run).__name__}")
        self.run_views = [self.view_of(run) for run in self.runs]
        self.looks, self.looked = looks, self.looked + 1
        self.show(whole=True)

    def view_of(self, run: Trajectory, views: Sequence[Any] | None = None) -> dict[str, Any]:
        return run_view(run, self.world, getattr(self.model, "context", None), views)

    @property
    def run(self) -> Trajectory:
        """The run in sight, of two the second one; of one in the making, what is known by now."""
        if not self.runs:
            raise ValueError("there is no run in this player yet")
        return self.runs[self.looks[-1]]

    # ------------------------------------------------------------------ a run in the making

    def live(self, task: Task, method: str | Play = "react", **options: Any) -> None:
        """Begin a run, and show its steps as they happen. options: those of `rl.run`."""
        episode = self.prepare(task)
        kit = kit_for(task, episode.model, world=episode.world, **options)
        self.begin(episode, start_of(method, task, kit), play(method, task, kit))

    def fork(
        self, at: int, thought: str | None = None, action: str | None = None, run: int | None = None
    ) -> None:
        """Change step `at` by hand, and let the model go on from there (Figure 5).

        run: which one, the first is 1; None is the one in sight.
        """
        parent = self.runs.index(self.run) if run is None else run - 1
        start = rethink(self.runs[parent], at, thought, action)
        episode = self.prepare(start.task)
        events = going_on(start, episode.model, world=episode.world)
        self.begin(episode, start, events, beside=[parent])

    def prepare(self, task: Task) -> Episode:
        """An episode to be begun; one that is under way is stopped first."""
        if self.model is None:
            raise ValueError(say("player.no_model"))
        self.stop()
        return Episode(self.model, world_of(kind_of(task.kind), self.world), self.hear)

    def begin(
        self, episode: Episode, start: Trajectory, events: Events, beside: Sequence[int] = ()
    ) -> None:
        with self.lock:
            self.episode, self.places[episode] = episode, len(self.runs)
            self.runs.append(start)
            self.run_views.append({})
            self.looks, self.looked = [*beside, self.places[episode]], self.looked + 1
            episode.begin(start, events)

    def hear(self, episode: Episode) -> None:
        """What an episode has to show: a text that grows, a step more, or its end."""
        with self.lock:
            if (at := self.places.get(episode)) is None:
                return  # other runs are in sight by now
            if not episode.done and self.runs[at] is episode.run:
                self.front.text = visible(episode.text)
                return
            self.runs[at] = episode.run
            # the world's views, before the first step and after each, if they are known
            known = len(episode.views) == len(episode.run.steps) + 1
            self.run_views[at] = self.view_of(episode.run, episode.views if known else None)
            self.show(whole=episode.done)
        if episode.done:
            self.on_end(episode.run)

    def play(self) -> None:
        """Let the run in the making go on, to its end."""
        self.allow(math.inf)

    def pause(self) -> None:
        """Let it wait after the step under way."""
        self.allow(0)

    def step(self) -> None:
        """Let it make one step, and wait."""
        self.allow(1)

    def allow(self, steps: float) -> None:
        if self.episode:
            self.episode.allow(steps)
            self.show()

    def stop(self) -> None:
        """End the run in the making; its steps are kept, and it ends as cancelled."""
        if self.episode:
            self.episode.stop()

    def wait(self) -> Trajectory:
        """Wait for the end of the run in the making; the run."""
        if episode := self.episode:
            episode.thread.join()
            self.episode = None
            return self.runs[self.places[episode]]
        return self.run

    def act(self, message: dict[str, Any]) -> None:
        at, run, number = (int(message.get(name) or 0) for name in ("at", "run", "number"))
        match message.get("do"):
            case "play" | "pause" | "step" | "stop" as name:
                getattr(self, name)()
            case "goto":
                self.goto(number)
            case "fork":
                part = "action" if message.get("part") == "action" else "thought"
                self.fork(at, **{part: str(message.get("text") or "")}, run=run + 1)

    def show(self, ack: object = None, alarm: str = "", whole: bool = False) -> None:
        """What may have changed, in one message; whole: also the runs that are made."""
        episode = self.episode
        at = self.places.get(episode, -1) if episode and not episode.done else -1
        with self.front.hold_sync():
            if whole or at < 0:
                self.front.runs = list(self.run_views)
            self.front.live = self.run_views[at] if at >= 0 else {}
            self.front.text = visible(episode.text) if episode and at >= 0 else ""
            self.front.view = {
                "looks": self.looks, "looked": self.looked, "number": self.number + 1,
                "of": len(self.source), "live": at,
                "playing": bool(episode and not episode.done and episode.left > 0),
                "tree": tree(self.runs),
                "shown": self.front.view.get("shown", 0) + 1,  # each is another view
                "ack": ack, "alarm": alarm,
            }  # fmt: skip

    def page(self) -> str:
        """The runs as one HTML file: it needs no kernel, no network and no other file.

        The same runs stand in it as HTML that reads without any script.
        """
        view = {"looks": self.looks, "looked": 1, "number": 1, "of": 1, "live": -1}
        view |= {"playing": False, "tree": tree(self.runs)}
        still = {"static": True, "can_fork": False, "why_not": say("page.no_model")}
        data = {"still": still, "runs": self.run_views, "live": {}, "text": "", "view": view}
        played = script("player") + START
        digest = base64.b64encode(hashlib.sha256(played.encode()).digest()).decode()
        sources = f"script-src 'sha256-{digest}'; style-src 'unsafe-inline'"
        page = Template((HERE / "player_page.html").read_text(encoding="utf-8"))
        return page.substitute(
            rules=f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'",
            title=inert(self.run_views[0]["task"][:200] if self.runs else say("page.no_run")),
            lang=spoken(), head=inert(say("page.head")), in_words=inert(say("page.in_words")),
            style=style("player"), words=show_runs(self.runs, self.looks).html,
            data=json.dumps(data).replace("<", "\\u003c").replace("&", "\\u0026"), script=played,
        )  # fmt: skip

    def save(self, path: str | PathLike[str]) -> Path:
        """Write `page()` to a file."""
        return write(expand(path), self.page())

    def words(self) -> Page:
        if self.episode:
            return note(say("player.live_run"), say("player.watch_it"), "hint")
        return show_runs(self.runs, self.looks)

    def __repr__(self) -> str:
        return f"<Player: {len(self.runs)} run{'s' * (len(self.runs) != 1)}>"


def show_runs(runs: Sequence[Trajectory], first: Sequence[int]) -> Page:
    """The runs to be read from top to bottom, those in sight first."""
    chosen = [runs[at] for at in first]
    return show(chosen + [run for run in runs if run not in chosen][: MOST - 2])


def tree(runs: Sequence[Trajectory]) -> list[list[Any]]:
    """Of each run: which one it goes on from (-1: none), what it is, what a person did to it."""
    rows = []
    for branch in sorted((one for family in families(runs) for one in family), key=lambda b: b.at):
        parent = -1 if branch.parent is None else branch.parent
        did = [say("sight.goes_on", run=parent + 1), *edited(branch)] if parent >= 0 else []
        name = say("parts.comma").join([branch.run.method, branch.run.model])
        rows.append([parent, visible(name), visible(say("parts.semicolon").join(did))])
    return rows


def all_of(given: Sequence[Given]) -> Sequence[Trajectory]:
    """The runs that a user gives: themselves, a list of them, or the path of a file."""
    one: Any = given[0] if len(given) == 1 and not isinstance(given[0], Trajectory) else given
    if isinstance(one, str | PathLike):
        return store.open(one)
    runs: Sequence[Trajectory] = one if isinstance(one, Sequence) else list(one)
    return runs


# ---------------------------------------------------------------------- a run in the making

MOMENT = 0.1  # seconds between two looks at a text that is being written


class LiveModel(Wrapped):
    """A model that says what it writes while it writes, and asks no more once it is stopped."""

    def __init__(self, model: Model, hear: OnText, stop: threading.Event) -> None:
        super().__init__(model)
        self.hear, self.stop = hear, stop

    def complete(self, ask: Ask, on_text: OnText | None = None) -> Mapping[int, Reply]:
        written, last = "", -math.inf

        def add(piece: str) -> None:
            nonlocal written, last
            if self.stop.is_set():
                raise Cancelled("a person stopped the run")
            written += piece
            if piece and time.monotonic() - last >= MOMENT:
                self.hear(written)
                last = time.monotonic()

        add("")  # is it stopped already?
        replies = super().complete(ask, add)
        self.hear(written)
        return replies


class Episode:
    """A run in the making. `hear` is called, in its thread, when it has more to show.

    model, world: what the events must be made with; then `begin` them.
    """

    def __init__(self, model: Model, world: World, hear: Callable[[Episode], None]) -> None:
        self.stopped, self.gate = threading.Event(), threading.Condition()
        self.left = math.inf  # how many steps it may make before it waits
        self.model = LiveModel(model, self.hear_text, self.stopped)
        self.world = AroundWorld(world, self.keep)
        self.env: Env | None = None  # that the world has made last
        self.hear, self.text, self.done = hear, "", False
        self.views: list[Mapping[str, Any]] = []

    def begin(self, start: Trajectory, events: Events) -> None:
        """start: the run before its first step; the steps in it come again as events."""
        self.run, self.events = replace(start, steps=(), end="unfinished"), events
        self.given, self.over = len(start.steps), False
        env = self.world.world(start.task)
        env.reset(start.task)
        self.views = [view_of(env)] if hasattr(env, "view") else []
        self.thread = threading.Thread(target=self.work, daemon=True, name="react_lab player")
        self.hear(self)
        self.thread.start()

    def work(self) -> None:
        """Make it, in its thread. What is there already, or only ends, waits for nobody."""
        try:
            while True:
                if not self.over and len(self.run.steps) >= self.given:
                    with self.gate:
                        self.gate.wait_for(lambda: self.left > 0 or self.stopped.is_set())
                        self.left -= 1
                event = next(self.events)
                vote = event.leg == "cot" and "cot-sc" in self.run.method
                run = (with_vote if vote else with_step)(self.run, event)
                self.run, self.text = replace(run, end="unfinished"), ""
                self.over = event.seen.done and not vote and "->" not in run.method
                if not vote and self.views and self.env:
                    self.views.append(view_of(self.env))
                self.hear(self)
        except StopIteration as stop:  # the run is whole
            self.run = stop.value
        finally:  # an error of ours is shown by the notebook; the player must not wait for it
            self.done, self.text = True, ""
            self.hear(self)

    def keep(self, env: Env) -> Env:
        self.env = env
        return env

    def hear_text(self, text: str) -> None:
        self.text = text
        self.hear(self)

    def allow(self, steps: float) -> None:
        """So many steps from now on: none is a pause, `math.inf` plays to the end."""
        with self.gate:
            self.left = steps
            self.gate.notify_all()

    def stop(self) -> None:
        """No more is asked; what was paid for is kept, in a run that ends as cancelled."""
        self.stopped.set()
        self.allow(0)
