"""Hand-labelling in a notebook: a face of `label.Session`. Every key is also a method.

rl.Labeller(runs, path="labels/me.jsonl", by="me", blind=True)
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

from .. import display
from ..display.runs import numbered
from ..label.session import Session, fixed, picture, run_in_sight
from ..languages import say, word
from ..support.text import visible
from ..types import Trajectory
from .scripts import script, style

__all__ = ["Labeller"]

KEYS = frozenset({
    "sound", "unsound", "label", "step", "note", "defer", "override", "undo", "redo", "next",
    "back", "goto", "filter",
})  # fmt: skip


def pressed(act: Callable[..., str]) -> Callable[..., str]:
    """What a key does, as a method: the session acts, the browser shows the new view."""

    @functools.wraps(act)
    def press(self: Labeller, *arguments: Any, **options: Any) -> str:
        with self.lock:
            answer = act(self.session, *arguments, **options)
            self.show()
        return answer

    return press


class Labeller:
    """Labels runs with keys or buttons; a label has its tick when it is on the disk.

    runs, path, by: what to label, the file the labels go to, and who gives them. Options as for
    `label.Session`: blind (judge first, with gold, method, model and grade hidden), gold (a file of
    agreed labels: a calibration round), between (files of annotators: what they differ on),
    suggestions (what the rules say, after your own label), seed (shuffles the order).
    """

    def __init__(
        self, runs: Sequence[Trajectory], path: str | PathLike[str], by: str, **options: Any
    ) -> None:
        self.session = Session(runs, path, by, **options)
        self.lock = threading.RLock()  # JupyterLab may run a key's handler beside a cell
        now = {"run": run_in_sight(self.session), "view": picture(self.session)}
        self.front = front(fixed(self.session), **now)
        self.sent: tuple[int, bool] | None = None  # the run that the browser has, and how
        self.show()
        self.front.on_msg(self.heard)

    sound, unsound, label = pressed(Session.sound), pressed(Session.unsound), pressed(Session.label)
    step, note, defer = pressed(Session.step), pressed(Session.note), pressed(Session.defer)
    override, undo, redo = pressed(Session.override), pressed(Session.undo), pressed(Session.redo)
    next, back, goto = pressed(Session.next), pressed(Session.back), pressed(Session.goto)
    filter = pressed(Session.filter)

    # ------------------------------------------------------------------ the browser

    def heard(self, _: Any, message: dict[str, Any], __: Any) -> None:
        """A key from the browser: done, then acknowledged with the new view."""
        ack, key, argument = message.get("ack"), message.get("key"), message.get("argument")
        if key not in KEYS or not self.session.order:
            self.front.send({"ack": ack})  # only to know whether anybody is here
            return
        with self.lock:
            alarm = self.tried(str(key), [] if argument is None else [argument])
            self.show(ack=ack, alarm=alarm)

    def tried(self, key: str, arguments: list[Any]) -> str:
        """A disk that is full or gone is reported in red where the person is looking."""
        try:
            getattr(self.session, key)(*arguments)
        except OSError as error:
            return say("labeller.disk", why=visible(str(error)))
        return ""

    def show(self, **more: Any) -> None:
        """What a key may have changed, in one message; the run only when another is in sight."""
        view = picture(self.session)
        sight = (self.session.in_sight[0], view["hidden"]) if view["number"] else None
        with self.front.hold_sync():
            if sight != self.sent or not self.front.run:
                self.front.run, self.sent = run_in_sight(self.session), sight
            self.front.view = view | more

    # ------------------------------------------------------------------ where no kernel runs

    def __repr__(self) -> str:
        done, all_ = len(self.session.labelled), len(self.session.everything)
        return f"<Labeller by {self.session.file.by!r}: {done} labels, {all_} runs>"

    def _repr_mimebundle_(self, **asked: Any) -> dict[str, Any]:
        bundle: Any = self.front._repr_mimebundle_(**asked)
        words = twin(picture(self.session) | run_in_sight(self.session), self.front.still)
        found = bundle[0] if isinstance(bundle, tuple) else bundle
        return {**found, "text/plain": repr(self), "text/html": words.html}


def front(fixed: dict[str, Any], **now: Any) -> Any:
    """The browser's side: what does not change, the run in sight, and what a key may change.

    It is born with all of it: on a busy machine JupyterLab may miss what is said right after.
    """
    import anywidget
    import traitlets

    class Front(anywidget.AnyWidget):
        _esm, _css = script("labeller"), style("labeller")
        still = traitlets.Dict().tag(sync=True)
        run = traitlets.Dict().tag(sync=True)
        view = traitlets.Dict().tag(sync=True)

    return Front(still=fixed, **now)


def twin(view: dict[str, Any], still: dict[str, Any]) -> display.Page:
    """The run in sight as inert HTML: for GitHub, a printout, a notebook without its kernel."""
    kind = word("labeller.kinds", still["kind"])
    if not view["number"]:
        return display.note(kind, say("labeller.no_run"))
    where = {"at": view["number"], "of": view["of"], "file": still["file"]}
    blocks = [
        (kind, say("labeller.twin", n=view["done"], **where), ""),
        (word("parts", view["asked"]), view["question"], ""),
    ]
    blocks += [(say("labeller.opening"), view["opening"], "")] if view["opening"] else []
    for part in view["parts"]:
        text = "".join(text for text, _ in part["pieces"])
        blocks.append((numbered(part["name"], part["step"]), text, part["name"]))
    if not view["game"]:
        blocks.append((word("parts", "answer"), view["answer"], "answer"))
    elif view["end"]:
        blocks.append((say("show.ended"), display.ended(view["end"]), ""))
    blocks += [(name, value, "") for name, value in view["facts"]]
    blocks += [
        (say("parts.pair", name=by, value=label), note, "") for by, label, note in view["others"]
    ]
    if view["label"]:
        words = f"{word('modes', view['label'])}\n{view['note']}".strip()
        blocks.append((say("labeller.your_label"), words, ""))
    return display.together(display.note(*block) for block in blocks)
