"""The nouns of the paper: task, step, action, trajectory. Imports nothing of ours.

An agent receives an observation, takes an action, and the paper's idea (section 2) is that a
thought is an action too, one that changes only the context. So one `Step` holds all three parts,
and whatever a method leaves out is `None`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

__all__ = [
    "ENDS", "SCHEMA", "Action", "Ask", "BudgetSpent", "Cancelled", "ContextLimit", "End", "Env",
    "EnvError", "Event", "Halt", "Message", "Model", "ModelError", "Part", "Refused", "Reply",
    "Seen", "Step", "Task", "Trajectory", "normalise", "split_act",
]  # fmt: skip

SCHEMA = 1
Part = Literal["thought", "action", "observation"]
Message = tuple[str, str]  # (role, text)
OnReplies = Callable[[Mapping[int, "Reply"]], None]  # hears, by sample, what each request brought
OnWait = Callable[[float], None]  # waits, in place of sleeping, before a failed request is repeated
End = Literal[
    "finished", "step_limit", "repeated", "unreadable", "refused", "context_limit",
    "budget", "env_error", "error", "cancelled", "unfinished",
]  # fmt: skip
ENDS: tuple[str, ...] = End.__args__  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Task:
    """One question, claim, household goal or shopping goal. Only `score` reads `gold`."""

    id: str
    kind: str
    text: str
    gold: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Step:
    """One round of the loop: thought, action, observation. A missing part is `None`."""

    thought: str | None = None
    action: str | None = None
    observation: str | None = None
    human: tuple[Part, ...] = ()  # the parts that a person wrote
    raw: str | None = None  # the model's own text, before we read it
    repairs: tuple[str, ...] = ()  # what reading it had to put right
    rescued: bool = False  # the act took a second call


@dataclass(frozen=True)
class Action:
    """What an agent may do: `Search[entity]`, and what that does."""

    usage: str
    effect: str


@dataclass(frozen=True)
class Seen:
    """What the world answers. `why` is for people beside the transcript, never for the prompt."""

    text: str
    done: bool = False
    answer: str | None = None
    reward: float | None = None
    why: str | None = None


@dataclass(frozen=True)
class Ask:
    """One request to a model. `samples` are indices: a cache asks only for those it lacks."""

    prompt: str | tuple[Message, ...]
    stop: tuple[str, ...] = ()
    temperature: float = 0.0
    samples: tuple[int, ...] = (0,)
    max_tokens: int = 256
    leg: str = ""  # the prompt that asks: standard, cot, act, react
    tools: tuple[str, ...] = ()
    grammar: str | None = None
    seed: int = 0
    on_replies: OnReplies | None = field(default=None, compare=False, repr=False)
    on_wait: OnWait | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Reply:
    """One sample of an answer. Token counts are `None` where the server does not tell."""

    text: str
    why: Literal["stop", "length", "refused", "filtered"] = "stop"
    tokens_in: int | None = None
    tokens_out: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)  # what took effect
    fingerprint: str | None = None
    reasoning: str | None = None  # a reasoning model's private channel, kept apart
    tool_calls: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Event:
    """One step as it happens: which prompt asked, its number, the step, what the world said."""

    leg: str
    i: int
    step: Step
    seen: Seen


@dataclass(frozen=True)
class Trajectory:
    """A whole run. Scores and labels never enter it: they are tables joined on `id`."""

    id: str
    task: Task
    method: str
    model: str
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    steps: tuple[Step, ...] = ()
    answer: str | None = None
    reward: float | None = None
    end: End = "unfinished"
    flags: tuple[str, ...] = ()
    branch: str | None = None  # of a combination: the part that gave the answer
    votes: tuple[str | None, ...] = ()  # CoT-SC: every sample's answer, in order
    samples: tuple[str, ...] = ()  # CoT-SC: every sample's text, in order
    calls: int = 0
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    seconds: float = 0.0
    error: str | None = None
    parent: str | None = None
    schema: int = SCHEMA


class Model(Protocol):
    """Anything that continues a text."""

    @property
    def name(self) -> str: ...

    @property
    def tuned(self) -> frozenset[str]: ...  # legs it was fine-tuned for: asked without exemplars

    def identity(self, leg: str) -> str: ...

    def complete(
        self, ask: Ask, on_text: Callable[[str], None] | None = None
    ) -> tuple[Reply, ...]: ...


class Env(Protocol):
    """Anything that answers an act. May also have admissible(), view(), replayable, snapshot."""

    @property
    def actions(self) -> Sequence[Action]: ...

    def reset(self, task: Task) -> str: ...

    def step(self, action: str) -> Seen: ...


class Halt(Exception):
    """What stops an episode from outside its own steps; each kind names the `end` it causes.

    Halt
     +- ModelError      error          the model could not be asked (no key, no server, bad answer)
     +- ContextLimit    context_limit  the transcript outgrew the model's context
     +- Refused         refused        the model or its server declined to answer
     +- EnvError        env_error      the world could not be reached
     +- BudgetSpent     budget         the next call would overspend
     +- Cancelled       cancelled      somebody pressed stop
    """

    end: End = "error"
    run: Trajectory | None = None  # set by `rl.run`: everything up to the fault
    paid: tuple[Reply, ...] = ()  # replies to the same ask that came before the fault


class ModelError(Halt):
    end = "error"


class ContextLimit(Halt):
    end = "context_limit"


class Refused(Halt):
    end = "refused"


class EnvError(Halt):
    end = "env_error"


class BudgetSpent(Halt):
    end = "budget"


class Cancelled(Halt):
    end = "cancelled"


def split_act(act: str) -> tuple[str, str] | None:
    """`Search[Foo [bar]]` -> ("Search", "Foo [bar]"), by balance; None if it is not such an act.

    >>> split_act("Lookup[named [after]]")
    ('Lookup', 'named [after]')
    """
    name, bracket, rest = act.strip().partition("[")
    if not bracket or not rest.endswith("]") or not re.fullmatch(r"[^\W\d_]+", name):
        return None
    return name, rest[:-1]


def normalise(answer: str) -> str:
    """An answer as HotpotQA compares it: lower case, no punctuation, no articles, single spaces.

    >>> normalise("The  Beatles!")
    'beatles'
    """
    kept = "".join(c for c in answer.lower() if c not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())
