"""Why a household game was lost, from what was done in it; the words of thoughts count for nothing.

Every act is done again in the game, beside what the player could know by then (`Belief`) and what a
good player would have done (`Player`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from ... import score
from ...envs.household import rules
from ...envs.household.game import Game, State
from ...envs.household.goal import LOOK, NEEDS, TWO
from ...envs.household.world import THOUGHT, Household, HouseholdEnv
from ...types import FAULTS, Trajectory, World
from .belief import LISTED, NAME, STATES, Belief, Goal, kind_of
from .player import Move, Player

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CAUSES", "COUNTS", "Account", "account", "causes", "why_lost"]

IDLE = 10  # so many acts without news at the end of a run: it is stuck
SUBGOALS = ("take", "make", "put", "light")
CAUSES = {  # in this order: the first that fits is the one that counts
    "fault": "the model or the game could not be reached",
    "broke off": "no act could be read, the model refused, or its context was full",
    "wrong thing": "it cleaned, heated, cooled, brought or kept a thing of another kind, and never "
    "had the right one",
    "forgot a subgoal": "it put the thing there not cleaned, heated or cooled, or lit the lamp "
    "without the thing, which it had seen",
    "wrong place": "it put the thing elsewhere, the two in two places, or lit another lamp",
    "one of two": "it brought one thing and had no second in hand",
    "stuck": f"its last {IDLE} acts or more changed nothing and showed nothing new",
    "never found": "it never saw the thing, or the lamp, and was still looking",
    "passed by": "what it needed next was one act away, and it went elsewhere for good",
    "out of steps": "none of these: it was still under way",
}
COUNTS = {  # what else is counted in a run, won or lost
    "nowhere": "acts to which nothing happened",
    "again": "acts done before in the same state of the house",
    "back": "walks to a place that was known and not needed",
    "thoughts": "thoughts",
    "unseen": "places never looked into",
}


@dataclass(frozen=True)
class Account:
    """Why a run was lost (None: it was not), and its `COUNTS`."""

    cause: str | None
    nowhere: int
    again: int
    back: int
    thoughts: int
    unseen: int


def why_lost(run: Trajectory, world: World | None = None) -> str | None:
    """The one main cause of a lost run, a name in `CAUSES`; None of one that is won or unfinished.

    world: where the run's game is found; None is `Household()`.
    """
    return account(run, world).cause


def account(run: Trajectory, world: World | None = None) -> Account:
    """What happened in a run, whatever its acts are."""
    env = (world or Household())(run.task) if run.task.kind == "household" else None
    if not isinstance(env, HouseholdEnv):
        raise ValueError(f"{run.task!r} is no household game: only those can be accounted for")
    course = Course.of(env.game)
    for step in run.steps:
        act = (step.action or "").strip()
        said = bool(THOUGHT.match(act))
        course.thoughts += said or step.thought is not None
        if act and not said:
            course.follow(act)
    lost = score.correct(run) is False
    unseen = len(set(course.know.places) - course.know.inside.keys())
    cause = next(cause for cause, so in course.told(run.end).items() if so) if lost else None
    return Account(cause, course.nowhere, course.again, course.back, course.thoughts, unseen)


def causes(runs: Trajectory | Iterable[Trajectory], world: World | None = None) -> pd.DataFrame:
    """The frame of household runs with their `cause` and `COUNTS` as further columns."""
    import pandas as pd

    runs = [runs] if isinstance(runs, Trajectory) else list(runs)
    found = pd.DataFrame([asdict(account(run, world)) for run in runs], columns=["cause", *COUNTS])
    return pd.concat([score.frame(runs), found], axis="columns")


def goal_in(game: Game) -> Goal:
    """The goal as a player knows it, however its task is worded."""
    thing, target = game.goal.object, game.goal.target
    _, done = NEEDS.get(game.goal.type) or ("", "")
    need = STATES.get(done.removeprefix("is"), "")
    if game.goal.type == LOOK:
        return Goal(thing, lamp=target)
    return Goal(thing, target, need=need, count=2 if game.goal.type == TWO else 1)


@dataclass
class Course:
    """A run as it goes: what it did, what it came to know, and what would have been next."""

    game: Game
    state: State
    know: Belief
    player: Player
    nowhere: int = 0
    again: int = 0
    back: int = 0
    thoughts: int = 0
    idle: int = 0  # acts since there was news
    done: set[tuple[State, str]] = field(default_factory=set)
    been: set[State] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)  # of the things that it saw
    put: dict[str, str] = field(default_factory=dict)  # what it put down, and where that is
    had: bool = False  # the right thing in hand
    misused: bool = False  # a thing of another kind
    unlit: bool = False  # the right lamp was lit, and not the right thing under it
    other_lamp: bool = False
    passed: bool = False

    @classmethod
    def of(cls, game: Game) -> Course:
        places = tuple(place for place in game.spots if re.fullmatch(NAME, place))
        know = Belief(goal_in(game), places)
        return cls(game, game.start, know, Player(know), been={game.start})

    def follow(self, words: str) -> None:
        """Do one more act."""
        best, seen_before = self.player.next(), len(self.know.inside)
        self.again += (self.state, words) in self.done
        self.done.add((self.state, words))
        act = rules.acts(self.game, self.state).get(words)
        text = rules.NOTHING
        if act is None:
            self.nowhere += 1
        else:
            self.note(act, best)
            self.state, text = rules.do(self.game, self.state, act)
        self.know.see(words, text)
        self.kinds.update(map(kind_of, LISTED.findall(text)))
        news = self.state not in self.been or len(self.know.inside) > seen_before
        self.been.add(self.state)
        self.idle = 0 if news else self.idle + 1

    def note(self, act: rules.Act, best: Move) -> None:
        """What an act that does something says of the player."""
        name, thing, place, *_ = (*act, "", "")
        right = self.right(thing)
        if name == "go":
            self.back += self.know.open(thing) and best.act != f"go to {thing}"
            self.passed |= best.aim in SUBGOALS and not best.act.startswith(("go to ", "open "))
        elif name == "take":
            self.put.pop(thing, None)
            self.had |= right
            self.passed &= not right
        elif name == "put":
            self.put[thing] = place
            self.misused |= not right and self.is_target(place)
            self.passed &= not (right and self.is_target(place))
        elif name in ("clean", "heat", "cool"):
            self.misused |= not right
            self.passed &= not right
        elif name == "use":
            self.note_lamp(thing)

    def note_lamp(self, lamp: str) -> None:
        holds = self.right(self.state.held or "")
        wanted = self.game.goal.type == LOOK and self.is_target(lamp)
        self.unlit = self.unlit or (wanted and not holds)
        self.other_lamp |= holds and not wanted
        self.passed &= not (wanted and holds)

    def right(self, thing: str) -> bool:
        return self.game.kinds.get(thing) == self.game.goal.object

    def is_target(self, place: str) -> bool:
        return self.game.kinds.get(place) == self.game.goal.target

    def told(self, end: str) -> dict[str, bool]:
        """Which of the `CAUSES` fit, in their order."""
        goal, held = self.game.goal, self.state.held
        look, two, holds = goal.type == LOOK, goal.type == TWO, self.right(held or "")
        brought = {thing: place for thing, place in self.put.items() if self.right(thing)}
        there = {thing: place for thing, place in brought.items() if self.is_target(place)}
        raw = [thing for thing in there if not self.game.ready(thing, self.state)]
        apart = two and len(set(there.values())) > 1
        wanted = goal.target if self.had and look else "" if self.had else goal.object
        return {
            "fault": end in FAULTS,
            "broke off": end in ("unreadable", "refused", "context_limit"),
            "wrong thing": not self.had and (self.misused or held is not None),
            "forgot a subgoal": not holds
            and (bool(raw) or (self.unlit and goal.object in self.kinds)),
            "wrong place": (look and self.other_lamp)
            or (not holds and (len(there) < len(brought) or apart)),
            "one of two": two and bool(there) and not holds,
            "stuck": self.idle >= IDLE or end == "repeated",
            "never found": wanted not in ("", *self.kinds),
            "passed by": self.passed,
            "out of steps": True,
        }
