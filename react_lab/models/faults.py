"""What a server's refusals mean: ask otherwise, ask again later, or stop with one sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec

from ..types import ContextLimit, Halt, ModelError, Refused, Reply

# What a request can do without. Our own side cuts at the stop strings and repeats for `n`; and
# newer models call `max_tokens` something else.
DROPPABLE = ("stop", "temperature", "seed", "n", "stream_options", "stream", "max_tokens", "store")
NAMES_N = r"['\"`]n['\"`]|\bn_cmpl\b|\bn\s*(?:=|>|must|should|is|cannot)"  # not any letter n
MOST_WORDS = 4_000  # characters of a message that are looked at: a reason stands at the beginning
TOO_LONG = r"context_length_exceeded|exceed_context_size|context[ _](?:length|size|window)"
RESPONSES = r"\bv1/responses\b|\bresponses (?:api|endpoint)\b"
NO_TOOLS = r"\b(?:tool|function)s?\b.{0,60}n[o']t support|support.{0,60}\b(?:tool|function)s?\b"
MOST = 20_000  # bytes that are read of an error that is no JSON
NO_SUCH_MODEL = r"model_not_found|model\b.*(?:does not exist|not found)"

ADVICE: Mapping[int | None, str] = {
    None: "no answer from {url} after {tries} ({reason}): start the server, or check base_url and "
    "the network; a server that is only slow needs a larger timeout",
    300: "{url} answered with HTTP {status} ({reason}): give that address as base_url, if "
    "you trust it",
    200: "{url} answered with {reason}: ask again, or look into its log",
    400: "{url} refused the request with HTTP {status} ({reason}): change what it names",
    401: "{url} does not accept the key: put a valid one into the environment variable {key_env}",
    402: "the account of the key in {key_env} has no credit left ({reason}): add some, or take "
    "another server or the bundled model",
    403: "{url} does not let this key use {name} ({reason}): check the key in {key_env}, what it "
    "may do, and from where",
    404: "{url} has no model {name} or no such path ({reason}): check the name, and that base_url "
    "ends where the API starts, which is usually /v1",
    429: "{url} still limits the rate after {tries} ({reason}): use fewer workers, or wait",
    500: "{url} failed with HTTP {status} after {tries} ({reason}): wait, or look into its log",
}
TOOLS = "{url} has no tools for {name} ({reason}): use react-chat, which writes its acts as text"
PLAIN = "{url} {reason}"
LATE = "{url} is too slow ({reason}): raise deadline=, or ask for fewer tokens"


@dataclass(eq=False)
class Fault(Exception):
    """One request that failed. `status` is None when no answer came, 200 for an unusable one."""

    status: int | None = None
    kind: str = ""  # the server's own code and type for it
    param: str = ""  # the part of the request that the server names
    message: str = ""
    wait: float | None = None  # seconds the server asks us to wait
    final: bool = False  # it would fail again, or a part of the answer has been shown
    paid: Reply | None = None  # no reply, but what the server says that it costs

    @property
    def passing(self) -> bool:
        """Whether the same request may work later. An empty account does not fill up by waiting."""
        if self.final or "insufficient_quota" in self.kind:
            return False
        return self.status is None or self.status in (408, 409, 429) or self.status >= 500

    @property
    def too_long(self) -> bool:
        words = f"{self.kind} {self.message}"
        return self.status in (200, 400, 413, 422) and bool(re.search(TOO_LONG, words, re.I))

    @property
    def wants_chat(self) -> bool:
        if self.status == 400:
            return self.param not in DROPPABLE and bool(re.search(r"\bchat\b", self.message, re.I))
        words = f"{self.kind} {self.message}"
        return self.status in (404, 405) and not re.search(NO_SUCH_MODEL, words, re.I)

    @property
    def wants_responses(self) -> bool:
        return self.status in (400, 404) and bool(re.search(RESPONSES, self.message, re.I))

    @property
    def wants_private(self) -> bool:
        """Whether the server wants back what its model thought in private (`reasoning_content`)."""
        return self.status == 400 and "reasoning_content" in f"{self.param} {self.message}"

    def refused(self, body: Mapping[str, Any]) -> str | None:
        """The part of the request that the server will not take and that we can do without."""
        if self.status != 400 or self.too_long:
            return None
        parts = [part for part in DROPPABLE if part in body]
        found = {part: re.search(NAMES_N if part == "n" else rf"\b{part}\b", self.message)
                 for part in parts}  # fmt: skip
        # what it speaks of first: later ones are often what it recommends
        places = {part: match.start() for part, match in found.items() if match}
        named = self.param or min(places, key=places.__getitem__, default="")
        return named if named in parts else None


def fault_of(status: int, headers: Mapping[str, str], body: bytes) -> Fault:
    if 300 <= status < 400:
        to = headers.get("location", "").partition("?")[0]
        return Fault(status, message=f"a redirect to {to[:200]!r}")
    try:
        said = msgspec.json.decode(body)  # it may stand anywhere in an answer
        fault = fault_saying(said.get("error") or said if isinstance(said, dict) else said)
    except (ValueError, RecursionError):
        fault = fault_saying(body[:MOST].decode("utf-8", "replace"))
    return replace(fault, status=status, wait=wait_asked(headers))


def fault_saying(said: object) -> Fault:
    """A fault in a server's words. Some gateways send 200 and put the true status inside."""
    fields = said if isinstance(said, dict) else {}
    code, kind, param = (str(fields.get(name) or "")[:200] for name in ("code", "type", "param"))
    words = (fields.get(name) for name in ("message", "detail", "error"))
    text = str(next(filter(None, words), said) or "no reason given")
    return Fault(
        status=int(code) if re.fullmatch("[45][0-9][0-9]", code) else 200,
        kind=f"{code} {kind}",
        param="".join(re.findall(r"^\w+", param)),  # "stop[0]" is about stop
        message=" ".join(re.sub(r"<[^<>]*>", " ", text[:MOST_WORDS]).split()),
    )


def wait_asked(headers: Mapping[str, str]) -> float | None:
    """The seconds in `retry-after-ms` or `Retry-After` (a number or a date); None if neither."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        given = headers.get(name, "").strip()
        if re.fullmatch(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+", given):
            return float(given) / unit
    then = date_in(headers.get("retry-after", ""))
    now = date_in(headers.get("date", "")) or datetime.now(UTC)  # our own clock may be wrong
    wait = (then - now).total_seconds() if then else 0.0
    return math.ceil(wait) if wait > 0 else None


def date_in(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def halt(fault: Fault, tries: int, **about: str) -> Halt:
    """The exception that ends the episode: one sentence, what is wrong and what to do.

    `about`: the server's url, the model's name, and key_env, the variable that holds the key.
    """
    asks = f"; it asks for a pause of {fault.wait:g} s" if fault.wait else ""
    about |= {"reason": fault.message[:300] + asks, "tries": f"{tries} request{'s' * (tries > 1)}"}
    kind: type[Halt] = ModelError
    words = advice(fault)
    if fault.too_long:
        kind, words = ContextLimit, "the transcript is longer than {name} can read ({reason})"
    elif re.search("content_(filter|policy)", fault.kind):
        kind, words = Refused, "{url} declined to answer this prompt ({reason})"
    found = kind(words.format(status=fault.status, **about))
    found.paid = fault.paid
    return found


def advice(fault: Fault) -> str:
    if fault.kind in (PLAIN, LATE):
        return fault.kind
    if fault.status and 300 <= fault.status < 400:
        return ADVICE[300]
    if fault.status == 402 or "insufficient_quota" in fault.kind:
        return ADVICE[402]
    if fault.status in (400, 404, 422, 501) and re.search(NO_TOOLS, fault.message, re.I):
        return TOOLS
    return ADVICE.get(fault.status) or ADVICE[500 if fault.passing else 400]
