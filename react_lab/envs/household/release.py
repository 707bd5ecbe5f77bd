"""Brings ALFWorld's games from their official release: checked, safe to stop and to repeat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ... import data
from ...files import lock
from ...types import EnvError

__all__ = ["SHA256", "SIZE", "URL", "fetch", "path"]

URL = "https://github.com/alfworld/alfworld/releases/download/0.4.0/json_2.1.2_tw-pddl.zip"
SHA256 = "eea90499df27b9cb3147d1d1927264146d38194b575e25f70a82875545742dcb"
SIZE = 36_493_542
CHUNK = 1 << 18
PATIENCE = 30.0  # seconds without a byte
AGAIN = (
    "with network, `python -m react_lab fetch alfworld` goes on from there; or get "
    f"{URL} by other means, and give Household(path) that file"
)


def path() -> Path:
    """Where the release is kept."""
    return data.cache() / URL.rpartition("/")[2]


def fetch(on_bytes: Callable[[int, int], None] | None = None) -> Path:
    """Get the release unless it is there. What a stopped fetch has brought is gone on with.

    on_bytes: is told how many bytes have come, of how many.
    """
    try:
        return fetch_to(path(), on_bytes or (lambda had, whole: None))
    except OSError as error:
        raise EnvError(
            f"ALFWorld's games cannot be kept ({error.strerror or error}): set REACT_LAB_CACHE to "
            "a folder that you can write to"
        ) from None


def fetch_to(wanted: Path, on_bytes: Callable[[int, int], None]) -> Path:
    wanted.parent.mkdir(parents=True, exist_ok=True)
    part = wanted.with_suffix(".part")
    with lock(Path(f"{wanted}.lock")):
        if wanted.exists() and data.digest_of(wanted) == SHA256:
            return wanted
        download(part, on_bytes)
        if (found := data.digest_of(part)) != SHA256:
            part.unlink()
            raise EnvError(
                f"what came is not ALFWorld's release (sha256 {found[:16]}..., not "
                f"{SHA256[:16]}...): try again, or get {URL} by other means, for Household(path)"
            )
        part.replace(wanted)
    return wanted


def download(part: Path, on_bytes: Callable[[int, int], None]) -> None:
    """Add to a file what it lacks of the release."""
    import http.client
    import urllib.error
    import urllib.request

    had = part.stat().st_size if part.exists() else 0
    if had >= SIZE:
        return
    asked = urllib.request.Request(URL, headers={"Range": f"bytes={had}-"} if had else {})
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            had = had if answer.status == http.HTTPStatus.PARTIAL_CONTENT else 0
            with part.open("r+b" if had else "wb") as file:
                file.seek(had)
                while had < SIZE and (chunk := answer.read(min(CHUNK, SIZE + 1 - had))):
                    file.write(chunk)
                    had += len(chunk)
                    on_bytes(had, SIZE)
    except (http.client.HTTPException, urllib.error.URLError, ConnectionError, TimeoutError) as e:
        why = getattr(e, "reason", None) or e
        raise EnvError(f"ALFWorld's games could not be downloaded ({why}); {AGAIN}") from None
    if had < SIZE:
        raise EnvError(f"only {had} of {SIZE} bytes of ALFWorld's games came; {AGAIN}")
