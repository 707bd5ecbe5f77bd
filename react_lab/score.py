"""Grades runs as the benchmarks do: exact match and F1 (HotpotQA), label accuracy (FEVER).

The one place that reads gold answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from .types import Task, Trajectory, normalise

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["correct", "exact_match", "f1", "frame", "reward", "table"]

CLOSED = ("yes", "no", "noanswer")  # against these, a part of an answer earns nothing


def exact_match(answer: str, gold: str) -> bool:
    return normalise(answer) == normalise(gold)


def f1(answer: str, gold: str) -> float:
    """Overlap of words, as HotpotQA scores it: yes, no and noanswer match whole or not at all."""
    ours, theirs = normalise(answer), normalise(gold)
    if ours != theirs and (ours in CLOSED or theirs in CLOSED):
        return 0.0
    same = sum((Counter(ours.split()) & Counter(theirs.split())).values())
    if not same:
        return 0.0
    precision, recall = same / len(ours.split()), same / len(theirs.split())
    return 2 * precision * recall / (precision + recall)


def correct(run: Trajectory) -> bool | None:
    """Did the run succeed? None when nobody can tell: no gold answer, no reward."""
    if run.reward is not None:
        return run.reward == 1.0
    if run.task.gold is None:
        return None
    return exact_match(run.answer or "", run.task.gold)


def reward(task: Task, answer: str | None) -> float | None:
    """What an answer to a task would earn."""
    return None if task.gold is None else float(exact_match(answer or "", task.gold))


def frame(runs: Iterable[Trajectory], by: Literal["run", "step"] = "run") -> pd.DataFrame:
    """A DataFrame: one row a run, or one row a step."""
    import pandas as pd

    if by not in ("run", "step"):
        raise ValueError(f"by={by!r}: a frame has one row a 'run' or one row a 'step'")
    rows = (row_of(run) for run in runs) if by == "run" else rows_of_steps(runs)
    return pd.DataFrame(list(rows))


def row_of(run: Trajectory) -> dict[str, Any]:
    gold, answer = run.task.gold, run.answer
    return {
        "id": run.id,
        "task": run.task.id,
        "kind": run.task.kind,
        "type": type_of(run.task),
        "method": run.method,
        "model": run.model,
        "answer": answer,
        "correct": correct(run),
        "f1": None if gold is None else f1(answer or "", gold),
        "reward": run.reward,
        "end": run.end,
        "branch": run.branch,
        "steps": len(run.steps),
        "calls": run.calls,
        "tokens_in": run.tokens_in,
        "tokens_out": run.tokens_out,
        "seconds": run.seconds,
        "repairs": sum(len(step.repairs) for step in run.steps),
        "rescues": sum(step.rescued for step in run.steps),
        "flags": ", ".join(run.flags),
        "error": run.error,
        "parent": run.parent,
    }


def type_of(task: Task) -> str | None:
    """A column to group a table by: bridge or comparison; of a claim, its label."""
    return task.extra.get("type") or (task.gold if task.kind == "claims" else None)


def rows_of_steps(runs: Iterable[Trajectory]) -> Iterator[dict[str, Any]]:
    for run in runs:
        for i, step in enumerate(run.steps, 1):
            yield {
                "id": run.id,
                "task": run.task.id,
                "method": run.method,
                "i": i,
                "thought": step.thought,
                "action": step.action,
                "observation": step.observation,
                "human": ", ".join(step.human),
                "repairs": ", ".join(step.repairs),
                "rescued": step.rescued,
            }


def table(df: pd.DataFrame) -> pd.DataFrame:
    """One row a method: how many runs, how many right of all, F1, and what they cost."""
    df = df.assign(faults=df["end"].isin(("error", "env_error", "budget", "cancelled")))
    rows = df.groupby(["kind", "method", "model"], sort=True).agg(
        n=("id", "size"),
        correct=("correct", "sum"),
        right=("correct", lambda c: round(100 * c.astype(float).mean(), 1)),
        f1=("f1", lambda f: round(100 * f.astype(float).mean(), 1)),
        finished=("end", lambda e: int((e == "finished").sum())),
        faults=("faults", "sum"),
        calls=("calls", "mean"),
    )
    return rows.rename(columns={"right": "% of all", "calls": "calls a run"}).round(1)
