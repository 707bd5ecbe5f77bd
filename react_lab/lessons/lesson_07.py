"""Lesson 07: decisions in a household: its games, how far its runs came, where thoughts stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import groupby

import react_lab as rl

from .. import display
from ..analysis import table3
from ..analysis.household import Belief
from ..envs.household import TYPES, Household
from ..envs.household.alfworld import kind_of as sort_of
from ..envs.household.rules import NOTHING
from ..plots.picture import Picture, plain, sheet
from ..plots.rates import name_of
from ..prompts import Exemplar, exemplar_text, read_exemplars
from ..support import pd
from ..types import Model, Step, Task, Trajectory
from . import words

FAR = ("never took it", "took it", "did a part", "won")  # how far a player came
ACT, THOUGHT = display.COLOURS["action"], display.COLOURS["thought"]
Edit = tuple[int, str]  # the number of a step, and the thought to be there


lesson = partial(words.lesson_of, "07", {"7.1": words.keys_of("07")})
cases = partial(words.cases, "07")  # the thoughts of exercise 7.1

SCENES = {
    "play": "household-unseen-1010",  # to be played by hand
    "apart": "household-unseen-1022",  # lost by Act, won by ReAct
    "rescue": "household-unseen-1006",  # lost by ReAct, and won after the edit
}
MENDED = "That does not work: I am standing at drawer 1 already, and it is closed. I open drawer 1."
EDITS: tuple[Edit, ...] = ((7, MENDED),)


def task(name: str) -> Task:
    """The bundled game of a scene: play, apart or rescue."""
    return next(each for each in rl.tasks.load("household", "unseen") if each.id == SCENES[name])


# ---------------------------------------------------------------------- how far a run came


recorded = table3.runs  # Act, ReAct and ReAct-IM, once on each of our unseen games


def how_far(run: Trajectory) -> str:
    """The last part of the task that was reached, as one of `FAR`."""
    if run.reward == 1.0:
        return FAR[3]
    know, reached = Belief.begin(Household()(run.task).reset(run.task)), 0
    goal = know.goal
    for step in run.steps:
        if step.action is None:
            continue
        know.see(step.action, step.observation or "")
        right = bool(know.held) and sort_of(know.held) == goal.object
        there = [place for _, place in know.where(goal.object) if sort_of(place) == goal.target]
        half = goal.count > 1 and bool(there)
        made = bool(goal.need) and right and know.ready(know.held)
        reached = max(reached, 2 if half or made else 1 if right else 0)
    return FAR[reached]


def made_up(run: Trajectory) -> list[str]:
    """The places that it wanted to go to, and that the room does not have."""
    there = Belief.begin(Household()(run.task).reset(run.task)).places
    acts = [step.action or "" for step in run.steps]
    wanted = [act.removeprefix("go to ") for act in acts if act.startswith("go to ")]
    return [place for place in wanted if place not in there]


def prompted() -> rl.store.Runs:
    """ReAct of a larger model, only prompted: with two of our three examples, in each order."""
    return rl.store.open(rl.data.folder("runs", "1.5b", "household.jsonl"))


def far(runs: Iterable[Trajectory], by: str = "method") -> pd.DataFrame:
    """How far the runs of each method came, how many of its acts led to nothing, and where to.

    by: "method", or a setting of the runs, such as "prompts".
    """
    rows = [
        {
            "": name_of(run.method) if by == "method" else str(run.settings[by]),
            **{far: int(how_far(run) == far) for far in FAR},
            "acts": sum(step.action is not None for step in run.steps),
            "in vain": sum(NOTHING in (step.observation or "") for step in run.steps),
            "to no place": len(made_up(run)),
        }
        for run in runs
    ]
    return pd.DataFrame(rows).groupby("", sort=False).sum().rename_axis(None)


def won(runs: Iterable[Trajectory]) -> str:
    """How many of its games each method won, in words."""
    found: dict[str, list[bool]] = {}
    for run in runs:
        found.setdefault(name_of(run.method), []).append(run.reward == 1.0)
    return ", ".join(f"{name} won {sum(each)} of {len(each)}" for name, each in found.items())


def mended(lost: Trajectory, edits: Iterable[Edit], model: Model) -> list[Trajectory]:
    """The lost run, and the run after each edit: another thought, and the model goes on."""
    runs = [lost]
    for at, thought in edits:
        runs.append(rl.resume(rl.rethink(runs[-1], at, thought=thought), model=model))
    return runs


# ---------------------------------------------------------------------- where thoughts stand


def exemplar(type: str) -> Exemplar:
    """The first of the three games of a type of task that were written by hand."""
    kind = rl.kinds.kind_named("household")
    if type not in TYPES:
        raise ValueError(f"no type of task {type!r}; there are: {', '.join(TYPES)}")
    text = exemplar_text(kind.exemplars_for(type))
    return read_exemplars(text, kind.layout, [kind.start])[1][0]


def prompt_shown(type: str) -> display.Page:
    """A hand-written game as the model reads it: the thoughts, and the acts between two of them."""
    found = exemplar(type)
    pages = [display.note("Task", found.opening.rpartition("\n")[2], "hint")]
    for acting, some in groupby(found.steps, lambda step: step.action is not None):
        steps = [*some]
        if acting:
            name = f"{len(steps)} act{'s' * (len(steps) > 1)}"
            acts = [f"> {step.action}\n{step.observation or ''}".rstrip() for step in steps]
            pages.append(display.note(name, "\n".join(acts), "action"))
        else:
            pages += [display.note("Thought", step.thought or "", "thought") for step in steps]
    return display.together(pages)


def strips(rows: Mapping[str, Iterable[Step]]) -> Picture:
    """Where thoughts stand: one line per game, flat for an act, tall for a thought."""
    games = {plain(name, 40): ["thought" if s.action is None else "act" for s in steps]
             for name, steps in rows.items()}  # fmt: skip
    counts = [(each.count("act"), each.count("thought")) for each in games.values()]
    table = pd.DataFrame(counts, columns=["acts", "thoughts"], index=[*games])
    caption = (
        "Steps from left to right. Tall and blue: a thought. Flat and orange: an act. "
        f"{table['acts'].sum()} acts and {table['thoughts'].sum()} thoughts in all."
    )
    with sheet(caption, 1, 9.5, 1.0 + 0.4 * len(games)) as (figure, [ax]):
        for y, steps in enumerate(games.values()):
            for kind, height, colour in (("act", 0.28, ACT), ("thought", 0.8, THOUGHT)):
                at = [i - 0.42 for i, each in enumerate(steps, start=1) if each == kind]
                ax.barh([y] * len(at), [0.84] * len(at), height, left=at, color=colour)
        ax.set_yticks(range(len(games)), [*games])
        ax.set_ylim(len(games) - 0.4, -0.6)
        ax.set(xlabel="step", xlim=(0.3, max(map(len, games.values()), default=1) + 0.7))
    return Picture(figure, caption, {"thoughts": table.rename_axis("game").reset_index()})
