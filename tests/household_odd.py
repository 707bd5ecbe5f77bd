"""Odd little games of ours, each by its number: all that the rules allow and no real house has."""

import random

from react_lab.envs.household.authored import Authored, problem_of
from react_lab.envs.household.game import game_of
from react_lab.envs.household.goal import LOOK, TYPES
from react_lab.envs.household.wording import PAPER, Wording

PLACES = (
    "cabinet",
    "countertop",
    "drawer",
    "fridge",
    "microwave",
    "shelf",
    "sinkbasin",
    "sidetable",
    "stoveburner",
    "sofa",
)
THINGS = (
    "apple",
    "bowl",
    "bread",
    "butterknife",
    "cup",
    "desklamp",
    "egg",
    "knife",
    "lettuce",
    "mug",
    "pan",
    "pen",
    "plate",
    "box",
)
MARKS = (
    "isclean",
    "ishot",
    "iscool",
    "issliced",
    "istoggled",
    "toggleable",
    "sliceable",
    "isreceptacleobject",
    "pickupable",
)
MOVE = Wording(
    "move {o} to {r}", "You move the {o} to the {r}.", False, None, ("sinkbasin",)
)  # + the help of the day
FREE = {"cabinet", "countertop", "fridge", "shelf", "sidetable"}


def odd(number):
    """The problem's text, its type of task, and the task in words."""
    rng = random.Random(f"odd {number}")
    count, receptacles = {}, {}

    def one_more(kind):
        count[kind] = count.get(kind, 0) + 1
        return f"{kind} {count[kind]}"

    for kind in [
        "sinkbasin",
        "microwave",
        "fridge",
        "sidetable",
        *rng.choices(PLACES, k=rng.randint(2, 8)),
    ]:
        receptacles[one_more(kind)] = ()
    for kind in ["desklamp", "knife", "mug", "mug", *rng.choices(THINGS, k=rng.randint(6, 16))]:
        place = rng.choice([*receptacles])
        receptacles[place] = (*receptacles[place], one_more(kind))
    inside = {}
    for container in [
        t for things in receptacles.values() for t in things if t.startswith(("bowl", "box", "cup"))
    ]:
        inside[container] = tuple(
            rng.sample(
                [t for things in receptacles.values() for t in things if t != container],
                rng.randint(0, 2),
            )
        )
    names = rng.sample([*receptacles], len(receptacles))
    spots = (tuple(names[:2]), tuple(names[2 : 2 + rng.choice((2, 3))]))
    opened = tuple(
        r for r in receptacles if rng.random() < 0.3 and r.startswith(("fridge", "cabinet"))
    )
    type = TYPES[number % len(TYPES)]
    target = (
        "desklamp"
        if type == LOOK
        else rng.choice(sorted(FREE & {r.split(" ")[0] for r in receptacles}))
    )
    thing = rng.choice(["mug", "cup", "egg", "apple", "plate"]) if "heat" in type else "mug"
    if thing not in count:
        receptacles["sidetable 1"] = (*receptacles["sidetable 1"], one_more(thing))
    authored = Authored(thing, target, receptacles, spots, opened, inside)
    return twisted(problem_of(type, authored), rng), f"{type} of {thing} and {target}."


def twisted(problem, rng):
    """The problem with facts that no author would write."""
    lines = problem.splitlines()
    objects = [line.split()[0] for line in lines if line.endswith(" - object")]
    receptacles = [line.split()[0] for line in lines if line.endswith(" - receptacle")]
    spots = [line.split()[0] for line in lines if line.endswith(" - location")]
    facts = [f"({rng.choice(MARKS)} {rng.choice(objects)})" for _ in range(rng.randint(0, 8))]
    facts += [
        f"(inreceptacle {rng.choice(objects)} {rng.choice(receptacles)})"
        for _ in range(rng.randint(0, 3))
    ]
    facts += [
        f"(objectatlocation {rng.choice(objects)} {rng.choice(spots)})"
        for _ in range(rng.randint(0, 3))
    ]
    if rng.random() < 0.2:
        lines = [
            line.replace("agent1 loc_bar_000", f"agent1 {rng.choice(spots)}")
            if "(atlocation" in line
            else line
            for line in lines
        ]
    at = lines.index("(:init") + 1
    known = set(lines)
    return "\n".join(
        [*lines[:at], *(fact for fact in dict.fromkeys(facts) if fact not in known), *lines[at:]]
    )


def odd_game(number, wording=PAPER):
    problem, task = odd(number)
    return game_of(problem, task, wording)
