"""How a step looks on paper (Appendix C): numbered, game, shop, plain.

A layout reads what a model wrote into a `Step` and shows a `Step` as text. Reading is total: any
string gives a step and never an exception, because what a model does wrong is data. We cut on our
side, at the first line that the world should have written, whatever the server did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

from .languages import Language, language_named
from .repairs import (
    ANSWER,
    drop_cue,
    drop_preamble,
    find_mark,
    finish,
    first_act,
    first_line,
    first_turn,
    one_line,
    step_of,
    tidy,
)  # fmt: skip
from .types import Step, split_act

THINK = re.compile(r"think[ \t]?:[ \t]?", re.I)


@dataclass(frozen=True)
class Numbered:
    """`Thought 1: … Action 1: … Observation 1: …` (HotpotQA and FEVER, Appendix C.1 and C.2).

    What the loop needs of every layout is commented here.
    """

    thinks: bool = True  # does it show thoughts?
    sparse: bool = False  # may a thought stand alone?
    opener: str = field(default="Question", repr=False)  # how the next task would begin
    language: str = field(default="en", repr=False)

    @property
    def words(self) -> Language:
        return language_named(self.language)

    @property
    def pairs(self) -> bool:  # a thought without its act is worth a second call
        return self.thinks

    def cue(self, i: int) -> str:  # ends the prompt: the model goes on from here
        return self.heading(self.words.thought, i) if self.thinks else self.act_cue(i)

    def act_cue(self, i: int) -> str:  # ends it when the thought is already there
        return self.heading(self.words.action, i)

    def heading(self, name: str, i: int) -> str:
        return f"{name} {i}{self.words.colon}".rstrip()

    def stop(self, i: int) -> tuple[str, ...]:  # where the server should stop
        return ("\n" + self.heading(self.words.observation, i),)

    def read(self, text: str, i: int) -> Step:  # what the model wrote after the cue
        tidied, repairs = tidy(self.words.turns(text), self.opener)
        tidied, repairs = drop_cue(tidied, i, "thought" if self.thinks else "action", repairs)
        mark = find_mark(tidied, "action")
        if mark and self.thinks:
            tidied, mark = drop_preamble(tidied, mark, i, repairs)
        if mark is None:
            return self.read_unmarked(tidied, text, repairs)
        thought = first_turn(tidied[: mark.start()], repairs) if self.thinks else ""
        if mark[2] != str(i):
            repairs.append("wrong number" if mark[2] else "number missing")
        action = first_act(first_turn(tidied[mark.end() :], repairs), repairs)
        return step_of(thought, action, text, repairs)

    def read_unmarked(self, tidied: str, raw: str, repairs: list[str]) -> Step:
        """No `Action i:` in sight: the line is the act itself, or else a thought alone."""
        line = first_line(first_turn(tidied, repairs))
        if not self.thinks:
            return step_of("", first_act(line, repairs), raw, repairs)
        if split_act(line):
            return step_of("", line, raw, [*repairs, "act without its marker"])
        return step_of(line, "", raw, repairs)

    def read_act(self, text: str, i: int) -> Step:  # what it wrote after the act cue
        return replace(self, thinks=False).read(text, i)

    def show(self, step: Step, i: int) -> str:
        words, action = self.words, self.words.show_act(step.action or "")
        names = words.thought, words.action, words.observation
        parts = zip(names, (step.thought, action, step.observation), strict=True)
        return "".join(f"{name} {i}{words.colon}{text}\n" for name, text in parts if text)

    def divide(self, turn: str, i: int) -> tuple[str, str | None]:  # what model and world wrote
        written, mark, seen = turn.partition("\n" + self.heading(self.words.observation, i))
        return written, seen.strip() if mark else None


@dataclass(frozen=True)
class OneLine:
    """A turn is one line: an act, or a thought, which the model has when it decides to (section 4).

    Below, the two looks: how a thought is written, and what the world says to it.
    """

    thinks: bool = True
    pairs: bool = False
    sparse: bool = True
    prompt: ClassVar[str]
    thought: ClassVar[str]
    seen: ClassVar[str]

    def cue(self, i: int) -> str:
        return self.prompt

    act_cue = cue

    def stop(self, i: int) -> tuple[str, ...]:
        return ("\n",)

    def show(self, step: Step, i: int) -> str:
        thought = f"{self.prompt} {self.thought}\n".format(step.thought) if step.thought else ""
        seen = self.seen.format(step.observation) if step.observation else ""
        if step.action is None:
            return thought + seen
        before = thought and thought + self.seen.format("OK.")  # a person's, before the act
        return f"{before}{self.prompt} {step.action}\n{seen}"


class Game(OneLine):
    """`> think: …` / `OK.` / `> go to shelf 1` / `On the shelf 1, you see …` (Appendix C.4)."""

    prompt, thought, seen = ">", "think: {}", "{}\n"

    def read(self, text: str, i: int) -> Step:
        tidied, repairs = tidy(text)
        line = one_line(tidied, repairs).lstrip("> ")
        think = THINK.match(line)
        thought, action = (line[think.end() :], "") if think else ("", line)
        return step_of(thought if self.thinks else "", action, text, repairs)

    read_act = read

    def divide(self, turn: str, i: int) -> tuple[str, str | None]:
        written, _, seen = turn.partition("\n")
        return written, seen.strip() or None


class Shop(OneLine):
    """`Action: think[…]` / `Observation: OK.` / `Action: search[…]` (WebShop, Appendix C.3)."""

    prompt, thought, seen = "Action:", "think[{}]", "Observation: {}\n\n"

    def read(self, text: str, i: int) -> Step:
        tidied, repairs = tidy(text)
        tidied, repairs = drop_cue(tidied, i, "action", repairs, numbered=False)
        act = first_act(one_line(tidied, repairs), repairs)
        match split_act(act):
            case (name, thought) if name.lower() == "think":
                return step_of(thought if self.thinks else "", "", text, repairs)
        return step_of("", act, text, repairs)

    read_act = read

    def divide(self, turn: str, i: int) -> tuple[str, str | None]:
        """A page begins on the line after `Observation:`, as it does in the authors' notebook."""
        written, mark, seen = turn.partition("\nObservation:")
        return written, seen.removeprefix(" ").rstrip() if mark else None


@dataclass(frozen=True)
class Plain:
    """`Thought: … Answer: …`: Chain-of-Thought, or with no thought the standard prompt."""

    thinks: bool = True
    lead: str = ""  # "Let's think step by step." opens the thought (Kojima et al.)
    pairs: bool = False
    sparse: bool = False
    opener: str = field(default="Question", repr=False)
    ends_with: str = field(default="Finish", repr=False)  # the act that an answer stands for
    language: str = field(default="en", repr=False)

    @property
    def words(self) -> Language:
        return language_named(self.language)

    def cue(self, i: int) -> str:
        cue = f"{self.words.thought}{self.words.colon}{self.lead}".rstrip()
        return cue if self.thinks else self.act_cue(i)

    def act_cue(self, i: int) -> str:
        return f"{self.words.answer}{self.words.colon}".rstrip()

    def stop(self, i: int) -> tuple[str, ...]:
        words = self.words
        openers = dict.fromkeys((*words.openers, self.opener))
        ends = (f"\n{opener}{words.colon}".rstrip(" ") for opener in openers)
        return *ends, f"\n{words.observation}"

    def read(self, text: str, i: int) -> Step:
        tidied, repairs = tidy(self.words.answers(text), self.opener)
        tidied, repairs = drop_cue(tidied, i, "thought", repairs, numbered=False)
        tidied = tidied.removeprefix(self.lead).lstrip() if self.lead else tidied
        mark = ANSWER.search(tidied)
        if mark is None and self.thinks:
            return step_of(tidied, "", text, repairs)
        thought = tidied[: mark.start()] if mark and self.thinks else ""
        if mark and not self.thinks:
            repairs.append("repeated cue")
        answer = first_line(tidied[mark.end() :] if mark else tidied)
        return step_of(thought, finish(answer, repairs, self.ends_with), text, repairs)

    def read_act(self, text: str, i: int) -> Step:
        return replace(self, thinks=False, lead="").read(text, i)

    def show(self, step: Step, i: int) -> str:
        act, words = split_act(step.action or ""), self.words
        thought = f"{self.cue(i)}{words.space}{step.thought}\n" if step.thought else ""
        return thought + (f"{words.answer}{words.colon}{act[1]}\n" if act else "")

    def divide(self, turn: str, i: int) -> tuple[str, str | None]:
        return turn, None


Layout = Numbered | Game | Shop | Plain


def parse(layout: Layout, text: str) -> tuple[str, tuple[Step, ...]]:
    """A whole transcript -> what stands before the first step, and the steps.

    Every turn goes through the `read` that reads the model.
    """
    turns = list(turn_starts(layout, text))
    if not turns:
        return text, ()
    ends = [start for start, _ in turns[1:]] + [len(text)]
    steps = []
    for i, ((_, start), end) in enumerate(zip(turns, ends, strict=True), 1):
        written, seen = layout.divide(text[start:end], i)
        step = layout.read(written, i)
        steps.append(Step(step.thought, step.action, seen))
    return text[: turns[0][0]], tuple(steps)


def turn_starts(layout: Layout, text: str) -> Iterator[tuple[int, int]]:
    """Where each turn's cue begins and ends, in order: `Thought 1:`, `Thought 2:`, …"""
    at, i = 0, 1
    while True:
        cues = {re.escape(layout.cue(i)), re.escape(layout.act_cue(i))}
        found = re.compile(rf"^(?:{'|'.join(sorted(cues))})", re.M).search(text, at)
        if found is None:
            return
        # an act without its thought: leave the marker in place, so that `read` sees which it is
        bare = layout.thinks and found[0] != layout.cue(i)
        yield found.start(), found.start() if bare else found.end()
        if not layout.sparse and layout.cue(1) == layout.cue(2):
            return  # plain: there is one turn, its `Answer:` is no second one
        at, i = found.end(), i + 1
