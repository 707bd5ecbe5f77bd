"""Why an act led to nothing, in plain words for the student; the prompt never has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from .game import Game, State
from .rules import KNIVES, acts

__all__ = ["why_nothing"]

PAIR = re.compile(r"(.+?) (?:in/on|into|in|on|onto|to|from|with|using) (.+)")
ARTICLE = re.compile(r"^(?:the|an?|some) ")
FORMS = {  # each verb, and how its act is written; put and move: the game's own
    "go": "go to X", "open": "open X", "close": "close X", "take": "take X from Y",
    "pick": "take X from Y", "examine": "examine X", "use": "use X", "turn": "use X",
    "clean": "clean X with Y", "heat": "heat X with Y", "cool": "cool X with Y",
    "slice": "slice X with Y", "cut": "slice X with Y", "inventory": "inventory", "look": "look",
}  # fmt: skip
PLACED = ("put", "move", "place", "drop")
Why = Callable[[Game, State, str, str], str]


def why_nothing(game: Game, state: State, command: str) -> str:
    """One sentence for a command that is not among the acts of a state."""
    words = " ".join(command.split()).lower()
    verb = words.partition(" ")[0]
    possible = {" ".join(act.split()): act for act in acts(game, state)}
    if not words:
        return "no act was given"
    if words in possible:
        return f"an act is written exactly so: `{possible[words]}`"
    put = game.wording.put.format(o="X", r="Y")
    forms = FORMS | dict.fromkeys(PLACED, put)
    form = forms.get(verb)
    if form is None:
        return (
            f"`{verb[:40]}` is no act here; there are: {', '.join(dict.fromkeys(forms.values()))}"
        )
    first, second = parts(words, form, verb)
    if "X" not in form or not first or ("Y" in form and not second):
        return f"the act is written `{form}`"
    reason = WHY["put" if verb in PLACED else form.partition(" ")[0]](game, state, first, second)
    right = form.replace("X", first).replace("Y", second)
    written = "" if right == words else f"the act is written `{right}` here"
    return "; ".join(filter(None, (reason, written))) or "this cannot be done now"


def parts(words: str, form: str, verb: str) -> tuple[str, str]:
    """What the act is done to, and with what or where."""
    rest = words.removeprefix(verb).strip()
    if verb == "go":
        rest = rest.removeprefix("to ").removeprefix("to")
    pair = PAIR.fullmatch(rest) if "Y" in form else None
    first, second = (pair[1], pair[2]) if pair else (rest, "")
    return bare(first), bare(second)


def bare(name: str) -> str:
    """A name without its article."""
    return ARTICLE.sub("", name.strip())


def unknown(game: Game, *names: str) -> str:
    for name in names:
        if name not in game.kinds and name not in game.spots:
            return f"there is no `{name[:60]}` in this house"
    return ""


def away(game: Game, state: State, receptacle: str) -> str:
    if receptacle not in game.spots:
        return f"{receptacle} is nothing to put things on or in"
    if game.spots[receptacle] != state.at:
        return f"the player is not at {receptacle}: `go to {receptacle}` first"
    return ""


def shut(game: Game, state: State, receptacle: str) -> str:
    closed = receptacle in game.openable and receptacle not in state.opened
    return f"{receptacle} is closed: `open {receptacle}` first" if closed else ""


def empty_handed(state: State, thing: str) -> str:
    if state.held == thing:
        return ""
    instead = f", but {state.held}" if state.held else ": take it first"
    return f"the player does not hold {thing}{instead}"


def why_go(game: Game, state: State, place: str, _: str) -> str:
    if place not in game.spots:
        return unknown(game, place) or f"{place} is no place to go to: go to where it is"
    if game.spots[place] == state.at:
        return f"the player is already at {place}"
    return ""


def why_open(game: Game, state: State, place: str, _: str) -> str:
    if reason := unknown(game, place) or away(game, state, place):
        return reason
    return "" if place in game.openable else f"{place} has no door"


def why_door(state_of_door: str) -> Why:
    def why(game: Game, state: State, place: str, _: str) -> str:
        return why_open(game, state, place, _) or f"{place} is already {state_of_door}"

    return why


def why_take(game: Game, state: State, thing: str, place: str) -> str:
    reason = unknown(game, thing, place) or away(game, state, place) or shut(game, state, place)
    if reason:
        return reason
    if (thing, place) not in state.inside:
        return f"{thing} is not at {place}"
    if state.held:
        return f"the hands are full: the player holds {state.held}"
    return "" if thing in game.able["pickupable"] else f"{thing} cannot be picked up"


def why_put(game: Game, state: State, thing: str, place: str) -> str:
    reason = unknown(game, thing, place) or empty_handed(state, thing)
    reason = reason or away(game, state, place) or shut(game, state, place)
    if reason:
        return reason
    fits = (game.kinds.get(place), game.kinds.get(thing)) in game.fits
    return "" if fits else f"{thing} does not go in or on {place}"


def why_change(trait: str, places: tuple[str, ...], word: str) -> Why:
    def why(game: Game, state: State, thing: str, place: str) -> str:
        reason = unknown(game, thing, place) or empty_handed(state, thing)
        if reason := reason or away(game, state, place):
            return reason
        if game.kinds.get(place) not in places:
            return f"{place} cannot {word} things: a {places[0]} can"
        return "" if thing in game.able[trait] else f"{thing} is nothing to {word}"

    return why


def why_use(game: Game, state: State, thing: str, _: str) -> str:
    if reason := unknown(game, thing):
        return reason
    if thing not in game.able["toggleable"]:
        return f"{thing} has no switch"
    return f"{thing} is not here: go to where it is"


def why_slice(game: Game, state: State, thing: str, knife: str) -> str:
    if reason := unknown(game, thing, knife) or empty_handed(state, knife):
        return reason
    if game.kinds.get(knife) not in KNIVES:
        return f"{knife} does not cut: a knife does"
    if thing not in game.able["sliceable"]:
        return f"{thing} is nothing to slice"
    return f"{thing} is not here: go to where it lies"


def why_examine(game: Game, state: State, thing: str, _: str) -> str:
    if reason := unknown(game, thing):
        return reason
    if thing in game.spots:
        return away(game, state, thing)
    return f"only what the player holds can be examined: take {thing} first"


WHY: Mapping[str, Why] = {
    "go": why_go, "open": why_door("open"), "close": why_door("closed"), "take": why_take,
    "put": why_put, "use": why_use, "slice": why_slice, "examine": why_examine,
    "clean": why_change("cleanable", ("sinkbasin", "sink"), "clean"),
    "heat": why_change("heatable", ("microwave",), "heat"),
    "cool": why_change("coolable", ("fridge",), "cool"),
}  # fmt: skip
