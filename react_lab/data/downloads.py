"""Files of others, fetched once: checked, shown as they come, safe to stop and to repeat.

What its owner publishes a checksum of is checked against that. Where there is none, what comes the
first time is trusted, its checksum is written beside it, and every later use is checked against it.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import data
from ..support.files import expand, lock
from ..support.terminal import line
from ..types import EnvError

if TYPE_CHECKING:
    from ..support.http import Answer

MOVES = 10  # redirects that are followed
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


def fetch(source: Source, check: Check = lambda path: None, folder: str | None = None) -> Path:
    """Get a file unless it is there. What a stopped fetch has brought is gone on with.

    check: raises ValueError where a file is something else, the page of a network's login for one.
    folder: one that has the file, such as a stick's; None is the network.
    """
    try:
        return fetch_to(source, check, folder)
    except OSError as error:
        raise EnvError(
            f"{source.what} cannot be kept ({error.strerror or error}): set REACT_LAB_CACHE to a "
            "folder that you can write to"
        ) from None


def fetch_to(source: Source, check: Check, folder: str | None) -> Path:
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
            raise EnvError(
                f"{wanted} is not what was fetched (its sha256 is not that in {source.note.name}): "
                "delete it, and it is fetched again"
            )
        part = Path(f"{wanted}.part")
        if folder is None:
            download(source, part)
        else:
            shutil.copyfile(found_in(folder, source), part)
        found = accepted(source, part, expected, check)
        if not expected:
            keep_note(source, found)
        part.replace(wanted)
    return wanted


def found_in(folder: str, source: Source) -> Path:
    """The file, under the name that its owner or that we give it."""
    names = [source.url.rpartition("/")[2], source.path.name]
    for path in (expand(folder) / name for name in names):
        if path.is_file():
            return path
    raise EnvError(f"there is no {names[0]} in {folder}: name the folder that has it")


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


def download(source: Source, part: Path) -> None:
    """Add to a file what it lacks, and show how it goes on."""
    from ..support.http import Failed

    had = part.stat().st_size if part.exists() else 0
    if source.size and had >= source.size:
        return
    try:
        with line()(desc=source.path.name, unit="B", unit_scale=True, disable=None) as bar:
            had, whole = add_bytes(source, part, had, bar)
    except Failed as failed:
        raise EnvError(
            f"{source.what} could not be downloaded ({failed}); {source.again}"
        ) from None
    if had < whole:
        raise EnvError(f"only {had} of {whole} bytes of {source.what} came; {source.again}")


def add_bytes(source: Source, part: Path, had: int, bar: Any) -> tuple[int, int]:
    """One answer, written as it comes: how many bytes are there then, and how many there are."""
    from ..support.http import Failed

    most = source.size or LARGEST
    with found_at(source.url, f"bytes={had}-", most) as answer:
        if answer.status == BEYOND and had:  # it has all there is, or is of another file
            part.unlink()
            return add_bytes(source, part, 0, bar)
        if answer.status >= 300:
            raise Failed(f"HTTP {answer.status}")
        had = had if goes_on(answer, had) else 0
        length = answer.headers.get("content-length", "")
        whole = source.size or (had + int(length) if length.isdecimal() else 0)
        bar.total = whole or None
        with part.open("r+b" if had else "wb") as file:
            file.seek(had)
            try:
                for chunk in answer.pieces():
                    file.write(chunk)
                    had += len(chunk)
                    bar.update(had - bar.n)
                    if had > most:
                        break
            except Failed:
                if not whole:  # else it is said how much came
                    raise
    if had > LARGEST and not source.size:
        part.unlink()
        raise EnvError(f"{source.what} has more than {LARGEST >> 20} MB; {source.again}")
    return had, whole


@contextlib.contextmanager
def found_at(url: str, span: str, most: int) -> Iterator[Answer]:
    """What lies at an address, or where that leads; from a byte on, if the span does not say 0."""
    from ..support.http import Failed, Web, is_local, moved

    headers = {"User-Agent": "react-lab", **({} if span == "bytes=0-" else {"Range": span})}
    for _ in range(MOVES):
        web = Web(url, PATIENCE, most=most + 2 * CHUNK, headers=headers, direct=is_local(url))
        with contextlib.closing(web), web.ask(url) as answer:
            if not 300 <= answer.status < 400:
                yield answer
                return
            if not (url := moved(url, answer.headers.get("location", ""))):
                raise Failed("it is moved to no address")
    raise Failed("it is moved again and again")


def goes_on(answer: Answer, had: int) -> bool:
    """Whether an answer begins where we are, and not at the beginning."""
    if answer.status != PART:
        return False
    begins = re.match(r"bytes (\d+)-", answer.headers.get("content-range", ""))
    return begins is None or int(begins[1]) == had
