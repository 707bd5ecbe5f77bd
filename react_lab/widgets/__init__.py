"""What can be pressed: small widgets over the package, made with ipywidgets."""

from __future__ import annotations

from .switches import prompt_switches

__all__ = ["prompt_switches"]
