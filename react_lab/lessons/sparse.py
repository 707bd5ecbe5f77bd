"""Where thoughts stand in a game, and what they are for: the pictures and the lab of lesson 07."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .. import display, running
from ..analysis import paper
from ..analysis.household import read_task
from ..editing import rethink
from ..envs.household import TYPES, Household
from ..kinds import kind_named
from ..plots.picture import Picture, canvas, drawing, plain, written
from ..prompts import Exemplar, exemplar_text, read_exemplars
from ..types import Model, Step, Trajectory
from . import household
from .compared import table_of

if TYPE_CHECKING:
    import pandas as pd

ACT, THOUGHT = display.COLOURS["action"], display.COLOURS["thought"]
TOOLS = {
    "clean": ("clean", "sinkbasin 1"),
    "hot": ("heat", "microwave 1"),
    "cool": ("cool", "fridge 1"),
}
STATES = {"clean": "clean", "hot": "hot", "cool": "cold"}


# ---------------------------------------------------------------------- the prompt


def exemplars(type: str, leg: str = "react") -> tuple[Exemplar, ...]:
    """The three hand-written games of a type of task, with the thoughts of ReAct or ReAct-IM."""
    kind = kind_named("household")
    if type not in TYPES:
        raise ValueError(f"no type of task {type!r}; there are: {', '.join(TYPES)}")
    text = exemplar_text(kind.exemplars_for(type, leg))
    return read_exemplars(text, kind.layout, [kind.start])[1]


def prompt_shown(type: str, number: int = 1, leg: str = "react") -> display.Page:
    """A hand-written game as the model reads it: the thoughts, and the acts between two of them."""
    found = exemplars(type, leg)[number - 1]
    pages, acts = [display.note("Task", found.opening.rpartition("\n")[2], "hint")], list[str]()

    def between() -> None:
        if acts:
            name = f"{len(acts)} act{'s' * (len(acts) > 1)}"
            pages.append(display.note(name, "\n".join(acts), "action"))
            acts.clear()

    for step in found.steps:
        if step.action is None:
            between()
            pages.append(display.note("Thought", step.thought or "", "thought"))
        else:
            acts.append(f"> {step.action}\n{step.observation or ''}".rstrip())
    between()
    return display.together(pages)


def shares(legs: Iterable[str] = ("react", "react-im")) -> pd.DataFrame:
    """How sparse the thoughts of the hand-written games are: one row per type of task."""
    import pandas as pd

    rows = {}
    for type in TYPES:
        row: dict[str, object] = {}
        for leg in legs:
            steps = [step for each in exemplars(type, leg) for step in each.steps]
            thoughts = sum(step.action is None for step in steps)
            row["acts"] = acts = len(steps) - thoughts
            row[f"thoughts of {leg}"] = thoughts
            row[f"acts to a thought, {leg}"] = round(acts / thoughts, 1)
        rows[short_name(type)] = row
    return pd.DataFrame.from_dict(rows, orient="index")


def short_name(type: str) -> str:
    """A type of task by the name that Table 3 gives it: Pick, Clean, Heat, Cool, Look, Pick 2."""
    return str(paper.read("table3")["types"].get(type, type))


def twins(type: str, number: int = 1) -> display.Page:
    """The same acts, with the thoughts of ReAct and with those of ReAct-IM."""
    react, feedback = (
        by_act(exemplars(type, leg)[number - 1].steps) for leg in ("react", "react-im")
    )
    rows = [("act", "ReAct thinks before it", "ReAct-IM thinks before it")]
    rows += [(f"> {act}", thought or "–", other or "–")
             for (act, thought), (_, other) in zip(react, feedback, strict=True)]  # fmt: skip
    return table_of(rows)


def by_act(steps: Iterable[Step]) -> list[tuple[str, str]]:
    """Each act, and the thought that stands before it, if any."""
    rows, thought = [], ""
    for step in steps:
        if step.action is None:
            thought = step.thought or ""
        else:
            rows.append((step.action, step.thought or thought))
            thought = ""
    return rows


def strips(rows: Mapping[str, Iterable[Step]]) -> Picture:
    """Where thoughts stand: one line per game, flat for an act, tall for a thought."""
    import pandas as pd

    games = {plain(name, 40): ["thought" if s.action is None else "act" for s in steps]
             for name, steps in rows.items()}  # fmt: skip
    counts = [(each.count("act"), each.count("thought")) for each in games.values()]
    table = pd.DataFrame(counts, columns=["acts", "thoughts"], index=[*games])
    caption = (
        "Steps from left to right. Tall and blue: a thought. Flat and orange: an act. "
        f"{table['acts'].sum()} acts and {table['thoughts'].sum()} thoughts in all."
    )
    with drawing():
        figure, [ax] = canvas(1, 9.5, 1.0 + 0.4 * len(games))
        for y, steps in enumerate(games.values()):
            for kind, height, colour in (("act", 0.28, ACT), ("thought", 0.8, THOUGHT)):
                at = [i - 0.42 for i, each in enumerate(steps, start=1) if each == kind]
                ax.barh([y] * len(at), [0.84] * len(at), height, left=at, color=colour)
        ax.set_yticks(range(len(games)), [*games])
        ax.set_ylim(len(games) - 0.4, -0.6)
        ax.set(xlabel="step", xlim=(0.3, max(map(len, games.values()), default=1) + 0.7))
        written(figure, caption)
    return Picture(figure, caption, {"thoughts": table.rename_axis("game").reset_index()})


# ---------------------------------------------------------------------- the lab


def taken_at(run: Trajectory) -> int:
    """The step right after the thing of the task was taken: where a thought matters most."""
    goal = read_task(Household()(run.task).reset(run.task))
    for i, step in enumerate(run.steps[:-1], start=1):
        if step.action and (step.observation or "").startswith(f"You pick up the {goal.object} "):
            return i + 1
    raise ValueError("nothing that the task asks for is taken in this run, or it ends there")


def state_of(run: Trajectory) -> str:
    """What has to be done to the thing of this game: clean, hot, cool, or nothing."""
    return read_task(Household()(run.task).reset(run.task)).need


def thoughts_for(run: Trajectory, at: int) -> dict[str, str]:
    """Hand-written thoughts to put in at this step, by what they are; "": none at all."""
    goal = read_task(Household()(run.task).reset(run.task))
    thing, target = goal.object, f"the {goal.target or goal.lamp}"
    verb, tool = TOOLS.get(goal.need, ("", ""))
    state = STATES.get(goal.need, "where it has to be")
    way = f"I {verb} it with {tool}; then it goes to" if verb else "I bring it to"
    out = {"taken out": ""} if run.steps[at - 1].action is None else {}
    return out | {
        "the next part": f"I have the {thing}. Now {way} {target}.",
        "says nothing": "This is a house with many things in it.",
        "made up": f"The {thing} is {state} now. All that is left is to go to {target}.",
        "another goal": f"Now I need to find a {'spoon' if thing != 'spoon' else 'plate'}.",
    }


def tried(
    run: Trajectory, at: int, thoughts: Mapping[str, str], model: Model
) -> dict[str, Trajectory]:
    """The run as it was, and, where the model can play, after each of these thoughts."""
    found = {"as it was": run}
    if not household.ready(model, run.method):
        return found
    for name, thought in thoughts.items():
        edit = rethink(run, at, thought=thought) if thought else household.without(run, at)
        found[name] = running.resume(edit, model=model)
    return found


def told(run: Trajectory, others: Mapping[str, Trajectory]) -> pd.DataFrame:
    """What became of each of the runs: its next three acts, and how it ended."""
    import pandas as pd

    rows = {}
    for name, each in others.items():
        both = zip(run.steps, each.steps, strict=False)
        same = next((i for i, (a, b) in enumerate(both) if a != b), 0)
        acts = [step.action for step in each.steps[same:] if step.action][:3]
        next_acts = ", ".join(acts) if each is not run else "–"
        rows[name] = [next_acts, household.how_far(each), len(each.steps)]
    return pd.DataFrame(rows, index=["the next acts", "how far", "steps"]).T
