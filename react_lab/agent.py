"""THE LOOP: think, act, observe (section 2), and the human who edits a thought (Figure 5)."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .layouts import Layout
from .prompts import KEEP, Prompt
from .types import (
    Ask,
    Env,
    Event,
    Halt,
    Model,
    Part,
    Refused,
    Reply,
    Seen,
    Step,
    Task,
    Trajectory,
)

__all__ = ["Kit", "Meter", "play", "rethink", "steps"]

Run = Generator[Event, None, Trajectory]  # a method: yields events, returns the trajectory
Growing = Iterator[tuple[Event | None, Trajectory]]  # after each event, the run so far


def steps(
    task: Task,
    env: Env,
    model: Model,
    prompt: Prompt,
    max_steps: int,
    so_far: Sequence[Step] = (),
) -> Iterator[Event]:
    """Yield each step as it happens. Steps in `so_far` are replayed, not asked for."""
    page, text = prompt.layout, prompt.head + env.reset(task) + "\n"
    for i in range(1, max_steps + 1):
        if i <= len(so_far):
            step = so_far[i - 1]
        else:
            step = think(model, prompt, text, i)
        try:
            if step.action is None and step.thought and (page.pairs or step.human):
                step = rescue(model, prompt, text, step, i)
            seen = observe(env, step, page)
        except Halt:  # the server or the world failed: what was paid for is kept
            yield Event(prompt.leg, i, step, Seen(""))
            raise
        step = replace(step, observation=seen.text or None)
        text += page.show(step, i)
        yield Event(prompt.leg, i, step, seen)
        if seen.done or unreadable(step, page):
            return


def think(model: Model, prompt: Prompt, text: str, i: int) -> Step:
    """Ask for the next step."""
    page = prompt.layout
    reply = ask(model, prompt.leg, text + page.cue(i), page.stop(i))
    return mark_cut(page.read(reply.text, i), reply)


def rescue(model: Model, prompt: Prompt, text: str, step: Step, i: int) -> Step:
    """A thought without an act: ask once more, for the act alone, as the authors do."""
    page = prompt.layout
    asked = text + page.show(replace(step, observation=None), i) + page.act_cue(i)
    reply = ask(model, prompt.leg, asked, ("\n",))
    act = mark_cut(page.read_act(reply.text, i), reply)
    return replace(
        step,
        action=act.action,
        raw="\n".join(filter(None, (step.raw, reply.text))),
        repairs=(*step.repairs, *act.repairs),
        rescued=not step.human,  # after a person's thought, asking for the act is no rescue
    )


def ask(model: Model, leg: str, prompt: str, stop: tuple[str, ...]) -> Reply:
    (reply,) = model.complete(Ask(prompt, stop, leg=leg))
    return accept(reply)


def accept(reply: Reply) -> Reply:
    if reply.why in ("refused", "filtered"):
        raise Refused(f"the model's reply was {reply.why}: {reply.text[:200]}".rstrip(": "))
    return reply


def mark_cut(step: Step, reply: Reply) -> Step:
    if reply.why != "length":
        return step
    return replace(step, repairs=(*step.repairs, "cut by length"))


def observe(env: Env, step: Step, page: Layout) -> Seen:
    """What the world says. In a replay the model sees the stored words, byte for byte."""
    if step.action is None:
        return Seen("" if unreadable(step, page) else "OK.")  # a thought changes only the context
    stored = step.observation
    if stored is not None and not getattr(env, "replayable", True):
        return Seen(stored, why="not replayed")  # its acts have effects: not done twice
    seen = env.step(step.action)
    if stored is None or stored == seen.text:
        return seen
    return replace(seen, text=stored, why="drifted")


def unreadable(step: Step, page: Layout) -> bool:
    """No act, and no thought that may stand alone, even after the rescue."""
    return step.action is None and not (page.sparse and step.thought)


def repeated(done: Sequence[Step]) -> bool:
    """The same act and the same observation again, or A, B, A, B."""
    acts = [(s.action, s.observation) for s in done if s.action]
    again = len(acts) >= 2 and acts[-1] == acts[-2]
    return again or (len(acts) >= 4 and acts[-4:-2] == acts[-2:])


class Meter:
    """A model and its bill: every call of an episode goes through here."""

    def __init__(self, model: Model):
        self.model, self.name, self.tuned = model, model.name, model.tuned
        self.calls, self.replies = 0, list[Reply]()

    def identity(self, leg: str) -> str:
        return self.model.identity(leg)

    def complete(self, ask: Ask, on_text: Callable[[str], None] | None = None) -> tuple[Reply, ...]:
        try:
            replies = self.model.complete(ask, on_text)
        except Halt as halt:
            self.charge(halt.paid)
            raise
        self.charge(replies)
        return replies

    def charge(self, replies: tuple[Reply, ...]) -> None:
        self.calls += len(replies)
        self.replies += replies

    def bill(self, run: Trajectory) -> Trajectory:
        """Write the costs, and the settings that really took effect, on the run."""
        effect = dict(self.replies[-1].settings) if self.replies else {}
        return replace(
            run,
            calls=self.calls,
            tokens_in=total(reply.tokens_in for reply in self.replies),
            tokens_out=total(reply.tokens_out for reply in self.replies),
            settings={**run.settings, **({"effect": effect} if effect else {})},
        )


def total(counts: Iterator[int | None]) -> int | None:
    """A sum that is unknown as soon as one part of it is."""
    known = list(counts)
    return None if None in known else sum(count or 0 for count in known)


@dataclass(frozen=True)
class Kit:
    """What a method is given beside its task."""

    model: Model
    world: Callable[[Task], Env]  # one Env object an episode
    prompts: Callable[[str], Prompt]  # leg -> prompt
    max_steps: int = 7
    n: int = 21
    temperature: float = 0.7
    seed: int = 0
    repeat: int = 0
    end_repeats: bool = False
    so_far: tuple[Step, ...] = ()
    parent: str | None = None
    asked: Mapping[str, Any] = field(default_factory=dict)  # what else the user set

    def start(self, task: Task, method: str, legs: Sequence[str]) -> Trajectory:
        """An empty trajectory whose id is known before the first call: the key of resume."""
        settings = {
            "max_steps": self.max_steps,
            "n": self.n,
            "temperature": self.temperature,
            "seed": self.seed,
            "repeat": self.repeat,
            "end_repeats": self.end_repeats,
            "world": world_name(self.world),
            "identity": {leg: self.model.identity(leg) for leg in legs},
            "prompt": {leg: self.prompts(leg).hash for leg in legs},
            "bare": [leg for leg in legs if self.prompts(leg).bare],
            **self.asked,
        }
        edit = [(s.thought, s.action, s.observation, s.human) for s in self.so_far]
        known = [task.id, task.kind, task.text, dict(task.extra), method, settings]
        told = json.dumps([*known, self.parent, edit], sort_keys=True, default=str)
        name = hashlib.sha256(told.encode("utf-8", "backslashreplace")).hexdigest()[:16]
        return Trajectory(name, task, method, self.model.name, settings, parent=self.parent)


def world_name(world: Callable[[Task], Env]) -> str:
    """What a maker of worlds says of its contents, else its own name."""
    name = getattr(world, "snapshot", None) or getattr(world, "__qualname__", None)
    return str(name or type(world).__name__)


def play(leg: str, task: Task, kit: Kit) -> Run:
    """One episode of one leg, from the task to its end."""
    meter = Meter(kit.model)
    return (yield from settle(grow(leg, task, kit, meter), meter))


def grow(leg: str, task: Task, kit: Kit, meter: Meter) -> Growing:
    """The run so far after every event; last, how it ended."""
    run, prompt = kit.start(task, leg, [leg]), kit.prompts(leg)
    yield None, run
    max_steps = kit.max_steps if "action" in KEEP[leg] else 1  # without acts: one answer
    for event in steps(task, kit.world(task), meter, prompt, max_steps, kit.so_far):
        run = add(run, event)
        yield event, run
        if kit.end_repeats and "repeated" in run.flags and not event.seen.done:
            yield None, replace(run, end="repeated")
            return
    if run.end == "unfinished":
        lost = bool(run.steps) and unreadable(run.steps[-1], prompt.layout)
        yield None, replace(run, end="unreadable" if lost else "step_limit")


def add(run: Trajectory, event: Event) -> Trajectory:
    """The trajectory with one more step."""
    seen, done = event.seen, (*run.steps, event.step)
    flags = dict.fromkeys(run.flags)  # a set that keeps its order
    if repeated(done):
        flags["repeated"] = None
    if seen.why in ("drifted", "not replayed"):
        flags[seen.why] = None
    run = replace(run, steps=done, flags=tuple(flags))
    if not seen.done:
        return run
    return replace(run, answer=seen.answer, reward=seen.reward, end="finished")


def settle(growing: Growing, meter: Meter) -> Run:
    """Hand on the events of a growing run; turn a Halt into its end; write the bill."""
    began = time.monotonic()
    try:
        for event, run in growing:
            if event:
                yield event
    except Halt as halt:
        run = replace(run, end=halt.end, error=str(halt))
    return meter.bill(replace(run, seconds=round(time.monotonic() - began, 3)))


def rethink(
    run: Trajectory, at: int, thought: str | None = None, action: str | None = None
) -> Trajectory:
    """Change step `at` by hand: a NEW, unfinished trajectory whose parent is `run` (Figure 5).

    What follows the edit is dropped. With a new thought and no act, the model chooses the act.
    """
    if not 1 <= at <= len(run.steps):
        raise ValueError(f"step {at} is not in this run: it has steps 1 to {len(run.steps)}")
    if thought is None and action is None:
        raise ValueError("say what changes: thought=..., action=..., or both")
    given: dict[Part, str | None] = {"thought": thought, "action": action}
    human = tuple(part for part, text in given.items() if text is not None)
    kept = run.steps[at - 1].thought if thought is None else thought
    edited = (*run.steps[: at - 1], Step(kept, action, human=human))
    told = json.dumps([run.id, at, thought, action])
    return Trajectory(
        id=hashlib.sha256(told.encode()).hexdigest()[:16],
        task=run.task,
        method=leg_of(run),
        model=run.model,
        settings=run.settings,
        steps=edited,
        parent=run.id,
    )


def leg_of(run: Trajectory) -> str:
    """The prompt that wrote this run's steps: its method, or of a combination the acting part."""
    first = run.method.partition("->")[0]
    wrote = first if first in KEEP else run.branch or first
    return wrote.removesuffix("-sc")
