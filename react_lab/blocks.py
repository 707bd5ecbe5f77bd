"""Named pieces of a page, written as inert static HTML and as the same words in plain text.

What a model, the web or a user wrote is text here and never markup. The HTML holds no script, style
sheet, class, id, link or picture. Colours only repeat what the words say: GitHub strips them.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import indent

from react_lab.characters import FURTHER, fitted, visible

__all__ = [
    "COLOURS", "COLUMNS", "LONG", "MOST", "Block", "Page", "details", "frame", "grid", "html_of",
    "inert", "rows_of", "text_of",
]  # fmt: skip

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
    human: bool = False  # a person's: framed


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
    edge = f"border: 3px solid {colour}; border-left-width: 12px" if block.human else ""
    style = f"{edge or f'border-left: 6px solid {colour}'}; background: {colour}1a"
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
    return rows_of([columns[i : i + across] for i in range(0, len(columns), across)])


def rows_of(rows: Sequence[Sequence[Iterable[Block]]]) -> str:
    """A table of cells of blocks. Its first row says how many columns there are."""
    across = len(rows[0])
    style = f"width: {100 // across}%; text-align: left; vertical-align: top; line-height: 1.45"
    lines = (
        "".join(f'<td style="{style}; white-space: normal">{html_of(cell)}</td>' for cell in row)
        for row in rows
    )
    body = "".join(f'<tr style="background: none">{line}</tr>' for line in lines)
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
