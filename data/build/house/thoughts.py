"""What a player of a household game thinks, in words: sparse thoughts, and Inner Monologue's.

Sparse thoughts (ReAct) divide the task, say where a thing is likely, keep track of what is done,
and say what comes next. Those of Inner Monologue only repeat the goal and the present subgoal.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator, Sequence

from house.phrases import (
    DIVIDE,
    ELSEWHERE,
    FEEDBACK,
    FOUND,
    GOAL,
    IN_HAND,
    INTO,
    IS_MADE,
    KNOWN,
    LAMP,
    NEXT,
    NONE_SEEN,
    NOT_WANTED,
    NOTED,
    NOTHING,
    ODD,
    ON,
    ONE_DONE,
    SUBGOAL,
    WHERE,
)
from house.player import Player
from react_lab.analysis.household import APPLIANCES, VERBS, Goal, Move, kind_of, number

__all__ = ["a", "feedback", "many", "sparse"]

FEW, MANY = 3, 6  # a plan of where to look names so many kinds of places, or places
NAMED = re.compile(r"\b[a-z]+ \d+")


def a(thing: str) -> str:
    if thing == "bread":
        return "some bread"
    return f"an {thing}" if thing[0] in "aeiou" else f"a {thing}"


def many(thing: str) -> str:
    ending = "es" if thing.endswith(("s", "x", "ch", "sh", "potato", "tomato")) else "s"
    return ODD.get(thing, thing + ending)


def into(place: str) -> str:
    return "in" if kind_of(place) in INTO else "on"


def named(places: Sequence[str]) -> str:
    """In words, what lies together in one.

    >>> named(["shelf 1", "shelf 2", "shelf 4", "desk 1"])
    'shelf 1-2, shelf 4 or desk 1'
    """
    rows = [(i, kind_of(place), number(place)) for i, place in enumerate(places)]
    groups = []
    for (kind, _), group in itertools.groupby(rows, lambda row: (row[1], row[2] - row[0])):
        (_, _, first), *others = group
        groups.append(f"{kind} {first}" + (f"-{others[-1][2]}" if others else ""))
    return " or ".join(filter(None, (", ".join(groups[:-1]), groups[-1])))


def type_of(goal: Goal) -> str:
    return "look" if goal.lamp else "make" if goal.need else "two" if goal.count > 1 else "put"


def words_of(goal: Goal) -> dict[str, str]:
    return {
        "one": a(goal.object),
        "thing": goal.object,
        "all": many(goal.object),
        "target": goal.target,
        "into": into(goal.target),
        "lamp": goal.lamp,
        "state": goal.need,
        "verb": VERBS.get(goal.need, ""),
        "tool": APPLIANCES.get(goal.need, ""),
    }


def said(pick: random.Random, choices: Sequence[str], **words: str) -> str:
    """One of the wordings, filled in. A capital letter in a slot's name asks for one."""
    capitals = {name.capitalize(): text[:1].upper() + text[1:] for name, text in words.items()}
    return pick.choice(choices).format(**{**capitals, **words})


# ---------------------------------------------------------------------- Inner Monologue


def feedback(player: Player, move: Move, pick: random.Random, first: bool) -> str:
    """The goal at first, and always the present subgoal; nothing of what was seen."""
    goal = player.goal
    thing = move.thing if move.aim == "find" else kind_of(move.thing) or goal.object
    second = "second " if move.aim == "find" and one_is_there(player) else ""
    words = {**words_of(goal), "one": a(second + thing), "thing": thing}
    subgoal = SUBGOAL[move.aim].format(**words)
    if first:
        whole = GOAL[type_of(goal)].format(**words_of(goal))
        return f"My goal is to {whole}. First I need to {subgoal}."
    return pick.choice(FEEDBACK).format(subgoal=subgoal)


# ---------------------------------------------------------------------- sparse thoughts


def sparse(
    player: Player,
    move: Move,
    before: Move | None,
    pick: random.Random,
    failed: str = "",
    astray: bool = False,
) -> str | None:
    """What is worth a thought now; None if nothing is.

    before: the last move that there was to make. failed: the act that led nowhere just now.
    astray: something else was done than that move.
    """
    if failed:
        return after_failure(player, move, failed, pick)
    if before is None:
        divided = said(pick, DIVIDE[type_of(player.goal)], **words_of(player.goal))
        return f"{divided} {THINK[move.aim](player, move, None, pick)}"
    lost = astray and move.aim != "find"
    note = noted(player, move, pick)
    if not lost and (subgoal(player, move) == subgoal(player, before) or told(move, before)):
        return note
    thought = THINK[move.aim](player, move, before, pick)
    if note:
        return f"{note} {thought}"
    if before.aim == "put" and move.aim in ("find", "take") and one_is_there(player):
        words = {**words_of(player.goal), "name": before.thing, "place": before.place}
        return f"{said(pick, ONE_DONE, **words)} {thought}"
    return thought


def noted(player: Player, move: Move, pick: random.Random) -> str | None:
    """A lamp that was seen just now, while the thing to look at is still looked for."""
    goal = player.goal
    if move.aim == "find" and move.thing == goal.object:
        for name, place in player.new:
            if kind_of(name) == goal.lamp:
                words = {**words_of(goal), "name": name, "place": place, "into": into(place)}
                return said(pick, NOTED, **words)
    return None


def subgoal(player: Player, move: Move) -> tuple[str, str, list[str]]:
    return move.aim, move.thing, part_of(player, move) if move.aim == "find" else []


def part_of(player: Player, move: Move) -> list[str]:
    """Of the places in the order of a search, the part that a search has come to."""
    found = [*parts(player.ordered(move.thing))]
    return next((part for part in found if move.place in part), found[0])


def parts(kinds: list[list[str]]) -> Iterator[list[str]]:
    """A few kinds of places at a time; a kind of many places is a part of its own."""
    part: list[list[str]] = []
    for places in kinds:
        if part and (len(part) == FEW or sum(map(len, part)) + len(places) > MANY):
            yield [*itertools.chain(*part)]
            part = []
        part.append(places)
    if part:
        yield [*itertools.chain(*part)]


def told(move: Move, before: Move) -> bool:
    """Was it said when the thing was found?"""
    return before.aim == "take" and before.thing == move.thing and move.aim != "find"


def after_failure(player: Player, move: Move, failed: str, pick: random.Random) -> str:
    verb, _, place = move.act.partition(" ")
    place = move.place if verb not in ("go", "open", "examine") else place.removeprefix("to ")
    words = {"place": place, "name": move.thing, "into": into(place)}
    return said(pick, NOTHING, why=why_not(player, failed), next=NEXT[verb].format(**words))


def why_not(know: Player, act: str) -> str:
    """Why an act led nowhere, as far as the player can tell."""
    verb, *names = act.split(" ", 1)[0], *NAMED.findall(act)
    place = names[-1] if names else ""
    if verb not in (*NEXT, "close") or not names:
        return "this is no act of the game"
    if verb == "go" and know.near(place):
        return f"I am standing at {place} already"
    if place not in know.places:
        return f"there is no {place} here" if verb == "go" else f"that cannot be done with {place}"
    if not know.near(place):
        return f"I am not at {place}"
    if verb == "open" and know.open(place):
        return f"there is no closed door at {place}"
    if verb == "close":
        return f"there is no open door at {place}"
    if verb == "take" and know.held:
        return f"I hold {know.held} and can carry one thing only"
    if verb != "take" and len(names) > 1 and know.held != names[0]:
        return f"I do not hold {names[0]}"
    if verb in ("take", "put") and place in know.closed:
        return f"{place} is closed"
    if verb == "take" and names[0] not in know.inside.get(place, ()):
        return f"there is no {names[0]} {into(place)} {place}"
    return "this cannot be done here"


def find(player: Player, move: Move, before: Move | None, pick: random.Random) -> str:
    """Where to look: the likely places, then others; after a break the next one."""
    places = part_of(player, move)
    left = [place for place in places if place not in player.inside]
    begins = missing(player, move, before)
    choices: tuple[str, ...] = WHERE
    if before is not None and not begins and (before.aim == "find" or len(left) < len(places)):
        choices = ELSEWHERE if before.aim == "find" else ON
    thing = f"second {move.thing}" if one_is_there(player) else move.thing
    words = {"one": a(thing), "thing": thing, "first": move.place}
    none = NONE_SEEN if begins else ""
    return none.format(**words) + said(pick, choices, places=named(left), **words)


def missing(player: Player, move: Move, before: Move | None) -> bool:
    """Is the search for a lamp, or for the second of two things, only beginning?"""
    goal = player.goal
    begins = before is not None and before.aim != "find"
    return begins and (move.thing == goal.lamp or one_is_there(player))


def one_is_there(player: Player) -> bool:
    """Of the two things that are wanted, is one where it has to go?"""
    goal = player.goal
    there = player.numbered(goal.target)
    return goal.count > 1 and any(place in there for _, place in player.where(goal.object))


def take(player: Player, move: Move, before: Move | None, pick: random.Random) -> str:
    place = next((p for t, p in player.where(kind_of(move.thing)) if t == move.thing), "")
    choices = FOUND if player.near(place) else KNOWN
    return said(pick, choices, name=move.thing, place=place, into=into(place), next=coming(player))


def coming(player: Player) -> str:
    """What there is to do with a thing once it is in hand."""
    goal = player.goal
    if goal.lamp:
        lamp = next(player.where(goal.lamp), None)
        return f"I look for {a(goal.lamp)}" if lamp is None else f"I turn on {lamp[0]} at {lamp[1]}"
    if goal.need:
        tool = next(iter(player.numbered(APPLIANCES[goal.need])), APPLIANCES[goal.need])
        return f"I {VERBS[goal.need]} it with {tool}"
    return delivery(player)


def delivery(player: Player) -> str:
    place = player.target()
    return f"I put it {into(place)} {place}"


def make(player: Player, move: Move, before: Move | None, pick: random.Random) -> str:
    return said(pick, IN_HAND, name=move.thing, next=coming(player))


def light(player: Player, move: Move, before: Move | None, pick: random.Random) -> str:
    place = next(
        (place for lamp, place in player.where(player.goal.lamp) if lamp == move.place), ""
    )
    words = {"name": move.thing, "lamp": move.place, "place": place, "into": into(place)}
    return said(pick, LAMP, **words)


def put(player: Player, move: Move, before: Move | None, pick: random.Random) -> str:
    if before is not None and before.aim == "make":
        state = player.goal.need
        return said(pick, IS_MADE, name=move.thing, state=state, next=delivery(player))
    return said(pick, IN_HAND, name=move.thing, next=delivery(player))


def drop(player: Player, move: Move, before: Move | None, pick: random.Random) -> str:
    return said(pick, NOT_WANTED, name=move.thing, place=move.place, into=into(move.place))


THINK: dict[str, Callable[[Player, Move, Move | None, random.Random], str]] = {
    "find": find, "take": take, "make": make, "put": put, "light": light, "drop": drop,
}  # fmt: skip
