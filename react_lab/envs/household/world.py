"""The household as a world: an episode of a game, and the maker of episodes (section 4)."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from ...records import blame
from ...types import Action, Env, EnvError, Seen, Task
from . import alfworld, rules
from .alfworld import Source, ours, source, stamp
from .game import Game, State
from .rules import KNIVES, acts

THOUGHT = re.compile(r"\s*think\s*:", re.I)
SPOT = re.compile(r"You arrive at loc \d+\. ")
LOOKS = ("go", "open", "examine", "close")  # the acts that show a receptacle
DONE = {"clean": "clean", "heat": "hot", "cool": "cool", "slice": "sliced", "use": "on"}


class HouseholdEnv:
    """One episode of a game. A bad act is an observation: "Nothing happens."."""

    actions = (
        Action("go to X", "goes to a receptacle and shows what is on it, or that it is closed"),
        Action("open X", "opens the receptacle in front of the player and shows what is in it"),
        Action("close X", "closes it"),
        Action("take X from Y", "picks up an object; the player can hold one at a time"),
        Action("put X in/on Y", "puts down the object that the player holds"),
        Action("use X", "turns on a lamp"),
        Action("clean X with Y", "cleans the object in hand with a sinkbasin"),
        Action("heat X with Y", "heats the object in hand with a microwave"),
        Action("cool X with Y", "cools the object in hand with a fridge"),
        Action("slice X with Y", "slices an object with the knife in hand"),
        Action("examine X", "looks at a receptacle, or at the object in hand"),
        Action("look", "tells what the player is facing"),
        Action("inventory", "tells what the player holds"),
    )
    replayable = True

    def __init__(self, game: Game):
        self.game = game
        self.begin()

    def begin(self) -> None:
        self.state = self.game.start
        self.way, self.done = list[str](), dict[str, list[str]]()  # what was done to a thing
        self.looked, self.seen = set[str](), set[str]()  # at which receptacles, what is in which

    def reset(self, task: Task) -> str:
        """The first text without its first paragraph, as in the paper."""
        self.begin()
        return "\n".join(rules.intro(self.game).split("\n\n")[1:])

    def step(self, action: str) -> Seen:
        """Do one act; a thought changes nothing."""
        if THOUGHT.match(action):
            return Seen("OK.")
        act = rules.acts(self.game, self.state).get(action.strip())
        if act is None:
            why, text = why_nothing(self.game, self.state, action), rules.NOTHING
        else:
            why, (self.state, text) = None, rules.do(self.game, self.state, act)
            self.note(act)
        won = self.game.won(self.state)
        return Seen(SPOT.sub("", text), won, reward=1.0 if won else None, why=why)

    def admissible(self) -> list[str]:
        """Every act that does something now."""
        return sorted(rules.acts(self.game, self.state))

    # ------------------------------------------------------------------ for pictures

    def note(self, act: rules.Act) -> None:
        """Keep what an act shows: the player alone changes it afterwards."""
        name, thing = (*act, "")[:2]
        if name == "go":
            self.way.append(thing)
        if name in LOOKS and thing in self.game.spots:
            self.looked.add(thing)
            if rules.accessible(self.game, self.state, thing):
                self.seen.add(thing)
        if name in DONE:
            marks = [*self.done.get(thing, ()), DONE[name]]
            undone = {"heat": "cool", "cool": "hot"}.get(name)
            self.done[thing] = [mark for mark in dict.fromkeys(marks) if mark != undone]

    def view(self) -> dict[str, Any]:
        """The house as far as the player has seen it: plain lists, dicts and strings."""
        return {
            "task": self.game.task,
            "at": self.way[-1] if self.way else None,
            "held": self.state.held,
            "receptacles": [self.view_of(receptacle) for receptacle in self.game.spots],
            "way": [*self.way],
            "done": {thing: [*marks] for thing, marks in self.done.items()},
        }

    def view_of(self, receptacle: str) -> dict[str, Any]:
        """open: None if it has no door, or nobody looked. contents: None if nobody has seen it."""
        door = receptacle in self.game.openable and receptacle in self.looked
        inside = (thing for thing, where in self.state.inside if where == receptacle)
        return {
            "name": receptacle,
            "kind": self.game.kinds.get(receptacle, ""),
            "open": receptacle in self.state.opened if door else None,
            "contents": self.game.listed(inside) if receptacle in self.seen else None,
        }


@dataclass(frozen=True)
class Household:
    """The world of household games: makes an episode of the game that a task names.

    path: a folder or zip file in ALFWorld's layout, or a file of games of your own (JSON lines).
    None: the games that come with the package; then those of ALFWorld below the folder that
    ALFWORLD_DATA names, or that `python -m react_lab fetch alfworld` has brought.
    """

    path: str | os.PathLike[str] | None = None
    actions: ClassVar = HouseholdEnv.actions

    @property
    def snapshot(self) -> str:
        if self.path is not None:
            return f"household, games of {Path(self.path).name}"
        files = [lines.path for lines in ours()]
        return f"household {digest(tuple((file, stamp(file)) for file in files))}"

    def __call__(self, task: Task) -> Env:
        return HouseholdEnv(self.game(str(task.extra.get("game"))))

    def game(self, name: str) -> Game:
        """The game of that name, wherever it lies."""
        with blame(f"the game {name[:200]!r} cannot be played", (ValueError, OSError), EnvError):
            known = [*ours(), *map(source, places())] if self.path is None else [source(self.path)]
            for games in known:
                with contextlib.suppress(KeyError):
                    return games.game(name)
        raise EnvError(
            f"no game {name[:200]!r} was found: give Household(path) a folder or file that has it, "
            "set ALFWORLD_DATA, or run `python -m react_lab fetch alfworld`"
        )


def places() -> list[Path]:
    """Where ALFWorld's games may lie on this machine."""
    given = os.environ.get("ALFWORLD_DATA")
    known = [Path(given)] if given else []
    with contextlib.suppress(FileNotFoundError):  # no home folder, no release in it
        known.append(alfworld.release().path)
    return [place for place in known if place.exists()]


def alfworlds(path: str | os.PathLike[str] | None = None) -> Source:
    """ALFWorld's games, or one sentence on how to get them."""
    found = [path] if path is not None else places()
    if not found:
        raise ValueError(
            "ALFWorld's games are not on this machine: run `python -m react_lab fetch alfworld` "
            "(37 MB), set ALFWORLD_DATA to their folder, or give path="
        )
    return source(found[0])


@lru_cache(maxsize=8)
def digest(files: tuple[tuple[Path, object], ...]) -> str:
    """Names what the files hold, each given with its stamp."""
    whole = hashlib.sha256()
    for file, _ in files:
        whole.update(file.read_bytes())
    return whole.hexdigest()[:12]


# ------------------------------------------------------------------ why nothing happened

CHANGES = ("clean", "heat", "cool")


def why_nothing(game: Game, state: State, command: str) -> str:
    """One sentence for a command that is not among the acts of a state."""
    words = " ".join(command.split()).lower()
    possible = {" ".join(act.split()): act for act in acts(game, state)}
    if not words:
        return "no act was given"
    if words in possible:
        return f"an act is written exactly so: `{possible[words]}`"
    put = game.wording.put.format(o="X", r="Y")
    usages = [act.usage for act in HouseholdEnv.actions if act.usage != "put X in/on Y"]
    forms = {usage.split()[0]: usage for usage in (*usages, put)}
    verb = words.partition(" ")[0]
    if verb not in forms:
        return f"`{verb[:40]}` is no act here; there are: {', '.join(forms.values())}"
    form = forms[verb]
    named = re.fullmatch(form.replace("X", "(?P<X>.+?)").replace("Y", "(?P<Y>.+)"), words)
    if named is None:
        return f"the act is written `{form}`"
    act = "put" if form == put else verb
    thing, other = named["X"], named["Y"] if "Y" in form else ""
    return next(hindrances(game, state, act, thing, other), "this cannot be done now")


def hindrances(game: Game, state: State, act: str, thing: str, other: str) -> Iterator[str]:
    """What stands in the way of an act, the first thing first: who asks wants no more than that."""
    for name in filter(None, (thing, other)):
        if name not in game.kinds and name not in game.spots:
            yield f"there is no `{name[:60]}` in this house"
    tool, place, kind = other if act == "slice" else thing, other or thing, game.kinds.get
    if act in ("put", "slice", *CHANGES) and state.held != tool:
        instead = f", but {state.held}" if state.held else ": take it first"
        yield f"the player does not hold {tool}{instead}"
    if act in ("open", "close", "take", "put", *CHANGES) and place not in game.spots:
        yield f"{place} is nothing to put things on or in"
    if act not in ("go", "use", "slice") and game.spots.get(place, state.at) != state.at:
        yield f"the player is not at {place}: `go to {place}` first"
    if act in ("take", "put") and not rules.accessible(game, state, place):
        yield f"{place} is closed: `open {place}` first"
    match act:
        case "go" if thing not in game.spots:
            yield f"{thing} is no place to go to: go to where it is"
        case "go" if game.spots[thing] == state.at:
            if near := [r for r in rules.here(game, state) if r != thing]:
                beside = f"{thing} is within reach here, beside {' and '.join(near)}"
                yield f"{beside}: `examine {thing}` shows what is there"
            yield f"the player is already at {thing}"
        case "open" | "close" if thing not in game.openable:
            yield f"{thing} has no door"
        case "open" | "close":
            yield f"{thing} is already {'open' if act == 'open' else 'closed'}"
        case "take" if (thing, other) not in state.inside:
            yield f"{thing} is not at {other}"
        case "take" if state.held:
            yield f"the hands are full: the player holds {state.held}"
        case "take" if thing not in game.able["pickupable"]:
            yield f"{thing} cannot be picked up"
        case "put" if (kind(other), kind(thing)) not in game.fits:
            yield f"{thing} does not go in or on {other}"
        case "clean" | "heat" | "cool":
            trait, places = rules.changes(game)[act]
            if kind(other) not in places:
                yield f"{other} cannot {act} things: a {places[0]} can"
            if thing not in game.able[trait]:
                yield f"{thing} is nothing to {act}"
        case "use" if thing not in game.able["toggleable"]:
            yield f"{thing} has no switch"
        case "use":
            yield f"{thing} is not here: go to where it is"
        case "slice" if kind(other) not in KNIVES:
            yield f"{other} does not cut: a knife does"
        case "slice" if thing not in game.able["sliceable"]:
            yield f"{thing} is nothing to slice"
        case "slice":
            yield f"{thing} is not here: go to where it lies"
        case "examine" if thing not in game.spots:
            yield f"only what the player holds can be examined: take {thing} first"
