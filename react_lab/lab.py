"""Run a method on a task: the one place where task, kind, model and options become an episode."""

from __future__ import annotations

import functools
import hashlib
import warnings
from collections.abc import Generator, Mapping
from dataclasses import replace
from os import PathLike
from typing import Any, Literal

from .agent import Events, Kit, world_name
from .asked import prompt_of, world_of
from .characters import inline
from .decoding import Decoding, decoding_named
from .kinds import Kind, kind_named, kind_of
from .methods import METHODS, Method, Play, legs_of, method_named, name_of
from .models.wrap import written
from .prompts import CHAT, KEEP, TWINS, order_of
from .types import FAULTS, Event, Model, Task, Trajectory, World

__all__ = ["going_on", "id_of", "kit_for", "play", "resume", "run", "start_of", "steps"]

OnError = Literal["raise", "record"]
CARRIED = (
    "max_steps", "context", "n", "temperature", "seed", "repeat", "end_repeats", "shots",
    "prompts", "decoding",
)  # fmt: skip


def run(
    method: str | Play,
    task: Task,
    model: Model,
    *,
    world: World | None = None,
    shots: int | None = None,
    prompts: str | PathLike[str] = "ours",
    max_steps: int | None = None,
    context: int | None = None,
    n: int = 21,
    temperature: float = 0.7,
    seed: int = 0,
    end_repeats: bool = False,
    decoding: str | Decoding = "greedy",
    on_error: OnError = "raise",
) -> Trajectory:
    """Run a method on a task, to its end.

    method: a name in `METHODS`, or a function (task, kit) -> Events of your own. world: a maker of
    Envs such as `rl.envs.Wiki(pages)`; None is the bundled one of the task's kind. shots: how many
    exemplars; None is all. prompts: "ours", "ours 2+1" (our second, then our first), "authors"
    (theirs, fetched once), or a file of your own. max_steps: None is the paper's. context: at most
    so many tokens of a prompt, about; the observations of the oldest steps leave it first, then
    these steps, and the run's flag `shortened` says so; None is what the model can read, if it says
    so. n, temperature, seed: CoT-SC's sampling. end_repeats: end a run that repeats itself.
    decoding: "greedy", a name in `rl.decoding.DECODINGS` ("resample" draws again what the run has
    done before), or a `Decoding` of your own. on_error: a fault that is not the model's doing (no
    server, no network) raises, with all that was paid for in the exception's `run`; "record"
    returns that run instead.
    """
    events = steps(
        method, task, model, world=world, shots=shots, prompts=prompts, max_steps=max_steps,
        context=context, n=n, temperature=temperature, seed=seed, end_repeats=end_repeats,
        decoding=decoding,
    )  # fmt: skip
    return drain(events, on_error)


def steps(
    method: str | Play,
    task: Task,
    model: Model,
    *,
    world: World | None = None,
    shots: int | None = None,
    prompts: str | PathLike[str] = "ours",
    max_steps: int | None = None,
    context: int | None = None,
    n: int = 21,
    temperature: float = 0.7,
    seed: int = 0,
    end_repeats: bool = False,
    decoding: str | Decoding = "greedy",
) -> Generator[Event, None, Trajectory]:
    """Watch a method at work: one Event per step, as it happens; at last the Trajectory.

    method: a name in `METHODS`, or a function of your own. world: a maker of Envs; None is the
    bundled one of the task's kind. shots: how many exemplars; None is all. prompts: "ours", "ours
    2+1" (our second exemplar, then our first), or an exemplar file of your own. max_steps: None is
    the paper's. context: at most so many tokens of a prompt, about; None is what the model can
    read, if it says so. n, temperature, seed: CoT-SC's sampling. end_repeats: end a run that
    repeats itself. decoding: "greedy", or how else, a name in `rl.decoding.DECODINGS`.
    """
    kit = kit_for(
        task, model, world=world, shots=shots, prompts=prompts, max_steps=max_steps,
        context=context, n=n, temperature=temperature, seed=seed, end_repeats=end_repeats,
        decoding=decoding,
    )  # fmt: skip
    return play(method, task, kit)


def play(method: str | Play, task: Task, kit: Kit) -> Events:
    """An episode of a method. A prompt that the kind of task lacks is said before any call."""
    name = name_of(method)
    for leg in legs_of(name, kit.legs):
        kit.prompts(leg)
    return named(method_named(method)(task, kit), method, task, kit)


def named(events: Events, method: str | Play, task: Task, kit: Kit) -> Events:
    """A method of your own keeps its name, whatever it is made of."""
    run, name = (yield from events), name_of(method)
    return run if run.method == name else replace(run, method=name, id=id_of(method, task, kit))


def id_of(method: str | Play, task: Task, kit: Kit) -> str:
    """A run's id, known before the first call. Of a method of your own, its source is a part."""
    return start_of(method, task, kit).id


def start_of(method: str | Play, task: Task, kit: Kit) -> Trajectory:
    """A run before its first step."""
    name, found = name_of(method), method_named(method)
    start = kit.start(task, name, legs_of(name, kit.legs))
    if isinstance(found, Method):
        return start
    known = hashlib.sha256(f"{start.id} {written(found)}".encode()).hexdigest()[:16]
    return replace(start, id=known)


def resume(
    run: Trajectory,
    model: Model,
    *,
    method: str | Play | None = None,
    world: World | None = None,
    shots: int | None = None,
    prompts: str | PathLike[str] | None = None,
    max_steps: int | None = None,
    context: int | None = None,
    n: int | None = None,
    temperature: float | None = None,
    seed: int | None = None,
    end_repeats: bool | None = None,
    decoding: str | Decoding | None = None,
    on_error: OnError = "raise",
) -> Trajectory:
    """Go on from an edited run (`rethink`), or from one that a fault cut short.

    Every option that is None is as the run had it; they are those of `rl.run`. method: of a run by
    a method of your own, its function. world: of a run in a world of your own, that world.
    """
    given = {
        "shots": shots, "prompts": prompts, "max_steps": max_steps, "context": context, "n": n,
        "temperature": temperature, "seed": seed, "end_repeats": end_repeats, "decoding": decoding,
    }  # fmt: skip
    return drain(going_on(run, model, method, world, given), on_error)


def going_on(
    run: Trajectory,
    model: Model,
    method: str | Play | None = None,
    world: World | None = None,
    given: Mapping[str, Any] | None = None,
) -> Events:
    """`resume`, to be watched: first the steps that are there, then those that are new.

    given: options of `resume`; those that are None or absent are as the run had them.
    """
    method = method or one_prompt(run)
    options = {name: run.settings[name] for name in CARRIED if name in run.settings}
    options |= {name: value for name, value in (given or {}).items() if value is not None}
    kit = kit_for(run.task, model, world=world, **options)
    made_in = run.settings.get("world")
    if made_in and world is None and made_in != world_name(kit.world):
        warnings.warn(
            f"this run was made in another world ({inline(made_in)}): give it as world=",
            stacklevel=3,
        )
    parent = run.parent if run.end == "unfinished" else run.id
    return play(method, run.task, replace(kit, so_far=run.steps, parent=parent))


def one_prompt(run: Trajectory) -> str:
    """The method of a run that one prompt wrote: only such a run can be gone on with."""
    if run.method in (*KEEP, *TWINS, *CHAT):
        return run.method
    if run.method not in METHODS:
        raise ValueError(
            f"{run.method!r} is a method of your own: give its function, resume(..., method=...)"
        )
    raise ValueError(
        f"a {inline(run.method)} run cannot be gone on with as it is; rethink(run, at=...) makes "
        "a run of one prompt out of it"
    )


def drain(events: Events, on_error: OnError = "raise") -> Trajectory:
    """Run a method to its end; raise for a fault of the server or of the world."""
    while True:
        try:
            next(events)
        except StopIteration as stop:
            run: Trajectory = stop.value
            break
    if on_error == "raise" and run.end in FAULTS:
        fault = FAULTS[run.end](run.error)
        fault.run = run
        raise fault
    return run


def kit_for(
    task: Task,
    model: Model,
    *,
    world: World | None = None,
    shots: int | None = None,
    prompts: str | PathLike[str] = "ours",
    max_steps: int | None = None,
    context: int | None = None,
    n: int = 21,
    temperature: float = 0.7,
    seed: int = 0,
    repeat: int = 0,
    end_repeats: bool = False,
    decoding: str | Decoding | Mapping[str, Any] = "greedy",
    kind: Kind | None = None,
) -> Kit:
    """What a method needs for this task; options as `rl.run` lists them. repeat: of an evaluation,
    which time round. kind: its record, where KINDS may not have it.
    """
    check_options(task, model, world, max_steps, n, context)
    if kind is None:
        own = world is not None and order_of(prompts) is None
        kind = kind_of(task.kind) if own else kind_named(task.kind)
    asked: dict[str, Any] = {"shots": shots, "prompts": str(prompts)}
    alike = {"kind": kind, "model": model, "world": world, "type": task.extra.get("type")}
    prompt = functools.partial(prompt_of, **alike, **asked)
    return Kit(
        model=model,
        world=world_of(kind, world),
        prompts=functools.cache(prompt),
        max_steps=kind.max_steps if max_steps is None else max_steps,
        context=getattr(model, "context", None) if context is None else context,
        n=n, temperature=temperature, seed=seed, repeat=repeat, end_repeats=end_repeats,
        decoding=decoding_named(decoding),
        asked=asked | ({} if context is None else {"context": context}),
        legs=kind.legs,
    )  # fmt: skip


def check_options(
    task: Any, model: Any, world: Any, max_steps: int | None, n: int, context: int | None
) -> None:
    """The likely slips, each in a sentence."""
    if not isinstance(task, Task):
        raise TypeError(
            f"a task is wanted, not {type(task).__name__}: take one of rl.tasks.load(...), or make "
            "one with rl.tasks.question('...') or rl.tasks.claim('...')"
        )
    if not hasattr(model, "complete"):
        raise TypeError(
            f"a model is wanted, not {type(model).__name__}: rl.models.openai('name') makes one"
        )
    if world is not None and not callable(world):
        raise TypeError("world= takes a maker of Envs: rl.envs.Wiki(pages) makes one of pages")
    if n < 1 or (max_steps is not None and max_steps < 0):
        raise ValueError(f"n={n} and max_steps={max_steps}: at least one sample, no negative steps")
    if context is not None and context < 1:
        raise ValueError(f"context={context}: a prompt has some tokens; None sets no limit of ours")
