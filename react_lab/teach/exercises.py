"""Exercises and questions as data, and checks that say what is wrong with an answer."""

from __future__ import annotations

import copy
import ctypes
import re
import reprlib
import sys
import textwrap
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from contextlib import suppress
from dataclasses import FrozenInstanceError, dataclass
from numbers import Number
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

from .. import display
from ..languages import say
from ..support import ipywidgets

Check = Callable[[Any], str | None]
Option = tuple[str, bool, str]  # the text, whether it is right, and why
PATIENCE = 10  # seconds that a check may take
UNDONE = "nothing to check yet"  # what a check says of an empty answer


@dataclass(frozen=True)
class Exercise:
    """A task for a student. `check` says what is wrong with an answer, or `None` if it is right."""

    task: str
    check: Check
    solution: str
    hints: tuple[str, ...] = ()
    minutes: int = 5
    dots: int = 1  # how hard, from 1 to 5


@dataclass(frozen=True)
class Question:
    """A multiple-choice question. Every option explains why it is right or wrong."""

    text: str
    options: tuple[Option, ...]

    def __post_init__(self) -> None:
        if not any(right for _, right, _ in self.options):
            raise ValueError(f"no option is right: {self.text}")
        if not all(why for *_, why in self.options):
            raise ValueError(f"an option has no explanation: {self.text}")


class Endless(BaseException):
    """Raised inside a student's code that does not end by itself."""


def within(check: Check, answer: Any) -> str | None:
    """What a check says, or that the student's code has not ended in time."""
    if sys.platform == "emscripten":  # no threads: a page looks at the clock itself
        return check(answer)
    said: list[Any] = []

    def work() -> None:
        try:
            said.append(check(answer))
        except Endless:
            pass
        except BaseException as fault:  # noqa: BLE001 (raised again where somebody waits)
            said.append(fault)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    if not said and thread.is_alive():
        stop = ctypes.pythonapi.PyThreadState_SetAsyncExc
        stop(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(Endless))
        return say("teach.endless", n=PATIENCE)
    if isinstance(found := said[0], BaseException):
        raise found
    return str(found) if found is not None else None


def cases(*pairs: tuple[tuple[Any, ...], Any]) -> Check:
    """A check that calls a student's function: `cases((("the cat",), "cat"), ...)`."""

    def check(answer: Any) -> str | None:
        if not callable(answer):
            return say("teach.asks_for_a_function")
        for given, expected in pairs:
            case = ", ".join(map(short, given))
            try:
                got = answer(*copy.deepcopy(given))
            except Exception as fault:  # noqa: BLE001 (a student's function may raise anything)
                return say("teach.for_raised", case=case, what=raised(fault))
            if got is ...:
                return UNDONE
            with suppress(ValueError):  # a table is compared cell by cell
                if got == expected:
                    continue
            return say("teach.for_gave", case=case, got=short(got), expected=short(expected))
        return None

    return check


def raised(fault: Exception) -> str:
    """What a student's function raised, and what to do where Python's words do not say it."""
    words = say("teach.raised", kind=type(fault).__name__, words=fault)
    return say("teach.frozen", what=words) if isinstance(fault, FrozenInstanceError) else words


NOUNS = {"Trajectory": "teach.a_run", "Task": "teach.a_task", "Step": "teach.a_step"}


class Short(reprlib.Repr):
    """A short repr. An object gives its kind only: a task's repr would show its gold answer."""

    def repr_instance(self, x: Any, level: int) -> str:
        if x is None or isinstance(x, Number):
            return repr(x)
        columns = getattr(x, "columns", None)
        if isinstance(columns, Iterable) and isinstance(x, Sized):  # a DataFrame
            return say("teach.table", n=len(x), columns=", ".join(map(str, columns)))
        kind = type(x).__name__
        return say(NOUNS[kind]) if kind in NOUNS else str(getattr(x, "__name__", f"<{kind}>"))


def short(answer: object) -> str:
    """An answer in a few words."""
    shortener = Short()
    shortener.maxstring = shortener.maxother = 200
    return shortener.repr(answer)


# ------------------------------------------------------------------ asking

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
    whole = line.rstrip("\n")
    double = "".join(letter + "\0" * (east_asian_width(letter) in "WF") for letter in whole)
    if len(double) <= WIDE:
        return line
    label, blank = LABEL.match(line), len(line) - len(line.lstrip())
    indent = " " * min(label.end() if label else blank + 2, WIDE // 2)
    kept = {"break_on_hyphens": False, "replace_whitespace": False, "drop_whitespace": True}
    pieces = textwrap.wrap(double, WIDE, subsequent_indent=indent, **kept)  # type: ignore[arg-type]
    return "\n".join(pieces).replace("\0", "") + line[len(whole) :]


def feedback(
    name: str, text: str, kind: str = "", *, marks: tuple[str, ...] = (), passed: bool | None = None
) -> Feedback:
    words = display.note(name, text, kind, marks)
    return Feedback(words.html, words.text, passed)


def answered(
    asked: display.Page, control: Any, reply: Callable[[Any], display.Page], answer: Any
) -> Any:
    """A box: a question, a control, and below them the reply to the answer (None: none yet)."""
    below = ipywidgets.HTML(reply(answer).html)

    def tell(change: Mapping[str, Any]) -> None:
        below.value = reply(change["new"]).html

    control.observe(tell, names="value")
    return ipywidgets.VBox([ipywidgets.HTML(STYLE + asked.html), control, below])


def make_button(words: str, act: Callable[[], Any], style: str = "") -> Any:
    """A button that is as wide as its words."""
    button = ipywidgets.Button(description=words, button_style=style, layout={"width": "auto"})
    button.on_click(lambda _: act())
    return button


def listed(options: Sequence[str]) -> str:
    return "\n".join(f"{i}. {text}" for i, text in enumerate(options, start=1))


def buttons(options: Sequence[str], values: Sequence[Any], taken: Any) -> Any:
    """A button per option, with its number and its whole text."""
    pairs = zip(options, values, strict=True)
    numbered = [(f"{i}. {text}", value) for i, (text, value) in enumerate(pairs, start=1)]
    known = taken if taken in values else None
    look: dict[str, Any] = {"layout": {"width": "100%", "max_width": "46em"}}
    control = ipywidgets.ToggleButtons(options=numbered, value=known, **look)
    return control.add_class("rl-options")


# ------------------------------------------------------------------ controls

SCRIPT = Path(__file__).parent / "controls.js"
SLIDER_STYLE = """
.rl-slider { display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: center;
  min-height: 32px; max-width: 46em; font-size: var(--jp-content-font-size1, 14px); }
.rl-slider input { flex: 1 1 14em; accent-color: #0072b2; }
.rl-slider output { min-width: 3em; font-variant-numeric: tabular-nums; }
"""


def front_end(
    called: str, script: str | Path, css: str = "", layout: Any = None, **state: Any
) -> Any:
    """A widget of our own: its script in the browser, and the state that it draws.

    It is born with all of it: on a busy machine JupyterLab may miss what is said right after.
    """
    import anywidget
    import traitlets

    made: dict[type, Any] = {
        dict: traitlets.Dict, list: traitlets.List, str: traitlets.Unicode, bytes: traitlets.Bytes,
        int: traitlets.CInt,
    }  # fmt: skip
    members = {key: made[type(value)]().tag(sync=True) for key, value in state.items()}
    members |= {"_esm": script, "_css": css}
    return type(called, (anywidget.AnyWidget,), members)(**state, layout=layout or {})


def slider(name: str, value: int, low: int, high: int, step: int = 1) -> Any:
    """A whole number between two; it changes when the handle is let go."""
    given = {"value": value, "min": low, "max": high, "step": step}
    return front_end("Slider", SCRIPT, SLIDER_STYLE, kind="slider", name=name, **given)


def image(name: str, png: bytes = b"", layout: Mapping[str, str] | None = None) -> Any:
    """A picture that may change: `png` is what it shows, `name` what it is in words."""
    return front_end("Image", SCRIPT, layout=dict(layout or {}), kind="picture", name=name, png=png)
