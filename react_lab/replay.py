"""A stored run, taken up again: change a step (Figure 5), go on, see what its model was asked."""

from __future__ import annotations

import hashlib
import json
import warnings
from dataclasses import replace
from os import PathLike
from typing import Any

from .agent import Events, transcript_of, world_name
from .kinds import Kind, kind_of, world_of
from .methods import METHODS, Play, leg_of
from .prompts import CHAT, KEEP, TWINS, Prompt, parts_of
from .records import whole
from .running import OPTIONS, OnError, drain, kit_for, leg_prompt, play, with_options
from .support.text import inline
from .transcript import Transcript
from .types import Message, Model, Part, Step, Trajectory, World

WORDED = ("shots", "prompts", "instruction")  # the options that a prompt is made of


def rethink(
    run: Trajectory, at: int, thought: str | None = None, action: str | None = None
) -> Trajectory:
    """Change step `at` by hand: a NEW, unfinished trajectory whose parent is `run` (Figure 5).

    What follows the edit is dropped. With a new thought and no act, the model chooses the act:
    `rl.resume(rl.rethink(run, at=2, thought="..."), model=model)`. An empty thought takes the
    thought out. In a game a thought is a step of its own: yours takes the place of the thought at
    `at`, or comes before the act there, and an act that you give with it is the step after it.
    """
    if not 1 <= at <= len(run.steps):
        raise ValueError(f"step {at} is not in this run: it has steps 1 to {len(run.steps)}")
    if thought is None and action is None:
        raise ValueError("say what changes: thought=..., action=..., or both")
    if not {type(thought), type(action)} <= {str, type(None)}:
        raise ValueError("a thought and an action are texts")
    thought, action = (text and whole(text) for text in (thought, action))
    alone = kind_of(run.task.kind).layout.sparse
    if thought is not None and not thought.strip():
        if not run.steps[at - 1].thought:
            raise ValueError(f"there is no thought at step {at} that could be taken out")
        if alone and action is None:
            raise ValueError(
                "without this thought the model would only write it again: say which act stands "
                "in its place, thought='', action='...'"
            )
    edited = changed(run.steps[at - 1], thought, action)
    edit = json.dumps([run.id, at, thought, action])
    id = hashlib.sha256(edit.encode()).hexdigest()[:16]
    steps = (*run.steps[: at - 1], *(apart(edited) if alone else [edited]))
    return Trajectory(id, run.task, leg_of(run), run.model, run.settings, steps, parent=run.id)


def changed(step: Step, thought: str | None, action: str | None) -> Step:
    """The step as a person wants it, without what the world said. What was theirs stays theirs."""
    human: list[Part] = ["action"] if action is not None else []
    if thought is not None or "thought" in step.human:
        human = ["thought", *human]
    kept = step.thought if thought is None else thought if thought.strip() else None
    return Step(kept, action, human=tuple(human))


def apart(step: Step) -> list[Step]:
    """A thought and an act as the two steps that they are in a game, each on one line."""
    thought, action = (text and " ".join(text.split()) for text in (step.thought, step.action))
    mine, done = ("thought" in step.human, "action" in step.human)
    if thought is None:
        return [Step(None, action, human=step.human)]
    found = [Step(thought, human=("thought",) if mine else ())]
    return found + [Step(None, action, human=("action",) if done else ())] * (action is not None)


@with_options
def resume(
    run: Trajectory, model: Model, *, method: str | Play | None = None, world: World | None = None,
    on_error: OnError = "raise", **options: Any,
) -> Trajectory:  # fmt: skip
    """Go on from an edited run (`rethink`), or from one that a fault cut short.

    Every option that is left out, or None, is as the run had it. method: of a run by a method of
    your own, its function. world: of a run in a world of your own, that world.
    """
    return drain(going_on(run, model, method, world, **options), on_error)


def going_on(
    run: Trajectory, model: Model, method: str | Play | None = None, world: World | None = None,
    **options: Any,
) -> Events:  # fmt: skip
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


def prompt_of(
    leg: str | Trajectory, kind: str | Kind | int = "multihop", *, model: Model | None = None,
    world: World | None = None, shots: int | None = None,
    prompts: str | PathLike[str] = "ours", type: object = None,
) -> Any:  # fmt: skip
    """The prompt of a leg; or `prompt_of(run, 3)`, the whole text that a run sent at step 3.

    A model tuned for the leg is asked bare, as it was trained. leg: standard, cot, act or react; or
    a chat's, whose prompt is its system instruction: react-chat, react-tools, act-tools.
    kind: of the task. type: of the task, where every type has exemplars of its own. model, world,
    shots, prompts: as `rl.run` lists them; of a run in a world of your own, that world.
    """
    if isinstance(leg, Trajectory):
        return sent_at(leg, kind, world)
    if isinstance(kind, int):
        raise TypeError(f"prompt_of(run, {kind}) takes a run, not {leg!r}")
    asked: dict[str, Any] = {"shots": shots, "prompts": prompts, "type": type}
    return leg_prompt(leg, kind, model=model, world=world, **asked)


def sent_at(run: Trajectory, i: object, world: World | None) -> str:
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
        options = {name: settings[name] for name in WORDED if name in settings}
        type = run.task.extra.get("type")
        prompt = leg_prompt(leg, kind, world=world, type=type, **options)
    if settings["prompt"].get(leg) not in (None, prompt.hash):
        raise ValueError(
            "this run was asked with another prompt than its settings give now: its exemplars or "
            "the acts of its world have changed since"
        )
    return prompt
