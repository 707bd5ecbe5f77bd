"""What `python -m react_lab table1` does: ten episodes, a question, the rest, the table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from ..support.text import inline
from ..types import FAULTS, Trajectory
from .job import METHODS, PREVIEWED, Job, Wanted, prepared
from .report import written

__all__ = ["table1"]

Say = Callable[[str], object]


def table1(wanted: Wanted, say: Say = print) -> int:
    """Run Table 1, or go on with it; the exit status: 0 when it was done, or declined."""
    job = prepared(wanted)
    job.days()
    say(opening(job))
    if wrong := faults(job.run(job.first()), len(job.first())):
        raise ValueError(wrong)
    known = job.preview()
    say(f"{known.table().to_string(index=False)}\n{known.words()}")
    if known.left and not (wanted.yes or agreed(say)):
        say(f"Nothing more is asked. What there is stays in {inline(job.folder)}, and counts.")
        return 0
    runs = job.run(job.all())
    picture, told = written(runs, job)
    say(picture.table.to_string(index=False, na_rep="–"))
    say("\n".join(["What differs from the paper:", *(f"* {line}" for line in told)]))
    say(f"Written: {inline(job.folder)}, with table1.md, table1.png and runs.jsonl")
    return int(bool(faults(runs, len(job.all()))))


def opening(job: Job) -> str:
    sizes = " and ".join(f"{len(each):,}" for each in job.sets)
    few = min(PREVIEWED, max(map(len, job.sets)))
    return (
        f"Table 1 with {inline(job.model.name)}: {len(METHODS)} methods on {sizes} tasks, kept in "
        f"{inline(job.folder)}.\nFirst {few} episodes of each method on each set; they count."
    )


def faults(runs: Sequence[Trajectory], tasks: int) -> str:
    """Why these runs are not what was wanted; "" if they are."""
    wanted = len(METHODS) * tasks
    failed = [run for run in runs if run.end in FAULTS]
    again = "the same command goes on"
    if failed:
        first = inline(failed[0].error or failed[0].end)
        return f"{len(failed)} of {len(runs)} runs ended in a fault ({first}): mend that; {again}"
    if len(runs) < wanted:
        return f"only {len(runs)} of {wanted} runs are there, the budget is spent: {again}"
    return ""


def agreed(say: Say) -> bool:
    """Ask; who cannot be asked has not agreed."""
    say("Go on? [y/N] ")
    answer = sys.stdin.readline() if sys.stdin else ""
    if not answer:
        raise ValueError("nobody answered: the same command with --yes goes on without a question")
    return answer.strip().lower() in ("y", "yes")
