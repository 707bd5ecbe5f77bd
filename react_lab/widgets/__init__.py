"""What can be pressed: small widgets over the package, in a notebook."""

from __future__ import annotations

from .by_step import house_by_step
from .console import Console
from .switches import prompt_switches

__all__ = ["Console", "house_by_step", "prompt_switches"]
