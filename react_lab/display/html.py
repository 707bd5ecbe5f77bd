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

from ..languages import say
from ..support.text import FURTHER, fitted, visible

COLOURS = {  # Okabe and Ito's: distinct to the colour-blind, seen on white and on black
    "thought": "#0072B2", "action": "#D55E00", "observation": "#009E73", "answer": "#CC79A7",
    "hint": "#0072B2", "wrong": "#D55E00", "right": "#009E73", "": "#888888",
}  # fmt: skip
LONG = 600  # characters: of a longer text two thirds of that are seen, the rest on a click
BRIEF = 240  # as LONG, of an observation in a column
COLUMNS, MOST = 4, 12  # runs side by side, and runs on one page
CODE = "; font-family: var(--jp-code-font-family, monospace)"
NARROW, COLUMN = 480, 190  # px: with less room columns stand below each other, with more they lie
# side by side, and where they are cut a reader scrolls sideways


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
    folded: tuple[Block, ...] = ()  # blocks that a click unfolds
    human: bool = False  # a person's: framed


def inert(text: str) -> str:
    """Text as HTML that stays text: an element around each `$` and backslash keeps MathJax away."""
    safe = html.escape(visible(text)).replace("\n", "<br>")
    return re.sub(r"[$\\]", r"<span>\g<0></span>", safe)


def fold(text: str, long: int = LONG) -> str:
    """A long text shows its beginning, two thirds of `long`; the rest waits behind a click."""
    text, shown = visible(text), 2 * long // 3
    if len(text) <= long:
        return inert(text) or f"<i>({inert(say('show.empty'))})</i>"
    cut = text.rfind(" ", shown // 2, shown) + 1 or shown
    name = say("parts.show_all", n=len(text) - cut)
    return inert(text[:cut]) + details(name, inert(text[cut:]))


def details(name: str, inside: str) -> str:
    style = "cursor: pointer; font-weight: bold"
    return f'<details><summary style="{style}">{inert(name)}</summary>{inside}</details>'


def html_of(blocks: Iterable[Block], narrow: bool = False) -> str:
    return "".join(block_html(block, narrow) for block in blocks)


def block_html(block: Block, narrow: bool = False) -> str:
    """narrow: in a column, where name and text stand in one line, and less is seen at once."""
    colour = COLOURS.get(block.kind, COLOURS[""])
    edge = f"border: 3px solid {colour}; border-left-width: 12px" if block.human else ""
    style = f"{edge or f'border-left: 6px solid {colour}'}; background: {colour}1a"
    style += "; margin: 3px 0; padding: 1px 8px" if narrow else "; margin: 6px 0; padding: 4px 12px"
    marks = "".join(f" <i>({inert(mark)})</i>" for mark in block.marks)
    inside = [f"<b>{inert(block.name)}</b>{marks}{' ' * narrow}"]
    if block.text is not None:
        text = fold(block.text, BRIEF if narrow and block.kind == "observation" else LONG)
        font, tag = CODE if block.kind == "code" else "", "span" if narrow else "div"
        inside += [f'<{tag} style="white-space: pre-wrap{font}">{text}</{tag}>']
    inside += [line(block.facts, narrow)] if block.facts else []
    if block.folded:
        first, last = block.folded[0].name, block.folded[-1].name
        key = "show.show_to" if len(block.folded) > 1 else "show.show_one"
        inside += [details(say(key, first=first, last=last), html_of(block.folded, narrow))]
    return f'<div style="{style}">{"".join(inside)}</div>'


def line(facts: Sequence[tuple[str, str]], narrow: bool) -> str:
    style, tag = ("margin-right: 10px", "span") if narrow else ("margin-right: 24px", "div")
    box = f"display: inline-block; {style}"
    pairs = ((inert(say("parts.pair", name=name, value="")), inert(value)) for name, value in facts)
    spans = (f'<span style="{box}">{name}<b>{value}</b></span>' for name, value in pairs)
    return f"<{tag}>{' '.join(spans)}</{tag}>"


def beside(heads: Sequence[Block], rows: Iterable[Sequence[Iterable[Block]]]) -> str:
    """A column below each head, each row of cells on one line; where it is narrow, one by one.

    A column keeps its cells together, so that it reads from top to bottom without any style, too.
    """
    columns = list(zip([[head] for head in heads], *rows, strict=True))
    track = f"minmax(min(100%, max({COLUMN}px, ({NARROW}px - 100%) * 999)), 1fr)"
    grid = f"display: grid; column-gap: 12px; grid-template-columns: repeat(auto-fit, {track})"
    grid += f"; min-width: min({(COLUMN + 12) * len(heads) - 12}px, (100% - {NARROW}px) * 999)"
    style = f"display: grid; grid-row: span {len(columns[0])}; grid-template-rows: subgrid"
    inside = ""
    for column in columns:
        cells = "".join(f"<div>{html_of(cell, narrow=True)}</div>" for cell in column)
        inside += f'<div style="{style}; min-width: 0">{cells}</div>'
    return f'<div style="{grid}; margin: 8px 0">{inside}</div>'


def together(pages: Iterable[Page]) -> Page:
    """Several pages as one, the first at the top."""
    several = list(pages)
    return Page("".join(p.html for p in several), "\n".join(p.text for p in several))


def note(name: str, text: str, kind: str = "", marks: tuple[str, ...] = ()) -> Page:
    """One named text, as inert as a run."""
    blocks = [Block(name, text, kind, marks)]
    return Page(frame(html_of(blocks)), text_of(blocks))


def frame(inside: str) -> str:
    style = "line-height: 1.45; font-size: var(--jp-content-font-size1, 1em)"
    return f'<div style="{style}; overflow-wrap: anywhere">{inside}</div>'


def text_of(blocks: Iterable[Block]) -> str:
    lines = list[str]()
    for block in blocks:
        marks = "".join(f" ({hang(mark)})" for mark in block.marks)
        text = "" if block.text is None else f" {hang(block.text)}"
        lines += [f"{hang(block.name)}{marks}:{text}"]
        lines += [f"    {hang(name)}: {hang(value)}" for name, value in block.facts]
        lines += [indent(text_of([inner]), "    ") for inner in block.folded]
    return "\n".join(lines)


def hang(text: str) -> str:
    """Further lines stand further in: no text can pose as the next `Action 2:`."""
    return visible(text).replace("\n", FURTHER) or f"({say('show.empty')})"
