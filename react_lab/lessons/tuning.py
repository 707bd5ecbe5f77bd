"""Lesson 09: from correct trajectories to a better small model (section 3.3, Figure 3)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .. import data, page, tasks, teach
from ..finetune import Line, Turn, training_line
from ..stats import wilson
from ..types import Step, Task, Trajectory

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "budgets",
    "card",
    "curve",
    "dev_scores",
    "lesson",
    "line_shown",
    "losses",
    "rounds",
    "task",
]

LEGS = ("react", "act", "cot", "standard")
KINDS = ("multihop-pool", "multihop-dev", "claims-dev")
TASKS = {"first": "multihop-dev-072", "apart": "multihop-dev-033"}


def line_shown(run: Trajectory, leg: str) -> page.Page:
    """A training line, turn by turn: what is shown, and what the model has to write."""
    notes = [part for turn in training_line(run, leg) for part in notes_of(turn)]
    return page.Page("".join(n.html for n in notes), "\n".join(n.text for n in notes))


def notes_of(turn: Turn) -> Iterator[page.Page]:
    yield page.note("shown", turn.shown.strip(), "observation")
    written = turn.written.strip() + ("\n" + turn.mark if turn.mark else "")
    if turn.learned:
        yield page.note("to be written", written, "thought", ("learned",))
    else:
        yield page.note("written", written, "", ("not learned: it led nowhere",))


def card(leg: str) -> dict[str, Any]:
    """What the card of a shipped adapter tells."""
    path = data.folder("adapters", f"{leg}.json")
    told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return told


def losses(leg: str, over: int = 25) -> list[float]:
    """The loss over both passes of round one, averaged over a few steps at a time."""
    raw = [loss for told in card(leg)["rounds"][:2] for loss in told["losses"]]
    return [sum(raw[k : k + over]) / len(raw[k : k + over]) for k in range(0, len(raw), over)]


def curve(leg: str) -> pd.DataFrame:
    """Dev score against gold lines read, both passes (Appendix B.1): rates with 95% intervals."""
    import pandas as pd

    told = card(leg)["curve"]
    low, high = zip(*(wilson(point["right"], point["asked"]) for point in told), strict=True)
    points = pd.DataFrame(told)
    return points.assign(rate=points["right"] / points["asked"], low=low, high=high)


def task(name: str = "first") -> Task:
    """A question of this lesson."""
    split = TASKS[name].split("-")[1]
    return next(each for each in tasks.load("multihop", split) if each.id == TASKS[name])


def dev_scores() -> pd.DataFrame:
    """What the cards of the four adapters tell: right answers on dev tasks, with 95% intervals."""
    import pandas as pd

    told = {leg: card(leg) for leg in LEGS}
    return pd.DataFrame({leg: rates(each["dev"][each["chosen"]]) for leg, each in told.items()}).T


def budgets() -> pd.DataFrame:
    """ReAct's dev scores after one pass over so many gold lines, a training for each budget."""
    import pandas as pd

    rows = []
    for stage, scores in card("react")["dev"].items():
        if "-gold-" in stage:
            right, asked = map(sum, zip(*scores.values(), strict=True))
            low, high = wilson(right, asked)
            told = f"{right} of {asked} ({low:.0%} to {high:.0%})"
            rows.append({"lines": int(stage.rpartition("-")[2]), "right": told})
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


def rates(scores: dict[str, list[int]]) -> dict[str, str]:
    """`9 of 60 (8% to 26%)`, by the kind of dev task."""
    told = {}
    for kind in KINDS:
        right, n = scores[kind]
        low, high = wilson(right, n)
        told[kind] = f"{right} of {n} ({low:.0%} to {high:.0%})"
    return told


def lesson() -> teach.Lesson:
    """The exercises and the questions, made afresh."""
    return teach.Lesson("09", {"9.1": SHARE, "9.2": GROUNDED, "9.3": APART}, QUESTIONS)


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

SHARE = teach.Exercise(
    "Write share(line): which share of the characters of a training line has to be written by the "
    "model? A line is a tuple of turns; a turn has .shown, .written and .learned (True or "
    "False). What is written but not learned does not count as learned.",
    close,
    """def share(line):
    learned = sum(len(turn.written) for turn in line if turn.learned)
    return learned / sum(len(turn.shown + turn.written) for turn in line)""",
    (
        "Two sums: one over the learned turns, one over all of them.",
        "len(turn.shown + turn.written) is the length of a turn.",
    ),
    minutes=5,
    dots=2,
)

GROUNDED = teach.Exercise(
    "A run that is right may still be right by luck. Write grounded(runs): those of the runs that "
    "are correct (rl.score.correct) and whose answer stands in one of their observations. Capital "
    "letters do not matter.",
    teach.cases(
        (([SEEN, GUESSED, WRONG],), [SEEN]),
        (([LATER],), [LATER]),
        (([],), []),
    ),
    """def grounded(runs):
    def stands(run):
        seen = " ".join(step.observation or "" for step in run.steps)
        return run.answer.lower() in seen.lower()

    return [run for run in runs if rl.score.correct(run) and stands(run)]""",
    (
        "A list comprehension with two conditions.",
        "step.observation is None for the last step: write (step.observation or '').",
    ),
    minutes=8,
    dots=3,
)

APART = teach.Exercise(
    "Two methods were tried on questions. Write apart(right_a, n_a, right_b, n_b): True if their "
    "95% intervals do not overlap. react_lab.stats.wilson(right, n) gives the two ends of one.",
    teach.cases(
        ((54, 60, 3, 60), True),
        ((8, 40, 4, 40), False),
        ((3, 60, 54, 60), True),
        ((80, 400, 40, 400), True),
    ),
    """from react_lab.stats import wilson


def apart(right_a, n_a, right_b, n_b):
    (low_a, high_a), (low_b, high_b) = wilson(right_a, n_a), wilson(right_b, n_b)
    return low_a > high_b or low_b > high_a""",
    (
        "They are apart when the lower end of one is above the upper end of the other.",
        "There are two ways round: a above b, and b above a.",
    ),
    minutes=5,
    dots=2,
)

QUESTIONS = (
    teach.Question(
        "Why are observations shown in training and never learned?",
        (
            ("They are too long", False, "They are long, but that is not why."),
            ("The world writes them", True, "A model that learns them learns to make them up."),
            ("They are in the weights already", False, "No page of the world is."),
        ),
    ),
    teach.Question(
        "The same 1,000 questions taught Chain-of-Thought. What did that model learn?",
        (
            ("The facts of the pages", False, "The dev pages were never shown to it."),
            ("To sound sure", True, "The manner of reasoning, without a place to look things up."),
            ("To search", False, "Its lines have no act."),
        ),
    ),
    teach.Question(
        "Round two learns from the model's own correct runs. What can go wrong?",
        (
            ("A run may be right by luck", True, "Its bad steps are then taught as good ones."),
            ("The questions are too new", False, "They are of the train split, as before."),
            (
                "It needs gold trajectories",
                False,
                "Only the gold answers, to tell what is correct.",
            ),
        ),
    ),
    teach.Question(
        "A tuned model is asked bare, without exemplars. Why?",
        (
            ("To save tokens", False, "It does, but the score is the reason."),
            (
                "So it was trained",
                True,
                "Behind exemplars the prompt is unlike all it learned from.",
            ),
            ("Exemplars are secret", False, "They are in data/exemplars."),
        ),
    ),
)
