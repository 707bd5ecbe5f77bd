"""A model whose words are heard as they come, by a person or by a program."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from ..characters import visible
from ..types import Ask, Model, Reply

__all__ = ["Streamed", "streamed"]

OnText = Callable[[str], None]


def streamed(model: Model, on_text: OnText | None = None) -> Streamed:
    """A model that says every piece of its text as it comes; on_text: None is to the screen.

    It is asked by any method. The calls of tools are no text: `rl.steps` tells those.
    """
    return Streamed(model, on_text)


class Streamed:
    """See `streamed`. All else is the model's own; so a run's id does not say that one listened."""

    def __init__(self, model: Model, on_text: OnText | None = None) -> None:
        self.model, self.on_text = model, on_text

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def tuned(self) -> frozenset[str]:
        return self.model.tuned

    @property
    def context(self) -> int | None:
        return getattr(self.model, "context", None)

    @property
    def workers(self) -> int | None:
        return getattr(self.model, "workers", None)

    def identity(self, leg: str) -> str:
        return self.model.identity(leg)

    def complete(self, ask: Ask, on_text: OnText | None = None) -> Mapping[int, Reply]:
        heard = Once(on_text or self.on_text or to_screen)
        replies = self.model.complete(ask, heard if len(ask.samples) == 1 else None)
        if heard.said:  # the next turn begins on a line of its own
            heard("\n")
        return replies

    def __reduce__(self) -> tuple[Any, ...]:
        return Streamed, (self.model, self.on_text)

    def __repr__(self) -> str:
        return f"streamed({self.model!r})"


class Once:
    """Whoever listens; and whether anything was said."""

    def __init__(self, on_text: OnText) -> None:
        self.on_text, self.said = on_text, False

    def __call__(self, piece: str) -> None:
        self.said = self.said or bool(piece)
        self.on_text(piece)


def to_screen(piece: str) -> None:
    sys.stdout.write(visible(piece))  # no escape of a model's reaches the terminal
    sys.stdout.flush()
