"""What a player of a household game thinks, in words: sparse thoughts, and Inner Monologue's.

Sparse thoughts (ReAct) divide the task, say where a thing is likely, keep track of what is done,
and say what comes next. Those of Inner Monologue only repeat the goal and the present subgoal.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Sequence

from .belief import Belief, Goal, kind_of
from .player import APPLIANCES, VERBS, Move, Player

__all__ = ["a", "feedback", "many", "sparse"]

INTO = ("cabinet", "drawer", "fridge", "microwave", "safe", "garbagecan", "sinkbasin",
        "bathtubbasin", "laundryhamper", "box")  # fmt: skip
NAMED = re.compile(r"[a-z]+ \d+")
DIVIDE = {  # the task in parts
    "put": (
        "I need {one} first, and then I bring it to the {target}.",
        "There are two things to do: get {one}, then put it {into} the {target}.",
        "First I look for {one}. When I have it, it goes {into} the {target}.",
    ),
    "make": (
        "I need {one}. I have to {verb} it with the {tool}, and then it goes {into} the {target}.",
        "Three things to do: get {one}, {verb} it with the {tool}, bring it to the {target}.",
        "First I look for {one}, then I {verb} it with the {tool}, and last I put it {into} the "
        "{target}.",
    ),
    "two": (
        "I need two {all}, but I can carry only one at a time. I bring one to the {target}, then "
        "the other.",
        "Two {all} have to get to the {target}, one after the other.",
        "I look for one {thing}, put it {into} the {target}, and then do it again with a second.",
    ),
    "look": (
        "I need {one} in my hand, and then I switch on a {lamp} where I stand.",
        "Two things to do: get {one}, then take it to a {lamp} and switch that on.",
        "First I look for {one}. With it I go to a {lamp} and turn it on.",
    ),
}
WHERE = (  # where a thing is likely to be
    "{One} is most likely at {places}. I begin with {first}.",
    "Likely places for {one} are {places}. I look at {first} first.",
    "{One} may well be at {places}, so I start at {first}.",
)
ELSEWHERE = (
    "There was no {thing} so far. It could also be at {places}. Next is {first}.",
    "I have not seen {one} yet. What is left to check is {places}, and I go on with {first}.",
    "No {thing} in these places. Now I try {places}, beginning with {first}.",
)
ON = ("I still need {one}. I go on with {first}.", "Back to looking for {one}: next is {first}.")
FOUND = (
    "{Name} is here {into} {place}. I take it, and then {next}.",
    "Here is {name}. First I take it; after that {next}.",
    "I see {name}, which is what I need. I take it. Then {next}.",
)
KNOWN = (
    "I have seen {name} {into} {place}, so I get it from there. Then {next}.",
    "I remember {name} {into} {place}. I go back for it, and then {next}.",
)
ONE_DONE = (
    "One {thing} is {into} the {target}, one more is missing.",
    "That is the first {thing}. Now the second.",
)
IN_HAND = (
    "I have {name} in my hand. Now {next}.",
    "I am carrying {name}, so {next}.",
)
IS_MADE = (
    "{Name} is {state} now. What is left is that {next}.",
    "Now that {name} is {state}, {next}.",
)
NOT_WANTED = (
    "I am carrying {name}, which is not what the task asks for. I put it down {into} {place}.",
    "My hand is full with {name}. I can hold one thing only, so it goes {into} {place} first.",
)
NOTHING = (  # an act led nowhere: why, and what to do instead
    "Nothing happened, because {why}. {Next}.",
    "That does not work: {why}. {Next}.",
    "That led nowhere, as {why}. So {next}.",
)
NEXT = {
    "go": "I go to {place}",
    "open": "I open {place}",
    "examine": "I examine {place} from where I am",
    "take": "I take {name}",
    "put": "I put {name} {into} {place}",
    "use": "I turn on {place}",
    "clean": "I clean {name}",
    "heat": "I heat {name}",
    "cool": "I cool {name}",
    "look": "I look around",
}
GOAL = {
    "put": "put {one} {into} the {target}",
    "make": "put a {state} {thing} {into} the {target}",
    "two": "put two {all} {into} the {target}",
    "look": "look at {one} under a {lamp}",
}
SUBGOAL = {
    "find": "find {one}",
    "take": "take the {thing}",
    "make": "{verb} the {thing}",
    "put": "put the {thing} {into} the {target}",
    "light": "turn on the {lamp}",
    "drop": "put the {thing} down",
}
FEEDBACK = ("I need to {subgoal}.", "I still need to {subgoal}.", "Now I need to {subgoal}.")
ODD = {"knife": "knives", "butterknife": "butterknives", "shelf": "shelves"}


def a(thing: str) -> str:
    return f"an {thing}" if thing[0] in "aeiou" else f"a {thing}"


def many(thing: str) -> str:
    ending = "es" if thing.endswith(("s", "x", "ch", "sh", "potato", "tomato")) else "s"
    return ODD.get(thing, thing + ending)


def into(place: str) -> str:
    return "in" if kind_of(place) in INTO else "on"


def named(places: Sequence[str]) -> str:
    """`shelf 1-3, desk 1 or sofa 1`"""
    groups = []
    for kind, group in itertools.groupby(places, kind_of):
        numbers = [place.rpartition(" ")[2] for place in group]
        last = f"-{numbers[-1]}" if len(numbers) > 1 else ""
        groups.append(f"{kind} {numbers[0]}{last}")
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
    goal = player.belief.goal
    thing = move.thing if move.aim == "find" else kind_of(move.thing) or goal.object
    words = {**words_of(goal), "one": a(thing), "thing": thing}
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
        divided = said(pick, DIVIDE[type_of(player.belief.goal)], **words_of(player.belief.goal))
        return f"{divided} {THINK[move.aim](player, move, None, pick)}"
    lost = astray and move.aim != "find"
    if not lost and (subgoal(move) == subgoal(before) or told(move, before)):
        return None
    thought = THINK[move.aim](player, move, before, pick)
    if before.aim == "put" and move.aim in ("find", "take") and not player.belief.held:
        goal = player.belief.goal
        thought = f"{said(pick, ONE_DONE, **words_of(goal))} {thought}"
    return thought


def subgoal(move: Move) -> tuple[str, str, int]:
    return move.aim, move.thing, move.part


def told(move: Move, before: Move) -> bool:
    """Was it said when the thing was found?"""
    return before.aim == "take" and before.thing == move.thing and move.aim != "find"


def after_failure(player: Player, move: Move, failed: str, pick: random.Random) -> str:
    verb, _, place = move.act.partition(" ")
    place = move.place if verb not in ("go", "open", "examine") else place.removeprefix("to ")
    words = {"place": place, "name": move.thing, "into": into(place)}
    return said(pick, NOTHING, why=why_not(player.belief, failed), next=NEXT[verb].format(**words))


def why_not(know: Belief, act: str) -> str:
    """Why an act led nowhere, as far as the player can tell."""
    verb, *names = act.split(" ", 1)[0], *NAMED.findall(act)
    place = names[-1] if names else ""
    if verb not in NEXT or not names:
        return "this is no act of the game"
    if verb == "go" and know.near(place):
        return f"I am standing at {place} already"
    if place not in know.places:
        return f"there is no {place} to do that with"
    if not know.near(place):
        return f"I am not at {place}"
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
    """Where to look: at first the likely places, then others; after a break the next one."""
    know, places = player.belief, player.plan(move.thing)[move.part]
    again = before is not None and before.aim != "find" and any(p in know.inside for p in places)
    left = [place for place in places if place not in know.inside]
    choices = ON if again else WHERE if move.part == 0 or before is None else ELSEWHERE
    if before is not None and before.aim != "find" and not again:
        choices = WHERE
    return said(
        pick, choices, one=a(move.thing), thing=move.thing, places=named(left), first=move.place
    )


def take(player: Player, move: Move, before: Move | None, pick: random.Random) -> str:
    place = next((p for t, p in player.belief.where(kind_of(move.thing)) if t == move.thing), "")
    choices = FOUND if player.belief.near(place) else KNOWN
    return said(pick, choices, name=move.thing, place=place, into=into(place), next=coming(player))


def coming(player: Player) -> str:
    """What there is to do with a thing once it is in hand."""
    know, goal = player.belief, player.belief.goal
    if goal.lamp:
        lamp = next(know.where(goal.lamp), None)
        return f"I need {a(goal.lamp)}" if lamp is None else f"I turn on {lamp[0]} at {lamp[1]}"
    if goal.need:
        tool = next(iter(know.numbered(APPLIANCES[goal.need])), APPLIANCES[goal.need])
        return f"I {VERBS[goal.need]} it with {tool}"
    return delivery(player)


def delivery(player: Player) -> str:
    place = player.target()
    return f"I put it {into(place)} {place}"


def make(player: Player, move: Move, before: Move | None, pick: random.Random) -> str:
    return said(pick, IN_HAND, name=move.thing, next=coming(player))


def put(player: Player, move: Move, before: Move | None, pick: random.Random) -> str:
    if before is not None and before.aim == "make":
        state = player.belief.goal.need
        return said(pick, IS_MADE, name=move.thing, state=state, next=delivery(player))
    return said(pick, IN_HAND, name=move.thing, next=delivery(player))


def drop(player: Player, move: Move, before: Move | None, pick: random.Random) -> str:
    return said(pick, NOT_WANTED, name=move.thing, place=move.place, into=into(move.place))


THINK: dict[str, Callable[[Player, Move, Move | None, random.Random], str]] = {
    "find": find, "take": take, "make": make, "put": put, "light": make, "drop": drop,
}  # fmt: skip
