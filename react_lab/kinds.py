"""What is particular to a kind of task: one record per kind; others ask it, and know no names.

A new kind is a record here (or `KINDS["mine"] = Kind(...)` from outside), an Env, an exemplar file
and a task file.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from .languages import Language, language_named
from .layouts import Game, Layout, Numbered, Plain, Shop
from .types import Task, World

__all__ = ["KINDS", "LEGS", "Kind", "kind_named", "kind_of", "load", "world_of"]

LEGS = ("standard", "cot", "act", "react")  # in the order of the paper's tables


@dataclass(frozen=True)
class Kind:
    """How tasks of a kind are put, done, limited and graded."""

    opener: str = "Question"  # what a task is called, and how it begins: `Question: ...`
    noun: str = "tasks"  # what several of them are called in a caption
    begins: str = ""  # how it begins in a prompt, if not with its opener and a colon
    world: World | str = ""  # a maker of Envs, or the module and name of one; "": none is bundled
    max_steps: int = 7
    legs: tuple[str, ...] = LEGS  # the prompts there are: in a game there is no answering at once
    layout: Layout = field(default_factory=Numbered)
    # of its acting prompts, by leg; none: the language's
    instruction: Mapping[str, str] = field(default_factory=dict, hash=False)
    lead: str = ""  # opens a thought without acts: "Let's think step by step."
    exemplars: str = ""  # a file, or a name in data/exemplars; with {type} one per type of task
    # legs with exemplars of their own (other thoughts), and what their file's name adds
    suffixes: Mapping[str, str] = field(default_factory=dict, hash=False)
    grade: Literal["exact", "label", "reward"] = "exact"
    in_parts: bool = False  # a reward below 1 is worth something: its mean is the score
    ends_with: str = "Finish"  # the act that answers; "" where the world says when it is over
    closed: tuple[str, ...] = ()  # answers that stand on no page: yes and no, the labels
    empty: tuple[str, ...] = ()  # how an observation begins that brings nothing
    authors: str = ""  # in the authors' repository: a file of prompts, their names, those of CoT
    adapters: str = ""  # whose adapters its legs take: "household" names `household/react`
    # Three for other rooms; the first two are the thing itself, or `module`, or `module:name`.
    evidence: Any = ""  # how its runs are read for labels, an `Evidence`; "": pages, or a game
    causes: Any = field(default="", hash=False)  # why runs are lost: CAUSES, causes(runs)
    view: Literal["", "page", "house", "shop"] = ""  # how what an Env's view() gives is drawn

    @property
    def language(self) -> Language:
        return language_named(getattr(self.layout, "language", "en"))

    @property
    def start(self) -> str:
        """How a task begins in a prompt: `Question:`."""
        return self.begins or f"{self.opener}{self.language.colon}"

    def exemplars_for(self, task_type: object = None, leg: str = "") -> str:
        return self.exemplars.format(type=task_type) + self.suffixes.get(leg, "")

    def check(self, leg: str) -> None:
        """Say plainly that a leg is none of this kind's."""
        if leg not in self.legs:
            legs = ", ".join(self.legs)
            raise ValueError(f"{self.noun} are not asked by {leg}; they take: {legs}")

    def layout_for(self, keep: Collection[str], lead: str = "") -> Layout:
        """The look of what is kept: with acts the kind's own layout, without them a plain one."""
        opener, thinks = self.start.rstrip(": ："), "thought" in keep
        if "action" not in keep:
            ends_with, lang = self.ends_with or "Finish", self.language.code
            return Plain(thinks, lead, opener=opener, ends_with=ends_with, language=lang)
        layout = replace(self.layout, thinks=thinks)
        return replace(layout, opener=opener) if isinstance(layout, Numbered) else layout

    def adapter(self, leg: str) -> str:
        """The name under which a leg asks its model: an adapter belongs to a world and a leg."""
        return f"{self.adapters}/{leg}" if self.adapters else leg

    def type_of(self, task: Task) -> str | None:
        """A column to group a table by: bridge or comparison; of a claim, its label."""
        return task.extra.get("type") or (task.gold if self.grade == "label" else None)


GAME = {  # what the prompt of a game says of its turns
    "react": "Interact with a household to solve a task. After each > stands an act or, where one "
    "helps, a thought (> think: ...). An act is one of: {acts}.",
    "act": "Interact with a household to solve a task. After each > stands an act, one of: {acts}.",
}
SHOPPING = {
    "react": "Buy in a shop what an instruction asks for. After each Action: stands an act or, "
    "where one helps, a thought (think[...]). An act is one of: {acts}.",
    "act": "Buy in a shop what an instruction asks for. After each Action: stands an act, one of: "
    "{acts}.",
}
NOTHING = ("Could not find", "No more results", "Invalid action")

KINDS: dict[str, Kind] = {
    "multihop": Kind(
        noun="multi-hop questions",
        world="react_lab.envs.wiki:Wiki",
        view="page",
        max_steps=7,  # section 3.2
        lead="Let's think step by step.",
        exemplars="multihop",
        authors="prompts_naive.json webthink_simple6 cotqa_simple6",
        closed=("yes", "no"),
        empty=NOTHING,
    ),
    "claims": Kind(
        opener="Claim",
        noun="claims",
        world="react_lab.envs.wiki:Wiki",
        view="page",
        max_steps=5,
        exemplars="claims",
        authors="fever.json webthink_simple3 cotqa_simple3",
        grade="label",
        closed=("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"),
        empty=NOTHING,
    ),
    "multihop-zh": Kind(
        opener="问题",
        noun="multi-hop questions in Chinese",
        world="react_lab.envs.wiki:ChineseWiki",
        view="page",
        layout=Numbered(language="zh"),
        lead="让我们一步一步地想。",
        exemplars="multihop-zh",
        ends_with="完成",
        closed=("是", "否"),
        empty=("找不到", "没有更多结果", "无效的行动"),
        adapters="multihop-zh",
    ),
    "household": Kind(
        opener="Task",
        noun="household games",
        begins="You are in the middle of a room. ",
        world="react_lab.envs.household:Household",
        evidence="react_lab.label.rules:GameEvidence",
        causes="react_lab.analysis.household",
        view="house",
        max_steps=50,  # section 4
        legs=("act", "react", "react-im"),
        layout=Game(),
        instruction=GAME,
        exemplars="household/{type}",
        authors=r"alfworld_3prompts.json react_{type}_\d",
        suffixes={"react-im": ".im"},
        grade="reward",
        ends_with="",
        empty=("Nothing happens",),
        adapters="household",
    ),
    "shop": Kind(
        opener="Shopping goal",
        noun="shopping goals",
        begins="Webshop \nInstruction:",
        world="react_lab.envs.shop:Shop",
        evidence="react_lab.label.rules:ShopEvidence",
        causes="react_lab.analysis.shop",
        view="shop",
        max_steps=15,  # as in the authors' notebook
        legs=("act", "react"),
        layout=Shop(),
        instruction=SHOPPING,
        exemplars="shop",
        grade="reward",
        in_parts=True,
        ends_with="",
        empty=("Invalid action",),
        adapters="shop",
    ),
    "tools": Kind(
        noun="questions for tools",
        world="react_lab.envs.tools:Tools",
        lead="Let's think step by step.",
        exemplars="tools",
        closed=("yes", "no", "unknown"),
        empty=("Invalid action",),
        adapters="tools",
    ),
}


def kind_named(name: str) -> Kind:
    """The record of a kind, or a sentence that lists those there are."""
    if name not in KINDS:
        raise ValueError(f"no kind of task {name!r}; there are: {', '.join(KINDS)}")
    return KINDS[name]


def kind_of(name: str) -> Kind:
    """The record of a kind; of one that nobody knows, no error but a plain record."""
    return KINDS.get(name) or Kind(noun=name)


def load(place: Any) -> Any:
    """What a record names by `module` or `module:name`; what is no string, as it is."""
    if not place or not isinstance(place, str):
        return place
    module, _, name = place.partition(":")
    found = importlib.import_module(module)
    return getattr(found, name) if name else found


def world_of(kind: Kind, world: World | None = None) -> World:
    """The world that is given, else the bundled one of the kind."""
    if world is not None:
        return world
    if not kind.world:
        raise ValueError(f"no world for {kind.noun} comes with react_lab: give yours as world=")
    made: World = load(kind.world)() if isinstance(kind.world, str) else kind.world
    return made
