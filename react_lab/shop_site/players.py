"""Who plays which goal: each player has an episode of his own, and every episode is kept as a run.

A name is a player: who comes back under it goes on with the goals that it has not ended yet, also
in the middle of one; when all are ended, all come again, and their runs say so (`repeat`).
"""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from os import PathLike

from .. import data, files, store
from ..agent import observe, with_step, world_name
from ..envs.shop import Shop, ShopEnv
from ..kinds import kind_of
from ..score import NO_MODEL
from ..types import Event, Halt, Step, Task, Trajectory

__all__ = ["METHOD", "Book", "Episode", "Player", "Players"]

METHOD = "human"
MOST = 200  # players at once; beyond that, who was away for longest leaves
SAME = ("player", "world", "max_steps", "repeat")
Key = tuple[str, ...]  # of an episode, whether or not it goes on from one that was cut short
Wanted = Callable[[Trajectory], bool]


def key_of(run: Trajectory) -> Key:
    return (run.task.id, *(str(run.settings.get(name)) for name in SAME))


class Episode:
    """A goal somebody shops for: every act is done by the world, and is a step of the run."""

    def __init__(self, run: Trajectory, env: ShopEnv, cut: Trajectory | None = None) -> None:
        self.run, self.env, self.kept = run, env, False
        self.began = time.monotonic() - (cut.seconds if cut else 0.0)
        env.reset(run.task)
        for step in cut.steps if cut else ():
            self.do(step.action or "")

    @property
    def limit(self) -> int:
        return int(self.run.settings["max_steps"])

    @property
    def ended(self) -> bool:
        return self.run.end != "unfinished"

    def do(self, act: str) -> None:
        """One act. A purchase ends the run, and so does the last step that an agent would have."""
        run = self.run
        try:
            step, seen = observe(self.env, Step(action=act), sparse=True)
        except Halt as halt:
            self.run = replace(run, end=halt.end, error=str(halt))
            return
        run = with_step(run, Event(METHOD, len(run.steps) + 1, step, seen))
        full = run.end == "unfinished" and len(run.steps) >= self.limit
        self.run = replace(run, end="step_limit") if full else run

    def timed(self) -> Trajectory:
        """The run, with the time that it took a person."""
        return replace(self.run, seconds=round(time.monotonic() - self.began, 3))


class Book:
    """The file of runs, and what it says of who has played what."""

    def __init__(self, path: str | PathLike[str], wanted: Wanted) -> None:
        self.path, self.wanted, self.lock = data.resolve(path), wanted, threading.Lock()
        self.ended: dict[Key, Trajectory] = {}  # without their steps
        self.cut: dict[Key, Trajectory] = {}  # runs to go on with
        files.ready(self.path, store.RUNS)
        for run in store.open(self.path) if self.path.exists() else ():
            self.note(run)

    def note(self, run: Trajectory) -> None:
        if not self.wanted(run):
            return
        key = key_of(run)
        if run.end == "unfinished":
            self.cut[key] = run
        else:
            self.cut.pop(key, None)
            self.ended[key] = replace(run, steps=())

    def keep(self, run: Trajectory) -> None:
        """On the disk when this returns."""
        with self.lock:
            store.append(self.path, run)
            self.note(run)

    def taken(self) -> set[Key]:
        with self.lock:
            return {*self.ended}

    def runs_of(self, player: str | None = None) -> list[Trajectory]:
        """The ended runs of a player, or of all."""
        with self.lock:
            runs = list(self.ended.values())
        return [run for run in runs if player in (None, run.settings["player"])]


@dataclass
class Player:
    """One browser: a name, the episode that is open, and the number of the page that is shown.

    Every form says the number of its page (`turn`): one of an earlier page does nothing.
    """

    name: str
    repeat: int
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))  # stands in its forms
    lock: threading.Lock = field(default_factory=threading.Lock)
    episode: Episode | None = None
    turn: int = 0
    gone: bool = False


class Players:
    """All who play, the goals, and the runs that are kept."""

    def __init__(
        self,
        tasks: Sequence[Task],
        path: str | PathLike[str],
        world: Shop | None = None,
        others: Iterable[Trajectory] = (),
        most: int = MOST,
    ) -> None:
        """others: runs of agents, for comparison."""
        self.tasks, self.world, self.most = tasks, world or Shop(), most
        self.asked = {"world": world_name(self.world), "max_steps": kind_of("shop").max_steps}
        for task in tasks:
            self.world(task)  # a goal of another catalogue is said now
        self.book = Book(path, self.wanted)
        self.others = compared(others, {task.id for task in tasks})
        self.here: OrderedDict[str, Player] = OrderedDict()  # by cookie, the longest away first
        self.open: set[Key] = set()
        self.lock = threading.Lock()

    def wanted(self, run: Trajectory) -> bool:
        """Whether a stored run is one of these goals, played as here."""
        same = all(run.settings.get(name) == value for name, value in self.asked.items())
        return run.method == METHOD and same and run.task.id in {task.id for task in self.tasks}

    def start(self, task: Task, name: str, repeat: int, parent: str | None = None) -> Trajectory:
        """An empty run, whose id is known before its first step."""
        settings = {**self.asked, "player": name, "repeat": repeat}
        facts = [task.id, task.kind, task.text, dict(task.extra), METHOD, settings, parent]
        known = json.dumps(facts, sort_keys=True, default=str)
        id = hashlib.sha256(known.encode("utf-8", "backslashreplace")).hexdigest()[:16]
        return Trajectory(id, task, METHOD, NO_MODEL, settings, parent=parent)

    # ------------------------------------------------------------------ who is here

    def join(self, name: str) -> Player:
        """A new player; whoever was away for longest makes room, and keeps what he has done."""
        while longest := self.too_many():
            self.leave(longest)
        with self.lock:
            player = Player(name or f"guest {secrets.token_hex(4)}", 0)
            player.repeat = next(r for r in count() if self.free(player.name, r))
            self.here[player.cookie] = player
        with player.lock:
            self.go_on(player)
        return player

    def too_many(self) -> Player | None:
        with self.lock:
            return next(iter(self.here.values())) if len(self.here) >= self.most else None

    def find(self, cookie: str) -> Player | None:
        with self.lock:
            if cookie in self.here:
                self.here.move_to_end(cookie)
            return self.here.get(cookie)

    def leave(self, player: Player) -> None:
        """Go away; a run that was begun is kept as it is, to go on with."""
        with player.lock:
            self.put_away(player)
            player.gone = True
            with self.lock:
                self.here.pop(player.cookie, None)

    def close(self) -> None:
        """All leave. What the disk refuses is said when all others are kept."""
        refused: OSError | None = None
        for player in list(self.here.values()):
            try:
                self.leave(player)
            except OSError as error:
                refused = error
        if refused:
            raise refused

    # ------------------------------------------------------------------ goals; under player.lock

    def free(self, name: str, repeat: int) -> list[Trajectory]:
        """The goals that a name has not ended in this round, as runs without steps."""
        taken = self.book.taken() | self.open
        runs = (self.start(task, name, repeat) for task in self.tasks)
        return [run for run in runs if key_of(run) not in taken]

    def more(self, player: Player) -> bool:
        """Whether there is another goal for this player."""
        with self.lock:
            return bool(self.free(player.name, player.repeat))

    def go_on(self, player: Player) -> None:
        """The next goal that this name has not ended; at last there is none."""
        self.put_away(player)
        with self.lock:
            run = next(iter(self.free(player.name, player.repeat)), None)
            if run is None:
                return
            self.open.add(key_of(run))
        player.episode = self.begun(run)

    def begun(self, run: Trajectory) -> Episode:
        """An episode; one that was cut short is played again up to there, and goes on."""
        cut = self.book.cut.get(key_of(run))
        if cut is None:
            return Episode(run, self.world(run.task))
        asked = run.settings
        run = self.start(run.task, asked["player"], asked["repeat"], parent=cut.id)
        return Episode(run, self.world(run.task), cut)

    def act(self, player: Player, act: str) -> None:
        if player.episode and not player.episode.ended:
            player.episode.do(act)
            self.settle(player)

    def give_up(self, player: Player) -> None:
        """It counts as a goal that was not reached, as with an agent that buys nothing."""
        episode = player.episode
        if episode and not episode.ended:
            episode.run = replace(episode.run, end="cancelled")
            self.settle(player)

    def settle(self, player: Player) -> None:
        """Keep an ended run, once. If the disk refuses, the next look at the page tries again."""
        episode = player.episode
        if episode and episode.ended and not episode.kept:
            episode.run = episode.timed()
            self.book.keep(episode.run)
            episode.kept = True

    def put_away(self, player: Player) -> None:
        """Close the episode that is open; what was done in it is kept."""
        episode = player.episode
        if episode is None:
            return
        self.settle(player)
        if not episode.ended and episode.run.steps:
            self.book.keep(episode.timed())
        player.episode = None
        with self.lock:
            self.open.discard(key_of(episode.run))


def compared(runs: Iterable[Trajectory], ids: set[str]) -> list[Trajectory]:
    """Agents' runs of these goals, without their steps."""
    mine = (run for run in runs if run.task.id in ids and run.method != METHOD)
    return [replace(run, steps=()) for run in mine if run.task.kind == "shop"]
