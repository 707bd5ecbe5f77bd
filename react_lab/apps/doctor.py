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
from collections.abc import Iterator
from dataclasses import dataclass

from .. import data
from ..data import digest_of
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
    found = {name: version_of(name) for name in ("jupyterlab", "ipywidgets", "ipykernel")}
    seen = ", ".join(f"{name} {version or 'missing'}" for name, version in found.items())
    yield Finding("jupyter", all(found.values()), seen, "run `make setup`")
    yield from (wiki(), model(), speed(), disk(), key())


def version_of(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def wiki() -> Finding:
    """The bundled encyclopedia answers a search."""
    try:
        book = pages.bundled()
        title = next(title for title, row in book.rows.items() if "text" in row)
        works = title in book.search(title)
    except (OSError, ValueError, sqlite3.Error, StopIteration) as error:
        return Finding("wiki", False, f"{error}", "install the package again")
    return Finding("wiki", works, f"{len(book.rows)} bundled titles, searched offline")


def model() -> Finding:
    """The bundled model can be started."""
    if not version_of("xllamacpp"):
        mend = "no build for this machine: use a server of your own, rl.models.openai(base_url=...)"
        return Finding("model", False, "xllamacpp is missing", mend, optional=True)
    try:
        import xllamacpp  # noqa: F401

        return Finding("model", True, files(), optional=True)
    except ImportError as error:
        return Finding("model", False, f"xllamacpp cannot be loaded: {error}", LIBGOMP, True)
    except (ModelError, OSError, ValueError, KeyError) as error:
        return Finding("model", False, str(error), optional=True)  # any other model does as well


def sizes_here() -> list[weights.Size]:
    return [s for s in weights.SIZES.values() if (weights.cache() / s.file).exists()]


def files() -> str:
    """The weights and the adapters, every byte of them read."""
    there = sizes_here() or [weights.SIZES[weights.chosen()]]
    for size in there:
        if digest_of(weights.path(size.name)) != size.sha256:
            raise ModelError(weights.CHANGED.format(size, weights.path(size.name)))
        for file in llama.bundled_adapters(size.name).values():
            card = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
            if digest_of(file) != card["adapter_sha256"]:
                raise ModelError(f"{file} is not the adapter of its card: install react_lab again")
    tuned = ", ".join(llama.bundled_adapters()) or "none"
    return f"{', '.join(size.name for size in there)}; adapters: {tuned}"


def speed() -> Finding:
    """How fast each size is here, and which to take."""
    try:
        found = {size.name: speed_of(size.name) for size in sizes_here()}
    except (ModelError, OSError) as error:
        return Finding("speed", False, inline(error), optional=True)
    said = ", ".join(f"{name}: {rate:.0f} tokens/s" for name, rate in found.items())
    take = max((name for name in found if found[name] >= ENOUGH), default="", key=[*found].index)
    return Finding("speed", bool(found), f"{said}; take {take or 'another machine'}", optional=True)


def speed_of(size: str) -> float:
    """Tokens a second: what a model writes in about a second."""
    model = llama.Local(size, adapter=None)
    ask = Ask("Question: How high is Ben Nevis?\nThought:", max_tokens=8)
    model.complete(ask)  # the start, and the prompt
    began, wrote = time.monotonic(), 0
    while (took := time.monotonic() - began) < 1:
        wrote += model.complete(ask)[0].tokens_out or 1
    model._child(start=False).stop()
    return wrote / took


def disk() -> Finding:
    """Runs and labels can be written."""
    place = data.shared("runs")
    try:
        with tempfile.TemporaryFile(dir=place if place.is_dir() else place.parent):
            pass
    except OSError as error:
        mend = "give rl.store.append a path of your own"
        return Finding("disk", False, f"{place}: {error}", mend)
    return Finding("disk", True, f"runs go below {place.parent}")


def key() -> Finding:
    """A key is found by its name alone; it is never shown."""
    there = bool(os.environ.get("OPENAI_API_KEY"))
    mend = "only for models behind a key: set it, or be asked for it when the first call is made"
    return Finding("key", there, f"OPENAI_API_KEY is {'' if there else 'not '}set", mend, True)
