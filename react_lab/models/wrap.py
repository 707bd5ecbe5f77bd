"""A model that answers with the lines that a lesson or a test gives it."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..support.text import source_of, visible
from ..types import Ask, Model, ModelError, OnText, Reply, Wrapped

Line = str | Reply
Script = Sequence[Line] | Callable[[Ask], Line]


class Scripted:
    """A model that answers from a list, in order, or by a function: `Ask` -> its text.

    Every sample asked for takes one reply; a function is called once per sample. The text comes
    back uncut, whatever `Ask.stop` says, so that a lesson can show what cutting is for. `asked`
    keeps everything it was asked.

    >>> scripted(["Thought 1: easy"]).complete(Ask("Question: 1 + 1?"))[0].text
    'Thought 1: easy'
    """

    def __init__(self, replies: Script, name: str = "scripted", tuned: Iterable[str] = ()) -> None:
        self.name = name
        self.tuned = frozenset(tuned)
        self.asked: list[Ask] = []
        self._script = (replies,) if isinstance(replies, str) else replies
        self._lines = () if callable(self._script) else tuple(self._script)
        self._left = iter(self._lines)
        self._hash = hashlib.sha256(source_of(self._script).encode()).hexdigest()[:16]

    def identity(self, leg: str) -> str:
        """A hash of the script: the same lines are the same model, in every process."""
        return f"scripted {self._hash}"

    def complete(self, ask: Ask, on_text: OnText | None = None) -> dict[int, Reply]:
        self.asked.append(replace(ask, on_wait=None))  # who waits is forgotten
        replies = {i: self._say(replace(ask, samples=(i,))) for i in ask.samples}
        if on_text and len(replies) == 1:
            on_text(replies[ask.samples[0]].text)
        return replies

    def _say(self, ask: Ask) -> Reply:
        line: Line | None
        if callable(self._script):
            line = self._script(ask)
        elif (line := next(self._left, None)) is None:
            raise ModelError(
                f"the script {self.name!r} is at its end ({len(self._lines)} in all), and one more "
                "reply was asked for: give it more, or make it afresh "
                f"(the prompt ends in {str(ask.prompt)[-200:]!r})"
            )
        return Reply(line) if isinstance(line, str) else line

    def __repr__(self) -> str:
        return f"scripted({self.name!r})"


class Streamed(Wrapped):
    """A model that says every piece of its text as it comes; on_text: None is to the screen.

    It is asked by any method. The calls of tools are no text: `rl.steps` tells those. All else is
    the model's own; so a run's id does not say that one listened.
    """

    def __init__(self, model: Model, on_text: OnText | None = None) -> None:
        super().__init__(model)
        self.on_text = on_text

    def complete(self, ask: Ask, on_text: OnText | None = None) -> Mapping[int, Reply]:
        listen, said = on_text or self.on_text or to_screen, list[str]()

        def hear(piece: str) -> None:
            said.append(piece)
            listen(piece)

        replies = super().complete(ask, hear if len(ask.samples) == 1 else None)
        if any(said):  # the next turn begins on a line of its own
            listen("\n")
        return replies

    def __reduce__(self) -> tuple[Any, ...]:
        return Streamed, (self.model, self.on_text)

    def __repr__(self) -> str:
        return f"streamed({self.model!r})"


def to_screen(piece: str) -> None:
    sys.stdout.write(visible(piece))  # no escape of a model's reaches the terminal
    sys.stdout.flush()


scripted, streamed = Scripted, Streamed  # as users call them
