"""Runs of strangers: transcripts that others printed, as trajectories.

The authors' published FEVER log holds 500 episodes of GPT-3, one after the other, each with its
claim, its steps and a line of scores.
"""

from __future__ import annotations

import ast
import hashlib
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from .. import records
from ..types import Step, Task, Trajectory

__all__ = ["read_transcript"]

CLAIM = re.compile(r"^(\d+) Claim: (.*)$", re.M)
SCORES = re.compile(r"^\{'steps'.*\}\s*$", re.M)
CUE = re.compile(r"^(Thought|Action|Observation) (\d+): ?", re.M)
TRIED = re.compile(r"^ohh\.\.\. ", re.M)  # a reply without its act


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
    body, rescued = without_tries(text[claim.end() :])
    steps = tuple(steps_in(body, rescued))
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    return Trajectory(
        name, task, "react", "gpt-3 (the authors' transcript)", {"source": "authors-fever"},
        steps, scores.answer or None, end="finished" if scores.answer else "step_limit",
        calls=sum(1 + step.rescued for step in steps), tokens_in=None, tokens_out=None,
    )  # fmt: skip


def without_tries(text: str) -> tuple[str, set[str]]:
    """A text without its replies that had no act, and the numbers of the steps that had them."""
    thoughts = [cue for cue in CUE.finditer(text) if cue[1] == "Thought"]
    kept, rescued, at = list[str](), set[str](), 0
    for tried in TRIED.finditer(text):
        if tried.start() >= at and (thought := next_of(thoughts, tried.end())):
            kept.append(text[at : tried.start()])
            rescued.add(thought[2])
            at = thought.start()
    return "".join([*kept, text[at:]]), rescued


def steps_in(text: str, rescued: set[str]) -> Iterator[Step]:
    """Each thought with the next act and observation of its number, up to the next thought."""
    cues: dict[tuple[str, str], list[re.Match[str]]] = {}
    for cue in CUE.finditer(text):
        cues.setdefault((cue[1], cue[2]), []).append(cue)
    thoughts, end = [cue for cue in CUE.finditer(text) if cue[1] == "Thought"], 0
    for thought in thoughts:
        act = next_of(cues.get(("Action", thought[2]), ()), thought.end())
        seen = act and next_of(cues.get(("Observation", thought[2]), ()), act.end())
        if thought.start() < end or not act or not seen:
            continue
        after = next_of(thoughts, seen.end())
        end = after.start() if after else len(text)
        yield step(
            text[thought.end() : act.start()].strip(),
            text[act.end() : seen.start()].strip(),
            text[seen.end() : end].strip(),
            rescued=thought[2] in rescued,
        )


def next_of(cues: Sequence[re.Match[str]], at: int) -> re.Match[str] | None:
    """The first that begins at `at` or behind it."""
    place = bisect_left(cues, at, key=re.Match.start)
    return cues[place] if place < len(cues) else None


def step(thought: str, act: str, seen: str, rescued: bool) -> Step:
    """After an answer the log prints its reward: not for the eyes of who judges the run blind."""
    return Step(thought, act, "" if act.startswith("Finish[") else seen, rescued=rescued)


READERS: Mapping[str, Callable[[str], Iterator[Trajectory]]] = {"authors-fever": authors_fever}
