"""Replies kept in a file of JSON lines, so that a lesson replays without a model or a key."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from ..data import add_line, resolve
from ..types import Ask, Model, ModelError, Reply

__all__ = ["Cached", "Recording", "cached", "key_of"]

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


class Cached:
    """See `cached`. Threads may share one object, and processes one file; pickles as settings."""

    def __init__(self, model: Model | None, path: str | os.PathLike[str], mode: Mode) -> None:
        if mode not in ("auto", "replay", "record"):
            raise ValueError(f'mode={mode!r} is none of "auto", "replay", "record"')
        if model is None and mode != "replay":
            raise ValueError(f'mode="{mode}" needs a model to ask; only mode="replay" does not')
        self.model = model
        self.mode: Mode = mode
        self.path = resolve(path)
        self._file = Recording(self.path)
        self._lock = threading.Lock()
        self._asking: dict[str, threading.Event] = {}  # by key, until the reply has come

    @property
    def name(self) -> str:
        return self.model.name if self.model else self._told("name", self._file.rows().values())

    @property
    def tuned(self) -> frozenset[str]:
        if self.model:
            return self.model.tuned
        return frozenset(row["leg"] for row in self._file.rows().values() if row.get("tuned"))

    def identity(self, leg: str) -> str:
        """The model's; without one, that of whose replies for this leg the file holds."""
        if self.model:
            return self.model.identity(leg)
        rows = self._file.rows().values()
        return self._told("identity", [row for row in rows if row["leg"] == leg], f" for {leg!r}")

    def _told(self, what: str, rows: Iterable[Row], whose: str = "") -> str:
        found = sorted({str(row.get(what)) for row in rows})
        if len(found) == 1:
            return found[0]
        held = f"replies of {len(found)} models ({', '.join(found)})" if found else "no replies"
        raise ModelError(f"{self.path} holds {held}{whose}: name the model to replay")

    def complete(self, ask: Ask, on_text: OnText | None = None) -> tuple[Reply, ...]:
        """One reply a sample, in the order of `ask.samples`."""
        identity = self.identity(ask.leg)
        keys = {sample: key_of(identity, ask, sample) for sample in ask.samples}
        fresh: dict[int, Reply] = {}
        while missing := self._missing(keys, fresh):
            if self.mode == "replay":
                raise ModelError(self._lacks(ask, missing[0]))
            fresh |= self._ask_once(ask, {i: keys[i] for i in missing}, on_text)
        replies = tuple(fresh.get(i) or self._file.reply(keys[i]) for i in ask.samples)
        if on_text and len(replies) == 1 and not fresh:
            on_text(replies[0].text)
        return replies

    def _missing(self, keys: Mapping[int, str], fresh: Mapping[int, Reply]) -> list[int]:
        old = {} if self.mode == "record" else self._file.rows()
        return [i for i, key in keys.items() if i not in fresh and key not in old]

    def _ask_once(self, ask: Ask, keys: Mapping[int, str], on_text: OnText | None) -> dict[int, Reply]:
        """Ask for what no other thread is asking for; if others ask for it all, wait for one."""
        done = threading.Event()
        with self._lock:
            others = [self._asking[key] for key in keys.values() if key in self._asking]
            mine = {i: key for i, key in keys.items() if key not in self._asking}
            self._asking |= dict.fromkeys(mine.values(), done)
        if not mine:
            others[0].wait()
            return {}
        try:
            return self._ask(replace(ask, samples=tuple(mine)), mine, on_text)
        finally:
            with self._lock:
                for key in mine.values():
                    del self._asking[key]
            done.set()
