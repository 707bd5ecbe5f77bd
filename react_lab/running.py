"""Run a method on a task: the one place where task, kind, model and options become an episode."""

from __future__ import annotations

import functools
import hashlib
import inspect
import warnings
from collections.abc import Callable, Generator, Sequence
from dataclasses import fields, replace
from os import PathLike
from typing import Any, Literal, TypeVar, overload

from .agent import Events, Kit, Options, transcript_of, world_name
from .kinds import Kind, kind_named, kind_of, world_of
from .methods import METHODS, Method, Play, leg_of, legs_of, method_named, name_of
from .prompts import (
    CHAT,
    KEEP,
    TWINS,
    Prompt,
    exemplar_text,
    order_of,
    parts_of,
    prompt_for,
)
from .support.text import inline, source_of
from .transcript import Transcript
from .types import (
    FAULTS,
    Action,
    Event,
    Message,
    Model,
    Step,
    Task,
    Trajectory,
    World,
    whole_model,
)

__all__ = [
    "begun", "going_on", "id_of", "kit_for", "play", "prompt_of", "resume", "run", "start_of",
    "steps", "with_options",
]  # fmt: skip

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
    method: str | Play,
    task: Task,
    model: Model,
    *,
    world: World | None = None,
    on_error: OnError = "raise",
    **options: Any,
) -> Trajectory:
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


def raising(events: Events) -> Events:
    return checked((yield from events))


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
    known = hashlib.sha256(f"{start.id} {source_of(found)}".encode()).hexdigest()[:16]
    return replace(start, id=known)


@with_options
def resume(
    run: Trajectory,
    model: Model,
    *,
    method: str | Play | None = None,
    world: World | None = None,
    on_error: OnError = "raise",
    **options: Any,
) -> Trajectory:
    """Go on from an edited run (`rethink`), or from one that a fault cut short.

    Every option that is left out, or None, is as the run had it. method: of a run by a method of
    your own, its function. world: of a run in a world of your own, that world.
    """
    return drain(going_on(run, model, method, world, **options), on_error)


def going_on(
    run: Trajectory,
    model: Model,
    method: str | Play | None = None,
    world: World | None = None,
    **options: Any,
) -> Events:
    """`resume`, to be watched: first the steps that are there, then those that are new."""
    method = method or one_prompt(run)
    carried = {name: run.settings[name] for name in (*OPTIONS, "repeat") if name in run.settings}
    given = {name: value for name, value in options.items() if value is not None}
    kit = kit_for(run.task, model, world=world, **carried | given)
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
    return checked(run) if on_error == "raise" else run


def checked(run: Trajectory) -> Trajectory:
    """A run that no fault ended; else that fault is raised."""
    if run.end in FAULTS:
        fault = FAULTS[run.end](run.error)
        fault.run = run
        raise fault
    return run


def kit_for(
    task: Task,
    model: Model,
    *,
    world: World | None = None,
    repeat: int = 0,
    kind: Kind | None = None,
    **options: Any,
) -> Kit:
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
        prompt_of, kind=kind, model=model, world=world, type=task.extra.get("type"),
        shots=asked.shots, prompts=asked.prompts,
    )  # fmt: skip
    return Kit(model, world_of(kind, world), functools.cache(prompt), asked, repeat, legs=kind.legs)


def check(task: Any, model: Any, world: Any, options: dict[str, Any]) -> None:
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
    if unknown := [name for name in options if name not in OPTIONS]:
        raise TypeError(f"a run has no option {unknown[0]!r}; it has: {', '.join(OPTIONS)}")


# ------------------------------------------------------------------ what a model is asked


@overload
def prompt_of(
    leg: str,
    kind: str | Kind = "multihop",
    *,
    model: Model | None = None,
    world: World | None = None,
    shots: int | None = None,
    prompts: str | PathLike[str] = "ours",
    type: object = None,
) -> Prompt: ...


@overload
def prompt_of(leg: Trajectory, kind: int, /, *, world: World | None = None) -> str: ...


def prompt_of(
    leg: str | Trajectory,
    kind: str | Kind | int = "multihop",
    *,
    model: Model | None = None,
    world: World | None = None,
    shots: int | None = None,
    prompts: str | PathLike[str] = "ours",
    type: object = None,
) -> Prompt | str:
    """The prompt of a leg; or `prompt_of(run, 3)`, the whole text that a run sent at step 3.

    A model tuned for the leg is asked bare, as it was trained. leg: standard, cot, act or react; or
    a chat's, whose prompt is its system instruction: react-chat, react-tools, act-tools.
    kind: of the task. type: of the task, where every type has exemplars of its own. model, world,
    shots, prompts: as `rl.run` lists them; of a run in a world of your own, that world.
    """
    if isinstance(leg, Trajectory):
        return sent(leg, kind, world)
    if isinstance(kind, int):
        raise TypeError(f"prompt_of(run, {kind}) takes a run, not {leg!r}")
    keep = parts_of(leg)
    kind = kind_named(kind) if isinstance(kind, str) else kind
    kind.check(CHAT.get(leg, leg))
    tuned = model is not None and kind.adapter(leg) in model.tuned
    if leg in CHAT:
        from .chat.turns import chat_prompt

        prompt = chat_prompt(leg, kind, actions_of(world_of(kind, world)))
        return replace(prompt, head="") if tuned else prompt
    if tuned:
        return Prompt(leg, kind.layout_for(keep), adapter=kind.adapter(leg))
    source = exemplars(kind, leg, prompts, type)
    actions = actions_of(world_of(kind, world))
    return prompt_for(leg, kind, actions, source, shots, order_of(prompts) or ())


def actions_of(world: World) -> Sequence[Action]:
    actions = getattr(world, "actions", None)
    if actions is None:
        raise ValueError(
            "this world does not say which actions it has: give it `actions`, a tuple of "
            "rl.types.Action, as rl.envs.Wiki has"
        )
    return tuple(actions)


def exemplars(kind: Kind, leg: str, prompts: str | PathLike[str], type: object) -> str:
    """The text of the exemplars that are asked for: ours, the authors', or a file of yours."""
    if order_of(prompts) is None:
        return exemplar_text(str(prompts))
    if str(prompts).startswith("authors"):
        from .tasks import authors  # fetches: only where they are asked for

        return authors.exemplars(kind, type, leg)
    if not (name := kind.exemplars_for(type, leg)):
        raise ValueError(f"no exemplars for {kind.noun} come with react_lab: give prompts=path")
    return exemplar_text(name)


def sent(run: Trajectory, i: object, world: World | None) -> str:
    """What the model was asked at step i, as the run's settings and steps say."""
    if not isinstance(i, int) or not 1 <= i <= len(run.steps):
        raise ValueError(
            f"step {i!r} is not in this run: prompt_of(run, 3) is what was sent at its third step, "
            f"and it has steps 1 to {len(run.steps)}"
        )
    transcript = begun(run, world)
    for k, step in enumerate(run.steps[: i - 1], 1):
        transcript.add(step, k)
    step = run.steps[i - 1]
    ask = None
    if "thought" in step.human and "action" not in step.human:  # asked for the act alone
        ask = transcript.ask_act(i, Step(step.thought, human=step.human))
    return as_text((ask or transcript.ask(i)).prompt)


def as_text(prompt: str | tuple[Message, ...]) -> str:
    """What was sent as one text; of a chat, each message below its role."""
    if isinstance(prompt, str):
        return prompt
    parts = []
    for said in prompt:
        calls = [f"{call.name} {call.arguments}" for call in said.calls]
        parts.append("\n".join(filter(None, (f"[{said.role}]", said.text, *calls))))
    return "\n\n".join(parts)


def begun(run: Trajectory, world: World | None = None) -> Transcript:
    """The transcript of a run as it began: its prompt and its task, and no step yet."""
    kind, leg, settings = kind_of(run.task.kind), leg_of(run), run.settings
    limit = settings.get("context") or (settings.get("shortened") or {}).get("context")
    transcript = transcript_of(prompt_in(run, kind, leg, world), limit)
    transcript.begin(world_of(kind, world)(run.task).reset(run.task))
    return transcript


def prompt_in(run: Trajectory, kind: Kind, leg: str, world: World | None) -> Prompt:
    """The prompt that a run was asked with, if it is still to be had."""
    settings: dict[str, Any] = {"prompt": {}, "bare": (), **run.settings}
    if leg in settings["bare"] and leg not in CHAT:
        prompt = Prompt(leg, kind.layout_for(parts_of(leg)), adapter=kind.adapter(leg))
    else:
        options = {name: settings[name] for name in ("shots", "prompts") if name in settings}
        type = run.task.extra.get("type")
        prompt = prompt_of(leg, kind, world=world, type=type, **options)
    if settings["prompt"].get(leg) not in (None, prompt.hash):
        raise ValueError(
            "this run was asked with another prompt than its settings give now: its exemplars or "
            "the acts of its world have changed since"
        )
    return prompt
