"""A widget's script as one text: the words of a language, what all widgets share, its own part.

The text is an ES module that needs no other file: in a notebook, in a page without a kernel.
"""

from __future__ import annotations

import json
from pathlib import Path

from ..languages import spoken, words_of

__all__ = ["script", "style"]

HERE = Path(__file__).parent
ALL = ("alarm", "parts")  # tables of words that every widget may take from
TABLES = {"player": ("thoughts",), "labeller": ("modes",)}  # those that one takes from besides
OWN = {"player": ("player_drawn.js", "player.js")}  # where that is more than one file


def script(name: str) -> str:
    """The script of `player`, `explorer`, `labeller` or `console`, in the language spoken now."""
    files = ("shared.js", *OWN.get(name, (f"{name}.js",)))
    return "".join([words(name), *((HERE / file).read_text(encoding="utf-8") for file in files)])


def words(name: str) -> str:
    """Its words, as constants of the script; its own table without the table's name."""
    tables = (*ALL, *TABLES.get(name, ()), name)
    found = {
        key.removeprefix(f"{name}."): text
        for key, text in words_of(spoken()).items()
        if key.partition(".")[0] in tables
    }
    text = json.dumps(found).replace("<", "\\u003c")  # no tag of a page can begin in it
    return f"const LANG = {json.dumps(spoken())}, WORDS = {text};\n"


def style(name: str) -> str:
    """The style sheet of a widget."""
    return (HERE / f"{name}.css").read_text(encoding="utf-8")
