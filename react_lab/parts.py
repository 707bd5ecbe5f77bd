"""A run in named pieces: its head, its steps, its end. `blocks` draws them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from react_lab.blocks import Block
from react_lab.kinds import kind_of
from react_lab.languages import say, word
from react_lab.types import Part, Step, Trajectory, normalise

__all__ = [
    "blocks_of", "ended", "facts", "named", "numbered", "result", "run_blocks", "step_blocks",
]  # fmt: skip

PARTS: tuple[Part, ...] = ("thought", "action", "observation")


def run_blocks(run: Trajectory) -> Iterator[Block]:
    """Everything below the question, in the order in which it happened."""
    yield Block(say("show.method_of", method=run.method), facts=tuple(facts(run)))
    yield from blocks_of(run.steps, 1)
    yield from result(run)


def result(run: Trajectory) -> Iterator[Block]:
    """What stands below the steps."""
    if run.votes:
        yield Block(say("show.votes"), rows=tuple(count(run.votes)))
    if run.samples:
        texts = (
            Block(say("show.sample", i=i), text, "thought") for i, text in enumerate(run.samples, 1)
        )
        yield Block(say("show.samples"), folded=tuple(texts))
    if run.error is not None:
        yield Block(say("show.error"), " ".join(run.error.split()), "wrong")
    if run.answer is not None:
        yield Block(word("parts", "answer"), run.answer, "answer")


def facts(run: Trajectory) -> Iterator[tuple[str, str]]:
    """The head of a run: how it ended and what it cost."""
    yield from ((say(f"show.{name}"), value) for name, value in named(run))


def named(run: Trajectory) -> Iterator[tuple[str, str]]:
    """Its facts by the keys of their names."""
    yield "model", run.model
    yield "ended", ended(run.end)
    if run.answer is None and kind_of(run.task.kind).grade == "reward":
        yield "reward", say("show.none") if run.reward is None else f"{run.reward:g}"
    elif run.answer is not None or run.reward is None:
        yield "answer", say("show.no_answer") if run.answer is None else run.answer
    if run.branch is not None:
        yield "answered_by", run.branch
    if run.reward is not None and kind_of(run.task.kind).grade != "reward":
        yield "reward", f"{run.reward:g}"
    yield "calls", f"{run.calls:,}"
    yield "tokens", tokens(run.tokens_in, run.tokens_out)
    yield "time", duration(run.seconds)
    if run.parent is not None:
        yield "parent", run.parent
    if run.flags:
        yield "flags", say("parts.comma").join(word("flags", flag) for flag in run.flags)
    if isinstance(shortened := run.settings.get("shortened"), Mapping):
        yield "shortened", str(shortened.get("from"))


def tokens(read: int | None, written: int | None) -> str:
    """What the server did not tell is unknown, never 0."""
    counts = [say("show.unknown") if c is None else f"{c:,}" for c in (read, written)]
    if read is written is None:
        return counts[0]
    return say("show.tokens_both", read=counts[0], written=counts[1])


def duration(seconds: float) -> str:
    """Whole seconds, so that a replay reads the same each time."""
    minutes, rest = divmod(round(seconds), 60)
    if seconds < 1:
        return say("show.at_once")
    return say("show.minutes", n=minutes, rest=rest) if minutes else say("show.seconds", rest=rest)


def count(votes: Sequence[str | None]) -> Iterator[tuple[str, str]]:
    """Answers and their votes, the most first; spellings that compare equal are one answer."""
    spellings: dict[str, list[str]] = {}
    nothing = f"({say('show.no_answer')})"
    for vote in votes:
        same = (normalise(vote) or vote.strip()) if vote else ""
        spellings.setdefault(same, []).append(vote if vote and same else nothing)
    for names in sorted(spellings.values(), key=len, reverse=True):
        yield " / ".join(dict.fromkeys(names)), say("show.of", n=len(names), of=len(votes))


def step_blocks(step: Step, i: int) -> Iterator[Block]:
    """Thought i, Action i, Observation i; where neither could be read, the model's own text."""
    if step.thought is None and step.action is None and step.raw is not None:
        yield Block(numbered("unreadable text", i), step.raw, "wrong", tuple(befell(step)))
    for part in PARTS:
        text = getattr(step, part)
        if text is not None:
            yield part_block(step, part, text, i)
        elif part in step.human:
            yield Block(numbered(part, i), None, part, (say("player.taken_out"),), human=True)


def part_block(step: Step, part: Part, text: str, i: int) -> Block:
    """A part and its marks. What befell the model's text stands by the last part of it."""
    marks = [say("player.written")] if part in step.human else []
    raw: tuple[Block, ...] = ()
    if part == ("thought" if step.action is None else "action"):
        marks += befell(step)
        if step.raw is not None and (step.rescued or step.repairs):
            raw = (Block(say("show.own_text", i=i), step.raw),)
    name, human = numbered(part, i), part in step.human
    return Block(name, text, part, tuple(marks), folded=raw, human=human)


def befell(step: Step) -> Iterator[str]:
    if step.rescued:
        yield say("show.rescued" if step.action else "show.not_rescued")
    if step.repairs:
        yield say("show.repaired", what=say("parts.comma").join(step.repairs))


def blocks_of(steps: Iterable[Step], first: int) -> Iterator[Block]:
    for i, step in enumerate(steps, first):
        yield from step_blocks(step, i)


def numbered(part: str, i: int) -> str:
    """`Thought 3`."""
    return say("parts.numbered", part=word("parts", part), i=i)


def ended(end: str) -> str:
    """How a run ended."""
    return word("ends", end)
