"""A run in named pieces: its head, its steps, its end. Here are the words; `blocks` draws them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from react_lab.blocks import Block
from react_lab.kinds import kind_of
from react_lab.types import Part, Step, Trajectory, normalise

__all__ = [
    "ENDINGS", "NOTHING", "blocks_of", "facts", "result", "run_blocks", "step_blocks",
]  # fmt: skip

ENDINGS = {
    "finished": "finished by itself",
    "step_limit": "stopped at the step limit",
    "repeated": "stopped: the same action again and again",
    "unreadable": "stopped: the model's text could not be read as a step",
    "refused": "stopped: the model or its server declined to answer",
    "context_limit": "stopped: the transcript outgrew the model's context",
    "budget": "stopped: the next call would have overspent the budget",
    "env_error": "stopped: the world could not be reached",
    "error": "stopped: the model could not be asked",
    "cancelled": "stopped by a person",
    "unfinished": "not finished yet",
}
FLAGS = {
    "repeated": "repeated (the same action came again)",
    "drifted": "drifted (the world no longer answers as in the stored steps)",
    "shortened": "shortened (the oldest observations left the prompt)",
    "unobserved": "unobserved (it answered and had seen nothing)",
    "injection": "injection (an observation speaks like a model or like orders)",
}
PARTS: tuple[Part, ...] = ("thought", "action", "observation")
NOTHING = "no answer"
WRITTEN, TAKEN_OUT = "written by a person", "taken out by a person"


def run_blocks(run: Trajectory) -> Iterator[Block]:
    """Everything below the question, in the order in which it happened."""
    yield Block(f"Method {run.method}", facts=tuple(facts(run)))
    yield from blocks_of(run.steps, 1)
    yield from result(run)


def result(run: Trajectory) -> Iterator[Block]:
    """What stands below the steps."""
    if run.votes:
        yield Block("Votes", rows=tuple(count(run.votes)))
    if run.samples:
        texts = (Block(f"Sample {i}", text, "thought") for i, text in enumerate(run.samples, 1))
        yield Block("Samples", folded=tuple(texts))
    if run.error is not None:
        yield Block("Error", " ".join(run.error.split()), "wrong")
    if run.answer is not None:
        yield Block("Answer", run.answer, "answer")


def facts(run: Trajectory) -> Iterator[tuple[str, str]]:
    """The head of a run: how it ended and what it cost."""
    yield "Model", run.model
    yield "Ended", ENDINGS.get(run.end, run.end)
    if run.answer is None and kind_of(run.task.kind).grade == "reward":
        yield "Reward", "none" if run.reward is None else f"{run.reward:g}"
    elif run.answer is not None or run.reward is None:
        yield "Answer", NOTHING if run.answer is None else run.answer
    if run.branch is not None:
        yield "Answered by", run.branch
    if run.reward is not None and kind_of(run.task.kind).grade != "reward":
        yield "Reward", f"{run.reward:g}"
    yield "Calls", f"{run.calls:,}"
    yield "Tokens", tokens(run.tokens_in, run.tokens_out)
    yield "Time", duration(run.seconds)
    if run.parent is not None:
        yield "Goes on from run", run.parent
    if run.flags:
        yield "Flags", ", ".join(FLAGS.get(flag, flag) for flag in run.flags)
    if isinstance(shortened := run.settings.get("shortened"), Mapping):
        yield "Shortened from step", str(shortened.get("from"))


def tokens(read: int | None, written: int | None) -> str:
    """What the server did not tell is unknown, never 0."""
    counts = ["unknown" if count is None else f"{count:,}" for count in (read, written)]
    return "unknown" if read is written is None else f"{counts[0]} in, {counts[1]} out"


def duration(seconds: float) -> str:
    """Whole seconds, so that a replay reads the same each time."""
    minutes, rest = divmod(round(seconds), 60)
    return "under 1 s" if seconds < 1 else f"{minutes:,} min {rest} s" if minutes else f"{rest} s"


def count(votes: Sequence[str | None]) -> Iterator[tuple[str, str]]:
    """Answers and their votes, the most first; spellings that compare equal are one answer."""
    spellings: dict[str, list[str]] = {}
    for vote in votes:
        same = (normalise(vote) or vote.strip()) if vote else ""
        spellings.setdefault(same, []).append(vote if vote and same else f"({NOTHING})")
    for names in sorted(spellings.values(), key=len, reverse=True):
        yield " / ".join(dict.fromkeys(names)), f"{len(names)} of {len(votes)}"


def step_blocks(step: Step, i: int) -> Iterator[Block]:
    """Thought i, Action i, Observation i; where neither could be read, the model's own text."""
    if step.thought is None and step.action is None and step.raw is not None:
        yield Block(f"Unreadable text {i}", step.raw, "wrong", tuple(befell(step)))
    for part in PARTS:
        text = getattr(step, part)
        if text is not None:
            yield part_block(step, part, text, i)
        elif part in step.human:
            yield Block(f"{part.capitalize()} {i}", None, part, (TAKEN_OUT,), human=True)


def part_block(step: Step, part: Part, text: str, i: int) -> Block:
    """A part and its marks. What befell the model's text stands by the last part of it."""
    marks = [WRITTEN] if part in step.human else []
    raw: tuple[Block, ...] = ()
    if part == ("thought" if step.action is None else "action"):
        marks += befell(step)
        if step.raw is not None and (step.rescued or step.repairs):
            raw = (Block(f"Model's own text {i}", step.raw),)
    name, human = f"{part.capitalize()} {i}", part in step.human
    return Block(name, text, part, tuple(marks), folded=raw, human=human)


def befell(step: Step) -> Iterator[str]:
    if step.rescued:
        yield "rescued by a second call" if step.action else "a second call brought no action"
    if step.repairs:
        yield f"repaired: {', '.join(step.repairs)}"


def blocks_of(steps: Iterable[Step], first: int) -> Iterator[Block]:
    for i, step in enumerate(steps, first):
        yield from step_blocks(step, i)
