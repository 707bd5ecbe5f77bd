"""What a table tells of a run, read from a file without what it does not tell.

Samples, settings and the model's own texts are passed over, so that many runs are read at once.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator

import msgspec

from ..types import End, Task, Trajectory
from .runs import Runs

__all__ = ["Outline", "Said", "outlines"]


class Said(msgspec.Struct):
    """The texts of a step."""

    thought: str | None = None
    action: str | None = None
    observation: str | None = None


class Outline(msgspec.Struct):
    """A run without all that it would take to go on with it."""

    id: str
    task: Task
    method: str
    model: str
    steps: tuple[Said, ...] = ()
    answer: str | None = None
    reward: float | None = None
    end: End = "unfinished"
    flags: tuple[str, ...] = ()
    tokens_in: int | None = 0
    tokens_out: int | None = 0

    def texts(self) -> Iterator[str]:
        """Everything that was asked, thought, done, seen and answered."""
        yield self.task.text
        for step in self.steps:
            yield from (text for text in (step.thought, step.action, step.observation) if text)
        yield self.answer or ""


decoder = msgspec.json.Decoder(Outline)


def outlines(runs: Iterable[Trajectory]) -> Iterator[Outline | None]:
    """One of each run, in order; None in place of a line that cannot be read."""
    yield from map(read, runs.lines()) if isinstance(runs, Runs) else map(outline, runs)


def read(line: bytes) -> Outline | None:
    try:
        return decoder.decode(line.removeprefix(BOM_UTF8))
    except (ValueError, RecursionError):
        return None


def outline(run: Trajectory) -> Outline:
    steps = tuple(Said(step.thought, step.action, step.observation) for step in run.steps)
    return Outline(
        run.id, run.task, run.method, run.model, steps, run.answer, run.reward, run.end, run.flags,
        run.tokens_in, run.tokens_out,
    )  # fmt: skip
