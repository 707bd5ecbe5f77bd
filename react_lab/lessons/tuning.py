"""Lesson 09: from correct trajectories to a better small model (section 3.3, Figure 3)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import data, display, store, teach
from ..finetune import Line, Turn, training_line
from ..plots.picture import Picture, canvas, drawing
from ..plots.rates import look_of, name_of
from ..prompts import KEEP
from ..score import correct
from ..stats import wilson
from ..types import Step, Task, Trajectory
from . import question, words
from .decoded import loops

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("multihop-pool", "multihop-dev", "claims-dev")
BOOTSTRAPPED = ("react", "act")
LEARNED = {
    "own-1": "then 150 of its own states, 150 whole runs",
    "own-2": "then as many again, states of this one",
    "plain-1": "then 300 whole runs",
    "plain-2": "then 300 more",
}
NOT_TOLD = "NOT ENOUGH INFO"
TASKS = {"first": "multihop-dev-072", "apart": "multihop-dev-033"}


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


def dev_scores() -> pd.DataFrame:
    """What the cards of the four adapters tell: right answers on dev tasks, with 95% intervals."""
    import pandas as pd

    cards = {leg: card(leg) for leg in KEEP}
    return pd.DataFrame({leg: rates(each["dev"][each["chosen"]]) for leg, each in cards.items()}).T


def budgets() -> pd.DataFrame:
    """ReAct's dev scores after one pass over so many gold lines, a training for each budget."""
    import pandas as pd

    rows = []
    for stage, scores in card("react")["dev"].items():
        if "-gold-" in stage:
            right, asked = map(sum, zip(*scores.values(), strict=True))
            rows.append({"lines": int(stage.rpartition("-")[2]), "right": rate(right, asked)})
    return pd.DataFrame(rows).set_index("lines").sort_index()


def rounds() -> pd.DataFrame:
    """The dev scores of ReAct's and Act's adapters after each stage that was scored in full."""
    import pandas as pd

    stages = {
        (leg, stage): rates(scores)
        for leg in ("react", "act")
        for stage, scores in card(leg)["dev"].items()
        if len(scores) == len(KINDS)
    }
    return pd.DataFrame(stages).T


def own_states() -> pd.DataFrame:
    """Sixty dev questions before and after each round on an adapter's own states, and after as
    many plain lines.
    """
    import pandas as pd

    folder, rows = data.folder("runs", "own_states"), {}
    shipped = [*store.open(data.folder("runs", "comparison", "multihop-tuned.jsonl"))]
    for leg in BOOTSTRAPPED:
        learned = {
            name: [*store.open(path)]
            for stage, name in LEARNED.items()
            if (path := folder / f"{leg}-{stage}.jsonl").exists()
        }
        asked = {run.task.id for runs in learned.values() for run in runs}
        before = [run for run in shipped if run.method == leg and run.task.id in asked]
        for name, runs in ({"as shipped": before} | learned).items():
            rows[leg, name] = became(runs)
    return pd.DataFrame(rows).T


def became(runs: Sequence[Trajectory]) -> dict[str, str]:
    """What became of runs, in numbers."""
    return {
        "right": rate(sum(bool(correct(run)) for run in runs), len(runs)),
        "gave up": str(sum(run.answer == NOT_TOLD for run in runs)),
        "did the same twice": str(sum(map(loops, runs))),
        "no answer in time": str(sum(run.answer is None for run in runs)),
    }


def rates(scores: dict[str, list[int]]) -> dict[str, str]:
    """What was right of each kind of dev task."""
    return {kind: rate(*scores[kind]) for kind in KINDS}


def rate(right: int, n: int) -> str:
    """`9 of 60 (8% to 26%)`."""
    low, high = wilson(right, n)
    return f"{right} of {n} ({low:.0%} to {high:.0%})"


def lesson() -> teach.Lesson:
    """The exercises and the questions, made afresh."""
    return words.lesson_of("09", CHECKS)


LINES: Sequence[Line] = (
    (Turn("Question: a\nThought 1:", " b\nAction 1: Search[c]\n", "Observation 1:"),
     Turn(" d d d\nThought 2:", " e\nAction 2: Finish[f]\n")),
    (Turn("Question: a\nAnswer:", " b\n"),),
    (Turn("Claim: a\nThought 1:", " b\nAction 1: Search[c]\n", "Observation 1:", learned=False),
     Turn(" d\nThought 2:", " e\nAction 2: Finish[f]\n")),
)  # fmt: skip


def share(line: Line) -> float:
    """The solution of 9.1, by which the cases are made."""
    learned = sum(len(turn.written) for turn in line if turn.learned)
    return learned / sum(len(turn.shown + turn.written) for turn in line)


def close(answer: Any) -> str | None:
    """The check of 9.1: a number is right when it is right to a thousandth."""
    if not callable(answer):
        return "This exercise asks for a function."
    for line in LINES:
        got = answer(line)
        if got is ...:
            return teach.UNDONE
        if not isinstance(got, int | float) or abs(got - share(line)) > 1e-3:
            return f"For a line of {len(line)} turns it gave {teach.short(got)}."
    return None


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
    "This run is right, and an observation says so": ([SEEN], [SEEN]),
    "This run is right, but no observation says so: luck": ([GUESSED], []),
    "This run is wrong": ([WRONG], []),
    "The observation says it in small letters": ([LATER], [LATER]),
    "These are all of them at once, and the first is right and read": (
        [SEEN, GUESSED, WRONG],
        [SEEN],
    ),
    "No runs were given": ([], []),
}


def check_grounded(answer: Any) -> str | None:
    """The check of 9.2: run by run, so that it can say which one was taken or left by mistake."""
    for what, (given, expected) in RUNS.items():
        fault = teach.cases(((given,), expected))(answer)
        if fault:
            return fault if fault == teach.UNDONE or not callable(answer) else f"{fault}. {what}."
    return None


CHECKS: Mapping[str, teach.Check] = {
    "9.1": close,
    "9.2": check_grounded,
    "9.3": teach.cases(
        ((54, 60, 3, 60), True),
        ((8, 40, 4, 40), False),
        ((3, 60, 54, 60), True),
        ((80, 400, 40, 400), True),
    ),
}
