"""Small households for tests: a kitchen of ours, and game files around it."""

import json

from react_lab.envs.household import Authored, problem_of

DOMAIN = """
(define (domain alfred)  ; as much of ALFWorld's rules as a reader looks at
 (:action CleanObject :precondition (or (receptacleType ?r SinkType) (receptacleType ?r SinkBasinType)))
 {help})
"""
GRAMMAR = """
"task": [ {{ "rhs": "Your task is to: {task}" }} ],
"GotoLocation.feedback": [ {{ "rhs": "You arrive at {{{arrives}.name}}. #examineReceptacle.feedback#" }} ],
"PutObject.feedback": [ {{ "rhs": "{said}" }} ]
action GotoLocation {{
    template :: "go to [{{r.name | receptacleatlocation(r:receptacle, lend:location)}}]";
}}
{acts}
"""
ACTS = {
    "OpenObject": "open {r}", "CloseObject": "close {r}", "PickupObject": "take {o} from {r}",
    "inventory": "inventory", "examineReceptacle": "examine {r}", "examineObject": "examine {o}",
    "ToggleObject": "use {o}", "HeatObject": "heat {o} with {r}", "CleanObject": "clean {o} with {r}",
    "CoolObject": "cool {o} with {r}", "SliceObject": "slice {co} with {ko}", "look": "look",
}  # fmt: skip


def house(**parts):
    """A small kitchen; parts of it can be given otherwise."""
    own = {
        "object": "mug", "target": "shelf",
        "receptacles": {
            "cabinet 1": ("plate 1",), "countertop 1": ("mug 2", "knife 1", "apple 1"),
            "fridge 1": ("egg 1", "apple 2"), "microwave 1": (), "shelf 1": ("bowl 1", "pen 1"),
            "sinkbasin 1": ("mug 1",), "sidetable 1": ("desklamp 1",), "shelf 2": (),
        },
        "spots": (("shelf 1", "sidetable 1"),), "inside": {"bowl 1": ("pen 1",)},
    }  # fmt: skip
    return Authored(**(own | parts))


SIMPLE = "pick_and_place_simple"


def game_file(syntax="put", help=False, task="put some mug on shelf.", type=SIMPLE, **parts):
    """A game file as ALFWorld has them, as far as it is read."""
    put = {"put": "put {o} in/on {r}", "move": "move {o} to {r}"}[syntax]
    said = f"You {put}.".replace("{o}", "the {o.name}").replace("{r}", "the {r.name}")
    acts = ACTS | {"PutObject": put} | ({"help": "help"} if help else {})
    blocks = [f'action {name} {{\n    template :: "{act}";\n}}\n' for name, act in acts.items()]
    if help:
        blocks.append('feedback :: "\nAvailable commands:\n  look:  look around\n";')
    told = {"task": task, "said": said, "arrives": "lend" if syntax == "put" else "r"}
    return {
        "pddl_domain": DOMAIN.format(help="(:action help)" if help else ""),
        "grammar": GRAMMAR.format(**told, acts="\n".join(blocks)),
        "pddl_problem": problem_of(type, house(**parts)),
        "solvable": True,
    }


def game_json(**parts):
    return json.dumps(game_file(**parts))
