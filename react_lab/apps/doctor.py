"""Says in plain words what works on this machine, and how to mend what does not."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import react_lab as rl

from ..envs import pages
from ..models import llama, weights
from ..models.llama import LIBGOMP
from ..support.text import inline
from ..types import Ask, ModelError

ENOUGH = 10  # tokens a second, with which a class does not wait


@dataclass(frozen=True)
class Finding:
    """One thing looked at: does it work, what was seen, what to do."""

    name: str
    works: bool
    seen: str
    mend: str = ""
    optional: bool = False

    def __str__(self) -> str:
        mark = "works" if self.works else "not here" if self.optional else "BROKEN"
        mend = "" if self.works or not self.mend else f"\n{'':22}-> {inline(self.mend)}"
        return f"{self.name:12}{mark:10}{inline(self.seen)}{mend}"


def examine() -> Iterator[Finding]:
    """What this machine has, one finding per thing looked at."""
    seen = f"Python {platform.python_version()}"
    yield Finding("python", sys.version_info >= (3, 11), seen, "install Python 3.11 or newer")
    here = {each.name: each.version for each in importlib.metadata.distributions()}
    found = {name: here.get(name, "missing") for name in ("jupyterlab", "ipywidgets", "ipykernel")}
    seen = ", ".join(f"{name} {version}" for name, version in found.items())
    yield Finding("jupyter", "missing" not in found.values(), seen, "run `make setup`")
    yield Finding("wiki", *looked(wiki), "install the package again")
    yield model()
    yield Finding("speed", *looked(speed), optional=True)
    yield Finding("disk", *looked(disk), "give rl.store.append a path of your own")
    yield key()


def looked(look: Callable[[], str]) -> tuple[bool, str]:
    """Whether it works, and what was seen."""
    try:
        return True, look()
    except (ModelError, OSError, ValueError, KeyError, sqlite3.Error) as error:
        return False, str(error)


def wiki() -> str:
    """The bundled encyclopedia answers a search."""
    book = pages.bundled()
    title = next((title for title, row in book.rows.items() if "text" in row), "")
    if title not in book.search(title):
        raise ValueError(f"{len(book.rows)} bundled titles, and none is found")
    return f"{len(book.rows)} bundled titles, searched offline"


def model() -> Finding:
    """The bundled model can be started; any other model does as well."""
    try:
        import xllamacpp  # noqa: F401
    except ModuleNotFoundError:
        mend = "no build for this machine: use a server of your own, rl.models.openai(base_url=...)"
        return Finding("model", False, "xllamacpp is missing", mend, optional=True)
    except ImportError as error:
        return Finding("model", False, f"xllamacpp cannot be loaded: {error}", LIBGOMP, True)
    return Finding("model", *looked(files), optional=True)


def sizes_here() -> list[weights.Size]:
    return [s for s in weights.SIZES.values() if (weights.cache() / s.file).exists()]


def files() -> str:
    """The weights and the adapters, every byte of them read."""
    there = sizes_here() or [weights.SIZES[weights.chosen()]]
    for size in there:
        if rl.data.digest_of(weights.path(size.name)) != size.sha256:
            raise ModelError(weights.CHANGED.format(size, weights.path(size.name)))
        for file in llama.bundled_adapters(size.name).values():
            card = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
            if rl.data.digest_of(file) != card["adapter_sha256"]:
                raise ModelError(f"{file} is not the adapter of its card: install react_lab again")
    tuned = ", ".join(llama.bundled_adapters()) or "none"
    return f"{', '.join(size.name for size in there)}; adapters: {tuned}"


def speed() -> str:
    """How fast each size is here, and which to take."""
    found = {size.name: speed_of(size.name) for size in sizes_here()}
    if not found:
        raise ValueError("no model is here yet: python -m react_lab fetch")
    said = ", ".join(f"{name}: {rate:.0f} tokens/s" for name, rate in found.items())
    fast = [name for name, rate in found.items() if rate >= ENOUGH]
    return f"{said}; take {fast[-1] if fast else 'another machine'}"


def speed_of(size: str) -> float:
    """Tokens a second: what a model writes in about a second."""
    model = llama.Local(size, adapter=None)
    ask = Ask("Question: How high is Ben Nevis?\nThought:", max_tokens=8)
    model.complete(ask)  # the start, and the prompt
    began, wrote = time.monotonic(), 0
    while (took := time.monotonic() - began) < 1:
        wrote += model.complete(ask)[0].tokens_out or 1
    model._child().stop()
    return wrote / took


def disk() -> str:
    """Runs and labels can be written."""
    place = rl.data.shared("runs")
    with tempfile.TemporaryFile(dir=place if place.is_dir() else place.parent):
        return f"runs go below {place.parent}"


def key() -> Finding:
    """A key is found by its name alone; it is never shown."""
    there = bool(os.environ.get("OPENAI_API_KEY"))
    mend = "only for models behind a key: set it, or be asked for it when the first call is made"
    return Finding("key", there, f"OPENAI_API_KEY is {'' if there else 'not '}set", mend, True)
