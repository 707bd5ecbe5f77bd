"""Switch thoughts, acts and observations on and off, and watch the prompt change (Figure 1)."""

from __future__ import annotations

import re
from typing import Any

from .. import page, teach
from ..envs.wiki import WikiEnv
from ..lab import kind_of
from ..prompts import KEEP, ablate, exemplar_text, instruction, layout_for, read_exemplars, render
from ..types import Part

__all__ = ["ablated", "method_of", "prompt_switches"]

PARTS: tuple[Part, ...] = ("thought", "action", "observation")
NAMES = {"react": "ReAct", "act": "Act", "cot": "Chain-of-Thought", "standard": "Standard"}
LINE = re.compile(r"(Thought|Action|Observation|Answer)( \d+)?:")


def prompt_switches(kind: str = "multihop", exemplar: int = 1) -> teach.Interactive:
    """Three switches above one exemplar's prompt. The paper's four methods are four settings."""
    import ipywidgets

    switches = [ipywidgets.ToggleButton(value=True, layout={"width": "11em"}) for _ in PARTS]
    shown = ipywidgets.HTML()

    def draw(_: Any = None) -> None:
        for part, switch in zip(PARTS, switches, strict=True):
            switch.description = f"{part}s: {'on' if switch.value else 'off'}"
        keep = frozenset(part for part, s in zip(PARTS, switches, strict=True) if s.value)
        shown.value = picture(kind, keep, exemplar).html

    for switch in switches:
        switch.observe(draw, names="value")
    draw()
    box = ipywidgets.VBox([ipywidgets.HBox(switches), shown])
    return teach.Interactive(box, picture(kind, KEEP["react"], exemplar))


def method_of(keep: frozenset[Part]) -> str:
    """Which of the paper's methods is prompted with just these parts; no acts, nothing seen."""
    keep = keep if "action" in keep else keep - {"observation"}
    return next((NAMES[leg] for leg, parts in KEEP.items() if parts == keep), "none of the paper's")


def ablated(kind: str, keep: frozenset[Part], exemplar: int = 1) -> str:
    """The instruction and one exemplar, with only these parts."""
    takes = kind_of(kind)
    statement, exemplars = read_exemplars(exemplar_text(takes.exemplars), takes.layout)
    layout = layout_for(keep, takes.layout, takes.lead)
    told = instruction(WikiEnv.actions, keep)
    return f"{statement.strip()}\n{told}\n{render(ablate(exemplars[exemplar - 1], keep), layout)}"


def picture(kind: str, keep: frozenset[Part], exemplar: int) -> page.Page:
    """The prompt, a coloured line a part; without colours the words say the same."""
    text = ablated(kind, keep, exemplar)
    head = f"Method: {method_of(keep)} ({len(text):,} characters with this one exemplar)"
    rows = "".join(map(row, text.splitlines()))
    return page.Page(f"<div><b>{page.inert(head)}</b></div>{rows}", f"{head}\n{text}")


def row(line: str) -> str:
    mark = LINE.match(line)
    colour = page.COLOURS[mark[1].lower() if mark else ""]
    style = f"border-left: 6px solid {colour}; padding: 1px 10px; line-height: 1.45"
    return f'<div style="{style}; min-height: 1em">{page.inert(line)}</div>'
