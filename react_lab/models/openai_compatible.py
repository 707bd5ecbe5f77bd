"""Any OpenAI-compatible server, hosted or local, through the `openai` package.

No table of models: what a model refuses is learned from its refusals. `faults` says what those
mean, `answers` reads what comes back.
"""

from __future__ import annotations

import base64
import contextlib
import getpass
import hashlib
import json
import math
import os
import random
import re
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal
from urllib.parse import quote, urlsplit

from ..records import parsed
from ..support.address import is_local
from ..types import Ask, Message, ModelError, Reply, ToolCall
from .answers import Body, gathered, read, replies_in
from .faults import Fault, halt

if TYPE_CHECKING:
    from openai import OpenAI


HOME = "https://api.openai.com/v1"

Api = Literal["auto", "chat", "completions"]
Extra = Mapping[str, Any] | Callable[[str], Mapping[str, Any]]
OnText = Callable[[str], None]


def openai(
    name: str,
    base_url: str | None = None,
    api: Api = "auto",
    *,
    key_env: str = "OPENAI_API_KEY",
    max_tokens: int | None = None,
    timeout: float = 60.0,
    deadline: float | None = None,
    attempts: int = 5,
    max_wait: float = 60.0,
    extra: Extra | None = None,
    api_key: str | None = None,
) -> Compatible:
    """A model behind any OpenAI-compatible server; `base_url=None` is OpenAI's own.

    api: "completions" sends the prompt's text as it is, as the paper did; "chat" wraps it in two
    messages; "auto" tries the first and learns. key_env: the environment variable that holds the
    key; you are asked for one that is not there (none is needed on this machine). api_key: never.
    max_tokens: instead of what each method asks for, which is short for a model that thinks in
    private. timeout: seconds of silence. deadline: seconds until an answer has to be whole; None is
    ten times timeout. attempts, max_wait: how often a failing server is asked, and the most seconds
    to wait between. extra: more of the body, or a function leg -> that.
    """
    if api_key is not None:
        del api_key  # a traceback that shows local variables must not show it
        raise TypeError(
            "a key is never an argument, which a saved notebook would keep: put it into the "
            f"environment variable {key_env}, or leave it out and type it where you are asked"
        )
    return Compatible(
        name, base_url or "", api, key_env=key_env, max_tokens=max_tokens, timeout=timeout,
        deadline=deadline, attempts=attempts, max_wait=max_wait, extra=extra,
    )  # fmt: skip


@dataclass(eq=False, repr=False)
class Compatible:
    """See `openai`. Many threads may share one object; it pickles as its settings."""

    name: str
    base_url: str = ""
    api: Api = "auto"
    _: KW_ONLY
    key_env: str = "OPENAI_API_KEY"
    max_tokens: int | None = None
    timeout: float = 60.0
    deadline: float | None = None
    attempts: int = 5
    max_wait: float = 60.0
    extra: Extra | None = None
    sleep: Callable[[float], None] = time.sleep

    tuned: ClassVar[frozenset[str]] = frozenset()

    def __post_init__(self) -> None:
        if self.api not in ("auto", "chat", "completions"):
            raise ValueError(f'api={self.api!r} is none of "auto", "chat", "completions"')
        url = self.base_url or os.environ.get("OPENAI_BASE_URL") or HOME
        self.base_url = address(url, self.key_env)
        self._manner = Manner(chat=self.api == "chat")
        self._lock = threading.Lock()
        self._client: OpenAI | None = None
        self._http: Any = None
        self._pid = 0  # whose client it is: a fork would read answers to its parent's questions

    def identity(self, leg: str) -> str:
        """Server, model and the API asked for: what is known before the first call. Never a key."""
        parts = [self.base_url, self.name, self.api]
        if self.max_tokens is not None:
            parts.append(f"max_tokens={self.max_tokens}")
        if extra := self._extra(leg):
            written = json.dumps(extra, sort_keys=True, default=str)
            parts.append("extra=" + hashlib.sha256(written.encode()).hexdigest()[:16])
        return " ".join(parts)

    def complete(self, ask: Ask, on_text: OnText | None = None) -> dict[int, Reply]:
        """One request, put otherwise or repeated until it is answered: replies by sample.

        A server may give fewer than were asked for. `on_text` hears a single one as it comes.
        """
        on_text = on_text if len(ask.samples) == 1 else None
        manner, tries, failures, waited = self._manner_for(ask), 0, 0, 0.0
        while True:
            body = self._body(ask, manner, stream=on_text is not None)
            answer, tries = self._send(manner, body, on_text), tries + 1
            if not isinstance(answer, Fault):
                break
            other = self._mended(manner, answer, body)
            if other is None:
                failures += 1
                waited += self._wait(answer, tries, failures, waited, ask)
            manner = other or manner
        self._learn(ask, manner, asked=body.get("n", 1), got=len(answer.choices or ()))
        settings = effective(ask, manner, body) | {"model": answer.model, "attempts": tries}
        replies = replies_in(answer, settings, body.get("n", 1))
        if on_text and "stream" not in body:
            on_text(replies[0].text)
        return dict(zip(ask.samples, replies, strict=False))

    def prices(self) -> tuple[float, float] | None:
        """What a million tokens cost, read and written; None where its list of models says not."""
        from .http import Failed

        pass

        try:
            return price_in(self._connect().get(f"{self.base_url}/models").content, self.name)
        except Failed:
            return None

    def _manner_for(self, ask: Ask) -> Manner:
        """Messages can only be sent as chat, whatever was learned about texts."""
        return self._manner if isinstance(ask.prompt, str) else replace(self._manner, chat=True)

    def _learn(self, ask: Ask, manner: Manner, asked: int, got: int) -> None:
        """Keep what made a request succeed, for the next one."""
        without = manner.without | ({"n"} if got == 1 < asked else set())
        with self._lock:
            chat = manner.chat if isinstance(ask.prompt, str) else self._manner.chat
            self._manner = Manner(chat, self._manner.without | without)

    def _mended(self, manner: Manner, fault: Fault, body: Mapping[str, Any]) -> Manner | None:
        """How to ask instead, if the fault tells; it never takes away the same thing twice."""
        if self.api == "auto" and not manner.chat and fault.wants_chat:
            return replace(manner, chat=True)
        part = fault.refused(body)
        return replace(manner, without=manner.without | {part}) if part else None

    def _wait(self, fault: Fault, tries: int, failures: int, waited: float, ask: Ask) -> float:
        """Wait as long as the server asks, or ever longer; raise when that leads nowhere."""
        left = self.max_wait - waited
        # a generator of its own: drawing from the shared one would change a seeded experiment
        grown = min(0.5 * 2 ** (failures - 1), 8.0) * random.SystemRandom().uniform(0.5, 1.0)
        pause = min(grown, left) if fault.wait is None else fault.wait
        if not fault.passing or failures >= self.attempts or left <= 0 or pause > left:
            raise halt(fault, tries, url=self.base_url, name=self.name, key_env=self.key_env)
        (ask.on_wait or self.sleep)(pause)
        return pause

    def _body(self, ask: Ask, manner: Manner, stream: bool) -> dict[str, Any]:
        """The request, less what is known to be refused."""
        renamed = "max_tokens" in manner.without
        stream = stream and "stream" not in manner.without
        body = {
            "model": self.name,
            **as_sent(ask.prompt, manner.chat, ask.leg),
            "max_completion_tokens" if renamed else "max_tokens": self.max_tokens or ask.max_tokens,
            "temperature": ask.temperature,
            "stop": list(ask.stop) or None,
            "seed": ask.seed + ask.samples[0] if ask.temperature > 0 else None,
            "n": len(ask.samples) if len(ask.samples) > 1 else None,
            "grammar": ask.grammar,
            "tools": list(ask.tools) or None,
            "stream": stream or None,
            "stream_options": {"include_usage": True} if stream else None,
        }
        kept = {k: v for k, v in body.items() if v is not None and k not in manner.without}
        return kept | self._extra(ask.leg)

    def _extra(self, leg: str) -> dict[str, Any]:
        return dict(self.extra(leg) if callable(self.extra) else self.extra or {})

    def _send(self, manner: Manner, body: dict[str, Any], on_text: OnText | None) -> Body | Fault:
        """One request: an answer, or a Fault that no longer holds the key."""
        path = "/chat/completions" if manner.chat else "/completions"
        if on_text and "stream" in body:
            with closing(self._events(path, body)) as events:  # also when `on_text` raises
                answer = gathered(events, on_text)
        else:
            found = self._whole(path, body)
            answer = found if isinstance(found, Fault) else read(found)
        if isinstance(answer, Fault):
            return replace(answer, message=self._hide(answer.message))
        return answer

    def _whole(self, path: str, body: Mapping[str, Any]) -> bytes | Fault:
        """What the server answers, or a Fault where it ends badly."""
        from .http import Failed, posted

        http = self._connect()
        try:
            with posted(http, self.base_url + path, body) as response:
                return response.read()
        except Failed as failed:
            return failed.fault

    def _events(self, path: str, body: Mapping[str, Any]) -> Generator[bytes | Fault, None, None]:
        """The data of a stream, piece by piece."""
        from .http import Failed, events_of, posted

        http = self._connect()
        try:
            with posted(http, self.base_url + path, body) as response:
                yield from events_of(response)
        except Failed as failed:
            yield failed.fault

    def _connect(self) -> Any:
        """The client of httpx that reaches the server, made at the first call."""
        with self._lock:
            key = key_in(self.key_env)
            ours = self._client if self._pid == os.getpid() else None
            if ours is None or key not in ("", ours.api_key):
                local = is_local(self.base_url)
                key = key or (NO_KEY if local else key_asked(self.key_env, self.base_url))
                self._reach(key, local)
            return self._http

    def _reach(self, key: str, local: bool) -> None:
        """A new client of the SDK, which alone holds the key, and our way to its server."""
        import openai

        from .http import client_of

        # a proxy, set for the web, cannot reach a server on this machine
        self._http = client_of(self.base_url, self.timeout, self._seconds, direct=local)
        client = openai.OpenAI(api_key=key, base_url=self.base_url, http_client=self._http)
        told = client.default_headers | client.auth_headers | {"Accept-Encoding": "identity"}
        self._http.headers = {name: text for name, text in told.items() if isinstance(text, str)}
        weakref.finalize(self, self._http.close)
        self._client, self._pid = client, os.getpid()

    @property
    def _seconds(self) -> float:
        return 10 * self.timeout if self.deadline is None else self.deadline

    def _hide(self, text: str) -> str:
        key = self._client.api_key if self._client else NO_KEY
        return text if key == NO_KEY else redact(text, key)

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k not in ("_client", "_http", "_lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _client=None, _http=None, _lock=threading.Lock())

    def __repr__(self) -> str:
        return f"openai({self.name!r}, {self.base_url!r}, api={self.api!r})"


# ------------------------------------------------------------------ asking

WRITES = {"act": "the next Action", "cot": "the Thought and the Answer", "standard": "the Answer"}


@dataclass(frozen=True)
class Manner:
    """How a server wants to be asked: by which API, and without what."""

    chat: bool = False
    without: frozenset[str] = frozenset()


def system_line(leg: str) -> str:
    """What a chat model is asked to do: to write what the leg's transcript lacks, and no more."""
    wanted = WRITES.get(leg.rpartition("/")[2], "the next Thought and Action")
    return f"Continue the transcript; write only {wanted}, then stop."


def as_sent(prompt: str | tuple[Message, ...], chat: bool, leg: str) -> dict[str, Any]:
    """The prompt as it is, or as chat messages."""
    if isinstance(prompt, str) and not chat:
        return {"prompt": sendable(prompt)}
    if isinstance(prompt, str):
        prompt = (Message("system", system_line(leg)), Message("user", prompt))
    return {"messages": [as_message(Message(*each)) for each in prompt]}


def as_message(message: Message) -> dict[str, Any]:
    """A message in the words of the chat API; without text a call has no content."""
    row: dict[str, Any] = {"role": message.role, "content": sendable(message.text)}
    if message.calls:
        row["content"] = row["content"] or None
        row["tool_calls"] = [as_call(call) for call in message.calls]
    return row | ({"tool_call_id": message.answers} if message.answers else {})


def as_call(call: ToolCall) -> dict[str, Any]:
    told = {"name": call.name, "arguments": sendable(call.arguments)}
    return {"id": call.id, "type": "function", "function": told}


def sendable(text: str) -> str:
    """Text without lone surrogates, which JSON may bring in but UTF-8 cannot carry out."""
    return text.encode("utf-8", "replace").decode()


def effective(ask: Ask, manner: Manner, body: Mapping[str, Any]) -> dict[str, Any]:
    """What a request really asked for, whatever `ask` wanted."""
    settings = {
        "api": "chat" if manner.chat else "completions",
        "temperature": body.get("temperature"),
        "seed": body.get("seed"),
        "stop_sent": "stop" in body,
    }
    if manner.chat and isinstance(ask.prompt, str):
        settings["system"] = system_line(ask.leg)
    if manner.without:
        settings["refused"] = sorted(manner.without)
    return settings


# ------------------------------------------------------------------ keys

NO_KEY = "none"  # what a server on this machine is sent when there is no key


def address(url: str, key_env: str) -> str:
    """A base_url that may be written into every run: it must hold no key."""
    parts = urlsplit(url)
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            "base_url must hold no user name, password or query, because it is written into every "
            f"run: give the address alone, and the key in the environment variable {key_env}"
        )
    try:
        plain = parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode()
    except UnicodeError:
        plain = ""
    if parts.scheme not in ("http", "https") or not parts.hostname or not plain:
        raise ValueError(f"base_url={url!r} is no address such as http://localhost:8000/v1")
    return url.replace(parts.netloc, plain, 1).rstrip("/")


def key_in(variable: str) -> str:
    """The key in an environment variable, or ""."""
    return key_checked(os.environ.get(variable, ""), f"in the environment variable {variable}")


def key_checked(key: str, where: str = "that was given") -> str:
    """A key without the spaces around it, or a sentence that does not show it."""
    key = key.strip()
    if all("!" <= letter <= "~" for letter in key):
        return key
    del key  # a traceback that shows local variables must not show it
    raise ModelError(
        f"the key {where} has a space, a line break or a letter no key has: copy it again"
    )


def key_asked(variable: str, url: str) -> str:
    """The key, typed by a person and not shown; used when the variable is not set."""
    if key := typed(f"Key for {url} (it will not be shown): "):
        return key
    raise ModelError(
        f"there is no key for {url} and nobody to ask for it: set the environment variable "
        f"{variable} before you start Python or Jupyter"
    )


def typed(question: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("error", getpass.GetPassWarning)  # never type a key in plain sight
        try:
            someone = "ipykernel" in sys.modules or (sys.stdin is not None and sys.stdin.isatty())
            return getpass.getpass(question).strip() if someone else ""
        except (EOFError, OSError, ValueError, NotImplementedError, getpass.GetPassWarning):
            return ""  # no input here: closed, or a Jupyter that runs without a person


def redact(text: str, key: str) -> str:
    """`text` without `key`, as it is or as %-encoding, base64 or repr would write it."""
    plain = base64.b64encode(key.encode()).decode().rstrip("=")
    forms = (key, quote(key, safe=""), plain, plain.translate({43: "-", 47: "_"}), repr(key)[1:-1])
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, "***")
    # OpenAI shows the first letters of a key and masks the rest
    return re.sub(re.escape(key[:8]) + r"\S*", "***", text) if len(key) > 8 else text


# ------------------------------------------------------------------ prices

MILLION = 1_000_000


def price_in(content: bytes, name: str) -> tuple[float, float] | None:
    """The price of a million tokens, read and written, in a list of models as OpenRouter writes it.

    >>> one = b'{"id": "m", "pricing": {"prompt": "0.000001", "completion": "0.000002"}}'
    >>> price_in(b'{"data": [%b]}' % one, "m")
    (1.0, 2.0)
    """
    with contextlib.suppress(ValueError):
        match parsed(content):
            case {"data": list(models)}:
                for model in models:
                    match model:
                        case {"id": str(id), "pricing": {"prompt": read, "completion": written}}:
                            if id == name:
                                return million(read), million(written)
    return None


def million(price: object) -> float:
    """The price of a million tokens, from that of one, which may be written as a text."""
    one = float(price) if isinstance(price, str | int | float) else -1.0
    if not 0 <= one < math.inf:
        raise ValueError("no price")
    return round(one * MILLION, 9)
