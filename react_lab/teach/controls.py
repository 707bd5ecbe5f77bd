"""A slider and a picture that a screen reader can name; ipywidgets' own have no names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["image", "slider"]

SCRIPT = Path(__file__).parent / "controls.js"
STYLE = """
.rl-slider { display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: center;
  min-height: 32px; max-width: 46em; font-size: var(--jp-content-font-size1, 14px); }
.rl-slider input { flex: 1 1 14em; accent-color: #0072b2; }
.rl-slider output { min-width: 3em; font-variant-numeric: tabular-nums; }
"""


def slider(name: str, value: float, low: float, high: float, step: float = 1) -> Any:
    """A number between two, whole where all given are; it changes when the handle is let go."""
    import anywidget
    import traitlets

    whole = all(isinstance(number, int) for number in (value, low, high, step))
    Number = traitlets.CInt if whole else traitlets.CFloat  # noqa: N806

    class Slider(anywidget.AnyWidget):
        _esm, _css = SCRIPT, STYLE
        kind, name = (traitlets.Unicode().tag(sync=True) for _ in range(2))
        value, min, max, step = (Number().tag(sync=True) for _ in range(4))

    return Slider(kind="slider", name=name, value=value, min=low, max=high, step=step)


def image(name: str, png: bytes = b"", layout: Mapping[str, str] | None = None) -> Any:
    """A picture that may change: `png` is what it shows, `name` what it is in words."""
    import anywidget
    import traitlets

    class Image(anywidget.AnyWidget):
        _esm = SCRIPT
        kind, name = (traitlets.Unicode().tag(sync=True) for _ in range(2))
        png = traitlets.Bytes().tag(sync=True)

    return Image(kind="picture", name=name, png=png, layout=dict(layout or {}))
