"""The course as a folder of static files: read, watched and labelled in a browser, no kernel.

    python -m react_lab site FOLDER      # then: python -m http.server --directory FOLDER

Nothing in it asks anything of another address, and what models and pages wrote is text only.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path

__all__ = ["build"]


def build(
    folder: str | PathLike[str], say: Callable[[str], None] = lambda words: None, live: bool = True
) -> Path:
    """Write the site into a folder. live: with the model in it, which is fetched once.

    A folder that holds anything else is refused; a site of ours in it is written anew.
    """
    from .whole import write_all  # not at import: the live tab has this package without it

    return write_all(Path(folder), say, live)
