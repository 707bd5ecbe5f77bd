"""The server of the bundled model as a child process: one per kernel, ended with it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path

from ..types import ModelError

__all__ = ["Child", "child_for"]

MOST_THREADS = 8  # more do not make a small model faster; one core is left to all else, since
# threads that wait for each other stand still when one of them is kept waiting


class Child:
    """One server process; `started` (re)starts it when it is not running."""

    def __init__(self, files: Mapping[Path, str], threads: int | None) -> None:
        self.files = dict(files)  # the weights, then the adapters, each with its hash
        self.threads = threads or max(1, min(cores() - 1, MOST_THREADS))
        self.key, self.address = "", ""
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def weights(self) -> Path:
        return next(iter(self.files))

    @property
    def adapters(self) -> list[Path]:
        return list(self.files)[1:]

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def started(self) -> Child:
        with self._lock:
            if not self.alive:
                self._start()
        return self

    def stop(self) -> None:
        with self._lock:
            self._end()

    def _end(self) -> None:
        """It has nothing to save."""
        if self._process is None:
            return
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with contextlib.suppress(BrokenPipeError):  # it died first
                    pipe.close()
        self._process.wait()

    def _start(self) -> None:
        self._end()
        for gone in [file for file in self.adapters if not file.is_file()]:
            del self.files[gone]  # nobody asks by it any more
        self.key = secrets.token_urlsafe(24)
        settings = {
            "weights": str(self.weights),
            "name": self.weights.stem,
            "adapters": [str(adapter) for adapter in self.adapters],
            "threads": self.threads,
            "key": self.key,
        }
        with tempfile.TemporaryFile() as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "react_lab.models.serve"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment(),
            )
            try:
                self.address = self._greet(json.dumps(settings).encode() + b"\n")
            except BaseException:  # a stop while it starts: half a server is none
                self._end()
                raise
            if not self.address:
                self._process.wait(timeout=10)
                errors.seek(0)
                raise ModelError(failure(errors.read().decode("utf-8", "replace"), self.weights))

    def _greet(self, settings: bytes) -> str:
        """Send the settings, read the address; "" when it died."""
        assert self._process and self._process.stdin and self._process.stdout
        try:
            self._process.stdin.write(settings)
            self._process.stdin.flush()
        except BrokenPipeError:
            return ""
        for line in self._process.stdout:
            if line.startswith(b'{"address"'):
                return str(json.loads(line)["address"])
        return ""


LIBGOMP = "install libgomp1 (Debian and Ubuntu: sudo apt install libgomp1)"


def failure(errors: str, weights: Path) -> str:
    if "No module named 'xllamacpp'" in errors:
        return (
            "the bundled model needs the package xllamacpp, which has no build for this machine: "
            "use a server of your own, rl.models.openai(name, base_url=...)"
        )
    if "libgomp.so" in errors:
        return f"the bundled model needs a library that this machine lacks: {LIBGOMP}"
    last = next((line for line in reversed(errors.splitlines()) if line.strip()), "it said nothing")
    return (
        f"the bundled model's server could not start with {weights} ({last.strip()[:200]}): is the "
        "file a whole .gguf, and are its adapters made for it?"
    )


def environment() -> dict[str, str]:
    """What Python and llama.cpp read; keys and whatever else the kernel has are not for them."""
    return {name: value for name, value in os.environ.items() if PASSED.fullmatch(name.upper())}


PASSED = re.compile(
    r"PATH|HOME|LANG|LANGUAGE|TZ|TMPDIR|TEMP|TMP|PYTHON[A-Z0-9]+|VIRTUAL_ENV|CONDA_PREFIX"
    r"|(LC|LD|DYLD|OMP|GOMP|GGML|CUDA)_[A-Z0-9_]+"
    r"|SYSTEM(ROOT|DRIVE)|WINDIR|COMSPEC|PATHEXT|USERPROFILE|(LOCAL)?APPDATA"  # Windows
)


def cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)  # Linux: those we may use
    return len(affinity(0)) if affinity else os.cpu_count() or 1


CHILDREN: dict[tuple[Path, int | None], Child] = {}  # one per kernel and weights file
LOCK = threading.Lock()


def child_for(files: Mapping[Path, str], threads: int | None = None) -> Child:
    """The server that has these weights, the first file, and at least these adapters.

    llama.cpp loads files at its start only: one that is new or has changed means another start.
    """
    with LOCK:
        weights = next(iter(files))
        child = CHILDREN.get((weights, threads))
        if child is None or not files.items() <= child.files.items():
            if child:
                child.stop()
                files = {**child.files, **files}
            child = CHILDREN[weights, threads] = Child(files, threads)
        return child
