"""What the lessons ask and say, in words: one TOML file per lesson, and its twin for each language.

`zh/00.toml` is `00.toml` in Chinese, with the same keys; it is read after `rl.speak("zh")`.

The checks stay in the lesson's module, under the same numbers; what they say is the table `says`,
with `{name}` where a value goes. Lines of a text are joined as in Markdown: an empty line begins a
new one. An option is its text, whether it is right, and why.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ... import display, teach
from ...languages import say, spoken
from ...languages.speech import filled

__all__ = ["cases", "keys_of", "lesson_of", "read", "said"]

HERE = Path(__file__).parent


def lesson_of(name: str, checks: Mapping[str, teach.Check], folder: Path = HERE) -> teach.Lesson:
    """A lesson as the student left it: its words from the file, a check for each exercise."""
    words = read(name, folder)
    exercises = words.get("exercises", {})
    for number in sorted(exercises.keys() ^ checks.keys()):
        lacks = "check" if number in exercises else "words"
        raise ValueError(f"exercise {number} of lesson {name} has no {lacks}")
    made = {n: teach.Exercise(check=checks[n], **each) for n, each in exercises.items()}
    quiz = [teach.Question(**each) for each in words.get("questions", ())]
    return teach.Lesson(name, made, quiz, teach.file_of(name))


def read(name: str, folder: Path = HERE) -> dict[str, Any]:
    """All that the file of a lesson holds; English where it is alone."""
    path = folder / spoken() / f"{name}.toml"
    text = (path if path.exists() else folder / path.name).read_text(encoding="utf-8")
    found = tomllib.loads(text).items()
    return {key: part if key == "says" else joined(part) for key, part in found}


def said(lesson: str, key: str, /, **given: object) -> str:
    """What a lesson says of an answer, from its table `says`."""
    return filled(read(lesson)["says"][key], given)


def cases(lesson: str) -> display.Page:
    found = read(lesson)["cases"].items()
    return display.together(display.note(said(lesson, "case", name=n), c["text"]) for n, c in found)


def keys_of(lesson: str) -> teach.Check:
    """A check of the keys for a lesson's cases: the first wrong one, and what to ask about it."""

    def check(answer: Any) -> str | None:
        if not isinstance(answer, Mapping):
            return say("teach.asks_for_keys")
        cases = read(lesson)["cases"]
        if all(answer.get(name, ...) is ... for name in cases):
            return teach.UNDONE
        for name, case in cases.items():
            key = answer.get(name, ...)
            if key is ...:
                return say("teach.no_key", name=name, ask=case["ask"])
            if not isinstance(key, int):
                return say("teach.key_is_a_number", name=name, got=teach.short(key))
            if key != case["key"]:
                return said(lesson, "other", name=name, key=key, ask=case["ask"])
        return None

    return check


def joined(part: Any) -> Any:
    """Text with its lines joined; lines of code stay as they are."""
    if isinstance(part, dict):
        return {key: each if key == "solution" else joined(each) for key, each in part.items()}
    if isinstance(part, list):
        return tuple(map(joined, part))
    if isinstance(part, str):
        return "\n".join(" ".join(lines.split()) for lines in part.split("\n\n"))
    return part
