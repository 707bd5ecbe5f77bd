"""Prompts are ablated, never stored twice (section 3.2: baselines remove parts of ReAct).

One exemplar file a task set holds full ReAct trajectories. `ablate` takes thoughts, acts or
observations away, and what is left is the prompt of Act, of Chain-of-Thought, or the standard one.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from . import data
from .layouts import Layout, Numbered, Plain, parse
from .types import Action, Part, Step

__all__ = [
    "KEEP", "Exemplar", "Prompt", "ablate", "instruction", "layout_for", "prompt_for",
    "read_exemplars", "render",
]  # fmt: skip

KEEP: dict[str, frozenset[Part]] = {
    "react": frozenset({"thought", "action", "observation"}),
    "act": frozenset({"action", "observation"}),
    "cot": frozenset({"thought"}),
    "standard": frozenset(),
}


@dataclass(frozen=True)
class Exemplar:
    """A worked example: the task's opening line, its steps, and the thoughts CoT has instead."""

    opening: str
    steps: tuple[Step, ...]
    rationale: str | None = None


@dataclass(frozen=True)
class Prompt:
    """What stands before the task: instruction and exemplars, and how the transcript goes on."""

    leg: str
    layout: Layout
    head: str = ""

    @functools.cached_property
    def hash(self) -> str:
        return hashlib.sha256(f"{self.layout}\n{self.head}".encode()).hexdigest()[:16]

    @property
    def bare(self) -> bool:
        """No instruction and no exemplars: how a fine-tuned model is asked."""
        return not self.head


def read_exemplars(
    text: str, layout: Layout, opener: str = "(?:Question|Claim): "
) -> tuple[str, tuple[Exemplar, ...]]:
    """An exemplar file -> the statement at its top, and its exemplars."""
    statement, *blocks = re.split(rf"^(?={opener})", text, flags=re.M)
    return statement, tuple(read_exemplar(block, layout) for block in blocks)


def read_exemplar(block: str, layout: Layout) -> Exemplar:
    head, steps = parse(layout, block)
    opening, _, rationale = head.partition("Rationale: ")
    return Exemplar(opening.strip(), steps, rationale.strip() or None)


def ablate(exemplar: Exemplar, keep: frozenset[Part]) -> Exemplar:
    """Take parts away from every step; the final act's answer always stays."""
    if "action" not in keep:
        return replace(exemplar, steps=(answer_alone(exemplar, keep),))
    kept = [keep_parts(step, keep) for step in exemplar.steps]
    return replace(exemplar, steps=tuple(step for step in kept if step.thought or step.action))


def keep_parts(step: Step, keep: frozenset[Part]) -> Step:
    """A thought's observation (`OK.`) goes with the thought."""
    thought = step.thought if "thought" in keep else None
    action = step.action if "action" in keep else None
    seen = step.observation if "observation" in keep and (thought or action) else None
    return replace(step, thought=thought, action=action, observation=seen)


def answer_alone(exemplar: Exemplar, keep: frozenset[Part]) -> Step:
    """Nothing is done, so nothing is seen: one step with the thoughts, or none, and the answer."""
    thoughts = exemplar.rationale or " ".join(s.thought for s in exemplar.steps if s.thought)
    return Step(thoughts if "thought" in keep else None, exemplar.steps[-1].action)


def layout_for(keep: frozenset[Part], acting: Layout, lead: str = "") -> Layout:
    """The look of what is kept: with acts the world's own layout, without them a plain one."""
    if "action" not in keep:
        return Plain("thought" in keep, lead)
    return type(acting)("thought" in keep)  # type: ignore[call-arg]


def render(exemplar: Exemplar, layout: Layout) -> str:
    """An exemplar as it stands in the prompt."""
    shown = "".join(layout.show(step, i) for i, step in enumerate(exemplar.steps, 1))
    return f"{exemplar.opening}\n{shown}"


def instruction(actions: Sequence[Action], keep: frozenset[Part]) -> str:
    """What the turns are and what the acts do; a leg that does not act needs none of it."""
    if "action" not in keep:
        return ""
    acts = "; ".join(f"({k}) {a.usage}, which {a.effect}" for k, a in enumerate(actions, 1))
    if "thought" not in keep:
        return f"Take turns: an Action, then an Observation. An Action is one of: {acts}.\n"
    return (
        "Take turns: a Thought, an Action, then an Observation. A Thought reasons about what is "
        f"known and what to do next. An Action is one of: {acts}.\n"
    )


def prompt_for(
    leg: str,
    actions: Sequence[Action],
    source: str,
    *,
    acting: Layout | None = None,
    lead: str = "",
    shots: int | None = None,
) -> Prompt:
    """A leg's prompt, from the text of an exemplar file: statement, instruction, exemplars."""
    acting = acting or Numbered()
    statement, exemplars = read_exemplars(source, acting)
    keep = KEEP[leg]
    layout = layout_for(keep, acting, lead)
    shown = [render(ablate(exemplar, keep), layout) for exemplar in exemplars[:shots]]
    head = (
        statement.strip()
        + "\n"
        + instruction(actions, keep)
        + "\n"
        + "".join(s + "\n" for s in shown)
    )
    return Prompt(leg, layout, head)


def exemplar_text(name: str) -> str:
    """Our own exemplars for a task set: multihop or claims."""
    return data.folder("exemplars", f"{name}.txt").read_text(encoding="utf-8")
