"""What a model is asked: the prompt of a leg, and what a run sent at one of its steps."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, overload

from . import authors
from .chat import chat_prompt, transcript_of
from .edits import leg_of
from .kinds import Kind, kind_named, kind_of
from .prompts import CHAT, Prompt, exemplar_text, order_of, parts_of, prompt_for
from .transcript import Transcript
from .types import Action, Message, Model, Step, Trajectory, World

__all__ = ["begun", "prompt_of", "world_of"]


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
    return written((ask or transcript.ask(i)).prompt)


def written(prompt: str | tuple[Message, ...]) -> str:
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
