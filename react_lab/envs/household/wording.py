"""How a game words its acts and answers: ALFWorld of today, or of the paper.

The grammar in a game's file tells: `move X to Y` or `put X in/on Y`, an arrival at a receptacle
or at a numbered spot, with or without `help`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

LONGEST = 1 << 20
ACT = re.compile(r'^action (\w+) \{\s*template :: "([^"]*)"', re.M)
PUTS = {  # the act, and what is said of it
    "put {o} in/on {r}": "You put the {o} in/on the {r}.",
    "move {o} to {r}": "You move the {o} to the {r}.",
}
TEMPLATES = {  # the other acts, and how each is written
    "GotoLocation": "go to [{r.name | receptacleatlocation(r:receptacle, lend:location)}]",
    "OpenObject": "open {r}",
    "CloseObject": "close {r}",
    "PickupObject": "take {o} from {r}",
    "inventory": "inventory",
    "examineReceptacle": "examine {r}",
    "examineObject": "examine {o}",
    "ToggleObject": "use {o}",
    "HeatObject": "heat {o} with {r}",
    "CleanObject": "clean {o} with {r}",
    "CoolObject": "cool {o} with {r}",
    "SliceObject": "slice {co} with {ko}",
    "look": "look",
}
ARRIVALS = ("You arrive at {r.name}. #examine", "You arrive at {lend.name}. #examine")
GOAL = re.compile(r'"rhs": "Your task is to: ([^"\n\\]*)"')
HELP = re.compile(r'Available commands:[^"]*')
ODD = re.compile(r"[;|<>\[\]#{}\"\\\n]")  # what the grammar would not read as plain text


@dataclass(frozen=True)
class Wording:
    put: str = "put {o} in/on {r}"
    said_of_put: str = PUTS["put {o} in/on {r}"]
    numbers_spots: bool = True  # "You arrive at loc 12." instead of "You arrive at fridge 1."
    help: str | None = None
    cleans: tuple[str, ...] = ("sinkbasin", "sink")  # where things can be cleaned


PAPER = Wording()


def goal_of(grammar: str) -> str:
    """What the grammar of a game says its task is."""
    if len(grammar) > LONGEST:
        raise ValueError(f"its grammar has more than {LONGEST} characters")
    found = GOAL.search(grammar)
    if found is None:
        raise ValueError("its grammar does not say what the task is")
    return plain_goal(found[1])


def plain_goal(text: str) -> str:
    """A task in words that a grammar can hold."""
    if ODD.search(text) or not text.strip():
        raise ValueError(f"{text[:60]!r} are no plain words for a task")
    return text


def read_wording(grammar: str, domain: str) -> Wording:
    """The wording of a game file, or a ValueError for one that is not ALFWorld's."""
    if max(len(grammar), len(domain)) > LONGEST:
        raise ValueError(f"its grammar or domain has more than {LONGEST} characters")
    return wording_of(GOAL.sub("", grammar), domain)  # all games of a release share what is left


@lru_cache(maxsize=8)
def wording_of(grammar: str, domain: str) -> Wording:
    acts = dict(ACT.findall(grammar))
    for name, template in TEMPLATES.items():
        if acts.get(name) != template:
            raise ValueError(f"its grammar has no act {name} that is written as ALFWorld does")
    said = PUTS.get(acts.get("PutObject", ""))
    arrival = [text in grammar for text in ARRIVALS]
    if said is None or said.format(o="{o.name}", r="{r.name}") not in grammar or sum(arrival) != 1:
        raise ValueError("its grammar puts things down or arrives in words that are not ALFWorld's")
    rules = " ".join(re.sub(r";[^\n]*", "", domain).lower().split())
    if "(define (domain alfred)" not in rules or "(receptacletype ?r sinkbasintype)" not in rules:
        raise ValueError("its rules (pddl_domain) are not those of ALFWorld")
    sinks = ("sinkbasin", "sink") if "(receptacletype ?r sinktype)" in rules else ("sinkbasin",)
    helps = HELP.search(grammar) if "(:action help" in rules and "help" in acts else None
    help = helps and helps[0].replace("\\n", "\n")
    return Wording(acts["PutObject"], said, arrival[1], help, sinks)
