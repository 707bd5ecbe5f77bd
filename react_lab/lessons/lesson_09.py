"""Lesson 09: from correct trajectories to a better small model (section 3.3, Figure 3)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .. import data, display, teach
from ..finetune import Turn, training_line
from ..plots.picture import Picture, canvas, drawing
from ..plots.rates import look_of, name_of
from ..prompts import KEEP
from ..stats import wilson
from ..types import Step, Task, Trajectory
from . import question, words

if TYPE_CHECKING:
    import pandas as pd

TASKS = {"first": "multihop-dev-072", "apart": "multihop-dev-033"}


def lesson() -> teach.Lesson:
    """What this lesson asks, with nothing done yet."""
    return words.lesson_of("09", {"9.1": check_grounded})


def line_shown(run: Trajectory, leg: str) -> display.Page:
    """A training line, turn by turn: what is shown, and what the model has to write."""
    return display.together(part for turn in training_line(run, leg) for part in notes_of(turn))


def notes_of(turn: Turn) -> Iterator[display.Page]:
    yield display.note("shown", turn.shown.strip(), "observation")
    written = turn.written.strip() + ("\n" + turn.mark if turn.mark else "")
    if turn.learned:
        yield display.note("to be written", written, "thought", ("learned",))
    else:
        yield display.note("written", written, "", ("not learned: it led nowhere",))


def marked(turn: Turn) -> str:
    """A turn as text; what is learned of it stands between « and »."""
    said = turn.written + turn.mark
    if not turn.learned:
        return turn.shown + said
    words = said.strip()
    before, after = said.split(words)
    return f"{turn.shown}{before}«{words}»{after}"


def card(leg: str) -> dict[str, Any]:
    """What the card of a shipped adapter tells."""
    path = data.folder("adapters", f"{leg}.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def losses(leg: str, over: int = 25) -> list[float]:
    """The loss over both passes of round one, averaged over a few steps at a time."""
    raw = [loss for one in card(leg)["rounds"][:2] for loss in one["losses"]]
    return [sum(raw[k : k + over]) / len(raw[k : k + over]) for k in range(0, len(raw), over)]


def curve(leg: str) -> pd.DataFrame:
    """Dev score against gold lines read, both passes (Appendix B.1): rates with 95% intervals."""
    import pandas as pd

    points = pd.DataFrame(card(leg)["curve"])
    low, high = zip(*map(wilson, points["right"], points["asked"]), strict=True)
    return points.assign(rate=points["right"] / points["asked"], low=low, high=high)


def draw_losses() -> Picture:
    """The loss of the four trainings, a point per hundred lines."""
    import pandas as pd

    found = {leg: pd.Series(losses(leg, over=100)) for leg in KEEP}
    table = pd.DataFrame(found).set_axis(100 * (1 + pd.RangeIndex(max(map(len, found.values())))))
    with drawing():
        figure, [ax] = canvas(1, 7.5, 3)
        for leg in KEEP:
            colour, _, line = look_of(leg)
            ax.plot(table.index, table[leg], line, color=colour, label=name_of(leg))
        ax.set(xlabel="lines read", ylabel="loss", ylim=(0, None))
        ax.legend(fontsize=11)
    caption = "The loss of the four trainings, the mean of a hundred lines at a time."
    return Picture(figure, caption, {"losses": table.rename_axis("lines").reset_index()})


def draw_curves() -> Picture:
    """The dev score of each adapter on the way, with 95% intervals."""
    tables = {leg: curve(leg) for leg in KEEP}
    with drawing():
        figure, axes = canvas(2, 7.5, 5, rows=2, sharex=True, sharey=True)
        for ax, (leg, table) in zip(axes, tables.items(), strict=True):
            colour, mark, line = look_of(leg)
            ax.fill_between(table["lines"], table["low"], table["high"], color=colour, alpha=0.2)
            ax.plot(table["lines"], table["rate"], line, color=colour, marker=mark)
            ax.set(title=name_of(leg), ylim=(0, 1), xlim=(0, 3500))  # 3000 is not at the edge
        for ax in axes:
            ax.set(xlabel="lines read", ylabel="right on dev")
            ax.label_outer()
    caption = "The share of sixty dev tasks that is right on the way. Band: 95% Wilson intervals."
    return Picture(figure, caption, tables)


def task(name: str = "first") -> Task:
    """A question of this lesson."""
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
        fault = teach.cases(((given,), expected))(answer)
        if fault == teach.UNDONE or not callable(answer):
            return fault
        if fault:
            return words.said("09", "because", fault=fault, what=words.said("09", what))
    return None
