"""Run a method on a task: the one place where task, kind, model and options become an episode."""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import fields, replace
from os import PathLike
from typing import Any, Literal, TypeVar, get_args

from .agent import Events, Kit, Options
from .kinds import Kind, kind_named, kind_of, world_of
from .methods import Method, Play, legs_of, method_named, name_of
from .prompts import CHAT, Prompt, exemplar_text, order_of, parts_of, prompt_for
from .support import Stopped
from .support.text import short, source_of
from .types import FAULTS, Action, Event, Model, Task, Trajectory, World, whole_model

OnError = Literal["raise", "record"]
OPTIONS = tuple(field.name for field in fields(Options))
Takes = TypeVar("Takes", bound=Callable[..., Any])


def with_options(function: Takes) -> Takes:
    """A function whose **options are those of a run: Shift-Tab lists them, says what they are."""
    own, theirs = inspect.signature(function), inspect.signature(Options)
    listed = [p.replace(kind=p.KEYWORD_ONLY) for p in theirs.parameters.values()]
    *before, _ = own.parameters.values()
    function.__signature__ = own.replace(parameters=[*before, *listed])  # type: ignore[attr-defined]
    function.__doc__ = f"{inspect.getdoc(function)}\n\n{inspect.getdoc(Options)}"
    return function


@with_options
def run(
    method: str | Play, task: Task, model: Model, *, world: World | None = None,
    on_error: OnError = "raise", **options: Any,
) -> Trajectory:  # fmt: skip
    """Run a method on a task, to its end.

    method: a name in `METHODS`, or a function (task, kit) -> Events of your own. world: a maker of
    Envs such as `rl.envs.Wiki(pages)`; None is the bundled one of the task's kind. on_error: a
    fault that is not the model's doing (no server, no network) raises, with all that was paid for
    in the exception's `run`; "record" returns that run instead.
    """
    return drain(play(method, task, kit_for(task, model, world=world, **options)), on_error)


@with_options
def steps(
    method: str | Play, task: Task, model: Model, *, world: World | None = None, **options: Any
) -> Generator[Event, None, Trajectory]:
    """Watch a method at work: one Event per step, as it happens; at last the Trajectory. A fault
    that is not the model's doing raises, as in `rl.run`.

    method: a name in `METHODS`, or a function of your own. world: a maker of Envs; None is the
    bundled one of the task's kind.
    """
    return raising(play(method, task, kit_for(task, model, world=world, **options)))


def raising(events: Events, on_error: OnError = "raise") -> Events:
    """The events of a run; who stops it reads one line, and a fault raises."""
    seen = list[Event]()
    try:
        while True:
            seen.append(next(events))
            yield seen[-1]
    except StopIteration as stop:
        run: Trajectory = stop.value
    except KeyboardInterrupt:
        again = f"Stopped by hand after step {len(seen)}. The same cell begins anew."
        raise Stopped(again, [event.step for event in seen]) from None
    return checked(run) if on_error == "raise" else run


def play(method: str | Play, task: Task, kit: Kit) -> Events:
    """An episode of a method. A prompt that the kind of task lacks is said before any call."""
    name = name_of(method)
    for leg in legs_of(name, kit.legs):
        kit.prompts(leg)
    return with_own_id(method_named(method)(task, kit), method, task, kit)


def with_own_id(events: Any, method: str | Play, task: Task, kit: Kit) -> Events:
    """A method of your own keeps its name, and its source in the id, whatever it is made of."""
    name = name_of(method)
    run: Any = (yield from events) if isinstance(events, Generator) else events
    if not isinstance(run, Trajectory):
        how = 'it ends as `return (yield from rl.METHODS["react"](task, kit))` does'
        raise TypeError(f"the method {name} returned no run, but {short(str(run))}: {how}")
    own = not isinstance(method_named(method), Method)
    return replace(run, method=name, id=start_of(method, task, kit).id) if own else run


def start_of(method: str | Play, task: Task, kit: Kit) -> Trajectory:
    """A run before the first call, with its id: of a method of your own, its source is a part."""
    name, found = name_of(method), method_named(method)
    start = kit.start(task, name, legs_of(name, kit.legs))
    if isinstance(found, Method):
        return start
    known = hashlib.sha256(f"{start.id} {source_of(found)}".encode()).hexdigest()[:16]
    return replace(start, id=known)


def drain(events: Events, on_error: OnError = "raise") -> Trajectory:
    """Run a method to its end; raise for a fault of the server or of the world."""
    check_on_error(on_error)
    rest = raising(events, on_error)
    try:
        while True:
            next(rest)
    except StopIteration as stop:
        run: Trajectory = stop.value
        return run


def check_on_error(given: object) -> None:
    if given not in get_args(OnError):
        raise ValueError(f"on_error is one of {', '.join(get_args(OnError))}, not {given!r}")


def checked(run: Trajectory) -> Trajectory:
    """A run that no fault ended; else that fault is raised."""
    if run.end in FAULTS:
        fault = FAULTS[run.end](run.error)
        fault.run = run
        raise fault
    return run


def kit_for(
    task: Task, model: Model, *, world: World | None = None, repeat: int = 0,
    kind: Kind | None = None, **options: Any,
) -> Kit:  # fmt: skip
    """What a method needs for this task. repeat: of an evaluation, which time round. kind: its
    record, where KINDS may not have it.
    """
    check(task, model, world, options)
    model = whole_model(model)
    asked = Options(**options)
    if kind is None:
        own = world is not None and order_of(asked.prompts) is None
        kind = kind_of(task.kind) if own else kind_named(task.kind)
    if asked.max_steps is None:
        asked = replace(asked, max_steps=kind.max_steps)
    prompt = functools.partial(
        leg_prompt, kind=kind, model=model, world=world, type=task.extra.get("type"),
        shots=asked.shots, prompts=asked.prompts, instruction=asked.instruction,
    )  # fmt: skip
    return Kit(model, world_of(kind, world), functools.cache(prompt), asked, repeat, legs=kind.legs)


def check(task: Any, model: Any, world: Any, options: dict[str, Any]) -> None:
    """The likely slips, each in a sentence."""
    check_task(task)
    if isinstance(model, type) or not hasattr(model, "complete"):
        raise TypeError(
            f"a model is wanted, not {type(model).__name__}: rl.models.openai('name') makes one"
        )
    if world is not None and not callable(world):
        raise TypeError("world= takes a maker of Envs: rl.envs.Wiki(pages) makes one of pages")
    if unknown := [name for name in options if name not in OPTIONS]:
        raise TypeError(f"a run has no option {unknown[0]!r}; it has: {', '.join(OPTIONS)}")


def check_task(task: Any) -> None:
    if not isinstance(task, Task):
        raise TypeError(
            f"a task is wanted, not {type(task).__name__}: take one of rl.tasks.load(...), or make "
            "one with rl.tasks.question('...') or rl.tasks.claim('...')"
        )
    if not isinstance(task.extra, Mapping):
        raise TypeError(f"a task's extra is a dict, not {type(task.extra).__name__}: leave it out")


def leg_prompt(
    leg: str, kind: str | Kind, *, model: Model | None = None, world: World | None = None,
    shots: int | None = None, prompts: str | PathLike[str] = "ours",
    instruction: str | None = None, type: object = None,
) -> Prompt:  # fmt: skip
    """The prompt of a leg, as a kind of task, a model and a world make it."""
    keep = parts_of(leg)
    kind = kind_named(kind) if isinstance(kind, str) else kind
    kind.check(CHAT.get(leg, leg))
    tuned = model is not None and kind.adapter(leg) in model.tuned
    if leg in CHAT:
        from .chat.turns import chat_prompt

        prompt = chat_prompt(leg, kind, actions_of(world_of(kind, world)))
        prompt = replace(prompt, head="") if tuned else prompt
    elif tuned:
        prompt = Prompt(leg, kind.layout_for(keep), adapter=kind.adapter(leg))
    else:
        source = exemplars(kind, leg, prompts, type)
        actions = actions_of(world_of(kind, world))
        prompt = prompt_for(leg, kind, actions, source, shots, order_of(prompts) or ())
    if instruction is None:
        return prompt
    if prompt.bare:
        raise ValueError(
            "a model fine-tuned for this is asked without a prompt, so instruction= has nothing to "
            "replace: take it without its adapter, as rl.models.local(adapter=None)"
        )
    return replace(prompt, head=f"{instruction}\n{prompt.head.partition(chr(10))[2]}")


def actions_of(world: World) -> Sequence[Action]:
    actions: Any = getattr(world, "actions", None)  # of a class it may be a property
    if not (isinstance(actions, Sequence) and all(isinstance(each, Action) for each in actions)):
        raise ValueError(
            "this world does not say which actions it has: give it `actions`, a tuple of "
            "rl.types.Action, as rl.envs.Wiki(pages) has"
        )
    return tuple(actions)


def exemplars(kind: Kind, leg: str, prompts: str | PathLike[str], type: object) -> str:
    """The text of the exemplars that are asked for: ours, the authors', or a file of yours."""
    if order_of(prompts) is None:
        return exemplar_text(str(prompts))
    if str(prompts).startswith("authors"):
        from .tasks import published  # fetches: only where they are asked for

        return published.exemplars(kind, type, leg)
    if not (name := kind.exemplars_for(type, leg)):
        raise ValueError(f"no exemplars for {kind.noun} come with react_lab: give prompts=path")
    return exemplar_text(name)
