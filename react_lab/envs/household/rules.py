"""The rules of the household game: what can be done in a state, and what it does and says.

Texts and rules are those of ALFWorld's engine, its oddities included.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from .game import PUTS, Game, State

Act = tuple[str, ...]  # ("take", "apple 1", "fridge 1")
NOTHING = "Nothing happens."
MIDDLE = "You are in the middle of a room. Looking quickly around you, you see "
KNIVES = ("knife", "butterknife")


def play(game: Game, state: State, command: str) -> tuple[State, str]:
    """What a command leads to; what cannot be done leads to nothing."""
    act = acts(game, state).get(command.strip())
    return do(game, state, act) if act else (state, NOTHING)


def intro(game: Game) -> str:
    everything = f"{MIDDLE}{listing(game.spots)}."
    return (
        f"-= Welcome to TextWorld, ALFRED! =-\n\n{facing(game, game.start) or everything}\n\n"
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
            continue
        found[f"examine {r}"] = ("examine", r)
        if r in game.openable:
            verb = "close" if r in state.opened else "open"
            found[f"{verb} {r}"] = (verb, r)
        kind, held = game.kinds.get(r), state.held
        if held and accessible(game, state, r) and (kind, game.kinds.get(held)) in game.fits:
            found[game.wording.put.format(o=held, r=r)] = ("put", held, r)
        for verb, (trait, kinds) in changes(game).items():  # a change needs no open door
            if held in game.able[trait] and kind in kinds:
                found[f"{verb} {held} with {r}"] = (verb, held, r)
    for thing, r in state.inside:
        if game.spots.get(r) != state.at:
            continue
        if thing in game.able["toggleable"]:  # a lamp can be reached through a closed door
            found[f"use {thing}"] = ("use", thing)
        if not state.held and thing in game.able["pickupable"] and accessible(game, state, r):
            found[f"take {thing} from {r}"] = ("take", thing, r)
    if state.held:
        found[f"examine {state.held}"] = ("examine", state.held)
    if state.held and game.kinds.get(state.held) in KNIVES:
        for thing, spot in state.lying:
            if spot == state.at and thing in game.able["sliceable"]:
                found[f"slice {thing} with {state.held}"] = ("slice", thing)
    return found


def changes(game: Game) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    """The acts that change a thing: which things, and with which kinds of receptacles."""
    return {
        "clean": ("cleanable", game.wording.cleans),
        "heat": ("heatable", ("microwave",)),
        "cool": ("coolable", ("fridge",)),
    }


def accessible(game: Game, state: State, r: str) -> bool:
    return r not in game.openable or r in state.opened


def here(game: Game, state: State) -> list[str]:
    """The receptacles in front of the player; several may share a spot."""
    return [r for r, spot in game.spots.items() if spot == state.at]


# ---------------------------------------------------------------------- what it does


def do(game: Game, state: State, act: Act) -> tuple[State, str]:
    """Do an act that `acts` gave: the state after it, and what the player reads."""
    name, thing, r = (*act, "", "")[:3]
    match name:
        case "go":
            spot = game.spots[thing]
            arrived = f"You arrive at {spot if game.wording.numbers_spots else thing}."
            return replace(state, at=spot), f"{arrived} {contents(game, state, thing)}"
        case "open":
            state = replace(state, opened=state.opened | {thing})
            return state, f"You open the {thing}. {contents(game, state, thing)}"
        case "close":
            return replace(state, opened=state.opened - {thing}), f"You close the {thing}."
        case "take":
            inside, taken = state.inside - {(thing, r)}, state.taken | {(thing, r)}
            lying = state.lying - {(thing, state.at)}
            after = replace(state, held=thing, inside=inside, taken=taken, lying=lying)
            return after, f"You pick up the {thing} from the {r}."
        case "put":
            inside, taken = state.inside | {(thing, r)}, state.taken - {(thing, r)}
            lying = state.lying | {(thing, state.at)}
            after = replace(state, held=None, inside=inside, taken=taken, lying=lying)
            return after, PUTS[game.wording.put].format(o=thing, r=r)
        case "clean":
            after = replace(state, clean=state.clean | {thing})
        case "heat":
            after = replace(state, hot=state.hot | {thing}, cool=state.cool - {thing})
        case "cool":
            after = replace(state, cool=state.cool | {thing}, hot=state.hot - {thing})
        case "use":
            return replace(state, on=state.on | {thing}), f"You turn on the {thing}."
        case "slice":
            after = replace(state, sliced=state.sliced | {thing})
            return after, f"You sliced the {thing} with the {state.held}."
        case "examine" if thing in game.spots:
            return state, contents(game, state, thing)
        case "examine":
            return state, about(game, state, thing)
        case "inventory" if state.held:
            return state, f"You are carrying: a {state.held}."
        case "inventory":
            return state, "You are not carrying anything."
        case "look":  # in the middle of a room, only the first look shows anything
            return state, facing(game, state) or f"{MIDDLE}nothing."
        case _:
            return state, game.wording.help or NOTHING
    return after, f"You {name} the {thing} using the {r}."


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
