"""The languages that a run can be in. Another one is one more file here, and its name below.

What widgets and pages say is in another place, a file of words per language: `speech`.
"""

from .chinese import CHINESE
from .language import ENGLISH, Language
from .speech import say, speak, spoken, word, words_of

__all__ = [
    "CHINESE", "ENGLISH", "Language", "language_named", "say", "speak", "spoken", "word",
    "words_of",
]  # fmt: skip

LANGUAGES = {language.code: language for language in (ENGLISH, CHINESE)}


def language_named(lang: str) -> Language:
    """A language by its code, or a sentence that lists those there are."""
    if lang not in LANGUAGES:
        raise ValueError(f"no language {lang!r}; there are: {', '.join(LANGUAGES)}")
    return LANGUAGES[lang]
