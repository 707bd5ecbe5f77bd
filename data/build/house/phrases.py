"""The wordings of the oracle's thoughts. `{One}` is `{one}` with a capital letter."""

from __future__ import annotations

__all__ = [
    "DIVIDE",
    "ELSEWHERE",
    "FEEDBACK",
    "FOUND",
    "GOAL",
    "INTO",
    "IN_HAND",
    "IS_MADE",
    "KNOWN",
    "LAMP",
    "NEXT",
    "NONE_SEEN",
    "NOTED",
    "NOTHING",
    "NOT_WANTED",
    "ODD",
    "ON",
    "ONE_DONE",
    "SUBGOAL",
    "WHERE",
]

INTO = ("cabinet", "drawer", "fridge", "microwave", "safe", "garbagecan", "sinkbasin",
        "bathtubbasin", "laundryhamper", "box")  # fmt: skip
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
        "I need {one} in my hand, and then I go to a {lamp} and switch it on.",
        "Two things to do: get {one}, then take it to a {lamp} and switch that on.",
        "First I look for {one}. With it I go to a {lamp} and turn it on.",
    ),
}
WHERE = (  # where a thing is likely to be
    "{One} is most likely at {places}. I begin with {first}.",
    "I would expect {one} at {places}. I look at {first} first.",
    "{One} may well be at {places}, so I start at {first}.",
)
ELSEWHERE = (
    "There was no {thing} so far. It could also be at {places}. Next is {first}.",
    "I have not seen {one} yet. Next I check {places}, beginning with {first}.",
    "No {thing} in these places. Now I try {places}, beginning with {first}.",
)
ON = ("I still need {one}. I go on with {first}.", "Back to looking for {one}: next is {first}.")
NONE_SEEN = "I have seen no {thing} so far. "
NOTED = (  # seen before it is needed
    "I note that {name} is {into} {place}. It is needed later; first I look for {one}.",
    "{Name} is here {into} {place}. I need it later, when I have {one}.",
    "I keep in mind that {name} is {into} {place}. I still need {one}.",
)
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
    "{Name} is {into} {place} now, and one more {thing} is missing.",
    "{Name} was the first {thing}. Now another one, not {name} again.",
)
IN_HAND = (
    "I have {name} in my hand. Now {next}.",
    "I am carrying {name}, so {next}.",
)
LAMP = (
    "I have {name} in my hand, and {lamp} is {into} {place}. I turn it on there.",
    "I am carrying {name}. I have seen {lamp} {into} {place}, so I turn that on.",
)
IS_MADE = (
    "{Name} is {state} now, so {next}.",
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
