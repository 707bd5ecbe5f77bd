"""What widgets and pages say, in one file of words per language: words/en.toml, words/zh.toml.

A file has the same keys as words/en.toml. What it lacks is said in English. `{name}` stands where a
value goes; of a list of two the first is said of one thing, the second of several.
"""

from __future__ import annotations

import functools
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "words"
CHOSEN = "REACT_LAB_LANG"  # a hub may set it for everybody
PLACE = re.compile(r"\{(\w+)\}")
Words = Mapping[str, str | list[str]]


def speak(lang: str) -> None:
    """Choose the language of all that widgets, lessons and `rl.show` say from now on: en or zh."""
    if lang not in there_are():
        raise ValueError(f"no words in {lang!r}; there are: {', '.join(there_are())}")
    os.environ[CHOSEN] = lang


def spoken() -> str:
    """The code of the language that is chosen; English, if it is none that there is."""
    lang = os.environ.get(CHOSEN, "en")
    return lang if lang in there_are() else "en"


@functools.cache
def there_are() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def say(key: str, /, **given: object) -> str:
    """The words under a key, with what is given in its places. `n` is a count."""
    return filled(words_of(spoken())[key], given)


def filled(words: str | list[str], given: Mapping[str, object]) -> str:
    if isinstance(words, list):
        words = words[0 if given.get("n") == 1 else -1]
    told = {name: f"{v:,}" if isinstance(v, int) else str(v) for name, v in given.items()}
    return PLACE.sub(lambda name: told[name[1]], words)


def word(table: str, key: str) -> str:
    """The word for something that has a name of its own; without one, its name."""
    name = f"{table}.{key}"
    return say(name) if name in words_of(spoken()) else key


@functools.cache
def words_of(lang: str) -> Words:
    """All words of a language by their keys, `table.name`."""
    english = {} if lang == "en" else words_of("en")
    text = (FOLDER / f"{lang}.toml").read_text(encoding="utf-8")
    return {**english, **dict(flat(tomllib.loads(text)))}


def flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value
