"""How the questions for tools and the shipped adapter for them were made and measured.

python data/build/tool_tasks.py tasks     writes data/tasks/tools/train.jsonl and dev.jsonl
python data/build/tool_tasks.py           trains the adapter; a killed one goes on
python data/build/tool_tasks.py test      runs it on dev and test, into data/runs/tools
python data/build/tool_tasks.py cards     copies the adapter and writes its card
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from course import SEED, Course, Round
from tool_questions import HELD_OUT, Maker, rows

from react_lab import data, models, score, store, tasks
from react_lab.envs.tools import Tools
from react_lab.evaluation import evaluate
from react_lab.stats import interval
from react_lab.types import Step, Task, Trajectory

__all__ = ["COURSE", "SPLITS", "baselines", "gold_run", "made", "path", "rates"]

LINES, DEV = 300, 32
SPLITS = {
    "test": "written by hand, in other wordings",
    "dev": "generated: the wordings of the train questions, other cities and numbers",
}


def made(split: str) -> Iterator[dict[str, Any]]:
    """The generated questions of a split; those of dev ask about the cities of test."""
    train = list(rows(LINES))
    if split == "train":
        yield from train
        return
    known = {row["text"] for row in train}
    yield from rows(DEV, "dev", Maker(HELD_OUT, SEED + 1), without=known)


def gold_run(task: Task) -> Trajectory:
    """The thoughts and acts of a train question, with what the tools say today."""
    env = Tools()(task)
    env.reset(task)
    steps = tuple(
        Step(thought, act, seen.text or None, outcome=seen.outcome)
        for thought, act in task.extra["steps"]
        for seen in [env.step(act)]
    )
    return Trajectory(
        f"gold-{task.id}", task, "react", "gold", {}, steps, answer=task.gold, end="finished"
    )


def learned(leg: str, now: Round, later: bool) -> Iterator[Trajectory]:
    """Also what is said of a failed call is learned: the thought after it, not the call itself."""
    runs = [gold_run(task) for task in tasks.load("tools", "train")[: now.gold]]
    random.Random(SEED).shuffle(runs)
    yield from runs


def nothing(*_: Any) -> Any:
    raise ValueError("the adapter for tools learns from gold runs alone")


# ---------------------------------------------------------------------- how well it does


def path(split: str) -> Path:
    return data.folder("runs", "tools", f"{split}.jsonl")


def measure() -> None:
    model = models.local(adapter={"tools/react": COURSE.adapter("react")})
    for split in SPLITS:
        evaluate("react", tasks.load("tools", split), model, path(split), end_repeats=True)


def baselines(split: str) -> dict[str, int]:
    """How many answers are right without any model: the commonest one, and the first number."""
    asked = tasks.load("tools", split)
    golds = [task.gold or "" for task in asked]
    most = max(sorted(set(golds)), key=golds.count)
    return {
        f"always {most}": golds.count(most),
        "what the weather of the first city begins with": sum(map(first_seen, asked)),
    }


def first_seen(task: Task) -> bool:
    env = Tools()(task)
    places = [(task.text.find(city), city) for city in HELD_OUT if city in task.text]
    seen = env.step(f"Weather[{min(places)[1]}]").text if places else ""
    return score.exact_match(seen.partition(",")[0], task.gold or "")


def rates() -> str:
    """The table of the card: every rate with its interval, the baselines below."""
    lines = ["| questions | who | right | 95% interval |", "|:--|:--|--:|:--|"]
    for split, what in SPLITS.items():
        runs = list(store.open(path(split)))
        found = {"the adapter": sum(bool(score.correct(run)) for run in runs)} | baselines(split)
        lines += [
            f"| {split}, {what} | {who} | {right} of {len(runs)} | {interval(right, len(runs))} |"
            for who, right in found.items()
        ]
    return "\n".join(lines)


def words_of_card() -> str:
    return f"""It went on from the adapter `react` (questions over pages), which knew how turns look. It is asked
bare: from `Question:` on, without instruction or exemplars. The cities of dev and test stand in none
of its lines, and the wordings of the test questions are others.

{rates()}

Of the 14 wrong test answers, 6 come from another sum or tool than the question wants, 4 ask for the
weather of a country (`Weather[Norway]` after a thought about Oslo), 3 take the difference where the
question asks which city, and 1 says no for yes.

A first adapter, from the base model and 150 lines in few wordings, had 12 of the 38 test questions.
After that the train wordings were made many, with the types of the test questions in sight and none
of their sentences: so the test questions are no longer quite unseen. It knows the four tools of the
lesson and no others: a tool of yours wants a larger, prompted model."""


COURSE = Course(
    "tools", ("react",), (Round(1, 1e-3, gold=LINES),), Tools(), nothing, learned, nothing,
    "data/build/tool_tasks.py", "", begin="react",
)  # fmt: skip


def main() -> None:
    if "tasks" in sys.argv:
        for split in ("train", "dev"):
            lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in made(split))
            data.write(data.folder("tasks", "tools", f"{split}.jsonl"), "".join(lines))
    elif "test" in sys.argv:
        measure()
        print(rates())
    else:  # the words of the card tell the rates, so they are made when the card is
        replace(COURSE, words=words_of_card() if "cards" in sys.argv else "").main()


if __name__ == "__main__":
    main()
