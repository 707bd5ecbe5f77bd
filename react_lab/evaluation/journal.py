"""Calls that have come back, for episodes that have not ended: a killed run pays for none twice."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import data
from ..models.cache import parsed, reply_of
from ..types import Reply

__all__ = ["Journal", "Paid"]

Paid = dict[str, Reply]  # an episode's replies by their key


@dataclass(frozen=True)
class Journal:
    """A file beside the runs, a line a reply. Threads and processes may share it."""

    path: Path

    def keep(self, run: str, key: str, reply: Reply) -> None:
        """One write, and no wait for the disk: that survives a kill of ours, if not of the power.

        A worker on a machine that does not see the file leaves it out.
        """
        if self.path.exists():
            data.add_line(self.path, {"run": run, "key": key, "reply": vars(reply)})

    def begin(self, done: Collection[str]) -> dict[str, Paid]:
        """What was paid for by runs that are not done, by run; the file is left with just that."""
        live = list(self.lines(done))
        fresh = self.path.with_name(f"{self.path.name}.new")
        fresh.write_bytes(b"".join(line for line, _ in live))
        fresh.replace(self.path)
        paid: dict[str, Paid] = {}
        for _, row in live:
            paid.setdefault(row["run"], {})[row["key"]] = reply_of(row["reply"])
        return paid

    def end(self, done: Collection[str]) -> None:
        """Nothing is left of it when every run is done; on a full disk it stays as it was."""
        with contextlib.suppress(OSError):
            if not self.begin(done):
                self.path.unlink()

    def lines(self, done: Collection[str]) -> Iterator[tuple[bytes, Any]]:
        """The lines that count. One that a crash tore is passed over: its call is made again."""
        for line in self.path.read_bytes().splitlines(keepends=True) if self.path.exists() else ():
            if line.removeprefix(b'{"run": "')[:16].decode("utf-8", "replace") in done:
                continue  # most of them: not worth reading
            match parsed(line):
                case {"run": str(run), "key": str(), "reply": {"text": str()}} as row:
                    if run not in done:
                        yield line, row
