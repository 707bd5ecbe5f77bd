"""Prompts are ablated, never stored twice (section 3.2: baselines remove parts of ReAct).

An exemplar file holds full ReAct trajectories. `ablate` takes thoughts, acts or observations away,
and what is left is the prompt of Act, of Chain-of-Thought, or the standard one.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from . import data
from .kinds import Kind
from .layouts import Layout, parse
from .records import blame, text, whole
from .repairs import OPENERS
from .support.files import expand
from .types import Action, Part, Step

KEEP: dict[str, frozenset[Part]] = {
    "react": frozenset({"thought", "action", "observation"}),
    "act": frozenset({"action", "observation"}),
    "cot": frozenset({"thought"}),
    "standard": frozenset(),
}
# `ours 2+1`: the second of ours, then the first
NAMED = re.compile(r"(?:ours|authors)(?: (\d{1,3}(?:\+\d{1,3})*))?")
# zero-shot, in messages; and the leg that keeps the same parts
CHAT = {"react-chat": "react", "react-tools": "react", "act-tools": "act"}
TWINS = {"react-im": "react"}  # a leg that keeps the same parts as another, with other thoughts
LARGEST = 256 << 10  # bytes of an exemplar file
BEGINS = tuple(f"{opener.capitalize()}: " for opener in OPENERS)


def parts_of(leg: str) -> frozenset[Part]:
    same = {leg: leg for leg in KEEP} | TWINS | CHAT
    if leg not in same:
        raise ValueError(f"no leg {leg!r}; there are: {', '.join(same)}")
    return KEEP[same[leg]]


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
    adapter: str = ""  # the name under which the leg asks its model; "" is the leg's own
    actions: tuple[Action, ...] = ()  # of a chat: the acts that can be called
    ends_with: str = ""  # and the one that answers

    def __post_init__(self) -> None:
        object.__setattr__(self, "head", whole(self.head))

    @functools.cached_property
    def hash(self) -> str:
        acts = f"\n{self.actions}" if self.actions else ""
        return hashlib.sha256(f"{self.layout}\n{self.head}{acts}".encode()).hexdigest()[:16]

    @property
    def bare(self) -> bool:
        """No instruction and no exemplars: how a fine-tuned model is asked."""
        return not self.head

    @property
    def asks_as(self) -> str:
        """`Ask.leg`: the adapter that is meant, else the leg."""
        return self.adapter or self.leg


def read_exemplars(
    text: str, layout: Layout, begins: Sequence[str] = BEGINS
) -> tuple[str, tuple[Exemplar, ...]]:
    """An exemplar file -> the statement at its top, and its exemplars."""
    starts = "|".join(map(re.escape, begins))
    statement, *blocks = re.split(rf"^(?={starts})", text, flags=re.M)
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


def render(exemplar: Exemplar, layout: Layout) -> str:
    shown = "".join(layout.show(step, i) for i, step in enumerate(exemplar.steps, 1))
    return f"{exemplar.opening}\n{shown}"


def instruction(actions: Sequence[Action], keep: frozenset[Part], kind: Kind) -> str:
    """What the turns are and what the acts do; a leg that does not act needs none of it."""
    if "action" not in keep:
        return ""
    language = kind.language
    acts = language.between.join(
        language.listed.format(k=k, usage=a.usage, effect=a.effect)
        for k, a in enumerate(actions, 1)
    )
    words = (kind.instruction or language.turns_told)["react" if "thought" in keep else "act"]
    return words.format(acts=acts) + "\n"


def prompt_for(
    leg: str, kind: Kind, actions: Sequence[Action], exemplar_file: str,
    shots: int | None = None, order: Sequence[int] = (),
) -> Prompt:  # fmt: skip
    """A leg's prompt, from the text of an exemplar file: statement, instruction, exemplars.

    shots: how many of these; None is all. order: the numbers of those to show, else as they stand.
    """
    statement, exemplars = read_exemplars(exemplar_file, kind.layout, [kind.start])
    if not exemplars:
        raise ValueError(f"no exemplar found of {kind.noun}: one begins with a line {kind.start!r}")
    if not all(each.steps and each.steps[-1].action for each in exemplars):
        raise ValueError("an exemplar goes on to its answer: its last step is an act that ends it")
    if order and not 1 <= min(order) <= max(order) <= len(exemplars):
        raise ValueError(f"there are exemplars 1 to {len(exemplars)}, not {[*order]}")
    exemplars = tuple(exemplars[number - 1] for number in order) or exemplars
    keep = parts_of(leg)
    layout = kind.layout_for(keep, kind.lead)
    shown = [render(ablate(exemplar, keep), layout) + "\n" for exemplar in exemplars[:shots]]
    head = f"{statement.strip()}\n{instruction(actions, keep, kind)}\n{''.join(shown)}"
    return Prompt(leg, layout, head, kind.adapter(leg))


def order_of(prompts: object) -> tuple[int, ...] | None:
    """Which exemplars of ours, or of the authors, are asked for, and in which order; () is all.

    None: a file of yours is asked for.

    >>> order_of("ours 2+1"), order_of("authors"), order_of("mine.txt")
    ((2, 1), (), None)
    """
    found = NAMED.fullmatch(str(prompts))
    if found is None:
        return None
    return tuple(map(int, found[1].split("+"))) if found[1] else ()


def exemplar_text(source: str) -> str:
    """The exemplars in a file: one of ours, by its name in data/exemplars, or one by its path."""
    ours = data.folder("exemplars", f"{source}.txt")
    with blame(f"{source!r} is no exemplar file that can be read", (OSError, ValueError)):
        there = ours if ours.is_file() else expand(source)
        if there.stat().st_size > LARGEST:
            raise ValueError(f"{LARGEST >> 10} kB is more than any prompt takes")
        return text(there)
