"""The nouns of the paper: task, step, action, trajectory.

An agent receives an observation, takes an action, and the paper's idea (section 2) is that a
thought is an action too, one that changes only the context. So one `Step` holds all three parts,
and whatever a method leaves out is `None`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from .support.text import inline, short, visible

__all__ = [
    "ENDS", "FAULTS", "SCHEMA", "Action", "Ask", "BudgetSpent", "Cancelled", "ContextLimit",
    "Edition", "End", "Env", "EnvError", "Event", "Halt", "Message", "Model", "ModelError",
    "Outcome", "Part", "Refused", "Reply", "Seen", "Step", "Task", "ToolCall", "Trajectory",
    "World", "normalise", "short", "split_act",
]  # fmt: skip

SCHEMA = 2
Part = Literal["thought", "action", "observation"]
Outcome = Literal["failed", "drifted", "not replayed"]
OnText = Callable[[str], None]  # hears a reply as it comes
OnWait = Callable[[float], None]  # waits, in place of sleeping, before a failed request is repeated
End = Literal[
    "finished", "step_limit", "repeated", "unreadable", "refused", "context_limit",
    "budget", "env_error", "error", "cancelled", "unfinished",
]  # fmt: skip
ENDS: tuple[str, ...] = End.__args__  # type: ignore[attr-defined]


class ToolCall(NamedTuple):
    """A tool that a model calls; its arguments as JSON."""

    id: str
    name: str
    arguments: str


class Message(NamedTuple):
    """One message of a chat: who says what, calls which tools, or brings which call's result."""

    role: str
    text: str
    calls: tuple[ToolCall, ...] = ()
    answers: str = ""  # the id of the call that it is the result of


@dataclass(frozen=True, repr=False)
class Task:
    """One question, claim, household goal or shopping goal. No model ever sees `gold`."""

    id: str
    kind: str
    text: str
    gold: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __repr__(self) -> str:
        return f"<{inline(self.kind)} task {inline(self.id)}: {short(self.text)}>"


@dataclass(frozen=True)
class Step:
    """One round of the loop: thought, action, observation. A missing part is `None`."""

    thought: str | None = None
    action: str | None = None
    observation: str | None = None
    human: tuple[Part, ...] = ()  # the parts that a person wrote or took out
    raw: str | None = None  # the model's own text, before we read it
    repairs: tuple[str, ...] = ()  # what reading it had to put right
    rescued: bool = False  # a second call was made for its act
    outcome: Outcome | None = None  # the act led nowhere; or of one done again, how
    private: str | None = None  # what a reasoning model thought apart: in no prompt
    tokens_in: int | None = field(default=None, compare=False)  # of this step alone, where told
    tokens_out: int | None = field(default=None, compare=False)
    seconds: float | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name in ("private", "tokens_in", "tokens_out", "seconds"):
            if getattr(self, name) is None:  # then no file has it, as none had before
                vars(self).pop(name, None)


@dataclass(frozen=True)
class Action:
    """What an agent may do: `Search[entity]`, and what that does."""

    usage: str
    effect: str
    types: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Of arguments, in JSON's words: number, integer, boolean. The others are texts."""


@dataclass(frozen=True)
class Edition:
    """Of a page that changes: which revision, of what time, and when it was read."""

    title: str
    revision: int
    time: str
    read: str


@dataclass(frozen=True)
class Seen:
    """What the world answers. `why` an act led nowhere, or `drifted`: never in the prompt."""

    text: str
    done: bool = False
    answer: str | None = None
    reward: float | None = None
    why: str | None = None
    page: Edition | None = None  # what the text is of, where the world's pages change

    @property
    def outcome(self) -> Outcome | None:
        return "failed" if self.why else None


@dataclass(frozen=True)
class Ask:
    """One request to a model: go on with `prompt`, which ends where its words begin ("Thought 1:").

    `samples` are indices: a cache asks only for those it lacks."""

    prompt: str | tuple[Message, ...]
    stop: tuple[str, ...] = ()
    temperature: float = 0.0
    samples: tuple[int, ...] = (0,)
    max_tokens: int = 256
    leg: str = ""  # `Prompt.asks_as`: react, act-tools; of other worlds world/leg: household/react
    grammar: str | None = None
    seed: int = 0
    tools: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)  # as the chat API has them
    # thoughts of each message of the model, for a server that wants them back
    private: tuple[str, ...] = field(default=(), compare=False)
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


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        answer = "no answer" if self.answer is None else short(self.answer)
        steps = f"{len(self.steps)} step{'s' * (len(self.steps) != 1)}"
        task = short(self.task.text)
        named = f"{inline(self.method)} run {inline(self.id)}"
        return f"<{named}: {task} -> {answer}, {inline(self.end)}, {steps}>"


class Model(Protocol):
    """Anything that continues a text. Of a model of your own only `complete` must be written:

        class Parrot:
            def complete(self, ask, on_text=None):
                return {0: rl.types.Reply(" I look it up.\\nAction 1: Search[Danube]")}

    ask: `prompt` (a text, or a chat's messages), `stop` (end before these words), `samples` (the
    numbers of the replies that are wanted; one is enough, for the rest it is asked again).
    Left out, `name` is its class's name; `tuned` is empty; `identity(leg)`, a part of each run's
    id, is its name; `context` (the most tokens that it reads) and `workers` (episodes at a time)
    are None. For ten lines, a function of the Ask does: `rl.models.scripted(function)`.
    """

    @property
    def name(self) -> str: ...

    @property
    def tuned(self) -> frozenset[str]: ...  # asked without exemplars; as `Ask.leg` has it

    def identity(self, leg: str) -> str: ...

    def complete(  # one request: replies by sample, at least one; for the rest ask again
        self, ask: Ask, on_text: OnText | None = None
    ) -> Mapping[int, Reply]: ...


class Wrapped:
    """A model around another, with the defaults that `Model` tells."""

    def __init__(self, model: Any) -> None:
        self.model: Model = model

    @property
    def name(self) -> str:
        return str(getattr(self.model, "name", type(self.model).__name__))

    @property
    def tuned(self) -> frozenset[str]:
        return frozenset(getattr(self.model, "tuned", None) or ())

    @property
    def context(self) -> int | None:
        return getattr(self.model, "context", None)

    @property
    def workers(self) -> int | None:
        return getattr(self.model, "workers", None)

    def identity(self, leg: str) -> str:
        known = getattr(self.model, "identity", None)
        return str(known(leg)) if known else self.name

    def complete(self, ask: Ask, on_text: OnText | None = None) -> Mapping[int, Reply]:
        return self.model.complete(ask, on_text)


def whole_model(given: Any) -> Model:
    whole = all(getattr(given, each, None) is not None for each in ("name", "tuned", "identity"))
    return given if whole else Wrapped(given)


class Env(Protocol):
    """One episode's world: it says how the task begins, and answers an act.

    With `replayable = False` its acts have effects, and are not done again in a replay.
    """

    def reset(self, task: Task) -> str: ...

    def step(self, action: str) -> Seen: ...


class World(Protocol):
    """A maker of Envs, one per episode. Its actions are known before any episode starts."""

    @property
    def actions(self) -> Sequence[Action]: ...

    @property
    def snapshot(self) -> str: ...  # names what an agent can see in it

    def __call__(self, task: Task) -> Env: ...


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
    paid: Reply | None = None  # what an answer cost that could not be used

    def __str__(self) -> str:
        return visible(super().__str__())  # a server's own words may stand in it


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


# Ends that are our fault or the network's and say nothing of the model: such a run may be repeated.
FAULTS: Mapping[str, type[Halt]] = {
    fault.end: fault for fault in (ModelError, EnvError, BudgetSpent, Cancelled)
}


def split_act(act: str) -> tuple[str, str] | None:
    """`Search[Foo [bar]]` -> ("Search", "Foo [bar]"); None if it is not such an act.

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
