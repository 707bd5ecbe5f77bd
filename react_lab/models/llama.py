"""The bundled model: SmolLM2-135M-Instruct on llama.cpp, with the adapters we trained (Figure 3).

A real model, asked like any other: `Local` is `Compatible`, and its server a process of ours.
`Shared` is that model on the server of a class (`python -m react_lab serve`), which many ask.
"""

from __future__ import annotations

import functools
import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal

from .. import data
from ..kinds import KINDS
from ..types import Ask, Halt, ModelError, Reply
from . import weights
from .answers import Body, tokens_in
from .cache import Cached, Mode
from .child import Child, child_for
from .compatible import Compatible, OnText
from .faults import PLAIN, Fault
from .keys import address, key_asked, key_checked, key_in

__all__ = ["AT", "KEY", "OTHER_VERSION", "Local", "Shared", "bundled_adapters", "local", "recorded"]

READS, REPLY = 8_192, 256  # tokens that the bundled model can read, and that a reply may have
OTHER_VERSION = 412  # the status of an answer: the server has other weights or adapters
AT, KEY = "REACT_LAB_AT", "REACT_LAB_KEY"  # where a class's server is, and its key

Given = Literal["auto"] | str | PathLike[str] | Mapping[str, str | PathLike[str]] | None


def local(
    gguf: str | PathLike[str] | None = None,
    adapter: Given = "auto",
    *,
    at: str | None = None,
    key: str | None = None,
    threads: int | None = None,
    timeout: float = 300.0,
) -> Local:
    """The model that comes with react_lab; no key, no network.

    gguf: another .gguf file (None: SmolLM2-135M-Instruct, see `python -m react_lab fetch`).
    adapter: "auto" takes, for each leg that asks, the adapter that we trained for it, if the
    weights are the bundled ones; None is the plain model, which is prompted with exemplars; a path
    `react*.gguf` is an adapter of yours for that leg, {"react": path, "cot": path} are several.
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
    return Local(gguf, adapter, threads=threads, timeout=timeout)


def recorded(name: str, mode: Mode = "auto", adapter: Given = "auto") -> Cached:
    """The bundled model, with the replies that were recorded for a lesson.

    mode: "auto" replays what data/recordings/<name>.jsonl has and asks the model for the rest, so
    that an edited thought simply runs; "replay" never asks; "record" does as "auto" and writes
    down the replies.
    """
    path = data.folder("recordings", f"{name}.jsonl")
    asks: Mode = "replay" if mode == "replay" else "auto"
    return Cached(local(adapter=adapter), path, asks, kept=mode == "record")


class Local(Compatible):
    """See `local`. Its server starts at the first call and ends with this Python."""

    grammars = True  # it can be made to write by one
    workers = 1  # episodes at a time: a laptop is not faster with more, and letters may differ

    def __init__(
        self,
        gguf: str | PathLike[str] | None = None,
        adapter: Given = "auto",
        *,
        threads: int | None = None,
        timeout: float = 300.0,
    ) -> None:
        given = None if gguf is None else Path(fspath(gguf)).expanduser().resolve()
        if given and not given.is_file():
            raise ModelError(f"there is no weights file {given}")
        self.gguf, self.threads = given, threads
        self.adapters = adapters_of(adapter, bundled=given is None)
        self.hashes: dict[Path, str] = {}
        name = given.stem if given else weights.NAME.removesuffix(".gguf")
        super().__init__(
            name, "http://127.0.0.1", "completions", timeout=timeout, extra=self._scales
        )

    @property
    def context(self) -> int | None:
        """The most tokens of a prompt that leave room for a reply; of weights of yours, unknown."""
        return None if self.gguf else READS - REPLY

    @property
    def tuned(self) -> frozenset[str]:  # type: ignore[override]
        """The legs that an adapter was trained for: they are asked bare."""
        return frozenset(self.adapters)

    def identity(self, leg: str) -> str:
        """Weights and adapter by their hashes: the same on every machine. Needs no server."""
        sha = self._hash(self.gguf) if self.gguf else weights.SHA256
        adapter = self.adapters.get(leg)
        tuned = self._hash(adapter)[:16] if adapter else None
        return f"{self.name} {sha[:16]} adapter={tuned}"

    def _hash(self, file: Path) -> str:
        """Of a file that must stay as it is while this object lives: runs name it by this hash."""
        sha256 = weights.sha256_of(file)
        if self.hashes.setdefault(file, sha256) != sha256:
            raise ModelError(f"{file} has changed since this model was made: make the model again")
        return sha256

    def complete(self, ask: Ask, on_text: OnText | None = None) -> dict[int, Reply]:
        """As any server does; one that died is started once more, then reported."""
        child = self._child()
        try:
            replies = super().complete(ask, on_text)
        except ModelError:
            if child.alive:
                raise
            replies = self._again(ask, on_text)
        return self._counted(replies) if len(replies) > 1 else replies

    def _again(self, ask: Ask, on_text: OnText | None) -> dict[int, Reply]:
        try:
            return super().complete(ask, on_text)
        except Halt:
            if self._child(start=False).alive:
                raise
            raise ModelError(
                "the bundled model's server died twice: too little memory is the usual reason (it "
                "needs about 1 GB); free some, or take a smaller model"
            ) from None

    def _child(self, start: bool = True) -> Child:
        """The server of these weights, with these adapters: one per kernel."""
        gguf = self.gguf or weights.path()
        files = {gguf: self._hash(gguf) if self.gguf else weights.SHA256}
        files |= {file: self._hash(file) for file in sorted(set(self.adapters.values()))}
        child = child_for(files, self.threads)
        return child.started() if start else child

    def _scales(self, leg: str) -> dict[str, Any]:
        """Every adapter's scale, named in every request: what is not named would apply too."""
        mine = self.adapters.get(leg)
        loaded = self._child().adapters
        return {"lora": [{"id": i, "scale": float(a == mine)} for i, a in enumerate(loaded)]}

    def _connect(self) -> Any:
        """The client of httpx that reaches the server that runs now."""
        child = self._child()
        with self._lock:
            ours = self._client if self._pid == os.getpid() else None
            if ours is None or ours.api_key != child.key:
                self.base_url = f"{child.address}/v1"
                self._reach(child.key, local=True)
            return self._http

    def _counted(self, replies: Mapping[int, Reply]) -> dict[int, Reply]:
        """Of several samples llama.cpp counts the tokens of one: we have each text counted."""
        counted = {}
        for sample, reply in replies.items():
            body = {"content": reply.text, "add_special": False}
            found = self._whole("/../tokenize", body)
            known = None if isinstance(found, Fault) else tokens_in(found)
            counted[sample] = replace(reply, tokens_out=known)
        return counted

    def __reduce__(self) -> tuple[Any, ...]:
        make = functools.partial(local, threads=self.threads, timeout=self.timeout)
        return make, (self.gguf, dict(self.adapters) or None)

    def __repr__(self) -> str:
        tuned = ", ".join(sorted(self.tuned)) or "none"
        return f"local({self.name!r}, adapters: {tuned})"


class Shared(Local):
    """See `local(at=...)`: the same weights and adapters, on the server of a class.

    Every request names the hashes that it expects, and the server refuses where its own differ: so
    the identity is that of the model here.
    """

    def __init__(
        self, at: str, *, tuned: bool = True, key: str | None = None, timeout: float = 300.0
    ) -> None:
        super().__init__(adapter="auto" if tuned else None, timeout=timeout)
        self.at = self.base_url = address(f"{at.rstrip('/').removesuffix('/v1')}/v1", KEY)
        self.key_env = KEY
        self.client = secrets.token_hex(8)  # in the server's queue; copies in workers share it
        self._key: Callable[[], str] = (
            (lambda: key_checked(key)) if key else (lambda: key_in(KEY))
        )  # in no repr

    def complete(self, ask: Ask, on_text: OnText | None = None) -> dict[int, Reply]:
        replies = Compatible.complete(self, ask, on_text)
        return self._counted(replies) if len(replies) > 1 else replies

    def _extra(self, leg: str) -> dict[str, Any]:
        leg = leg if leg in self.tuned else ""
        return {"leg": leg, "identity": self.identity(leg), "client": self.client}

    def _connect(self) -> Any:
        with self._lock:
            given = self._key()
            ours = self._client if self._pid == os.getpid() else None
            if ours is None or given not in ("", ours.api_key):
                # by no proxy: the server is in the same room
                self._reach(given or key_asked(KEY, self.at), local=True)
            return self._http

    def _send(self, *args: Any) -> Body | Fault:
        """A Fault in the words of a class."""
        answer = super()._send(*args)
        if not isinstance(answer, Fault):
            return answer
        if answer.status is None:
            words = (
                f"does not answer ({answer.message[:200]}): check the address, and ask whoever "
                "runs the class's server whether it is on"
            )
        elif answer.status == OTHER_VERSION:
            words = (
                f"has another version of the model than this react_lab ({answer.message[:300]}): "
                "bring both to the same version of react_lab"
            )
        elif answer.status == 401:
            words = (
                "does not accept the key: take the one that the server said when it began, typed "
                f"where you are asked or in the environment variable {KEY}"
            )
        else:
            return answer
        return replace(answer, kind=PLAIN, message=words)

    def __reduce__(self) -> tuple[Any, ...]:
        make = functools.partial(Shared, tuned=bool(self.adapters), timeout=self.timeout)
        return make, (self.at,), {"client": self.client}  # the key stays here

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, at={self.at!r})"


def bundled_adapters() -> dict[str, Path]:
    """What asks (`react`, `household/react`) -> the adapter that was trained for it."""
    folder = data.folder("adapters")
    files = sorted(folder.rglob("*.gguf"))
    return {file.relative_to(folder).with_suffix("").as_posix(): file for file in files}


def adapters_of(given: Given, bundled: bool) -> dict[str, Path]:
    if given is None:
        return {}
    if given == "auto":
        return bundled_adapters() if bundled else {}
    if not isinstance(given, Mapping):
        given = {leg_named(Path(given)): given}
    found = {leg: Path(fspath(path)).expanduser().resolve() for leg, path in given.items()}
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
