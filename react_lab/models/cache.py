"""Replies kept in a file of JSON lines, so that a lesson replays without a model or a key."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from ..data import resolve
from ..records import Record, replies_to, wrong_reply
from ..support.files import Format, add_line, content, lock, ready
from ..types import Ask, Model, ModelError, Reply, Wrapped

REPLIES = Format("replies", ("about",))
Mode = Literal["auto", "replay", "record"]
Row = dict[str, Any]
OnText = Callable[[str], None]


def cached(model: Model | None, path: str | os.PathLike[str], mode: Mode = "auto") -> Cached:
    """A model whose replies are kept in a file and replayed from there.

    mode: "auto" replays what the file has and asks for the rest; "record" always asks, and the
    newest reply counts from then on; "replay" never asks. A replay needs no model (None): the file
    says whose replies it holds. Replayed replies say so in `settings["replayed"]`.
    """
    return Cached(model, path, mode)


class Cached(Wrapped):
    """See `cached`. Threads may share one object, and processes one file; pickles as settings."""

    def __init__(
        self, model: Model | None, path: str | os.PathLike[str], mode: Mode, kept: bool = True
    ) -> None:
        if mode not in ("auto", "replay", "record"):
            raise ValueError(f'mode={mode!r} is none of "auto", "replay", "record"')
        if model is None and mode != "replay":
            raise ValueError(f'mode="{mode}" needs a model to ask; only mode="replay" does not')
        super().__init__(model)
        self.mode: Mode = mode
        self.kept = kept  # whether fresh replies go to the file
        self.path = resolve(path)
        self._file = Recording(self.path)
        self._lock = threading.Lock()
        self._asking: dict[str, threading.Event] = {}  # by key, until the reply has come

    @property
    def name(self) -> str:
        return super().name if self.model else self._only("name", self._abouts)

    @property
    def tuned(self) -> frozenset[str]:
        if self.model:
            return super().tuned
        return frozenset(about.leg for about in self._abouts if about.tuned)

    @property
    def context(self) -> int | None:
        """The most tokens of a prompt, if the model says so; without one, what the file says."""
        if self.model:
            return super().context
        return min((a.context for a in self._abouts if a.context is not None), default=None)

    def identity(self, leg: str) -> str:
        """The model's; without one, that of whose replies for this leg the file holds."""
        if self.model:
            return super().identity(leg)
        return self._only("identity", [a for a in self._abouts if a.leg == leg], f" for {leg!r}")

    @functools.cached_property
    def _abouts(self) -> list[Line]:
        """Whose replies the file of a replay holds, and for which legs."""
        return list({id(kept.about): kept.about for kept in self._file.kept().values()}.values())

    def _only(self, what: str, abouts: Iterable[Line], whose: str = "") -> str:
        found = sorted({str(getattr(about, what)) for about in abouts})
        if len(found) == 1:
            return found[0]
        held = f"replies of {len(found)} models ({', '.join(found)})" if found else "no replies"
        raise ModelError(f"{self.path} holds {held}{whose}: name the model to replay")

    def complete(self, ask: Ask, on_text: OnText | None = None) -> dict[int, Reply]:
        """Replies by sample: those that the file has, else those that one request brings."""
        identity = self.identity(ask.leg)
        keys = {sample: key_of(identity, ask, sample) for sample in ask.samples}
        fresh: dict[int, Reply] = {}
        while not (fresh or (known := self._known(keys))):
            if self.mode == "replay":
                raise ModelError(self._lacks(ask, ask.samples[0]))
            fresh = self._ask_once(ask, keys, on_text)
        if fresh:
            return fresh
        replies = {sample: self._file.reply(keys[sample]) for sample in known}
        if on_text and len(keys) == 1:
            on_text(replies[ask.samples[0]].text)
        return replies

    def _known(self, keys: Mapping[int, str]) -> list[int]:
        """The samples that need not be asked for."""
        old = {} if self.mode == "record" else self._file.kept()
        return [sample for sample, key in keys.items() if key in old]

    def _ask_once(
        self, ask: Ask, keys: Mapping[int, str], on_text: OnText | None
    ) -> dict[int, Reply]:
        """Ask for what no other thread is asking for; when that is nothing, wait for another."""
        done = threading.Event()
        with self._lock:
            others = [self._asking[key] for key in keys.values() if key in self._asking]
            known = self._known(keys)  # some may just have come
            mine = {i: k for i, k in keys.items() if k not in self._asking and i not in known}
            self._asking |= dict.fromkeys(mine.values(), done)
        try:
            if mine:
                return self._ask(ask, mine, on_text)
        finally:
            with self._lock:
                self._asking = {k: v for k, v in self._asking.items() if v is not done}
            done.set()
        if others:
            others[0].wait()
        return {}

    def _ask(self, ask: Ask, keys: Mapping[int, str], on_text: OnText | None) -> dict[int, Reply]:
        """One request; its replies are kept."""
        assert self.model is not None  # `__init__` saw to it
        if self.kept:
            ready(self.path, REPLIES)
        request = replace(ask, samples=tuple(keys))
        replies = dict(replies_to(request, self.model.complete(request, on_text)))
        about = {
            "name": self.model.name,
            "identity": self.model.identity(ask.leg),
            "tuned": ask.leg in self.model.tuned,
            "leg": ask.leg,
            "head": head(ask),
        }
        if limit := getattr(self.model, "context", None):
            about["context"] = limit
        for sample, reply in replies.items() if self.kept else ():
            line = {"key": keys[sample], "sample": sample, "prompt": tail(ask)}
            self._file.keep(about, line, reply)
        return replies

    def _lacks(self, ask: Ask, sample: int) -> str:
        return (
            f"{self.path} has no reply for sample {sample} of the leg {ask.leg!r}, whose prompt "
            f"ends in {tail(ask)!r}: it must be recorded first"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Cached, (self.model, self.path, self.mode, self.kept)

    def __repr__(self) -> str:
        return f"cached({self.model!r}, {str(self.path)!r}, mode={self.mode!r})"


class Recording:
    """A file of replies, one per line, read once; the newest line for a key counts.

    What many replies share (whose they are, the leg, the head of the prompt with its exemplars, the
    date) stands once per file, on a line of its own before the first of them.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._kept: dict[str, Kept] | None = None
        self._abouts: dict[str, Line] = {}

    def kept(self) -> Mapping[str, Kept]:
        """Every reply by its key."""
        with self._lock:
            if self._kept is None:
                self._kept, self._abouts = read_lines(self.path)
            return self._kept

    def reply(self, key: str) -> Reply:
        reply = self.kept()[key].reply
        return replace(reply, settings=dict(reply.settings) | {"replayed": True})

    def keep(self, about: Row, line: Row, reply: Reply) -> None:
        """Add a line; two processes may share the file."""
        self.kept()
        with self._lock, lock(self.path):
            if ends_torn(self.path):
                with self.path.open("ab") as file:
                    file.write(b"\n")
            if (name := name_of(about)) not in self._abouts:
                date = datetime.now(UTC).isoformat(timespec="seconds")
                self._abouts[name] = Line(name, **about, date=date)
                add_line(self.path, LINE.write({"about": name, **about, "date": date}))
            add_line(self.path, LINE.write({"about": name, **line, "reply": reply}))
            assert self._kept is not None
            self._kept[line["key"]] = Kept(self._abouts[name], reply)


def key_of(identity: str, ask: Ask, sample: int) -> str:
    """sha256 of the model, the ask and the sample's index: 21 samples are 21 entries.

    Fields at their default are left out, so that a field added later leaves old keys valid.
    """
    asked = {
        f.name: getattr(ask, f.name)
        for f in fields(Ask)
        if f.name != "samples" and f.compare and getattr(ask, f.name) != f.default
    }
    text = json.dumps({"identity": identity, "ask": asked, "sample": sample}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def tail(ask: Ask) -> str:
    """The last 200 characters of a prompt."""
    text = ask.prompt if isinstance(ask.prompt, str) else ask.prompt[-1][1]
    return text[-200:]


def head(ask: Ask) -> str:
    """The part of a prompt that other tasks share: instruction and exemplars, to the last gap."""
    return ask.prompt.rpartition("\n\n")[0] if isinstance(ask.prompt, str) else ""


def name_of(about: Row) -> str:
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Line:
    """A line of a recording: a reply by its key, or what the replies that name it share."""

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


@dataclass(frozen=True)
class Kept:
    """A reply, whose it is, and for which leg."""

    about: Line
    reply: Reply


LINE = Record(Line, lambda line: wrong_reply(line.reply))


def read_lines(path: Path) -> tuple[dict[str, Kept], dict[str, Line]]:
    """The replies of a file by key, and what they share by name.

    A line that cannot be read (a crash tore it) is passed over: its reply is asked for again.
    """
    kept, abouts, refused = dict[str, Kept](), dict[str, Line](), 0
    for text in content(path).split(b"\n"):
        try:
            line = LINE.read(text) if text.strip() else None
        except ValueError:
            refused += 1
            continue
        if line and line.reply is None:
            abouts[line.about] = line
        elif line and line.reply and line.about in abouts:
            kept[line.key] = Kept(abouts[line.about], line.reply)
    if refused:
        lines = "a line" if refused == 1 else f"{refused} lines"
        warnings.warn(f"{path}: {lines} cannot be read: passed over", stacklevel=3)
    return kept, abouts


def ends_torn(path: Path) -> bool:
    """Whether a crash left a line without its end, to which the next one would be glued."""
    if not path.exists() or not path.stat().st_size:
        return False
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() != b"\n"
