"""Standard streams that may be missing, full, or short of letters: no work is lost to them."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from .text import inline


class Stream:
    """Another stream, on which letters that it lacks are escaped; one that is missing takes all.

    A fault is raised once; on stderr it is nobody's loss.
    """

    def __init__(self, stream: Any, loss: bool = False):
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
                self.broken = True
                if self.loss:
                    why = getattr(error, "strerror", None) or error
                    raise OSError(f"the output could not be written ({why})") from None
        return len(text)

    def flush(self) -> None:
        pass  # every write has done it


@contextlib.contextmanager
def safe() -> Iterator[Stream]:
    """For a program of the terminal: its stdout. A warning is one line."""
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:  # else a file takes a stream's place
        os.set_inheritable(number, True)
    os.close(number)
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = out, err = Stream(before[0], loss=True), Stream(before[1])
    try:
        with warnings.catch_warnings():
            warnings.showwarning = warned  # type: ignore[assignment]
            yield out
    finally:
        sys.stdout, sys.stderr = before
        for one in (out, err):
            if one.broken:  # Python writes once more at its end, and would complain
                with contextlib.suppress(OSError, ValueError, AttributeError):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), one.fileno())


def warned(message: Warning | str, *_: Any) -> None:
    sys.stderr.write(f"react_lab: {inline(message)}\n")


def line() -> Any:
    """A tqdm without its thread, and without errors where the terminal is full or gone."""
    from tqdm.auto import tqdm

    class Line(tqdm):  # type: ignore[misc]
        monitor_interval = 0

        def __init__(self, **named: Any) -> None:
            file = sys.stderr if isinstance(sys.stderr, Stream) else Stream(sys.stderr)
            super().__init__(file=file, dynamic_ncols=True, **named)

    return Line
