"""Models: `local` (the bundled one), `openai` (any OpenAI-compatible server), `scripted` (says its
lines), `cached` (keeps and replays), `recorded` (a lesson's replies, else the bundled model),
`streamed` (a model whose words are heard as they come).

To read the code: script, compatible (with faults and answers beside it), llama, cache.
"""

from __future__ import annotations

from .cache import cached
from .llama import local, recorded
from .openai_compatible import openai
from .wrap import scripted, streamed

__all__ = ["cached", "local", "openai", "recorded", "scripted", "streamed"]
