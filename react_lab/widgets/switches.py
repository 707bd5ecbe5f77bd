"""Switch thoughts, acts and observations on and off, and watch the prompt change (Figure 1)."""

from __future__ import annotations

import re
from typing import Any

from .. import display, teach
from ..kinds import kind_named, world_of
from ..languages import say, word
from ..methods import METHODS
from ..prompts import KEEP, ablate, exemplar_text, instruction, read_exemplars, render
from ..types import Part

__all__ = ["ablated", "method_of", "prompt_switches"]

PARTS: tuple[Part, ...] = ("thought", "action", "observation")
LINE = re.compile(r"(Thought|Action|Observation|Answer)( \d+)?:")


def prompt_switches(kind: str = "multihop", exemplar: int = 1) -> teach.Interactive:
    """Three switches above one exemplar's prompt. The paper's four methods are four settings."""
    import ipywidgets

    switches = [ipywidgets.ToggleButton(value=True, layout={"width": "11em"}) for _ in PARTS]
    shown = ipywidgets.HTML()

    def draw(_: Any = None) -> None:
        for part, switch in zip(PARTS, switches, strict=True):
            switch.description = word("switches.on" if switch.value else "switches.off", part)
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
    return next(
        (METHODS[leg].title for leg, parts in KEEP.items() if parts == keep), say("switches.none")
    )


def ablated(kind: str, keep: frozenset[Part], exemplar: int = 1) -> str:
    """The instruction and one exemplar, with only these parts."""
    record = kind_named(kind)
    source = exemplar_text(record.exemplars_for())
    statement, exemplars = read_exemplars(source, record.layout, [record.start])
    shown = render(ablate(exemplars[exemplar - 1], keep), record.layout_for(keep, record.lead))
    words = instruction(world_of(record).actions, keep, record)
    return f"{statement.strip()}\n{words}\n{shown}"


def picture(kind: str, keep: frozenset[Part], exemplar: int) -> display.Page:
    """The prompt, a coloured line a part; without colours the words say the same."""
    text = ablated(kind, keep, exemplar)
    size = len(text) + 1  # with the end of its last line, as it is sent
    head = say("switches.head", method=method_of(keep), n=size)
    rows = "".join(map(row, text.splitlines()))
    return display.Page(f"<div><b>{display.inert(head)}</b></div>{rows}", f"{head}\n{text}")


def row(line: str) -> str:
    mark = LINE.match(line)
    colour = display.COLOURS[mark[1].lower() if mark else ""]
    style = f"border-left: 6px solid {colour}; padding: 1px 10px; line-height: 1.45"
    return f'<div style="{style}; min-height: 1em">{display.inert(line)}</div>'
