"""The gate that every call of an evaluation passes: stop, budget, pace; and its journal."""

from __future__ import annotations

import functools
import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ..types import Ask, Halt, Model, OnReplies, Reply
from .journal import Journal, Paid
from .pace import Pace
from .spending import Spending

__all__ = ["Gate", "Gated"]

OnText = Callable[[str], None]


@dataclass(frozen=True)
class Gate:
    """What the episodes of an evaluation share."""

    pace: Pace
    spending: Spending
    journal: Journal

    def go_on(self) -> None:
        """Raise if the evaluation was stopped, or its budget is spent."""
        self.pace.go_on()
        self.spending.check()


class Gated:
    """A model, as one episode sees it: what this episode has paid for is not asked again."""

    def __init__(self, model: Model, gate: Gate, run: str, paid: Paid):
        self.model, self.gate, self.run, self.paid = model, gate, run, paid
        self.name, self.tuned = model.name, model.tuned
        self.fresh: Paid = {}
        self.overloaded = False
        self.times = Counter[str]()  # a method of your own may ask the same again

    def identity(self, leg: str) -> str:
        return self.model.identity(leg)

    def complete(self, ask: Ask, on_text: OnText | None = None) -> tuple[Reply, ...]:
        """One reply a sample: those paid for before a kill, and for the rest as many calls."""
        keys = {sample: self.key(ask, sample) for sample in ask.samples}
        got = {sample: self.paid[key] for sample, key in keys.items() if key in self.paid}

        def hear(replies: Mapping[int, Reply]) -> None:
            for sample, reply in replies.items():
                self.keep(keys[sample], reply)
            got.update(replies)
            if len(got) < len(keys):  # another request follows
                self.gate.go_on()

        try:
            while missing := tuple(sample for sample in ask.samples if sample not in got):
                self.request(ask, missing, hear, on_text)
        except Halt as halt:
            heard = tuple(got[sample] for sample in ask.samples if sample in got)
            halt.paid = heard or halt.paid
            raise
        return tuple(got[sample] for sample in ask.samples)

    def key(self, ask: Ask, sample: int) -> str:
        key = key_of(ask, sample)
        self.times[key] += 1
        return f"{key}.{self.times[key]}"

    def request(
        self, ask: Ask, samples: tuple[int, ...], hear: OnReplies, on_text: OnText | None
    ) -> None:
        """Ask for these samples, or for as many as the budget has left."""
        pace, spending = self.gate.pace, self.gate.spending
        with pace.turn() as turn, spending.share(len(samples)) as n:
            pace.go_on()  # it may have been stopped while we waited for a share
            rest, samples = functools.partial(pace.rest, turn), samples[:n]
            ask = replace(ask, samples=samples, on_replies=hear, on_wait=rest)
            try:
                replies = self.model.complete(ask, on_text)
            finally:
                self.overloaded |= turn.waited
            hear(dict(zip(samples, replies, strict=True)))

    def keep(self, key: str, reply: Reply) -> None:
        """Count and journal a reply, but not one that a cache replays: it is kept, and was free."""
        if reply.settings.get("replayed") or self.fresh.get(key) == reply:
            return
        if key not in self.fresh:
            self.gate.spending.add(reply)
        self.fresh[key] = reply
        self.gate.journal.keep(self.run, key, reply)


def key_of(ask: Ask, sample: int) -> str:
    """An ask and a sample's index, in a journal: the run's id tells model and exemplars."""
    told = f"{ask.prompt}\n{replace(ask, prompt='', samples=(sample,))}"
    return hashlib.sha256(told.encode("utf-8", "backslashreplace")).hexdigest()[:16]
