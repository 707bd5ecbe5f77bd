"""Finds data/, in the checkout or in the installed wheel; reads and appends JSON lines."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["add_line", "folder", "lines", "project", "resolve", "write"]

HERE = Path(__file__).resolve().parent
APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)  # as on Windows
encode = json.JSONEncoder(ensure_ascii=False).encode


def project() -> Path | None:
    """The checkout this package runs from, or None when it was installed from a wheel."""
    root = HERE.parent
    return root if (root / "pyproject.toml").exists() and (root / "data").is_dir() else None


def folder(*parts: str) -> Path:
    """A path below data/."""
    root = project()
    base = root / "data" if root else HERE / "_data"
    if not base.is_dir():
        raise FileNotFoundError(
            f"react_lab's own data is missing: no folder {base}. Install the package again."
        )
    return base.joinpath(*parts)


def resolve(path: str | os.PathLike[str]) -> Path:
    """A run or label path: relative ones start at the project root, else at the working folder."""
    given = Path(path).expanduser()
    return given if given.is_absolute() else (project() or Path.cwd()) / given


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a JSON-lines file; a broken line is named by file and number."""
    with path.open(encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield parse_line(line, path, number)


def parse_line(line: str, path: Path, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}, line {number}, is not JSON: {error}") from None
    if not isinstance(row, dict):
        raise ValueError(f"{path}, line {number}, is not a JSON object")
    return row


def write(path: Path, text: str) -> None:
    """Write a text file in its folder, with our line ends on every system."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def add_line(path: Path, *rows: dict[str, Any], durable: bool = False) -> None:
    """Append rows to a JSON-lines file by one write; `durable` waits until the disk has them."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(encode(row) + "\n" for row in rows)
    line = text.encode("utf-8", "backslashreplace")  # a lone surrogate, as JSON writes it
    file = os.open(path, APPEND, 0o666)
    try:
        if os.write(file, line) != len(line):
            raise OSError(errno.ENOSPC, "the disk is full: only a part of the row is in", str(path))
        if durable:
            os.fsync(file)
    finally:
        os.close(file)
