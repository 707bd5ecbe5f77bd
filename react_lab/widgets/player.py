"""Watch an agent think, step by step: a run that is being made, or one that is kept.

rl.widgets.player(run)                      # one run; player(run_a, run_b): side by side
rl.widgets.player(task=task, model=model)   # live: steps as they happen, words as they are written
rl.widgets.player("runs/my_run.jsonl")      # the runs of a file, one at a time
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from .. import store
from ..agent import Events
from ..asked import world_of
from ..blocks import MOST, Page
from ..characters import visible
from ..display import note, show
from ..edits import rethink
from ..kinds import kind_of
from ..lab import going_on, kit_for, play, start_of
from ..languages import say
from ..methods import Play
from ..types import EnvError, Model, Task, Trajectory, World
from .player_page import page_of
from .scripts import script, style
from .sight import sight, tree
from .watched import Episode

__all__ = ["Player", "player"]

Given = Trajectory | Iterable[Trajectory] | str | PathLike[str]


def player(
    *runs: Given,
    task: Task | None = None,
    method: str | Play = "react",
    model: Model | None = None,
    world: World | None = None,
    shots: int | None = None,
    prompts: str | PathLike[str] = "ours",
    max_steps: int | None = None,
    context: int | None = None,
    n: int = 21,
    temperature: float = 0.7,
    seed: int = 0,
    end_repeats: bool = False,
) -> Player:
    """Play runs: one, two side by side, those of a file; or a task, live.

    runs: trajectories, a list of them, or the path of a file. task: played live by a method and a
    model. model: also what goes on from a step that you change. The other options are those of
    `rl.run`.
    """
    shown = Player(*runs, model=model, world=world)
    if task is not None:
        shown.live(
            task, method, shots=shots, prompts=prompts, max_steps=max_steps, context=context, n=n,
            temperature=temperature, seed=seed, end_repeats=end_repeats,
        )  # fmt: skip
    return shown


class Player:
    """Plays runs in a notebook. What a button does in the kernel is a method, too."""

    def __init__(
        self, *runs: Given, model: Model | None = None, world: World | None = None
    ) -> None:
        self.model, self.world = model, world
        self.lock = threading.RLock()  # the run in the making has a thread of its own
        self.episode: Episode | None = None  # the run in the making
        self.front = front(
            {"patience": 8000, "can_fork": model is not None, "why_not": say("player.no_model")}
        )
        self.looked = 0  # how often other runs came in sight
        self.open(*runs)
        self.front.on_msg(self.heard)

    # ------------------------------------------------------------------ what is in sight

    def open(self, *runs: Given) -> None:
        """Show other runs. Of more than 12 one at a time."""
        source = all_of(runs)
        self.stop()
        with self.lock:
            self.source, self.number = source, 0
            few = len(source) <= MOST
            self.set_runs(source if few else [source[0]], [*range(len(source))][:2] if few else [0])

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
        self.sights = [self.seen(run) for run in self.runs]
        self.looks, self.looked = looks, self.looked + 1
        self.show(whole=True)

    def seen(self, run: Trajectory, views: Sequence[Any] | None = None) -> dict[str, Any]:
        return sight(run, self.world, getattr(self.model, "context", None), views)

    @property
    def run(self) -> Trajectory:
        """The run in sight, of two the second one; of one in the making, what is known by now."""
        if not self.runs:
            raise ValueError("there is no run in this player yet")
        return self.runs[self.looks[-1]]

    # ------------------------------------------------------------------ a run in the making

    def live(self, task: Task, method: str | Play = "react", **options: Any) -> None:
        """Begin a run, and show its steps as they happen. options: those of `rl.run`."""
        episode = self.fresh(task)
        kit = kit_for(task, episode.model, world=episode.world, **options)
        self.begin(episode, start_of(method, task, kit), play(method, task, kit))

    def fork(
        self, at: int, thought: str | None = None, action: str | None = None, run: int | None = None
    ) -> None:
        """Change step `at` by hand, and let the model go on from there (Figure 5).

        run: which one, the first is 1; None is the one in sight.
        """
        parent = self.runs.index(self.run) if run is None else run - 1
        edited = rethink(self.runs[parent], at, thought, action)
        episode = self.fresh(edited.task)
        events = going_on(edited, episode.model, world=episode.world)
        self.begin(episode, edited, events, beside=[parent])

    def fresh(self, task: Task) -> Episode:
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
            self.sights.append({})
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
            self.sights[at] = self.seen(episode.run, episode.drawn)
            self.show(whole=episode.done)

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

    # ------------------------------------------------------------------ the browser

    def heard(self, _: Any, message: dict[str, Any], __: Any) -> None:
        """What was clicked: done, then acknowledged with the new view."""
        with self.lock:
            try:
                self.done(message.get("do"), message)
                alarm = ""
            except (EnvError, ValueError, TypeError) as error:
                alarm = visible(str(error))
            self.show(ack=message.get("ack"), alarm=alarm)

    def done(self, name: object, message: dict[str, Any]) -> None:
        if name in ("play", "pause", "step", "stop"):
            getattr(self, str(name))()
        elif name == "goto":
            self.goto(int(message.get("number") or 0))
        elif name == "fork":
            part, text = message.get("part"), str(message.get("text") or "")
            words = {"action" if part == "action" else "thought": text}
            self.fork(int(message.get("at") or 0), **words, run=int(message.get("run") or 0) + 1)

    def show(self, whole: bool = False, **more: Any) -> None:
        """What may have changed, in one message; whole: also the runs that are made."""
        episode, at = self.episode, -1
        if episode and not episode.done:
            at = self.places.get(episode, -1)
        with self.front.hold_sync():
            if whole or at < 0:
                self.front.runs = list(self.sights)
            self.front.live = self.sights[at] if at >= 0 else {}
            self.front.text = visible(episode.text) if episode and at >= 0 else ""
            self.front.view = {
                "looks": self.looks,
                "looked": self.looked,
                "number": self.number + 1,
                "of": len(self.source),
                "live": at,
                "playing": bool(episode and episode.playing),
                "tree": tree(self.runs),
                "shown": self.front.view.get("shown", 0) + 1,  # each is another view
                **more,
            }

    # ------------------------------------------------------------------ where no kernel runs

    def page(self) -> str:
        """The runs as one HTML file: it needs no kernel, no network and no other file."""
        return page_of(self.sights, tree(self.runs), self.looks, self.words().html)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write `page()` to a file."""
        file = Path(path)
        file.write_text(self.page(), encoding="utf-8", newline="\n")
        return file

    def words(self) -> Page:
        """The runs to be read from top to bottom."""
        chosen = [self.runs[at] for at in self.looks]
        return show(chosen + [run for run in self.runs if run not in chosen][: MOST - 2])

    def __repr__(self) -> str:
        return f"<Player: {len(self.runs)} run{'s' * (len(self.runs) != 1)}>"

    def _repr_mimebundle_(self, **asked: Any) -> dict[str, Any]:
        bundle: Any = self.front._repr_mimebundle_(**asked)
        found = bundle[0] if isinstance(bundle, tuple) else bundle
        live = note(say("player.live_run"), say("player.watch_it"), "hint")
        words = live if self.episode else self.words()
        return {**found, "text/plain": repr(self), "text/html": words.html}


def all_of(given: Sequence[Given]) -> Sequence[Trajectory]:
    """The runs that a user gives: themselves, a list of them, or the path of a file."""
    one: Any = given[0] if len(given) == 1 and not isinstance(given[0], Trajectory) else given
    if isinstance(one, str | PathLike):
        return store.open(one)
    runs: Sequence[Trajectory] = one if isinstance(one, Sequence) else list(one)
    return runs


def front(still: dict[str, Any]) -> Any:
    """The browser's side: what does not change, the runs, the one in the making, the rest."""
    import anywidget
    import traitlets

    class Front(anywidget.AnyWidget):
        _esm, _css = script("player"), style("player")
        still = traitlets.Dict().tag(sync=True)
        runs: Any = traitlets.List().tag(sync=True)
        live = traitlets.Dict().tag(sync=True)
        text = traitlets.Unicode().tag(sync=True)
        view = traitlets.Dict().tag(sync=True)

    return Front(still=still)
