"""Odd little games of ours, each by its number: all that the rules allow and no real house has."""

from household_play import Dice

from react_lab.envs.household.alfworld import Authored, problem_of
from react_lab.envs.household.game import FITS, LOOK, PAPER, TYPES, Wording, game_of

PLACES = (
    "cabinet", "countertop", "drawer", "fridge", "microwave", "shelf", "sinkbasin", "sidetable",
    "stoveburner", "sofa",
)  # fmt: skip
THINGS = (
    "apple", "bowl", "bread", "butterknife", "cup", "desklamp", "egg", "knife", "lettuce", "mug",
    "pan", "pen", "plate", "box",
)  # fmt: skip
MARKS = (
    "isclean", "ishot", "iscool", "issliced", "istoggled", "toggleable", "sliceable",
    "isreceptacleobject", "pickupable",
)  # fmt: skip
MOVE = Wording("move {o} to {r}", False, None, ("sinkbasin",))
FREE = {"cabinet", "countertop", "fridge", "shelf", "sidetable"}


def odd(number):
    """The problem's text, its type of task, and the task in words."""
    rng = Dice(f"odd {number}")
    count, receptacles = {}, {}

    def one_more(kind):
        count[kind] = count.get(kind, 0) + 1
        return f"{kind} {count[kind]}"

    for kind in ["sinkbasin", "microwave", "fridge", "sidetable", *some(rng, PLACES, 2, 8)]:
        receptacles[one_more(kind)] = ()
    for kind in ["desklamp", "knife", "mug", "mug", *some(rng, THINGS, 6, 16)]:
        place = rng.pick([*receptacles])
        receptacles[place] = (*receptacles[place], one_more(kind))
    inside = {}
    things = [thing for there in receptacles.values() for thing in there]
    for container in [thing for thing in things if thing.startswith(("bowl", "box", "cup"))]:
        others = [thing for thing in things if thing != container]
        inside[container] = tuple(rng.draw(others, rng.pick((0, 1, 2))))
    names = rng.draw(receptacles, len(receptacles))
    spots = (tuple(names[:2]), tuple(names[2 : 2 + rng.pick((2, 3))]))
    doors = ("fridge", "cabinet")
    opened = tuple(r for r in receptacles if rng.random() < 0.3 and r.startswith(doors))
    type = TYPES[number % len(TYPES)]
    thing = rng.pick(["mug", "cup", "egg", "apple", "plate"]) if "heat" in type else "mug"
    kinds = {r.split(" ")[0] for r in receptacles}
    fitting = sorted(kind for kind in FREE & kinds if thing in FITS[kind])
    target = "desklamp" if type == LOOK else rng.pick(fitting)  # the real engine wants a way
    if thing not in count:
        receptacles["sidetable 1"] = (*receptacles["sidetable 1"], one_more(thing))
    authored = Authored(thing, target, receptacles, spots, opened, inside)
    return twisted(problem_of(type, authored), rng), f"{type} of {thing} and {target}."


def some(rng, kinds, least, most):
    return [rng.pick(kinds) for _ in range(rng.pick(range(least, most + 1)))]


def twisted(problem, rng):
    """The problem with facts that no author would write."""
    lines = problem.splitlines()
    objects = [line.split()[0] for line in lines if line.endswith(" - object")]
    receptacles = [line.split()[0] for line in lines if line.endswith(" - receptacle")]
    spots = [line.split()[0] for line in lines if line.endswith(" - location")]
    facts = [f"({rng.pick(MARKS)} {rng.pick(objects)})" for _ in range(rng.pick(range(9)))]
    for predicate, places in (("inreceptacle", receptacles), ("objectatlocation", spots)):
        for _ in range(rng.pick(range(4))):
            facts.append(f"({predicate} {rng.pick(objects)} {rng.pick(places)})")
    if rng.random() < 0.2:
        at = lines.index("(atlocation agent1 loc_bar_000)")
        lines[at] = f"(atlocation agent1 {rng.pick(spots)})"
    at, known = lines.index("(:init") + 1, set(lines)
    new = [fact for fact in dict.fromkeys(facts) if fact not in known]
    return "\n".join([*lines[:at], *new, *lines[at:]])


def odd_game(number, wording=PAPER):
    problem, task = odd(number)
    return game_of(problem, task, wording)
