"""Run a method on a task: the one place that maps a task's kind to world, limits and exemplars."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from .agent import Kit, Run, world_name
from .envs.wiki import Wiki
from .layouts import Layout, Numbered
from .methods import METHODS, Method
from .prompts import KEEP, Prompt, exemplar_text, layout_for, prompt_for
from .types import (
    BudgetSpent,
    Cancelled,
    EnvError,
    Event,
    Halt,
    Model,
    ModelError,
    Task,
    Trajectory,
)
from .types import Env as World

__all__ = ["KINDS", "Kind", "kit_for", "method_named", "prompt_of", "resume", "run", "steps"]

OnError = Literal["raise", "record"]
CARRIED = (
    "max_steps", "n", "temperature", "seed", "repeat", "end_repeats", "shots", "prompts"
)  # fmt: skip
FAULTS: Mapping[str, type[Halt]] = {
    fault.end: fault for fault in (ModelError, EnvError, BudgetSpent, Cancelled)
}


@dataclass(frozen=True)
class Kind:
    """What a kind of task takes."""

    world: Callable[[Task], World]
    max_steps: int  # section 3.2: 7 for questions, 5 for claims
    exemplars: str  # the file in data/exemplars
    layout: Layout = field(default_factory=Numbered)
    lead: str = ""


KINDS: Mapping[str, Kind] = {
    "multihop": Kind(Wiki(), 7, "multihop", lead="Let's think step by step."),
    "claims": Kind(Wiki(), 5, "claims"),
}


def run(
    method: str | Method, task: Task, model: Model, *, on_error: OnError = "raise", **options: Any
) -> Trajectory:
    """Run a method on a task; options as for `kit_for`.

    A fault that is not the model's own (no server, no network) raises, with all that was paid for
    in the exception's `run`; `on_error="record"` returns that trajectory instead.
    """
    return drain(steps(method, task, model, **options), on_error)


def steps(
    method: str | Method, task: Task, model: Model, **options: Any
) -> Generator[Event, None, Trajectory]:
    """The same, one Event at a time, to watch it; the generator returns the trajectory."""
    return method_named(method)(task, kit_for(task, model, **options))


def resume(
    run: Trajectory, model: Model, *, on_error: OnError = "raise", **options: Any
) -> Trajectory:
    """Go on from an edited run (`rethink`), or from one that a fault cut short."""
    if run.method not in KEEP:
        raise ValueError(
            f"a {run.method} run cannot be gone on with as it is; rethink(run, at=...) makes "
            "a run of one prompt out of it"
        )
    told = {name: run.settings[name] for name in CARRIED if name in run.settings}
    kit = kit_for(run.task, model, **{**told, **options})
    made_in = run.settings.get("world")
    if made_in and "world" not in options and made_in != world_name(kit.world):
        warnings.warn(
            f"this run was made in another world ({made_in}): give it as world=", stacklevel=2
        )
    parent = run.parent if run.end == "unfinished" else run.id
    return drain(
        METHODS[run.method](run.task, replace(kit, so_far=run.steps, parent=parent)), on_error
    )


def drain(events: Run, on_error: OnError = "raise") -> Trajectory:
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


def method_named(method: str | Method) -> Method:
    if callable(method):
        return method
    if method not in METHODS:
        raise ValueError(f"no method {method!r}; there are: {', '.join(METHODS)}")
    return METHODS[method]


def kit_for(
    task: Task,
    model: Model,
    *,
    world: Callable[[Task], World] | None = None,
    shots: int | None = None,
    prompts: str | PathLike[str] = "ours",
    max_steps: int | None = None,
    n: int = 21,
    temperature: float = 0.7,
    seed: int = 0,
    repeat: int = 0,
    end_repeats: bool = False,
) -> Kit:
    """What a method needs for this task.

    world: a maker task -> Env (None: the bundled one of the task's kind). shots: how many
    exemplars (None: all). prompts: "ours", or an exemplar file of your own. max_steps: None is
    the paper's. n, temperature, seed: CoT-SC's sampling. end_repeats: end a run that repeats.
    """
    check_options(task, model, world, max_steps, n)
    kind = kind_of(task.kind)
    told: dict[str, Any] = {"shots": shots, "prompts": str(prompts)}
    asks = functools.partial(prompt_of, kind=task.kind, model=model, world=world, **told)
    return Kit(
        model=model,
        world=world or kind.world,
        prompts=functools.cache(asks),
        max_steps=kind.max_steps if max_steps is None else max_steps,
        n=n,
        temperature=temperature,
        seed=seed,
        repeat=repeat,
        end_repeats=end_repeats,
        asked=told,
    )


def check_options(task: Any, model: Any, world: Any, max_steps: int | None, n: int) -> None:
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
        raise TypeError("world= takes a maker of worlds: rl.envs.Wiki(pages) makes one of pages")
    if n < 1 or (max_steps is not None and max_steps < 0):
        raise ValueError(f"n={n} and max_steps={max_steps}: at least one sample, no negative steps")


def kind_of(name: str) -> Kind:
    if name not in KINDS:
        raise ValueError(f"no kind of task {name!r}; there are: {', '.join(KINDS)}")
    return KINDS[name]


def prompt_of(
    leg: str,
    kind: str = "multihop",
    *,
    model: Model | None = None,
    world: Callable[[Task], World] | None = None,
    shots: int | None = None,
    prompts: str = "ours",
) -> Prompt:
    """The prompt of a leg. A model tuned for the leg is asked bare, as it was trained."""
    if leg not in KEEP:
        raise ValueError(f"no leg {leg!r}; there are: {', '.join(KEEP)}")
    takes = kind_of(kind)
    if model is not None and leg in model.tuned:
        return Prompt(leg, layout_for(KEEP[leg], takes.layout))
    actions = (world or takes.world)(Task("", kind, "")).actions
    text = exemplar_text(takes.exemplars) if prompts == "ours" else read_own(prompts)
    return prompt_for(leg, actions, text, acting=takes.layout, lead=takes.lead, shots=shots)


def read_own(path: str) -> str:
    try:
        return Path(path).expanduser().read_text(encoding="utf-8")
    except OSError as error:
        raise ValueError(
            f"prompts={path!r} is neither 'ours' nor an exemplar file that can be read: {error}"
        ) from None
