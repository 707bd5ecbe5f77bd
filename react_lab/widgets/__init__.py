"""What can be pressed: small widgets over the package, made with ipywidgets."""

from __future__ import annotations

from .by_step import house_by_step
from .switches import prompt_switches

__all__ = ["house_by_step", "prompt_switches"]
