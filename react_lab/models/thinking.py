"""What a model thinks in private, in <think> blocks, kept apart from what it says."""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["Relay", "apart"]

THINKING = re.compile(r"<think>(.*?)(?:</think>\s*|\Z)", re.S)
TAG = re.compile("(</?think>)")


def apart(text: str) -> tuple[str, str | None]:
    """What a model says, and apart from it what it thought."""
    if "<think>" not in text and "</think>" not in text:
        return text, None
    if "<think>" not in text.partition("</think>")[0]:
        text = "<think>" + text  # some servers keep the opening tag on the prompt's side
    return THINKING.sub("", text), "\n".join(THINKING.findall(text)).strip() or None


class Relay:
    """Hands on a streamed answer piece by piece, without what is thought in private.

    What was handed on before a `</think>` that nothing opened turns out to be a thought: the answer
    begins after it.
    """

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self.on_text = on_text
        self.began = False  # a part of the answer has been handed on
        self.tagged = self.inside = False  # there was a tag; this is a thought
        self.trim = False  # a thought has ended: the white space behind it goes with it
        self.held = ""  # the end of what came, which may be the start of a tag

    def __call__(self, piece: str, last: bool = False) -> None:
        text = self.held + piece
        end = len(text) if last else len(text) - start_of_tag(text)
        self.held = text[end:]
        if answer := "".join(map(self.said, TAG.split(text[:end]))):
            self.began = True
            self.on_text(answer)

    def said(self, part: str) -> str:
        """What of a text, or of a tag, belongs to the answer."""
        if part == "<think>" or (part == "</think>" and (self.inside or not self.tagged)):
            self.tagged, self.inside = True, part == "<think>"
            self.trim = not self.inside
            return ""
        if self.inside:
            return ""
        answer = part.lstrip() if self.trim else part
        self.trim = self.trim and not answer
        return answer


def start_of_tag(text: str) -> int:
    """How many letters at the end of a text may be the start of a tag."""
    tags = ("<think>", "</think>")
    return next((k for k in range(7, 0, -1) if text.endswith(tuple(t[:k] for t in tags))), 0)
