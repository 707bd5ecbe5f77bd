"""The languages that a run can be in. Another one is one more file here, and its name below.

What widgets and pages say is in another place, a file of words per language: `speech`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ..support import in_rooms, names_of
from .language import ENGLISH, Language

if TYPE_CHECKING:
    from .chinese import CHINESE
    from .speech import say, speak, spoken, word, words_of

__all__ = [
    "CHINESE", "ENGLISH", "Language", "language_named", "say", "speak", "spoken", "word",
    "words_of",
]  # fmt: skip

ROOMS = in_rooms({"speech": "say speak spoken word words_of", "chinese": "CHINESE"})
LANGUAGES = {"en": "ENGLISH", "zh": "CHINESE"}

__getattr__, __dir__ = names_of(__name__, __all__, ROOMS)


def language_named(lang: str) -> Language:
    """A language by its code, or a sentence that lists those there are."""
    if lang not in LANGUAGES:
        raise ValueError(f"no language {lang!r}; there are: {', '.join(LANGUAGES)}")
    found: Language = getattr(sys.modules[__name__], LANGUAGES[lang])
    return found
