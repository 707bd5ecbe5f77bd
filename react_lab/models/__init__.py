"""Models: `local` (the bundled one), `openai` (any OpenAI-compatible server), `scripted` (says its
lines), `cached` (keeps and replays), `recorded` (a lesson's replies, else the bundled model),
`streamed` (a model whose words are heard as they come).

To read the code: wrap, openai_compatible (with faults and answers beside it, and support.http below
it), llama, cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..support import names_of

if TYPE_CHECKING:
    from .cache import cached
    from .llama import local, recorded
    from .openai_compatible import openai
    from .wrap import scripted, streamed

__all__ = ["cached", "local", "openai", "recorded", "scripted", "streamed"]

ROOMS = {
    "cache": "cached", "llama": "local recorded", "openai_compatible": "openai",
    "wrap": "scripted streamed",
}  # fmt: skip

__getattr__, __dir__ = names_of(__name__, __all__, ROOMS)
