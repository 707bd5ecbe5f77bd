"""Brings ALFWorld's games from their official release: checked, safe to stop and to repeat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ... import downloads

__all__ = ["SHA256", "SIZE", "URL", "fetch", "path", "source"]

URL = "https://github.com/alfworld/alfworld/releases/download/0.4.0/json_2.1.2_tw-pddl.zip"
SHA256 = "eea90499df27b9cb3147d1d1927264146d38194b575e25f70a82875545742dcb"
SIZE = 36_493_542
AGAIN = (
    "with network, `python -m react_lab fetch alfworld` goes on from there; or get "
    f"{URL} by other means, and give Household(path) that file"
)


def source() -> downloads.Source:
    """The release, and what its owners say of it."""
    return downloads.Source("ALFWorld's release", URL, AGAIN, SHA256, SIZE)


def path() -> Path:
    """Where the release is kept."""
    return source().path


def fetch(on_bytes: Callable[[int, int], None] | None = None) -> Path:
    """Get the release unless it is there. What a stopped fetch has brought is gone on with.

    on_bytes: is told how many bytes have come, of how many; None shows a bar in a terminal.
    """
    return downloads.fetch(source(), on_bytes)
