"""Models on llama.cpp, on this machine, with the adapters we trained for them (Figure 3).

A real model, asked like any other: `Local` is `Compatible`, and its server a process of ours.
`Shared` is that model on the server of a class (`python -m react_lab serve`), which many ask.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from .. import data
from ..kinds import KINDS
from ..support.files import expand
from ..support.text import check_number
from ..types import Ask, ModelError, OnText, Reply
from . import weights
from .answers import tokens_in
from .cache import Cached, Mode
from .faults import PLAIN, Fault
from .openai_compatible import Compatible, address, key_checked

if TYPE_CHECKING:
    from ..support.http import Web

REPLY = 256  # tokens that a reply may have
OTHER_VERSION = 412  # the status of an answer: the server has other weights or adapters
BEFORE = "Before-You"  # the header that tells how many requests are answered before this one
AT, KEY = "REACT_LAB_AT", "REACT_LAB_KEY"  # where a class's server is, and its key

INSTEAD = (
    "this is the small model, {0.name}: the weights of the other are not on this machine (`python "
    "-m react_lab fetch {1}` gets them)"
)

Given = Literal["auto"] | str | PathLike[str] | Mapping[str, str | PathLike[str]] | None


def local(
    gguf: str | PathLike[str] | None = None, adapter: Given = "auto", *, at: str | None = None,
    key: str | None = None, threads: int | None = None, timeout: float = 300.0,
) -> Local:  # fmt: skip
    """The model that comes with react_lab; no key, no network.

    gguf: a size by its name, "0.5b" (None is that), "135m" or "1.5b" (`python -m react_lab fetch
    1.5b` gets one), or a .gguf file of your own. adapter: "auto" takes, for each leg that asks, the
    adapter that we trained for it, if the weights have a size by name; None is the plain model,
    which is prompted with exemplars; a path `react*.gguf` is an adapter of yours for that leg,
    {"react": path, "cot": path} are several.
    at: the address of a class's server (`python -m react_lab serve`), which has the same model, so
    that this Python needs no memory for one; unasked, the one in REACT_LAB_AT. key: the class's;
    better in REACT_LAB_KEY, or typed where you are asked, than in a notebook.
    """
    files_of_yours = gguf is not None or adapter not in ("auto", None)
    if at and files_of_yours:
        raise ValueError(
            "the server of a class has the bundled model with our adapters: leave out at= for "
            "files of your own"
        )
    if there := at or (not files_of_yours and os.environ.get(AT)):
        return Shared(there, tuned=adapter == "auto", key=key, timeout=timeout)
    model = Local(gguf, adapter, threads=threads, timeout=timeout)
    instead = gguf is None and model.size is not weights.SIZES[weights.USUAL]
    if instead and not os.environ.get(weights.CHOICE):
        warnings.warn(INSTEAD.format(model.size, weights.USUAL), stacklevel=2)
    return model


def recorded(name: str, mode: Mode = "auto", adapter: Given = "auto") -> Cached:
    """The bundled model, with the replies that were recorded for a lesson.

    mode: "auto" replays what data/recordings/<name>.jsonl has and asks the model for the rest, so
    that an edited thought simply runs; "replay" never asks; "record" does as "auto" and writes
    down the replies.
    """
    path = data.folder("recordings", f"{name}.jsonl")
    asks: Mode = "replay" if mode == "replay" else "auto"
    first = b""
    with contextlib.suppress(OSError), path.open("rb") as file:
        first = file.readline(1000)
    # that of the model whose replies they are
    size = next((s.name for s in weights.SIZES.values() if s.stem.encode() in first), None)
    mine = Local(size, adapter) if size and size != weights.chosen() else local(adapter=adapter)
    return Cached(mine, path, asks, kept=mode == "record")


class Local(Compatible):
    """See `local`. Its server starts at the first call and ends with this Python."""

    grammars = True  # it can be made to write by one
    workers = 1  # episodes at a time: a laptop is not faster with more, and letters may differ

    def __init__(
        self, gguf: str | PathLike[str] | None = None, adapter: Given = "auto", *,
        threads: int | None = None, timeout: float = 300.0,
    ) -> None:  # fmt: skip
        self.size = weights.SIZES.get(fspath(gguf) if gguf else weights.chosen())
        self.gguf = Path(os.path.realpath(expand(gguf))) if gguf and not self.size else None
        if self.gguf and not self.gguf.is_file():
            sizes = ", ".join(weights.SIZES)
            raise ModelError(f"there is no weights file {self.gguf}; by name there are: {sizes}")
        self.threads = check_number("threads", threads, 1, None)
        self.adapters = adapters_of(adapter, self.size)
        self.hashes: dict[Path, str] = {}
        name = self.size.stem if self.size else Path(str(self.gguf)).stem
        super().__init__(
            name, "http://127.0.0.1", "completions", timeout=timeout, extra=self._scales
        )

    @property
    def context(self) -> int | None:
        """The most tokens of a prompt that leave room for a reply; of weights of yours, unknown."""
        return self.size.reads - REPLY if self.size else None

    @property
    def tuned(self) -> frozenset[str]:  # type: ignore[override]
        """The legs that an adapter was trained for: they are asked bare."""
        return frozenset(self.adapters)

    def identity(self, leg: str) -> str:
        """Weights and adapter by their hashes: the same on every machine. Needs no server."""
        sha, adapter = self._weights()[1], self.adapters.get(leg)
        tuned = self._hash(adapter)[:16] if adapter else None
        return f"{self.name} {sha[:16]} adapter={tuned}"

    def _weights(self, there: bool = False) -> tuple[Path, str]:
        """Their file and its hash. there: it must be there, and have that hash."""
        if self.size:
            file = weights.path(self.size.name) if there else Path(self.size.file)
            return file, self.size.sha256
        assert self.gguf
        return self.gguf, self._hash(self.gguf)

    def _hash(self, file: Path) -> str:
        """Of a file that must stay as it is while this object lives: runs name it by this hash."""
        sha256 = weights.sha256_of(file)
        if self.hashes.setdefault(file, sha256) != sha256:
            raise ModelError(f"{file} has changed since this model was made: make the model again")
        return sha256

    def complete(self, ask: Ask, on_text: OnText | None = None) -> dict[int, Reply]:
        """As any server does; one that died is started once more, then reported."""
        for _ in range(2):
            child = self._child()
            try:
                return self._counted(super().complete(ask, on_text))
            except ModelError:
                if child.alive:
                    raise
        raise ModelError(
            "the bundled model's server died twice: too little memory is the usual reason (it "
            "needs about 1 GB); free some, or take a smaller model"
        )

    def _child(self) -> Child:
        """The server of these weights, with these adapters: one per kernel."""
        files = dict([self._weights(there=True)])
        files |= {file: self._hash(file) for file in sorted(set(self.adapters.values()))}
        return child_for(files, self.threads).started()

    def _scales(self, leg: str) -> dict[str, Any]:
        """Every adapter's scale, named in every request: what is not named would apply too."""
        mine = self.adapters.get(leg)
        loaded = self._child().adapters
        return {"lora": [{"id": i, "scale": float(a == mine)} for i, a in enumerate(loaded)]}

    def _key(self) -> str:
        child = self._child()
        self.base_url = f"{child.address}/v1"
        return child.key

    def _counted(self, replies: dict[int, Reply]) -> dict[int, Reply]:
        """Of several samples llama.cpp counts the tokens of one: we have each text counted."""
        for sample, reply in replies.items() if len(replies) > 1 else ():
            asked = {"content": reply.text, "add_special": False}
            known = None
            with contextlib.suppress(Fault):
                known = tokens_in(self._post("../tokenize", asked, lambda answer: answer.read()))
            replies[sample] = replace(reply, tokens_out=known)
        return replies

    def __reduce__(self) -> tuple[Any, ...]:
        make = functools.partial(local, threads=self.threads, timeout=self.timeout)
        given = self.size.name if self.size else self.gguf
        return make, (given, dict(self.adapters) or None)

    def __repr__(self) -> str:
        tuned = ", ".join(sorted(self.tuned)) or "none"
        return f"local({self.name!r}, adapters: {tuned})"


class Shared(Local):
    """See `local(at=...)`: the same weights and adapters, on the server of a class.

    Every request names the hashes that it expects, and the server refuses where its own differ: so
    the identity is that of the model here.
    """

    near = True

    def __init__(
        self, at: str, *, tuned: bool = True, key: str | None = None, timeout: float = 300.0,
        client: str = "",
    ) -> None:  # fmt: skip
        super().__init__(adapter="auto" if tuned else None, timeout=timeout)
        self.at = self.base_url = address(f"{at.rstrip('/').removesuffix('/v1')}/v1", KEY)
        self.key_env = KEY
        # in the server's queue; copies in workers share it
        self.client = client or secrets.token_hex(8)
        self._given: Callable[[], str] = lambda: key_checked(key) if key else Compatible._key(self)

    def complete(self, ask: Ask, on_text: OnText | None = None) -> dict[int, Reply]:
        return self._counted(Compatible.complete(self, ask, on_text))

    def _extra(self, leg: str) -> dict[str, Any]:
        leg = leg if leg in self.tuned else ""
        return {"leg": leg, "identity": self.identity(leg), "client": self.client}

    def _reach(self, key: str) -> Web:
        web = super()._reach(key)
        web.news = say_place
        return web

    def _key(self) -> str:
        return self._given()

    def _post(self, *args: Any) -> Any:
        """A Fault in the words of a class."""
        try:
            return super()._post(*args)
        except Fault as fault:
            if fault.status in OF_A_CLASS:
                fault.kind = PLAIN
                fault.message = OF_A_CLASS[fault.status].format(fault.message)
            raise

    def __reduce__(self) -> tuple[Any, ...]:
        make = functools.partial(Shared, tuned=bool(self.adapters), timeout=self.timeout)
        return functools.partial(make, client=self.client), (self.at,)  # the key stays here

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, at={self.at!r})"


def say_place(news: bytes) -> None:
    """One line, which counts down, and goes when the turn has come."""
    if places := re.findall(rb"^%b: (\d{1,6})\r" % BEFORE.encode(), news, re.MULTILINE):
        before = int(places[-1])
        place = "you are next" if before == 1 else f"{before} are before you"
        line = f"The class's model is busy: {place}." if before else ""
        sys.stderr.write(f"\r{line:60}" + "\r" * (not before))
        sys.stderr.flush()


OF_A_CLASS = {  # what a server of a class that answers so, or not at all, should be told
    None: "does not answer ({:.200}): check the address, and ask whoever runs the class's server "
    "whether it is on",
    OTHER_VERSION: "has another version of the model than this react_lab ({:.300}): bring both to "
    "the same version of react_lab",
    401: "does not accept the key: take the one that the server said when it began, typed where "
    f"you are asked or in the environment variable {KEY}",
}


def bundled_adapters(size: str | None = None) -> dict[str, Path]:
    """What asks (`react`, `household/react`) -> the adapter that was trained for it."""
    folder = data.folder("adapters", size or weights.chosen())
    files = sorted(folder.rglob("*.gguf"))
    return {at.relative_to(folder).with_suffix("").as_posix(): at for at in files}


def adapters_of(given: Given, size: weights.Size | None) -> dict[str, Path]:
    if given is None:
        return {}
    if given == "auto":
        return bundled_adapters(size.name) if size else {}
    if not isinstance(given, Mapping):
        given = {leg_named(Path(given)): given}
    found = {leg: Path(os.path.realpath(expand(path))) for leg, path in given.items()}
    for leg, path in found.items():
        if not path.is_file():
            raise ModelError(f"there is no adapter file {path}")
        if not leg:
            raise ValueError(f"adapter={{leg: path}}: name the leg of {path.name}")
    return found


def leg_named(path: Path) -> str:
    """`react-100.gguf` is an adapter for the leg react, `household/react.gguf` for that world's."""
    worlds = {kind.adapters for kind in KINDS.values()} - {""}
    legs = {leg for kind in KINDS.values() for leg in kind.legs}
    begins = [leg for leg in legs if f"{path.stem}-".startswith(f"{leg}-")]
    leg = max(begins, key=len, default="")  # react-im before react
    if not leg:
        raise ValueError(
            f"which leg is {path.name} for? Name the file react-....gguf (or act, cot, standard), "
            f"or say adapter={{'react': {path.name!r}}}"
        )
    return f"{path.parent.name}/{leg}" if path.parent.name in worlds else leg


# ------------------------------------------------------------------ child

MOST_THREADS = 8  # more do not make a small model faster; of three cores one is left to all else
# how often a thread that waits for another looks before it sleeps. OpenMP's own 300,000 stand in
# the other's way where another program has a core too: four times slower, and with this a quarter
SPINS = "1000"


class Child:
    """One server process; `started` (re)starts it when it is not running."""

    def __init__(self, files: Mapping[Path, str], threads: int | None) -> None:
        self.files = dict(files)  # the weights, then the adapters, each with its hash
        self.threads = threads or min(max(cores() - 1, 2), cores(), MOST_THREADS)
        self.key, self.address = "", ""
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None

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
                self.stop()
                self._start()
        return self

    def stop(self) -> None:
        """It has nothing to save."""
        with self._lock:
            if self._process:
                # its pipes are closed, and it is waited for; it may have died before it read them
                with contextlib.suppress(BrokenPipeError), self._process:
                    self._process.kill()

    def _start(self) -> None:
        for gone in [file for file in self.adapters if not file.is_file()]:
            del self.files[gone]  # nobody asks by it any more
        self.key = secrets.token_urlsafe(24)
        weights, *adapters = map(str, self.files)
        files = {"weights": weights, "name": Path(weights).stem, "adapters": adapters}
        settings = json.dumps({**files, "threads": self.threads, "key": self.key})
        with tempfile.TemporaryFile() as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "react_lab.models.serve"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={"GOMP_SPINCOUNT": SPINS}
                | {k: v for k, v in os.environ.items() if PASSED.fullmatch(k.upper())},
            )
            try:
                assert self._process.stdin and self._process.stdout
                with contextlib.suppress(BrokenPipeError):  # when it died
                    self._process.stdin.write(settings.encode() + b"\n")
                    self._process.stdin.flush()
                told = (line for line in self._process.stdout if line.startswith(b'{"address"'))
                greeting = next(told, b"")
            except BaseException:  # a stop while it starts: half a server is none
                self.stop()
                raise
            if not greeting:
                self._process.wait(timeout=10)
                errors.seek(0)
                raise ModelError(failure(errors.read().decode("utf-8", "replace"), weights))
            self.address = json.loads(greeting)["address"]


LIBGOMP = "install libgomp1 (Debian and Ubuntu: sudo apt install libgomp1)"


def failure(errors: str, weights: str) -> str:
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


PASSED = re.compile(  # what Python and llama.cpp read; keys and all else are not for them
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
        place = next(iter(files)), threads
        child = CHILDREN.get(place)
        if child is None or not files.items() <= child.files.items():
            if child:
                child.stop()
                files = {**child.files, **files}
            child = CHILDREN[place] = Child(files, threads)
        return child
