"""Runs of strangers: transcripts that others printed, as trajectories.

The authors' published FEVER log holds 500 episodes of GPT-3, one after the other, each with its
claim, its steps and a line of scores.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from .. import records
from ..types import Step, Task, Trajectory

__all__ = ["read_transcript"]

CLAIM = re.compile(r"^(\d+) Claim: (.*)$", re.M)
SCORES = re.compile(r"^\{'steps'.*\}\s*$", re.M)
STEP = re.compile(
    r"^Thought (\d+): ?(.*?)^Action \1: ?(.*?)^Observation \1: ?(.*?)(?=^Thought \d+:|\Z)",
    re.M | re.S,
)
TRIED = re.compile(r"^ohh\.\.\. .*?(?=^Thought (\d+):)", re.M | re.S)  # a reply without its act


def read_transcript(path: str | PathLike[str], kind: str = "authors-fever") -> list[Trajectory]:
    """The episodes of a transcript (kind: whose it is), in its order, with its gold labels."""
    if kind not in READERS:
        raise ValueError(f"no transcripts of kind {kind!r}; there are: {', '.join(READERS)}")
    path = Path(path).expanduser()
    runs = list(READERS[kind](records.text(path)))
    if not runs:
        raise ValueError(f"{path.name} holds no episode of kind {kind!r}")
    return runs


def authors_fever(text: str) -> Iterator[Trajectory]:
    start = 0
    for scores in SCORES.finditer(text):
        yield episode(text[start : scores.start()], scores_in(scores[0]))
        start = scores.end()


@dataclass(frozen=True)
class Scores:
    """What the log prints under an episode; `em` and the like are not taken over."""

    gt_answer: str
    answer: str | None


SCORED = records.Record(Scores, lambda _: "")


def scores_in(line: str) -> Scores:
    try:
        return SCORED.of_row(ast.literal_eval(line.strip()))
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError(f"a line of scores cannot be read ({error}): {line[:100]!r}") from None


def episode(text: str, scores: Scores) -> Trajectory:
    claim = CLAIM.search(text)
    if claim is None:
        raise ValueError(f"an episode of this transcript has scores and no claim: {scores}")
    task = Task(f"fever-{claim[1]}", "claims", claim[2].strip(), scores.gt_answer)
    body = text[claim.end() :]
    rescued = {found[1] for found in TRIED.finditer(body)}
    steps = tuple(step(found, rescued) for found in STEP.finditer(TRIED.sub("", body)))
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    return Trajectory(
        name, task, "react", "gpt-3 (the authors' transcript)", {"source": "authors-fever"},
        steps, scores.answer or None, end="finished" if scores.answer else "step_limit",
        calls=sum(1 + step.rescued for step in steps), tokens_in=None, tokens_out=None,
    )  # fmt: skip


def step(found: re.Match[str], rescued: set[str]) -> Step:
    """After an answer the log prints its reward: not for the eyes of who judges the run blind."""
    number, thought, act, seen = (part.strip() for part in found.groups())
    seen = "" if act.startswith("Finish[") else seen
    return Step(thought, act, seen, rescued=number in rescued)


READERS: Mapping[str, Callable[[str], Iterator[Trajectory]]] = {"authors-fever": authors_fever}
