"""Files of others, fetched once: checked, shown as they come, safe to stop and to repeat.

What its owner publishes a checksum of is checked against that. Where there is none, what comes the
first time is trusted, its checksum is written beside it, and every later use is checked against it.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import data
from ..support.files import lock
from ..support.terminal import line
from ..types import EnvError

CHUNK = 1 << 18
LARGEST = 1 << 28  # bytes of a file whose size nobody has said
PATIENCE = 30.0  # seconds without a byte
PART, BEYOND = 206, 416  # what a server answers that goes on in the middle, or cannot
NOTE = """\
# {url} comes without a published checksum: what came first was trusted.
# From then on the file is checked against this line. {known}
{sha256}  {name}
"""
SAME = "It is the copy that react_lab was tested with."
OTHER = "It is NOT the copy that react_lab was tested with ({}...)."
OnBytes = Callable[[int, int], None]  # how many bytes have come, of how many (0: nobody says)
Check = Callable[[Path], object]  # raises ValueError for a file that is something else


@dataclass(frozen=True)
class Source:
    """A file that somebody else gives away, and what is known of it."""

    what: str  # in sentences: "ALFWorld's release"
    url: str
    again: str  # what to do where it does not come
    sha256: str = ""  # as its owner publishes it
    size: int = 0
    tested: str = ""  # the sha256 of the copy that react_lab was tested with
    name: str = ""  # how it is kept, if not as the address ends

    @property
    def path(self) -> Path:
        return data.cache() / (self.name or self.url.rpartition("/")[2])

    @property
    def note(self) -> Path:
        """Beside the file: its checksum, where its owner publishes none."""
        return Path(f"{self.path}.sha256")

    @property
    def expected(self) -> str:
        """The sha256 that the file must have; "" at the first time of one without."""
        if self.sha256 or not self.note.exists():
            return self.sha256
        found = re.search(r"^[0-9a-f]{64}\b", self.note.read_text(encoding="utf-8"), re.M)
        return found[0] if found else "what its checksum file says, which is damaged"


def fetch(
    source: Source, on_bytes: OnBytes | None = None, check: Check = lambda path: None
) -> Path:
    """Get a file unless it is there. What a stopped fetch has brought is gone on with.

    on_bytes: is told how many bytes have come, of how many; None shows a bar in a terminal. check:
    raises ValueError where a file is something else, the page of a network's login for one.
    """
    try:
        return fetch_to(source, on_bytes, check)
    except OSError as error:
        raise EnvError(
            f"{source.what} cannot be kept ({error.strerror or error}): set REACT_LAB_CACHE to a "
            "folder that you can write to"
        ) from None


def fetch_to(source: Source, on_bytes: OnBytes | None, check: Check) -> Path:
    wanted, expected = source.path, source.expected
    wanted.parent.mkdir(parents=True, exist_ok=True)
    with lock(Path(f"{wanted}.lock")):
        here = data.digest_of(wanted) if wanted.exists() else ""
        if here and not expected:  # somebody has put it there
            check(wanted)
            keep_note(source, here)
        if here and here == (expected or here):
            return wanted
        if here and not source.sha256:
            raise changed(source)
        part = Path(f"{wanted}.part")
        brought(source, part, on_bytes)
        found = accepted(source, part, expected, check)
        if not expected:
            keep_note(source, found)
        part.replace(wanted)
    return wanted


def accepted(source: Source, part: Path, expected: str, check: Check) -> str:
    """The sha256 of what came; what is not the file is thrown away."""
    found, wrong = data.digest_of(part), ""
    try:
        check(part)
    except ValueError as error:
        wrong = str(error).replace(str(part), "it")
    if not wrong and found == (expected or found):
        return found
    part.unlink()
    why = wrong or f"sha256 {found[:16]}..., not {expected[:16]}..."
    trust = "" if wrong or source.sha256 else f" (to trust the new one, delete {source.note})"
    raise EnvError(f"what came is not {source.what} ({why}): try again, or {source.again}{trust}")


def changed(source: Source) -> EnvError:
    return EnvError(
        f"{source.path} is not what was fetched (its sha256 is not that in {source.note.name}): "
        "delete it, and it is fetched again"
    )


def keep_note(source: Source, sha256: str) -> None:
    """Write the checksum of what came first, and whether we know that copy."""
    same = sha256 == source.tested
    known = SAME if same else OTHER.format(source.tested[:16])
    about = {"url": source.url, "name": source.path.name, "sha256": sha256, "known": known}
    data.write(source.note, NOTE.format(**about))
    if not same:
        warnings.warn(
            f"{source.what} came without a published checksum, and not as the copy that react_lab "
            f"was tested with: look at {source.path} before you trust it",
            stacklevel=6,
        )


def brought(source: Source, part: Path, on_bytes: OnBytes | None) -> None:
    """Download, and show how it goes on."""
    if on_bytes:
        return download(source, part, on_bytes)
    bar = line()(desc=source.path.name, unit="B", unit_scale=True, disable=None)

    def show(had: int, whole: int) -> None:
        bar.total = whole or None
        bar.update(had - bar.n)

    try:
        download(source, part, show)
    finally:
        bar.close()


def download(source: Source, part: Path, on_bytes: OnBytes) -> None:
    """Add to a file what it lacks."""
    import http.client
    import urllib.error

    had = part.stat().st_size if part.exists() else 0
    if source.size and had >= source.size:
        return
    try:
        had, whole = taken(source, part, had, on_bytes)
    except (http.client.HTTPException, urllib.error.URLError, ConnectionError, TimeoutError) as e:
        if getattr(e, "code", 0) == BEYOND:  # it has all there is, or is of another file
            part.unlink()
            return download(source, part, on_bytes)
        why = getattr(e, "reason", None) or e
        raise EnvError(f"{source.what} could not be downloaded ({why}); {source.again}") from None
    if had < whole:
        raise EnvError(f"only {had} of {whole} bytes of {source.what} came; {source.again}")


def taken(source: Source, part: Path, had: int, on_bytes: OnBytes) -> tuple[int, int]:
    """One answer, written as it comes: how many bytes are there then, and how many there are."""
    import urllib.request

    asked = urllib.request.Request(source.url, headers={"Range": f"bytes={had}-"} if had else {})
    with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
        had = had if goes_on(answer, had) else 0
        length = answer.headers.get("Content-Length", "")
        whole = source.size or (had + int(length) if length.isdecimal() else 0)
        most = min(whole or LARGEST, source.size or LARGEST)
        with part.open("r+b" if had else "wb") as file:
            file.seek(had)
            while had <= most and (chunk := answer.read(min(CHUNK, most + 1 - had))):
                file.write(chunk)
                had += len(chunk)
                on_bytes(had, whole)
    if had > LARGEST and not source.size:
        part.unlink()
        raise EnvError(f"{source.what} has more than {LARGEST >> 20} MB; {source.again}")
    return had, whole


def goes_on(answer: Any, had: int) -> bool:
    """Whether an answer begins where we are, and not at the beginning."""
    if answer.status != PART:
        return False
    begins = re.match(r"bytes (\d+)-", answer.headers.get("Content-Range", ""))
    return begins is None or int(begins[1]) == had
