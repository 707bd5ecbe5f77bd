"""Replies kept in a file of JSON lines, so that a lesson replays without a model or a key.

What many replies share (whose they are, the leg, the head of the prompt with its exemplars, the
date) stands once a file, on a line of its own before the first of them.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal

from ..data import resolve
from ..records import Record, replies_to, wrong_reply
from ..support.files import Format, add_line, content, lock, ready
from ..types import Ask, Model, ModelError, OnText, Reply, Wrapped

REPLIES = Format("replies", ("about",))
Mode = Literal["auto", "replay", "record"]


@dataclass(frozen=True)
class Line:
    """A line of the file: a reply by its key, or what the replies that name it share."""

    about: str
    key: str = ""
    sample: int = 0
    prompt: str = ""  # its last characters
    reply: Reply | None = None
    name: str = ""
    identity: str = ""
    tuned: bool = False
    leg: str = ""
    head: str = ""
    context: int | None = None  # the most tokens of a prompt
    date: str = ""


LINE = Record(Line, lambda line: wrong_reply(line.reply))


class Cached(Wrapped):
    """A model whose replies are kept in a file and replayed from there.

    mode: "auto" replays what the file has and asks for the rest; "record" always asks, and the
    newest reply counts from then on; "replay" never asks. A replay needs no model (None): the file
    says whose replies it holds. Replayed replies say so in `settings["replayed"]`. kept: whether
    fresh replies go to the file. Threads may share one object, and processes one file.
    """

    def __init__(
        self, model: Model | None, path: str | os.PathLike[str], mode: Mode = "auto",
        *, kept: bool = True,
    ) -> None:  # fmt: skip
        if mode not in ("auto", "replay", "record"):
            raise ValueError(f'mode={mode!r} is none of "auto", "replay", "record"')
        if model is None and mode != "replay":
            raise ValueError(f'mode="{mode}" needs a model to ask; only mode="replay" does not')
        super().__init__(model)
        self.mode: Mode = mode
        self.kept = kept
        self.path = resolve(path)
        self._lock = threading.Lock()  # for what follows
        self._turns: dict[str, threading.Lock] = {}  # by ask: equal ones come one after the other
        self._read = False  # whether the file was
        self._abouts: dict[str, Line] = {}  # whose replies it has, by name
        self._replies: dict[str, tuple[Line, Reply]] = {}  # whose, and which; the newest by key

    @property
    def name(self) -> str:
        return super().name if self.model else self._only("name", self._owners())

    @property
    def tuned(self) -> frozenset[str]:
        if self.model:
            return super().tuned
        return frozenset(owner.leg for owner in self._owners() if owner.tuned)

    @property
    def context(self) -> int | None:
        """The most tokens of a prompt, if the model says so; without one, what the file says."""
        if self.model:
            return super().context
        return min((o.context for o in self._owners() if o.context is not None), default=None)

    def identity(self, leg: str) -> str:
        """The model's; without one, that of whose replies for this leg the file holds."""
        if self.model:
            return super().identity(leg)
        return self._only("identity", [o for o in self._owners() if o.leg == leg], f" for {leg!r}")

    def _owners(self) -> list[Line]:
        with self._lock:
            return list({owner.about: owner for owner, _ in self._held().values()}.values())

    def _only(self, what: str, owners: list[Line], whose: str = "") -> str:
        found = sorted({str(getattr(owner, what)) for owner in owners})
        if len(found) == 1:
            return found[0]
        held = f"replies of {len(found)} models ({', '.join(found)})" if found else "no replies"
        raise ModelError(f"{self.path} holds {held}{whose}: name the model to replay")

    def complete(self, ask: Ask, on_text: OnText | None = None) -> dict[int, Reply]:
        """Replies by sample: those that the file has, else those that one request brings."""
        identity = self.identity(ask.leg)
        keys = {sample: key_of(identity, ask, sample) for sample in ask.samples}
        with self._lock:
            turn = self._turns.setdefault(key_of(identity, ask, -1), threading.Lock())
        with turn:
            with self._lock:
                held = {} if self.mode == "record" else self._held()
                found = {sample: held[key][1] for sample, key in keys.items() if key in held}
            if found or self.mode == "replay":
                return self._replayed(ask, found, on_text)
            return self._ask(ask, keys, on_text)

    def _replayed(
        self, ask: Ask, found: Mapping[int, Reply], on_text: OnText | None
    ) -> dict[int, Reply]:
        if not found:
            raise ModelError(
                f"{self.path} has no reply for sample {ask.samples[0]} of the leg {ask.leg!r}, "
                f"whose prompt ends in {tail(ask)!r}: it must be recorded first"
            )
        if on_text and len(ask.samples) == 1:
            on_text(found[ask.samples[0]].text)
        return {
            sample: replace(reply, settings={**reply.settings, "replayed": True})
            for sample, reply in found.items()
        }

    def _ask(self, ask: Ask, keys: Mapping[int, str], on_text: OnText | None) -> dict[int, Reply]:
        if self.kept:
            ready(self.path, REPLIES)
        replies = dict(replies_to(ask, super().complete(ask, on_text)))
        if not self.kept:
            return replies
        about: dict[str, Any] = {"name": self.name, "identity": self.identity(ask.leg)}
        about |= {"tuned": ask.leg in self.tuned, "leg": ask.leg, "head": head(ask)}
        about |= {"context": limit} if (limit := self.context) else {}
        name, said = sha256_of(about)[:12], tail(ask)
        rows: list[dict[str, Any]] = [
            {"about": name, "key": keys[i], "sample": i, "prompt": said, "reply": reply}
            for i, reply in replies.items()
        ]
        with self._lock, lock(self.path):  # two processes may share the file
            self._held()
            if name not in self._abouts:
                date = datetime.now(UTC).isoformat(timespec="seconds")
                rows.insert(0, {"about": name, **about, "date": date})
            with self.path.open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - 1))
                # a line that a crash left without its end ends before ours begin
                torn = [b""] if file.read() not in (b"\n", b"") else []
            add_line(self.path, *torn, *map(LINE.write, rows))
            for row in rows:
                self._take(Line(**row))
        return replies

    def _held(self) -> Mapping[str, tuple[Line, Reply]]:
        """What the file has, read once.

        A line that cannot be read (a crash tore it) is passed over: its reply is asked for again.
        """
        refused = 0
        for text in content(self.path).split(b"\n") if not self._read else ():
            try:
                if text.strip():
                    self._take(LINE.read(text))
            except ValueError:
                refused += 1
        self._read = True
        if refused:
            lines = "a line" if refused == 1 else f"{refused} lines"
            warnings.warn(f"{self.path}: {lines} cannot be read: passed over", stacklevel=4)
        return self._replies

    def _take(self, line: Line) -> None:
        if line.reply is None:
            self._abouts[line.about] = line
        elif line.about in self._abouts:
            self._replies[line.key] = self._abouts[line.about], line.reply

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Cached, kept=self.kept), (self.model, self.path, self.mode)

    def __repr__(self) -> str:
        return f"cached({self.model!r}, {str(self.path)!r}, mode={self.mode!r})"


cached = Cached  # as users call it


def key_of(identity: str, ask: Ask, sample: int) -> str:
    """sha256 of the model, the ask and the sample's index: 21 samples are 21 entries.

    Fields at their default are left out, so that a field added later leaves old keys valid.
    """
    asked = {
        f.name: getattr(ask, f.name)
        for f in fields(Ask)
        if f.name != "samples" and f.compare and getattr(ask, f.name) != f.default
    }
    return sha256_of({"identity": identity, "ask": asked, "sample": sample})


def sha256_of(row: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()


def tail(ask: Ask) -> str:
    """The last 200 characters of a prompt."""
    text = ask.prompt if isinstance(ask.prompt, str) else ask.prompt[-1][1]
    return text[-200:]


def head(ask: Ask) -> str:
    """The part of a prompt that other tasks share: instruction and exemplars, to the last gap."""
    return ask.prompt.rpartition("\n\n")[0] if isinstance(ask.prompt, str) else ""
