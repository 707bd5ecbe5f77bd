"""What the front ends have in common: a script in the browser, and Python's side of it.

A script is one text that needs no other file, in a notebook or in a page without a kernel: the
words of a language, what all scripts share, its own part.
"""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

from .. import display
from ..languages import spoken, words_of
from ..support.text import visible
from ..teach.exercises import front_end
from ..types import EnvError

HERE = Path(__file__).parent


def script(name: str) -> str:
    """The script of `player`, `explorer`, `labeller` or `console`, in the language spoken now."""
    drawn = ["player_drawn.js"] if name == "player" else []
    files = [HERE / file for file in ("shared.js", *drawn, f"{name}.js")]
    return "".join([words(name), *(file.read_text(encoding="utf-8") for file in files)])


def words(name: str) -> str:
    """Its words, as constants of the script; its own table without the table's name."""
    tables = ("alarm", "parts", "modes" if name == "labeller" else name, name)
    found = {
        key.removeprefix(f"{name}."): text
        for key, text in words_of(spoken()).items()
        if key.partition(".")[0] in tables
    }
    text = json.dumps(found).replace("<", "\\u003c")  # no tag of a page can begin in it
    return f"const LANG = {json.dumps(spoken())}, WORDS = {text};\n"


def style(name: str) -> str:
    return (HERE / f"{name}.css").read_text(encoding="utf-8")


class Widget:
    """Python's side of a front end. What a key or a button does is a method, too."""

    name = ""  # of its script and its style

    def __init__(self, **state: Any) -> None:
        self.lock = threading.RLock()  # JupyterLab may run a key's handler beside a cell
        self.front = self.make_front(**state)
        self.front.on_msg(self.receive)
        self.box = self.front  # what a notebook draws

    def make_front(self, **state: Any) -> Any:
        """A page without a kernel has another."""
        return front_end(self.name.capitalize(), script(self.name), style(self.name), **state)

    def receive(self, _: Any, message: dict[str, Any], __: Any) -> None:
        """A key or a click from the browser: done, then acknowledged with the new view."""
        with self.lock, self.front.hold_sync():
            alarm = ""
            try:
                self.act(message)
            except (EnvError, OSError, TypeError, ValueError) as error:
                alarm = visible(str(error))
            self.show(ack=message.get("ack"), alarm=alarm)

    def act(self, message: dict[str, Any]) -> None:
        """Do what a message asks for."""

    def show(self, ack: object = None, alarm: str = "") -> None:
        """Send what may have changed."""

    def words(self) -> display.Page:
        """What stands where no kernel runs."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **asked: Any) -> dict[str, Any]:
        bundle: Any = self.box._repr_mimebundle_(**asked)
        found = bundle[0] if isinstance(bundle, tuple) else bundle
        return {**found, "text/plain": repr(self), "text/html": self.words().html}
