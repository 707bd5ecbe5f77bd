"""A household run, its acts done again in its world: what the player knew after each step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..asked import world_of
from ..characters import inline
from ..kinds import kind_of
from ..types import Env, EnvError, Trajectory, World

__all__ = ["Replay", "one_run", "replay", "several"]

MOST = 8  # runs in one picture
SIGHTS = ("go to ", "open ", "examine ", "take ", "put ", "move ")  # they show what is there


@dataclass(frozen=True)
class Replay:
    """views: the house as the player knew it, before the first step and after each.

    stops, sights: at which step the player went to a receptacle, or saw what is in it. whys: why
    the act of a step led nowhere. drifted: the first step whose stored answer is not the world's.
    """

    run: Trajectory
    opening: str
    views: tuple[dict[str, Any], ...]
    stops: tuple[tuple[int, str], ...]
    sights: tuple[tuple[int, str], ...]
    whys: tuple[str | None, ...]
    drifted: int | None

    def step_number(self, at: int | None) -> int:
        """None is the end; 0 is before the first step."""
        last = len(self.run.steps)
        if at is None:
            return last
        if isinstance(at, bool) or not isinstance(at, int):
            raise TypeError(f"at= takes the number of a step, not {inline(repr(at))[:40]}")
        if not 0 <= at <= last:
            raise ValueError(
                f"step {at} is not in this run: at= takes 0 (before the first step) to {last}"
            )
        return at

    def why(self, at: int) -> str | None:
        """Why the act of a step led nowhere, if it did."""
        return self.whys[at - 1] if at else None

    def caution(self, at: int) -> str:
        """A banner, from the step on at which the world and the stored run part."""
        if self.drifted is None or at < self.drifted:
            return ""
        return (
            f"CAREFUL: at step {self.drifted} the world answers otherwise than this run has it; "
            "from there on the picture may be wrong. "
        )


def replay(run: Trajectory, world: World | None = None) -> Replay:
    """Do the acts of a run again. Where no picture can come of it, a sentence says why."""
    env = env_of(run, world)
    opening = env.reset(run.task)
    view: Any = getattr(env, "view")  # noqa: B009 (only some worlds have one)
    if not view().get("receptacles"):
        raise ValueError("this house has no receptacle: there is nothing to draw")
    views, whys = [view()], list[str | None]()
    stops, sights, drifted = list[tuple[int, str]](), list[tuple[int, str]](), None
    for i, step in enumerate(run.steps, start=1):
        why = None
        if step.action is not None:
            seen = env.step(step.action)
            why = seen.why
            if drifted is None and not same(step.observation, seen.text):
                drifted = i
        views.append(view())
        whys.append(why)
        if len(views[-1]["way"]) > len(views[-2]["way"]):
            stops.append((i, views[-1]["at"]))
        if step.action is not None and why is None:
            sights += [(i, name) for name in sighted(step.action.strip(), views[-1])]
    return Replay(run, opening, tuple(views), tuple(stops), tuple(sights), tuple(whys), drifted)


def env_of(run: Trajectory, world: World | None) -> Env:
    kind = kind_of(run.task.kind)
    if run.task.kind != "household" and world is None:
        raise ValueError(
            f"this run is of {inline(kind.noun)}: only a run of a household game has a house"
        )
    try:
        env = world_of(kind, world)(run.task)
    except EnvError as error:
        raise ValueError(
            f"the house of this run cannot be drawn: {error}. If the game was played in a world of "
            "your own, give that as world="
        ) from None
    if not hasattr(env, "view"):
        raise ValueError("this world has no house to draw: its Env lacks view()")
    return env


def same(stored: str | None, said: str) -> bool:
    """A step that a person has written has no answer yet."""
    return stored is None or stored.split() == said.split()


def sighted(act: str, view: dict[str, Any]) -> Iterator[str]:
    """The receptacle that an act has shown, if its inside could be seen."""
    for place in view["receptacles"]:
        shown = place["contents"] is not None and place["open"] is not False
        if shown and act.startswith(SIGHTS) and act.endswith(f" {place['name']}"):
            yield place["name"]


# ---------------------------------------------------------------------- what a user gives


def several(data: Trajectory | Iterable[Trajectory]) -> list[Trajectory]:
    """One run or a few, or a sentence."""
    runs = [data] if isinstance(data, Trajectory) else list(islice(data, MOST + 1))
    for run in runs:
        if not isinstance(run, Trajectory):
            raise TypeError(f"this picture is drawn of runs, not of {type(run).__name__}")
    if not runs:
        raise ValueError("there are no runs to draw")
    if len(runs) > MOST:
        raise ValueError(f"this picture has room for {MOST} runs: give runs[:{MOST}]")
    return runs


def one_run(data: Trajectory | Iterable[Trajectory]) -> Trajectory:
    """A run, or a list of one."""
    runs = several(data)
    if len(runs) > 1:
        raise ValueError("this picture is of one run: give runs[0], or another one of them")
    return runs[0]
