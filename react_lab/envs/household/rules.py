"""The rules of the household game: what can be done in a state, and what it does and says.

Texts and rules are those of ALFWorld's engine, its oddities included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from .game import Game, State

Act = tuple[str, ...]  # ("take", "apple 1", "fridge 1")
NOTHING = "Nothing happens."
MIDDLE = "You are in the middle of a room. Looking quickly around you, you see "
KNIVES = ("knife", "butterknife")


def play(game: Game, state: State, command: str) -> tuple[State, str]:
    """What a command leads to; what cannot be done leads to nothing."""
    act = acts(game, state).get(command.strip())
    return do(game, state, act) if act else (state, NOTHING)


def intro(game: Game) -> str:
    """What the player reads first."""
    return (
        f"-= Welcome to TextWorld, ALFRED! =-\n\n{first_look(game, game.start)}\n\n"
        f"Your task is to: {game.task}"
    )


# ---------------------------------------------------------------------- what can be done


def acts(game: Game, state: State) -> dict[str, Act]:
    """Every command that does something here, and the act it means."""
    found: dict[str, Act] = {"inventory": ("inventory",), "look": ("look",)}
    if game.wording.help is not None:
        found["help"] = ("help",)
    for r, spot in game.spots.items():
        if spot != state.at:
            found[f"go to {r}"] = ("go", r)
        else:
            found |= acts_at(game, state, r)
    for thing, r in state.inside:
        if game.spots.get(r) == state.at:
            found |= acts_on(game, state, thing, r)
    if state.held:
        found[f"examine {state.held}"] = ("examine", state.held)
        if game.kinds.get(state.held) in KNIVES:
            for thing, spot in state.lying:
                if spot == state.at and thing in game.able["sliceable"]:
                    found[f"slice {thing} with {state.held}"] = ("slice", thing)
    return found


def acts_at(game: Game, state: State, r: str) -> dict[str, Act]:
    """What can be done at a receptacle in front of the player."""
    found: dict[str, Act] = {f"examine {r}": ("examine", r)}
    if r in game.openable:
        verb = "close" if r in state.opened else "open"
        found[f"{verb} {r}"] = (verb, r)
    return found | acts_with(game, state, r, state.held) if state.held else found


def acts_on(game: Game, state: State, thing: str, r: str) -> dict[str, Act]:
    """What can be done with a thing that is there; a lamp can be reached through a closed door."""
    found: dict[str, Act] = {}
    if thing in game.able["toggleable"]:
        found[f"use {thing}"] = ("use", thing)
    if not state.held and thing in game.able["pickupable"] and accessible(game, state, r):
        found[f"take {thing} from {r}"] = ("take", thing, r)
    return found


def acts_with(game: Game, state: State, r: str, held: str) -> dict[str, Act]:
    """What can be done with the thing in hand; heating, cooling and cleaning need no open door."""
    found: dict[str, Act] = {}
    kind = game.kinds.get(r)
    if accessible(game, state, r) and (kind, game.kinds.get(held)) in game.fits:
        found[game.wording.put.format(o=held, r=r)] = ("put", held, r)
    if kind in game.wording.cleans and held in game.able["cleanable"]:
        found[f"clean {held} with {r}"] = ("clean", held, r)
    if kind == "microwave" and held in game.able["heatable"]:
        found[f"heat {held} with {r}"] = ("heat", held, r)
    if kind == "fridge" and held in game.able["coolable"]:
        found[f"cool {held} with {r}"] = ("cool", held, r)
    return found


def accessible(game: Game, state: State, r: str) -> bool:
    return r not in game.openable or r in state.opened


def here(game: Game, state: State) -> list[str]:
    """The receptacles in front of the player; several may share a spot."""
    return [r for r, spot in game.spots.items() if spot == state.at]


# ---------------------------------------------------------------------- what it does


def do(game: Game, state: State, act: Act) -> tuple[State, str]:
    """Do an act that `acts` gave: the state after it, and what the player reads."""
    name, *things = act
    return DO[name](game, state, *things)


def go(game: Game, state: State, r: str) -> tuple[State, str]:
    spot = game.spots[r]
    arrived = f"You arrive at {spot if game.wording.numbers_spots else r}."
    return replace(state, at=spot), f"{arrived} {contents(game, state, r)}"


def open_(game: Game, state: State, r: str) -> tuple[State, str]:
    state = replace(state, opened=state.opened | {r})
    return state, f"You open the {r}. {contents(game, state, r)}"


def close(game: Game, state: State, r: str) -> tuple[State, str]:
    return replace(state, opened=state.opened - {r}), f"You close the {r}."


def take(game: Game, state: State, thing: str, r: str) -> tuple[State, str]:
    after = replace(
        state,
        held=thing,
        inside=state.inside - {(thing, r)},
        taken=state.taken | {(thing, r)},
        lying=state.lying - {(thing, state.at)},
    )
    return after, f"You pick up the {thing} from the {r}."


def put(game: Game, state: State, thing: str, r: str) -> tuple[State, str]:
    after = replace(
        state,
        held=None,
        inside=state.inside | {(thing, r)},
        taken=state.taken - {(thing, r)},
        lying=state.lying | {(thing, state.at)},
    )
    return after, game.wording.said_of_put.format(o=thing, r=r)


def clean(game: Game, state: State, thing: str, r: str) -> tuple[State, str]:
    return replace(state, clean=state.clean | {thing}), f"You clean the {thing} using the {r}."


def heat(game: Game, state: State, thing: str, r: str) -> tuple[State, str]:
    after = replace(state, hot=state.hot | {thing}, cool=state.cool - {thing})
    return after, f"You heat the {thing} using the {r}."


def cool(game: Game, state: State, thing: str, r: str) -> tuple[State, str]:
    after = replace(state, cool=state.cool | {thing}, hot=state.hot - {thing})
    return after, f"You cool the {thing} using the {r}."


def use(game: Game, state: State, thing: str) -> tuple[State, str]:
    return replace(state, on=state.on | {thing}), f"You turn on the {thing}."


def slice_(game: Game, state: State, thing: str) -> tuple[State, str]:
    after = replace(state, sliced=state.sliced | {thing})
    return after, f"You sliced the {thing} with the {state.held}."


def examine(game: Game, state: State, thing: str) -> tuple[State, str]:
    return state, contents(game, state, thing) if thing in game.spots else about(game, state, thing)


def inventory(game: Game, state: State) -> tuple[State, str]:
    if state.held:
        return state, f"You are carrying: a {state.held}."
    return state, "You are not carrying anything."


def look(game: Game, state: State) -> tuple[State, str]:
    """In the middle of a room, only the first look shows anything."""
    return state, facing(game, state) or f"{MIDDLE}nothing."


def help_(game: Game, state: State) -> tuple[State, str]:
    return state, game.wording.help or NOTHING


DO: Mapping[str, Callable[..., tuple[State, str]]] = {
    "go": go, "open": open_, "close": close, "take": take, "put": put, "clean": clean,
    "heat": heat, "cool": cool, "use": use, "slice": slice_, "examine": examine,
    "inventory": inventory, "look": look, "help": help_,
}  # fmt: skip


# ---------------------------------------------------------------------- what is seen


def listing(names: Iterable[str]) -> str:
    """`a cup 2, and a cup 1`"""
    return joined([f"a {name}" for name in names]) or "nothing"


def joined(names: list[str]) -> str:
    return ", and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def contents(game: Game, state: State, r: str) -> str:
    """What stands on a receptacle or, if its door is open, in it."""
    if not accessible(game, state, r):
        return f"The {r} is closed."
    things = listing(game.listed(thing for thing, where in state.inside if where == r))
    if r in game.openable:
        return f"The {r} is open. In it, you see {things}."
    return f"On the {r}, you see {things}."


def first_look(game: Game, state: State) -> str:
    return facing(game, state) or f"{MIDDLE}{listing(game.spots)}."


def facing(game: Game, state: State) -> str:
    """The receptacles in front of the player; "" in the middle of a room.

    Next to them lies what was put here and is not where it was once taken from.
    """
    receptacles = here(game, state)
    if not receptacles:
        return ""
    beside = game.listed(
        thing
        for thing, r in state.taken
        if game.spots[r] == state.at and (thing, state.at) in state.lying
    )
    return f"You are facing the {joined(receptacles)}. Next to it, you see {listing(beside)}."


def about(game: Game, state: State, thing: str) -> str:
    """What there is to say of the thing in hand."""
    if thing in game.able["isreceptacleobject"]:
        return f"This is a normal {thing}. In it, you see {listing(game.holds.get(thing, ()))}."
    hot, clean, cool = thing in state.hot, thing in state.clean, thing in state.cool
    sliced = "sliced " if thing in state.sliced else ""
    heat = "hot" if hot else "cool" if cool else ""
    if clean and heat:
        return f"This is a {heat} and clean {sliced}{thing}."
    if clean or heat:
        heat = "cold" if heat == "cool" and not sliced else heat
        return f"This is a {'clean' if clean else heat} {sliced}{thing}."
    if thing in game.able["toggleable"] and thing in state.on:
        return f"This {thing} is on."
    if sliced and thing in game.able["sliceable"]:
        return f"This is a sliced {thing}."
    return f"There's nothing special about {thing}."
