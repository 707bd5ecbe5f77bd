"""What the lessons ask, in words: one TOML file per lesson, with its exercises and its questions.

The checks stay in the lesson's module, under the same numbers. Lines of a text are joined as in
Markdown: an empty line begins a new one. An option is its text, whether it is right, and why.
A `$name` takes what only the lesson's run tells; a dollar is written `$$`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any

from ... import teach

__all__ = ["keys_of", "lesson_of", "read"]

HERE = Path(__file__).parent


def lesson_of(
    name: str, checks: Mapping[str, teach.Check], folder: Path = HERE, /, **known: object
) -> teach.Lesson:
    """A lesson as the student left it: its words from the file, a check for each exercise."""
    words = read(name, folder, **known)
    exercises = words.get("exercises", {})
    for number in sorted(exercises.keys() ^ checks.keys()):
        lacks = "check" if number in exercises else "words"
        raise ValueError(f"exercise {number} of lesson {name} has no {lacks}")
    made = {n: teach.Exercise(check=checks[n], **each) for n, each in exercises.items()}
    quiz = [teach.Question(**each) for each in words.get("questions", ())]
    return teach.Lesson(name, made, quiz, teach.file_of(name))


def read(name: str, folder: Path = HERE, /, **known: object) -> dict[str, Any]:
    """All that the file of a lesson holds, with its names filled in."""
    text = (folder / f"{name}.toml").read_text(encoding="utf-8")
    return {key: filled(part, known) for key, part in tomllib.loads(text).items()}


def keys_of(lesson: str, says: str) -> teach.Check:
    """A check of the keys for a lesson's cases: the first wrong one, and what to ask about it.

    says: how that is said, as in "Case {} is".
    """

    def check(answer: Any) -> str | None:
        if not isinstance(answer, Mapping):
            return "This exercise asks for keys, as in dict(a=1, b=2)."
        cases = read(lesson)["cases"]
        if all(answer.get(name, ...) is ... for name in cases):
            return teach.UNDONE
        for name, case in cases.items():
            key = answer.get(name, ...)
            if key is ...:
                return f"{name} has no key yet. {case['ask']}"
            if not isinstance(key, int):
                return f"The key of {name} is a number, as in dict(a=1); not {teach.short(key)}."
            if key != case["key"]:
                return f"{says.format(name)} something else than {key}. {case['ask']}"
        return None

    return check


def filled(part: Any, known: Mapping[str, object], code: bool = False) -> Any:
    """Text with its lines joined and its names filled in; lines of code stay as they are."""
    if isinstance(part, dict):
        return {key: filled(each, known, key == "solution") for key, each in part.items()}
    if isinstance(part, list):
        return tuple(filled(each, known) for each in part)
    if not isinstance(part, str):
        return part
    text = part if code else "\n".join(" ".join(p.split()) for p in part.split("\n\n"))
    return Template(text).substitute(known)
