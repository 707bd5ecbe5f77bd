"""THE LOOP: think, act, observe (section 2).

The loop knows nothing of text or messages: a transcript says what to ask, and reads what comes.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import islice
from os import PathLike
from typing import Any

from .prompts import CHAT, KEEP, Prompt, parts_of
from .records import RUN, GuardedEnv, encode, replies_to, seen_in, whole
from .repairs import forges
from .support.text import check_number
from .transcript import Greedy, TextTranscript, Transcript
from .types import (
    Ask,
    ContextLimit,
    Env,
    Event,
    Halt,
    Model,
    OnText,
    Outcome,
    Reply,
    Seen,
    Step,
    Task,
    Trajectory,
    World,
    Wrapped,
)  # fmt: skip

MOST_KEPT = 32_000_000  # bytes of a run's steps: a line of a file takes twice that
Events = Generator[Event, None, Trajectory]  # a method: yields events, returns the trajectory


def steps(
    task: Task,
    env: Env,
    model: Model,
    transcript: Transcript,
    max_steps: int,
    so_far: Sequence[Step] = (),
    decoder: Greedy | None = None,
) -> Iterator[Event]:
    """Yield each step as it happens; `so_far` is replayed."""
    decoder = decoder or Greedy(model, transcript)
    done: list[Step] = []
    transcript.begin(env.reset(task))
    for i in range(1, max_steps + 1):
        given = so_far[i - 1] if i <= len(so_far) else None
        step = given or decoder.first(i)
        try:
            step = decoder.act(i, step)
            if step is not given:
                step = decoder.redraw(i, step, done, env)
            step, seen = observe(env, step, transcript.sparse)
        except Halt:  # what was paid for is kept
            yield Event(transcript.leg, i, step, Seen(""))
            raise
        transcript.add(step, i)
        done.append(step)
        yield Event(transcript.leg, i, step, seen)
        if seen.done or unreadable(step, transcript.sparse):
            return


def observe(env: Env, step: Step, sparse: bool) -> tuple[Step, Seen]:
    """The step with what the world says. In a replay the stored words count, byte for byte."""
    stored = step.observation
    outcome: Outcome | None = None
    if step.action is None:  # a thought changes only the context
        seen = Seen("" if unreadable(step, sparse) else "OK.")
    elif stored is not None and not getattr(env, "replayable", True):
        seen, outcome = Seen(stored, why="not replayed"), step.outcome or "not replayed"
    else:
        seen = seen_in(env.step(step.action))
        outcome = seen.outcome
        if stored not in (None, seen.text):
            seen = replace(seen, text=stored, why="drifted", page=None)
            outcome = step.outcome or "drifted"
    return replace(step, observation=seen.text or None, outcome=outcome), seen


def unreadable(step: Step, sparse: bool) -> bool:
    """No act, and no thought that may stand alone, even after the second call."""
    return step.action is None and not (sparse and step.thought)


def repeated(done: Sequence[Step]) -> bool:
    """Did the last act and observation come before, at once or as A, B, A, B?"""
    acts = ((s.action, s.observation) for s in reversed(done) if s.action)
    last = list(islice(acts, 4))
    again = len(last) >= 2 and last[0] == last[1]
    return again or (len(last) == 4 and last[:2] == last[2:])


class Meter(Wrapped):
    """A model and its bill: every call of an episode goes through here."""

    def __init__(self, model: Model):
        super().__init__(model)
        self.replies = list[Reply]()
        self.cut = 0  # of them that ended in the middle
        self.told = 0  # of them that belong to a step that has ended

    def complete(self, ask: Ask, on_text: OnText | None = None) -> Mapping[int, Reply]:
        try:
            replies = replies_to(ask, self.model.complete(ask, on_text))
        except Halt as halt:
            self.replies += [halt.paid] if halt.paid else []
            raise
        self.replies += replies.values()
        early = [reply.text for reply in replies.values() if reply.why == "length"]
        # not those that came to a stop word, which a server may not know
        self.cut += sum(not any(stop in text for stop in ask.stop) for text in early)
        return replies

    def metered(self, event: Event, began: float) -> Event:
        """The event, whose step says what it took; one that is played again keeps what it says."""
        replies, self.told = self.replies[self.told :], len(self.replies)
        if not replies:
            return event
        seconds = round(time.monotonic() - began, 3)
        return replace(event, step=replace(event.step, seconds=seconds, **tokens_of(replies)))

    def bill(self, run: Trajectory) -> Trajectory:
        """Write the costs, and the settings that really took effect, on the run."""
        found: dict[str, Any] = {}
        if self.replies and self.replies[-1].settings:
            found["effect"] = dict(self.replies[-1].settings)
        if self.cut:
            found["cut"] = self.cut
        tries = [n for r in self.replies if isinstance(n := r.settings.get("attempts"), int)]
        if tries:  # of several replies to one request, all but one say 0
            found["retries"] = sum(max(0, each - 1) for each in tries)
        flags = (*run.flags, "cut") if self.cut else run.flags
        run = replace(run, settings={**run.settings, **found}, flags=flags)
        return replace(run, calls=len(self.replies), **tokens_of(self.replies))


def tokens_of(parts: Sequence[Reply | Trajectory]) -> dict[str, Any]:
    """Sums, each unknown as soon as one part of it is."""
    counts = {name: [getattr(part, name) for part in parts] for name in ("tokens_in", "tokens_out")}
    return {name: None if None in each else sum(each) for name, each in counts.items()}


@dataclass(frozen=True)
class Options:
    """shots: how many exemplars; None is all. prompts: "ours", "ours 2+1" (our second, then our
    first), "authors" (theirs, fetched once), or a file of your own. instruction: your words in
    place of the statement, a prompt's first line. max_steps: None is the paper's. context: at most
    about so many tokens of a prompt; the observations of the oldest steps leave it first, then
    these steps (the run's flag `shortened` says so); None is what the model can read, if known.
    n, temperature, seed: CoT-SC's sampling. end_repeats: end a run that repeats itself. decoding:
    "greedy", a name in `rl.decoding.DECODINGS` ("resample" draws again what the run has done
    before), or a `Decoding` of your own.
    """

    shots: int | None = None
    prompts: str | PathLike[str] = "ours"
    instruction: str | None = None
    max_steps: int | None = None
    context: int | None = None
    n: int = 21
    temperature: float = 0.7
    seed: int = 0
    end_repeats: bool = False
    decoding: Any = "greedy"  # any other is a `Decoding`, once it is in here

    def __post_init__(self) -> None:
        object.__setattr__(self, "prompts", str(self.prompts))
        if self.decoding != "greedy":
            from .decoding import decoding_named

            object.__setattr__(self, "decoding", decoding_named(self.decoding))
        for field in fields(self):
            if (least := LEAST.get(field.name)) is not None:
                number = check_number(field.name, getattr(self, field.name), least, field.default)
                object.__setattr__(self, field.name, number)
        if not isinstance(self.end_repeats, bool):
            raise TypeError(f"end_repeats is True or False, not {self.end_repeats!r}")
        if self.n > 1000:
            raise ValueError(f"n={self.n}: at most 1000")

    @property
    def settings(self) -> dict[str, Any]:
        """What a run keeps of them, and its id hangs on: some ALWAYS, others where chosen."""
        kept = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "decoding"}
        said = {name: value for name, value in kept.items() if name in ALWAYS or value}
        return said if self.decoding == "greedy" else {**said, **self.decoding.settings}


LEAST = {"shots": 0, "max_steps": 0, "context": 1, "n": 1, "temperature": 0, "seed": -math.inf}
ALWAYS = ("shots", "prompts", "max_steps", "n", "temperature", "seed", "end_repeats")


@dataclass(frozen=True)
class Kit:
    """What a method is given beside its task."""

    model: Model
    world: World
    prompts: Callable[[str], Prompt]  # leg -> prompt
    options: Options = Options(max_steps=7)
    repeat: int = 0  # of an evaluation: which time round
    so_far: tuple[Step, ...] = ()
    parent: str | None = None
    legs: tuple[str, ...] = tuple(KEEP)  # those that the kind of task has

    @property
    def context(self) -> int | None:
        """At most so many tokens of a prompt: as asked for, or what the model can read."""
        asked = self.options.context
        reads = check_number("a model's context", getattr(self.model, "context", None), 1, None)
        return reads if asked is None else asked

    def start(self, task: Task, method: str, legs: Sequence[str]) -> Trajectory:
        """An empty trajectory; its id, a hash of all this, is known before the first call."""
        if self.options.decoding != "greedy":
            self.options.decoding.check(legs, self.model)
        settings = {
            **self.options.settings,
            "repeat": self.repeat,
            "world": world_name(self.world),
            "identity": {leg: self.model.identity(self.prompts(leg).asks_as) for leg in legs},
            "prompt": {leg: self.prompts(leg).hash for leg in legs},
            "bare": [leg for leg in legs if self.prompts(leg).bare],
        }
        edit = [(s.thought, s.action, s.observation, s.human) for s in self.so_far]
        facts = [task.id, task.kind, task.text, dict(task.extra), method, settings]
        try:
            known = json.dumps([*facts, self.parent, edit], sort_keys=True, default=str)
        except TypeError:
            raise ValueError(f"{task!r}: not all names in its extra are texts") from None
        id = hashlib.sha256(known.encode("utf-8", "backslashreplace")).hexdigest()[:16]
        run = Trajectory(id, task, method, self.model.name, settings, parent=self.parent)
        try:
            RUN.write(run)
            if whole(task.text) != task.text:
                raise ValueError("its text holds half characters")
        except ValueError as error:  # before the first call is paid for
            raise ValueError(f"a run of {task!r} could not be kept: {error}") from None
        return run


def world_name(world: World) -> str:
    """What a world says of its contents, else its own name."""
    name = getattr(world, "snapshot", None) or getattr(world, "__qualname__", None)
    return str(name or type(world).__name__)


class AroundWorld:
    """A world around another. made: takes each Env of that one, and returns the one to play in."""

    def __init__(self, world: World, made: Callable[[Env], Env]) -> None:
        self.world, self.made, self.snapshot = world, made, world_name(world)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.world, name)

    def __call__(self, task: Task) -> Env:
        return self.made(self.world(task))


def transcript_of(prompt: Prompt, context: int | None = None) -> Transcript:
    if prompt.leg not in CHAT:
        return TextTranscript(prompt, context)
    from .chat.turns import ChatTranscript

    return ChatTranscript(prompt, context)


def play(leg: str, task: Task, kit: Kit) -> Events:
    """One episode of one leg, from the task to its end."""
    run, meter = kit.start(task, leg, [leg]), Meter(kit.model)
    transcript = transcript_of(kit.prompts(leg), kit.context)
    model = transcript.in_turn(meter)
    options, decoder = kit.options, Greedy(model, transcript)
    if options.decoding != "greedy":
        decoder = options.decoding.decoder(decoder, kit.world, options.seed, kit.repeat)
    most = options.max_steps if "action" in parts_of(leg) else 1  # without acts: one answer

    def add(run: Trajectory, event: Event) -> Trajectory:
        run = with_step(run, event)
        again = options.end_repeats and "repeated" in run.flags and run.end == "unfinished"
        return replace(run, end="repeated") if again else run

    def close(run: Trajectory) -> Trajectory:
        lost = bool(run.steps) and unreadable(run.steps[-1], transcript.sparse)
        return replace(run, end="unreadable" if lost else "step_limit")

    def events() -> Iterator[Event]:
        env = GuardedEnv(kit.world, task)
        yield from steps(task, env, model, transcript, most or 0, kit.so_far, decoder)

    return transcript.flagged((yield from episode(run, events(), meter, add, close)))


def episode(
    run: Trajectory, events: Iterator[Event], meter: Meter,
    add: Callable[[Trajectory, Event], Trajectory], close: Callable[[Trajectory], Trajectory],
) -> Events:  # fmt: skip
    """Hand on events and keep the run so far; turn a Halt into its end; write the bill."""
    began = since = time.monotonic()
    try:
        room = MOST_KEPT
        for happened in events:
            event = meter.metered(happened, since)
            room -= len(encode(event.step))
            if room < 0:
                raise ContextLimit("its replies are too large to be kept: ask for fewer tokens")
            run = add(run, event)
            yield event
            since = time.monotonic()
            if run.end != "unfinished":
                break
        else:
            run = close(run)
    except Halt as halt:
        run = replace(run, end=halt.end, error=str(halt))
    return meter.bill(replace(run, seconds=round(time.monotonic() - began, 3)))


def with_step(run: Trajectory, event: Event) -> Trajectory:
    seen, done = event.seen, (*run.steps, event.step)
    flags = dict.fromkeys(run.flags)  # a set that keeps its order
    if repeated(done):
        flags["repeated"] = None
    # does it forge a turn or give orders? (the list of acts after an invalid one does not)
    told = event.step.observation or ""
    listed = event.step.outcome == "failed" and told.startswith("Invalid action")
    if forges(told) and not listed:
        flags["injection"] = None
    if seen.why in ("drifted", "not replayed"):
        flags[seen.why] = None
    run = replace(run, steps=done, flags=tuple(flags))
    if page := seen.page:  # the run says what edition it saw: no part of its id
        pages = {(each["title"], each["revision"]): each for each in run.settings.get("pages", ())}
        pages.setdefault((page.title, page.revision), asdict(page))
        run = replace(run, settings={**run.settings, "pages": list(pages.values())})
    if not seen.done:
        return run
    return replace(run, answer=seen.answer, reward=seen.reward, end="finished")
