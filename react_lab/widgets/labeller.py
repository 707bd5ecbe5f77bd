"""Hand-labelling in a notebook: a face of `label.Session`. Every key is also a method.

rl.Labeller(runs, path="labels/me.jsonl", by="me", blind=True)
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from .. import page
from ..label.session import Session
from ..label.view import fixed, picture
from ..types import Trajectory

__all__ = ["Labeller"]

HERE = Path(__file__).parent
KEYS = frozenset({
    "sound", "unsound", "label", "step", "note", "defer", "override", "undo", "redo", "next",
    "back", "goto", "filter",
})  # fmt: skip


class Labeller:
    """Labels runs with keys or buttons; a label has its tick when it is on the disk.

    Options as for `label.Session`: blind, gold, between, suggestions, seed.
    """

    def __init__(
        self, runs: Sequence[Trajectory], path: str | PathLike[str], by: str, **options: Any
    ) -> None:
        self.session = Session(runs, path, by, **options)
        self.lock = threading.RLock()  # JupyterLab may run a key's handler beside a cell
        self.front = front(fixed(self.session), self.view())
        self.front.on_msg(self.heard)

    def press(self, key: str, *arguments: Any) -> str:
        """What a key does; the answer says what it did."""
        with self.lock:
            said: str = getattr(self.session, key)(*arguments)
            self.front.view = self.view()
        return said

    def sound(self) -> str:
        return self.press("sound")

    def unsound(self, step: int | None = None) -> str:
        return self.press("unsound", step)

    def label(self, mode: str | int, override: bool = False) -> str:
        return self.press("label", mode, override)

    def step(self, step: int) -> str:
        return self.press("step", step)

    def note(self, text: str) -> str:
        return self.press("note", text)

    def defer(self) -> str:
        return self.press("defer")

    def override(self) -> str:
        return self.press("override")

    def undo(self) -> str:
        return self.press("undo")

    def redo(self) -> str:
        return self.press("redo")

    def next(self) -> str:
        return self.press("next")

    def back(self) -> str:
        return self.press("back")

    def goto(self, number: int) -> str:
        return self.press("goto", number)

    def filter(self, query: str = "") -> str:
        return self.press("filter", query)

    # ------------------------------------------------------------------ the browser

    def heard(self, _: Any, message: dict[str, Any], __: Any) -> None:
        """A key from the browser: done, then acknowledged with the new view."""
        ack, key, argument = message.get("ack"), message.get("key"), message.get("argument")
        if key not in KEYS or not self.session.order:
            self.front.send({"ack": ack})  # only to know whether anybody is here
            return
        with self.lock:
            alarm = self.tried(str(key), [] if argument is None else [argument])
            self.front.view = self.view() | {"ack": ack, "alarm": alarm}

    def tried(self, key: str, arguments: list[Any]) -> str:
        """A disk that is full or gone is said in red where the person is looking."""
        try:
            getattr(self.session, key)(*arguments)
        except OSError as error:
            return f"NOT SAVED: {page.visible(str(error))}"
        return ""

    def view(self) -> dict[str, Any]:
        return picture(self.session)

    # ------------------------------------------------------------------ where no kernel runs

    def __repr__(self) -> str:
        done, all_ = len(self.session.labelled), len(self.session.everything)
        return f"<Labeller by {self.session.file.by!r}: {done} labels, {all_} runs>"

    def _repr_mimebundle_(self, **asked: Any) -> dict[str, Any]:
        bundle: Any = self.front._repr_mimebundle_(**asked)
        words = twin(self.view(), fixed(self.session))
        found = bundle[0] if isinstance(bundle, tuple) else bundle
        return {**found, "text/plain": repr(self), "text/html": words.html}


def front(still: dict[str, Any], view: dict[str, Any]) -> Any:
    """The browser's side: it holds what does not change, and the run in sight."""
    import anywidget
    import traitlets

    class Front(anywidget.AnyWidget):
        _esm = HERE / "labeller.js"
        _css = HERE / "labeller.css"
        still = traitlets.Dict().tag(sync=True)
        view = traitlets.Dict().tag(sync=True)

    return Front(still=still, view=view)


def twin(view: dict[str, Any], still: dict[str, Any]) -> page.Page:
    """The run in sight as inert HTML: for GitHub, a printout, a notebook without its kernel."""
    if not view["number"]:
        return page.note(still["kind"], "There is no run to label.")
    head = f"Run {view['number']} of {view['of']}, {view['done']} labels in {still['file']}"
    told = [
        (still["kind"], f"{head}. To label, run this cell.", ""),
        (view["asked"], view["question"], ""),
    ]
    for part in view["parts"]:
        text = "".join(text for text, _ in part["pieces"])
        told.append((f"{part['name'].capitalize()} {part['step']}", text, part["name"]))
    told += [
        ("Answer", view["answer"], "answer"),
        *((name, value, "") for name, value in view["facts"]),
    ]
    told += [(f"{by}: {label}", note, "") for by, label, note in view["others"]]
    if view["label"]:
        told.append(("Your label", f"{view['label']}\n{view['note']}".strip(), ""))
    pages = [page.note(*block) for block in told]
    return page.Page("".join(p.html for p in pages), "\n".join(p.text for p in pages))
