"""What an episode looks like to a model: what to ask for a step, and how to read what comes.

The paper's is one text that grows. A conversation in messages is another class with these methods.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from .prompts import Prompt
from .types import Ask, Reply, Step

__all__ = ["TextTranscript", "Transcript"]


class Transcript(Protocol):
    """What an episode looks like to a model: it says what to ask, reads replies, takes steps in."""

    @property
    def leg(self) -> str: ...  # the prompt that asks

    @property
    def sparse(self) -> bool: ...  # may a thought stand alone?

    def begin(self, opening: str) -> None: ...

    def ask(self, i: int) -> Ask: ...  # for step i

    def ask_act(self, i: int, step: Step) -> Ask | None: ...  # for the act that its thought lacks

    def read(self, reply: Reply, i: int, step: Step | None = None) -> Step: ...

    def add(self, step: Step, i: int) -> None: ...


class TextTranscript:
    """The paper's: a prompt, and below it one text that grows (Appendix C)."""

    def __init__(self, prompt: Prompt) -> None:
        self.prompt, self.layout, self.leg = prompt, prompt.layout, prompt.leg
        self.sparse, self.text = prompt.layout.sparse, ""

    def begin(self, opening: str) -> None:
        self.text = f"{self.prompt.head}{opening}\n"

    def ask(self, i: int) -> Ask:
        return self.for_text(self.layout.cue(i), self.layout.stop(i))

    def ask_act(self, i: int, step: Step) -> Ask | None:
        """A thought without an act: ask once more, for the act alone, as the authors do.

        So too where a person has changed a thought. In a game it stands alone, like any other.
        """
        layout = self.layout
        lacks = step.human or (step.thought and layout.pairs)
        if step.action is not None or layout.sparse or not lacks:
            return None
        thought = layout.show(replace(step, observation=None), i)
        return self.for_text(thought + layout.act_cue(i), ("\n",))

    def for_text(self, text: str, stop: tuple[str, ...]) -> Ask:
        return Ask(self.text + text, stop, leg=self.prompt.asks_as)

    def read(self, reply: Reply, i: int, step: Step | None = None) -> Step:
        """A step; or a step with the act that it lacked."""
        if step is None:
            return mark_cut(self.layout.read(reply.text, i), reply)
        act = mark_cut(self.layout.read_act(reply.text, i), reply)
        return replace(
            step,
            action=act.action,
            raw="\n".join(filter(None, (step.raw, reply.text))),
            repairs=(*step.repairs, *act.repairs),
            rescued=not step.human,  # after a person's thought, asking for the act is no rescue
        )

    def add(self, step: Step, i: int) -> None:
        self.text += self.layout.show(step, i)


def mark_cut(step: Step, reply: Reply) -> Step:
    if reply.why != "length":
        return step
    return replace(step, repairs=(*step.repairs, "cut by length"))
