"""Any OpenAI-compatible server, hosted or local, through the `openai` package.

No table of models: what a model refuses is learned from its refusals. `faults` says what those
mean, `answers` reads what comes back.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import getpass
import os
import random
import re
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, get_args
from urllib.parse import quote, urljoin, urlsplit

import msgspec

from ..records import encode, parsed, whole
from ..support.text import check_number
from ..types import Ask, Message, ModelError, OnText, Reply
from . import answers
from .answers import Body, Relay, called
from .cache import sha256_of
from .faults import LATE, PLAIN, Fault, fault_of, halt

if TYPE_CHECKING:
    from openai import OpenAI

    from ..support.http import Answer, Web

HOME = "https://api.openai.com/v1"

Api = Literal["auto", "chat", "completions", "responses"]
Extra = Mapping[str, Any] | Callable[[str], Mapping[str, Any]]
T = TypeVar("T")


class Compatible:
    """A model behind any OpenAI-compatible server; `base_url=None` is OpenAI's own.

    api: "completions" sends the prompt's text as it is, as the paper did; "chat" wraps it in two
    messages; "responses" is OpenAI's newer one; "auto" tries the first and learns. What a server
    tells of private reasoning is kept in `step.private`. key_env: the environment variable that
    holds the key; you are asked for one that is not there (none is needed on this machine).
    api_key: never.
    max_tokens: instead of what each method asks for, which is short for a model that thinks in
    private: 4096 is a beginning. timeout: seconds of silence. deadline: seconds until an answer has
    to be whole; None is ten times timeout. attempts, max_wait: how often a failing server is asked,
    and the most seconds to wait between. extra: more of the body, or a function leg -> that;
    a temperature in it goes before a run's own.
    Many threads may share one object; it pickles as its settings.
    """

    tuned: ClassVar[frozenset[str]] = frozenset()
    near: ClassVar[bool] = False  # in the same room: never asked by a proxy, nor without a key

    def __init__(
        self, name: str, base_url: str | None = None, api: Api = "auto", *,
        key_env: str = "OPENAI_API_KEY", max_tokens: int | None = None, timeout: float = 60.0,
        deadline: float | None = None, attempts: int = 5, max_wait: float = 60.0,
        extra: Extra | None = None, api_key: str | None = None,
    ) -> None:  # fmt: skip
        self.name, self.base_url, self.api = name, base_url or "", api
        self.key_env, self.extra = key_env, extra
        if api_key is not None:
            del api_key  # a traceback that shows local variables must not show it
            raise TypeError(
                "a key is never an argument, which a saved notebook would keep: put it into the "
                f"environment variable {key_env}, or leave it out and type it where you are asked"
            )
        if api not in get_args(Api):
            raise ValueError(f"api is one of {', '.join(get_args(Api))}")  # a key is not shown
        self.max_tokens = check_number("max_tokens", max_tokens, 1, None)
        self.attempts = check_number("attempts", attempts, 0, 0)
        self.timeout = check_number("timeout", timeout, 0, 0.0)
        self.max_wait = check_number("max_wait", max_wait, 0, 0.0)
        if deadline is not None:
            deadline = check_number("deadline", deadline, 0, 0.0)
        self.deadline = deadline
        url = self.base_url or os.environ.get("OPENAI_BASE_URL") or HOME
        check_places(name, url, key_env)
        self.base_url = address(url, key_env)
        self.sleep = time.sleep
        self._manner = Manner("completions" if api == "auto" else api)
        self._lock = threading.Lock()
        self._client: OpenAI | None = None
        self._web: Web | None = None
        self._pid = 0  # whose client it is: a fork would read answers to its parent's questions

    def identity(self, leg: str) -> str:
        """Server, model and the API asked for: what is known before the first call. Never a key."""
        parts = [self.base_url, self.name, self.api]
        if self.max_tokens is not None:
            parts.append(f"max_tokens={self.max_tokens}")
        if extra := self._extra(leg):
            parts.append(f"extra={sha256_of(extra)[:16]}")
        return " ".join(parts)

    def complete(self, ask: Ask, on_text: OnText | None = None) -> dict[int, Reply]:
        """One request, put otherwise or repeated until it is answered: replies by sample.

        A server may give fewer than were asked for. `on_text` hears a single one as it comes.
        """
        on_text = on_text if len(ask.samples) == 1 else None
        manner, tries, failures, waited = self._manner, 0, 0, 0.0
        if manner.api == "completions" and not isinstance(ask.prompt, str):
            manner = replace(manner, api="chat")  # no messages there, whatever was learned of texts
        while True:
            body, tries = self._body(ask, manner, stream=on_text is not None), tries + 1
            try:
                answer = self._send(manner, body, on_text)
                break
            except Fault as found:
                fault = found.with_traceback(None)
            other = self._mended(manner, fault, body)
            if other is None:
                failures += 1
                waited += self._wait(fault, tries, failures, waited, ask)
            manner = other or manner
        self._learn(ask, manner, asked=body.get("n", 1), got=len(answer.choices))
        settings = effective(ask, manner, body) | {"model": answer.model, "attempts": tries}
        replies = list(answers.replies_in(answer, settings, body.get("n", 1)))
        if manner.api == "responses":  # it takes no stop words
            replies = [ended_at(ask.stop, reply) for reply in replies]
        replies = [without(reply, self._secret) for reply in replies]
        if on_text and "stream" not in body:
            on_text(replies[0].text)
        return dict(zip(ask.samples, replies, strict=False))

    def _learn(self, ask: Ask, manner: Manner, asked: int, got: int) -> None:
        without = manner.without | ({"n"} if got == 1 < asked else set())
        with self._lock:
            ours = isinstance(ask.prompt, str) or manner.api == "responses"
            api = manner.api if ours else self._manner.api
            private = manner.private or self._manner.private
            self._manner = Manner(api, self._manner.without | without, private)

    def _mended(self, manner: Manner, fault: Fault, body: Mapping[str, Any]) -> Manner | None:
        """How to ask instead, if the fault tells; it never takes away the same thing twice."""
        if self.api == "auto" and manner.api == "completions" and fault.wants_chat:
            return replace(manner, api="chat")
        if self.api == "auto" and manner.api == "chat" and fault.wants_responses:
            return replace(manner, api="responses")
        if manner.api == "chat" and not manner.private and fault.wants_private:
            return replace(manner, private=True)
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
        most, stream = self.max_tokens or ask.max_tokens, stream and "stream" not in manner.without
        renamed = "max_tokens" in manner.without
        body: dict[str, Any] = {
            "model": self.name,
            **as_sent(ask.prompt, manner.api, ask.leg, ask.private if manner.private else None),
            "max_completion_tokens" if renamed else "max_tokens": most,
            "temperature": ask.temperature,
            "stop": list(ask.stop) or None,
            "seed": ask.seed + ask.samples[0] if ask.temperature > 0 else None,
            "n": len(ask.samples) if len(ask.samples) > 1 else None,
            "grammar": ask.grammar,
            "tools": list(ask.tools) or None,
            "stream": stream or None,
            "stream_options": {"include_usage": True} if stream else None,
        }
        if manner.api == "responses":  # knows less, and calls some of it otherwise
            body = {name: body[name] for name in ("model", "input", "temperature")} | {
                "max_output_tokens": most,
                "tools": [{"type": tool["type"], **tool["function"]} for tool in ask.tools] or None,
                "store": False,
            }
        kept = {k: v for k, v in body.items() if v is not None and k not in manner.without}
        return kept | self._extra(ask.leg)

    def _extra(self, leg: str) -> dict[str, Any]:
        extra = self.extra(leg) if callable(self.extra) else self.extra or {}
        try:
            return dict(parsed(encode(dict(extra))))
        except (TypeError, ValueError) as error:
            said = "extra= takes a dict of what JSON can hold, or a function leg -> that"
            raise ValueError(f"{said} ({error})") from None

    def _send(self, manner: Manner, body: dict[str, Any], on_text: OnText | None) -> Body:
        path = "chat/completions" if manner.api == "chat" else manner.api
        choices_of = answers.output_in if manner.api == "responses" else answers.choices_in
        if not (on_text and "stream" in body):
            return self._post(path, body, lambda answer: answers.read(answer.read(), choices_of))
        self._connect()  # the key is known from here on
        relay = Relay(on_text, self._secret)
        return self._post(path, body, lambda answer: answers.gathered(events_of(answer), relay))

    def _post(self, path: str, body: Mapping[str, Any], read: Callable[[Answer], T]) -> T:
        """What is read of the answer to a request, or a Fault that no longer holds the key."""
        web, content = self._connect(), encode(body)
        try:
            # not by the SDK: its models of what comes back are neither strict nor quick
            with (
                as_fault(),
                web.ask(urljoin(f"{self.base_url}/", path), "POST", content) as answer,
            ):
                if answer.status < 300:
                    return read(answer)
                fault = fault_of(answer.status, answer.headers, answer.read())
        except Fault as found:
            fault = found.with_traceback(None)  # its frames hold the key
        for form in self._secret:  # OpenAI shows a key's first letters, and masks the rest
            fault.message = re.sub(re.escape(form[:8]) + r"\S*", "***", fault.message)
        raise fault

    def _key(self) -> str:
        """The key as it is set now, or "": then the one that was used before, or typed, goes on."""
        return key_in(self.key_env)

    def _connect(self) -> Web:
        """The way to the server, made at the first call, and afresh for another key."""
        with self._lock:
            key = self._key()
            ours = self._client if self._pid == os.getpid() else None
            if self._web is None or ours is None or key not in ("", ours.api_key):
                self._web = self._reach(key)
            return self._web

    def _reach(self, key: str) -> Web:
        """A new client of the SDK, which alone holds the key, and our way to its server."""
        import openai

        from ..support.http import Web, is_local

        local = is_local(self.base_url)
        if not key:
            free = local and not self.near
            key = NO_KEY if free else key_asked(self.key_env, self.base_url)
        way = openai.DefaultHttpxClient(trust_env=False)  # never used
        client = openai.OpenAI(api_key=key, base_url=self.base_url, http_client=way)
        told = client.default_headers | client.auth_headers
        headers = {name: text for name, text in told.items() if isinstance(text, str)}
        seconds = 10 * self.timeout if self.deadline is None else self.deadline
        # a proxy, set for the web, cannot reach a server on this machine
        direct = self.near or local
        self._client, self._pid = client, os.getpid()
        return Web(self.base_url, self.timeout, seconds, headers=headers, direct=direct)

    @property
    def _secret(self) -> tuple[str, ...]:
        """The forms of the key in use; none of what is too short to be one, as vLLM's "EMPTY"."""
        key = self._client.api_key if self._client else ""
        return forms_of(key) if len(key) >= SECRET else ()

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k not in ("_client", "_web", "_lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _client=None, _web=None, _lock=threading.Lock())

    def __repr__(self) -> str:
        return f"openai({self.name!r}, {self.base_url!r}, api={self.api!r})"


openai = Compatible  # as users call it


@contextlib.contextmanager
def as_fault() -> Iterator[None]:
    from ..support.http import Failed

    try:
        yield
    except Failed as failed:
        status = None if failed.kind in ("lost", "late") else 200
        kind = {"late": LATE, "hopeless": PLAIN}.get(failed.kind, "")
        raise Fault(status, kind, message=str(failed), final=bool(kind)) from None


def events_of(answer: Answer) -> Iterator[bytes]:
    """What a stream says; what is left comes at once or not at all, so the connection is kept."""
    from ..support.http import Failed

    pieces = answer.pieces()
    with as_fault():
        yield from answers.events_in(pieces)
    answer.limits.hurry(0.1)
    with contextlib.suppress(Failed):
        for _ in pieces:
            pass


# ------------------------------------------------------------------ asking

WRITES = {"act": "the next Action", "cot": "the Thought and the Answer", "standard": "the Answer"}


@dataclass(frozen=True)
class Manner:
    """How a server wants to be asked: by which API, and without what."""

    api: str = "completions"
    without: frozenset[str] = frozenset()
    private: bool = False  # with what the model thought: few servers want it back


def system_line(leg: str) -> str:
    """What a chat model is asked to do: to write what the leg's transcript lacks, and no more."""
    wanted = WRITES.get(leg.rpartition("/")[2], "the next Thought and Action")
    return f"Continue the transcript; write only {wanted}, then stop."


def as_sent(
    prompt: str | tuple[Message, ...], api: str, leg: str, private: Sequence[str] | None = None
) -> dict[str, Any]:
    """The prompt as it is, or as messages; private: with what the model thought before each."""
    if isinstance(prompt, str) and api == "completions":
        return {"prompt": whole(prompt)}
    if isinstance(prompt, str):
        prompt = (Message("system", system_line(leg)), Message("user", prompt))
    messages = [Message(*each) for each in prompt]
    if api == "responses":
        return {"input": [item for message in messages for item in as_items(message)]}
    rows = [as_message(message) for message in messages]
    if private is not None:
        thoughts = iter(private)
        for row in rows:
            if row["role"] == "assistant":
                row["reasoning_content"] = whole(next(thoughts, ""))
    return {"messages": rows}


def as_items(message: Message) -> Iterator[dict[str, Any]]:
    """A message in the words of the Responses API: a call is an item of its own, as its result."""
    text = whole(message.text)
    if message.answers:
        yield {"type": "function_call_output", "call_id": message.answers, "output": text}
    elif text or not message.calls:
        yield {"role": message.role, "content": text}
    for call in message.calls:
        given = {"name": call.name, "arguments": whole(call.arguments)}
        yield {"type": "function_call", "call_id": call.id, **given}


def as_message(message: Message) -> dict[str, Any]:
    """A message in the words of the chat API; without text a call has no content."""
    row: dict[str, Any] = {"role": message.role, "content": whole(message.text)}
    if message.calls:
        row["content"] = row["content"] or None
        row["tool_calls"] = [called(c.id, c.name, whole(c.arguments)) for c in message.calls]
    return row | ({"tool_call_id": message.answers} if message.answers else {})


def ended_at(stops: Sequence[str], reply: Reply) -> Reply:
    """The reply up to the first of the stop words, as a server that knows them sends it."""
    found = [reply.text.index(stop) for stop in stops if stop in reply.text]
    return replace(reply, text=reply.text[: min(found)], why="stop") if found else reply


def effective(ask: Ask, manner: Manner, body: Mapping[str, Any]) -> dict[str, Any]:
    """What a request really asked for, whatever `ask` wanted."""
    settings = {
        "api": manner.api,
        "temperature": body.get("temperature"),
        "seed": body.get("seed"),
        "stop_sent": "stop" in body,
    }
    if manner.api != "completions" and isinstance(ask.prompt, str):
        settings["system"] = system_line(ask.leg)
    if manner.private:
        settings["private"] = "sent back"
    if manner.without:
        settings["refused"] = sorted(manner.without)
    return settings


# ------------------------------------------------------------------ keys

SECRET = 8  # letters: what is shorter may be a word
NO_KEY = "none"  # what a server on this machine is sent when there is no key
LIKE_A_KEY = re.compile(
    r"\b(?:(?:sk-|AIza)(?=[\w-]*\d)[\w-]{16}|(?:xai-|(?:hf|gsk|ghp)_)[^\W_]{20})"
)


def address(url: str, key_env: str) -> str:
    """A base_url that may be written into every run: it must hold no key."""
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        parts, known = urlsplit(""), None
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            "base_url must hold no user name, password or query, because it is written into every "
            f"run: give the address alone, and the key in the environment variable {key_env}"
        )
    if not known or not re.fullmatch(r"[!-~]+", url):  # it may be a key, and is not shown
        raise ValueError("base_url is no address such as http://localhost:8000/v1")
    return url.rstrip("/")


def check_places(name: str, url: str, key_env: str) -> None:
    """A key that stands in another's place would be shown, and be written into every run."""
    named, places = re.fullmatch(r"\w+", key_env), f"{name} {url}"
    key = os.environ.get(key_env, "").strip() if named else ""
    known = len(key) >= SECRET and key in places
    if not named or known or LIKE_A_KEY.search(f"{places} {key_env}"):
        raise ValueError(
            "key_env takes the name of an environment variable, and the key stands there alone: it "
            "is no part of the model's name or of base_url"
        )


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
    # no input here: closed, or a Jupyter that runs without a person
    nobody = (EOFError, OSError, ValueError, NotImplementedError, getpass.GetPassWarning)
    with warnings.catch_warnings(), contextlib.suppress(*nobody):
        warnings.simplefilter("error", getpass.GetPassWarning)  # never type a key in plain sight
        someone = "ipykernel" in sys.modules or (sys.stdin is not None and sys.stdin.isatty())
        question = f"Key for {url} (it will not be shown): "
        if someone and (key := getpass.getpass(question).strip()):
            return key
    raise ModelError(
        f"there is no key for {url} and nobody to ask for it: set the environment variable "
        f"{variable} before you start Python or Jupyter"
    )


@functools.lru_cache(maxsize=8)
def forms_of(key: str) -> tuple[str, ...]:
    """How a key may be written, the longest form first."""
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in key)
    plain = base64.b64encode(key.encode()).decode().rstrip("=")
    shifted = plain.translate({43: "-", 47: "_"})
    forms = {key, quote(key), quote(key, safe=""), plain, shifted, repr(key)[1:-1], escaped}
    return tuple(sorted(forms, key=len, reverse=True))


def without(reply: Reply, forms: Sequence[str]) -> Reply:
    """A reply that does not hold the key, should a server have sent it back."""
    line = bare = encode(reply)
    for form in forms:
        bare = bare.replace(encode(form)[1:-1], b"***")
    return reply if bare == line else msgspec.json.decode(bare, type=Reply)
