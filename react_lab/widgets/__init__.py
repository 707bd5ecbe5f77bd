"""What can be pressed: small widgets over the package, in a notebook."""

from __future__ import annotations

from .console import Console
from .switches import prompt_switches

__all__ = ["Console", "prompt_switches"]
