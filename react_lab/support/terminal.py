"""Standard streams that may be missing, full, or short of letters: no work is lost to them."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .text import inline


class NoOutput(OSError):
    """What was to be shown could not be."""


class Stream:
    """Another stream, on which letters that it lacks are escaped; one that is missing takes all.

    A fault is raised once, as `NoOutput`; on stderr it is nobody's loss.
    """

    def __init__(self, stream: Any, loss: bool):
        self.stream, self.loss, self.broken = stream, loss, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def isatty(self) -> bool:
        return bool(self.stream and not self.stream.closed and self.stream.isatty())

    def write(self, text: str) -> int:
        if self.stream and not self.broken:
            letters = self.stream.encoding or "utf-8"
            try:
                self.stream.write(text.encode(letters, "backslashreplace").decode(letters))
                self.stream.flush()
            except (OSError, ValueError) as error:
                self.give_up(error)
        return len(text)

    def flush(self) -> None:
        pass  # every write has done it

    def give_up(self, error: Exception) -> None:
        self.broken = True
        lead_nowhere(self.stream)
        if self.loss:
            why = getattr(error, "strerror", None) or error
            raise NoOutput(f"the output could not be written ({why})")


def lead_nowhere(stream: Any) -> None:
    """Python writes once more at its end, and would complain."""
    try:
        number = stream.fileno()
    except (OSError, ValueError, AttributeError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def take_numbers() -> None:
    """The numbers of missing streams: else the next file to be opened is taken for one of them."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


@contextmanager
def safe() -> Iterator[Stream]:
    """For a program of the terminal: its stdout. A warning is one line."""
    take_numbers()
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = out, _ = Stream(before[0], True), Stream(before[1], False)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = warned  # type: ignore[assignment]
            yield out
    finally:
        sys.stdout, sys.stderr = before


def warned(message: Warning | str, *_: Any) -> None:
    sys.stderr.write(f"react_lab: {inline(message)}\n")


def line() -> Any:
    """A tqdm without its thread, and without errors where the terminal is full or gone."""
    from tqdm.auto import tqdm

    class Line(tqdm):  # type: ignore[misc]
        monitor_interval = 0

        def __init__(self, **named: Any) -> None:
            self.try_to(super().__init__, **named)

        def display(self, *given: Any, **named: Any) -> Any:
            return self.try_to(super().display, *given, **named)

        def close(self) -> None:
            self.try_to(super().close)

        def try_to(self, draw: Callable[..., Any], *given: Any, **named: Any) -> Any:
            try:
                return draw(*given, **named)
            except (OSError, ValueError):
                self.disable = True

    return Line
