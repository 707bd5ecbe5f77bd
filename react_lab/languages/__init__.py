"""The languages that a run can be in. Another one is one more file here, and its name below.

What widgets and pages say is in another place, a file of words per language: `speech`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..support import names_of
from .language import ENGLISH, Language

if TYPE_CHECKING:
    from .chinese import CHINESE
    from .speech import say, speak, spoken, word, words_of

__all__ = [
    "CHINESE", "ENGLISH", "Language", "language_named", "say", "speak", "spoken", "word",
    "words_of",
]  # fmt: skip

ROOMS = {"chinese": "CHINESE", "speech": "say speak spoken word words_of"}

__getattr__, __dir__ = names_of(__name__, __all__, ROOMS)


def language_named(lang: str) -> Language:
    """A language by its code, or a sentence that lists those there are."""
    if lang == "en":
        return ENGLISH
    if lang == "zh":
        from .chinese import CHINESE

        return CHINESE
    raise ValueError(f"no language {lang!r}; there are: en, zh")
