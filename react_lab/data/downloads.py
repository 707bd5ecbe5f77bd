"""Files of others, fetched once: checked, shown as they come, safe to stop and to repeat."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .. import data
from ..support.files import expand, lock
from ..support.terminal import line
from ..types import EnvError

if TYPE_CHECKING:
    from ..support.http import Answer

MOVES = 10  # redirects that are followed
MORE = 1 << 19  # bytes that may come beyond a file's size
PATIENCE = 30.0  # seconds without a byte
PART, BEYOND = 206, 416  # what a server answers that goes on in the middle, or cannot


@dataclass(frozen=True)
class Source:
    """A file that somebody else gives away, and what is known of it."""

    what: str  # in sentences: "ALFWorld's release"
    url: str
    again: str  # what to do where it does not come
    sha256: str  # as its owner publishes it, or of the copy that react_lab was tested with
    size: int
    name: str = ""  # how it is kept, if not as the address ends

    @property
    def path(self) -> Path:
        return data.cache() / (self.name or self.url.rpartition("/")[2])


def again(name: str, url: str, then: str) -> str:
    """What to do where a file does not come. name: of the command that fetches it."""
    command = f"`python -m react_lab fetch {name}`"
    return f"with network, {command} goes on from there; or get {url} by other means{then}"


def fetch(source: Source, folder: str | None = None) -> Path:
    """Get a file unless it is there. What a stopped fetch has brought is gone on with.

    folder: one that has the file, such as a stick's; None is the network.
    """
    wanted = source.path
    part = Path(f"{wanted}.part")
    try:
        wanted.parent.mkdir(parents=True, exist_ok=True)
        with lock(Path(f"{wanted}.lock")):
            if wanted.exists() and data.digest_of(wanted) == source.sha256:
                return wanted
            if folder is None:
                download(source, part)
            else:
                shutil.copyfile(found_in(folder, source), part)
            if (found := data.digest_of(part)) != source.sha256:
                part.unlink()
                why = f"sha256 {found[:16]}..., not {source.sha256[:16]}..."
                raise EnvError(
                    f"what came is not {source.what} ({why}): try again, or {source.again}"
                )
            part.replace(wanted)
    except OSError as error:
        raise EnvError(
            f"{source.what} cannot be kept ({error.strerror or error}): set REACT_LAB_CACHE to a "
            "folder that you can write to"
        ) from None
    return wanted


def found_in(folder: str, source: Source) -> Path:
    """The file, under the name that its owner or that we give it."""
    names = [source.url.rpartition("/")[2], source.path.name]
    for path in (expand(folder) / name for name in names):
        if path.is_file():
            return path
    raise EnvError(f"there is no {names[0]} in {folder}: name the folder that has it")


def download(source: Source, part: Path) -> None:
    """Add to a file what it lacks, and show how it goes on."""
    from ..support.http import Failed

    had = part.stat().st_size if part.exists() else 0
    if had >= source.size:
        return
    about = {"desc": source.path.name, "unit": "B", "unit_scale": True, "disable": None}
    try:
        with line()(total=source.size, **about) as bar, found_at(source, had) as answer:
            if answer.status == BEYOND and had:  # what is there is of another file
                part.unlink()
            if answer.status >= 300:
                raise Failed(f"HTTP {answer.status}")
            had = had if answer.status == PART else 0
            with part.open("r+b" if had else "wb") as file, contextlib.suppress(Failed):
                file.seek(had)
                for chunk in answer.pieces():
                    file.write(chunk)
                    had += len(chunk)
                    bar.update(had - bar.n)
    except Failed as failed:
        raise EnvError(
            f"{source.what} could not be downloaded ({failed}); {source.again}"
        ) from None
    if had < source.size:
        raise EnvError(f"only {had} of {source.size} bytes of {source.what} came; {source.again}")


@contextlib.contextmanager
def found_at(source: Source, had: int) -> Iterator[Answer]:
    """What lies at an address, or where that leads; without the bytes that are there."""
    from ..support.http import Failed, Web, is_local, moved

    url, headers = source.url, {"User-Agent": "react-lab"}
    headers |= {"Range": f"bytes={had}-"} if had else {}
    for _ in range(MOVES):
        most, direct = source.size + MORE, is_local(url)
        web = Web(url, PATIENCE, most=most, headers=headers, direct=direct)
        with contextlib.closing(web), web.ask(url) as answer:
            if not 300 <= answer.status < 400:
                yield answer
                return
            if not (url := moved(url, answer.headers.get("location", ""))):
                raise Failed("it is moved to no address")
    raise Failed("it is moved again and again")
