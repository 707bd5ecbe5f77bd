"""Replies kept in a file of JSON lines, so that a lesson replays without a model or a key."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from ..data import add_line, resolve
from ..types import Ask, Model, ModelError, Reply

__all__ = ["Cached", "cached", "key_of"]

Mode = Literal["auto", "replay", "record"]
Row = dict[str, Any]
OnText = Callable[[str], None]


def cached(model: Model | None, path: str | os.PathLike[str], mode: Mode = "auto") -> Cached:
    """`model`, whose replies are kept in a file and replayed from there.

    "auto" replays what is there and asks for the rest; "record" always asks, and the newest reply
    is the one that is replayed; "replay" never asks, so `model` may be None: the file knows whose
    replies it holds. Replayed replies say `settings["replayed"]`.
    """
    return Cached(model, path, mode)


class Cached:
    """See `cached`. Threads may share one object and processes one file; pickles as settings."""

    def __init__(self, model: Model | None, path: str | os.PathLike[str], mode: Mode) -> None:
        if mode not in ("auto", "replay", "record"):
            raise ValueError(f'mode={mode!r} is none of "auto", "replay", "record"')
        if model is None and mode != "replay":
            raise ValueError(f'mode="{mode}" needs a model to ask; without one, mode="replay"')
        self.model = model
        self.path = resolve(path)
        self.mode: Mode = mode
        self._lock = threading.RLock()
        self._rows: dict[str, Row] | None = None
        self._asked: dict[str, threading.Event] = {}  # by key: the calls under way

    @property
    def name(self) -> str:
        return self.model.name if self.model else self._only("name", self._all())

    @property
    def tuned(self) -> frozenset[str]:
        if self.model:
            return self.model.tuned
        return frozenset(row["leg"] for row in self._all() if row.get("tuned"))

    def identity(self, leg: str) -> str:
        """The model's; without a model, that of the file's replies for this leg."""
        if self.model:
            return self.model.identity(leg)
        return self._only("identity", [row for row in self._all() if row["leg"] == leg])

    def complete(self, ask: Ask, on_text: OnText | None = None) -> tuple[Reply, ...]:
        """One reply a sample, in the order of `ask.samples`; each is asked for at most once."""
        ...
