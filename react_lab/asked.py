"""What a model is asked: the prompt of a leg, and what a run sent at one of its steps."""

from __future__ import annotations

import importlib
from os import PathLike
from typing import Any, overload

from .edits import leg_of
from .kinds import Kind, kind_named, kind_of
from .prompts import Prompt, exemplar_text, order_of, parts_of, prompt_for
from .transcript import TextTranscript
from .types import Model, Step, Trajectory, World

__all__ = ["prompt_of", "world_of"]


def world_of(kind: Kind, world: World | None = None) -> World:
    """The world that is given, else the bundled one of the kind."""
    if world is not None:
        return world
    if not kind.world:
        raise ValueError(f"no world for {kind.noun} comes with react_lab: give yours as world=")
    if not isinstance(kind.world, str):
        return kind.world
    module, _, name = kind.world.partition(":")
    bundled: World = getattr(importlib.import_module(module), name)()
    return bundled


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

    A model tuned for the leg is asked bare, as it was trained. leg: standard, cot, act or react.
    kind: of the task. type: of the task, where every type has exemplars of its own. model, world,
    shots, prompts: as `rl.run` lists them; of a run in a world of your own, that world.
    """
    if isinstance(leg, Trajectory):
        return sent(leg, kind, world)
    if isinstance(kind, int):
        raise TypeError(f"prompt_of(run, {kind}) takes a run, not {leg!r}")
    keep = parts_of(leg)
    kind = kind_named(kind) if isinstance(kind, str) else kind
    kind.check(leg)
    if model is not None and kind.adapter(leg) in model.tuned:
        return Prompt(leg, kind.layout_for(keep), adapter=kind.adapter(leg))
    order = order_of(prompts)
    source = str(prompts) if order is None else kind.exemplars_for(type, leg)
    if not source:
        raise ValueError(f"no exemplars for {kind.noun} come with react_lab: give prompts=path")
    actions = getattr(world_of(kind, world), "actions", None)
    if actions is None:
        raise ValueError(
            "this world does not say which actions it has: give it `actions`, a tuple of "
            "rl.types.Action, as rl.envs.Wiki has"
        )
    return prompt_for(leg, kind, actions, exemplar_text(source), shots, order or ())


def sent(run: Trajectory, i: object, world: World | None) -> str:
    """What the model was asked at step i, as the run's settings and steps say."""
    if not isinstance(i, int) or not 1 <= i <= len(run.steps):
        raise ValueError(
            f"step {i!r} is not in this run: prompt_of(run, 3) is what was sent at its third step, "
            f"and it has steps 1 to {len(run.steps)}"
        )
    kind, leg, settings = kind_of(run.task.kind), leg_of(run), run.settings
    limit = settings.get("context") or (settings.get("shortened") or {}).get("context")
    transcript = TextTranscript(prompt_in(run, kind, leg, world), limit)
    transcript.begin(world_of(kind, world)(run.task).reset(run.task))
    for k, step in enumerate(run.steps[: i - 1], 1):
        transcript.add(step, k)
    step = run.steps[i - 1]
    ask = None
    if "thought" in step.human and "action" not in step.human:  # asked for the act alone
        ask = transcript.ask_act(i, Step(step.thought, human=step.human))
    return str((ask or transcript.ask(i)).prompt)


def prompt_in(run: Trajectory, kind: Kind, leg: str, world: World | None) -> Prompt:
    """The prompt that a run was asked with, if it is still to be had."""
    settings: dict[str, Any] = {"prompt": {}, "bare": (), **run.settings}
    if leg in settings["bare"]:
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
