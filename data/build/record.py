"""Runs a notebook for its readers: records the replies of the model, puts the outputs in.

    python data/build/record.py 00_start_here zh/00_start_here     (no name: every notebook)

A killed one goes on where it was: replies that the recording has are not asked for again.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from react_lab import data

__all__ = ["LIVE", "RECORDED", "main", "play", "record", "slim"]

RECORDED, LIVE = '"auto"', '"record"'  # the mode, in a notebook's first cell


def record(path: Path) -> None:
    """Run it twice: to record what is missing, and to replay it into the file."""
    if RECORDED in path.read_text(encoding="utf-8").replace('\\"', '"'):
        play(path, LIVE)
    book = play(path, RECORDED)
    nbformat.write(book, path)


def play(path: Path, mode: str) -> Any:
    """A notebook, run from top to bottom."""
    book = nbformat.read(path, as_version=4)
    for cell in book.cells:
        cell.source = cell.source.replace(RECORDED, mode)
    where = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(
        book, timeout=900, kernel_name="python3", resources=where, coalesce_streams=True
    )
    client.execute(env={**os.environ, "REACT_LAB_ANSWERS": ""})  # nobody has answered yet
    for cell in book.cells:
        cell.source = cell.source.replace(mode, RECORDED)
        cell.metadata.pop("execution", None)  # when each cell ran is nobody's business
    slim(book)
    book.metadata["language_info"] = {"name": "python"}
    return book


def slim(book: Any) -> None:
    """Leave out the state of widgets: without it their words are shown wherever no kernel runs."""
    book.metadata.pop("widgets", None)


def main() -> None:
    folder = (data.project() or Path.cwd()) / "notebooks"
    for path in sorted([*folder.glob("*.ipynb"), *folder.glob("zh/*.ipynb")]):
        name = path.relative_to(folder).with_suffix("").as_posix()
        if not sys.argv[1:] or name in sys.argv[1:]:
            print(name, flush=True)
            record(path)


if __name__ == "__main__":
    main()
