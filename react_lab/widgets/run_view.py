"""What a player shows of a run, as plain lists and strings: its steps, its prompt, its world.

Every text is made visible: no control character and no lone surrogate goes out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..agent import world_name
from ..analysis.acts import act_again
from ..display.runs import befell, count, facts
from ..kinds import kind_of, world_of
from ..label.rules import evidence_of
from ..languages import say
from ..prompts import parts_of
from ..replay import begun
from ..support.text import inline, tokens, visible
from ..transcript import TextTranscript
from ..types import Env, EnvError, Step, Trajectory, World

OURS = ("encyclopedia", "household", "shop")
HAS = {"page": "sentences", "house": "receptacles", "shop": "query"}  # what such a view has
View = Mapping[str, Any]


def run_view(
    run: Trajectory,
    world: World | None = None,
    context: int | None = None,
    views: Sequence[View] | None = None,
) -> dict[str, Any]:
    """A run, ready to be shown: its facts, its steps, its prompt and its world.

    context: tokens of a prompt, at most. views: the world's, if known; else the acts are done again
    in the world, and the views are those that it gives.
    """
    found, why = (views, "") if views is not None else views_of(run, world)
    kind = kind_of(run.task.kind)
    plain: dict[str, Any] = make_plain({
        "opener": kind.opener, "task": run.task.text, "method": run.method, "model": run.model,
        "end": run.end, "answer": run.answer, "facts": [*facts(run)], "error": run.error or "",
        "votes": [*count(run.votes)], "samples": run.samples, "steps": steps_of(run),
        "prompt": prompt_in_parts(run, world), "context": run.settings.get("context") or context,
        "world": world_in_parts(found, why, kind.view),
    })  # fmt: skip
    return plain


def make_plain(found: Any) -> Any:
    """Lists, dicts and visible strings, whatever a run or a world's view holds."""
    if isinstance(found, Mapping):
        return {visible(str(key)): make_plain(value) for key, value in found.items()}
    if isinstance(found, list | tuple | set | frozenset):
        return [make_plain(value) for value in found]
    return found if isinstance(found, int | float | bool | None) else visible(str(found))


def steps_of(run: Trajectory) -> list[dict[str, Any]]:
    """The steps, each observation in sentences with the later thoughts that draw on them."""
    found = evidence_of(run)
    used: dict[tuple[int, int], list[int]] = {}
    for i, of in enumerate(found.origins, 1):
        used.setdefault((of.step, of.at), []).append(i)
    rows = []
    for i, (step, of) in enumerate(zip(run.steps, found.origins, strict=True), 1):
        rows.append({
            "thought": step.thought, "action": step.action, "private": step.private,
            "raw": step.raw if step.thought is None and step.action is None else None,
            "observation": [[text, used.get((i, k), [])] for k, text in enumerate(found.cut(step))],
            "human": step.human, "marks": [*befell(step)], "missing": ", ".join(of.missing),
            "from": [of.step, of.at] if of.step else None,
        })  # fmt: skip
    return rows


# ---------------------------------------------------------------------- the prompt


def prompt_in_parts(run: Trajectory, world: World | None = None) -> dict[str, Any]:
    """The prompt in pieces that are put together for each step; or why it is not to be had.

    turns: each step in it, whole and without its observation, with its tokens. asks: for each step
    (and the one after the last) how many observations and steps have left the prompt, how it ends,
    and its tokens.
    """
    try:
        transcript = begun(run, world)
    except (EnvError, ValueError, TypeError) as error:
        return {"note": say("sight.no_prompt", why=str(error))}
    if not isinstance(transcript, TextTranscript):
        return {"note": say("sight.chat")}
    steps: list[Step | None] = [*run.steps]
    more = run.end == "unfinished" and "action" in parts_of(transcript.leg)
    steps.append(Step() if more or not steps else None)  # None: nothing is asked
    asks = []
    for i, step in enumerate(steps, 1):
        text = "" if step is None else cue_of(transcript, step, i)
        left = transcript.fitted(text)
        asks.append([left.observations, left.steps, text, transcript.length(left, text)])
        if i <= len(run.steps):
            transcript.add(run.steps[i - 1], i)
    head = transcript.prompt.head
    turns = [[turn.whole, turn.brief, turn.size] for turn in transcript.turns]
    return {
        "note": "", "head": head, "head_tokens": tokens(head),
        "opening": transcript.opening[len(head) :], "turns": turns, "asks": asks,
    }  # fmt: skip


def cue_of(transcript: TextTranscript, step: Step, i: int) -> str:
    """How a prompt ends; after a person's thought it asks for the act alone."""
    layout = transcript.layout
    if "thought" in step.human and "action" not in step.human and not layout.sparse:
        return layout.show(Step(step.thought, human=step.human), i) + layout.act_cue(i)
    return layout.cue(i)


# ---------------------------------------------------------------------- the world


def views_of(run: Trajectory, world: World | None = None) -> tuple[list[View], str]:
    """What the world looks like before the first step and after each; else why it is not shown."""
    try:
        made = world_of(kind_of(run.task.kind), world)
        made_in = run.settings.get("world")
        if world is None and made_in is not None and not alike(made_in, world_name(made)):
            return [], say("sight.other_world", world=inline(made_in))
        env = made(run.task)
        if not hasattr(env, "view"):
            return [], say("sight.no_view")
        if not getattr(env, "replayable", True):
            return [], say("sight.not_again")
        again = act_again(run, env, view_of)
        return [*again.views], say("sight.drifted", i=again.drifted) if again.drifted else ""
    except (EnvError, ValueError) as error:
        return [], visible(str(error))


def alike(one: str, other: str) -> bool:
    """Are these one world, or two editions of one of ours? What differs is noted at its step."""
    first, second = one.partition(" ")[0], other.partition(" ")[0]
    return one == other or (first == second and first in OURS)


def view_of(env: Env) -> View:
    """What is known now. Of a page only where its reader is: the page itself is kept once."""
    found: View = getattr(env, "view")()  # noqa: B009 (only some worlds have one)
    buttons = getattr(env, "admissible", None) if "query" in found else None
    return {**found, "buttons": buttons()} if buttons else found


def world_in_parts(views: Sequence[View], note: str, kind: str = "") -> dict[str, Any]:
    """The views in a form that is quick to send: each page once.

    kind: how the kind of task has them drawn; "" is found out by what a view has.
    """
    drawn = [name for name, key in HAS.items() if views and key in views[0]]
    kind = kind if kind in drawn else "".join(drawn[:1])
    if not kind:
        note = note or (say("sight.not_drawn") if views else "")
        return {"kind": "", "note": note, "pages": {}, "at": []}
    pages = {view["title"]: view["sentences"] for view in views if kind == "page"}
    at = [{key: view[key] for key in view if key != "sentences"} for view in views]
    return {"kind": kind, "note": note, "pages": pages, "at": at}
