"""How a step looks on paper (Appendix C): numbered, game, shop, plain.

A layout reads what a model wrote into a `Step` and shows a `Step` as text. Reading is total: any
string gives a step and never an exception, because what a model does wrong is data. We cut on our
side, at the first line that the world should have written, whatever the server did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from .types import Step, split_act

__all__ = ["Game", "Layout", "Numbered", "Plain", "Shop", "parse"]

LONGEST_ACT = 2000  # a longer line is no act, and looking for its brackets would take time
WORLD = re.compile(
    r"^[ \t>*#]{0,8}(?:observation|question|claim)[ \t]{0,2}\d{0,4}[ \t]?:", re.M | re.I
)
MARK = re.compile(r"^[ \t>*#]{0,8}(thought|action)[ \t]{0,2}(\d{0,4})[ \t]?:[*]{0,2}", re.M | re.I)
ANSWER = re.compile(r"^[ \t>*#]{0,8}answer[ \t]?:[*]{0,2}", re.M | re.I)
THINK = re.compile(r"think[ \t]?:[ \t]?", re.I)
FENCE = re.compile(r"^[ \t]{0,8}```[^\n`]{0,40}$\n?", re.M)


class Layout(Protocol):
    """What the loop needs to know about the look of a transcript."""

    @property
    def thinks(self) -> bool: ...  # does it show thoughts?

    @property
    def pairs(self) -> bool: ...  # a thought without its act is worth a second call

    @property
    def sparse(self) -> bool: ...  # may a thought stand alone?

    def cue(self, i: int) -> str: ...  # ends the prompt: the model goes on from here

    def act_cue(self, i: int) -> str: ...  # the same, when the thought is already there

    def stop(self, i: int) -> tuple[str, ...]: ...  # where the server should stop

    def read(self, text: str, i: int) -> Step: ...  # what the model wrote after the cue

    def read_act(self, text: str, i: int) -> Step: ...  # what it wrote after the act cue

    def show(self, step: Step, i: int) -> str: ...

    def divide(self, turn: str, i: int) -> tuple[str, str | None]: ...  # what model and world wrote


@dataclass(frozen=True)
class Numbered:
    """`Thought 1: … Action 1: … Observation 1: …` (HotpotQA and FEVER, Appendix C.1 and C.2)."""

    thinks: bool = True
    sparse: bool = False

    @property
    def pairs(self) -> bool:
        return self.thinks

    def cue(self, i: int) -> str:
        return f"Thought {i}:" if self.thinks else self.act_cue(i)

    def act_cue(self, i: int) -> str:
        return f"Action {i}:"

    def stop(self, i: int) -> tuple[str, ...]:
        return (f"\nObservation {i}:",)

    def read(self, text: str, i: int) -> Step:
        said, repairs = tidy(text)
        said, repairs = drop_cue(said, i, "thought" if self.thinks else "action", repairs)
        mark = find_mark(said, "action")
        if mark is None:
            return self.read_unmarked(said, text, repairs)
        thought = first_turn(said[: mark.start()], repairs) if self.thinks else ""
        if mark[2] != str(i):
            repairs.append("wrong number" if mark[2] else "number missing")
        action = first_act(first_turn(said[mark.end() :], repairs), repairs)
        return step_of(thought, action, text, repairs)

    def read_unmarked(self, said: str, raw: str, repairs: list[str]) -> Step:
        """No `Action i:` in sight: the line is the act itself, or else a thought alone."""
        line = first_line(first_turn(said, repairs))
        if not self.thinks:
            return step_of("", first_act(line, repairs), raw, repairs)
        if split_act(line):
            return step_of("", line, raw, [*repairs, "act without its marker"])
        return step_of(line, "", raw, repairs)

    def read_act(self, text: str, i: int) -> Step:
        return Numbered(thinks=False).read(text, i)

    def show(self, step: Step, i: int) -> str:
        parts = (
            ("Thought", step.thought),
            ("Action", step.action),
            ("Observation", step.observation),
        )
        return "".join(f"{name} {i}: {text}\n" for name, text in parts if text)

    def divide(self, turn: str, i: int) -> tuple[str, str | None]:
        said, mark, seen = turn.partition(f"\nObservation {i}:")
        return said, seen.strip() if mark else None


@dataclass(frozen=True)
class Game:
    """`> think: …` / `OK.` / `> go to shelf 1` / `On the shelf 1, you see …` (Appendix C.4)."""

    thinks: bool = True
    pairs: bool = False
    sparse: bool = True  # the model decides when to think (section 4)

    def cue(self, i: int) -> str:
        return ">"

    act_cue = cue

    def stop(self, i: int) -> tuple[str, ...]:
        return ("\n",)

    def read(self, text: str, i: int) -> Step:
        said, repairs = tidy(text)
        line = one_line(said, repairs).lstrip("> ")
        think = THINK.match(line)
        thought, action = (line[think.end() :], "") if think else ("", line)
        return step_of(thought if self.thinks else "", action, text, repairs)

    read_act = read

    def show(self, step: Step, i: int) -> str:
        said = step.action if step.thought is None else f"think: {step.thought}"
        return f"> {said}\n" + (f"{step.observation}\n" if step.observation else "")

    def divide(self, turn: str, i: int) -> tuple[str, str | None]:
        said, _, seen = turn.partition("\n")
        return said, seen.strip() or None


@dataclass(frozen=True)
class Shop:
    """`Action: think[…]` / `Observation: OK.` / `Action: search[…]` (WebShop, Appendix C.3)."""

    thinks: bool = True
    pairs: bool = False
    sparse: bool = True

    def cue(self, i: int) -> str:
        return "Action:"

    act_cue = cue

    def stop(self, i: int) -> tuple[str, ...]:
        return ("\n",)

    def read(self, text: str, i: int) -> Step:
        said, repairs = tidy(text)
        said, repairs = drop_cue(said, i, "action", repairs, numbered=False)
        act = first_act(one_line(said, repairs), repairs)
        match split_act(act):
            case (name, thought) if name.lower() == "think":
                return step_of(thought if self.thinks else "", "", text, repairs)
        return step_of("", act, text, repairs)

    read_act = read

    def show(self, step: Step, i: int) -> str:
        said = step.action if step.thought is None else f"think[{step.thought}]"
        seen = f"Observation: {step.observation}\n\n" if step.observation else ""
        return f"Action: {said}\n{seen}"

    def divide(self, turn: str, i: int) -> tuple[str, str | None]:
        said, mark, seen = turn.partition("\nObservation:")
        return said, seen.strip() if mark else None


@dataclass(frozen=True)
class Plain:
    """`Thought: … Answer: …`: Chain-of-Thought, or with no thought the standard prompt."""

    thinks: bool = True
    lead: str = ""  # "Let's think step by step." opens the thought (Kojima et al.)
    pairs: bool = False
    sparse: bool = False

    def cue(self, i: int) -> str:
        return f"Thought: {self.lead}".rstrip() if self.thinks else "Answer:"

    def act_cue(self, i: int) -> str:
        return "Answer:"

    def stop(self, i: int) -> tuple[str, ...]:
        return "\nQuestion:", "\nClaim:", "\nObservation"

    def read(self, text: str, i: int) -> Step:
        said, repairs = tidy(text)
        said, repairs = drop_cue(said, i, "thought", repairs, numbered=False)
        said = said.removeprefix(self.lead).lstrip() if self.lead else said
        mark = ANSWER.search(said)
        if mark is None and self.thinks:
            return step_of(said, "", text, repairs)
        thought = said[: mark.start()] if mark and self.thinks else ""
        if mark and not self.thinks:
            repairs.append("repeated cue")
        answer = first_line(said[mark.end() :] if mark else said)
        return step_of(thought, finish(answer, repairs), text, repairs)

    def read_act(self, text: str, i: int) -> Step:
        return Plain(thinks=False).read(text, i)

    def show(self, step: Step, i: int) -> str:
        act = split_act(step.action or "")
        thought = f"{self.cue(i)} {step.thought}\n" if step.thought else ""
        return thought + (f"Answer: {act[1]}\n" if act else "")

    def divide(self, turn: str, i: int) -> tuple[str, str | None]:
        return turn, None


def parse(layout: Layout, text: str) -> tuple[str, tuple[Step, ...]]:
    """A whole transcript -> what stands before the first step, and the steps.

    Every turn goes through the same `read` that reads the model.
    """
    turns = list(turn_starts(layout, text))
    if not turns:
        return text, ()
    ends = [start for start, _ in turns[1:]] + [len(text)]
    steps = []
    for i, ((_, start), end) in enumerate(zip(turns, ends, strict=True), 1):
        said, seen = layout.divide(text[start:end], i)
        read = layout.read(said, i)
        steps.append(Step(read.thought, read.action, seen))
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


def tidy(text: str) -> tuple[str, list[str]]:
    """Line ends made equal, code fences dropped, and everything cut that the world should write."""
    said = text.strip().replace("\r\n", "\n").replace("\r", "\n")
    said, fences = FENCE.subn("", said)
    repairs = ["code fence"] if fences else []
    if world := WORLD.search(said):
        repairs.append("forged observation" if said[world.end() :].strip() else "stop word")
        said = said[: world.start()]
    return said.strip(), repairs


def drop_cue(
    said: str, i: int, name: str, repairs: list[str], *, numbered: bool = True
) -> tuple[str, list[str]]:
    """A model that repeats the cue it was given: take it off."""
    mark = MARK.match(said)
    if mark is None or mark[1].lower() != name:
        return said, repairs
    if numbered and mark[2] not in ("", str(i)):
        return said, repairs
    return said[mark.end() :].strip(), [*repairs, "repeated cue"]


def find_mark(said: str, name: str) -> re.Match[str] | None:
    return next((mark for mark in MARK.finditer(said) if mark[1].lower() == name), None)


def first_turn(said: str, repairs: list[str]) -> str:
    """What stands before the next `Thought i:` or `Action i:`; the rest was a step too many."""
    mark = MARK.search(said)
    if mark is None:
        return said
    repairs.append("several steps")
    return said[: mark.start()]


def first_line(said: str) -> str:
    """The first line with something on it."""
    return said.strip().partition("\n")[0].strip()


def one_line(said: str, repairs: list[str]) -> str:
    """The first line, noting that there were more."""
    line = first_line(said)
    if len(said.strip()) > len(line):
        repairs.append("several steps")
    return line


def first_act(said: str, repairs: list[str]) -> str:
    """The act on the first line: up to the bracket that closes it."""
    if said[:1] == "\n" or (said.strip() and not said.partition("\n")[0].strip()):
        repairs.append("act on a later line")
    line = first_line(said)
    bare = line.strip("`*\"'“” ")
    if bare != line and split_act(bare):
        repairs.append("quotes")
        line = bare
    if len(line) > LONGEST_ACT:
        repairs.append("cut at 2000 characters")
        line = line[:LONGEST_ACT]
    end = closing_bracket(line)
    if end and line[end:].strip():
        repairs.append("text after the act")
    return line[:end] if end else line


def closing_bracket(line: str) -> int | None:
    """Where the first bracket is closed: by balance, else at the last bracket of the line."""
    depth = 0
    for bracket in re.finditer(r"[\[\]]", line):
        depth += 1 if bracket[0] == "[" else -1
        if depth <= 0:
            return bracket.end() if depth == 0 else None
    return line.rfind("]") + 1 or None


def finish(answer: str, repairs: list[str]) -> str:
    """A plain answer is the act of finishing with it."""
    act = split_act(answer)
    if act and act[0].lower() == "finish":
        repairs.append("act in place of an answer")
        return answer
    return f"Finish[{answer}]" if answer else ""


def step_of(thought: str, action: str, raw: str, repairs: list[str]) -> Step:
    return Step(thought.strip() or None, action.strip() or None, raw=raw, repairs=tuple(repairs))
