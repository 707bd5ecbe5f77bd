"""Lesson 09: from correct trajectories to a better small model (section 3.3, Figure 3)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import react_lab as rl

from .. import display
from ..models import weights
from ..plots.picture import Picture, sheet
from ..plots.rates import look_of, name_of
from ..prompts import KEEP
from ..support import pd
from ..types import Step, Task, Trajectory
from . import question, words
from .compared import left

TASKS = {"first": "multihop-dev-323", "apart": "multihop-dev-355"}


def line_shown(run: Trajectory, leg: str) -> display.Page:
    """A training line, turn by turn: what is shown, and what the model has to write."""
    pages = list[display.Page]()
    for turn in rl.finetune.training_line(run, leg):
        written = turn.written.strip() + ("\n" + turn.mark if turn.mark else "")
        how = ("to be written", written, "thought", ("learned",))
        if not turn.learned:
            how = ("written", written, "", ("not learned: it led nowhere",))
        pages += [display.note("shown", turn.shown.strip(), "observation"), display.note(*how)]
    return display.together(pages)


def marked(turn: rl.finetune.Turn) -> str:
    """A turn as text; what is learned of it stands between « and »."""
    said = turn.written + turn.mark
    if not turn.learned:
        return turn.shown + said
    words = said.strip()
    before, after = said.split(words)
    return f"{turn.shown}{before}«{words}»{after}"


def card(leg: str) -> Any:
    """What the card of a shipped adapter tells."""
    path = rl.data.folder("adapters", weights.USUAL, f"{leg}.json")
    return json.loads(path.read_text(encoding="utf-8"))


def losses(leg: str) -> pd.Series[float]:
    """The loss by lines read. A card has means of twenty steps; here it is of sixty."""
    last = card(leg)["rounds"][-1]
    raw, step = last["losses_of_20"], 20 * last["lines"] / last["steps"]
    starts = range(0, len(raw) - 2, 3)  # the last one has fewer steps
    read = [round(step * (start + 3)) for start in starts]
    return pd.Series([sum(raw[k : k + 3]) / 3 for k in starts], read)


def draw_losses() -> Picture:
    found = {leg: losses(leg) for leg in KEEP}
    with sheet("", 1, 7.5, 3) as (figure, [ax]):
        for leg, each in found.items():
            colour, _, line = look_of(leg)
            ax.plot(each.index, each, line, color=colour, label=name_of(leg))
        ax.set(xlabel="lines read", ylabel="loss", ylim=(0, None))
        ax.legend(fontsize=11)
    caption = "The loss of the four trainings, the mean of sixty steps at a time."
    table = pd.concat(found, names=["method", "lines"]).rename("loss").reset_index()
    return Picture(figure, caption, {"losses": table})


def tested(size: str = weights.USUAL) -> list[Trajectory]:
    """What the four ways said to the test questions, fine-tuned."""
    kept = rl.store.open(rl.data.folder("runs", size, "questions.jsonl"))
    return [run for run in kept if run.task.id.startswith("multihop-test-")]


def prompted(size: str = weights.USUAL) -> list[Trajectory]:
    """What a model as it was published, prompted, said to some of these questions."""
    return list(rl.store.open(rl.data.folder("runs", size, "prompted.jsonl")))


def sizes() -> list[Trajectory]:
    """The models on these questions, each called by its size."""
    found = {size: [*tested(size), *prompted(size)] for size in weights.SIZES}
    return [replace(run, model=size.upper()) for size, runs in found.items() for run in runs]


def verdicts(picture: Picture) -> display.Page:
    """The paper's claims by size; the last compares a size with the next one, prompted."""
    table = picture.tables["claims"]
    first = table["model"].str.partition(" and ")[0]
    told = table.assign(size=first).pivot(index="claim", columns="size", values="verdict")
    return left(told.loc[table["claim"].unique(), first.unique()].fillna("–"))


def task(name: str = "first") -> Task:
    return question(TASKS[name])


def run_of(answer: str, gold: str, *seen: str) -> Trajectory:
    steps = tuple(Step("", "Search[a]", text) for text in seen)
    task = Task("", "multihop", "?", gold)
    last = Step("", f"Finish[{answer}]")
    return Trajectory("", task, "react", "nobody", steps=(*steps, last), answer=answer)


SEEN = run_of("Warsaw", "Warsaw", "She was born in Warsaw.")
GUESSED = run_of("Warsaw", "Warsaw", "She was a physicist.")
WRONG = run_of("Paris", "Warsaw", "She moved to Paris.")
LATER = run_of("hafnium", "Hafnium", "A city.", "The element hafnium was found there.")
RUNS: Mapping[str, tuple[list[Trajectory], list[Trajectory]]] = {
    "read": ([SEEN], [SEEN]),
    "guessed": ([GUESSED], []),
    "wrong": ([WRONG], []),
    "small": ([LATER], [LATER]),
    "mixed": ([SEEN, GUESSED, WRONG], [SEEN]),
    "none": ([], []),
}


def check_grounded(answer: Any) -> str | None:
    """Run by run, so that it can say which one was taken or left by mistake."""
    for what, (given, expected) in RUNS.items():
        fault = rl.teach.cases(((given,), expected))(answer)
        if fault == rl.teach.UNDONE or not callable(answer):
            return fault
        if fault:
            return words.said("09", "because", fault=fault, what=words.said("09", what))
    return None


lesson = partial(words.lesson_of, "09", {"9.1": check_grounded})
