"""Models: `openai` (any OpenAI-compatible server), `scripted` (says its lines), `cached` (replays).

To read the code: script, compatible (with faults and answers beside it), cache.
"""

from __future__ import annotations

from .cache import cached
from .compatible import openai
from .script import scripted

__all__ = ["cached", "openai", "scripted"]
