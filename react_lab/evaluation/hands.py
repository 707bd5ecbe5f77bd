"""Who plays the episodes: threads of ours, or any executor's workers, elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from .. import lab
from ..types import Model, Trajectory
from .gate import Gate, Gated
from .journal import Journal, Paid
from .pace import Pace, Turn
from .plan import Episode
from .spending import Spending

__all__ = ["Elsewhere", "Hands", "Here", "Outcome", "play", "play_elsewhere"]


@dataclass(frozen=True)
class Outcome:
    """What comes back of an episode: its run, the replies that it asked for, how the server was."""

    run: Trajectory
    fresh: Paid
    overloaded: bool


class Hands(Protocol):
    def play(self, episode: Episode, paid: Paid) -> Outcome: ...

    def account(self, episode: Episode, outcome: Outcome) -> bool: ...  # may it spend more?

    def stop(self) -> None: ...  # what has not begun, never will


def play(episode: Episode, paid: Paid, gate: Gate) -> Outcome:
    """One episode, to its end."""
    assert episode.kit
    gated = Gated(episode.kit.model, gate, episode.id, paid)
    method = lab.method_named(episode.method)
    run = lab.drain(method(episode.task, replace(episode.kit, model=gated)), "record")
    run = replace(run, id=episode.id, method=episode.name)
    return Outcome(run, gated.fresh, gated.overloaded)


@dataclass
class Here:
    """The thread that asks. All share one gate: its counts are always up to date."""

    gate: Gate

    def play(self, episode: Episode, paid: Paid) -> Outcome:
        return play(episode, paid, self.gate)

    def account(self, episode: Episode, outcome: Outcome) -> bool:
        return False

    def stop(self) -> None:
        pass  # the gate lets nothing through


@dataclass
class Elsewhere:
    """Workers in other processes, perhaps on other machines: each episode has a gate of its own.

    What they are sent pickles as settings. A worker gets a share of the budget, so small that all
    of them together stay inside it, and asks for another when that is spent.
    """

    pool: Executor
    gate: Gate
    model: Model
    options: Mapping[str, Any]
    lent: dict[str, dict[str, float]] = field(default_factory=dict)
    asked: dict[str, Future[Outcome]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def play(self, episode: Episode, paid: Paid) -> Outcome:
        told = (replace(episode, kit=None), paid, self.model, self.options)
        price, journal = self.gate.spending.price, self.gate.journal
        with self.lock:
            share = self.lent[episode.id] = self.share()
            asked = self.pool.submit(play_elsewhere, *told, share, price, journal)
            self.asked[episode.id] = asked
        return asked.result()

    def share(self) -> dict[str, float]:
        free = self.gate.spending.left
        for what in free.keys() - {"seconds"}:
            free[what] -= sum(share[what] for share in self.lent.values())
            free[what] /= self.gate.pace.most
        return free

    def account(self, episode: Episode, outcome: Outcome) -> bool:
        pace = self.gate.pace
        with self.lock:
            del self.lent[episode.id], self.asked[episode.id]
            for reply in outcome.fresh.values():
                self.gate.spending.add(reply)
        if outcome.overloaded:
            pace.slower(Turn(pace.cuts))
        else:
            pace.faster()
        return outcome.run.end == "budget" and bool(outcome.fresh)

    def stop(self) -> None:
        with self.lock:
            for asked in self.asked.values():
                asked.cancel()


def play_elsewhere(
    episode: Episode,
    paid: Paid,
    model: Model,
    options: Mapping[str, Any],
    share: Mapping[str, float],
    price: tuple[float, float] | None,
    journal: Journal,
) -> Outcome:
    kit = lab.kit_for(episode.task, model, repeat=episode.repeat, **options)
    gate = Gate(Pace(1), Spending(share, price), journal)
    return play(replace(episode, kit=kit), paid, gate)
