"""The course as a folder of static files: read, watched and labelled in a browser, no kernel.

    python -m react_lab site FOLDER      # then: python -m http.server --directory FOLDER

Nothing in it asks anything of another address, and what models and pages wrote is text only.
"""

from __future__ import annotations

from .whole import build

__all__ = ["build"]
