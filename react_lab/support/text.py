"""Text from outside, made fit to leave: no hidden character stays hidden. Imports nothing of ours.

A terminal obeys an escape, an editor hides what follows a bidi mark, a file takes no surrogate.
"""

from __future__ import annotations

import inspect
import math
import re
import shutil
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from numbers import Integral, Real
from typing import Any

FURTHER = "\n        "  # begins the next line of a text, which so looks like no line of ours
HIDDEN = {"Cc", "Cf", "Cs"}  # controls, formats (bidi, zero-width, tags), lone surrogates
JOINERS = "\u200c\u200d"  # two formats that Persian, Hindi and emoji need

# A word has a token per five letters, capitals and all else a token each; a space before a word
# none. Of SmolLM2's tokens in games and pages this counts 1.0 to 1.2 times as many.
TOKEN = re.compile(r"[A-Z]?[a-z]{1,5}|[^\sa-z]| (?=[\d ])|[^\S ]")


def visible(text: str) -> str:
    """Text whose hidden characters can be seen: a terminal's escape reads `<U+001B>`."""
    if text.isascii() and text.isprintable():
        return text
    lines = re.sub("\r\n|[\x85\u2028\u2029]", "\n", text)
    return re.sub(r"[^\n\t -~]", lambda found: reveal(found[0]), lines)


def reveal(c: str) -> str:
    """Also the variation selectors of plane 14, in which whole texts are smuggled."""
    hidden = unicodedata.category(c) in HIDDEN or 0xE0000 <= ord(c) < 0xF0000
    return f"<U+{ord(c):04X}>" if hidden and c not in JOINERS else c


def inline(text: object) -> str:
    """Text for the middle of a line: visible, and without line breaks of its own."""
    return " ".join(visible(str(text)).split())


def fitted(text: str) -> str:
    """Text for a terminal, which would go on with a long line at its left edge: here that hangs."""
    wide = max(shutil.get_terminal_size().columns, 40)
    return "\n".join(FURTHER.join(cut(line, wide)) for line in text.expandtabs(8).split("\n"))


def cut(line: str, wide: int) -> Iterator[str]:
    wide = wide if line.isascii() else wide // 2  # some letters are two columns wide
    yield line[:wide]
    rest = wide - len(FURTHER) + 1
    yield from (line[at : at + rest] for at in range(wide, len(line), rest))


def check_number(name: str, given: Any, least: float, usual: Any) -> Any:
    """An option's number: whole where its usual value is, None where that is None."""
    if given is None is usual:
        return None
    numbers: Any = Real if isinstance(usual, float) else Integral
    if isinstance(given, bool) or not isinstance(given, numbers):
        wanted = "a number" if numbers is Real else "a whole number"
        wanted += ", or None" if usual is None else ""
        shown = repr(str(given)) if len(str(given)) < 20 else "this"  # which may be a key
        raise TypeError(f"{name} takes {wanted}, not {shown} ({type(given).__name__})")
    if not least <= given < math.inf:
        raise ValueError(f"{name}={given}: at least {least:g}")
    of_numpy = not isinstance(given, int | float)
    return (float if numbers is Real else int)(given) if of_numpy else given


def short(text: str, most: int = 60) -> str:
    """A text in one short line, its hidden characters escaped."""
    return repr(text if len(text) <= most else f"{text[: most - 1]}…")


def tokens(text: str) -> int:
    """About how many tokens a text has, rather too many than too few; the same for every model."""
    return len(TOKEN.findall(text)) + len(text.encode("utf-8", "replace")) - len(text)


def described(thing: object, most: int = 300) -> str:
    """What an object says of itself, in a line; some raise where they should."""
    try:
        said = str(thing)
    except (Exception, SystemExit):  # noqa: BLE001
        said = "it cannot say what it is"
    return inline(said)[:most]


def source_of(script: Sequence[Any] | Callable[..., Any]) -> str:
    """A script as text: its lines; of a function, its source."""
    if not callable(script):
        return repr(list(script))
    name = str(getattr(script, "__qualname__", type(script).__qualname__))
    try:
        return name + inspect.getsource(script)
    except (OSError, TypeError):  # typed at a prompt that keeps no source, or not a function
        return name
