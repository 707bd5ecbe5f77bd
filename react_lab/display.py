"""Runs as inert static HTML, and as the same words in plain text.

What a model, the web or a user wrote is text here and never markup. The HTML holds no script, style
sheet, class, id, link or picture. Colours only repeat what the words say: GitHub strips them.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from textwrap import indent

from react_lab.characters import FURTHER, fitted, visible
from react_lab.kinds import kind_of
from react_lab.types import Event, Part, Step, Trajectory, normalise

__all__ = ["Page", "event_text", "inert", "note", "show", "together"]

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
COLOURS = {  # Okabe and Ito's: distinct to the colour-blind, seen on white and on black
    "thought": "#0072B2", "action": "#D55E00", "observation": "#009E73", "answer": "#CC79A7",
    "hint": "#0072B2", "wrong": "#D55E00", "right": "#009E73", "": "#888888",
}  # fmt: skip
LONG, SHOWN = 600, 400  # of a text over LONG characters about SHOWN are seen, the rest on a click
COLUMNS, MOST = 4, 12  # runs side by side, and runs on one page


@dataclass(frozen=True, repr=False)
class Page:
    """Something to look at: HTML in a notebook, the same words as lines of text."""

    html: str
    text: str

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return fitted(self.text) if sys.stdout and sys.stdout.isatty() else self.text


@dataclass(frozen=True)
class Block:
    """A named piece of a page; `kind` is only its colour."""

    name: str
    text: str | None = None
    kind: str = ""
    marks: tuple[str, ...] = ()  # what befell it, in words
    facts: tuple[tuple[str, str], ...] = ()  # names and values, in a line
    rows: tuple[tuple[str, str], ...] = ()  # names and values, as a table
    folded: tuple[Block, ...] = ()  # blocks that a click unfolds


def show(run_or_runs: Trajectory | Iterable[Trajectory]) -> Page:
    """One run from top to bottom, or up to 12 side by side under the question they share."""
    several = (run_or_runs,) if isinstance(run_or_runs, Trajectory) else run_or_runs
    runs = list(islice(several, MOST + 1))
    if not runs:
        return note("No runs", "There is nothing to show.")
    if len(runs) > MOST:
        raise ValueError(f"a page holds up to {MOST} runs: show(runs[:{MOST}])")
    tasks = [Block(kind_of(run.task.kind).opener, run.task.text) for run in runs]
    shared = tasks[:1] if all(task == tasks[0] for task in tasks) else []
    columns = [[*([] if shared else [t]), *run_blocks(r)] for t, r in zip(tasks, runs, strict=True)]
    text = "\n\n".join(map(text_of, columns))
    return Page(frame(html_of(shared) + grid(columns)), f"{text_of(shared)}\n{text}".lstrip())


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
    for i, step in enumerate(run.steps, start=1):
        yield from step_blocks(step, i)
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
    if run.answer is not None or run.reward is None:
        yield "Answer", NOTHING if run.answer is None else run.answer
    if run.branch is not None:
        yield "Answered by", run.branch
    if run.reward is not None:
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


def part_block(step: Step, part: Part, text: str, i: int) -> Block:
    """A part and its marks. What befell the model's text stands by the last part of it."""
    marks = ["edited by a person"] if part in step.human else []
    raw: tuple[Block, ...] = ()
    if part == ("thought" if step.action is None else "action"):
        marks += befell(step)
        if step.raw is not None and (step.rescued or step.repairs):
            raw = (Block(f"Model's own text {i}", step.raw),)
    return Block(f"{part.capitalize()} {i}", text, part, tuple(marks), folded=raw)


def befell(step: Step) -> Iterator[str]:
    if step.rescued:
        yield "rescued by a second call" if step.action else "a second call brought no action"
    if step.repairs:
        yield f"repaired: {', '.join(step.repairs)}"


# ---------------------------------------------------------------------- how it is written


def inert(text: str) -> str:
    """Text as HTML that stays text: an element around each `$` and backslash keeps MathJax away."""
    safe = html.escape(visible(text)).replace("\n", "<br>")
    return re.sub(r"[$\\]", r"<span>\g<0></span>", safe)


def fold(text: str) -> str:
    """A long text shows its beginning; the rest waits behind a click."""
    text = visible(text)
    if len(text) <= LONG:
        return inert(text) or "<i>(empty)</i>"
    cut = text.rfind(" ", SHOWN // 2, SHOWN) + 1 or SHOWN
    name = f"show all ({len(text) - cut:,} more characters)"
    return inert(text[:cut]) + details(name, inert(text[cut:]))


def details(name: str, inside: str) -> str:
    style = "cursor: pointer; font-weight: bold"
    return f'<details><summary style="{style}">{inert(name)}</summary>{inside}</details>'


def html_of(blocks: Iterable[Block]) -> str:
    return "".join(map(block_html, blocks))


def block_html(block: Block) -> str:
    colour = COLOURS.get(block.kind, COLOURS[""])
    style = f"border-left: 6px solid {colour}; background: {colour}1a"
    font = "; font-family: var(--jp-code-font-family, monospace)" if block.kind == "code" else ""
    marks = "".join(f" <i>({inert(mark)})</i>" for mark in block.marks)
    inside = [f"<div><b>{inert(block.name)}</b>{marks}</div>"]
    if block.text is not None:
        inside += [f'<div style="white-space: pre-wrap{font}">{fold(block.text)}</div>']
    inside += [line(block.facts)] if block.facts else []
    inside += [table(block.rows)] if block.rows else []
    if block.folded:
        last = f" to {block.folded[-1].name}" if len(block.folded) > 1 else ""
        inside += [details(f"show: {block.folded[0].name}{last}", html_of(block.folded))]
    return f'<div style="{style}; margin: 6px 0; padding: 4px 12px">{"".join(inside)}</div>'


def line(facts: Iterable[tuple[str, str]]) -> str:
    style = "display: inline-block; margin-right: 24px"
    spans = (f'<span style="{style}">{inert(name)}: <b>{inert(v)}</b></span>' for name, v in facts)
    return f"<div>{' '.join(spans)}</div>"


def table(rows: Iterable[tuple[str, str]]) -> str:
    left, right = 'style="text-align: left"', 'style="text-align: left; white-space: nowrap"'
    cells = (f"<td {left}>{inert(a)}</td><td {right}><b>{inert(b)}</b></td>" for a, b in rows)
    body = "".join(f'<tr style="background: none">{row}</tr>' for row in cells)
    return f'<table style="margin: 0; font-size: 1em">{body}</table>'


def grid(columns: Sequence[Sequence[Block]]) -> str:
    """The columns in rows of up to four; one alone needs no table."""
    if len(columns) == 1:
        return html_of(columns[0])
    across = min(len(columns), COLUMNS)
    style = f"width: {100 // across}%; text-align: left; vertical-align: top; line-height: 1.45"
    cells = [f'<td style="{style}; white-space: normal">{html_of(c)}</td>' for c in columns]
    rows = ("".join(cells[i : i + across]) for i in range(0, len(cells), across))
    body = "".join(f'<tr style="background: none">{row}</tr>' for row in rows)
    wide = f"table-layout: fixed; width: 100%; min-width: {across * 220}px; font-size: 1em"
    return f'<table style="{wide}">{body}</table>'


def frame(inside: str) -> str:
    style = "line-height: 1.45; font-size: var(--jp-content-font-size1, 1em)"
    return f'<div style="{style}; overflow-wrap: anywhere">{inside}</div>'


def text_of(blocks: Iterable[Block]) -> str:
    return "\n".join(map(block_text, blocks))


def block_text(block: Block) -> str:
    marks = "".join(f" ({hang(mark)})" for mark in block.marks)
    first = f"{hang(block.name)}{marks}:" + ("" if block.text is None else f" {hang(block.text)}")
    lines = [f"    {hang(name)}: {hang(value)}" for name, value in block.facts + block.rows]
    return "\n".join([first, *lines, *(indent(block_text(b), "    ") for b in block.folded)])


def hang(text: str) -> str:
    """Further lines stand further in: no text can pose as the next `Action 2:`."""
    return visible(text).replace("\n", FURTHER) or "(empty)"
