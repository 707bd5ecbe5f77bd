"""Runs to look at: one from top to bottom, several side by side, an edit beside its run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest

from react_lab.blocks import (
    COLOURS,
    COLUMNS,
    LONG,
    MOST,
    Block,
    Page,
    details,
    frame,
    grid,
    html_of,
    inert,
    rows_of,
    text_of,
)
from react_lab.characters import fitted
from react_lab.forks import Branch, families
from react_lab.kinds import kind_of
from react_lab.types import Event, Part, Step, Trajectory, normalise

__all__ = [
    "COLOURS", "ENDINGS", "LONG", "Page", "event_text", "inert", "note", "show", "together",
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
}
PARTS: tuple[Part, ...] = ("thought", "action", "observation")
NOTHING = "no answer"
WRITTEN, TAKEN_OUT = "written by a person", "taken out by a person"
SEEN, ROWS = 2, 12  # of the steps that runs share the last are seen, and so many after them


def show(run_or_runs: Trajectory | Iterable[Trajectory]) -> Page:
    """One run from top to bottom, or up to 12 side by side under the question they share.

    A run that was edited stands beside the run it was made of, if both are given: what they share
    stands once, at the top, and the columns begin where they part.
    """
    several = (run_or_runs,) if isinstance(run_or_runs, Trajectory) else run_or_runs
    runs = list(islice(several, MOST + 1))
    if not runs:
        return note("No runs", "There is nothing to show.")
    if len(runs) > MOST:
        raise ValueError(f"a page holds up to {MOST} runs: show(runs[:{MOST}])")
    tasks = [Block(kind_of(run.task.kind).opener, run.task.text) for run in runs]
    shared = tasks[:1] if all(task == tasks[0] for task in tasks) else []
    groups = families(runs)
    alone = [group[0] for group in groups if len(group) == 1]
    kin = [group for group in groups if len(group) > 1]
    parts = [forked(group, [] if shared else [tasks[group[0].at]]) for group in kin]
    if alone:
        heads: list[list[Block]] = [[] if shared else [tasks[branch.at]] for branch in alone]
        columns = [[*h, *run_blocks(b.run)] for h, b in zip(heads, alone, strict=True)]
        parts.append(Page(grid(columns), "\n\n".join(map(text_of, columns))))
    text = "\n\n".join(part.text for part in parts)
    inside = html_of(shared) + "".join(part.html for part in parts)
    return Page(frame(inside), f"{text_of(shared)}\n{text}".lstrip())


def together(pages: Iterable[Page]) -> Page:
    """Several pages as one, the first at the top."""
    several = list(pages)
    return Page("".join(p.html for p in several), "\n".join(p.text for p in several))


def note(name: str, text: str, kind: str = "", marks: tuple[str, ...] = ()) -> Page:
    """One named text, as inert as a run."""
    blocks = [Block(name, text, kind, marks)]
    return Page(frame(html_of(blocks)), text_of(blocks))


def event_text(event: Event) -> str:
    """A step as it happens, for somebody who watches a run in a terminal."""
    why = [Block("Why", event.seen.why)] if event.seen.why else []
    return fitted(text_of([*step_blocks(event.step, event.i), *why]))


# ---------------------------------------------------------------------- what there is to say


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


# ---------------------------------------------------------------------- a run and its edits


def forked(group: Sequence[Branch], head: Sequence[Block]) -> Page:
    """What all runs of a group share, once; then a column per run, aligned step by step."""
    shared = min(branch.upto for branch in group if branch.parent is not None)
    top = [*head, *in_common(group[0].run.steps[:shared], len(group))]
    columns = [column(branch, shared) for branch in group]
    ends = [list(result(branch.run)) for branch in group]
    inside, texts = html_of(top), [text_of(top)] if top else []
    least = max(branch.upto for branch in group) - shared + SEEN  # every edit is seen
    for start in range(0, len(group), COLUMNS):
        chosen = slice(start, start + COLUMNS)
        heads = [[verdict(branch), costs(branch.run)] for branch in group[chosen]]
        inside += aligned(heads, columns[chosen], ends[chosen], shared, least)
    for branch, steps, end in zip(group, columns, ends, strict=True):
        blocks = [verdict(branch), costs(branch.run), *(b for cell in steps for b in cell), *end]
        texts.append(text_of(blocks))
    return Page(inside, "\n\n".join(texts))


def in_common(steps: Sequence[Step], runs: int) -> Iterator[Block]:
    """The steps that all runs share: of many, only the last ones are seen at once."""
    if not steps:
        return
    same = "the same in both runs" if runs == 2 else f"the same in all {runs} runs"
    first = len(steps) - SEEN if len(steps) > SEEN + 1 else 0
    early = blocks_of(steps[:first], 1)
    yield Block(span(1, len(steps)), marks=(same,), folded=tuple(early))
    yield from blocks_of(steps[first:], first + 1)


def blocks_of(steps: Iterable[Step], first: int) -> Iterator[Block]:
    for i, step in enumerate(steps, first):
        yield from step_blocks(step, i)


def span(first: int, last: int) -> str:
    return f"Step {first}" if first == last else f"Steps {first} to {last}"


def column(branch: Branch, shared: int) -> list[list[Block]]:
    """A run's steps after those that all share, a list of blocks each."""
    cells = [list(step_blocks(s, i)) for i, s in enumerate(branch.run.steps, 1)][shared:]
    if branch.parent is not None and branch.upto > shared:
        same = Block(span(shared + 1, branch.upto), f"as in run {branch.parent + 1}")
        cells[: branch.upto - shared] = [[same], *[[]] * (branch.upto - shared - 1)]
    return cells


def verdict(branch: Branch) -> Block:
    """How a run ended, at a glance, and what a person did to it."""
    run, n = branch.run, len(branch.run.steps)
    came = NOTHING if run.answer is None else f"answer: {run.answer}"
    if run.reward is not None or kind_of(run.task.kind).grade == "reward":
        came = "no reward" if run.reward is None else f"reward: {run.reward:g}"
    kind = "right" if run.reward == 1 else "wrong" if came in (NOTHING, "no reward") else "answer"
    if run.end == "unfinished":
        came, kind = "not finished", ""
    ended = f"{ENDINGS.get(run.end, run.end)}, {n} step{'s' * (n != 1)}"
    words = f"{came[:1].upper()}{came[1:]}\n{ended}"
    return Block(f"Run {branch.at + 1}", words, kind, tuple(origin(branch)))


def origin(branch: Branch) -> Iterator[str]:
    """Where a run comes from: `goes on from run 1; a person wrote Thought 3`."""
    if branch.parent is None:
        yield "as it went"
        return
    yield f"goes on from run {branch.parent + 1}"
    for i, step in enumerate(branch.run.steps[branch.upto :], branch.upto + 1):
        for part in step.human:
            did = "took out" if getattr(step, part) is None else "wrote"
            yield f"a person {did} {part.capitalize()} {i}"


def costs(run: Trajectory) -> Block:
    said = ("Ended", "Answer", "Reward", "Goes on from run")
    return Block(f"Method {run.method}", facts=tuple(f for f in facts(run) if f[0] not in said))


def aligned(
    heads: Sequence[Sequence[Block]],
    columns: Sequence[Sequence[Sequence[Block]]],
    ends: Sequence[Sequence[Block]],
    shared: int,
    least: int,
) -> str:
    """Columns whose steps stand on one line each. Of many steps the later ones wait for a click."""
    rows = [[*row] for row in zip_longest(*columns, fillvalue=())]
    most = max(ROWS, least)
    most = most if len(rows) > most + SEEN else len(rows)
    inside = rows_of([heads, *rows[:most]])
    if rows[most:]:
        name = f"show steps {shared + most + 1} to {shared + len(rows)}"
        inside += details(name, rows_of(rows[most:]))
    return inside + (rows_of([ends]) if any(ends) else "")
