"""What a student sees: inert feedback, questions with buttons, and their static twins."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from react_lab import display
from react_lab.languages import say

from . import controls

__all__ = [
    "WIDE", "Feedback", "Interactive", "answered", "buttons", "feedback", "in_words", "listed",
    "pressed", "slider", "tell",
]  # fmt: skip

# Characters: what JupyterLab shows in a line at 1,000 px with its list of files open. A longer line
# is cut anywhere.
WIDE = 67
# What stands before the text of a line: `cot-sc          `, `SUPPORTS | `, `thought: `.
LABEL = re.compile(r" *\S.{0,15}?(?: {2,}|: +| \| )")
# Each option is a button with its whole text, as wide as it needs to be and never cut off.
STYLE = """<style>
.rl-options .widget-toggle-button { height: auto; min-height: 2em; width: 100%; margin: 2px 0;
  padding: 4px 12px; line-height: 1.4; white-space: normal; text-align: left; }
.rl-options .widget-toggle-button.mod-active { font-weight: bold; border-left: 6px solid #56B4E9; }
</style>"""


@dataclass(frozen=True, repr=False)
class Feedback(display.Page):
    """Inert text for a student. `passed` is None where nothing was judged."""

    passed: bool | None = None


@dataclass(frozen=True, repr=False)
class Interactive:
    """A box of ipywidgets, and its static twin for where no kernel runs: GitHub, a printout."""

    box: Any
    twin: display.Page

    def _repr_mimebundle_(self, **asked: Any) -> dict[str, Any]:
        words = {"text/plain": self.twin.text, "text/html": self.twin.html}
        return {**self.box._repr_mimebundle_(**asked), **words}

    def __repr__(self) -> str:
        return self.twin.text


def tell(*words: object, sep: str = " ", end: str = "\n") -> None:
    """Like print, with long lines broken between words, and what follows set below the text."""
    text = sep.join(map(str, words)) + end
    sys.stdout.write("".join(map(fitted, text.splitlines(keepends=True))))


def fitted(line: str) -> str:
    if len(line.rstrip("\n")) <= WIDE:
        return line
    label, blank = LABEL.match(line), len(line) - len(line.lstrip())
    indent = " " * min(label.end() if label else blank + 2, WIDE // 2)
    kept = {"break_on_hyphens": False, "replace_whitespace": False, "drop_whitespace": True}
    whole = line.rstrip("\n")
    pieces = textwrap.wrap(whole, WIDE, subsequent_indent=indent, **kept)  # type: ignore[arg-type]
    return "\n".join(pieces) + line[len(whole) :]


def feedback(
    name: str, text: str, kind: str = "", *, marks: tuple[str, ...] = (), passed: bool | None = None
) -> Feedback:
    words = display.note(name, text, kind, marks)
    return Feedback(words.html, words.text, passed)


def answered(
    asked: display.Page, control: Any, reply: Callable[[Any], display.Page], answer: Any
) -> Any:
    """A box: a question, a control, and below them the reply to the answer (None: none yet)."""
    import ipywidgets

    below = ipywidgets.HTML(reply(answer).html)

    def tell(change: Mapping[str, Any]) -> None:
        below.value = reply(change["new"]).html

    control.observe(tell, names="value")
    return ipywidgets.VBox([ipywidgets.HTML(STYLE + asked.html), control, below])


def pressed(words: str, act: Callable[[], display.Page], below: Any) -> Any:
    """A button; what it brings is shown in `below`."""
    import ipywidgets

    def press(_: Any) -> None:
        below.value = act().html

    button = ipywidgets.Button(description=words, layout={"width": "auto"})
    button.on_click(press)
    return button


def in_words(guess: object) -> str:
    return f"{guess:g}" if isinstance(guess, float) else str(guess)


def listed(options: Sequence[str]) -> str:
    return "\n".join(f"{i}. {text}" for i, text in enumerate(options, start=1))


def buttons(options: Sequence[str], values: Sequence[Any], taken: Any) -> Any:
    """A button per option, with its number and its whole text."""
    import ipywidgets

    pairs = zip(options, values, strict=True)
    numbered = [(f"{i}. {text}", value) for i, (text, value) in enumerate(pairs, start=1)]
    known = taken if taken in values else None
    look: dict[str, Any] = {"layout": {"width": "100%", "max_width": "46em"}}
    control = ipywidgets.ToggleButtons(options=numbered, value=known, **look)
    return control.add_class("rl-options")


def slider(low: float, high: float, guess: Any) -> Any:
    """Between two whole numbers a slider of whole numbers."""
    whole = isinstance(low, int) and isinstance(high, int)
    step, middle = (1, (low + high) // 2) if whole else ((high - low) / 100, (low + high) / 2)
    value = guess if isinstance(guess, type(middle)) and low <= guess <= high else middle
    return controls.slider(say("teach.your_prediction"), value, low, high, step)
