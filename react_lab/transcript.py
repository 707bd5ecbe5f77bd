"""What an episode looks like to a model: what to ask for a step, and how to read what comes.

The paper's is one text that grows. A conversation in messages is another class with these methods.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from .prompts import Prompt
from .support.text import tokens
from .types import Ask, ContextLimit, Env, Model, Refused, Reply, Step, Trajectory

MARK = "..."  # stands where an observation has left the prompt
GAP = f"{MARK}\n"  # stands where steps have
STAY = 3  # the last steps are always shown whole
KEPT = 0.75  # when something has to leave, so much of the room for steps stays filled


class Transcript(ABC):
    """What an episode looks like to a model: it says what to ask, reads replies, takes steps in.

    context: at most so many tokens of a prompt. What has left it depends on the steps alone, not
    on who was asked when: a resumed run asks just what it would have asked.
    """

    shortened = 0  # the first step that was asked with less

    def __init__(self, prompt: Prompt, context: int | None = None) -> None:
        self.prompt, self.leg, self.context = prompt, prompt.leg, context
        self.sparse = prompt.layout.sparse  # may a thought stand alone?
        self.begin("")

    @abstractmethod
    def begin(self, opening: str) -> None: ...

    @abstractmethod
    def ask(self, i: int) -> Ask: ...  # for step i

    @abstractmethod
    def ask_act(self, i: int, step: Step) -> Ask | None: ...  # for the act that its thought lacks

    @abstractmethod
    def read(self, reply: Reply, i: int, step: Step | None = None) -> Step: ...

    @abstractmethod
    def add(self, step: Step, i: int) -> None: ...

    def in_turn(self, model: Model) -> Model:
        """The model; of several calls in a reply, those left are done before it is asked again."""
        return model

    def note_gone(self, left: int, i: int) -> None:
        if left and not self.shortened:
            self.shortened = i

    def flagged(self, run: Trajectory) -> Trajectory:
        """The run, which says from which step on its prompt lacked something."""
        if not self.shortened:
            return run
        shortened = {"from": self.shortened, "context": self.context}
        settings = {**run.settings, "shortened": shortened}
        return replace(run, flags=(*run.flags, "shortened"), settings=settings)


class Gone(NamedTuple):
    """How many steps have left a prompt from the oldest on: their observations, or altogether."""

    observations: int = 0
    steps: int = 0


class Turn(NamedTuple):
    """A step as it stands in the prompt, whole and without its observation, and their tokens."""

    whole: str
    brief: str
    size: int
    brief_size: int


class TextTranscript(Transcript):
    """The paper's: a prompt, and below it one text that grows (Appendix C).

    When the context is full, the observations of the oldest steps leave; when that is not enough,
    the oldest steps.
    """

    def begin(self, opening: str) -> None:
        self.layout, self.opening = self.prompt.layout, f"{self.prompt.head}{opening}\n"
        self.size, self.turns = tokens(self.opening), list[Turn]()
        self.gone, self.shortened = Gone(), 0

    def ask(self, i: int) -> Ask:
        return self.for_text(self.layout.cue(i), self.layout.stop(i), i)

    def ask_act(self, i: int, step: Step) -> Ask | None:
        """A thought without an act: ask once more, for the act alone, as the authors do.

        So too where a person has changed a thought. In a game it stands alone, like any other.
        """
        layout = self.layout
        lacks = step.human or (step.thought and layout.pairs)
        if step.action is not None or layout.sparse or not lacks:
            return None
        thought = layout.show(replace(step, observation=None), i)
        return self.for_text(thought + layout.act_cue(i), ("\n",), i)

    def for_text(self, text: str, stop: tuple[str, ...], i: int) -> Ask:
        gone = self.fitted(text)
        if self.context is not None and (size := self.length(gone, text)) > self.context:
            raise ContextLimit(
                f"the prompt would have about {size:,} tokens, and may have {self.context:,}: what "
                "always stays, the exemplars, the task and the last steps, is too long. Give a "
                "larger context=, or fewer shots="
            )
        self.note_gone(sum(gone), i)
        return Ask(self.text_of(gone) + text, stop, leg=self.prompt.asks_as)

    def text_of(self, gone: Gone) -> str:
        gap = GAP if gone.steps else ""
        brief = [turn.brief for turn in self.turns[gone.steps : gone.observations]]
        whole = [turn.whole for turn in self.turns[gone.observations :]]
        return "".join((self.opening, gap, *brief, *whole))

    def length(self, gone: Gone, text: str) -> int:
        gap = tokens(GAP) if gone.steps else 0
        brief = sum(turn.brief_size for turn in self.turns[gone.steps : gone.observations])
        whole = sum(turn.size for turn in self.turns[gone.observations :])
        return self.size + gap + brief + whole + tokens(text)

    def fitted(self, text: str) -> Gone:
        """What has to leave, so that a prompt that ends in `text` is short enough.

        A server reads anew all that follows a change. So when something leaves, much leaves at
        once, and after that the prompt only grows for many steps.
        """
        gone, most = self.gone, max(0, len(self.turns) - STAY)
        if self.context is None or self.length(gone, text) <= self.context:
            return gone
        size, goal = self.length(gone, text), self.size + KEPT * (self.context - self.size)
        while gone.observations < most and size > goal:
            turn = self.turns[gone.observations]
            gone = gone._replace(observations=gone.observations + 1)
            size += turn.brief_size - turn.size
        if size > self.context:
            while gone.steps < most and size > goal:
                size -= self.turns[gone.steps].brief_size
                gone = gone._replace(steps=gone.steps + 1)
        return gone

    def read(self, reply: Reply, i: int, step: Step | None = None) -> Step:
        if step is None:
            return note_reply(self.layout.read(reply.text, i), reply)
        return with_act(step, note_reply(self.layout.read_act(reply.text, i), reply))

    def add(self, step: Step, i: int) -> None:
        self.note_gone(sum(self.gone), i)  # also of a step that nobody was asked for now
        whole = brief = self.layout.show(step, i)
        if step.action is not None and step.observation is not None:
            brief = self.layout.show(replace(step, observation=MARK), i)
        size, rest = tokens(whole), tokens(brief)
        kept = (brief, rest) if rest < size else (whole, size)  # an `OK.` is as short as its mark
        self.turns.append(Turn(whole, kept[0], size, kept[1]))
        self.gone = self.fitted(self.layout.cue(i + 1))


@dataclass
class Greedy:
    """Asks for each step once, and takes it as it comes: `decoding` has other ways."""

    model: Model
    transcript: Transcript

    def first(self, i: int) -> Step:
        return self.read(self.transcript.ask(i), i)

    def act(self, i: int, step: Step) -> Step:
        """The step, with the act that it lacks if it needs one."""
        ask = self.transcript.ask_act(i, step)
        return step if ask is None else self.read(ask, i, step)

    def redraw(self, i: int, step: Step, done: Sequence[Step], env: Env) -> Step:
        """The step, or another drawn in its place; greedily, the step."""
        return step

    def read(self, ask: Ask, i: int, step: Step | None = None) -> Step:
        (reply,) = self.model.complete(ask).values()
        return self.transcript.read(accept(reply), i, step)


def accept(reply: Reply) -> Reply:
    if reply.why in ("refused", "filtered"):
        raise Refused(f"the model's reply was {reply.why}: {reply.text[:200]}".rstrip(": "))
    return reply


def note_reply(step: Step, reply: Reply) -> Step:
    """The step, with what was thought apart, and whether the reply was cut."""
    repairs = (*step.repairs, "cut by length") if reply.why == "length" else step.repairs
    return replace(step, repairs=repairs, private=(reply.reasoning or "").strip() or None)


def with_act(step: Step, act: Step) -> Step:
    """The step with the act of a second reply; after a person's thought that is no rescue."""
    raw = "\n".join(filter(None, (step.raw, act.raw)))
    private = "\n\n".join(filter(None, (step.private, act.private))) or None
    repairs = (*step.repairs, *act.repairs)
    step = replace(step, raw=raw, repairs=repairs, private=private)
    return replace(step, action=act.action, rescued=not step.human)
