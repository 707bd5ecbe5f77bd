"""Files that others may hold too: regular ones only, one writer at a time, and no file is changed
that is not ours.

A lock is on the file itself. So all its names share it (a symlink, a hard link, a mount), and who
may write to the file may lock it; there is no second file whose owner or mode could be another.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import mmap
import os
import re
import secrets
import shutil
import stat
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

APPEND = os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0)  # as on Windows
HELD: set[int] = set()  # descriptors on which this process has a lock, or waits for one
LONGEST = 1 << 26  # bytes of a line that may be ours
PAUSE = 0.05  # seconds between two looks at a lock that another has
BY_ANOTHER = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)  # why a lock cannot be had at once


@dataclass(frozen=True)
class Format:
    """Tells our lines from others: each has these keys, and is written with the first one first."""

    holds: str
    keys: tuple[str, ...]

    def fits(self, line: bytes) -> bool:
        """Whether a line is ours, or, where its end is missing, could be."""
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            opening = f'{{"{self.keys[0]}":'.encode()
            return not line.endswith(b"\n") and line[: len(opening)] == opening[: len(line)]
        return isinstance(row, dict) and row.keys() >= set(self.keys)


def expand(path: str | os.PathLike[str]) -> Path:
    """A path as somebody typed it: `~` is a home folder."""
    if re.search("[\0\ud800-\udc7f\udd00-\udfff]", str(path)):  # others stand for odd bytes
        raise ValueError(f"{str(path)!a} is no path: it holds a zero or half a character")
    try:
        return Path(path).expanduser()
    except RuntimeError:
        unknown = f"{path} begins with a home folder that nobody has here"
        raise FileNotFoundError(f"{unknown}: write the whole path") from None


def checked(path: Path) -> Path:
    """The path, unless what is there is no file: a pipe, for one, would make us wait for ever."""
    try:
        kind = stat.S_IFMT(path.stat().st_mode)
    except FileNotFoundError:
        return path
    if kind != stat.S_IFREG:
        what = "a folder" if kind == stat.S_IFDIR else "no file"
        raise OSError(f"{path} is {what}: give the path of a file")
    return path


def content(path: Path) -> bytes:
    """The bytes of a file; none where there is no file."""
    return path.read_bytes() if checked(path).exists() else b""


def opened(path: Path) -> int:
    """A descriptor that reads and appends; the file is made where there is none."""
    try:
        if checked(path).exists():
            return os.open(path, APPEND)  # with O_CREAT another's file in /tmp is refused
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, APPEND | os.O_CREAT, 0o666)
    except PermissionError as error:
        raise refused(path, error.errno) from None


def refused(path: Path, number: int | None) -> PermissionError:
    hint = "you may not write there: ask its owner, close it where it is open, or give another path"
    return PermissionError(number, hint, str(path))


def add_line(path: Path, *lines: bytes, durable: bool = False) -> None:
    """Append lines to a file by one write; `durable` waits until the disk has them."""
    text = b"".join(line + b"\n" for line in lines)
    file = opened(path)
    try:
        if os.write(file, text) != len(text):
            raise OSError(errno.ENOSPC, "the disk is full: only a part is in", str(path))
        if durable:
            os.fsync(file)
    finally:
        os.close(file)


def write(path: Path, content: str | bytes) -> Path:
    """Write a file as a whole: on a full disk the one that was there stays as it was.

    A link's file is written, not the link. What is no file (a pipe, a terminal) takes it at once.
    Lines of JSON, which may be somebody's runs or labels, give way to such lines alone.
    """
    there = Path(os.path.realpath(path))
    text = content if isinstance(content, bytes) else content.encode("utf-8")
    if there.exists() and not there.is_file():
        (checked(there) if there.is_dir() else there).write_bytes(text)
    elif there.exists() and not keys_of_line(there.open("rb")) <= keys_of_line(io.BytesIO(text)):
        other = f"{path} holds lines of another kind, perhaps runs or labels"
        raise FileExistsError(f"{other}: it is left as it is; give another path")
    elif there.exists() and not os.access(there, os.W_OK):
        raise refused(path, errno.EACCES)
    else:
        there.parent.mkdir(parents=True, exist_ok=True)
        put_in_place(there, text)
    return path


def keys_of_line(file: BinaryIO) -> set[str]:
    """What the first line that is an object names; nothing, where there is none."""
    with file:
        for line in iter(lambda: file.readline(LONGEST), b""):
            with contextlib.suppress(ValueError, RecursionError):
                if isinstance(row := json.loads(line), dict) and row:
                    return set(row)
    return set()


def put_in_place(path: Path, content: bytes, like: Path | None = None) -> None:
    """Put a new file in the place of what a name stands for, be it a link.

    It is written beside, by a name that nobody can know before. like: whose mode it has.
    """
    fresh = path.with_name(f".{path.name[:99]}.{secrets.token_hex(8)}")
    try:
        with fresh.open("xb") as file:
            file.write(content)
        if (like or path).exists():
            shutil.copymode(like or path, fresh)
        fresh.replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            fresh.unlink()
        if isinstance(error, PermissionError):
            raise refused(path, error.errno) from None
        raise


# ---------------------------------------------------------------------- one writer at a time


@contextlib.contextmanager
def lock(path: Path, on_wait: Callable[[], object] = lambda: None) -> Iterator[None]:
    """Who holds it writes to the file alone, among all threads and processes and by any name.

    on_wait: called before waiting for another. The file is made where there is none.
    """
    file = held(path, on_wait)
    try:
        yield
    finally:
        drop(file)


def held(path: Path, on_wait: Callable[[], object]) -> int:
    """A descriptor with the lock of the file that the path names now."""
    while True:
        file = opened(path)
        HELD.add(file)
        try:
            if not claimed(file, path, claim):
                on_wait()
                while not claimed(file, path, wait):
                    time.sleep(PAUSE)
            if named(file, path):
                return file
        except BaseException:
            drop(file)
            raise
        drop(file)


def claimed(file: int, path: Path, how: Callable[[int], None]) -> bool:
    """Whether no other has the lock: so it is on a disk without locks, a shared one above all."""
    try:
        how(file)
    except OSError as error:
        if error.errno in BY_ANOTHER:
            return False
        only = "let only one program at a time write to"
        warnings.warn(f"this disk knows no locks ({error.strerror}): {only} {path}", stacklevel=6)
    return True


def drop(file: int) -> None:
    if file in HELD:  # not so in a forked child
        HELD.remove(file)
        with contextlib.suppress(OSError):
            release(file)  # closing alone would leave it to a child that was forked meanwhile
        os.close(file)


def forget() -> None:
    """In a forked child: the locks are the parent's, and end with it."""
    while HELD:
        os.close(HELD.pop())


if sys.platform == "win32":
    import msvcrt

    FAR = 2**62 + 2**31 - 1  # beyond any data: a locked byte can be neither read nor written

    def claim(file: int) -> None:
        os.lseek(file, FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    wait = claim  # it cannot wait without end there

    def release(file: int) -> None:
        os.lseek(file, FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

    def named(file: int, path: Path) -> bool:
        return True  # an open file can be neither replaced nor deleted there

else:
    import fcntl

    def claim(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def wait(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)

    def release(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)

    def named(file: int, path: Path) -> bool:
        """Whether the path still names this file: it may have been replaced while we waited."""
        try:
            return os.path.samestat(os.fstat(file), path.stat())
        except FileNotFoundError:
            return False

    os.register_at_fork(after_in_child=forget)


# ---------------------------------------------------------------------- whose a file is


def owned(path: Path, format: Format) -> Path:
    """The path, unless the file there holds something else than lines of ours."""
    if not checked(path).exists() or not path.stat().st_size:
        return path
    with path.open("rb") as file:
        lines = iter(lambda: file.readline(LONGEST), b"")
        fits = (format.fits(line) for line in lines if line.strip())
        if next(fits, True) or any(fits):  # some may be damaged
            return path
    other = f"{path} holds something else than {format.holds}"
    raise ValueError(f"{other}: it is left as it is; give another path")


def ready(path: Path, format: Format) -> None:
    """Before anything is paid for: whether lines can be added."""
    if owned(path, format).exists():
        return os.close(opened(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(path.parent, os.W_OK):
        raise refused(path, errno.EACCES)


def mend(path: Path, format: Format) -> str:
    """Put a torn last line (a crash in the middle of writing) aside; a sentence that says so."""
    if not owned(path, format).exists() or not path.stat().st_size:
        return ""
    with path.open("r+b") as file:
        end = file.seek(whole(file))
        torn = file.read()
        if not torn:
            return ""
        aside = path.with_name(f"{path.name}.torn")
        if aside.is_symlink():
            raise OSError(f"{aside} is a link: what is put aside goes to no other place; remove it")
        add_line(aside, torn)
        file.truncate(end)
    return torn_words(path, len(torn), f"it is kept in {aside.name}")


def whole(file: Any) -> int:
    """How many bytes are whole lines."""
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        return view.rfind(b"\n") + 1


def torn_words(path: Path, size: int, what: str) -> str:
    return f"{path}: the last line was torn ({size} bytes); {what}"
